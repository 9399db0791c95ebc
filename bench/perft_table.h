/* The hash table of perft counts, shared by the threads without locks in the way of search/tt.h. */
#ifndef CROWNHEAD_BENCH_PERFT_TABLE_H
#define CROWNHEAD_BENCH_PERFT_TABLE_H

#include "engine/types.h"

#include <stdatomic.h>

/* Counts of fewer plies are quicker made anew than looked up. */
enum { PERFT_TABLE_DEPTH = 4 };

typedef struct {
    _Atomic uint64_t check; /* key ^ value */
    _Atomic uint64_t value;
} PerftEntry;

typedef struct {
    PerftEntry *entries;
    size_t count; /* 0 = no table */
    size_t bytes;
} PerftTable;

/* Maps an empty table of this many MiB. 0, or -ENOMEM with *table untouched. */
int perft_table_init(PerftTable *table, size_t megabytes);

/* Unmaps it; a zeroed table is fine. */
void perft_table_deinit(PerftTable *table);

/*
 * A key of a position, the side to move and the depth; made only where it is used, as perft's leaves need
 * none.
 */
static inline Key perft_table_key(Bitboard own, Bitboard opponent, Bitboard kings, Color us, int depth) {
    Key key = (own ^ kings << 37 ^ kings >> 27) * UINT64_C(0xD6E8FEB86659FD93);
    key ^= key >> 32;
    key += (opponent ^ kings << 28) + ((Key)depth * 2 + us) * UINT64_C(0x9E3779B97F4A7C15);
    key *= UINT64_C(0xA0761D6478BD642F);
    key ^= key >> 29;
    key *= UINT64_C(0xE7037ED1A0B428DB);
    return key ^ key >> 32;
}

static inline PerftEntry *perft_table_entry(const PerftTable *table, Key key) {
    return &table->entries[key_index(key, table->count)];
}

static inline bool perft_table_probe(const PerftTable *table, Key key, uint64_t *count) {
    PerftEntry *entry = perft_table_entry(table, key);
    uint64_t value = atomic_load_explicit(&entry->value, memory_order_relaxed);
    uint64_t check = atomic_load_explicit(&entry->check, memory_order_relaxed);
    if ((check ^ value) != key) {
        return false;
    }
    *count = value;
    return true;
}

static inline void perft_table_store(const PerftTable *table, Key key, uint64_t count) {
    PerftEntry *entry = perft_table_entry(table, key);
    atomic_store_explicit(&entry->value, count, memory_order_relaxed);
    atomic_store_explicit(&entry->check, key ^ count, memory_order_relaxed);
}

#endif
