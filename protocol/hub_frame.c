#include "protocol/hub_frame.h"

const char *hub_frame_name(int index) {
    static const char *const names[] = {
        [HUB_FRAME_PLAIN] = "plain",
        [HUB_FRAME_PYDRAUGHTS] = "pydraughts",
        [HUB_FRAME_WHITE_FIRST] = "white-first",
        NULL,
    };
    return names[index];
}

HubNumbering hub_frame_numbering(HubFrame frame, Variant variant) {
    const Rules *rules = rules_of(variant);

    if (frame == HUB_FRAME_PYDRAUGHTS && rules->naming == NAMING_ALGEBRAIC) {
        return HUB_MIRRORED;
    }
    return frame == HUB_FRAME_WHITE_FIRST && rules->first == BLACK ? HUB_TURNED : HUB_PLAIN;
}

static Bitboard turned(Bitboard set) {
    Bitboard result = 0;

    while (set != 0) {
        result |= BITBOARD_BIT(SQUARE_BITS - 1 - bitboard_pop(&set));
    }
    return result;
}

Position hub_frame_position(HubFrame frame, Variant variant, const Position *position) {
    if (frame == HUB_FRAME_PLAIN || rules_of(variant)->first == WHITE) {
        return *position;
    }
    return (Position){
        .pieces = {turned(position->pieces[BLACK]), turned(position->pieces[WHITE])},
        .kings = turned(position->kings),
        .turn = (uint8_t)color_opponent((Color)position->turn),
    };
}
