/* The schedule of matches of many shapes, game by game. */
#include "match/schedule.h"
#include "tests/random_play.h"

#include <stdlib.h>
#include <string.h>

enum { ENGINES_MAX = 6, OPENINGS_MAX = 9 };

/* How often what happened. */
typedef struct {
    int games[ENGINES_MAX][ENGINES_MAX];                  /* first, second */
    int openings[ENGINES_MAX][ENGINES_MAX][OPENINGS_MAX]; /* likewise */
} Counts;

/* Checks every game of a match by its place and by the game before it. */
static void walk(const Schedule *schedule, Counts *counts) {
    int pairings = (int)schedule_pairings(schedule);
    int64_t games = schedule_games(schedule);
    ScheduledGame before = {0};
    int pairs = 0;

    memset(counts, 0, sizeof *counts);
    for (int64_t index = 0; index < games; index++) {
        ScheduledGame game = schedule_game(schedule, index);
        CHECK_QUICKLY(game.round == index / (pairings * schedule->games), "round");
        CHECK_QUICKLY(game.pairing == index / schedule->games % pairings, "pairing");
        CHECK_QUICKLY(game.first != game.second && game.first >= 0 && game.second >= 0 &&
                          game.first < schedule->engines && game.second < schedule->engines,
                      "engines %d %d", game.first, game.second);
        CHECK_QUICKLY(!schedule->gauntlet || game.first == 0 || game.second == 0, "not with engine 0");
        CHECK_QUICKLY(game.opening >= 0 && game.opening < schedule->openings, "opening %d", game.opening);
        CHECK_QUICKLY(game.second_of_pair == (index % schedule->games % 2 == 1), "second of pair");
        if (game.second_of_pair) {
            CHECK_QUICKLY(game.pair == before.pair && game.opening == before.opening &&
                              game.round == before.round && game.pairing == before.pairing,
                          "the second game is of another pair");
            CHECK_QUICKLY(game.first == before.second && game.second == before.first, "colours");
        } else {
            CHECK_QUICKLY(game.pair == pairs, "pair %d, not %d", game.pair, pairs);
            pairs++;
        }
        if (index > 0 && game.pairing == before.pairing && game.round == before.round) {
            CHECK_QUICKLY(game.opening == (before.opening + !game.second_of_pair) % schedule->openings,
                          "openings in sequence");
        } else if (game.pairing == 0) {
            int last = index == 0 ? schedule->start - 1 : before.opening;
            CHECK_QUICKLY(game.opening == (last + 1) % schedule->openings, "a round goes on");
        } else {
            int64_t first = (int64_t)game.round * pairings * schedule->games;
            CHECK_QUICKLY(game.opening == schedule_game(schedule, first).opening, "the same for all");
        }
        counts->games[game.first][game.second]++;
        counts->openings[game.first][game.second][game.opening]++;
        before = game;
    }
}

static bool meet(const Schedule *schedule, int one, int other) {
    return one != other && (!schedule->gauntlet || one == 0 || other == 0);
}

START_TEST(every_shape_of_a_match) {
    static Counts counts;

    for (int engines = 2; engines <= ENGINES_MAX; engines++) {
        for (int games = 1; games <= 7; games++) {
            for (int rounds = 1; rounds <= 4; rounds++) {
                for (int openings = 1; openings <= OPENINGS_MAX; openings++) {
                    Schedule schedule = {.engines = engines,
                                         .gauntlet = _i == 1,
                                         .games = games,
                                         .rounds = rounds,
                                         .openings = openings,
                                         .start = (games + rounds) % openings,
                                         .shards = 1};
                    int pairings = _i == 1 ? engines - 1 : engines * (engines - 1) / 2;
                    ck_assert_int_eq(schedule_pairings(&schedule), pairings);
                    ck_assert_int_eq(schedule_games(&schedule), pairings * games * rounds);
                    walk(&schedule, &counts);
                    for (int one = 0; one < engines; one++) {
                        for (int other = 0; other < engines; other++) {
                            int total = counts.games[one][other] + counts.games[other][one];
                            CHECK_QUICKLY(total == (meet(&schedule, one, other) ? games * rounds : 0),
                                          "%d and %d play %d games", one, other, total);
                            CHECK_QUICKLY(abs(counts.games[one][other] - counts.games[other][one]) <= 1,
                                          "%d and %d: colours", one, other);
                        }
                    }
                }
            }
        }
    }
}
END_TEST

