/*
 * Tests of the files of endgame databases and of looking into them, against the tables that they were made
 * of: all slices of up to 4 pieces, solved once before the tests fork.
 */
#include "endgame/egdb.h"
#include "endgame/file.h"
#include "endgame/solve.h"
#include "endgame/store.h"
#include "engine/fen.h"
#include "random_play.h"
#include "system/checksum.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PIECES = 4, SLICES_MAX = 64 };

typedef struct {
    char directory[64];
    TableSet tables[VARIANT_COUNT];
    Slice slices[SLICES_MAX];
    int slices_count;
    uint64_t bytes[VARIANT_COUNT][EGDB_KINDS];
} World;

static World world;

static bool note_slice(void *user, Slice slice) {
    (void)user;
    world.slices[world.slices_count++] = slice;
    return true;
}

static void add_table(TableSet *set, Slice slice) {
    Table **place = tableset_place(set, slice);

    if (*place == NULL) {
        *place = malloc(sizeof **place);
        if (*place == NULL || table_init(*place, slice, true) != 0) {
            exit(EXIT_FAILURE);
        }
    }
}

static void world_begin(void) {
    Workers *workers = workers_new(2);

    snprintf(world.directory, sizeof world.directory, "/tmp/crownhead-test-XXXXXX");
    if (workers == NULL || mkdtemp(world.directory) == NULL) {
        exit(EXIT_FAILURE);
    }
    for (int pieces = 2; pieces <= PIECES; pieces++) {
        store_slices(pieces, note_slice, NULL);
    }
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        TableSet *set = &world.tables[variant];
        for (int i = 0; i < world.slices_count; i++) {
            Slice slice = world.slices[i];
            if (tableset_find(set, slice) == NULL) {
                add_table(set, slice);
                add_table(set, slice_turned(slice));
                if (solve_slice(variant, set, slice, true, workers) != 0) {
                    exit(EXIT_FAILURE);
                }
            }
            for (EgdbKind kind = 0; kind < EGDB_KINDS; kind++) {
                uint64_t bytes;
                if (egdb_file_write(world.directory, variant, kind, tableset_find(set, slice), workers,
                                    &bytes) != 0) {
                    exit(EXIT_FAILURE);
                }
                world.bytes[variant][kind] += bytes;
            }
        }
    }
    workers_free(workers);
}

static void remove_directory(const char *path) {
    DIR *directory = opendir(path);
    const struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    rmdir(path);
}

static void world_end(void) {
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        for (int i = 0; i < world.slices_count; i++) {
            Table *table = tableset_find(&world.tables[variant], world.slices[i]);
            table_deinit(table);
            free(table);
        }
    }
    remove_directory(world.directory);
}

static Known known_of(Variant variant, const Position *position) {
    return table_look_up(&world.tables[variant], position);
}

/* A random position of a random slice. */
static Position draw_position(uint64_t *state) {
    Position position;
    uint64_t index;
    Slice slice;

    do {
        slice = world.slices[random_below(state, world.slices_count)];
        index = random_next(state) % slice_size(slice);
    } while (!slice_position(slice, index, &position));
    return position;
}

/* ---- What comes back ----------------------------------------------------------------------------------- */

START_TEST(test_every_value) {
    Variant variant = (Variant)_i;
    Egdb *egdb = egdb_open(world.directory, variant, 1 << 24, NULL, NULL);

    ck_assert_int_eq(egdb_pieces(egdb, EGDB_WLD), PIECES);
    ck_assert_int_eq(egdb_pieces(egdb, EGDB_DTW), PIECES);
    for (int i = 0; i < world.slices_count; i++) {
        const Table *table = tableset_find(&world.tables[variant], world.slices[i]);
        for (uint64_t index = 0; index < table->size; index++) {
            Position position;
            Value wanted = table_value(table, index);
            Value value;
            if (wanted == VALUE_NONE || !slice_position(table->slice, index, &position)) {
                continue;
            }
            CHECK_QUICKLY(egdb_value(egdb, &position, &value) && value == wanted, "slice %d, number %d", i,
                          (int)index);
            if (!movegen_can_capture(variant, &position, WHITE)) {
                CHECK_QUICKLY(egdb_probe(egdb, &position, &value) && value == wanted, "slice %d, number %d",
                              i, (int)index);
            }
        }
    }
    egdb_close(egdb);
}
END_TEST

