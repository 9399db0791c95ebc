/*
 * The transposition table, shared by the threads of a search without locks: an entry is two words, and the
 * first is the key xored with the second, so that a torn entry matches no key (R. Hyatt and T. Mann, A
 * Lock-less Transposition Table Implementation for Parallel Search, 2002).
 */
#ifndef CROWNHEAD_SEARCH_TT_H
#define CROWNHEAD_SEARCH_TT_H

#include "engine/types.h"

#include <stdatomic.h>

typedef enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

typedef struct {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;
} TTEntry;

enum { TT_BUCKET_ENTRIES = 4, TT_MEGABYTES_MAX = 1 << 20 };

typedef struct {
    TTEntry entries[TT_BUCKET_ENTRIES];
} TTBucket;

_Static_assert(sizeof(TTBucket) == 64, "a bucket is one cache line");

typedef struct {
    TTBucket *buckets;
    size_t count; /* buckets */
    size_t bytes; /* mapped */
    uint8_t generation;
    bool used; /* since it was last cleared */
} TranspositionTable;

/* What is stored of a position. */
typedef struct {
    int score; /* wins and losses count from the position, not from the root */
    int eval;  /* static evaluation, SCORE_NONE if not known */
    int depth; /* plies, -1..254 */
    Bound bound;
    uint16_t move; /* move_code of the best move, 0 if none */
} TTData;

/* Maps a cleared table of this many MiB, 1..TT_MEGABYTES_MAX. 0, or -ENOMEM with *tt untouched. */
int tt_init(TranspositionTable *tt, size_t megabytes);

/* Unmaps it; a zeroed table is fine. */
void tt_deinit(TranspositionTable *tt);

/* Forgets everything; cheap when nothing was stored. */
void tt_clear(TranspositionTable *tt);

/* Begins a new search: entries of earlier ones are the first to be replaced. */
void tt_new_search(TranspositionTable *tt);

/* Fills the table's share of 1000 used by the current search, from a sample. */
int tt_hashfull(const TranspositionTable *tt);

/* Fetches the bucket of a key into the cache. */
void tt_prefetch(const TranspositionTable *tt, Key key);

/* Finds a key. False if it is not there. */
bool tt_probe(const TranspositionTable *tt, Key key, TTData *data);

/* Stores under a key; keeps the move of an older entry of the same key if the new one has none. */
void tt_store(TranspositionTable *tt, Key key, const TTData *data);

#endif
