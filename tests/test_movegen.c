/*
 * The move generator against the slow one of naive.c on random positions: moves, ways to play them, the
 * questions asked without a list, and the positions and keys that moves lead to. CROWNHEAD_TEST_POSITIONS
 * sets the number of positions a game, CROWNHEAD_TEST_SEED the seed; a failure tells both the seed and the
 * position.
 */
#include "engine/key.h"
#include "engine/movegen.h"
#include "engine/random.h"
#include "tests/naive.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAME_PLIES = 160 };

typedef struct {
    uint64_t seed;
    uint64_t state;
} Random;

static uint64_t number_from_environment(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

/* A position under test with all that the slow generator knows about it. */
typedef struct {
    Variant variant;
    const NaiveRules *rules;
    const Random *random;
    NaiveBoard board;
    Position position;
    NaiveList routes;
    bool seen[NAIVE_ROUTES_MAX];
    Move move; /* whose paths are visited */
    bool path_failed;
} Trial;

static void mismatch(const Trial *trial, const char *what, const char *detail) {
    char text[NAIVE_TEXT_SIZE];
    ck_abort_msg("%s %s: %s %s (seed %" PRIu64 ")", trial->rules->name, naive_write(&trial->board, text),
                 what, detail, trial->random->seed);
}

static void move_text(Move move, char text[static 64]) {
    snprintf(text, 64, "%d-%d x%09" PRIx64 "%s", square_number(move_from(move)), square_number(move_to(move)),
             move_captured(move), move_crowns(move) ? " crowned" : "");
}

static bool same_squares(const NaiveRoute *route, const Path *path) {
    if (path->count != route->captures + 1) {
        return false;
    }
    for (int i = 0; i < path->count; i++) {
        if (square_number(path->squares[i]) != route->square[i]) {
            return false;
        }
    }
    return true;
}

static bool visit_path(void *user, const Path *path) {
    Trial *trial = user;
    for (int i = 0; i < trial->routes.count; i++) {
        const NaiveRoute *route = &trial->routes.route[i];
        if (!trial->seen[i] && same_squares(route, path) && naive_to_move(route) == trial->move) {
            trial->seen[i] = true;
            return false;
        }
    }
    trial->path_failed = true;
    return true;
}

static int compare_moves(const void *a, const void *b) {
    Move x = *(const Move *)a;
    Move y = *(const Move *)b;
    return x < y ? -1 : x > y;
}

static void check_list(Trial *trial, const MoveList *list) {
    static Move expected[NAIVE_ROUTES_MAX];
    Move found[MOVES_MAX];
    char text[64];
    int count = 0;

    for (int i = 0; i < trial->routes.count; i++) {
        expected[i] = naive_to_move(&trial->routes.route[i]);
    }
    qsort(expected, (size_t)trial->routes.count, sizeof(expected[0]), compare_moves);
    for (int i = 0; i < trial->routes.count; i++) {
        if (count == 0 || expected[count - 1] != expected[i]) {
            expected[count++] = expected[i];
        }
    }
    if (list->count < 0 || list->count > MOVES_MAX) {
        mismatch(trial, "the list is out of bounds", "");
    }
    memcpy(found, list->moves, (size_t)list->count * sizeof(found[0]));
    qsort(found, (size_t)list->count, sizeof(found[0]), compare_moves);
    for (int i = 0; i < count && i < list->count; i++) {
        if (found[i] != expected[i]) {
            bool missing = expected[i] < found[i];
            move_text(missing ? expected[i] : found[i], text);
            mismatch(trial, missing ? "misses" : "has too much", text);
        }
    }
    if (count != list->count) {
        move_text(count > list->count ? expected[list->count] : found[count], text);
        mismatch(trial, count > list->count ? "misses" : "has too much", text);
    }
}

static void check_paths(Trial *trial, const MoveList *list) {
    char text[64];
    if (list->count == 0 || !move_is_capture(list->moves[0])) {
        return;
    }
    memset(trial->seen, 0, (size_t)trial->routes.count * sizeof(trial->seen[0]));
    trial->path_failed = false;
    for (int i = 0; i < list->count; i++) {
        trial->move = list->moves[i];
        bool stopped = movegen_visit_paths(trial->variant, &trial->position, trial->move, visit_path, trial);
        if (stopped || trial->path_failed) {
            move_text(trial->move, text);
            mismatch(trial, "a path is wrong or comes twice:", text);
        }
    }
    for (int i = 0; i < trial->routes.count; i++) {
        if (!trial->seen[i]) {
            move_text(naive_to_move(&trial->routes.route[i]), text);
            mismatch(trial, "a path is missing:", text);
        }
    }
}

static void check_after(Trial *trial) {
    Key key = key_of(&trial->position);
    char text[64];
    for (int i = 0; i < trial->routes.count; i++) {
        NaiveBoard board = trial->board;
        naive_play(&board, &trial->routes.route[i]);
        Position expected = naive_to_position(&board);
        Move move = naive_to_move(&trial->routes.route[i]);
        Position after = position_after(&trial->position, move);
        if (!position_equal(&expected, &after)) {
            move_text(move, text);
            mismatch(trial, "position_after differs:", text);
        }
        if (key_after(key, &trial->position, move) != key_of(&after)) {
            move_text(move, text);
            mismatch(trial, "key_after differs:", text);
        }
    }
}

/* Compares everything at trial->board. */
static void check_position(Trial *trial) {
    MoveList list;
    trial->position = naive_to_position(&trial->board);
    naive_routes(trial->rules, &trial->board, &trial->routes);
    movegen_generate(trial->variant, &trial->position, &list);
    check_list(trial, &list);
    if (movegen_has_move(trial->variant, &trial->position) != (trial->routes.count > 0)) {
        mismatch(trial, "movegen_has_move is wrong", "");
    }
    if (movegen_can_capture(trial->variant, &trial->position, WHITE) !=
        naive_can_capture(trial->rules, &trial->board, 'w')) {
        mismatch(trial, "movegen_can_capture is wrong for", "white");
    }
    if (movegen_can_capture(trial->variant, &trial->position, BLACK) !=
        naive_can_capture(trial->rules, &trial->board, 'b')) {
        mismatch(trial, "movegen_can_capture is wrong for", "black");
    }
    check_paths(trial, &list);
    check_after(trial);
}

/* Puts up to most pieces of each side on random squares; kings out of ten pieces are kings. */
static NaiveBoard random_board(Random *random, int most, int kings) {
    NaiveBoard board;
    memset(board.cell, '.', sizeof(board.cell));
    board.turn = "wb"[random_below(&random->state, 2)];
    for (int side = 0; side < 2; side++) {
        int pieces = random_below(&random->state, most + 1);
        while (pieces > 0) {
            int row = random_below(&random->state, 8);
            int column = random_below(&random->state, 4) * 2 + row % 2;
            bool king = random_below(&random->state, 10) < kings;
            if (board.cell[row][column] == '.' && (king || row != (side == 0 ? 7 : 0))) {
                board.cell[row][column] = (king ? "WB" : "wb")[side];
                pieces--;
            }
        }
    }
    return board;
}

/* One draw a statement: the order in which a compiler evaluates arguments would show in the positions. */
static NaiveBoard random_placement(Random *random) {
    int most = 1 + random_below(&random->state, SIDE_PIECES);
    int kings = random_below(&random->state, 11);
    return random_board(random, most, kings);
}

/* Random games start where games do, or from few pieces, where kings live long. */
static NaiveBoard game_start(const NaiveRules *rules, Random *random) {
    if (random_below(&random->state, 2) == 0) {
        return naive_start(rules);
    }
    int kings = random_below(&random->state, 11);
    return random_board(random, 6, kings);
}

static Random random_for(int test) {
    uint64_t seed = number_from_environment("CROWNHEAD_TEST_SEED", 20240229);
    return (Random){.seed = seed, .state = seed + (uint64_t)test * 0x2545f4914f6cdd1du};
}

static void begin(Trial *trial, int variant, const Random *random) {
    trial->variant = (Variant)variant;
    trial->rules = naive_rules_of(RULES[variant].name);
    trial->random = random;
    ck_assert_msg(trial->rules != NULL, "naive.c does not know %s", RULES[variant].name);
}

START_TEST(test_random_placements) {
    static Trial trial;
    Random random = random_for(_i);
    uint64_t positions = number_from_environment("CROWNHEAD_TEST_POSITIONS", 200000) / 2;

    begin(&trial, _i, &random);
    for (uint64_t i = 0; i < positions; i++) {
        trial.board = random_placement(&random);
        check_position(&trial);
    }
}
END_TEST

START_TEST(test_random_games) {
    static Trial trial;
    Random random = random_for(VARIANT_COUNT + _i);
    uint64_t positions = number_from_environment("CROWNHEAD_TEST_POSITIONS", 200000) / 2;

    begin(&trial, _i, &random);
    int plies = GAME_PLIES;
    for (uint64_t i = 0; i < positions; i++) {
        if (plies == GAME_PLIES) {
            trial.board = game_start(trial.rules, &random);
            plies = 0;
        }
        check_position(&trial);
        if (trial.routes.count == 0) {
            plies = GAME_PLIES;
        } else {
            naive_play(&trial.board, &trial.routes.route[random_below(&random.state, trial.routes.count)]);
            plies++;
        }
    }
}
END_TEST

/* The first position is the one of the rules. */
START_TEST(test_start) {
    const NaiveRules *rules = naive_rules_of(RULES[_i].name);
    NaiveBoard board = naive_start(rules);
    Position expected = naive_to_position(&board);
    Position start = position_start(&RULES[_i]);
    ck_assert(position_equal(&expected, &start));
}
END_TEST

static bool stop_at_second(void *user, const Path *path) {
    int *calls = user;
    (void)path;
    return ++*calls == 2;
}

/* A ring of four pieces can be taken in two directions; the visitor may stop in between. */
START_TEST(test_visit_stops) {
    NaiveBoard board = naive_read("W:WK30:B8,10,19,25");
    Position position = naive_to_position(&board);
    MoveList list;
    int several = 0;
    movegen_generate(VARIANT_RUSSIAN, &position, &list);
    ck_assert_int_eq(list.count, 3);
    for (int i = 0; i < list.count; i++) {
        int calls = 0;
        bool stopped = movegen_visit_paths(VARIANT_RUSSIAN, &position, list.moves[i], stop_at_second, &calls);
        ck_assert_int_eq(stopped, calls == 2);
        several += stopped;
    }
    ck_assert_int_eq(several, 1);
}
END_TEST

/* Two generations of one position give the same order, whatever was generated in between. */
START_TEST(test_order_is_stable) {
    Random random = random_for(1000 + _i);
    static Position positions[1000];
    static MoveList lists[1000];
    for (int i = 0; i < 1000; i++) {
        NaiveBoard board = random_placement(&random);
        positions[i] = naive_to_position(&board);
        movegen_generate((Variant)_i, &positions[i], &lists[i]);
    }
    for (int i = 999; i >= 0; i--) {
        MoveList list;
        movegen_generate((Variant)_i, &positions[i], &list);
        ck_assert_int_eq(list.count, lists[i].count);
        ck_assert_mem_eq(list.moves, lists[i].moves, (size_t)list.count * sizeof(list.moves[0]));
    }
}
END_TEST

int main(void) {
    Random random = random_for(0);
    Suite *suite = suite_create("movegen");
    TCase *tcase = tcase_create("differential");
    fprintf(stderr, "seed %" PRIu64 "\n", random.seed);
    tcase_set_timeout(tcase, 900);
    tcase_add_loop_test(tcase, test_start, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_random_placements, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_random_games, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, test_order_is_stable, 0, VARIANT_COUNT);
    tcase_add_test(tcase, test_visit_stops);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