/* Of positions without captures; and that each block is sound. */
START_TEST(test_every_distance) {
    Variant variant = (Variant)_i;

    for (int i = 0; i < world.slices_count; i++) {
        const Table *table = tableset_find(&world.tables[variant], world.slices[i]);
        static uint8_t values[BLOCK_BYTES], distances[BLOCK_SIZE];
        char name[EGDB_NAME_SIZE];
        ParseError error;
        EgdbFile file;
        egdb_file_name(variant, EGDB_DTW, table->slice, name);
        ck_assert_msg(egdb_file_open(&file, world.directory, name, &error), "%s", error.text);
        for (uint64_t index = 0; index < table->size; index++) {
            int place = (int)(index % BLOCK_SIZE);
            if (place == 0) {
                ck_assert(egdb_file_block_sound(&file, index / BLOCK_SIZE));
                ck_assert(egdb_file_decode(&file, index / BLOCK_SIZE, values, distances));
            }
            Position position;
            Value wanted = table_value(table, index);
            if (wanted == VALUE_NONE || !slice_position(table->slice, index, &position) ||
                movegen_can_capture(variant, &position, WHITE)) {
                continue;
            }
            CHECK_QUICKLY((values[place / 4] >> place % 4 * 2 & 3) == (int)wanted &&
                              (wanted == VALUE_DRAW || distances[place] == table->distances[index]),
                          "%s, number %d", name, (int)index);
        }
        egdb_file_close(&file);
    }
}
END_TEST

START_TEST(test_distances_with_captures) {
    Variant variant = (Variant)_i;
    Egdb *egdb = egdb_open(world.directory, variant, 0, NULL, NULL);
    uint64_t state = 1;

    for (int round = 0; round < 100000; round++) {
        Position position = draw_position(&state);
        Known wanted = known_of(variant, &position);
        Value value;
        int plies;
        CHECK_QUICKLY(egdb_distance(egdb, &position, &value, &plies) && value == wanted.value &&
                          plies == wanted.plies,
                      "round %d", round);
        /* The board turned round with the colours exchanged is the same position. */
        Position turned = {.kings = 0, .turn = BLACK};
        for (int square = 0; square < SQUARE_BITS; square++) {
            Bitboard from = BITBOARD_BIT((Square)square);
            Bitboard to = BITBOARD_BIT((Square)(SQUARE_BITS - 1 - square));
            turned.pieces[BLACK] |= (position.pieces[WHITE] & from) != 0 ? to : 0;
            turned.pieces[WHITE] |= (position.pieces[BLACK] & from) != 0 ? to : 0;
            turned.kings |= (position.kings & from) != 0 ? to : 0;
        }
        CHECK_QUICKLY(egdb_value(egdb, &turned, &value) && value == wanted.value, "round %d, turned", round);
    }
    egdb_close(egdb);
}
END_TEST

/* A change that costs something shall be seen. */
START_TEST(test_sizes) {
    static const uint64_t LIMITS[VARIANT_COUNT] = {120000, 190000};

    ck_assert_uint_le(world.bytes[_i][EGDB_WLD], LIMITS[_i]);
    ck_assert_uint_le(world.bytes[_i][EGDB_DTW], 2000000);
}
END_TEST

static Position position_from(const char *fen) {
    FenRecord record;
    ParseError error;

    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s: %s", fen, error.text);
    return record.position;
}

/* One side without pieces, or without a move. */
START_TEST(test_ends_of_games) {
    Egdb *egdb = egdb_open(world.directory, VARIANT_ENGLISH, 1 << 20, NULL, NULL);
    Position position = position_from("W:WK1,K2,K3,K4,K5,K6,K7,K8,K9:BK32");
    Value value;
    int plies;

    position.pieces[BLACK] = 0;
    position.kings = position.pieces[WHITE];
    ck_assert(!egdb_probe(egdb, &position, &value));
    ck_assert(egdb_distance(egdb, &position, &value, &plies));
    ck_assert_int_eq(value, VALUE_WIN);
    ck_assert_int_eq(plies, 1);
    position.turn = BLACK;
    ck_assert(!egdb_probe(egdb, &position, &value));
    ck_assert(egdb_distance(egdb, &position, &value, &plies));
    ck_assert_int_eq(value, VALUE_LOSS);
    ck_assert_int_eq(plies, 0);
    position = position_from("W:W29:B25,22");
    ck_assert(egdb_probe(egdb, &position, &value));
    ck_assert(egdb_distance(egdb, &position, &value, &plies));
    ck_assert_int_eq(value, VALUE_LOSS);
    ck_assert_int_eq(plies, 0);
    egdb_close(egdb);
}
END_TEST

