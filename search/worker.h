/*
 * One thread of a search; internal to search.c, which runs the iterations, and alphabeta.c, which searches
 * the tree.
 */
#ifndef CROWNHEAD_SEARCH_WORKER_H
#define CROWNHEAD_SEARCH_WORKER_H

#include "search/clock.h"
#include "search/order.h"
#include "search/search.h"

#include <pthread.h>

enum { PV_MAX = 100 }; /* longest line kept */

typedef struct {
    int length;
    Move moves[PV_MAX];
} Line;

/* A node on the path from the root. */
typedef struct {
    Position position;
    Key key;
    DrawState draw;
    bool draw_near; /* the next move may be drawn by a count, so that even a leaf must look at it */
    Move move;      /* that led here */
    Move killers[2];
    bool summed; /* sums are those of the position */
    NetworkSums sums;
    Line pv;
} Node;

typedef struct {
    Move move;
    int score;    /* of the current iteration, -SCORE_INFINITE if it was not found better than others */
    Bound bound;  /* of score: a search cut short may leave less than an exact one */
    int previous; /* of the iteration before */
    int seldepth;
    Line pv;
} RootMove;

typedef struct Front Front;

#define DEADLINE_NONE INT64_MAX

/* What the threads of a search share. */
typedef struct {
    const Game *game;
    const SearchLimits *limits;
    TranspositionTable *tt;
    Front *front; /* NULL with one thread */
    SearchControl *control;
    const SearchReport *report;
    TimeBudget budget;
    int64_t started;              /* clock_now */
    atomic_int_fast64_t deadline; /* clock_now at which all threads stop, DEADLINE_NONE while there is none */
    pthread_mutex_t gate;         /* held till all threads are there */
    atomic_bool stop;
    atomic_uint_fast64_t nodes, hits; /* as the workers last told */
    uint64_t root_hits;               /* in the databases, at the root */
    int root_known;                   /* what they say of all moves that are left there, or SCORE_NONE */
} SharedSearch;

typedef struct {
    SharedSearch *shared;
    const Rules *rules;
    Variant variant;
    const DrawRules *draws;
    const Network *network;
    const Level *level; /* that errs, NULL = none does */
    int id;             /* 0 reports, watches the limits and answers */

    uint64_t nodes;
    uint64_t nodes_told;
    uint64_t hits; /* in the databases */
    uint64_t hits_told;
    int known_pieces;    /* positions with so many pieces or fewer are looked up, 0 = none */
    Key table_salt;      /* keeps what was found with others looked up out of this search */
    uint64_t next_check; /* node count at which to look at the limits */
    int64_t clock_start; /* the budget counts from here: the start, or the ponderhit */
    bool pondering;
    bool stopped;   /* results from now on are worthless */
    bool passed;    /* and that because another thread has them already */
    int done_depth; /* of the last iteration that is complete, 0 if none */
    int done_score; /* of its best line */
    int drop;       /* by how much it is worse than that of the iteration before, centi-men */
    int stable;     /* iterations in which the best move has stayed the same */

    int root_depth;
    int seldepth;
    int pv_index; /* root moves before this one are taken by better lines */
    int root_count;
    RootMove roots[MOVES_MAX];

    /*
     * Keys of the positions before the root that can still be repeated, then of the path: keys[root_key +
     * ply].
     */
    Key *keys;
    int root_key;
    MoveMemory memory;
    Node path[PLY_MAX + 1];
} Worker;

/*
 * Searches the root moves from pv_index on to a depth in plies, and fills their scores. Returns the best
 * score, within alpha and beta or beyond.
 */
int search_root(Worker *worker, int alpha, int beta, int depth);

#endif
