/*
 * A move is its origin, its destination and the set of pieces that it takes; the way a jump took is not part
 * of it (movegen_visit_paths finds it again). Two moves are the same move exactly when they are equal as
 * numbers.
 */
#ifndef CROWNHEAD_ENGINE_MOVE_H
#define CROWNHEAD_ENGINE_MOVE_H

#include "engine/bitboard.h"
#include "engine/types.h"

/*
 * Bits 0..35 captured set, 36..41 origin, 42..47 destination, 48 a man becomes a king. Origin may equal
 * destination.
 */
typedef uint64_t Move;

#define MOVE_NONE ((Move)0)

static inline Move move_make(Square from, Square to, Bitboard captured, bool crowns) {
    return captured | (Move)from << 36 | (Move)to << 42 | (Move)crowns << 48;
}

static inline Square move_from(Move move) {
    return (Square)(move >> 36 & 63);
}

static inline Square move_to(Move move) {
    return (Square)(move >> 42 & 63);
}

static inline Bitboard move_captured(Move move) {
    return move & BITBOARD_ALL;
}

static inline bool move_is_capture(Move move) {
    return move_captured(move) != 0;
}

static inline bool move_crowns(Move move) {
    return (move >> 48 & 1) != 0;
}

/*
 * A short form to remember a move by: the few moves of a position that share origin and destination may share
 * it. 0 stands for no move.
 */
static inline uint16_t move_code(Move move) {
    uint64_t hash = move_captured(move) * UINT64_C(0x9E3779B97F4A7C15) >> 60;
    return (uint16_t)((uint64_t)move_from(move) | (uint64_t)move_to(move) << 6 | hash << 12);
}

enum { MOVES_MAX = 256 }; /* no move list is longer; tests/test_bounds.c proves it */

typedef struct {
    int count;
    Move moves[MOVES_MAX];
} MoveList;

#endif
