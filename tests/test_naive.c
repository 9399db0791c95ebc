/*
 * Proves the slow generator by published perft figures, also for the games that only it knows yet: what the
 * fast one is compared with must be right itself.
 */
#include "tests/naive.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows above this are left to the fast generator, unless CROWNHEAD_TEST_LEAVES says otherwise. */
static const uint64_t COUNT_MAX = 1000000;

static void check_row(const NaiveRules *rules, const char *fen, int depth, uint64_t count, bool unique) {
    NaiveBoard board = strcmp(fen, "start") == 0 ? naive_start(rules) : naive_read(fen);
    uint64_t found = naive_perft(rules, &board, depth, unique);
    ck_assert_msg(found == count, "%s %s depth %d %s: %" PRIu64 ", published %" PRIu64, rules->name, fen,
                  depth, unique ? "unique" : "paths", found, count);
}

START_TEST(test_published_perft) {
    const NaiveRules *rules = &NAIVE_RULES[_i];
    char path[512];
    char line[512];
    int rows = 0;
    const char *data = getenv("CROWNHEAD_TEST_DATA");
    const char *leaves = getenv("CROWNHEAD_TEST_LEAVES");
    uint64_t most = leaves != NULL ? strtoull(leaves, NULL, 10) : COUNT_MAX;

    snprintf(path, sizeof(path), "%s/perft.tsv", data != NULL ? data : "tests/data");
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    while (fgets(line, sizeof(line), file) != NULL) {
        char name[32];
        char fen[256];
        char mode[16];
        int depth = 0;
        uint64_t count = 0;
        int fields = sscanf(line, "%31s %255s %d %" SCNu64 " %15s", name, fen, &depth, &count, mode);
        if (fields == 5 && strcmp(name, rules->name) == 0 && count <= most) {
            check_row(rules, fen, depth, count, strcmp(mode, "unique") == 0);
            rows++;
        }
    }
    fclose(file);
    ck_assert_msg(rows >= 30, "%s has only %d rows", rules->name, rows);
}
END_TEST

/* The empty side, the blocked side and the texts. */
START_TEST(test_edges) {
    static NaiveList list;
    char text[NAIVE_TEXT_SIZE];
    NaiveBoard board = naive_read("W:W32,K1:BK12,5,9");
    ck_assert_str_eq(naive_write(&board, text), "W:WK1,32:B5,9,K12");

    board = naive_read("B:W12:B");
    naive_routes(&NAIVE_RULES[0], &board, &list);
    ck_assert_int_eq(list.count, 0);

    board = naive_read("B:W9,14:B5");
    naive_routes(&NAIVE_RULES[0], &board, &list);
    ck_assert_int_eq(list.count, 0);

    Position position = naive_to_position(&board);
    NaiveBoard again = naive_from_position(&position);
    ck_assert_mem_eq(&board, &again, sizeof(board));
}
END_TEST

/* Captures that the rules describe in words; counts of routes, paths and moves. */
static const struct {
    const char *game;
    const char *fen;
    int routes;
    int paths;
    int moves;
} CASES[] = {
    {"english", "B:W26,27:B24", 1, 1, 1},       /* crowned, stops */
    {"russian", "B:W26,27:B24", 3, 3, 3},       /* crowned, goes on flying */
    {"pool", "B:W26,27:B24", 1, 1, 1},          /* reaches the last row and goes on as a man, to 22 */
    {"russian", "W:W14:B10,18", 2, 2, 2},       /* a man takes backward */
    {"english", "W:W14:B10,18", 1, 1, 1},       /* and may not */
    {"russian", "W:WK4:B11", 5, 5, 5},          /* any landing square */
    {"russian", "W:WK10:B6,24", 2, 2, 2},       /* a taken piece leaves only at the end */
    {"russian", "W:WK7:B10,15,27", 1, 1, 1},    /* a taken piece still blocks */
    {"russian", "W:WK30:B8,10,19,25", 4, 4, 3}, /* the start square is empty; one ring in two directions */
};

START_TEST(test_cases) {
    static NaiveList list;
    const NaiveRules *rules = naive_rules_of(CASES[_i].game);
    NaiveBoard board = naive_read(CASES[_i].fen);
    naive_routes(rules, &board, &list);
    ck_assert_msg(list.count == CASES[_i].routes, "%s %s: %d routes", rules->name, CASES[_i].fen, list.count);
    naive_reduce_to_paths(&list);
    ck_assert_msg(list.count == CASES[_i].paths, "%s %s: %d paths", rules->name, CASES[_i].fen, list.count);
    naive_reduce_to_moves(&list);
    ck_assert_msg(list.count == CASES[_i].moves, "%s %s: %d moves", rules->name, CASES[_i].fen, list.count);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("naive");
    TCase *tcase = tcase_create("rules");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_published_perft, 0, NAIVE_GAMES);
    tcase_add_test(tcase, test_edges);
    tcase_add_loop_test(tcase, test_cases, 0, (int)(sizeof(CASES) / sizeof(CASES[0])));
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
