/*
 * The bench: a fixed set of positions, each searched to a fixed depth with an empty table. With one thread
 * the node count is the same on every machine, so it works as a signature of the search; the speed beside it
 * is the machine's.
 */
#ifndef CROWNHEAD_BENCH_BENCH_H
#define CROWNHEAD_BENCH_BENCH_H

#include "engine/notation.h"
#include "search/search.h"

enum {
    BENCH_DEPTH = 16, /* plies, of a run that asks for none */
    /*
     * Table of a run that asks for none: small, so that the speed is the processor's rather than the
     * memory's.
     */
    BENCH_MEGABYTES = 4,
    BENCH_TEXT_SIZE = 512 /* holds any line that the writers below make, with its end */
};

/* A zeroed struct, but for the variant, is a run with the defaults. */
typedef struct {
    Variant variant;  /* positions of this game only, VARIANT_COUNT = of every game */
    int depth;        /* plies, 1..DEPTH_MAX; 0 = BENCH_DEPTH */
    int threads;      /* 1..THREADS_MAX; 0 counts as 1 */
    size_t megabytes; /* 1..TT_MEGABYTES_MAX; 0 counts as BENCH_MEGABYTES */
} BenchOptions;

/* One position that was searched. */
typedef struct {
    int number; /* from 1 */
    int count;  /* positions of the run */
    Variant variant;
    const char *fen; /* constant */
    int depth;       /* plies */
    int score;       /* as in search/score.h */
    char best[MOVE_TEXT_SIZE];
    uint64_t nodes;
    int64_t nanoseconds;
} BenchLine;

/* What the run came to. */
typedef struct {
    int positions;
    uint64_t nodes;
    int64_t nanoseconds; /* in the searches alone */
} BenchResult;

/*
 * Searches the positions one after the other. on_position (may be NULL) is called after each, from the
 * calling thread. control (may be NULL) can be told to stop from another thread; the run then ends with
 * -ECANCELED. Prints nothing. 0, or a negative errno with result as far as the run came; -EINVAL if there is
 * no position of the game.
 */
int bench_run(const BenchOptions *options, SearchControl *control,
              void (*on_position)(void *user, const BenchLine *line), void *user, BenchResult *result);

/* Writes the line for a position, and the last one, "N nodes M nps"; neither ends in a newline. */
void bench_write_line(const BenchLine *line, char text[static BENCH_TEXT_SIZE]);
void bench_write_result(const BenchResult *result, char text[static BENCH_TEXT_SIZE]);

#endif
