#include "book/build.h"

#include "search/search.h"
#include "system/replace.h"
#include "system/workers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PLY_CENTI_MEN = 10,   /* a ply further is as bad as so much given away */
    ROUND_LEAVES = 8,     /* that are expanded at a time, whatever the number of threads */
    ROUND_OPENINGS = 64,  /* likewise */
    TABLE_MEGABYTES = 16, /* for a search */
    FAR = INT32_MAX
};

typedef struct {
    const BookBuild *build;
    Book book;        /* its entries are in memory of capacity */
    uint8_t *entries; /* the same, to be written to */
    uint32_t capacity;
    Workers *workers;
    TranspositionTable *tables; /* by thread */

    /* By entry. */
    bool *visited;
    int32_t *distance; /* from the openings, in centi-men; FAR = they do not lead there */
    uint32_t *order;   /* entries, each behind all that it leads to */
    uint32_t ordered;

    BookEntry *wanted; /* to be searched in this round */
    uint32_t wanted_count;
    _Atomic int error;
} Builder;

/* ---- Searching ----------------------------------------------------------------------------------------- */

static void note_depth(void *user, const SearchInfo *info) {
    BookEntry *entry = user;

    entry->depth = info->depth;
}

static void search_entries(void *user, int thread, uint64_t first, uint64_t end) {
    Builder *builder = user;
    Variant variant = builder->build->variant;
    const DrawRules *draws = &rules_of(variant)->draws;
    SearchLimits limits = {.has_nodes = true, .nodes = builder->build->nodes};

    for (uint64_t i = first; i < end; i++) {
        BookEntry *entry = &builder->wanted[i];
        SearchReport report = {.user = entry, .on_info = note_depth};
        SearchControl control = {0};
        SearchResult result;
        Game game;

        game_init(&game, variant, draws, &entry->position, draw_state_init(draws, &entry->position, 0), 1);
        tt_clear(&builder->tables[thread]);
        int error = search_run(&game, &limits, &builder->tables[thread], &control, &report, &result);
        game_deinit(&game);
        if (error != 0) {
            builder->error = error;
        }
        entry->move = result.best == MOVE_NONE ? 0 : move_code(result.best);
        entry->score = result.best == MOVE_NONE ? score_loss_in(0) : result.score;
        entry->value = entry->score;
    }
}

/* ---- What is in the book ------------------------------------------------------------------------------- */

static int compare_entries(const void *one, const void *other) {
    return memcmp(one, other, BOOK_KEY_BYTES);
}

/* Memory for entries of so many positions. */
static int reserve(Builder *builder, uint64_t count) {
    if (count <= builder->capacity) {
        return 0;
    }
    if (count > BOOK_ENTRIES_MAX) {
        return -EFBIG;
    }
    size_t capacity = (size_t)count * 2;
    uint8_t *entries = realloc(builder->entries, capacity * BOOK_ENTRY_BYTES);
    builder->entries = entries != NULL ? entries : builder->entries;
    builder->book.entries = builder->entries;
    bool *visited = realloc(builder->visited, capacity * sizeof *visited);
    builder->visited = visited != NULL ? visited : builder->visited;
    int32_t *distance = realloc(builder->distance, capacity * sizeof *distance);
    builder->distance = distance != NULL ? distance : builder->distance;
    uint32_t *order = realloc(builder->order, capacity * sizeof *order);
    builder->order = order != NULL ? order : builder->order;
    if (entries == NULL || visited == NULL || distance == NULL || order == NULL) {
        return -ENOMEM;
    }
    builder->capacity = (uint32_t)capacity;
    return 0;
}

static int add_entries(Builder *builder) {
    int error = reserve(builder, (uint64_t)builder->book.count + builder->wanted_count);

    if (error != 0 || builder->wanted_count == 0) {
        return error;
    }
    for (uint32_t i = 0; i < builder->wanted_count; i++) {
        book_pack(&builder->wanted[i], builder->entries + (size_t)builder->book.count * BOOK_ENTRY_BYTES);
        builder->book.count++;
    }
    qsort(builder->entries, builder->book.count, BOOK_ENTRY_BYTES, compare_entries);
    return 0;
}

