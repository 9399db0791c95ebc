/*
 * What a match says about two engines: score, Elo with its error, likelihood of superiority, and the
 * sequential test that decides when enough games were played.
 *
 * Games come in pairs, an opening with both colours, and the two games of a pair are not independent; so all
 * but the score is taken from the five results of a pair (the pentanomial), as M. Van den Bergh derived for
 * fishtest and as fastchess prints. Without pairs the three results of a game stand in.
 *
 * A table whose results are all alike shows no variance and so cannot tell its error: there is none then.
 */
#ifndef CROWNHEAD_MATCH_STATISTICS_H
#define CROWNHEAD_MATCH_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

/* Results from the first engine's view. */
typedef struct {
    uint64_t wins, losses, draws; /* games, those of unfinished pairs included */
    uint64_t pairs[5];            /* finished pairs by half points won: 0, 1/2, 1, 3/2, 2 */
} Tally;

typedef struct {
    double score;      /* share of the points of all games, 0..1; 0.5 without a game */
    double elo;        /* logistic; +-INFINITY if every game was won or lost */
    double elo_error;  /* half of the 95 % interval; NAN where there is none */
    double nelo;       /* normalized Elo; 0 or, off an even score, +-INFINITY if there is no variance */
    double nelo_error; /* half of its 95 % interval; NAN where there is none */
    double los;        /* likelihood of superiority, 0..1; by wins and losses alone if there is no variance */
    double draw_ratio; /* share of the games drawn, 0 without a game */
    double pair_draw_ratio; /* share of the pairs that gave each side one point, 0 without a pair */
} Estimate;

/* The estimate from pairs if any pair is finished, else from games. */
Estimate estimate_of(const Tally *tally);

typedef enum { SPRT_NORMALIZED, SPRT_LOGISTIC } SprtModel;

typedef struct {
    double elo0, elo1;  /* hypotheses, in the model's Elo; elo0 < elo1, both within +-4000 */
    double alpha, beta; /* allowed rates of false positives and negatives, 0..1 exclusive, sum below 1 */
    SprtModel model;
} Sprt;

typedef enum { SPRT_CONTINUE, SPRT_H0, SPRT_H1 } SprtVerdict;

/* A. Wald's bounds: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha). */
double sprt_lower(const Sprt *sprt);
double sprt_upper(const Sprt *sprt);

/* The log likelihood ratio of the finished pairs, 0 without one. */
double sprt_llr(const Sprt *sprt, const Tally *tally);

SprtVerdict sprt_verdict(const Sprt *sprt, const Tally *tally);

#endif
