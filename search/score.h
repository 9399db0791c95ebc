/* Scores, from the view of the side to move, in centi-men. */
#ifndef CROWNHEAD_SEARCH_SCORE_H
#define CROWNHEAD_SEARCH_SCORE_H

#include <stdbool.h>

enum {
    PLY_MAX = 250,   /* deepest node, plies from the root */
    DEPTH_MAX = 200, /* deepest iteration, plies */

    SCORE_DRAW = 0,
    SCORE_WIN = 32000,                     /* a win on the board; a win in n plies is SCORE_WIN - n */
    SCORE_WIN_BOUND = SCORE_WIN - PLY_MAX, /* from here on the distance to the win is known */
    SCORE_INFINITE = SCORE_WIN + 1,
    SCORE_NONE = -SCORE_INFINITE - 1, /* no score; still fits 16 bits */
    SCORE_EGDB_WIN = 25000, /* a win that a database knows without its distance, less the plies to it */
    SCORE_EGDB_BOUND = SCORE_EGDB_WIN - PLY_MAX,
    SCORE_EVAL_MAX = 10000, /* the evaluation stays within +/- this */
};

static inline bool score_is_win(int score) {
    return score >= SCORE_WIN_BOUND;
}

static inline bool score_is_loss(int score) {
    return score <= -SCORE_WIN_BOUND;
}

static inline int score_win_in(int plies) {
    return SCORE_WIN - plies;
}

static inline int score_loss_in(int plies) {
    return plies - SCORE_WIN;
}

/*
 * A win or loss as full moves to the end of the game, negative when being beaten; of a won or lost score
 * only.
 */
static inline int score_mate_moves(int score) {
    return score > 0 ? (SCORE_WIN - score + 1) / 2 : -((SCORE_WIN + score + 1) / 2);
}

#endif
