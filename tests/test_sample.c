/* Samples of self-play: their bytes, files that are gone on with, and games that come out the same. */
#include "random_play.h"
#include "search/score.h"
#include "training/selfplay.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const SampleOrigin ORIGIN = {
    .variant = VARIANT_RUSSIAN, .seed = 5, .nodes = 100, .batch = 2, .shards = 1};

static Sample random_sample(uint64_t *random) {
    Sample sample = {.position = random_position(20, random)};

    while (sample.position.pieces[WHITE] == 0 || sample.position.pieces[BLACK] == 0) {
        sample.position = random_position(20, random);
    }
    sample.score = random_below(random, 20001) - 10000;
    sample.result = random_below(random, 3);
    sample.threatened = random_below(random, 2) != 0;
    sample.plies_left = random_below(random, 256);
    return sample;
}

static bool samples_equal(const Sample *a, const Sample *b) {
    return position_equal(&a->position, &b->position) && a->score == b->score && a->result == b->result &&
           a->threatened == b->threatened && a->plies_left == b->plies_left;
}

START_TEST(test_bytes) {
    uint64_t random = 1;

    for (int n = 0; n < 5000; n++) {
        Sample sample = random_sample(&random), read;
        uint8_t bytes[SAMPLE_BYTES];
        sample_pack(&sample, bytes);
        CHECK_QUICKLY(sample_unpack(bytes, &read) && samples_equal(&sample, &read), "sample %d", n);
        bytes[14] |= 6; /* a result that there is not */
        CHECK_QUICKLY(!sample_unpack(bytes, &read), "sample %d", n);
    }
}
END_TEST

static long size_of(const char *path) {
    struct stat status;

    ck_assert_int_eq(stat(path, &status), 0);
    return (long)status.st_size;
}

/* What a file holds, and that it is the first of the samples that are given. */
static uint32_t read_all(const char *path, const Sample *samples, uint32_t blocks[], int *blocks_count) {
    SampleFile file;
    ParseError error;
    Sample *block;
    uint32_t count, all = 0;

    ck_assert(sample_file_read(&file, path, &error));
    ck_assert_int_eq(file.origin.variant, ORIGIN.variant);
    ck_assert_uint_eq(file.origin.seed, ORIGIN.seed);
    *blocks_count = 0;
    while ((block = sample_file_next(&file, &count)) != NULL) {
        for (uint32_t i = 0; i < count; i++) {
            ck_assert(samples_equal(&block[i], &samples[all + i]));
        }
        all += count;
        blocks[(*blocks_count)++] = count;
        free(block);
    }
    sample_file_close(&file);
    return all;
}

START_TEST(test_torn_files) {
    char path[] = "/tmp/crownhead-samples-XXXXXX";
    int fd = mkstemp(path);
    Sample samples[60];
    uint32_t blocks[8];
    int count;
    uint64_t random = 2;
    SampleFile file;
    ParseError error;

    ck_assert_int_ge(fd, 0);
    close(fd);
    for (int i = 0; i < 60; i++) {
        samples[i] = random_sample(&random);
    }
    ck_assert(sample_file_append(&file, path, &ORIGIN, &error));
    for (uint32_t batch = 0; batch < 3; batch++) {
        ck_assert_int_eq(sample_file_write(&file, batch, samples + batch * 20, 20), 0);
    }
    SampleFile other;
    ck_assert(!sample_file_append(&other, path, &ORIGIN, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "another run"));
    sample_file_close(&file);
    ck_assert_uint_eq(read_all(path, samples, blocks, &count), 60);
    ck_assert_int_eq(count, 3);

    long whole = size_of(path);
    for (long cut = 1; cut <= 336; cut += 67) {
        ck_assert_int_eq(truncate(path, whole - cut), 0);
        ck_assert_uint_eq(read_all(path, samples, blocks, &count), 40);
        ck_assert(sample_file_append(&file, path, &ORIGIN, &error));
        ck_assert_int_eq(file.batches, 2);
        ck_assert_uint_eq(file.samples, 40);
        ck_assert_int_eq(sample_file_write(&file, 2, samples + 40, 20), 0);
        sample_file_close(&file);
        ck_assert_int_eq(size_of(path), whole);
        ck_assert_uint_eq(read_all(path, samples, blocks, &count), 60);
    }
    SampleOrigin others = ORIGIN;
    others.nodes++;
    ck_assert(!sample_file_append(&file, path, &others, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "other options"));
    ck_assert_int_eq(size_of(path), whole);
    unlink(path);
}
END_TEST

/* A game's number is all that it depends on; its samples are quiet, and carry one result. */
START_TEST(test_games) {
    Variant variant = (Variant)_i;
    SelfplayOptions options = {.variant = variant, .seed = 3, .nodes = 200};
    TranspositionTable tt = {0};
    SampleList list = {0}, again = {0};
    int results[3] = {0};

    ck_assert_int_eq(tt_init(&tt, SELFPLAY_MEGABYTES), 0);
    for (uint64_t number = 0; number < 20; number++) {
        list.count = again.count = 0;
        ck_assert_int_eq(selfplay_game(&options, number, &tt, &list), 0);
        ck_assert_int_eq(selfplay_game(&options, number, &tt, &again), 0);
        ck_assert_uint_eq(list.count, again.count);
        for (uint32_t i = 0; i < list.count; i++) {
            const Sample *sample = &list.samples[i];
            CHECK_QUICKLY(samples_equal(sample, &again.samples[i]), "game %d differs", (int)number);
            CHECK_QUICKLY(!movegen_can_capture(variant, &sample->position, (Color)sample->position.turn),
                          "not quiet");
            const Sample *first = &list.samples[0];
            CHECK_QUICKLY(
                (sample->position.turn == first->position.turn ? sample->result : 2 - sample->result) ==
                    first->result,
                "two results");
            CHECK_QUICKLY(i == 0 || sample->plies_left <= first->plies_left, "plies");
            results[sample->result]++;
        }
    }
    ck_assert(results[0] > 0 && results[1] > 0 && results[2] > 0);
    free(list.samples);
    free(again.samples);
    tt_deinit(&tt);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sample");
    TCase *tcase = tcase_create("sample");

    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, test_bytes);
    tcase_add_test(tcase, test_torn_files);
    tcase_add_loop_test(tcase, test_games, 0, VARIANT_COUNT);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
