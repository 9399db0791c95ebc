/*
 * The padded board: two rows take nine bits, four squares, a pad, four squares. Every diagonal step is then
 * one plain shift by 4 or 5, and a step over the edge lands on a pad, which is never empty and never
 * occupied; no edge masks are needed. Bit 0 is a1, bit 3 g1, bit 5 b2, bit 35 h8. (The layout is known from
 * draughts programs as "ghost squares".)
 */
#ifndef CROWNHEAD_ENGINE_BITBOARD_H
#define CROWNHEAD_ENGINE_BITBOARD_H

#include "engine/types.h"

/* Short functions of the inner loops, which compilers would else leave out of line in long ones. */
#define BITBOARD_INLINE static inline __attribute__((always_inline))

/* For short loops over directions or rows, whose index must become a constant for the rest to fold. */
#ifdef __clang__
#define BITBOARD_UNROLL _Pragma("clang loop unroll(full)")
#else
#define BITBOARD_UNROLL _Pragma("GCC unroll 8")
#endif

#define BITBOARD_BIT(square) ((Bitboard)1 << (square))

/* Row 0 is White's back row (a1 c1 e1 g1), row 7 Black's. */
#define BITBOARD_ROW(row) ((Bitboard)0xF << ((row) / 2 * 9 + (row) % 2 * 5))

#define BITBOARD_ALL \
    (BITBOARD_ROW(0) | BITBOARD_ROW(1) | BITBOARD_ROW(2) | BITBOARD_ROW(3) | BITBOARD_ROW(4) | \
     BITBOARD_ROW(5) | BITBOARD_ROW(6) | BITBOARD_ROW(7))

/* The square of a column, 0 (file a) .. 7, and a row, of which both must be even or both odd. */
#define BITBOARD_AT(column, row) BITBOARD_BIT((row) / 2 * 9 + (row) % 2 * 5 + (column) / 2)

/* The long diagonal a1-h8. */
#define BITBOARD_MAIN_ROAD \
    (BITBOARD_AT(0, 0) | BITBOARD_AT(1, 1) | BITBOARD_AT(2, 2) | BITBOARD_AT(3, 3) | BITBOARD_AT(4, 4) | \
     BITBOARD_AT(5, 5) | BITBOARD_AT(6, 6) | BITBOARD_AT(7, 7))

/* The four diagonal steps. The opposite of a direction is 3 minus it. */
typedef enum { UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT, DIRECTIONS } Direction;

BITBOARD_INLINE Direction direction_opposite(Direction direction) {
    return (Direction)(3 - (int)direction);
}

/* The set moved by one diagonal step; squares pushed over the edge fall on pads or off the board. */
BITBOARD_INLINE Bitboard bitboard_step(Bitboard set, Direction direction) {
    switch (direction) {
    case UP_LEFT:
        return set << 4;
    case UP_RIGHT:
        return set << 5;
    case DOWN_LEFT:
        return set >> 5;
    default:
        return set >> 4;
    }
}

/* The set moved by several steps. */
BITBOARD_INLINE Bitboard bitboard_step_by(Bitboard set, Direction direction, int steps) {
    int shift = (direction == UP_LEFT || direction == DOWN_RIGHT ? 4 : 5) * steps;
    return direction <= UP_RIGHT ? set << shift : set >> shift;
}

/*
 * The set with all empty squares that its pieces reach in one direction, by parallel prefix (P. Kogge and H.
 * Stone).
 */
BITBOARD_INLINE Bitboard bitboard_slide(Bitboard set, Direction direction, Bitboard empty) {
    set |= empty & bitboard_step_by(set, direction, 1);
    empty &= bitboard_step_by(empty, direction, 1);
    set |= empty & bitboard_step_by(set, direction, 2);
    empty &= bitboard_step_by(empty, direction, 2);
    return set | (empty & bitboard_step_by(set, direction, 4));
}

/* The two forward directions of a colour are 0 and 1, its backward ones 2 and 3. */
BITBOARD_INLINE Direction direction_of(Color color, int relative) {
    return (Direction)(color == WHITE ? relative : 3 - relative);
}

/* The crownhead of a colour: the row on which its men become kings. */
BITBOARD_INLINE Bitboard bitboard_crownhead(Color color) {
    return color == WHITE ? BITBOARD_ROW(7) : BITBOARD_ROW(0);
}

BITBOARD_INLINE int bitboard_count(Bitboard set) {
    return __builtin_popcountll(set);
}

/* The lowest square of a set that is not empty. */
BITBOARD_INLINE Square bitboard_first(Bitboard set) {
    return (Square)__builtin_ctzll(set);
}

/* Takes the lowest square out of a set that is not empty. */
BITBOARD_INLINE Square bitboard_pop(Bitboard *set) {
    Square square = bitboard_first(*set);
    *set &= *set - 1;
    return square;
}

BITBOARD_INLINE bool bitboard_several(Bitboard set) {
    return (set & (set - 1)) != 0;
}

/* Row of a square, 0..7 as in BITBOARD_ROW. */
BITBOARD_INLINE int square_row(Square square) {
    return square / 9 * 2 + (square % 9 >= 5);
}

/* Column of a square, 0 (file a) .. 7 (file h). */
BITBOARD_INLINE int square_column(Square square) {
    int rest = square % 9;
    return rest >= 5 ? (rest - 5) * 2 + 1 : rest * 2;
}

/* The number of a square, 1 (b8) .. 32 (g1), counted from Black's side row by row, as in PDN. */
BITBOARD_INLINE int square_number(Square square) {
    return (7 - square_row(square)) * 4 + square_column(square) / 2 + 1;
}

/* The square of a number 1..32. */
BITBOARD_INLINE Square square_from_number(int number) {
    int row = 7 - (number - 1) / 4;
    int index = (number - 1) % 4;
    return (Square)(row / 2 * 9 + row % 2 * 5 + index);
}

#endif
