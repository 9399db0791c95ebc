/* Perft in jobs: what is split, written, read, counted and put together is the perft at once. */
#include "bench/perft.h"
#include "bench/perft_jobs.h"
#include "engine/fen.h"
#include "tests/random_play.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES_MAX = 5 };

/* Captures in several orders, kings, and trees that end before the jobs begin. */
static const struct {
    Variant variant;
    const char *fen; /* NULL = the first position */
    int depth;
} TASKS[] = {
    {VARIANT_ENGLISH, NULL, 9},
    {VARIANT_RUSSIAN, NULL, 9},
    {VARIANT_ENGLISH, "W:WK3,K7,18,25,29:B6,K15,K22,23,24", 9},
    {VARIANT_RUSSIAN, "W:WKa1,c1,Kg1:Bd6,f6,Kh2,c3", 7},
    {VARIANT_RUSSIAN, "W:WKa1:Bc3,e3,g5,d6,f6,b6", 9},
    {VARIANT_ENGLISH, "W:W18:B14", 9},
    {VARIANT_ENGLISH, "B:W18:B29", 9},
};

enum { TASKS_COUNT = sizeof TASKS / sizeof TASKS[0] };

static PerftTask task_of(int index, bool unique) {
    Variant variant = TASKS[index].variant;
    PerftTask task = {variant, position_start(rules_of(variant)), TASKS[index].depth, unique};
    const char *fen = TASKS[index].fen;
    FenRecord record;
    ParseError error;

    if (fen != NULL) {
        ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s: %s", fen, error.text);
        task.position = record.position;
    }
    return task;
}

static uint64_t perft(Variant variant, const Position *position, PerftOptions options) {
    static PerftResult result;

    ck_assert_int_eq(perft_run(variant, position, &options, NULL, NULL, NULL, &result), 0);
    return result.count;
}

static uint64_t perft_of(const PerftTask *task, int depth) {
    return perft(task->variant, &task->position,
                 (PerftOptions){.depth = depth, .unique = task->unique, .threads = 1});
}

/* The job as it comes back after it was written. */
static PerftJob through_text(const PerftJob *job) {
    PerftJob read = {0};
    ParseError error;
    char *line = perft_job_write(job);

    CHECK_QUICKLY(line != NULL && strchr(line, '\n') == NULL, "not one line");
    CHECK_QUICKLY(perft_job_read(view_of(line), &read, &error), "%s: %s", line, error.text);
    CHECK_QUICKLY(read.number == job->number && read.total == job->total && read.depth == job->depth &&
                      read.part.weight == job->part.weight &&
                      position_equal(&read.part.position, &job->part.position) &&
                      read.counted == job->counted && read.count == job->count,
                  "another job came back from %s", line);
    CHECK_QUICKLY(read.task.variant == job->task.variant && read.task.depth == job->task.depth &&
                      read.task.unique == job->task.unique &&
                      position_equal(&read.task.position, &job->task.position),
                  "another task came back from %s", line);
    free(line);
    return read;
}

/* Counts the jobs from the last to the first, with a table they share, and gives each to the sum. */
static void count_jobs(const PerftSplit *split, PerftSum *sum) {
    PerftTable table = {0};
    ParseError error;

    ck_assert_int_eq(perft_table_init(&table, 1), 0);
    for (size_t i = split->count; i-- > 0;) {
        PerftJob job = perft_job_of(split, i);
        job = through_text(&job);
        job.counted = true;
        job.count = perft(
            split->task.variant, &job.part.position,
            (PerftOptions){.depth = job.depth, .unique = split->task.unique, .threads = 1, .table = &table});
        job = through_text(&job);
        CHECK_QUICKLY(perft_sum_add(sum, &job, &error) == 0, "%s", error.text);
    }
    perft_table_deinit(&table);
}

