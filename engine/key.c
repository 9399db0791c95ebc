#include "engine/key.h"

#include <assert.h>

/* SplitMix64's output function (G. Steele, D. Lea and C. Flood, 2014), as constant expressions. */
#define MIX_A(z) (((z) ^ (z) >> 30) * UINT64_C(0xBF58476D1CE4E5B9))
#define MIX_B(z) (((z) ^ (z) >> 27) * UINT64_C(0x94D049BB133111EB))
#define MIX_C(z) ((z) ^ (z) >> 31)
#define RANDOM(n) MIX_C(MIX_B(MIX_A(UINT64_C(0x9E3779B97F4A7C15) * ((n) + 1))))

#define RANDOM_4(n) RANDOM(n), RANDOM((n) + 1), RANDOM((n) + 2), RANDOM((n) + 3)
#define RANDOM_36(n) \
    RANDOM_4(n), RANDOM_4((n) + 4), RANDOM_4((n) + 8), RANDOM_4((n) + 12), RANDOM_4((n) + 16), \
        RANDOM_4((n) + 20), RANDOM_4((n) + 24), RANDOM_4((n) + 28), RANDOM_4((n) + 32)

/* By colour, king, square. */
static const Key PIECE_KEYS[2][2][SQUARE_BITS] = {
    {{RANDOM_36(0)}, {RANDOM_36(36)}},
    {{RANDOM_36(72)}, {RANDOM_36(108)}},
};
static const Key BLACK_TO_MOVE = RANDOM(144);

Key key_of(const Position *position) {
    Key key = position->turn == BLACK ? BLACK_TO_MOVE : 0;

    for (int color = WHITE; color <= BLACK; color++) {
        Bitboard pieces = position->pieces[color];
        while (pieces != 0) {
            Square square = bitboard_pop(&pieces);
            key ^= PIECE_KEYS[color][position->kings >> square & 1][square];
        }
    }
    return key;
}

Key key_after(Key key, const Position *position, Move move) {
    assert(key == key_of(position));
    int us = position->turn;
    Square from = move_from(move);
    Bitboard captured = move_captured(move);
    unsigned king = (unsigned)(position->kings >> from & 1);

    key ^=
        BLACK_TO_MOVE ^ PIECE_KEYS[us][king][from] ^ PIECE_KEYS[us][king | move_crowns(move)][move_to(move)];
    while (captured != 0) {
        Square square = bitboard_pop(&captured);
        key ^= PIECE_KEYS[1 - us][position->kings >> square & 1][square];
    }
    return key;
}
