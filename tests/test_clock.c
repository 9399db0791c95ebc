/* Tests of the time management. What a move gets is tuned; that it is there to be spent has to hold. */
#include "search/clock.h"

#include <check.h>
#include <stdlib.h>

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* What may be spent: the clock less the overhead, without a step that could overflow. */
static int64_t spendable(int64_t time, int64_t overhead) {
    if (time <= 0 || (overhead > 0 && time <= overhead)) {
        return 0;
    }
    return overhead < 0 && time > INT64_MAX + overhead ? INT64_MAX : time - overhead;
}

static const int64_t times[] = {
    INT64_MIN,
    INT64_MIN + 1,
    -1000000,
    -1,
    0,
    1,
    2,
    19,
    20,
    21,
    22,
    25,
    30,
    50,
    100,
    999,
    1000,
    10000,
    60000,
    300000,
    7200000,
    INT32_MAX,
    INT32_MAX + INT64_C(1),
    INT64_C(1) << 40,
    INT64_MAX - 1,
    INT64_MAX,
};
static const int64_t increments[] = {INT64_MIN, -1, 0, 1, 100, 10000, INT32_MAX, INT64_C(1) << 40, INT64_MAX};
static const int moves_to_go[] = {INT32_MIN, -1, 0, 1, 2, 10, 39, 40, 41, 10000, INT32_MAX};
static const int64_t overheads[] = {0, 1, 20, 1000, INT64_C(1) << 40, INT64_MAX};

START_TEST(no_more_than_there_is) {
    Color side = (Color)_i;

    for (int t = 0; t < ROWS(times); t++) {
        for (int i = 0; i < ROWS(increments); i++) {
            for (int m = 0; m < ROWS(moves_to_go); m++) {
                for (int o = 0; o < ROWS(overheads); o++) {
                    SearchLimits limits = {.has_clock = true,
                                           .time = {5000, 5000},
                                           .increment = {7, 7},
                                           .movestogo = moves_to_go[m],
                                           .overhead = overheads[o]};
                    limits.time[side] = times[t];
                    limits.increment[side] = increments[i];
                    TimeBudget budget = clock_budget(&limits, side);
                    int64_t most = spendable(times[t], overheads[o]);
                    if (!budget.timed || budget.optimum < 0 || budget.optimum > budget.maximum ||
                        budget.maximum > most) {
                        ck_abort_msg(
                            "time %lld increment %lld movestogo %d overhead %lld: %lld to %lld of %lld",
                            (long long)times[t], (long long)increments[i], moves_to_go[m],
                            (long long)overheads[o], (long long)budget.optimum, (long long)budget.maximum,
                            (long long)most);
                    }
                }
            }
        }
    }
}
END_TEST

START_TEST(more_time_is_never_less) {
    for (int i = 0; i < ROWS(increments); i++) {
        for (int m = 0; m < ROWS(moves_to_go); m++) {
            TimeBudget before = {0};
            for (int64_t time = 0; time < INT64_C(1) << 42; time += 1 + time / 50) {
                SearchLimits limits = {.has_clock = true,
                                       .time = {[WHITE] = time},
                                       .increment = {[WHITE] = increments[i]},
                                       .movestogo = moves_to_go[m],
                                       .overhead = 20};
                TimeBudget budget = clock_budget(&limits, WHITE);
                if (budget.optimum < before.optimum || budget.maximum < before.maximum) {
                    ck_abort_msg("time %lld increment %lld movestogo %d", (long long)time,
                                 (long long)increments[i], moves_to_go[m]);
                }
                before = budget;
            }
        }
    }
}
END_TEST

