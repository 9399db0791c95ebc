/*
 * Perft against published counts, in every way in which it can be run: with threads, with a table, stopped.
 * The rows are those of data/perft.tsv for the games that the engine plays; CROWNHEAD_TEST_LEAVES sets the
 * largest count tried.
 */
#include "bench/perft.h"
#include "engine/fen.h"
#include "tests/naive.h"

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1024 };

typedef struct {
    Variant variant;
    char fen[128];
    int depth;
    uint64_t count;
    bool unique;
} Row;

typedef struct {
    int count;
    Row row[ROWS_MAX];
} Rows;

static uint64_t number_from_environment(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

/* Reads the rows of a game whose count is at most limit. */
static const Rows *read_rows(Variant variant, uint64_t limit) {
    static Rows rows;
    char line[512];
    const char *data = getenv("CROWNHEAD_TEST_DATA");

    rows.count = 0;
    snprintf(line, sizeof(line), "%s/perft.tsv", data != NULL ? data : "tests/data");
    FILE *file = fopen(line, "r");
    ck_assert_msg(file != NULL, "cannot open %s", line);
    while (fgets(line, sizeof(line), file) != NULL) {
        Row *row = &rows.row[rows.count];
        char name[32];
        char mode[16];
        ck_assert_int_lt(rows.count, ROWS_MAX);
        if (sscanf(line, "%31s %127s %d %" SCNu64 " %15s", name, row->fen, &row->depth, &row->count, mode) ==
                5 &&
            variant_from_name(name) == variant && row->count <= limit) {
            row->variant = variant;
            row->unique = strcmp(mode, "unique") == 0;
            rows.count++;
        }
    }
    fclose(file);
    return &rows;
}

static Position position_of(const Row *row) {
    FenRecord record;
    ParseError error;
    if (strcmp(row->fen, "start") == 0) {
        return position_start(rules_of(row->variant));
    }
    bool read = fen_read(row->fen, strlen(row->fen), &record, &error);
    ck_assert_msg(read, "%s: %s", row->fen, error.text);
    return record.position;
}

/* Runs one row; the counts of the root moves must add up, and belong to the moves of the list. */
static void check_row(const Row *row, int threads, size_t megabytes) {
    static PerftResult result;
    Position position = position_of(row);
    PerftOptions options = {
        .depth = row->depth, .unique = row->unique, .threads = threads, .megabytes = megabytes};
    const char *name = rules_of(row->variant)->name;
    const char *mode = row->unique ? "unique" : "paths";
    MoveList list;
    uint64_t sum = 0;

    int code = perft_run(row->variant, &position, &options, NULL, NULL, NULL, &result);
    ck_assert_msg(code == 0, "%s %s depth %d %s: error %d", name, row->fen, row->depth, mode, code);
    ck_assert_msg(result.count == row->count,
                  "%s %s depth %d %s, %d threads, %zu MB: %" PRIu64 ", published %" PRIu64, name, row->fen,
                  row->depth, mode, threads, megabytes, result.count, row->count);

    movegen_generate(row->variant, &position, &list);
    ck_assert_int_eq(result.moves_count, list.count);
    for (int i = 0; i < list.count; i++) {
        int found = 0;
        for (int k = 0; k < result.moves_count; k++) {
            found += result.moves[k].move == list.moves[i];
        }
        ck_assert_int_eq(found, 1);
        sum += result.moves[i].count;
    }
    ck_assert_msg(sum == row->count, "%s %s depth %d %s: root moves add up to %" PRIu64, name, row->fen,
                  row->depth, mode, sum);
}

/* By default English to depth 12 and Russian to depth 11 from the start, and all other positions. */
START_TEST(test_published) {
    const Rows *rows = read_rows((Variant)_i, number_from_environment("CROWNHEAD_TEST_LEAVES", 400000000));
    ck_assert_msg(rows->count >= 30, "only %d rows", rows->count);
    for (int i = 0; i < rows->count; i++) {
        check_row(&rows->row[i], 1, 0);
    }
}
END_TEST

/* Threads and the table change nothing. */
START_TEST(test_combinations) {
    static const struct {
        int threads;
        size_t megabytes;
    } ways[] = {{2, 0}, {1, 1}, {2, 64}, {5, 16}};
    const Rows *rows = read_rows((Variant)_i, 30000000);
    for (int i = 0; i < rows->count; i++) {
        for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
            check_row(&rows->row[i], ways[way].threads, ways[way].megabytes);
        }
    }
}
END_TEST

