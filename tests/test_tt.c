/*
 * Tests of the transposition table: what goes in comes out, what is replaced first, and no entry that nobody
 * stored.
 */
#include "tests/random_play.h"

#include "search/score.h"
#include "search/tt.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SEARCHES_TILL_WRAP = 64 };

static TranspositionTable small_table(void) {
    TranspositionTable tt;

    ck_assert_int_eq(tt_init(&tt, 1), 0);
    tt_new_search(&tt);
    return tt;
}

/* The n-th of some keys that share a bucket: only their lowest bits differ, and those do not choose it. */
static Key bucket_key(const TranspositionTable *tt, int n) {
    Key first = UINT64_C(0x123456789ABC0000);
    Key key = first + (Key)n;

    ck_assert_uint_eq(key_index(key, tt->count), key_index(first, tt->count));
    return key;
}

static TTData entry_of_depth(int depth, uint16_t move) {
    return (TTData){.score = depth, .eval = -depth, .depth = depth, .bound = BOUND_EXACT, .move = move};
}

static void store_depth(TranspositionTable *tt, int n, int depth) {
    TTData data = entry_of_depth(depth, (uint16_t)(n + 1));

    tt_store(tt, bucket_key(tt, n), &data);
}

static bool is_there(const TranspositionTable *tt, int n) {
    TTData data;

    return tt_probe(tt, bucket_key(tt, n), &data);
}

static bool data_equal(const TTData *a, const TTData *b) {
    return a->score == b->score && a->eval == b->eval && a->depth == b->depth && a->bound == b->bound &&
           a->move == b->move;
}

static const int scores[] = {SCORE_WIN, -SCORE_WIN,     SCORE_INFINITE,  -SCORE_INFINITE, SCORE_DRAW,
                             1,         SCORE_EVAL_MAX, -SCORE_EVAL_MAX, SCORE_WIN_BOUND, -1};
static const int evals[] = {SCORE_NONE, 0, 1, -1, SCORE_EVAL_MAX, -SCORE_EVAL_MAX};
static const int depths[] = {-1, 0, 1, 127, 128, 254};
static const Bound bounds[] = {BOUND_UPPER, BOUND_LOWER, BOUND_EXACT};
static const uint16_t moves[] = {0, 1, 0x8000, UINT16_MAX};
static const Key keys[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63, UINT64_C(0x0123456789ABCDEF)};

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

START_TEST(every_field_comes_back) {
    TranspositionTable tt = small_table();

    for (int k = 0; k < ROWS(keys); k++) {
        for (int i = 0; i < ROWS(scores) * ROWS(evals) * ROWS(depths) * ROWS(bounds) * ROWS(moves); i++) {
            int rest = i;
            TTData data;
            data.score = scores[rest % ROWS(scores)];
            rest /= ROWS(scores);
            data.eval = evals[rest % ROWS(evals)];
            rest /= ROWS(evals);
            data.depth = depths[rest % ROWS(depths)];
            rest /= ROWS(depths);
            data.bound = bounds[rest % ROWS(bounds)];
            rest /= ROWS(bounds);
            data.move = moves[rest];

            /* Each under a key of its own, else one without a move would keep the last one's. */
            Key key = keys[k] ^ (Key)i << 20;
            TTData found;
            tt_store(&tt, key, &data);
            CHECK_QUICKLY(tt_probe(&tt, key, &found) && data_equal(&data, &found), "key %d, entry %d", k, i);
        }
        tt_clear(&tt);
        tt_new_search(&tt);
    }
    tt_deinit(&tt);
}
END_TEST

START_TEST(every_key_finds_its_own) {
    enum { KEYS = 4000 };
    TranspositionTable tt = small_table();
    uint64_t state = 1;
    TTData data;
    int found = 0;

    for (int i = 0; i < KEYS; i++) {
        data = entry_of_depth(i % 100, (uint16_t)i);
        data.score = i;
        tt_store(&tt, random_next(&state), &data);
    }
    state = 1;
    for (int i = 0; i < KEYS; i++) {
        if (tt_probe(&tt, random_next(&state), &data)) {
            found++;
            ck_assert_int_eq(data.score, i);
        }
    }
    /* They fill a sixteenth of the table, so hardly any had to go. */
    ck_assert_int_ge(found, KEYS * 99 / 100);
    for (int i = 0; i < KEYS; i++) {
        ck_assert(!tt_probe(&tt, random_next(&state), &data));
    }
    tt_deinit(&tt);
}
END_TEST

START_TEST(other_keys_find_nothing) {
    TranspositionTable tt = small_table();
    Key key = bucket_key(&tt, 0);
    TTData data;

    ck_assert(!tt_probe(&tt, 0, &data));
    ck_assert(!tt_probe(&tt, key, &data));
    store_depth(&tt, 0, 5);
    for (int bit = 0; bit < 64; bit++) {
        ck_assert(!tt_probe(&tt, key ^ UINT64_C(1) << bit, &data));
    }
    ck_assert(tt_probe(&tt, key, &data));
    tt_deinit(&tt);
}
END_TEST

