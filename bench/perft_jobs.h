/*
 * Perft cut into jobs for many machines. The tree is cut so many plies down; each position found there is a
 * job, and how many ways lead to it is its weight. A job is a line of JSON, before it is counted and after,
 * so that any program that hands out lines can hand out jobs.
 */
#ifndef CROWNHEAD_BENCH_PERFT_JOBS_H
#define CROWNHEAD_BENCH_PERFT_JOBS_H

#include "engine/position.h"
#include "engine/rules.h"
#include "engine/view.h"

/* A perft to be counted as a whole or in jobs; unique as in PerftOptions. */
typedef struct {
    Variant variant;
    Position position;
    int depth;
    bool unique;
} PerftTask;

typedef struct {
    Position position;
    uint64_t weight; /* at most INT64_MAX */
} PerftPart;

typedef struct {
    PerftTask task;
    int plies; /* from the root to the parts, 0..task.depth */
    PerftPart *parts;
    size_t count; /* at least 1: a tree that ends before has its root for a part, with weight 0 */
} PerftSplit;

enum {
    PERFT_SPLIT_MAX = 12,    /* plies */
    PERFT_JOBS_MAX = 1 << 22 /* of a task; 11 plies from their first position the games have 3 million */
};

/*
 * Finds the positions so many plies down, each once, in an order that depends on the task alone. 0; -ENOMEM;
 * -EOVERFLOW if a weight is beyond INT64_MAX; -E2BIG if at any ply there are more than most.
 */
int perft_split(const PerftTask *task, int plies, size_t most, PerftSplit *split);

/* Frees what it owns; a zeroed one is fine. */
void perft_split_deinit(PerftSplit *split);

typedef struct {
    PerftTask task;
    uint64_t number, total; /* the first is 1 */
    PerftPart part;
    int depth; /* below the part */
    bool counted;
    uint64_t count;     /* leaves below the part, not yet times its weight; at most INT64_MAX */
    double seconds;     /* that counting took */
    const char *source; /* where it was read, for whoever has to tell of it; of no concern here */
    size_t line;
} PerftJob;

/* The job of a part, by its index; not counted. */
PerftJob perft_job_of(const PerftSplit *split, size_t index);

/* The job as a line without its end, which the caller frees; NULL without memory. */
char *perft_job_write(const PerftJob *job);

/* Reads such a line. False with the reason. */
bool perft_job_read(View line, PerftJob *job, ParseError *error);

/*
 * Jobs put together again. Zeroed at the beginning, but for what the caller wants. The task is split again,
 * and the jobs held against it, only when they have all come: until then nobody knows whether the first is
 * worth the time.
 */
typedef struct {
    bool partial; /* a job without a count is one that is missing, and no fault */

    PerftJob *jobs; /* each number once, in the order in which they came */
    size_t count, capacity;
    size_t *slots; /* 1 + index of the job, found by its number; 0 = free */
    size_t slots_count;

    PerftSplit split; /* after perft_sum_check */
    uint64_t *counts; /* by part, UINT64_MAX = not known */
    double seconds;
    const PerftJob *culprit; /* whom a reason of perft_sum_check or _total is about, NULL = none of them */
} PerftSum;

/*
 * Adds a counted job; the same a second time changes nothing. 0; -EINVAL with the reason if it is not
 * counted, is not of the same task as the first, or is another than before; -ENOMEM.
 */
int perft_sum_add(PerftSum *sum, const PerftJob *job, ParseError *error);

/*
 * Holds the jobs against their task, once all were added. 0; -EINVAL with the reason if they are not its own
 * or, unless partial, not all of them; -ENOMEM.
 */
int perft_sum_check(PerftSum *sum, ParseError *error);

/* The count of the whole task, once it was checked. 0; -EINVAL with the reason if it is too large. */
int perft_sum_total(PerftSum *sum, uint64_t *count, ParseError *error);

/* Frees what it owns. */
void perft_sum_deinit(PerftSum *sum);

#endif
