/*
 * Play with endgame databases. CROWNHEAD_TEST_EGDB names a directory that holds them, with
 * CROWNHEAD_TEST_PIECES pieces; else those with up to 4 pieces are made. CROWNHEAD_TEST_ENDINGS is how many
 * of each kind are played.
 */
#include "endgame/build.h"
#include "engine/random.h"
#include "search/worker.h"
#include "search_play.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    char directory[256];
    bool own;
    int pieces;
    int positions;
} World;

static int number_from(const char *name, int otherwise) {
    const char *text = getenv(name);

    return text != NULL ? (int)strtol(text, NULL, 10) : otherwise;
}

/* Databases of a game; with values alone they are always made here. */
static World world_new(Variant variant, bool distances) {
    const char *given = distances ? getenv("CROWNHEAD_TEST_EGDB") : NULL;
    World world = {.own = given == NULL,
                   .pieces = given != NULL ? number_from("CROWNHEAD_TEST_PIECES", 4) : 4,
                   .positions = number_from("CROWNHEAD_TEST_ENDINGS", 60)};

    if (given != NULL) {
        snprintf(world.directory, sizeof world.directory, "%s", given);
        return world;
    }
    snprintf(world.directory, sizeof world.directory, "/tmp/crownhead-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(world.directory));
    for (EgdbKind kind = 0; kind < (distances ? EGDB_KINDS : EGDB_DTW); kind++) {
        BuildOptions options = {.variant = variant,
                                .kind = kind,
                                .pieces = world.pieces,
                                .threads = 2,
                                .memory = UINT64_C(1) << 30,
                                .directory = world.directory};
        ParseError error;
        ck_assert_msg(egdb_build(&options, &error), "%s", error.text);
    }
    return world;
}

static void world_free(World *world) {
    DIR *directory = world->own ? opendir(world->directory) : NULL;
    const struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory != NULL) {
        closedir(directory);
        rmdir(world->directory);
    }
}

/* A random position with so many pieces, White to move, of which the databases know that value. */
static Position random_position(Egdb *egdb, int pieces, Value wanted, uint64_t *state) {
    for (;;) {
        int own = 1 + (int)(random_next(state) % (uint64_t)(pieces - 1));
        int men = (int)(random_next(state) % (uint64_t)(own + 1));
        int other_men = (int)(random_next(state) % (uint64_t)(pieces - own + 1));
        Slice slice = {{(uint8_t)men, (uint8_t)other_men},
                       {(uint8_t)(own - men), (uint8_t)(pieces - own - other_men)}};
        Position position;
        Value value;
        if (slice_position(slice, random_next(state) % slice_size(slice), &position) &&
            egdb_value(egdb, &position, &value) && value == wanted) {
            return position;
        }
    }
}

/* The engine's move in a game. */
static Move choose(Game *game, TranspositionTable *tt, Egdb *egdb, const SearchLimits *wanted) {
    SearchLimits limits = *wanted;
    SearchControl control = {0};
    SearchReport report = {0};
    SearchResult result;

    limits.egdb = egdb;
    ck_assert_int_eq(search_run(game, &limits, tt, &control, &report, &result), 0);
    return result.best;
}

/* Wins in exactly the plies that are stated, when no draw rule stands in the way. */
START_TEST(test_wins_are_won_in_time) {
    static const DrawRules none = {0};
    Variant variant = (Variant)_i;
    World world = world_new(variant, true);
    Egdb *egdb = egdb_open(world.directory, variant, 1 << 22, NULL, NULL);
    TranspositionTable tt = {0};
    uint64_t state = 1;
    int longest = 0;

    ck_assert_ptr_nonnull(egdb);
    ck_assert_int_ge(egdb_pieces(egdb, EGDB_DTW), world.pieces);
    ck_assert_int_eq(tt_init(&tt, 1), 0);
    for (int n = 0; n < world.positions; n++) {
        Position position = random_position(egdb, world.pieces, VALUE_WIN, &state);
        Game game;
        Value value;
        int plies;
        ck_assert(egdb_distance(egdb, &position, &value, &plies) && value == VALUE_WIN);
        game_init(&game, variant, &none, &position, draw_state_init(&none, &position, 0), 1);
        for (int ply = 0; ply < plies; ply++) {
            ck_assert(movegen_has_move(variant, &game.position));
            ck_assert_int_eq(
                game_play(&game, choose(&game, &tt, egdb, &(SearchLimits){.has_depth = true, .depth = 4})),
                0);
        }
        ck_assert_msg(!movegen_has_move(variant, &game.position), "not won after %d plies", plies);
        ck_assert_int_eq(game.position.turn, BLACK);
        longest = plies > longest ? plies : longest;
        game_deinit(&game);
    }
    ck_assert_int_gt(longest, 15);
    tt_deinit(&tt);
    egdb_close(egdb);
    world_free(&world);
}
END_TEST

/* Under the game's own draw rules, neither side ever loses a drawn ending. */
START_TEST(test_draws_are_held) {
    Variant variant = (Variant)_i;
    World world = world_new(variant, true);
    Egdb *egdb = egdb_open(world.directory, variant, 1 << 22, NULL, NULL);
    TranspositionTable tt = {0};
    uint64_t state = 2;

    ck_assert_int_eq(tt_init(&tt, 1), 0);
    for (int n = 0; n < world.positions; n++) {
        const DrawRules *draws = &rules_of(variant)->draws;
        Position position = random_position(egdb, world.pieces, VALUE_DRAW, &state);
        Game game;
        game_init(&game, variant, draws, &position, draw_state_init(draws, &position, 0), 1);
        while (game_result(&game, NULL) == RESULT_OPEN) {
            Value value;
            ck_assert(egdb_value(egdb, &game.position, &value) && value == VALUE_DRAW);
            ck_assert_int_eq(
                game_play(&game, choose(&game, &tt, egdb, &(SearchLimits){.has_depth = true, .depth = 3})),
                0);
        }
        ck_assert_int_eq(game_result(&game, NULL), RESULT_DRAW);
        game_deinit(&game);
    }
    tt_deinit(&tt);
    egdb_close(egdb);
    world_free(&world);
}
END_TEST