/* With two games an opening and the whole deck, each plays each opening with both colours. */
START_TEST(every_pairing_meets_every_opening_with_both_colours) {
    static Counts counts;

    for (int rounds = 1; rounds <= 3; rounds++) {
        for (int start = 0; start < OPENINGS_MAX; start++) {
            Schedule schedule = {.engines = ENGINES_MAX,
                                 .gauntlet = _i == 1,
                                 .games = 2 * OPENINGS_MAX / 3,
                                 .rounds = 3 * rounds,
                                 .openings = OPENINGS_MAX,
                                 .start = start,
                                 .shards = 1};
            walk(&schedule, &counts);
            for (int one = 0; one < ENGINES_MAX; one++) {
                for (int other = 0; other < ENGINES_MAX; other++) {
                    for (int opening = 0; opening < OPENINGS_MAX; opening++) {
                        CHECK_QUICKLY(counts.openings[one][other][opening] ==
                                          (meet(&schedule, one, other) ? rounds : 0),
                                      "%d, %d, opening %d", one, other, opening);
                    }
                }
            }
        }
    }
}
END_TEST

START_TEST(lone_games_share_the_colours) {
    Schedule schedule = {.engines = 5, .games = 1, .rounds = 1, .openings = 1, .shards = 1};
    int first[5] = {0};

    for (int64_t index = 0; index < schedule_games(&schedule); index++) {
        first[schedule_game(&schedule, index).first]++;
    }
    for (int engine = 0; engine < 5; engine++) {
        ck_assert_int_eq(first[engine], 2);
    }
}
END_TEST

/* Every game is one shard's, with its pair, and the shards have as much to do as each other. */
START_TEST(shards_partition) {
    for (int shards = 1; shards <= 8; shards++) {
        for (int games = 1; games <= 5; games++) {
            int pairs[8] = {0};
            Schedule schedule = {.engines = 4, .games = games, .rounds = 5, .openings = 7, .shards = shards};
            int before = -1;
            for (int64_t index = 0; index < schedule_games(&schedule); index++) {
                ScheduledGame game = schedule_game(&schedule, index);
                int owner = -1;
                for (int shard = 0; shard < shards; shard++) {
                    schedule.shard = shard;
                    if (schedule_mine(&schedule, index)) {
                        CHECK_QUICKLY(owner == -1, "two shards play a game");
                        owner = shard;
                    }
                }
                CHECK_QUICKLY(owner >= 0, "no shard plays a game");
                CHECK_QUICKLY(!game.second_of_pair || owner == before, "a pair is cut");
                pairs[owner] += !game.second_of_pair;
                before = owner;
            }
            for (int shard = 0; shard < shards; shard++) {
                ck_assert_int_le(pairs[0] - pairs[shard], 1);
                ck_assert_int_ge(pairs[0] - pairs[shard], 0);
            }
        }
    }
}
END_TEST

START_TEST(long_matches) {
    Schedule schedule = {
        .engines = 2, .games = 2, .rounds = 5000000, .openings = 2253, .start = 2252, .shards = 3};

    ck_assert_int_eq(schedule_games(&schedule), SCHEDULE_GAMES_MAX);
    ScheduledGame game = schedule_game(&schedule, SCHEDULE_GAMES_MAX - 1);
    ck_assert_int_eq(game.round, 4999999);
    ck_assert_int_eq(game.pair, 4999999);
    ck_assert_int_eq(game.opening, (2252 + 4999999) % 2253);
    ck_assert(game.second_of_pair);

    schedule = (Schedule){.engines = 2, .games = SCHEDULE_GAMES_MAX, .rounds = 1, .openings = 1, .shards = 1};
    ck_assert_int_eq(schedule_game(&schedule, SCHEDULE_GAMES_MAX - 1).pair, SCHEDULE_GAMES_MAX / 2 - 1);

    /* Beyond counting, but not beyond saying so. */
    schedule =
        (Schedule){.engines = 1000, .games = INT32_MAX, .rounds = INT32_MAX, .openings = 1, .shards = 1};
    ck_assert(schedule_games(&schedule) == INT64_MAX);
    schedule.games = 1;
    ck_assert(schedule_games(&schedule) == (int64_t)499500 * INT32_MAX);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("schedule");
    TCase *tcase = tcase_create("schedule");

    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, every_shape_of_a_match, 0, 2);
    tcase_add_loop_test(tcase, every_pairing_meets_every_opening_with_both_colours, 0, 2);
    tcase_add_test(tcase, lone_games_share_the_colours);
    tcase_add_test(tcase, shards_partition);
    tcase_add_test(tcase, long_matches);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