/* More pieces than there are files for. */
START_TEST(test_many_pieces) {
    Egdb *egdb = egdb_open(world.directory, VARIANT_ENGLISH, 1 << 20, NULL, NULL);
    Position position = position_from("W:WK1,K2,K3:BK30,K31");
    Value value;
    int plies;

    ck_assert(!egdb_probe(egdb, &position, &value));
    ck_assert(!egdb_value(egdb, &position, &value));
    ck_assert(!egdb_distance(egdb, &position, &value, &plies));
    position = position_from("W:W32,31,30,29,28,27,26,25,24,23,22,21:B1,2,3,4,5,6,7,8,9,10,11,12");
    ck_assert(!egdb_probe(egdb, &position, &value));
    ck_assert(!egdb_value(egdb, &position, &value));
    /* But the only move captures. */
    position = position_from("W:WK14:BK18,K1,K2,K3");
    Position next = position_from("B:WK23:BK1,K2,K3");
    Known after = known_of(VARIANT_ENGLISH, &next);
    ck_assert(!egdb_probe(egdb, &position, &value));
    ck_assert(egdb_distance(egdb, &position, &value, &plies));
    ck_assert_int_eq(after.value, VALUE_WIN);
    ck_assert_int_eq(value, VALUE_LOSS);
    ck_assert_int_eq(plies, after.plies + 1);
    egdb_close(egdb);
}
END_TEST

/* ---- Damage -------------------------------------------------------------------------------------------- */

typedef struct {
    char name[EGDB_NAME_SIZE];
    uint8_t *bytes;
    size_t size;
    uint64_t blocks;
} Image;

static Image image_of(Variant variant, EgdbKind kind, Slice slice) {
    Image image;
    char path[256];

    egdb_file_name(variant, kind, slice, image.name);
    snprintf(path, sizeof path, "%s/%s", world.directory, image.name);
    FILE *stream = fopen(path, "rb");
    ck_assert_ptr_nonnull(stream);
    fseek(stream, 0, SEEK_END);
    image.size = (size_t)ftell(stream);
    rewind(stream);
    image.bytes = malloc(image.size + 1);
    ck_assert(image.bytes != NULL && fread(image.bytes, 1, image.size, stream) == image.size);
    fclose(stream);
    image.blocks = (slice_size(slice) + BLOCK_SIZE - 1) / BLOCK_SIZE;
    return image;
}

static Image draw_image(uint64_t *state) {
    Variant variant = (Variant)random_below(state, VARIANT_COUNT);
    EgdbKind kind = (EgdbKind)random_below(state, EGDB_KINDS);

    return image_of(variant, kind, world.slices[random_below(state, world.slices_count)]);
}