START_TEST(jobs_add_up) {
    PerftTask task = task_of(_i / 2, _i % 2 == 1);
    uint64_t whole = perft_of(&task, task.depth);

    for (int plies = 0; plies <= PLIES_MAX; plies++) {
        PerftSplit split;
        PerftSum sum = {0};
        ParseError error;
        uint64_t total = 0;

        ck_assert_int_eq(perft_split(&task, plies, SIZE_MAX, &split), 0);
        count_jobs(&split, &sum);
        ck_assert_msg(perft_sum_check(&sum, &error) == 0, "%s", error.text);
        ck_assert_msg(perft_sum_total(&sum, &total, &error) == 0, "%s", error.text);
        ck_assert_uint_eq(total, whole);
        perft_sum_deinit(&sum);
        perft_split_deinit(&split);
    }
}
END_TEST

START_TEST(parts_are_distinct_and_weighed) {
    PerftTask task = task_of(_i / 2, _i % 2 == 1);

    for (int plies = 0; plies <= PLIES_MAX; plies++) {
        PerftSplit split;
        uint64_t weights = 0;
        ck_assert_int_eq(perft_split(&task, plies, SIZE_MAX, &split), 0);
        ck_assert_int_eq(split.plies, plies);
        ck_assert_uint_ge(split.count, 1);
        for (size_t i = 0; i < split.count; i++) {
            weights += split.parts[i].weight;
            for (size_t k = 0; k < i; k++) {
                CHECK_QUICKLY(!position_equal(&split.parts[i].position, &split.parts[k].position),
                              "%zu and %zu are the same", i, k);
            }
        }
        ck_assert_uint_eq(weights, perft_of(&task, plies));
        perft_split_deinit(&split);
    }
}
END_TEST

START_TEST(transpositions_are_merged) {
    PerftTask task = task_of(0, false);
    PerftSplit split;

    /* 7361 ways of five plies, but not as many positions. */
    ck_assert_int_eq(perft_split(&task, 5, SIZE_MAX, &split), 0);
    ck_assert_uint_eq(perft_of(&task, 5), 7361);
    ck_assert_uint_lt(split.count, 4000);
    perft_split_deinit(&split);
    ck_assert_int_eq(perft_split(&task, 9, SIZE_MAX, &split), 0);
    ck_assert_uint_gt(split.count, 50000);
    ck_assert_uint_lt(split.count, perft_of(&task, 9) / 15);
    perft_split_deinit(&split);
}
END_TEST

START_TEST(an_ended_tree_is_one_job_without_weight) {
    PerftTask task = task_of(TASKS_COUNT - 1, false);
    PerftSplit split;

    ck_assert_int_eq(perft_split(&task, 3, SIZE_MAX, &split), 0);
    ck_assert_uint_eq(split.count, 1);
    ck_assert_uint_eq(split.parts[0].weight, 0);
    perft_split_deinit(&split);
}
END_TEST

START_TEST(weights_beyond_counting) {
    PerftTask task = {.variant = VARIANT_ENGLISH, .depth = PERFT_DEPTH_MAX};
    PerftSplit split;
    FenRecord record;
    ParseError error;

    ck_assert(fen_read("W:WK22:BK3", 10, &record, &error));
    task.position = record.position;
    ck_assert_int_eq(perft_split(&task, 20, SIZE_MAX, &split), 0);
    perft_split_deinit(&split);
    ck_assert_int_eq(perft_split(&task, PERFT_DEPTH_MAX, SIZE_MAX, &split), -EOVERFLOW);
}
END_TEST

/* ---- Faults -------------------------------------------------------------------------------------------- */

#define FIRST "\"variant\":\"english\",\"fen\":\"B:W18:B1\","
#define LAST ",\"of\":{\"fen\":\"B:W18:B1\",\"depth\":5}"