/* Brings the values of an entry and of all after it up to date, and puts them in order. */
static void evaluate(Builder *builder, uint32_t index) {
    BookEntry entry = book_entry(&builder->book, index);
    uint32_t after[MOVES_MAX];
    MoveList moves;

    if (builder->visited[index]) {
        return;
    }
    builder->visited[index] = true;
    entry.value = entry.score;
    if (book_is_inner(&builder->book, &entry.position, &moves, after)) {
        entry.value = -SCORE_INFINITE;
        for (int i = 0; i < moves.count; i++) {
            evaluate(builder, after[i]);
            int value = book_value_before(book_entry(&builder->book, after[i]).value);
            entry.value = value > entry.value ? value : entry.value;
        }
    }
    book_pack(&entry, builder->entries + (size_t)index * BOOK_ENTRY_BYTES);
    builder->order[builder->ordered++] = index;
}

/* Passes the distance of an entry on to those after it. */
static void pass_distance(Builder *builder, uint32_t index) {
    BookEntry entry = book_entry(&builder->book, index);
    uint32_t after[MOVES_MAX];
    MoveList moves;

    if (builder->distance[index] == FAR || !book_is_inner(&builder->book, &entry.position, &moves, after)) {
        return;
    }
    for (int i = 0; i < moves.count; i++) {
        int value = book_value_before(book_entry(&builder->book, after[i]).value);
        int32_t distance = builder->distance[index] + PLY_CENTI_MEN + entry.value - value;
        int32_t *known = &builder->distance[after[i]];
        *known = distance < *known ? distance : *known;
    }
}

/* All values, and the distances from the openings of what they lead to. */
static void look_through(Builder *builder) {
    const BookBuild *build = builder->build;
    uint32_t index;

    builder->ordered = 0;
    for (uint32_t i = 0; i < builder->book.count; i++) {
        builder->visited[i] = false;
        builder->distance[i] = FAR;
    }
    for (size_t i = 0; i < build->openings_count; i++) {
        if (book_find(&builder->book, &build->openings[i].position, &index)) {
            int32_t distance = build->openings[i].plies * PLY_CENTI_MEN;
            int32_t *known = &builder->distance[index];
            *known = distance < *known ? distance : *known;
            builder->entries[(size_t)index * BOOK_ENTRY_BYTES + BOOK_KEY_BYTES] |= BOOK_OPENING_BIT;
        }
    }
    for (uint32_t i = 0; i < builder->book.count; i++) {
        evaluate(builder, i);
    }
    for (uint32_t i = builder->ordered; i-- > 0;) {
        pass_distance(builder, builder->order[i]);
    }
}

/* ---- What is added ------------------------------------------------------------------------------------- */

/* Wants a position searched unless it is in the book or wanted already. */
static void want(Builder *builder, const Position *position, bool opening) {
    uint32_t index;

    if (book_find(&builder->book, position, &index)) {
        return;
    }
    for (uint32_t i = 0; i < builder->wanted_count; i++) {
        if (position_equal(&builder->wanted[i].position, position)) {
            return;
        }
    }
    builder->wanted[builder->wanted_count++] = (BookEntry){.position = *position, .opening = opening};
}

static void want_openings(Builder *builder) {
    const BookBuild *build = builder->build;

    for (size_t i = 0; i < build->openings_count && builder->wanted_count < ROUND_OPENINGS; i++) {
        want(builder, &build->openings[i].position, true);
    }
}

/* Whether moves may be added to an entry: it has some, is no inner one, nobody has a king or has won. */
static bool can_grow(const Builder *builder, const BookEntry *entry) {
    uint32_t after[MOVES_MAX];
    MoveList moves;

    return entry->position.kings == 0 && entry->move != 0 && entry->score <= SCORE_EVAL_MAX &&
           entry->score >= -SCORE_EVAL_MAX && !book_is_inner(&builder->book, &entry->position, &moves, after);
}

/* The leaves of the least distances, of equal ones the first in the book. Returns their count. */
static int nearest_leaves(const Builder *builder, uint32_t leaves[static ROUND_LEAVES]) {
    int count = 0;

    for (uint32_t i = 0; i < builder->book.count; i++) {
        int32_t distance = builder->distance[i];
        bool full = count == ROUND_LEAVES;
        if (distance == FAR || (full && distance >= builder->distance[leaves[count - 1]])) {
            continue;
        }
        BookEntry entry = book_entry(&builder->book, i);
        if (!can_grow(builder, &entry)) {
            continue;
        }
        int at = full ? count - 1 : count++;
        for (; at > 0 && builder->distance[leaves[at - 1]] > distance; at--) {
            leaves[at] = leaves[at - 1];
        }
        leaves[at] = i;
    }
    return count;
}

