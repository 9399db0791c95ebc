/*
 * The trained evaluation: a small network in the manner of Y. Nasu's efficiently updatable ones (NNUE, 2018).
 * Each side looks at the board from its own end and keeps a sum of one row of weights for each piece on the
 * board; the two sums, bounded and squared, make the value by the output weights for so many pieces. All of
 * it is done in whole numbers, so that every machine finds the same values.
 */
#ifndef CROWNHEAD_SEARCH_NETWORK_H
#define CROWNHEAD_SEARCH_NETWORK_H

#include "engine/position.h"

#include <stdalign.h>

enum {
    NETWORK_HIDDEN = 64,
    NETWORK_SQUARES = 36,                 /* bits of a Bitboard */
    NETWORK_INPUTS = 4 * NETWORK_SQUARES, /* own men, own kings, the opponent's men, its kings */
    NETWORK_BUCKETS = 8,                  /* by pieces on the board */
    NETWORK_ONE = 255,                    /* what 1 is in a sum */
    NETWORK_OUTPUT_ONE = 64,              /* and in an output weight */
    NETWORK_OUTPUT_MAX = 127,             /* so that 255 times it fits 16 bits */
    NETWORK_SCALE_ONE = 1 << 8            /* what 1 centi-man is in the scale */
};

typedef struct {
    alignas(64) int16_t inputs[NETWORK_INPUTS][NETWORK_HIDDEN];
    alignas(64) int16_t input_bias[NETWORK_HIDDEN];
    alignas(64) int16_t outputs[NETWORK_BUCKETS][2][NETWORK_HIDDEN]; /* for whose turn it is first */
    int32_t output_bias[NETWORK_BUCKETS];                            /* in NETWORK_ONE * NETWORK_OUTPUT_ONE */
    int32_t scale; /* centi-men of 1, in 1/NETWORK_SCALE_ONE */
} Network;

/* Row of weights of a piece as a side sees it. */
BITBOARD_INLINE int network_input(Color view, Color owner, bool king, Square square) {
    int kind = (owner != view) * 2 + king;

    return kind * NETWORK_SQUARES + (view == WHITE ? square : NETWORK_SQUARES - 1 - square);
}

static inline int network_bucket(int pieces) {
    return pieces >= 24 ? NETWORK_BUCKETS - 1 : (pieces - 1) / 3;
}

/* The network of a game that is built in. */
const Network *network_builtin(Variant variant);

/* The sums of both sides' views of a position, by Color. */
typedef struct {
    alignas(64) int16_t sums[2][NETWORK_HIDDEN];
} NetworkSums;

/* The sums of a position from scratch. */
void network_begin(const Network *network, const Position *position, NetworkSums *sums);

/* The sums after a move in a position whose sums are known: the same as from scratch, but faster. */
void network_move(const Network *network, const Position *before, Move move, const NetworkSums *known,
                  NetworkSums *sums);

/* Value of a position, whose sums these are, for the side to move, in centi-men. */
int network_value(const Network *network, const Position *position, const NetworkSums *sums);

#endif
