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

/*
 * Finds the positions so many plies down, each once, in an order that depends on the task alone. 0; -ENOMEM;
 * -EOVERFLOW if a weight is beyond INT64_MAX.
 */
int perft_split(const PerftTask *task, int plies, PerftSplit *split);

/* Frees what it owns; a zeroed one is fine. */
void perft_split_deinit(PerftSplit *split);

typedef struct {
    PerftTask task;
    uint64_t number, total; /* the first is 1 */
    PerftPart part;
    int depth; /* below the part */
    bool counted;
    uint64_t count; /* leaves below the part, not yet times its weight; at most INT64_MAX */
    double seconds; /* that counting took */
} PerftJob;

/* The job of a part, by its index; not counted. */
PerftJob perft_job_of(const PerftSplit *split, size_t index);

/* The job as a line without its end, which the caller frees; NULL without memory. */
char *perft_job_write(const PerftJob *job);

/* Reads such a line. False with the reason. */
bool perft_job_read(View line, PerftJob *job, ParseError *error);

/* Jobs put together again. Zeroed at the beginning, but for what the caller wants. */
typedef struct {
    bool partial;     /* a job without a count is one that is missing, and no fault */
    PerftSplit split; /* made from the first job, and what all of them are held against */
    uint64_t *counts; /* by part; UINT64_MAX = not yet known */
    double seconds;
} PerftSum;

/*
 * Adds a counted job; the same a second time changes nothing. 0; -EINVAL with the reason if it is not
 * counted, is not of the same task as the first, or has another count than before; -ENOMEM.
 */
int perft_sum_add(PerftSum *sum, const PerftJob *job, ParseError *error);

/* The count of the whole task. 0; -EINVAL with the reason if a job is missing; -EOVERFLOW. */
int perft_sum_total(const PerftSum *sum, uint64_t *count, ParseError *error);

/* Frees what it owns. */
void perft_sum_deinit(PerftSum *sum);

#endif
