/* Tests of the bench: its positions are sound, and its signature is one. */
#include "tests/search_play.h"

#include "bench/bench.h"

#include <errno.h>
#include <stdlib.h>

enum { DEPTH = 7, POSITIONS_MIN = 40, POSITIONS_MAX = 512 };

/* What a run told. */
typedef struct {
    SearchControl *control;
    int stop_after; /* positions, 0 = never */
    int count;
    int of[VARIANT_COUNT];
    uint64_t nodes;
    BenchLine lines[POSITIONS_MAX];
} Run;

static void note(void *user, const BenchLine *line) {
    Run *run = user;

    ck_assert_int_lt(run->count, POSITIONS_MAX);
    run->lines[run->count++] = *line;
    run->of[line->variant]++;
    run->nodes += line->nodes;
    ck_assert_int_eq(line->number, run->count);
    if (run->count == run->stop_after) {
        atomic_store(&run->control->stop, true);
    }
}

static BenchResult bench(const BenchOptions *options, Run *run) {
    BenchResult result;

    ck_assert_int_eq(bench_run(options, NULL, note, run, &result), 0);
    ck_assert_int_eq(result.positions, run->count);
    ck_assert_uint_eq(result.nodes, run->nodes);
    return result;
}

/* Too large for a stack. */
static Run *run_new(void) {
    Run *run = calloc(1, sizeof *run);

    ck_assert_ptr_nonnull(run);
    return run;
}

START_TEST(positions_are_sound) {
    Run *run = run_new();
    BenchOptions options = {.variant = VARIANT_COUNT, .depth = 1};

    bench(&options, run);
    ck_assert_int_ge(run->count, POSITIONS_MIN);
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        ck_assert_int_gt(run->of[variant], 0);
    }
    for (int i = 0; i < run->count; i++) {
        const BenchLine *line = &run->lines[i];
        Game game = game_from(line->variant, line->fen);
        ck_assert_int_eq(line->count, run->count);
        ck_assert_int_eq(line->depth, options.depth);
        ck_assert_msg(game_result(&game, NULL) == RESULT_OPEN, "%s", line->fen);
        move_from_text(&game, line->best, strlen(line->best));
        for (int k = 0; k < i; k++) {
            Game other = game_from(run->lines[k].variant, run->lines[k].fen);
            ck_assert_msg(line->variant != run->lines[k].variant ||
                              !position_equal(&game.position, &other.position),
                          "%s twice", line->fen);
        }
    }
    free(run);
}
END_TEST

START_TEST(signature_is_the_same_twice) {
    Run *first = run_new();
    Run *second = run_new();
    BenchOptions options = {.variant = VARIANT_COUNT, .depth = DEPTH, .megabytes = 1};

    BenchResult a = bench(&options, first);
    BenchResult b = bench(&options, second);
    ck_assert_uint_eq(a.nodes, b.nodes);
    for (int i = 0; i < first->count; i++) {
        ck_assert_uint_eq(first->lines[i].nodes, second->lines[i].nodes);
        ck_assert_int_eq(first->lines[i].score, second->lines[i].score);
        ck_assert_str_eq(first->lines[i].best, second->lines[i].best);
    }
    free(first);
    free(second);
}
END_TEST

START_TEST(one_game_is_its_share_of_both) {
    BenchOptions options = {.variant = VARIANT_COUNT, .depth = DEPTH, .megabytes = 1};
    Run *both = run_new();
    uint64_t nodes = 0;

    bench(&options, both);
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        Run *run = run_new();
        options.variant = variant;
        nodes += bench(&options, run).nodes;
        ck_assert_int_eq(run->of[variant], run->count);
        ck_assert_int_eq(run->count, both->of[variant]);
        free(run);
    }
    /* Each position begins with an empty table, so none depends on those before it. */
    ck_assert_uint_eq(nodes, both->nodes);
    free(both);
}
END_TEST

START_TEST(bench_can_be_stopped) {
    enum { AFTER = 3 };
    SearchControl control = {0};
    BenchOptions options = {.variant = VARIANT_COUNT, .depth = DEPTH, .megabytes = 1};
    Run *run = run_new();
    BenchResult result;

    run->control = &control;
    run->stop_after = AFTER;
    ck_assert_int_eq(bench_run(&options, &control, note, run, &result), -ECANCELED);
    ck_assert_int_eq(result.positions, AFTER);
    ck_assert_uint_eq(result.nodes, run->nodes);
    ck_assert_int_eq(bench_run(&options, &control, NULL, NULL, &result), -ECANCELED);
    ck_assert_int_eq(result.positions, 0);
    free(run);
}
END_TEST

START_TEST(last_line_is_nodes_and_speed) {
    char text[BENCH_TEXT_SIZE];

    bench_write_result(&(BenchResult){.positions = 1, .nodes = 3000000, .nanoseconds = 1500000000}, text);
    ck_assert_str_eq(text, "3000000 nodes 2000000 nps");
    bench_write_result(&(BenchResult){0}, text);
    ck_assert_ptr_nonnull(strstr(text, "0 nodes "));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bench");
    TCase *tcase = tcase_create("bench");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, positions_are_sound);
    tcase_add_test(tcase, signature_is_the_same_twice);
    tcase_add_test(tcase, one_game_is_its_share_of_both);
    tcase_add_test(tcase, bench_can_be_stopped);
    tcase_add_test(tcase, last_line_is_nodes_and_speed);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
