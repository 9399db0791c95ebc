/* Tests of the levels: what their numbers mean, and that a search of a level keeps to them. */
#include "search/level.h"

#include "tests/random_play.h"
#include "tests/search_play.h"

#include <stdlib.h>

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

static const Variant VARIANTS[] = {VARIANT_ENGLISH, VARIANT_RUSSIAN};

static Game start_of(Variant variant) {
    return game_from(variant, variant == VARIANT_ENGLISH ? "B:W21-32:B1-12" : "W:W21-32:B1-12");
}

/* What a level plays, knowing nothing from before. */
static SearchResult play_level(const Game *game, int elo, uint64_t seed, int threads) {
    TranspositionTable tt = table_of(1);
    SearchLimits limits = {.level = level_of(elo, seed), .threads = threads};
    SearchResult result = search_game(game, &limits, &tt);

    tt_deinit(&tt);
    return result;
}

static void assert_same(const SearchResult *a, const SearchResult *b) {
    ck_assert_uint_eq(a->best, b->best);
    ck_assert_uint_eq(a->ponder, b->ponder);
    ck_assert_int_eq(a->score, b->score);
    ck_assert_uint_eq(a->nodes, b->nodes);
}

START_TEST(more_elo_is_never_less) {
    Level before = level_of(LEVEL_ELO_MIN, 0);

    ck_assert_uint_gt(before.nodes, 0);
    ck_assert_int_le(before.overlook, 1000);
    for (int elo = LEVEL_ELO_MIN + 1; elo <= LEVEL_ELO_MAX; elo++) {
        Level level = level_of(elo, 0);
        ck_assert_uint_ge(level.nodes, before.nodes);
        ck_assert_int_le(level.misjudge, before.misjudge);
        ck_assert_int_le(level.overlook, before.overlook);
        ck_assert_int_ge(level.pieces, before.pieces);
        /* No step is more than a few Elo can be. */
        ck_assert_uint_le(level.nodes * 100, before.nodes * 110 + 100);
        before = level;
    }
    ck_assert(!level_errs(&before));
    ck_assert_int_eq(before.pieces, LEVEL_PIECES_ALL);
}
END_TEST

START_TEST(equal_seeds_make_equal_moves) {
    Game game = start_of(VARIANTS[_i]);
    int others = 0;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        SearchResult one = play_level(&game, 1000, seed, 1);
        SearchResult again = play_level(&game, 1000, seed, 1);
        SearchResult threads = play_level(&game, 1000, seed, 4);
        SearchResult other = play_level(&game, 1000, seed + 100, 1);
        assert_same(&one, &again);
        assert_same(&one, &threads);
        others += one.best != other.best;
    }
    ck_assert_int_gt(others, 5);
    game_deinit(&game);
}
END_TEST

