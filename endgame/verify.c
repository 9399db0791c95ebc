/* Walks over all positions of a slice. */
#include "endgame/verify.h"

#include "engine/movegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 14 };

/* ---- Every position once, in parallel ------------------------------------------------------------------ */

typedef struct Walk {
    const Store *store;
    const Table *table;
    void (*visit)(struct Walk *walk, int thread, uint64_t index, const Position *position);
    void *each; /* by thread */
} Walk;

static void walk_piece(void *user, int thread, uint64_t first, uint64_t end) {
    Walk *walk = user;
    Placer placer = placer_init(walk->table->slice);
    Position position;

    for (uint64_t index = first; index < end; index++) {
        if (placer_at(&placer, index, &position)) {
            walk->visit(walk, thread, index, &position);
        }
    }
}

/* ---- Verification -------------------------------------------------------------------------------------- */

static bool check_blocks(const Store *store, Slice slice, Verification *verification, ParseError *error) {
    char name[EGDB_NAME_SIZE];
    EgdbFile file;

    egdb_file_name(store->variant, store->kind, slice, name);
    if (!egdb_file_open(&file, store->directory, name, error)) {
        return false;
    }
    verification->blocks = file.blocks;
    for (uint64_t block = 0; block < file.blocks; block++) {
        if (!egdb_file_block_sound(&file, block)) {
            verification->damaged_block = verification->damaged == 0 ? block : verification->damaged_block;
            verification->damaged++;
        }
    }
    egdb_file_close(&file);
    return true;
}

static void check_position(Walk *walk, int thread, uint64_t index, const Position *position) {
    Verification *verification = &((Verification *)walk->each)[thread];
    Known found = table_look_up(&walk->store->set, position);
    MoveList list;

    movegen_generate(walk->store->variant, position, &list);
    Known right = table_best(&walk->store->set, position, &list);
    verification->positions++;
    if (found.value != right.value || (walk->table->distances != NULL && found.plies != right.plies)) {
        verification->wrong++;
        if (index < verification->wrong_index) {
            verification->wrong_index = index;
        }
    }
}

/* The slice, its turned one and all that either leads to. */
static bool need_all(Store *store, Slice slice, ParseError *error) {
    Slice needed[STORE_SUCCESSORS_MAX + 2] = {slice, slice_turned(slice)};
    int count = 2 + store_successors(slice, false, needed + 2);

    store_shrink(store, needed, count, store_table_size(store, slice) * 2);
    for (int i = 0; i < count; i++) {
        if (!store_need(store, needed[i], error)) {
            return false;
        }
    }
    return true;
}

static bool out_of_memory(ParseError *error) {
    snprintf(error->text, sizeof error->text, "out of memory");
    return false;
}

bool egdb_verify(Store *store, Slice slice, Verification *verification, ParseError *error) {
    *verification = (Verification){.wrong_index = UINT64_MAX};
    if (!check_blocks(store, slice, verification, error)) {
        return false;
    }
    if (verification->damaged > 0) {
        return true;
    }
    if (!need_all(store, slice, error)) {
        return false;
    }

    int threads = workers_count(store->workers);
    Verification *each = calloc((size_t)threads, sizeof *each);
    Walk walk = {
        .store = store, .table = tableset_find(&store->set, slice), .visit = check_position, .each = each};
    if (each == NULL) {
        return out_of_memory(error);
    }
    for (int thread = 0; thread < threads; thread++) {
        each[thread].wrong_index = UINT64_MAX;
    }
    workers_run(store->workers, walk.table->size, STEP, walk_piece, &walk);
    for (int thread = 0; thread < threads; thread++) {
        verification->positions += each[thread].positions;
        verification->wrong += each[thread].wrong;
        if (each[thread].wrong_index < verification->wrong_index) {
            verification->wrong_index = each[thread].wrong_index;
        }
    }
    free(each);
    return true;
}

/* ---- Counting ------------------------------------------------------------------------------------------ */

static void count_position(Walk *walk, int thread, uint64_t index, const Position *position) {
    SliceCount *count = &((SliceCount *)walk->each)[thread];
    Value value = table_value(walk->table, index);

    count->values[value]++;
    count->quiet[value] += !movegen_can_capture(walk->store->variant, position, WHITE);
    if (walk->table->distances == NULL || value == VALUE_DRAW) {
        return;
    }
    int plies = table_distance(walk->table, index);
    if (value == VALUE_LOSS) {
        count->longest_loss = plies > count->longest_loss ? plies : count->longest_loss;
    } else if (plies > count->longest_win || (plies == count->longest_win && index < count->longest_index)) {
        count->longest_win = plies;
        count->longest_index = index;
    }
}

bool egdb_count(Store *store, Slice slice, SliceCount *count, ParseError *error) {
    *count = (SliceCount){.longest_win = -1, .longest_loss = -1};
    store_shrink(store, NULL, 0, store_table_size(store, slice) * 2);
    if (!store_need(store, slice, error)) {
        return false;
    }

    int threads = workers_count(store->workers);
    SliceCount *each = calloc((size_t)threads, sizeof *each);
    Walk walk = {
        .store = store, .table = tableset_find(&store->set, slice), .visit = count_position, .each = each};
    if (each == NULL) {
        return out_of_memory(error);
    }
    for (int thread = 0; thread < threads; thread++) {
        each[thread] = *count;
    }
    workers_run(store->workers, walk.table->size, STEP, walk_piece, &walk);
    for (int thread = 0; thread < threads; thread++) {
        for (int value = 0; value < 3; value++) {
            count->values[value] += each[thread].values[value];
            count->quiet[value] += each[thread].quiet[value];
        }
        if (each[thread].longest_loss > count->longest_loss) {
            count->longest_loss = each[thread].longest_loss;
        }
        if (each[thread].longest_win > count->longest_win ||
            (each[thread].longest_win == count->longest_win &&
             each[thread].longest_index < count->longest_index)) {
            count->longest_win = each[thread].longest_win;
            count->longest_index = each[thread].longest_index;
        }
    }
    free(each);
    return true;
}
