/* Open databases: the files of each slice, and one cache. */
#include "endgame/egdb.h"

#include "endgame/cache.h"
#include "endgame/file.h"
#include "engine/movegen.h"
#include "system/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file in use, with the number that its blocks have in the cache. */
typedef struct {
    EgdbFile file;
    uint64_t number;
} OpenFile;

struct Egdb {
    Variant variant;
    OpenFile *files[EGDB_KINDS][SLICE_PIECES_MAX][SLICE_PIECES_MAX][SLICE_PIECES_MAX][SLICE_PIECES_MAX];
    int pieces[EGDB_KINDS];
    int limit;      /* pieces */
    uint64_t count; /* of files */
    BlockCache cache;
};

static OpenFile **place_of(Egdb *egdb, EgdbKind kind, Slice slice) {
    return &egdb->files[kind][slice.men[0]][slice.kings[0]][slice.men[1]][slice.kings[1]];
}

/* ---- Opening ------------------------------------------------------------------------------------------- */

typedef struct {
    Egdb *egdb;
    void (*warn)(void *user, const char *line);
    void *user;
} Opening;

static void warn_of(const Opening *opening, const char *line) {
    if (opening->warn != NULL) {
        opening->warn(opening->user, line);
    }
}

/* Whether a file's name is one of this game's; others are nobody's fault. */
static bool is_ours(const Egdb *egdb, const char *name) {
    const char *game = rules_of(egdb->variant)->name;
    size_t length = strlen(game);

    return strncmp(name, game, length) == 0 && name[length] == '-' && !egdb_file_is_temporary(name);
}

static void open_file(const Opening *opening, const char *directory, const char *name) {
    Egdb *egdb = opening->egdb;
    OpenFile *file = malloc(sizeof *file);
    ParseError error;

    if (file == NULL) {
        warn_of(opening, strerror(ENOMEM));
        return;
    }
    if (!egdb_file_open(&file->file, directory, name, &error)) {
        warn_of(opening, error.text);
        free(file);
        return;
    }
    OpenFile **place = place_of(egdb, file->file.kind, file->file.slice);
    if (*place != NULL) {
        egdb_file_close(&file->file);
        free(file);
        return;
    }
    file->number = ++egdb->count;
    *place = file;
}

static void open_directory(const Opening *opening, const char *path) {
    DIR *directory = opendir(path);
    const struct dirent *entry;

    if (directory == NULL) {
        char line[200];
        snprintf(line, sizeof line, "%.120s: %s", path, strerror(errno));
        warn_of(opening, line);
        return;
    }
    while ((entry = readdir(directory)) != NULL) {
        if (is_ours(opening->egdb, entry->d_name)) {
            open_file(opening, path, entry->d_name);
        }
    }
    closedir(directory);
}

/* The most pieces of which all slices are there. */
static int count_pieces(Egdb *egdb, EgdbKind kind) {
    for (int pieces = 2; pieces <= SLICE_PIECES_MAX; pieces++) {
        for (int own = 1; own < pieces; own++) {
            for (int men = 0; men <= own; men++) {
                for (int other = 0; other <= pieces - own; other++) {
                    Slice slice = {{(uint8_t)men, (uint8_t)other},
                                   {(uint8_t)(own - men), (uint8_t)(pieces - own - other)}};
                    if (*place_of(egdb, kind, slice) == NULL) {
                        return pieces - 1 < 2 ? 0 : pieces - 1;
                    }
                }
            }
        }
    }
    return SLICE_PIECES_MAX;
}

Egdb *egdb_open(const char *path, Variant variant, size_t cache, void (*warn)(void *user, const char *line),
                void *user) {
    Egdb *egdb = calloc(1, sizeof *egdb);
    char *copy = strdup(path);
    Opening opening = {egdb, warn, user};
    const char separator[] = {PATH_LIST_SEPARATOR, '\0'};
    char *state = NULL;

    if (egdb == NULL || copy == NULL || cache_init(&egdb->cache, cache) != 0) {
        free(copy);
        free(egdb);
        return NULL;
    }
    egdb->variant = variant;
    egdb->limit = SLICE_PIECES_MAX;
    for (char *part = strtok_r(copy, separator, &state); part != NULL;
         part = strtok_r(NULL, separator, &state)) {
        open_directory(&opening, part);
    }
    free(copy);
    for (EgdbKind kind = 0; kind < EGDB_KINDS; kind++) {
        egdb->pieces[kind] = count_pieces(egdb, kind);
    }
    return egdb;
}

void egdb_close(Egdb *egdb) {
    if (egdb == NULL) {
        return;
    }
    OpenFile **files = &egdb->files[0][0][0][0][0];
    for (size_t i = 0; i < sizeof egdb->files / sizeof *files; i++) {
        if (files[i] != NULL) {
            egdb_file_close(&files[i]->file);
            free(files[i]);
        }
    }
    cache_deinit(&egdb->cache);
    free(egdb);
}