START_TEST(torn_entries_match_no_key) {
    enum { ROUNDS = 20000 };
    TranspositionTable tt = small_table();
    uint64_t state = 2;

    /* Another thread may see the first word of one store and the second of another. */
    for (int round = 0; round < ROUNDS; round++) {
        bool same_key = round % 2 == 0;
        Key a = bucket_key(&tt, random_below(&state, 1000));
        Key b = same_key ? a : bucket_key(&tt, 1000 + random_below(&state, 1000));
        TTBucket *bucket = &tt.buckets[key_index(a, tt.count)];
        TTEntry *entry = &bucket->entries[0];
        TTData first = entry_of_depth(random_below(&state, 200), (uint16_t)random_next(&state));
        TTData second = entry_of_depth(random_below(&state, 200), (uint16_t)random_next(&state));
        TTData found;
        first.move |= 1; /* neither borrows the other's */
        second.move |= 1;
        if (same_key && data_equal(&first, &second)) {
            continue;
        }

        memset((void *)bucket, 0, sizeof *bucket);
        tt_store(&tt, a, &first);
        uint64_t first_check = atomic_load(&entry->check);
        uint64_t first_data = atomic_load(&entry->data);
        memset((void *)bucket, 0, sizeof *bucket);
        tt_store(&tt, b, &second);
        uint64_t second_check = atomic_load(&entry->check);
        uint64_t second_data = atomic_load(&entry->data);
        CHECK_QUICKLY(first_data != 0 && second_data != 0, "an empty bucket is not filled from its start");
        if (first_data == second_data) {
            continue; /* then the entry is whole */
        }

        atomic_store(&entry->data, second_data);
        atomic_store(&entry->check, first_check);
        CHECK_QUICKLY(!tt_probe(&tt, a, &found) && !tt_probe(&tt, b, &found), "round %d", round);
        atomic_store(&entry->data, first_data);
        atomic_store(&entry->check, second_check);
        CHECK_QUICKLY(!tt_probe(&tt, a, &found) && !tt_probe(&tt, b, &found), "round %d", round);
    }
    tt_deinit(&tt);
}
END_TEST

enum { CONTENDERS = 3, CONTENDED_KEYS = 6, CONTENDED_ROUNDS = 200000 };

typedef struct {
    TranspositionTable *tt;
    uint64_t seed;
    int wrong;
} Contender;

/* What is stored under a key says which key it is, in every field. */
static TTData telling_data(int n, int round) {
    return (TTData){.score = n * 1000 + round % 100,
                    .eval = -(n * 1000 + round % 100),
                    .depth = round % 100,
                    .bound = BOUND_LOWER,
                    .move = (uint16_t)(n * 1000 + round % 100)};
}

static void *contend(void *argument) {
    Contender *contender = argument;
    TTData found;

    for (int round = 0; round < CONTENDED_ROUNDS; round++) {
        int n = 1 + random_below(&contender->seed, CONTENDED_KEYS);
        Key key = UINT64_C(0x123456789ABC0000) + (Key)n;
        if (round % 2 == 0) {
            TTData data = telling_data(n, random_below(&contender->seed, 100));
            tt_store(contender->tt, key, &data);
        } else if (tt_probe(contender->tt, key, &found)) {
            TTData data = telling_data(n, found.depth);
            contender->wrong += !data_equal(&data, &found);
        }
    }
    return NULL;
}

START_TEST(threads_in_one_bucket_see_whole_entries) {
    TranspositionTable tt = small_table();
    Contender contenders[CONTENDERS];
    pthread_t threads[CONTENDERS];

    for (int i = 0; i < CONTENDERS; i++) {
        contenders[i] = (Contender){.tt = &tt, .seed = (uint64_t)i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, contend, &contenders[i]), 0);
    }
    for (int i = 0; i < CONTENDERS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_int_eq(contenders[i].wrong, 0);
    }
    tt_deinit(&tt);
}
END_TEST

START_TEST(the_shallowest_is_replaced) {
    TranspositionTable tt = small_table();

    for (int shallow = 0; shallow < TT_BUCKET_ENTRIES; shallow++) {
        tt_clear(&tt);
        tt_new_search(&tt);
        for (int n = 0; n < TT_BUCKET_ENTRIES; n++) {
            store_depth(&tt, n, n == shallow ? 3 : 10 + n);
        }
        for (int n = 0; n < TT_BUCKET_ENTRIES; n++) {
            ck_assert(is_there(&tt, n));
        }
        /* Even by one that is shallower still: the newest is the likeliest to be asked for. */
        store_depth(&tt, TT_BUCKET_ENTRIES, -1);
        for (int n = 0; n <= TT_BUCKET_ENTRIES; n++) {
            ck_assert(is_there(&tt, n) == (n != shallow));
        }
    }
    tt_deinit(&tt);
}
END_TEST

