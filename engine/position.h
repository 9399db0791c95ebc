/* A position is a small value: moves make a new one, nothing is ever undone. */
#ifndef CROWNHEAD_ENGINE_POSITION_H
#define CROWNHEAD_ENGINE_POSITION_H

#include "engine/bitboard.h"
#include "engine/move.h"
#include "engine/rules.h"
#include "engine/types.h"

typedef struct {
    Bitboard pieces[2]; /* men and kings of each Color */
    Bitboard kings;     /* of both sides */
    uint8_t turn;       /* Color to move */
} Position;

_Static_assert(sizeof(Position) <= 32, "a position is copied at every move");

static inline Bitboard position_own(const Position *position) {
    return position->pieces[position->turn];
}

static inline Bitboard position_opponent(const Position *position) {
    return position->pieces[1 - position->turn];
}

static inline Bitboard position_occupied(const Position *position) {
    return position->pieces[WHITE] | position->pieces[BLACK];
}

static inline Bitboard position_empty(const Position *position) {
    return BITBOARD_ALL & ~position_occupied(position);
}

static inline bool position_equal(const Position *a, const Position *b) {
    return a->pieces[WHITE] == b->pieces[WHITE] && a->pieces[BLACK] == b->pieces[BLACK] &&
           a->kings == b->kings && a->turn == b->turn;
}

/* Whether the sets can be pieces on a board, of both sides. */
static inline bool position_is_sound(const Position *position) {
    return (position->pieces[WHITE] & position->pieces[BLACK]) == 0 && position->pieces[WHITE] != 0 &&
           position->pieces[BLACK] != 0 && (position->kings & ~position_occupied(position)) == 0;
}

/* The first position of a game. */
Position position_start(const Rules *rules);

/* The position after a legal move. */
static inline Position position_after(const Position *position, Move move) {
    Position next = *position;
    Color us = (Color)position->turn;
    Bitboard from = BITBOARD_BIT(move_from(move));
    Bitboard to = BITBOARD_BIT(move_to(move));
    Bitboard captured = move_captured(move);
    bool king = move_crowns(move) || (position->kings & from) != 0;

    next.pieces[us] = (position->pieces[us] & ~from) | to;
    next.pieces[1 - us] &= ~captured;
    next.kings = (position->kings & ~(captured | from)) | (king ? to : 0);
    next.turn = (uint8_t)(1 - us);
    return next;
}

#endif