void egdb_limit(Egdb *egdb, int pieces) {
    egdb->limit = pieces < SLICE_PIECES_MAX ? pieces : SLICE_PIECES_MAX;
}

int egdb_pieces(const Egdb *egdb, EgdbKind kind) {
    int pieces = egdb->pieces[kind] < egdb->limit ? egdb->pieces[kind] : egdb->limit;
    return pieces < 2 ? 0 : pieces;
}

/* ---- Probing ------------------------------------------------------------------------------------------- */

/* A position that a client may set up, but no game leads to: its number would be that of another. */
static bool has_man_on_crownhead(const Position *position) {
    Bitboard on = (position->pieces[WHITE] & bitboard_crownhead(WHITE)) |
                  (position->pieces[BLACK] & bitboard_crownhead(BLACK));

    return (on & ~position->kings) != 0;
}

/* The file of a position and its number there; NULL if there is none. */
static const OpenFile *find_file(Egdb *egdb, EgdbKind kind, const Position *position, uint64_t *index) {
    if (position_own(position) == 0 || position_opponent(position) == 0 ||
        bitboard_count(position_occupied(position)) > egdb->limit || has_man_on_crownhead(position)) {
        return NULL;
    }
    Slice slice = slice_of(position);
    const OpenFile *file = *place_of(egdb, kind, slice);
    if (file == NULL) {
        return NULL;
    }
    *index = slice_index(slice, position);
    return file;
}

bool egdb_probe(Egdb *egdb, const Position *position, Value *value) {
    uint64_t index;
    const OpenFile *file = find_file(egdb, EGDB_WLD, position, &index);
    uint8_t values[BLOCK_BYTES];

    if (file == NULL) {
        return false;
    }
    uint64_t block = index / BLOCK_SIZE;
    int place = (int)(index % BLOCK_SIZE);
    uint64_t key = file->number << 40 | block;
    if (egdb_file_constant(&file->file, block, value) || cache_find(&egdb->cache, key, place, value)) {
        return true;
    }
    if (!egdb_file_decode(&file->file, block, values, NULL)) {
        return false;
    }
    cache_keep(&egdb->cache, key, values);
    *value = (Value)(values[place / 4] >> place % 4 * 2 & 3);
    return true;
}

static bool probe_distance(Egdb *egdb, const Position *position, Known *known) {
    uint64_t index;
    const OpenFile *file = find_file(egdb, EGDB_DTW, position, &index);
    uint8_t values[BLOCK_BYTES];
    uint8_t distances[BLOCK_SIZE];

    if (file == NULL || !egdb_file_decode(&file->file, index / BLOCK_SIZE, values, distances)) {
        return false;
    }
    int place = (int)(index % BLOCK_SIZE);
    known->value = (Value)(values[place / 4] >> place % 4 * 2 & 3);
    known->plies =
        known->value == VALUE_DRAW ? 0 : distances[place] * 2 + (known->value == VALUE_WIN ? 1 : 0);
    return true;
}

/* Plays captures till the files tell; plies are 0 where only values are asked for. */
static bool resolve(Egdb *egdb, const Position *position, bool distances, Known *known) {
    MoveList list;
    Best best = {0};
    bool all = true;

    *known = (Known){VALUE_LOSS, 0};
    if (position_own(position) == 0) {
        return true;
    }
    if (position_opponent(position) == 0) {
        *known = movegen_has_move(egdb->variant, position) ? (Known){VALUE_WIN, 1} : *known;
        return true;
    }
    if (!movegen_can_capture(egdb->variant, position, (Color)position->turn)) {
        return distances ? probe_distance(egdb, position, known) : egdb_probe(egdb, position, &known->value);
    }
    movegen_generate_captures(egdb->variant, position, &list);
    for (int i = 0; i < list.count && best.win != 1; i++) {
        Position next = position_after(position, list.moves[i]);
        Known after;
        if (!resolve(egdb, &next, distances, &after)) {
            all = false;
        } else {
            best_add(&best, after);
        }
    }
    *known = best_known(&best);
    /* One win is enough if nobody asks for the shortest. */
    return all || (known->value == VALUE_WIN && !distances);
}

bool egdb_value(Egdb *egdb, const Position *position, Value *value) {
    Known known;

    if (!resolve(egdb, position, false, &known)) {
        return false;
    }
    *value = known.value;
    return true;
}

bool egdb_distance(Egdb *egdb, const Position *position, Value *value, int *plies) {
    Known known;

    if (!resolve(egdb, position, true, &known)) {
        return false;
    }
    *value = known.value;
    *plies = known.plies;
    return true;
}