START_TEST(the_older_is_replaced) {
    TranspositionTable tt = small_table();

    for (int old = 0; old < TT_BUCKET_ENTRIES; old++) {
        tt_clear(&tt);
        tt_new_search(&tt);
        store_depth(&tt, old, 12);
        tt_new_search(&tt);
        for (int n = 0; n < TT_BUCKET_ENTRIES; n++) {
            if (n != old) {
                store_depth(&tt, n, 10);
            }
        }
        ck_assert(is_there(&tt, old));
        store_depth(&tt, TT_BUCKET_ENTRIES, 1);
        for (int n = 0; n <= TT_BUCKET_ENTRIES; n++) {
            ck_assert(is_there(&tt, n) == (n != old));
        }
    }
    tt_deinit(&tt);
}
END_TEST

START_TEST(a_deep_entry_ages_slowly) {
    TranspositionTable tt = small_table();

    store_depth(&tt, 0, 60);
    tt_new_search(&tt);
    for (int n = 1; n < TT_BUCKET_ENTRIES; n++) {
        store_depth(&tt, n, 4 + n);
    }
    store_depth(&tt, TT_BUCKET_ENTRIES, 4);
    ck_assert(is_there(&tt, 0));
    ck_assert(!is_there(&tt, 1));
    tt_deinit(&tt);
}
END_TEST

START_TEST(the_same_key_takes_its_own_place) {
    TranspositionTable tt = small_table();
    TTData data;

    for (int n = 0; n < TT_BUCKET_ENTRIES; n++) {
        store_depth(&tt, n, 20 + n);
    }
    /* However deep the old one was. */
    TTData shallow = entry_of_depth(0, 77);
    tt_store(&tt, bucket_key(&tt, 3), &shallow);
    for (int n = 0; n < TT_BUCKET_ENTRIES; n++) {
        ck_assert(is_there(&tt, n));
    }
    ck_assert(tt_probe(&tt, bucket_key(&tt, 3), &data));
    ck_assert(data_equal(&data, &shallow));
    tt_deinit(&tt);
}
END_TEST

START_TEST(the_move_is_kept_if_there_is_no_new_one) {
    TranspositionTable tt = small_table();
    TTData first = {.score = 5, .eval = 6, .depth = 9, .bound = BOUND_LOWER, .move = 4321};
    TTData second = {.score = -5, .eval = -6, .depth = 8, .bound = BOUND_UPPER, .move = 0};
    TTData data;
    Key key = bucket_key(&tt, 0);

    tt_store(&tt, key, &first);
    tt_new_search(&tt);
    tt_store(&tt, key, &second);
    second.move = first.move;
    ck_assert(tt_probe(&tt, key, &data));
    ck_assert(data_equal(&data, &second));
    second.move = 1;
    tt_store(&tt, key, &second);
    ck_assert(tt_probe(&tt, key, &data));
    ck_assert(data_equal(&data, &second));

    /* That of another key is none of its business. */
    second.move = 0;
    tt_store(&tt, bucket_key(&tt, 1), &second);
    ck_assert(tt_probe(&tt, bucket_key(&tt, 1), &data));
    ck_assert_uint_eq(data.move, 0);
    tt_deinit(&tt);
}
END_TEST

START_TEST(clear_forgets) {
    TranspositionTable tt = small_table();
    uint64_t state = 3;
    TTData data;

    for (int round = 0; round < 3; round++) {
        uint64_t again = state;
        for (int i = 0; i < 1000; i++) {
            data = entry_of_depth(i % 50, 1);
            tt_store(&tt, random_next(&state), &data);
        }
        tt_clear(&tt);
        ck_assert_int_eq(tt_hashfull(&tt), 0);
        for (int i = 0; i < 1000; i++) {
            ck_assert(!tt_probe(&tt, random_next(&again), &data));
        }
        tt_new_search(&tt);
    }
    tt_clear(&tt);
    tt_clear(&tt);
    tt_deinit(&tt);
}
END_TEST

