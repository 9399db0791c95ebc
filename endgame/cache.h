/*
 * Decoded blocks that threads share without locks. A slot has a sequence number, odd while somebody writes; a
 * reader takes what it found only if the number was even and is still the same (a seqlock, L. Lameter, Effective
 * Synchronization on Linux/NUMA Systems, 2005). Whoever finds a slot being written does without it.
 */
#ifndef CROWNHEAD_ENDGAME_CACHE_H
#define CROWNHEAD_ENDGAME_CACHE_H

#include "endgame/codec.h"

#include <stdatomic.h>

enum { CACHE_WORDS = BLOCK_BYTES / 8 };

typedef struct {
    atomic_uint_fast64_t sequence;
    atomic_uint_fast64_t key; /* 0 = empty */
    atomic_uint_fast64_t words[CACHE_WORDS];
} CacheSlot;

typedef struct {
    CacheSlot *slots;
    size_t count;
} BlockCache;

/* 0 or -ENOMEM. Takes at most so many bytes, but one slot at least. */
int cache_init(BlockCache *cache, size_t bytes);
void cache_deinit(BlockCache *cache);

/* The value at a place of a block, if the block is there. Keys are not 0. */
bool cache_find(const BlockCache *cache, uint64_t key, int place, Value *value);

/* Keeps a block, if nobody else writes to its slot. */
void cache_keep(BlockCache *cache, uint64_t key, const uint8_t values[static BLOCK_BYTES]);

#endif
