/* Reading tables back. */
#include "endgame/store.h"

#include "engine/movegen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void store_init(Store *store, Variant variant, EgdbKind kind, const char *directory, Workers *workers,
                uint64_t limit) {
    *store =
        (Store){.variant = variant, .kind = kind, .directory = directory, .workers = workers, .limit = limit};
}

uint64_t store_table_size(const Store *store, Slice slice) {
    return slice_size(slice) / 4 + 1 + (store->kind == EGDB_DTW ? slice_size(slice) : 0);
}

static void drop(Store *store, Slice slice) {
    Table **place = tableset_place(&store->set, slice);

    if (*place != NULL) {
        store->used -= store_table_size(store, slice);
        table_deinit(*place);
        free(*place);
        *place = NULL;
    }
}

Table *store_add(Store *store, Slice slice) {
    Table *table = malloc(sizeof *table);

    if (table == NULL || table_init(table, slice, store->kind == EGDB_DTW) != 0) {
        free(table);
        return NULL;
    }
    drop(store, slice);
    *tableset_place(&store->set, slice) = table;
    store->used += store_table_size(store, slice);
    return table;
}

bool store_slices(int pieces, bool (*visit)(void *user, Slice slice), void *user) {
    for (int men = 0; men <= pieces; men++) {
        for (int own = 1; own < pieces; own++) {
            for (int own_men = 0; own_men <= own && own_men <= men; own_men++) {
                int other_men = men - own_men;
                if (other_men > pieces - own) {
                    continue;
                }
                Slice slice = {{(uint8_t)own_men, (uint8_t)other_men},
                               {(uint8_t)(own - own_men), (uint8_t)(pieces - own - other_men)}};
                if (!visit(user, slice)) {
                    return false;
                }
            }
        }
    }
    return true;
}

typedef struct {
    Store *store;
    const Slice *kept;
    int count;
} Shrink;

static bool drop_unless_kept(void *user, Slice slice) {
    Shrink *shrink = user;

    for (int i = 0; i < shrink->count; i++) {
        if (slice_equal(shrink->kept[i], slice)) {
            return true;
        }
    }
    drop(shrink->store, slice);
    return true;
}

void store_shrink(Store *store, const Slice *kept, int count, uint64_t spare) {
    Shrink shrink = {store, kept, count};

    if (store->used + spare <= store->limit) {
        return;
    }
    for (int pieces = 2; pieces <= SLICE_PIECES_MAX; pieces++) {
        store_slices(pieces, drop_unless_kept, &shrink);
    }
}

void store_deinit(Store *store) {
    store->limit = 0;
    store_shrink(store, NULL, 0, 1);
}

int store_successors(Slice slice, bool captures, Slice successors[static STORE_SUCCESSORS_MAX]) {
    int count = 0;

    /* The own side moves a piece, or crowns a man; the other loses any of its pieces, but not all. */
    for (int crowned = 0; crowned <= (slice.men[0] > 0); crowned++) {
        for (int men = 0; men <= slice.men[1]; men++) {
            for (int kings = 0; kings <= slice.kings[1]; kings++) {
                bool capture = men < slice.men[1] || kings < slice.kings[1];
                if (men + kings == 0 || (!capture && (captures || crowned == 0))) {
                    continue;
                }
                successors[count++] = (Slice){{(uint8_t)men, (uint8_t)(slice.men[0] - crowned)},
                                              {(uint8_t)kings, (uint8_t)(slice.kings[0] + crowned)}};
            }
        }
    }
    return count;
}

/* ---- Reading a file ------------------------------------------------------------------------------------ */

typedef struct {
    const Store *store;
    const EgdbFile *file;
    Table *table;
    atomic_uint_fast64_t damaged; /* a block, UINT64_MAX = none */
} Reading;

static void read_blocks(void *user, int thread, uint64_t first, uint64_t end) {
    Reading *reading = user;
    Table *table = reading->table;
    uint8_t values[BLOCK_BYTES];
    uint8_t distances[BLOCK_SIZE];

    (void)thread;
    for (uint64_t block = first; block < end; block++) {
        uint64_t from = block * BLOCK_SIZE;
        uint64_t count = table->size - from < BLOCK_SIZE ? table->size - from : BLOCK_SIZE;
        bool dtw = table->distances != NULL;
        if (!egdb_file_decode(reading->file, block, values, dtw ? distances : NULL)) {
            atomic_store(&reading->damaged, block);
            return;
        }
        memcpy(table->values + from / 4, values, (count + 3) / 4);
        if (dtw) {
            memcpy(table->distances + from, distances, count);
        }
    }
}

/* Positions with captures, and numbers without a position. */
static void fill_in(void *user, int thread, uint64_t first, uint64_t end) {
    Reading *reading = user;
    Table *table = reading->table;
    Placer placer = placer_init(table->slice);
    Position position;
    MoveList list;

    (void)thread;
    for (uint64_t index = first; index < end; index++) {
        if (!placer_at(&placer, index, &position)) {
            table_set(table, index, VALUE_NONE);
            continue;
        }
        movegen_generate_captures(reading->store->variant, &position, &list);
        if (list.count > 0) {
            Known known = table_best(&reading->store->set, &position, &list);
            table_set(table, index, known.value);
            if (table->distances != NULL) {
                table->distances[index] = (uint8_t)(known.plies / 2);
            }
        }
    }
}

static bool read_table(Store *store, Slice slice, ParseError *error) {
    char name[EGDB_NAME_SIZE];
    EgdbFile file;

    egdb_file_name(store->variant, store->kind, slice, name);
    if (!egdb_file_open(&file, store->directory, name, error)) {
        return false;
    }
    Reading reading = {
        .store = store, .file = &file, .table = store_add(store, slice), .damaged = UINT64_MAX};
    if (reading.table == NULL) {
        snprintf(error->text, sizeof error->text, "%s", strerror(ENOMEM));
    } else {
        workers_run(store->workers, file.blocks, 16, read_blocks, &reading);
        if (reading.damaged == UINT64_MAX) {
            /* Whole bytes for each thread. */
            workers_run(store->workers, reading.table->size, BLOCK_SIZE, fill_in, &reading);
        } else {
            snprintf(error->text, sizeof error->text, "%s: block %llu is damaged", name,
                     (unsigned long long)reading.damaged);
            drop(store, slice);
        }
    }
    egdb_file_close(&file);
    return reading.table != NULL && reading.damaged == UINT64_MAX;
}

bool store_need(Store *store, Slice slice, ParseError *error) {
    Slice successors[STORE_SUCCESSORS_MAX];

    if (tableset_find(&store->set, slice) != NULL) {
        return true;
    }
    int count = store_successors(slice, true, successors);
    for (int i = 0; i < count; i++) {
        if (!store_need(store, successors[i], error)) {
            return false;
        }
    }
    return read_table(store, slice, error);
}
