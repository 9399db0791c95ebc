/*
 * Decoded blocks that threads share without locks. A slot has a sequence number, odd while somebody writes; a
 * reader takes what it found only if the number was even and is still the same (H.-J. Boehm, Can Seqlocks Get
 * Along with Programming Language Memory Models?, 2012). Whoever finds a slot being written does without it.
 */
#ifndef CROWNHEAD_ENDGAME_CACHE_H
#define CROWNHEAD_ENDGAME_CACHE_H

#include "endgame/codec.h"

#include <stdatomic.h>

enum { CACHE_WORDS = BLOCK_BYTES / 8, CACHE_WAYS = 4 };

/* What is known of the blocks of a set: one cache line. */
typedef struct {
    _Alignas(64) _Atomic uint64_t keys[CACHE_WAYS]; /* 0 = empty */
    atomic_uint sequences[CACHE_WAYS];
    atomic_uchar used[CACHE_WAYS]; /* since the hand came by */
    atomic_uint hand;              /* the way that is thought of next for replacement */
} CacheTags;

typedef struct {
    _Atomic uint64_t words[CACHE_WORDS];
} CacheBlock;

typedef struct {
    CacheTags *tags;
    CacheBlock *blocks; /* CACHE_WAYS for each tag */
    size_t sets;
} BlockCache;

/* 0 or -ENOMEM. Takes at most so many bytes, but one set at least. */
int cache_init(BlockCache *cache, size_t bytes);
void cache_deinit(BlockCache *cache);

/* The value at a place of a block, if the block is there. Keys are not 0. */
bool cache_find(const BlockCache *cache, uint64_t key, int place, Value *value);

/* Keeps a block, if nobody else writes to its slot. */
void cache_keep(BlockCache *cache, uint64_t key, const uint8_t values[static BLOCK_BYTES]);

#endif
