/* Direct-mapped: a block has one slot. */
#include "endgame/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int cache_init(BlockCache *cache, size_t bytes) {
    cache->count = bytes / sizeof *cache->slots > 0 ? bytes / sizeof *cache->slots : 1;
    cache->slots = calloc(cache->count, sizeof *cache->slots);
    return cache->slots != NULL ? 0 : -ENOMEM;
}

void cache_deinit(BlockCache *cache) {
    free(cache->slots);
    cache->slots = NULL;
}

static CacheSlot *slot_of(const BlockCache *cache, uint64_t key) {
    return &cache->slots[key_index(key * UINT64_C(0x9E3779B97F4A7C15), cache->count)];
}

bool cache_find(const BlockCache *cache, uint64_t key, int place, Value *value) {
    CacheSlot *slot = slot_of(cache, key);
    uint64_t before = atomic_load_explicit(&slot->sequence, memory_order_acquire);

    if (before % 2 != 0 || atomic_load_explicit(&slot->key, memory_order_relaxed) != key) {
        return false;
    }
    uint64_t word = atomic_load_explicit(&slot->words[place / 32], memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&slot->sequence, memory_order_relaxed) != before) {
        return false;
    }
    *value = (Value)(word >> place % 32 * 2 & 3);
    return true;
}

void cache_keep(BlockCache *cache, uint64_t key, const uint8_t values[static BLOCK_BYTES]) {
    CacheSlot *slot = slot_of(cache, key);
    uint64_t before = atomic_load_explicit(&slot->sequence, memory_order_relaxed);

    if (before % 2 != 0 ||
        !atomic_compare_exchange_strong_explicit(&slot->sequence, &before, before + 1, memory_order_acquire,
                                                 memory_order_relaxed)) {
        return;
    }
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&slot->key, key, memory_order_relaxed);
    for (int i = 0; i < CACHE_WORDS; i++) {
        uint64_t word = 0;
        for (int byte = 0; byte < 8; byte++) {
            word |= (uint64_t)values[i * 8 + byte] << 8 * byte;
        }
        atomic_store_explicit(&slot->words[i], word, memory_order_relaxed);
    }
    atomic_store_explicit(&slot->sequence, before + 2, memory_order_release);
}