/* Rows with the least and the most that the optimum and the maximum may be. */
static const struct {
    const char *name;
    SearchLimits limits;
    bool timed;
    int64_t optimum[2], maximum[2];
} budgets[] = {
    {"no limit", {0}, false, {0, 0}, {0, 0}},
    {"depth and nodes", {.has_depth = true, .depth = 9, .has_nodes = true}, false, {0, 0}, {0, 0}},
    {"a clock that does not count", {.time = {60000, 60000}}, false, {0, 0}, {0, 0}},
    {"sudden death", {.has_clock = true, .time = {60000}}, true, {600, 6000}, {600, 48000}},
    {"the other side's clock", {.has_clock = true, .time = {0, 60000}}, true, {0, 0}, {0, 0}},
    {"an increment alone", {.has_clock = true, .increment = {1000}}, true, {0, 0}, {0, 0}},
    {"an increment adds",
     {.has_clock = true, .time = {60000}, .increment = {1000}},
     true,
     {1200, 7000},
     {1200, 48000}},
    {"the last move before the control",
     {.has_clock = true, .time = {10000}, .movestogo = 1},
     true,
     {5000, 9999},
     {5000, 9999}},
    {"a millisecond", {.has_clock = true, .time = {21}, .overhead = 20}, true, {0, 1}, {0, 1}},
    {"nothing but the overhead", {.has_clock = true, .time = {20}, .overhead = 20}, true, {0, 0}, {0, 0}},
    {"less than the overhead", {.has_clock = true, .time = {5}, .overhead = 20}, true, {0, 0}, {0, 0}},
    {"a time per move",
     {.has_movetime = true, .movetime = 500, .overhead = 20},
     true,
     {480, 500},
     {480, 500}},
    {"a time per move of 0", {.has_movetime = true}, true, {0, 0}, {0, 0}},
    {"a time per move below 0", {.has_movetime = true, .movetime = -7}, true, {0, 0}, {0, 0}},
    {"a huge time per move",
     {.has_movetime = true, .movetime = INT64_MAX},
     true,
     {INT32_MAX, INT64_MAX},
     {INT32_MAX, INT64_MAX}},
    {"a time per move within the clock",
     {.has_movetime = true, .movetime = 100, .has_clock = true, .time = {60000}},
     true,
     {80, 100},
     {80, 100}},
    {"a time per move beyond the clock",
     {.has_movetime = true, .movetime = 90000, .has_clock = true, .time = {60000}},
     true,
     {600, 48000},
     {600, 48000}},
    {"a time per move, and no time",
     {.has_movetime = true, .movetime = 500, .has_clock = true, .time = {10}, .overhead = 20},
     true,
     {0, 0},
     {0, 0}},
};

START_TEST(budget_is_sensible) {
    TimeBudget budget = clock_budget(&budgets[_i].limits, WHITE);

    ck_assert_msg(budget.timed == budgets[_i].timed, "%s", budgets[_i].name);
    if (budget.timed) {
        ck_assert_msg(
            budget.optimum >= budgets[_i].optimum[0] && budget.optimum <= budgets[_i].optimum[1] &&
                budget.maximum >= budgets[_i].maximum[0] && budget.maximum <= budgets[_i].maximum[1],
            "%s: %lld to %lld", budgets[_i].name, (long long)budget.optimum, (long long)budget.maximum);
    }
}
END_TEST

START_TEST(each_side_has_its_clock) {
    SearchLimits limits = {
        .has_clock = true, .time = {[WHITE] = 60000, [BLACK] = 6000}, .increment = {0, 10}};
    SearchLimits exchanged = {
        .has_clock = true, .time = {[WHITE] = 6000, [BLACK] = 60000}, .increment = {10, 0}};

    for (Color color = WHITE; color <= BLACK; color++) {
        TimeBudget a = clock_budget(&limits, color);
        TimeBudget b = clock_budget(&exchanged, color_opponent(color));
        ck_assert_int_eq(a.optimum, b.optimum);
        ck_assert_int_eq(a.maximum, b.maximum);
    }
}
END_TEST

START_TEST(clock_goes_forward) {
    int64_t before = clock_now();

    for (int i = 0; i < 1000; i++) {
        int64_t now = clock_now();
        ck_assert_int_ge(now, before);
        before = now;
    }
}
END_TEST

START_TEST(a_fallen_score_takes_longer_and_a_steady_move_less) {
    for (int stable = 0; stable < 20; stable++) {
        ck_assert_int_ge(clock_percent(stable, 0), clock_percent(stable + 1, 0));
        ck_assert_int_gt(clock_percent(stable, 50), clock_percent(stable, 0));
        ck_assert_int_eq(clock_percent(stable, -50), clock_percent(stable, 0));
        ck_assert_int_gt(clock_percent(stable, -32000), 0);
    }
    ck_assert_int_lt(clock_percent(6, 0), clock_percent(0, 0));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("clock");
    TCase *tcase = tcase_create("clock");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, no_more_than_there_is, WHITE, BLACK + 1);
    tcase_add_test(tcase, more_time_is_never_less);
    tcase_add_loop_test(tcase, budget_is_sensible, 0, ROWS(budgets));
    tcase_add_test(tcase, each_side_has_its_clock);
    tcase_add_test(tcase, a_fallen_score_takes_longer_and_a_steady_move_less);
    tcase_add_test(tcase, clock_goes_forward);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
