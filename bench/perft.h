/* Perft: counting the leaves of the game tree, to prove and to time the move generator. */
#ifndef CROWNHEAD_BENCH_PERFT_H
#define CROWNHEAD_BENCH_PERFT_H

#include "bench/perft_table.h"
#include "engine/movegen.h"

#include <stdatomic.h>

typedef struct {
    int depth;   /* plies, 0..PERFT_DEPTH_MAX */
    bool unique; /* count moves; else captures once for every order of their pieces, as published tables do */
    int threads; /* 1.. */
    size_t megabytes; /* of a hash table shared by the threads, 0 = none */
    /*
     * NULL, or a table to use instead: for runs in the same game that count alike, one after the other. A run
     * that was stopped spoils it.
     */
    const PerftTable *table;
} PerftOptions;

enum { PERFT_DEPTH_MAX = 60 };

/* The count below one root move. */
typedef struct {
    Move move;
    uint64_t count;
} PerftMove;

typedef struct {
    uint64_t count;
    int64_t nanoseconds; /* of counting; the hash table is ready before */
    int moves_count;
    PerftMove moves[MOVES_MAX]; /* empty at depth 0 */
} PerftResult;

/*
 * Counts the leaves. progress (may be NULL) is called from the calling thread, now and then, with the share
 * done, 0..1000. *stop (may be NULL) ends the count early with -ECANCELED. 0; -ENOMEM; -EOVERFLOW if the
 * count is beyond INT64_MAX.
 */
int perft_run(Variant variant, const Position *position, const PerftOptions *options, const atomic_bool *stop,
              void (*progress)(void *user, int permille), void *user, PerftResult *result);

#endif