static const struct {
    const char *line;
    const char *error; /* how it begins; NULL = it is a job */
} LINES[] = {
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST "}", NULL},
    {" {\"jobs\":1,\"job\":1,\"new\":[]," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST "} ", NULL},
    {"", "torn or not JSON, from byte "},
    {"{\"job\":1,\"jobs\":1," FIRST "\"dep", "torn or not JSON, from byte "},
    {"{\"job\":1,\"job\":1}", "torn or not JSON, from byte "},
    {"[1]", "no job: 'jobs' must be a number from 1 to 4194304"},
    {"12", "torn or not JSON, from byte "},
    {"{}", "no job: 'jobs' must be a number from 1 to 4194304"},
    {"{\"job\":3,\"jobs\":2," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST "}",
     "no job: 'job' must be a number from 1 to 2"},
    {"{\"job\":0,\"jobs\":2," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST "}",
     "no job: 'job' must be a number from 1 to 2"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":61,\"weight\":1,\"unique\":false" LAST "}",
     "no job: 'depth' must be a number from 0 to 60"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":6,\"weight\":1,\"unique\":false" LAST "}",
     "no job: depth 6 of a perft of depth 5"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":-1,\"unique\":false" LAST "}",
     "no job: 'weight' must be a number from 0 to 9223372036854775807"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":\"1\",\"unique\":false" LAST "}",
     "no job: 'weight' must be a number from 0 to 9223372036854775807"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":0" LAST "}",
     "no job: 'unique' must be true or false"},
    {"{\"job\":1,\"jobs\":4611686018427387904," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST "}",
     "no job: 'jobs' must be a number from 1 to 4194304"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false}", "no job: 'of' is missing"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false,\"of\":7}",
     "no job: 'fen' must be a text"},
    {"{\"job\":1,\"jobs\":1," FIRST
     "\"depth\":1,\"weight\":1,\"unique\":false,\"of\":{\"fen\":\"B:W18:B1\",\"depth\":13}}",
     NULL},
    {"{\"job\":1,\"jobs\":1," FIRST
     "\"depth\":0,\"weight\":1,\"unique\":false,\"of\":{\"fen\":\"B:W18:B1\",\"depth\":13}}",
     "no job: depth 0 of a perft of depth 13, which is cut more than 12 plies down"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST
     ",\"seconds\":999999999999.9}",
     NULL},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST ",\"seconds\":1e12}",
     "no job: 'seconds' must be a number from 0 to below 1e+12"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST ",\"seconds\":-0.1}",
     "no job: 'seconds' must be a number from 0 to below 1e+12"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST ",\"seconds\":\"1\"}",
     "no job: 'seconds' must be a number from 0 to below 1e+12"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST ",\"count\":1.5}",
     "no job: 'count' must be a number from 0 to 9223372036854775807"},
    {"{\"job\":1,\"jobs\":1," FIRST "\"depth\":5,\"weight\":1,\"unique\":false" LAST ",\"count\":null}",
     "no job: 'count' must be a number from 0 to 9223372036854775807"},
    {"{\"job\":1,\"jobs\":1,\"variant\":\"chess\",\"fen\":\"B:W18:B1\"}", "no job: unknown game 'chess'"},
    {"{\"job\":1,\"jobs\":1,\"variant\":\"english\",\"fen\":\"B:W18:B18\"}",
     "bad FEN: a square is named twice at '18'"},
    {"{\"job\":1,\"jobs\":1,\"variant\":7}", "no job: 'variant' must be a text"},
};

START_TEST(lines_are_read) {
    PerftJob job = {.number = 77};
    ParseError error = {{0}};
    bool good = perft_job_read(view_of(LINES[_i].line), &job, &error);

    const char *wanted = LINES[_i].error != NULL ? LINES[_i].error : "";

    ck_assert_int_eq(good, LINES[_i].error == NULL);
    ck_assert_msg(strncmp(error.text, wanted, strlen(wanted)) == 0, "'%s' and not '%s'", error.text, wanted);
    ck_assert_uint_eq(job.number, good ? 1 : 77);
}
END_TEST

START_TEST(torn_lines_are_no_jobs) {
    PerftTask task = task_of(3, false);
    PerftSplit split;

    ck_assert_int_eq(perft_split(&task, 2, SIZE_MAX, &split), 0);
    PerftJob job = perft_job_of(&split, 0);
    job.counted = true;
    job.count = 1234567;
    char *line = perft_job_write(&job);
    for (size_t length = 0; length < strlen(line); length++) {
        ParseError error;
        CHECK_QUICKLY(!perft_job_read((View){line, length}, &job, &error), "%zu bytes of %s", length, line);
        CHECK_QUICKLY(!perft_job_read((View){line + length + 1, strlen(line) - length - 1}, &job, &error),
                      "%zu bytes off %s", length + 1, line);
    }
    free(line);
    perft_split_deinit(&split);
}
END_TEST