static void put_image(const char *directory, const Image *image, size_t size) {
    char path[256];

    snprintf(path, sizeof path, "%s/%s", directory, image->name);
    FILE *stream = fopen(path, "wb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(image->bytes, 1, size, stream), size);
    ck_assert_int_eq(fclose(stream), 0);
}

static void make_directory(char path[static 64]) {
    snprintf(path, 64, "/tmp/crownhead-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(path));
}

/* Whether a file is refused at opening, or one of its blocks is. */
static bool is_refused(const char *directory, const Image *image) {
    uint8_t values[BLOCK_BYTES], distances[BLOCK_SIZE];
    EgdbFile file;
    ParseError error;
    uint64_t damaged = 0;

    if (!egdb_file_open(&file, directory, image->name, &error)) {
        ck_assert_msg(strstr(error.text, image->name) != NULL && strchr(error.text, '\n') == NULL, "%s",
                      error.text);
        return true;
    }
    for (uint64_t block = 0; block < file.blocks; block++) {
        bool sound = egdb_file_block_sound(&file, block);
        damaged += !sound;
        ck_assert_int_eq(sound, egdb_file_decode(&file, block, values, distances));
    }
    egdb_file_close(&file);
    ck_assert_uint_le(damaged, 1);
    return damaged > 0;
}

START_TEST(test_any_changed_byte_is_found) {
    uint64_t state = 2;
    char directory[64];

    make_directory(directory);
    for (int round = 0; round < 500; round++) {
        Image image = draw_image(&state);
        size_t at = random_next(&state) % (round % 2 == 0 || image.size < 300 ? image.size : 300);
        put_image(directory, &image, image.size);
        CHECK_QUICKLY(!is_refused(directory, &image), "%s is refused", image.name);
        image.bytes[at] ^= (uint8_t)(1 + random_below(&state, 255));
        put_image(directory, &image, image.size);
        CHECK_QUICKLY(is_refused(directory, &image), "%s: byte %d", image.name, (int)at);
        free(image.bytes);
    }
    remove_directory(directory);
}
END_TEST

START_TEST(test_files_cut_short_are_refused) {
    uint64_t state = 3;
    char directory[64];

    make_directory(directory);
    for (int round = 0; round < 300; round++) {
        Image image = draw_image(&state);
        size_t sizes[] = {0,
                          1,
                          51,
                          52,
                          53,
                          100,
                          image.size / 2,
                          image.size - 1,
                          image.size + 1,
                          random_next(&state) % image.size};
        size_t size = sizes[round % (int)(sizeof sizes / sizeof sizes[0])];
        EgdbFile file;
        ParseError error;
        if (size < image.size || size == image.size + 1) {
            image.bytes[image.size] = 0;
            put_image(directory, &image, size);
            CHECK_QUICKLY(!egdb_file_open(&file, directory, image.name, &error), "%s opens with %d bytes",
                          image.name, (int)size);
            CHECK_QUICKLY(strstr(error.text, image.name) != NULL, "%s", error.text);
        }
        free(image.bytes);
    }
    remove_directory(directory);
}
END_TEST

static void set_bytes(uint8_t *bytes, uint64_t number, int count) {
    for (int i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(number >> 8 * i);
    }
}

static uint32_t get_bytes(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Headers and directories with right checksums, and nonsense in them: refused, or read without harm. */
START_TEST(test_forged_files_do_no_harm) {
    uint64_t state = 4;
    char directory[64];
    int opened = 0;

    make_directory(directory);
    for (int round = 0; round < 3000; round++) {
        Image image = draw_image(&state);
        uint8_t values[BLOCK_BYTES], distances[BLOCK_SIZE];
        uint32_t model = get_bytes(image.bytes + 36);
        size_t head = 52 + model + image.blocks * 2;
        EgdbFile file;
        ParseError error;
        for (int i = 0; i < 1 + round % 3; i++) {
            size_t span = round % 4 == 0 ? 52 : round % 4 == 1 ? head : 52 + model;
            image.bytes[random_next(&state) % span] = (uint8_t)random_next(&state);
        }
        if (round % 5 == 0) {
            image.bytes[9 + random_below(&state, 4)] = (uint8_t)random_below(&state, 9);
        }
        set_bytes(image.bytes + 40, image.size, 8);
        model = get_bytes(image.bytes + 36);
        size_t blocks = get_bytes(image.bytes + 32);
        head = 52 + (size_t)model + blocks * 2;
        if (head <= image.size) {
            uint32_t sum = checksum_32(0, image.bytes, 48);
            set_bytes(image.bytes + 48, checksum_32(sum, image.bytes + 52, head - 52), 4);
        }
        put_image(directory, &image, image.size);
        if (egdb_file_open(&file, directory, image.name, &error)) {
            opened++;
            for (uint64_t block = 0; block < file.blocks; block++) {
                (void)egdb_file_block_sound(&file, block);
                (void)egdb_file_decode(&file, block, values, distances);
            }
            egdb_file_close(&file);
        }
        free(image.bytes);
    }
    ck_assert_int_gt(opened, 20);
    remove_directory(directory);
}
END_TEST

/* ---- Writing ------------------------------------------------------------------------------------------- */

START_TEST(test_threads_write_the_same) {
    uint64_t state = 5;
    char directory[64];
    Workers *workers = workers_new(3);

    make_directory(directory);
    for (int round = 0; round < 12; round++) {
        Variant variant = (Variant)(round % VARIANT_COUNT);
        EgdbKind kind = (EgdbKind)(round / 2 % EGDB_KINDS);
        Slice slice = world.slices[random_below(&state, world.slices_count)];
        const Table *table = tableset_find(&world.tables[variant], slice);
        Image first = image_of(variant, kind, slice);
        uint64_t bytes;
        ck_assert_int_eq(egdb_file_write(directory, variant, kind, table, workers, &bytes), 0);
        ck_assert_uint_eq(bytes, first.size);
        char here[64];
        memcpy(here, world.directory, sizeof here);
        memcpy(world.directory, directory, sizeof here);
        Image second = image_of(variant, kind, slice);
        memcpy(world.directory, here, sizeof here);
        ck_assert_uint_eq(second.size, first.size);
        ck_assert_mem_eq(second.bytes, first.bytes, first.size);
        free(first.bytes);
        free(second.bytes);
    }
    workers_free(workers);
    remove_directory(directory);
}
END_TEST

static int files_in(const char *path) {
    DIR *directory = opendir(path);
    const struct dirent *entry;
    int count = 0;

    ck_assert_ptr_nonnull(directory);
    while ((entry = readdir(directory)) != NULL) {
        count += entry->d_name[0] != '.';
    }
    closedir(directory);
    return count;
}

/* An error of writing leaves what was there, and nothing else. */
START_TEST(test_errors_of_writing) {
    char directory[64];
    const Slice slice = {{1, 1}, {1, 1}};
    const Table *table = tableset_find(&world.tables[0], slice);
    Table without = *table;
    Workers *workers = workers_new(1);
    struct rlimit limit;

    make_directory(directory);
    ck_assert_int_eq(egdb_file_write("/nowhere", VARIANT_ENGLISH, EGDB_WLD, table, workers, NULL), -ENOENT);
    without.distances = NULL;
    ck_assert_int_eq(egdb_file_write(directory, VARIANT_ENGLISH, EGDB_DTW, &without, workers, NULL), -EINVAL);
    ck_assert_int_eq(egdb_file_write(directory, VARIANT_ENGLISH, EGDB_WLD, &without, workers, NULL), 0);
    Image image = image_of(VARIANT_ENGLISH, EGDB_WLD, slice);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    rlim_t old = limit.rlim_cur;
    limit.rlim_cur = 5000;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    int error = egdb_file_write(directory, VARIANT_ENGLISH, EGDB_WLD, table, workers, NULL);
    limit.rlim_cur = old;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(error, -EFBIG);
    ck_assert_int_eq(files_in(directory), 1);
    ck_assert(!is_refused(directory, &image));
    free(image.bytes);
    workers_free(workers);
    remove_directory(directory);
}
END_TEST

/* ---- Opening ------------------------------------------------------------------------------------------- */

typedef struct {
    int count;
    char last[256];
} Warnings;

static void note_warning(void *user, const char *line) {
    Warnings *warnings = user;

    warnings->count++;
    ck_assert_ptr_null(strchr(line, '\n'));
    snprintf(warnings->last, sizeof warnings->last, "%s", line);
}

START_TEST(test_paths) {
    char some[64], path[256], away[256];
    Warnings warnings = {0};
    Image image = image_of(VARIANT_RUSSIAN, EGDB_WLD, (Slice){{1, 0}, {1, 2}});
    Image other = image_of(VARIANT_RUSSIAN, EGDB_WLD, (Slice){{1, 1}, {0, 1}});
    Egdb *egdb = egdb_open("/nowhere:", VARIANT_ENGLISH, 1 << 20, note_warning, &warnings);

    ck_assert_int_eq(warnings.count, 1);
    ck_assert_ptr_nonnull(strstr(warnings.last, "/nowhere"));
    ck_assert_int_eq(egdb_pieces(egdb, EGDB_WLD), 0);
    egdb_close(egdb);

    /* A damaged file in the first directory is replaced by that of the second. */
    make_directory(some);
    image.bytes[60] ^= 1;
    put_image(some, &image, image.size);
    snprintf(path, sizeof path, "%s:%s", some, world.directory);
    warnings.count = 0;
    egdb = egdb_open(path, VARIANT_RUSSIAN, 1 << 20, note_warning, &warnings);
    ck_assert_int_eq(warnings.count, 1);
    ck_assert_ptr_nonnull(strstr(warnings.last, image.name));
    ck_assert_int_eq(egdb_pieces(egdb, EGDB_WLD), PIECES);
    egdb_close(egdb);

    /* A file under the name of another one, and still the damaged one. */
    memcpy(image.name, other.name, sizeof image.name);
    image.bytes[60] ^= 1;
    put_image(some, &image, image.size);
    warnings.count = 0;
    egdb = egdb_open(some, VARIANT_RUSSIAN, 1 << 20, note_warning, &warnings);
    ck_assert_int_eq(warnings.count, 2);
    egdb_close(egdb);

    /* Without one slice of 4 pieces there are but 3. */
    snprintf(path, sizeof path, "%s/%s", world.directory, image.name);
    snprintf(away, sizeof away, "%s/away", world.directory);
    ck_assert_int_eq(rename(path, away), 0);
    egdb = egdb_open(world.directory, VARIANT_RUSSIAN, 1 << 20, NULL, NULL);
    int pieces = egdb_pieces(egdb, EGDB_WLD);
    ck_assert_int_eq(rename(away, path), 0);
    ck_assert_int_eq(pieces, slice_pieces((Slice){{1, 1}, {0, 1}}) - 1);
    ck_assert_int_eq(egdb_pieces(egdb, EGDB_DTW), PIECES);
    egdb_close(egdb);
    free(image.bytes);
    free(other.bytes);
    remove_directory(some);
}
END_TEST

/* No descriptors are left over; a sanitizer looks for memory. */
START_TEST(test_opening_again_and_again) {
    int files = files_in("/proc/self/fd");

    for (int round = 0; round < 1000; round++) {
        uint64_t state = (uint64_t)round;
        Egdb *egdb =
            egdb_open(world.directory, (Variant)(round % VARIANT_COUNT), (size_t)1 << round % 22, NULL, NULL);
        Position position = draw_position(&state);
        Value value;
        CHECK_QUICKLY(egdb != NULL && egdb_value(egdb, &position, &value), "round %d", round);
        egdb_close(egdb);
    }
    ck_assert_int_eq(files_in("/proc/self/fd"), files);
}
END_TEST

/* ---- Threads ------------------------------------------------------------------------------------------- */

enum { THREADS = 4 };

typedef struct {
    Egdb *egdb;
    uint64_t state;
    int probes, wrong;
} Prober;

static void *probe_at_random(void *user) {
    Prober *prober = user;

    for (int i = 0; i < prober->probes; i++) {
        Position position = draw_position(&prober->state);
        Value value;
        prober->wrong += !egdb_value(prober->egdb, &position, &value) ||
                         value != known_of(VARIANT_RUSSIAN, &position).value;
    }
    return NULL;
}

/* In a cache with room for a few blocks, which they take from each other all the time, and in a large one. */
START_TEST(test_threads_share_a_cache) {
    static const size_t SIZES[] = {0, 20000, 1 << 24};
    Prober probers[THREADS];
    pthread_t threads[THREADS];

    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        Egdb *egdb = egdb_open(world.directory, VARIANT_RUSSIAN, SIZES[i], NULL, NULL);
        for (int thread = 0; thread < THREADS; thread++) {
            probers[thread] = (Prober){.egdb = egdb, .state = (uint64_t)thread, .probes = 50000};
            ck_assert_int_eq(pthread_create(&threads[thread], NULL, probe_at_random, &probers[thread]), 0);
        }
        for (int thread = 0; thread < THREADS; thread++) {
            pthread_join(threads[thread], NULL);
            ck_assert_int_eq(probers[thread].wrong, 0);
        }
        egdb_close(egdb);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("egdb_file");
    TCase *files = tcase_create("files");

    tcase_add_unchecked_fixture(files, world_begin, world_end);
    tcase_set_timeout(files, 900);
    tcase_add_loop_test(files, test_every_value, 0, VARIANT_COUNT);
    tcase_add_loop_test(files, test_every_distance, 0, VARIANT_COUNT);
    tcase_add_loop_test(files, test_distances_with_captures, 0, VARIANT_COUNT);
    tcase_add_loop_test(files, test_sizes, 0, VARIANT_COUNT);
    tcase_add_test(files, test_ends_of_games);
    tcase_add_test(files, test_many_pieces);
    tcase_add_test(files, test_any_changed_byte_is_found);
    tcase_add_test(files, test_files_cut_short_are_refused);
    tcase_add_test(files, test_forged_files_do_no_harm);
    tcase_add_test(files, test_threads_write_the_same);
    tcase_add_test(files, test_errors_of_writing);
    tcase_add_test(files, test_paths);
    tcase_add_test(files, test_opening_again_and_again);
    tcase_add_test(files, test_threads_share_a_cache);
    suite_add_tcase(suite, files);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