START_TEST(generations_wrap) {
    TranspositionTable tt = small_table();
    TTData data;

    for (int search = 0; search < 3 * SEARCHES_TILL_WRAP; search++) {
        tt_clear(&tt);
        for (int i = 0; i < search; i++) {
            tt_new_search(&tt);
        }
        /* An entry of the search before goes first, also when the count has begun again since. */
        store_depth(&tt, 0, 12);
        tt_new_search(&tt);
        for (int n = 1; n < TT_BUCKET_ENTRIES; n++) {
            store_depth(&tt, n, 10);
        }
        store_depth(&tt, TT_BUCKET_ENTRIES, 1);
        for (int n = 0; n <= TT_BUCKET_ENTRIES; n++) {
            ck_assert_msg(is_there(&tt, n) == (n != 0), "search %d, entry %d", search, n);
        }
    }

    /* What nobody replaces stays, however old, and as it was. */
    tt_clear(&tt);
    tt_new_search(&tt);
    store_depth(&tt, 0, 12);
    TTData stored = entry_of_depth(12, 1);
    for (int search = 0; search < 2 * SEARCHES_TILL_WRAP; search++) {
        tt_new_search(&tt);
        ck_assert(tt_probe(&tt, bucket_key(&tt, 0), &data));
        ck_assert(data_equal(&data, &stored));
    }
    tt_deinit(&tt);
}
END_TEST

/* So many times as many stores as there are entries leave none empty. */
static void fill(TranspositionTable *tt, int times) {
    uint64_t state = 4;
    TTData data = entry_of_depth(3, 1);

    for (size_t i = 0; i < tt->count * TT_BUCKET_ENTRIES * (size_t)times; i++) {
        tt_store(tt, random_next(&state), &data);
    }
}

START_TEST(hashfull_goes_from_0_to_1000) {
    TranspositionTable tt = {0};

    ck_assert_int_eq(tt_hashfull(&tt), 0);
    tt = small_table();
    ck_assert_int_eq(tt_hashfull(&tt), 0);

    uint64_t state = 5;
    TTData data = entry_of_depth(3, 1);
    int before = 0;
    for (size_t i = 0; i < tt.count * TT_BUCKET_ENTRIES; i++) {
        tt_store(&tt, random_next(&state), &data);
        if (i % 1024 == 0) {
            int now = tt_hashfull(&tt);
            ck_assert_int_ge(now, before);
            before = now;
        }
    }
    /* A table of so many random keys as it has entries is for the most part full, but not quite. */
    ck_assert_int_gt(before, 600);
    ck_assert_int_lt(before, 1000);
    fill(&tt, 10);
    ck_assert_int_eq(tt_hashfull(&tt), 1000);

    tt_new_search(&tt);
    ck_assert_int_eq(tt_hashfull(&tt), 0);
    fill(&tt, 10);
    ck_assert_int_eq(tt_hashfull(&tt), 1000);
    tt_clear(&tt);
    ck_assert_int_eq(tt_hashfull(&tt), 0);
    tt_deinit(&tt);
}
END_TEST

START_TEST(what_cannot_be_had_changes_nothing) {
    TranspositionTable tt = small_table();
    TranspositionTable before = tt;
    struct rlimit limit;
    int errors[2];

    store_depth(&tt, 0, 5);
    /* Whether a terabyte can be mapped depends on the machine; under a limit it cannot. */
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
    struct rlimit narrow = {.rlim_cur = (rlim_t)1 << 30, .rlim_max = limit.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &narrow), 0);
    errors[0] = tt_init(&tt, TT_MEGABYTES_MAX);
    errors[1] = tt_init(&tt, 2048);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);

    ck_assert_int_eq(errors[0], -ENOMEM);
    ck_assert_int_eq(errors[1], -ENOMEM);
    ck_assert(tt.buckets == before.buckets && tt.count == before.count && tt.bytes == before.bytes &&
              tt.generation == before.generation && tt.used == before.used);
    ck_assert(is_there(&tt, 0));
    tt_deinit(&tt);
}
END_TEST

START_TEST(a_zeroed_table_can_be_freed) {
    TranspositionTable tt = {0};

    tt_deinit(&tt);
    tt = small_table();
    tt_deinit(&tt);
    ck_assert_ptr_null(tt.buckets);
    tt_deinit(&tt);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tt");
    TCase *tcase = tcase_create("tt");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, every_field_comes_back);
    tcase_add_test(tcase, every_key_finds_its_own);
    tcase_add_test(tcase, other_keys_find_nothing);
    tcase_add_test(tcase, torn_entries_match_no_key);
    tcase_add_test(tcase, threads_in_one_bucket_see_whole_entries);
    tcase_add_test(tcase, the_shallowest_is_replaced);
    tcase_add_test(tcase, the_older_is_replaced);
    tcase_add_test(tcase, a_deep_entry_ages_slowly);
    tcase_add_test(tcase, the_same_key_takes_its_own_place);
    tcase_add_test(tcase, the_move_is_kept_if_there_is_no_new_one);
    tcase_add_test(tcase, clear_forgets);
    tcase_add_test(tcase, generations_wrap);
    tcase_add_test(tcase, hashfull_goes_from_0_to_1000);
    tcase_add_test(tcase, what_cannot_be_had_changes_nothing);
    tcase_add_test(tcase, a_zeroed_table_can_be_freed);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