/* A sum of all jobs but the first, each counted as 2. */
static void most_jobs(const PerftSplit *split, PerftSum *sum) {
    ParseError error;

    for (size_t i = 1; i < split->count; i++) {
        PerftJob job = perft_job_of(split, i);
        job.counted = true;
        job.count = 2;
        ck_assert_int_eq(perft_sum_add(sum, &job, &error), 0);
    }
}

static void assert_refused(PerftSum *sum, const PerftJob *job, const char *reason) {
    ParseError error = {{0}};

    ck_assert_int_eq(perft_sum_add(sum, job, &error), -EINVAL);
    ck_assert_str_eq(error.text, reason);
}

START_TEST(sums_see_what_is_wrong) {
    PerftTask task = task_of(0, false);
    PerftSplit split;
    PerftSum sum = {0};
    ParseError error = {{0}};
    uint64_t total = 99;

    ck_assert_int_eq(perft_sum_check(&sum, &error), -EINVAL);
    ck_assert_str_eq(error.text, "there are no jobs");

    ck_assert_int_eq(perft_split(&task, 2, SIZE_MAX, &split), 0);
    most_jobs(&split, &sum);
    ck_assert_uint_eq(split.count, 49);
    ck_assert_int_eq(perft_sum_check(&sum, &error), -EINVAL);
    ck_assert_str_eq(error.text, "1 of 49 jobs missing, the first is job 1");
    ck_assert_ptr_null(sum.culprit);

    const PerftJob first = perft_job_of(&split, 0);
    PerftJob job = first;
    assert_refused(&sum, &job, "job 1 has no count");
    job.total++;
    assert_refused(&sum, &job, "job 1 is one of 50 of depth 7, but the first one of 49 of depth 7");
    job = first;
    job.depth++;
    assert_refused(&sum, &job, "job 1 is one of 49 of depth 8, but the first one of 49 of depth 7");
    job = first;
    job.task.unique = true;
    assert_refused(&sum, &job, "job 1 is of another perft than the first");
    job = first;
    job.task.variant = VARIANT_RUSSIAN;
    assert_refused(&sum, &job, "job 1 is of another perft than the first");
    job = first;
    job.task.depth++;
    assert_refused(&sum, &job, "job 1 is of another perft than the first");
    job = first;
    job.task.position.turn ^= 1;
    assert_refused(&sum, &job, "job 1 is of another perft than the first");

    job = perft_job_of(&split, 6);
    job.counted = true;
    job.count = 3;
    assert_refused(&sum, &job, "job 7 has the count 3, but before 2");
    job.count = 2;
    job.part.weight++;
    assert_refused(&sum, &job, "job 7 has another position or weight than before");
    job.part = split.parts[7];
    assert_refused(&sum, &job, "job 7 has another position or weight than before");
    job.part = split.parts[6];
    ck_assert_int_eq(perft_sum_add(&sum, &job, &error), 0);

    job = first;
    job.counted = true;
    job.count = 2;
    ck_assert_int_eq(perft_sum_add(&sum, &job, &error), 0);
    ck_assert_int_eq(perft_sum_check(&sum, &error), 0);
    ck_assert_int_eq(perft_sum_total(&sum, &total, &error), 0);
    ck_assert_uint_eq(total, 2 * perft_of(&task, 2));
    perft_sum_deinit(&sum);

    most_jobs(&split, &sum);
    job.count = INT64_MAX;
    ck_assert_int_eq(perft_sum_add(&sum, &job, &error), 0);
    ck_assert_int_eq(perft_sum_check(&sum, &error), 0);
    ck_assert_int_eq(perft_sum_total(&sum, &total, &error), -EINVAL);
    ck_assert_str_eq(error.text, "job 1 brings the sum beyond counting");
    ck_assert_uint_eq(sum.culprit->number, 1);
    perft_sum_deinit(&sum);
    perft_split_deinit(&split);
}
END_TEST

