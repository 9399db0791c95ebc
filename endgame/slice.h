/*
 * A slice: all positions with the same men and kings of the side to move and of its opponent, numbered. The
 * number of a position depends on what the side to move sees, so White to move and the board turned round
 * with Black to move are one position.
 *
 * index = ((rank of own men * C(28, opponent's men) + rank of its men) * ways of own kings + rank of own
 * kings) * ways of its kings + rank of its kings
 *
 * Ranks are those of the combinatorial number system: sum of C(square, i) over the i-th square, i = 1, 2, ...
 * Men are ranked on the 28 squares that their side's men can stand on, counted from its own back row, so that
 * men with a farther leader have higher ranks; kings on the squares that are left, counted first through
 * every other row and then through the others, back and forth: so neighbours in the order mostly have the
 * opposition alike and the same value. Placements in which men of both sides share a square have numbers but
 * no position.
 */
#ifndef CROWNHEAD_ENDGAME_SLICE_H
#define CROWNHEAD_ENDGAME_SLICE_H

#include "engine/position.h"

enum { SLICE_PIECES_MAX = 8, MEN_SQUARES = 28, LEADS = 7 /* rows that a leading man can stand on */ };

/* [0] the side to move, [1] its opponent. */
typedef struct {
    uint8_t men[2], kings[2];
} Slice;

/* n over k: SLICE_BINOMIALS[k][n]. */
static const uint32_t SLICE_BINOMIALS[SLICE_PIECES_MAX + 1][SQUARES + 1] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
     17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32},
    {0,   0,   1,   3,   6,   10,  15,  21,  28,  36,  45,  55,  66,  78,  91,  105, 120,
     136, 153, 171, 190, 210, 231, 253, 276, 300, 325, 351, 378, 406, 435, 465, 496},
    {0,   0,   0,   1,    4,    10,   20,   35,   56,   84,   120,  165,  220,  286,  364,  455, 560,
     680, 816, 969, 1140, 1330, 1540, 1771, 2024, 2300, 2600, 2925, 3276, 3654, 4060, 4495, 4960},
    {0,    0,    0,     0,     1,     5,     15,    35,    70,    126,   210,
     330,  495,  715,   1001,  1365,  1820,  2380,  3060,  3876,  4845,  5985,
     7315, 8855, 10626, 12650, 14950, 17550, 20475, 23751, 27405, 31465, 35960},
    {0,     0,     0,     0,     0,     1,     6,     21,     56,     126,    252,
     462,   792,   1287,  2002,  3003,  4368,  6188,  8568,   11628,  15504,  20349,
     26334, 33649, 42504, 53130, 65780, 80730, 98280, 118755, 142506, 169911, 201376},
    {0,     0,      0,      0,      0,      0,      1,      7,      28,     84,     210,
     462,   924,    1716,   3003,   5005,   8008,   12376,  18564,  27132,  38760,  54264,
     74613, 100947, 134596, 177100, 230230, 296010, 376740, 475020, 593775, 736281, 906192},
    {0,      0,      0,      0,      0,      0,      0,       1,       8,       36,      120,
     330,    792,    1716,   3432,   6435,   11440,  19448,   31824,   50388,   77520,   116280,
     170544, 245157, 346104, 480700, 657800, 888030, 1184040, 1560780, 2035800, 2629575, 3365856},
    {0,      0,      0,      0,       0,       0,       0,       0,       1,       9,       45,
     165,    495,    1287,   3003,    6435,    12870,   24310,   43758,   75582,   125970,  203490,
     319770, 490314, 735471, 1081575, 1562275, 2220075, 3108105, 4292145, 5852925, 7888725, 10518300},
};

/* The place of a square in the order in which kings are counted, by the colour that looks. */
static const uint8_t SLICE_KING_ORDER[2][SQUARE_BITS] = {
    {0, 1, 2,  3,  0, 16, 17, 18, 19, 7,  6,  5,  4,  0, 23, 22, 21, 20,
     8, 9, 10, 11, 0, 24, 25, 26, 27, 15, 14, 13, 12, 0, 31, 30, 29, 28},
    {28, 29, 30, 31, 0, 12, 13, 14, 15, 27, 26, 25, 24, 0, 11, 10, 9, 8,
     20, 21, 22, 23, 0, 4,  5,  6,  7,  19, 18, 17, 16, 0, 3,  2,  1, 0},
};

static inline bool slice_equal(Slice a, Slice b) {
    return a.men[0] == b.men[0] && a.men[1] == b.men[1] && a.kings[0] == b.kings[0] &&
           a.kings[1] == b.kings[1];
}

/* The slice of the same pieces when it is the opponent's turn. */
static inline Slice slice_turned(Slice slice) {
    return (Slice){{slice.men[1], slice.men[0]}, {slice.kings[1], slice.kings[0]}};
}

static inline int slice_pieces(Slice slice) {
    return slice.men[0] + slice.men[1] + slice.kings[0] + slice.kings[1];
}

static inline uint32_t slice_men_ways(int men) {
    return SLICE_BINOMIALS[men][MEN_SQUARES];
}

/* In how many ways both sides' kings can stand when all men stand. */
static inline uint64_t slice_kings_ways(Slice slice) {
    int left = SQUARES - slice.men[0] - slice.men[1];

    return (uint64_t)SLICE_BINOMIALS[slice.kings[0]][left] *
           SLICE_BINOMIALS[slice.kings[1]][left - slice.kings[0]];
}

