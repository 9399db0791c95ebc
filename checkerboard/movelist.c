#include "checkerboard/movelist.h"

#include "checkerboard/board.h"
#include "engine/text.h"

static void add_comma_number(Text *text, int number) {
    text_add_char(text, ',');
    text_add_number(text, (unsigned)number);
}

static int number_of(CbCoordinates at) {
    return 4 * (at.y + 1) - at.x / 2;
}

static void add_move(Text *text, const CbMove *move) {
    text_add_number(text, (unsigned)move->jumps);
    add_comma_number(text, move->oldpiece);
    add_comma_number(text, move->newpiece);
    add_comma_number(text, number_of(move->from));
    add_comma_number(text, number_of(move->to));
    for (int i = 0; i < move->jumps; i++) {
        add_comma_number(text, number_of(i + 1 < move->jumps ? move->path[i + 1] : move->to));
        add_comma_number(text, number_of(move->del[i]));
        add_comma_number(text, move->delpiece[i]);
    }
    text_add_char(text, ';');
}

bool movelist_write(Variant variant, const Position *position, char reply[static CB_REPLY_SIZE]) {
    Text text = text_init(reply, CB_REPLY_SIZE);
    MoveList legal;

    movegen_generate(variant, position, &legal);
    text_add(&text, "movelist ");
    text_add_number(&text, (unsigned)legal.count);
    for (int i = 0; i < legal.count; i++) {
        CbMove move;
        board_write_move(variant, position, legal.moves[i], &move);
        if (i == 0) {
            text_add_char(&text, ',');
        }
        add_move(&text, &move);
    }
    return text.length + 1 < text.size; /* a full buffer may have cut something off */
}