static void want_moves(Builder *builder) {
    uint32_t leaves[ROUND_LEAVES];
    int count = nearest_leaves(builder, leaves);

    for (int i = 0; i < count; i++) {
        Position position = book_entry(&builder->book, leaves[i]).position;
        MoveList moves;
        movegen_generate(builder->build->variant, &position, &moves);
        for (int j = 0; j < moves.count; j++) {
            Position after = position_after(&position, moves.moves[j]);
            want(builder, &after, false);
        }
    }
}

static int write_book(void *user, FILE *stream) {
    const Book *book = user;
    uint8_t header[BOOK_HEADER_BYTES];

    book_write_header(book, header);
    fwrite(header, sizeof header, 1, stream);
    fwrite(book->entries, BOOK_ENTRY_BYTES, book->count, stream);
    return 0;
}

/* One round: chooses, searches, adds and writes. *done when there was nothing left to do. */
static int grow(Builder *builder, bool *done) {
    builder->wanted_count = 0;
    want_openings(builder);
    if (builder->wanted_count == 0 && builder->book.count < builder->build->positions) {
        want_moves(builder);
    }
    *done = builder->wanted_count == 0;
    workers_run(builder->workers, builder->wanted_count, 1, search_entries, builder);
    int error = builder->error != 0 ? builder->error : add_entries(builder);
    if (error == 0) {
        look_through(builder);
        error = file_replace(builder->build->path, write_book, &builder->book);
    }
    return error;
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

/* Takes over what the file has, if there is one. */
static bool take_over(Builder *builder, ParseError *error) {
    const BookBuild *build = builder->build;
    Book old;

    builder->book = (Book){.variant = build->variant, .nodes = build->nodes};
    if (access(build->path, F_OK) != 0 && errno == ENOENT) {
        return true;
    }
    if (!book_open(&old, build->variant, build->path, error)) {
        return false;
    }
    bool same = old.nodes == build->nodes;
    bool good = same && reserve(builder, (uint64_t)old.count + 1) == 0;
    if (good) {
        memcpy(builder->entries, old.entries, (size_t)old.count * BOOK_ENTRY_BYTES);
        builder->book.count = old.count;
        look_through(builder);
    } else {
        snprintf(error->text, sizeof error->text, "%s",
                 same ? strerror(ENOMEM) : "made with another number of nodes");
    }
    book_close(&old);
    return good;
}

static int begin(Builder *builder) {
    int threads = builder->build->threads;
    int error = 0;

    builder->workers = workers_new(threads);
    builder->tables = calloc((size_t)threads, sizeof *builder->tables);
    builder->wanted = calloc(ROUND_OPENINGS + ROUND_LEAVES * MOVES_MAX, sizeof *builder->wanted);
    if (builder->workers == NULL || builder->tables == NULL || builder->wanted == NULL) {
        return -ENOMEM;
    }
    for (int i = 0; i < threads && error == 0; i++) {
        error = tt_init(&builder->tables[i], TABLE_MEGABYTES);
    }
    return error;
}

static void end(Builder *builder) {
    for (int i = 0; i < builder->build->threads && builder->tables != NULL; i++) {
        tt_deinit(&builder->tables[i]);
    }
    workers_free(builder->workers);
    free(builder->tables);
    free(builder->wanted);
    free(builder->visited);
    free(builder->distance);
    free(builder->order);
    free(builder->entries);
}

bool book_build(const BookBuild *build, ParseError *error) {
    Builder builder = {.build = build};
    bool done = false;
    bool good = take_over(&builder, error);

    if (good) {
        int fault = begin(&builder);
        while (fault == 0 && !done) {
            fault = grow(&builder, &done);
            if (!done && build->on_progress != NULL) {
                build->on_progress(build->user, builder.book.count);
            }
        }
        good = fault == 0;
        if (!good) {
            snprintf(error->text, sizeof error->text, "%s", strerror(-fault));
        }
    }
    end(&builder);
    return good;
}