START_TEST(highest_level_is_a_search_of_so_many_nodes) {
    Game game = start_of(VARIANTS[_i]);
    TranspositionTable tt = table_of(1);
    SearchLimits full = {.has_nodes = true, .nodes = level_of(LEVEL_ELO_MAX, 0).nodes};
    SearchResult level = play_level(&game, LEVEL_ELO_MAX, 99, 1);
    SearchResult result = search_game(&game, &full, &tt);

    assert_same(&level, &result);
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(stricter_limit_counts) {
    Game game = start_of(VARIANTS[_i]);
    TranspositionTable tt = table_of(1);
    SearchLimits limits = {.has_nodes = true, .nodes = 700, .level = level_of(LEVEL_ELO_MAX, 0)};

    ck_assert_uint_le(search_game(&game, &limits, &tt).nodes, 701);
    limits.level = (Level){.nodes = 300};
    ck_assert_uint_le(search_game(&game, &limits, &tt).nodes, 301);
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen, *move;
} forced[] = {
    {VARIANT_ENGLISH, "W:W26,30,32:B23,2", "26x19"},
    {VARIANT_RUSSIAN, "W:Wc3,a1:Bd4,h8,a7", "c3xe5"},
};

START_TEST(a_forced_move_takes_no_thought) {
    Game game = game_from(forced[_i].variant, forced[_i].fen);
    Move move = move_from_text(&game, forced[_i].move, strlen(forced[_i].move));

    for (int elo = LEVEL_ELO_MIN; elo <= LEVEL_ELO_MAX; elo += 100) {
        SearchResult result = play_level(&game, elo, 1, 1);
        ck_assert_uint_eq(result.best, move);
        ck_assert_uint_lt(result.nodes, 100);
    }
    game_deinit(&game);
}
END_TEST

START_TEST(misjudgement_is_bounded_and_even) {
    const Level level = {.nodes = 1, .misjudge = 50, .seed = 1};
    const Level other = {.nodes = 1, .misjudge = 50, .seed = 2};
    const Level none = {.nodes = 1, .overlook = 1000, .seed = 1};
    uint64_t random = 1;
    int sum = 0, large = 0, differs = 0;

    for (int round = 0; round < 10000; round++) {
        Position position = random_position(12, &random);
        int error = level_misjudgement(&level, &position);
        CHECK_QUICKLY(abs(error) <= 50, "%d", error);
        CHECK_QUICKLY(error == level_misjudgement(&level, &position), "two errors of one position");
        CHECK_QUICKLY(level_misjudgement(&none, &position) == 0, "an error of none");
        differs += error != level_misjudgement(&other, &position);
        large += abs(error) > 25;
        sum += error;
    }
    ck_assert_int_lt(abs(sum), 10000); /* the mean's standard error is 0.2 */
    ck_assert_int_gt(differs, 9000);
    ck_assert(large > 2000 && large < 3000); /* a quarter, of a triangle */
}
END_TEST

/* For how many seeds a level leaves a move in the list, after a move that came to the square of before. */
static int seen(int overlook, const Game *game, const char *text, int before, int seeds) {
    Square to = square_from_number(before > 0 ? before : 1);
    Move led = before > 0 ? move_make(to, to, 0, false) : MOVE_NONE;
    Move move = move_from_text(game, text, strlen(text));
    int count = 0;

    for (int seed = 1; seed <= seeds; seed++) {
        const Level level = {.nodes = 1, .overlook = overlook, .seed = (uint64_t)seed};
        MoveList list;
        movegen_generate(game->variant, &game->position, &list);
        level_overlook(&level, game->variant, &game->position, led, &list);
        for (int i = 0; i < list.count; i++) {
            count += list.moves[i] == move;
        }
    }
    return count;
}

static const struct {
    Variant variant;
    const char *fen, *move;
    int before;  /* where the move before ended, a number; 0 = there was none */
    int percent; /* how often it is overlooked at worst */
} sights[] = {
    {VARIANT_ENGLISH, "W:W26,30,32:B23,2", "26x19", 23, 0},
    {VARIANT_ENGLISH, "W:W26,30,32:B23,2", "26x19", 2, 40},
    {VARIANT_ENGLISH, "W:W26,30,32:B23,2", "26x19", 0, 40},
    {VARIANT_ENGLISH, "W:W31:B26,18,1", "31x22x15", 26, 70},
    {VARIANT_ENGLISH, "W:W31:B26,18,11", "31x22x15x8", 26, 100},
    {VARIANT_ENGLISH, "W:W31,5:B12,1", "31-27", 0, 0},
    {VARIANT_ENGLISH, "W:W31,6:B12,3", "6-1", 0, 0},
    {VARIANT_ENGLISH, "W:W21,29:B14,3", "21-17", 14, 100},
    {VARIANT_ENGLISH, "W:WK10,31:B12,3", "10-15", 0, 60},
    {VARIANT_ENGLISH, "B:W31:BK18,3", "18-14", 0, 60},
    {VARIANT_ENGLISH, "B:W31:BK18,3", "18-23", 0, 0},
    {VARIANT_RUSSIAN, "W:WKa1:Bd4,h8", "a1xe5", 20, 40},
};

START_TEST(what_is_hard_to_see) {
    Game game = game_from(sights[_i].variant, sights[_i].fen);

    ck_assert_int_eq(seen(0, &game, sights[_i].move, sights[_i].before, 100), 100);
    int missed = 1000 - seen(1000, &game, sights[_i].move, sights[_i].before, 1000);
    ck_assert_msg(abs(missed - 10 * sights[_i].percent) <= 50, "%s: %d", sights[_i].move, missed);
    missed = 1000 - seen(500, &game, sights[_i].move, sights[_i].before, 1000);
    ck_assert_msg(abs(missed - 5 * sights[_i].percent) <= 50, "%s: %d", sights[_i].move, missed);
    game_deinit(&game);
}
END_TEST

enum { LOSS_POSITIONS = 24, LOSS_SEEDS = 20, LOSS_DEPTH = 10, LOSS_MOST = 400 };

/* The first is none: moves by chance alone. */
static const int LOSS_ELOS[] = {0, LEVEL_ELO_MIN, 1200, 1550, 1900};

/* The values of a position's moves for who makes them, by a search of full strength. */
static void value_moves(const Game *game, const MoveList *list, int *values) {
    TranspositionTable tt = table_of(1);
    SearchLimits limits = {.has_depth = true, .depth = LOSS_DEPTH};

    for (int i = 0; i < list->count; i++) {
        Game next;
        ck_assert_int_eq(game_copy(&next, game), 0);
        ck_assert_int_eq(game_play(&next, list->moves[i]), 0);
        values[i] = -search_game(&next, &limits, &tt).score;
        game_deinit(&next);
    }
    tt_deinit(&tt);
}

/* Adds what the moves of each level give away in a position. False if all is decided there. */
static bool add_losses(const Game *game, int64_t losses[]) {
    int values[MOVES_MAX];
    int best = -SCORE_INFINITE;
    MoveList list;

    movegen_generate(game->variant, &game->position, &list);
    value_moves(game, &list, values);
    for (int i = 0; i < list.count; i++) {
        best = values[i] > best ? values[i] : best;
    }
    if (abs(best) > LOSS_MOST) {
        return false;
    }
    for (int at = 0; at < ROWS(LOSS_ELOS); at++) {
        for (int seed = 1; seed <= LOSS_SEEDS; seed++) {
            Move move = at == 0 ? list.moves[seed % list.count]
                                : play_level(game, LOSS_ELOS[at], (uint64_t)seed, 1).best;
            for (int i = 0; i < list.count; i++) {
                int loss = best - values[i];
                losses[at] += list.moves[i] != move ? 0 : loss > LOSS_MOST ? LOSS_MOST : loss;
            }
        }
    }
    return true;
}

START_TEST(weaker_levels_give_more_away) {
    Game game = start_of(VARIANTS[_i]);
    int64_t losses[ROWS(LOSS_ELOS)] = {0};
    uint64_t random = 3;

    for (int done = 0; done < LOSS_POSITIONS;) {
        MoveList list;
        movegen_generate(game.variant, &game.position, &list);
        if (list.count == 0 || game.length > 40) {
            game_deinit(&game);
            game = start_of(VARIANTS[_i]);
            continue;
        }
        if (game.length > 6 && list.count > 2 && random_below(&random, 4) == 0) {
            done += add_losses(&game, losses);
        }
        /* Sensible games, all different. */
        Move move = play_level(&game, 1300, random_next(&random), 1).best;
        ck_assert_int_eq(game_play(&game, move), 0);
    }
    for (int at = 1; at < ROWS(LOSS_ELOS); at++) {
        ck_assert_msg(losses[at] * 100 < losses[at - 1] * 92, "%d gives away %lld, %d %lld",
                      LOSS_ELOS[at - 1], (long long)losses[at - 1], LOSS_ELOS[at], (long long)losses[at]);
    }
    game_deinit(&game);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("level");
    TCase *tcase = tcase_create("level");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, more_elo_is_never_less);
    tcase_add_loop_test(tcase, equal_seeds_make_equal_moves, 0, ROWS(VARIANTS));
    tcase_add_loop_test(tcase, highest_level_is_a_search_of_so_many_nodes, 0, ROWS(VARIANTS));
    tcase_add_loop_test(tcase, stricter_limit_counts, 0, ROWS(VARIANTS));
    tcase_add_loop_test(tcase, a_forced_move_takes_no_thought, 0, ROWS(forced));
    tcase_add_test(tcase, misjudgement_is_bounded_and_even);
    tcase_add_loop_test(tcase, what_is_hard_to_see, 0, ROWS(sights));
    tcase_add_loop_test(tcase, weaker_levels_give_more_away, 0, ROWS(VARIANTS));
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