/* Without distances a won ending stays won, and is won in the end. */
START_TEST(test_values_alone_make_progress) {
    Variant variant = (Variant)_i;
    World world = world_new(variant, false);
    Egdb *egdb = egdb_open(world.directory, variant, 1 << 22, NULL, NULL);
    TranspositionTable tt = {0};
    int pieces =
        world.pieces < 4 ? world.pieces : 4; /* with more, some wins are too far off for so few nodes */
    uint64_t state = 3;

    ck_assert_int_eq(tt_init(&tt, 8), 0);
    for (int n = 0; n < world.positions / 3; n++) {
        static const DrawRules none = {0};
        Position position = random_position(egdb, pieces, VALUE_WIN, &state);
        Game game;
        game_init(&game, variant, &none, &position, draw_state_init(&none, &position, 0), 1);
        while (game_result(&game, NULL) == RESULT_OPEN && game.length < 300) {
            Value value;
            ck_assert(egdb_value(egdb, &game.position, &value));
            ck_assert_int_eq(value, game.position.turn == WHITE ? VALUE_WIN : VALUE_LOSS);
            SearchLimits limits = {.has_nodes = true, .nodes = 50000};
            ck_assert_int_eq(game_play(&game, choose(&game, &tt, egdb, &limits)), 0);
        }
        ck_assert_msg(game_result(&game, NULL) == RESULT_WHITE_WINS, "position %d: %zu plies and no win", n,
                      game.length);
        game_deinit(&game);
    }
    tt_deinit(&tt);
    egdb_close(egdb);
    world_free(&world);
}
END_TEST

/*
 * The table is full of values from before a capture, when all that comes now was looked up as won: the way
 * must be found all the same.
 */
START_TEST(test_progress_after_a_capture) {
    World world = world_new(VARIANT_ENGLISH, false);
    Egdb *egdb = egdb_open(world.directory, VARIANT_ENGLISH, 1 << 22, NULL, NULL);
    TranspositionTable tt = {0};
    Game game = game_from(VARIANT_ENGLISH, "W:WK14,K18,K23:BK1,K10");

    ck_assert_int_eq(tt_init(&tt, 8), 0);
    while (game_result(&game, NULL) == RESULT_OPEN) {
        SearchLimits limits = {.has_nodes = true, .nodes = 100000};
        ck_assert_int_eq(game_play(&game, choose(&game, &tt, egdb, &limits)), 0);
    }
    ck_assert_int_eq(game_result(&game, NULL), RESULT_WHITE_WINS);
    game_deinit(&game);
    tt_deinit(&tt);
    egdb_close(egdb);
    world_free(&world);
}
END_TEST

static void note_info(void *user, const SearchInfo *info) {
    *(SearchInfo *)user = *info;
}

/* A long win is answered for with its whole line, and without time at once. */
START_TEST(test_a_long_win_costs_no_time) {
    static const DrawRules none = {0};
    Variant variant = (Variant)_i;
    World world = world_new(variant, true);
    Egdb *egdb = egdb_open(world.directory, variant, 1 << 22, NULL, NULL);
    TranspositionTable tt = {0};
    uint64_t state = 4;

    ck_assert_int_eq(tt_init(&tt, 1), 0);
    for (int n = 0; n < world.positions; n++) {
        Position position = random_position(egdb, world.pieces, VALUE_WIN, &state);
        SearchLimits long_ago = {.egdb = egdb, .has_movetime = true}, at_leisure = {.egdb = egdb};
        SearchInfo short_info = {0}, info = {0};
        SearchResult short_result, result;
        SearchControl control = {0};
        Game game;
        game_init(&game, variant, &none, &position, draw_state_init(&none, &position, 0), 1);
        SearchReport report = {.user = &info, .on_info = note_info};
        ck_assert_int_eq(search_run(&game, &at_leisure, &tt, &control, &report, &result), 0);
        report.user = &short_info;
        ck_assert_int_eq(search_run(&game, &long_ago, &tt, &control, &report, &short_result), 0);
        ck_assert_uint_eq(short_result.best, result.best);
        ck_assert_int_eq(short_result.score, result.score);
        ck_assert_int_eq(short_info.length, 1);
        int plies = SCORE_WIN - result.score;
        ck_assert_int_eq(info.length, plies < PV_MAX ? plies : PV_MAX);
        game_deinit(&game);
    }
    tt_deinit(&tt);
    egdb_close(egdb);
    world_free(&world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("known");
    TCase *play = tcase_create("play");
    TCase *answer = tcase_create("answer");
    SRunner *runner;

    tcase_set_timeout(play, 900);
    tcase_add_loop_test(play, test_wins_are_won_in_time, 0, VARIANT_COUNT);
    tcase_add_loop_test(play, test_draws_are_held, 0, VARIANT_COUNT);
    tcase_add_loop_test(play, test_values_alone_make_progress, 0, VARIANT_COUNT);
    tcase_add_test(play, test_progress_after_a_capture);
    suite_add_tcase(suite, play);
    tcase_set_timeout(answer, 900);
    tcase_add_loop_test(answer, test_a_long_win_costs_no_time, 0, VARIANT_COUNT);
    suite_add_tcase(suite, answer);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
