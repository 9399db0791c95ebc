#include "endgame/cache.h"

#include "system/byte_order.h"
#include "system/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(CacheTags) == 64, "the tags of a set are one cache line");

enum { SET_BYTES = sizeof(CacheTags) + CACHE_WAYS * sizeof(CacheBlock) };

int cache_init(BlockCache *cache, size_t bytes) {
    size_t sets = bytes / SET_BYTES > 0 ? bytes / SET_BYTES : 1;
    void *memory = memory_map(sets * SET_BYTES);

    if (memory == NULL) {
        return -ENOMEM;
    }
    *cache = (BlockCache){.tags = memory, .blocks = (CacheBlock *)((CacheTags *)memory + sets), .sets = sets};
    return 0;
}

void cache_deinit(BlockCache *cache) {
    memory_unmap(cache->tags, cache->sets * SET_BYTES);
    *cache = (BlockCache){0};
}

static size_t set_of(const BlockCache *cache, uint64_t key) {
    return key_index(key * UINT64_C(0x9E3779B97F4A7C15), cache->sets);
}

/*
 * Keys and words are written with release and read with acquire: who sees one of a later writing sees the
 * sequence number of it too.
 */
bool cache_find(const BlockCache *cache, uint64_t key, int place, Value *value) {
    size_t set = set_of(cache, key);
    CacheTags *tags = &cache->tags[set];

    for (int way = 0; way < CACHE_WAYS; way++) {
        unsigned before = atomic_load_explicit(&tags->sequences[way], memory_order_acquire);
        if (atomic_load_explicit(&tags->keys[way], memory_order_acquire) != key || before % 2 != 0) {
            continue;
        }
        const CacheBlock *block = &cache->blocks[set * CACHE_WAYS + (size_t)way];
        uint64_t word = atomic_load_explicit(&block->words[place / 32], memory_order_acquire);
        if (atomic_load_explicit(&tags->sequences[way], memory_order_relaxed) != before) {
            return false;
        }
        /* Threads that only read should not take the line from each other. */
        if (!atomic_load_explicit(&tags->used[way], memory_order_relaxed)) {
            atomic_store_explicit(&tags->used[way], 1, memory_order_relaxed);
        }
        *value = (Value)(word >> place % 32 * 2 & 3);
        return true;
    }
    return false;
}

/* The first way from the hand on that was not used since the hand was there last. */
static int choose_way(CacheTags *tags) {
    unsigned hand = atomic_load_explicit(&tags->hand, memory_order_relaxed);

    for (int i = 0; i < CACHE_WAYS; i++, hand++) {
        if (!atomic_load_explicit(&tags->used[hand % CACHE_WAYS], memory_order_relaxed)) {
            break;
        }
        atomic_store_explicit(&tags->used[hand % CACHE_WAYS], 0, memory_order_relaxed);
    }
    atomic_store_explicit(&tags->hand, hand + 1, memory_order_relaxed);
    return (int)(hand % CACHE_WAYS);
}

void cache_keep(BlockCache *cache, uint64_t key, const uint8_t values[static BLOCK_BYTES]) {
    size_t set = set_of(cache, key);
    CacheTags *tags = &cache->tags[set];
    int way = choose_way(tags);
    CacheBlock *block = &cache->blocks[set * CACHE_WAYS + (size_t)way];
    unsigned before = atomic_load_explicit(&tags->sequences[way], memory_order_relaxed);

    if (before % 2 != 0 ||
        !atomic_compare_exchange_strong_explicit(&tags->sequences[way], &before, before + 1,
                                                 memory_order_acquire, memory_order_relaxed)) {
        return;
    }
    atomic_store_explicit(&tags->keys[way], key, memory_order_release);
    for (size_t i = 0; i < CACHE_WORDS; i++) {
        uint64_t word;
        memcpy(&word, values + 8 * i, sizeof word);
        atomic_store_explicit(&block->words[i], little_endian_64(word), memory_order_release);
    }
    atomic_store_explicit(&tags->sequences[way], before + 2, memory_order_release);
}
