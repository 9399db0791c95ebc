#include "search/order.h"

#include "engine/attack.h"

enum {
    HISTORY_LIMIT = 8192,
    SCORE_CAPTURE = 1 << 20,
    SCORE_CROWNING = 1 << 19,
    SCORE_KILLER = 1 << 18,
    SCORE_COUNTER = 1 << 17,
    PENALTY_LOSES_PIECE = 1 << 15,
};

void order_score(MoveOrder *order, const MoveMemory *memory, const Rules *rules, const Position *position,
                 const Move killers[2], Move previous) {
    const MoveList *list = order->list;
    Color us = (Color)position->turn;

    if (move_is_capture(list->moves[0])) {
        for (int i = 0; i < list->count; i++) {
            Bitboard captured = move_captured(list->moves[i]);
            order->scores[i] = SCORE_CAPTURE + 100 * bitboard_count(captured) +
                               50 * bitboard_count(captured & position->kings) +
                               80 * move_crowns(list->moves[i]);
        }
        return;
    }
    Color them = color_opponent(us);
    Bitboard jumpable =
        attacked_squares(rules, them, position->pieces[them], position->kings, position_empty(position));
    Move counter = memory->counter[us][move_from(previous)][move_to(previous)];
    for (int i = 0; i < list->count; i++) {
        Move move = list->moves[i];
        if (move_crowns(move)) {
            order->scores[i] = SCORE_CROWNING;
        } else if (move == killers[0]) {
            order->scores[i] = SCORE_KILLER + 1;
        } else if (move == killers[1]) {
            order->scores[i] = SCORE_KILLER;
        } else if (move == counter) {
            order->scores[i] = SCORE_COUNTER;
        } else {
            order->scores[i] = memory->history[us][move_from(move)][move_to(move)];
            if ((jumpable & BITBOARD_BIT(move_to(move))) != 0) {
                order->scores[i] -= PENALTY_LOSES_PIECE;
            }
        }
    }
}

static void swap(MoveOrder *order, int a, int b) {
    Move move = order->list->moves[a];
    int score = order->scores[a];
    order->list->moves[a] = order->list->moves[b];
    order->scores[a] = order->scores[b];
    order->list->moves[b] = move;
    order->scores[b] = score;
}

void order_pick(MoveOrder *order, int next) {
    int best = next;

    for (int i = next + 1; i < order->list->count; i++) {
        if (order->scores[i] > order->scores[best]) {
            best = i;
        }
    }
    if (best != next) {
        swap(order, best, next);
    }
}

/* Moves a history value towards the limit by a share that shrinks as it nears it. */
static void adjust(int16_t *value, int bonus) {
    *value = (int16_t)(*value + bonus - *value * (bonus < 0 ? -bonus : bonus) / HISTORY_LIMIT);
}

void order_reward(MoveMemory *memory, Color side, Move move, Move previous, const Move *tried,
                  int tried_count, int depth) {
    int bonus = depth * depth * 4 > 1024 ? 1024 : depth * depth * 4;

    adjust(&memory->history[side][move_from(move)][move_to(move)], bonus);
    for (int i = 0; i < tried_count; i++) {
        adjust(&memory->history[side][move_from(tried[i])][move_to(tried[i])], -bonus);
    }
    memory->counter[side][move_from(previous)][move_to(previous)] = move;
}