/* Adds jobs that agree with each other alone; whom the check blames. */
static void assert_unmasked(const PerftSum *wanted, const PerftJob *jobs, size_t count, uint64_t number,
                            const char *reason) {
    PerftSum sum = {.partial = wanted->partial};
    ParseError error = {{0}};

    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(perft_sum_add(&sum, &jobs[i], &error), 0);
    }
    ck_assert_int_eq(perft_sum_check(&sum, &error), -EINVAL);
    ck_assert_str_eq(error.text, reason);
    ck_assert_uint_eq(sum.culprit != NULL ? sum.culprit->number : 0, number);
    perft_sum_deinit(&sum);
}

START_TEST(jobs_are_held_against_their_task) {
    const PerftSum whole = {.partial = false}, partial = {.partial = true};
    PerftTask task = task_of(0, false);
    PerftSplit split;
    PerftJob jobs[7];

    ck_assert_int_eq(perft_split(&task, 1, SIZE_MAX, &split), 0);
    ck_assert_uint_eq(split.count, 7);
    for (size_t i = 0; i < 7; i++) {
        jobs[i] = perft_job_of(&split, i);
        jobs[i].counted = true;
        jobs[i].total = 3;
    }
    assert_unmasked(&whole, jobs, 2, 0, "1 of 3 jobs missing, the first is job 3");
    assert_unmasked(&whole, jobs, 3, 1, "job 1: this perft is not cut into 3 jobs of depth 8");
    assert_unmasked(&partial, jobs, 1, 1, "job 1: this perft is not cut into 3 jobs of depth 8");
    for (size_t i = 0; i < 7; i++) {
        jobs[i].total = 7;
    }
    jobs[5].part.weight++;
    assert_unmasked(&whole, jobs, 7, 6, "job 6 has another position or weight than the split gives it");
    jobs[4].part = jobs[3].part;
    assert_unmasked(&partial, jobs + 4, 1, 5, "job 5 has another position or weight than the split gives it");
    perft_split_deinit(&split);
}
END_TEST

/* A line that speaks of a deep task costs neither the time nor the memory of one. */
START_TEST(large_claims_cost_little) {
    const PerftSum whole = {.partial = false}, partial = {.partial = true};
    static const char fen[] = "W:WKa1,Kc1,Ke1,Kg1:BKb8,Kd8,Kf8,Kh8";
    PerftTask task = {.variant = VARIANT_RUSSIAN, .depth = 14};
    FenRecord record;
    ParseError error;
    PerftSplit split;

    ck_assert(fen_read(fen, strlen(fen), &record, &error));
    task.position = record.position;
    ck_assert_int_eq(perft_split(&task, PERFT_SPLIT_MAX, 10000, &split), -E2BIG);
    PerftJob job = {.task = task, .number = 1, .total = PERFT_JOBS_MAX, .depth = 2, .counted = true};
    job.part.position = task.position;
    assert_unmasked(&whole, &job, 1, 0, "4194303 of 4194304 jobs missing, the first is job 2");
    job.total = 1;
    assert_unmasked(&whole, &job, 1, 1, "job 1: this perft is not cut into 1 jobs of depth 2");
    assert_unmasked(&partial, &job, 1, 1, "job 1: this perft is not cut into 1 jobs of depth 2");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("perft_jobs");
    TCase *tcase = tcase_create("perft_jobs");

    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, jobs_add_up, 0, 2 * TASKS_COUNT);
    tcase_add_loop_test(tcase, parts_are_distinct_and_weighed, 0, 2 * TASKS_COUNT);
    tcase_add_test(tcase, transpositions_are_merged);
    tcase_add_test(tcase, an_ended_tree_is_one_job_without_weight);
    tcase_add_test(tcase, weights_beyond_counting);
    tcase_add_loop_test(tcase, lines_are_read, 0, sizeof LINES / sizeof LINES[0]);
    tcase_add_test(tcase, torn_lines_are_no_jobs);
    tcase_add_test(tcase, sums_see_what_is_wrong);
    tcase_add_test(tcase, jobs_are_held_against_their_task);
    tcase_add_test(tcase, large_claims_cost_little);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