/* Random positions, from men alone to kings alone and from few pieces to many, against the slow count. */
START_TEST(test_random_positions) {
    const NaiveRules *rules = naive_rules_of(rules_of((Variant)_i)->name);
    uint64_t state = number_from_environment("CROWNHEAD_TEST_SEED", 20240229);
    uint64_t positions = number_from_environment("CROWNHEAD_TEST_PERFTS", 2000);
    static PerftResult result;
    char text[NAIVE_TEXT_SIZE];

    ck_assert_ptr_nonnull(rules);
    for (uint64_t i = 0; i < positions; i++) {
        NaiveBoard board = naive_start(rules);
        memset(board.cell, '.', sizeof(board.cell));
        board.turn = "wb"[i % 2];
        for (uint64_t piece = 0; piece < 2 + i / 8 % 23; piece++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            int row = (int)(state >> 40 & 7);
            int column = (int)(state >> 44 & 3) * 2 + row % 2;
            bool king = (state >> 50) % 4 < i / 2 % 4 || row % 7 == 0;
            board.cell[row][column] = (king ? "WB" : "wb")[piece % 2];
        }
        Position position = naive_to_position(&board);
        for (int unique = 0; unique < 2; unique++) {
            for (int depth = 0; depth <= 3; depth++) {
                PerftOptions options = {.depth = depth, .unique = unique != 0, .threads = 1};
                uint64_t expected = naive_perft(rules, &board, depth, unique != 0);
                ck_assert_int_eq(perft_run((Variant)_i, &position, &options, NULL, NULL, NULL, &result), 0);
                ck_assert_msg(result.count == expected, "%s %s depth %d unique %d: %" PRIu64 ", not %" PRIu64,
                              rules->name, naive_write(&board, text), depth, unique, result.count, expected);
            }
        }
    }
}
END_TEST

/*
 * Kings that wander meet the same squares after two plies and after four, and change places with men: what a
 * table must tell apart.
 */
static const struct {
    Variant variant;
    const char *fen;
    int depth;
} ENDINGS[] = {
    {VARIANT_ENGLISH, "W:WK18,22:BK3", 12},
    {VARIANT_ENGLISH, "B:WK30,K31:BK11,12", 12},
    {VARIANT_RUSSIAN, "W:WK32,21:BK13", 9},
    {VARIANT_RUSSIAN, "W:WK31,27:B12,K4", 9},
};

START_TEST(test_table_in_endings) {
    static PerftResult plain;
    static PerftResult hashed;
    NaiveBoard board = naive_read(ENDINGS[_i].fen);
    Position position = naive_to_position(&board);
    for (int unique = 0; unique < 2; unique++) {
        PerftOptions options = {.depth = ENDINGS[_i].depth, .unique = unique != 0, .threads = 1};
        ck_assert_int_eq(perft_run(ENDINGS[_i].variant, &position, &options, NULL, NULL, NULL, &plain), 0);
        for (size_t megabytes = 1; megabytes <= 64; megabytes *= 8) {
            options.megabytes = megabytes;
            ck_assert_int_eq(perft_run(ENDINGS[_i].variant, &position, &options, NULL, NULL, NULL, &hashed),
                             0);
            ck_assert_msg(hashed.count == plain.count,
                          "%s: %" PRIu64 " with a table of %zu MB, %" PRIu64 " without", ENDINGS[_i].fen,
                          hashed.count, megabytes, plain.count);
        }
    }
}
END_TEST

START_TEST(test_depth_zero) {
    static PerftResult result;
    Position position = position_start(rules_of((Variant)_i));
    PerftOptions options = {.depth = 0, .threads = 1};
    ck_assert_int_eq(perft_run((Variant)_i, &position, &options, NULL, NULL, NULL, &result), 0);
    ck_assert_uint_eq(result.count, 1);
    ck_assert_int_eq(result.moves_count, 0);
}
END_TEST

static void see_progress(void *user, int permille) {
    int *last = user;
    ck_assert_int_ge(permille, *last);
    ck_assert_int_le(permille, 1000);
    *last = permille;
}

/* The share done never falls. */
START_TEST(test_progress) {
    static PerftResult result;
    int last = 0;
    Position position = position_start(rules_of((Variant)_i));
    PerftOptions options = {.depth = 11, .threads = 2};
    ck_assert_int_eq(perft_run((Variant)_i, &position, &options, NULL, see_progress, &last, &result), 0);
}
END_TEST

/* A count that would take years ends at once when it is told to before it starts. */
START_TEST(test_stopped) {
    static PerftResult result;
    atomic_bool stop = true;
    Position position = position_start(rules_of((Variant)_i));
    for (int threads = 1; threads <= 2; threads++) {
        for (size_t megabytes = 0; megabytes <= 1; megabytes++) {
            PerftOptions options = {.depth = 30, .threads = threads, .megabytes = megabytes};
            ck_assert_int_eq(perft_run((Variant)_i, &position, &options, &stop, NULL, NULL, &result),
                             -ECANCELED);
        }
    }
}
END_TEST

static void stop_now(void *user, int permille) {
    atomic_bool *stop = user;
    (void)permille;
    *stop = true;
}

/* The same while it runs. */
START_TEST(test_stopped_midway) {
    static PerftResult result;
    atomic_bool stop = false;
    Position position = position_start(rules_of((Variant)_i));
    PerftOptions options = {.depth = 30, .threads = 2};
    ck_assert_int_eq(perft_run((Variant)_i, &position, &options, &stop, stop_now, &stop, &result),
                     -ECANCELED);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("perft");
    TCase *tcase = tcase_create("counts");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, test_published, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_combinations, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_random_positions, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_table_in_endings, 0, (int)(sizeof(ENDINGS) / sizeof(ENDINGS[0])));
    tcase_add_loop_test(tcase, test_depth_zero, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_progress, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_stopped, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_stopped_midway, 0, VARIANT_COUNT);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
