#include "search/tt.h"

#include "search/score.h"
#include "system/memory.h"

#include <errno.h>
#include <string.h>

/* The data word: score, eval and move 16 bits each, depth + 1 and generation * 4 + bound 8 bits each. */
enum { GENERATIONS = 64 };

static uint64_t pack(const TTData *data, uint8_t generation) {
    return (uint64_t)(uint16_t)data->score | (uint64_t)(uint16_t)data->eval << 16 |
           (uint64_t)(uint8_t)(data->depth + 1) << 32 |
           (uint64_t)(uint8_t)(generation * 4 + (unsigned)data->bound) << 40 | (uint64_t)data->move << 48;
}

static int word_depth(uint64_t word) {
    return (int)(word >> 32 & 255) - 1;
}

static uint8_t word_generation(uint64_t word) {
    return (uint8_t)(word >> 42 & (GENERATIONS - 1));
}

static Bound word_bound(uint64_t word) {
    return (Bound)(word >> 40 & 3);
}

static uint16_t word_move(uint64_t word) {
    return (uint16_t)(word >> 48);
}

static TTBucket *bucket_of(const TranspositionTable *tt, Key key) {
    return &tt->buckets[key_index(key, tt->count)];
}

int tt_init(TranspositionTable *tt, size_t megabytes) {
    size_t bytes = megabytes << 20;
    void *memory = megabytes <= SIZE_MAX >> 20 ? memory_map(bytes) : NULL;

    if (memory == NULL) {
        return -ENOMEM;
    }
    *tt = (TranspositionTable){
        .buckets = memory, .count = bytes / sizeof(TTBucket), .bytes = bytes, .used = true};
    tt_clear(tt);
    return 0;
}

void tt_deinit(TranspositionTable *tt) {
    memory_unmap(tt->buckets, tt->bytes);
    *tt = (TranspositionTable){0};
}

void tt_clear(TranspositionTable *tt) {
    if (tt->used) {
        memset((void *)tt->buckets, 0, tt->bytes);
        tt->used = false;
    }
    tt->generation = 0;
}

void tt_new_search(TranspositionTable *tt) {
    tt->generation = (uint8_t)((tt->generation + 1) % GENERATIONS);
    tt->used = true;
}

int tt_hashfull(const TranspositionTable *tt) {
    size_t sample = tt->count < 250 ? tt->count : 250;
    size_t full = 0;

    for (size_t i = 0; i < sample; i++) {
        for (int e = 0; e < TT_BUCKET_ENTRIES; e++) {
            uint64_t word = atomic_load_explicit(&tt->buckets[i].entries[e].data, memory_order_relaxed);
            full += word_bound(word) != BOUND_NONE && word_generation(word) == tt->generation;
        }
    }
    return sample == 0 ? 0 : (int)(full * 1000 / (sample * TT_BUCKET_ENTRIES));
}

void tt_prefetch(const TranspositionTable *tt, Key key) {
    __builtin_prefetch(bucket_of(tt, key));
}

bool tt_probe(const TranspositionTable *tt, Key key, TTData *data) {
    TTBucket *bucket = bucket_of(tt, key);

    for (int e = 0; e < TT_BUCKET_ENTRIES; e++) {
        uint64_t word = atomic_load_explicit(&bucket->entries[e].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&bucket->entries[e].check, memory_order_relaxed);
        if ((check ^ word) == key && word_bound(word) != BOUND_NONE) {
            *data = (TTData){
                .score = (int16_t)(word & 0xFFFF),
                .eval = (int16_t)(word >> 16 & 0xFFFF),
                .depth = word_depth(word),
                .bound = word_bound(word),
                .move = word_move(word),
            };
            return true;
        }
    }
    return false;
}

void tt_store(TranspositionTable *tt, Key key, const TTData *data) {
    TTBucket *bucket = bucket_of(tt, key);
    TTEntry *victim = &bucket->entries[0];
    TTData stored = *data;
    int worst = INT32_MAX;

    for (int e = 0; e < TT_BUCKET_ENTRIES; e++) {
        TTEntry *entry = &bucket->entries[e];
        uint64_t word = atomic_load_explicit(&entry->data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&entry->check, memory_order_relaxed);
        if ((check ^ word) == key && word_bound(word) != BOUND_NONE) {
            if (stored.move == 0) {
                stored.move = word_move(word);
            }
            victim = entry;
            break;
        }
        int age = (tt->generation - word_generation(word)) & (GENERATIONS - 1);
        int worth = word_bound(word) == BOUND_NONE ? INT32_MIN : word_depth(word) - 8 * age;
        if (worth < worst) {
            worst = worth;
            victim = entry;
        }
    }
    uint64_t word = pack(&stored, tt->generation);
    atomic_store_explicit(&victim->data, word, memory_order_relaxed);
    atomic_store_explicit(&victim->check, key ^ word, memory_order_relaxed);
}