/* How many numbers a slice has. */
static inline uint64_t slice_size(Slice slice) {
    return (uint64_t)slice_men_ways(slice.men[0]) * slice_men_ways(slice.men[1]) * slice_kings_ways(slice);
}

static inline Slice slice_of(const Position *position) {
    Bitboard own = position_own(position);
    Bitboard opponent = position_opponent(position);

    return (Slice){
        {(uint8_t)bitboard_count(own & ~position->kings),
         (uint8_t)bitboard_count(opponent & ~position->kings)},
        {(uint8_t)bitboard_count(own & position->kings), (uint8_t)bitboard_count(opponent & position->kings)},
    };
}

/* A square counted from a colour's own back row, 0..31. */
BITBOARD_INLINE int slice_square(Color color, Square square) {
    int dense = square - (square + 5) / 9;

    return color == WHITE ? dense : 31 - dense;
}

BITBOARD_INLINE Square slice_square_back(Color color, int seen) {
    int dense = color == WHITE ? seen : 31 - seen;

    return (Square)(dense + (dense + 4) / 8);
}

/* Takes the square nearest to the colour's own back row out of a set that is not empty. */
BITBOARD_INLINE Square slice_pop(Color color, Bitboard *set) {
    if (color == WHITE) {
        return bitboard_pop(set);
    }
    Square square = (Square)(63 - __builtin_clzll(*set));
    *set &= ~BITBOARD_BIT(square);
    return square;
}

/* Rank of a colour's men. */
BITBOARD_INLINE uint32_t slice_men_rank(Color color, Bitboard men) {
    uint32_t rank = 0;

    for (int i = 1; men != 0; i++) {
        rank += SLICE_BINOMIALS[i][slice_square(color, slice_pop(color, &men))];
    }
    return rank;
}

/* A set as bits by the order of kings. */
BITBOARD_INLINE uint32_t slice_ordered(Color color, Bitboard set) {
    uint32_t ordered = 0;

    while (set != 0) {
        ordered |= UINT32_C(1) << SLICE_KING_ORDER[color][bitboard_pop(&set)];
    }
    return ordered;
}

/* Rank of kings on the squares that are not taken; both sets by their order. */
BITBOARD_INLINE uint32_t slice_kings_rank(uint32_t kings, uint32_t taken) {
    uint32_t rank = 0;

    for (int i = 1; kings != 0; i++) {
        int place = __builtin_ctz(kings);
        rank += SLICE_BINOMIALS[i][place - __builtin_popcount(taken & ((UINT32_C(1) << place) - 1))];
        kings &= kings - 1;
    }
    return rank;
}

/* Rank of both sides' kings, as the side to move sees the board. */
BITBOARD_INLINE uint64_t slice_both_kings_rank(Slice slice, Color color, const Position *position) {
    uint32_t men = slice_ordered(color, position_occupied(position) & ~position->kings);
    uint32_t own = slice_ordered(color, position->pieces[color] & position->kings);
    uint32_t opponent = slice_ordered(color, position->pieces[1 - color] & position->kings);
    int left = SQUARES - slice.men[0] - slice.men[1] - slice.kings[0];

    return (uint64_t)slice_kings_rank(own, men) * SLICE_BINOMIALS[slice.kings[1]][left] +
           slice_kings_rank(opponent, men | own);
}

/* The number of a position of the slice. */
BITBOARD_INLINE uint64_t slice_index(Slice slice, const Position *position) {
    Color us = (Color)position->turn;
    uint64_t own, opponent, kings;
    Bitboard men[2] = {position->pieces[WHITE] & ~position->kings,
                       position->pieces[BLACK] & ~position->kings};

    if (us == WHITE) {
        own = slice_men_rank(WHITE, men[WHITE]);
        opponent = slice_men_rank(BLACK, men[BLACK]);
        kings = slice_both_kings_rank(slice, WHITE, position);
    } else {
        own = slice_men_rank(BLACK, men[BLACK]);
        opponent = slice_men_rank(WHITE, men[WHITE]);
        kings = slice_both_kings_rank(slice, BLACK, position);
    }
    return (own * slice_men_ways(slice.men[1]) + opponent) * slice_kings_ways(slice) + kings;
}

/* The men of a colour by their rank. */
Bitboard slice_men(Color color, int count, uint32_t rank);

/* The position of a number, with White to move. False if men share a square, and there is none. */
bool slice_position(Slice slice, uint64_t index, Position *position);

/*
 * Positions of a slice one after the other, faster than by slice_position: what neighbours have in common is
 * found once. White is to move.
 */
typedef struct {
    Slice slice;
    uint64_t kings_ways;
    uint64_t men_rank; /* of both sides */
    Position men;      /* the board without kings */
    bool placed;       /* whether the men stand on different squares */
    uint32_t own_rank, opponent_ways;
    Bitboard own;
    Square free[SQUARES], left[SQUARES]; /* for own kings, and for the opponent's */
} Placer;

Placer placer_init(Slice slice);

/* Sets the men by their ranks; false if they share a square. */
bool placer_men(Placer *placer, uint32_t own, uint32_t opponent);

/* The position with kings by both sides' rank. */
Position placer_kings(Placer *placer, uint64_t rank);

/* The position of a number. False if men share a square, and there is none. */
bool placer_at(Placer *placer, uint64_t index, Position *position);

#endif
