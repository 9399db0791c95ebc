/* Tests of the game: history, repetition, the number of the move, and the result. */
#include "engine/fen.h"
#include "engine/game.h"
#include "engine/key.h"
#include "engine/movegen.h"
#include "engine/notation.h"

#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static Game game_of(Variant variant, const DrawRules *draws, const char *fen) {
    FenRecord record;
    ParseError error;
    Game game;

    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s: %s", fen, error.text);
    game_init(&game, variant, draws, &record.position,
              draw_state_init(draws, &record.position, record.plies_without_progress), record.fullmove);
    return game;
}

/* Plays moves given as texts with blanks between them. */
static void play(Game *game, const char *moves) {
    for (const char *text = moves; *text != '\0'; text += text[0] == ' ') {
        size_t length = strcspn(text, " ");
        Move move;
        ParseError error;
        ck_assert_msg(move_read(game->variant, &game->position, text, length, &move, &error), "%s: %s", moves,
                      error.text);
        ck_assert_int_eq(game_play(game, move), 0);
        text += length;
    }
}

static const struct {
    const char *name;
    Variant variant;
    bool web;
    const char *fen;
    const char *moves;
    int repetitions;
    Result result;
    const char *reason; /* words of it */
} games[] = {
    {"R27: at the start", VARIANT_ENGLISH, false, "W:WK1:BK32", "", 1, RESULT_OPEN, ""},
    {"R27: once more", VARIANT_ENGLISH, false, "W:WK1:BK32", "1-6 32-27 6-1 27-32", 2, RESULT_OPEN, ""},
    {"R27: a ply too early", VARIANT_ENGLISH, false, "W:WK1:BK32", "1-6 32-27 6-1 27-32 1-6 32-27 6-1", 2,
     RESULT_OPEN, ""},
    {"R27: third time", VARIANT_ENGLISH, false, "W:WK1:BK32", "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-32", 3,
     RESULT_DRAW, "repetition"},
    {"R27: twice, Russian", VARIANT_RUSSIAN, false, "W:WK1:BK32", "1-6 32-27 6-1 27-32", 2, RESULT_OPEN, ""},
    {"R27: third time, Russian", VARIANT_RUSSIAN, false, "W:WK1:BK32",
     "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-32", 3, RESULT_DRAW, "repetition"},
    {"R27: third time, web rules", VARIANT_ENGLISH, true, "W:WK1:BK32",
     "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-32", 3, RESULT_DRAW, "repetition"},
    {"R28: the other side to move", VARIANT_ENGLISH, false, "W:WK1,K6:BK32,K27", "1-5 32-28 5-1 28-32", 2,
     RESULT_OPEN, ""},
    {"a man's move cuts the history", VARIANT_ENGLISH, false, "W:WK1,21:BK32",
     "1-6 32-27 6-1 27-32 21-17 32-27 1-6 27-32 6-1", 2, RESULT_OPEN, ""},
    {"plies before the FEN are not there", VARIANT_ENGLISH, false, "W:WK1:BK32:H40:F30",
     "1-6 32-27 6-1 27-32", 2, RESULT_OPEN, ""},
    {"a stopped counter", VARIANT_ENGLISH, true, "W:WK1,K2:BK32,30:H65534:F30",
     "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-32", 3, RESULT_DRAW, "repetition"},
    {"79 plies", VARIANT_ENGLISH, false, "W:WK1:BK32:H78:F40", "1-6", 1, RESULT_OPEN, ""},
    {"80 plies", VARIANT_ENGLISH, false, "W:WK1:BK32:H78:F40", "1-6 32-27", 1, RESULT_DRAW, "40 moves"},
    {"80 plies and more", VARIANT_ENGLISH, false, "W:WK1:BK32:H90:F40", "", 1, RESULT_DRAW, "40 moves"},
    {"80 plies, a man moved", VARIANT_ENGLISH, false, "W:WK1,21:BK32:H79:F40", "21-17", 1, RESULT_OPEN, ""},
    {"80 plies, web rules", VARIANT_ENGLISH, true, "W:WK1:BK32:H79:F40", "1-6", 1, RESULT_OPEN, ""},
    {"100 plies, web rules", VARIANT_ENGLISH, true, "W:WK1:BK32:H99:F40", "1-6", 1, RESULT_DRAW, "50 moves"},
    {"100 plies, web rules, a man moved", VARIANT_ENGLISH, true, "W:WK1,21:BK32:H99:F40", "21-17", 1,
     RESULT_DRAW, "50 moves"},
    {"10 plies of one against one", VARIANT_RUSSIAN, false, "W:WK1:BK32:H9:F40", "b8-a7", 1, RESULT_DRAW,
     "5 moves"},
    {"repetition comes before the rule", VARIANT_RUSSIAN, false, "W:WK1:BK32:H2:F40",
     "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-32", 3, RESULT_DRAW, "repetition"},
    {"R30: last piece taken", VARIANT_ENGLISH, false, "B:W17:BK14:H79:F60", "14x21", 1, RESULT_BLACK_WINS,
     "no piece"},
    {"R30: blocked as the count ends", VARIANT_ENGLISH, false, "B:W12:BK4,3:H79:F60", "4-8", 1,
     RESULT_BLACK_WINS, "no legal move"},
    {"R30: not blocked as the count ends", VARIANT_ENGLISH, false, "B:W12,32:BK4,3:H79:F60", "4-8", 1,
     RESULT_DRAW, "40 moves"},
    {"R30: blocked, web rules", VARIANT_ENGLISH, true, "B:W12:BK4,3:H99:F60", "4-8", 1, RESULT_BLACK_WINS,
     "no legal move"},
    {"R30: blocked, Russian", VARIANT_RUSSIAN, false, "B:WK29:BK25,K18:H9:F60", "18-22", 1, RESULT_BLACK_WINS,
     "no legal move"},
    {"R30: White blocks, Russian", VARIANT_RUSSIAN, false, "W:WK25,K18:BK29:H9:F60", "18-22", 1,
     RESULT_WHITE_WINS, "no legal move"},
    {"R20: blocked", VARIANT_ENGLISH, false, "W:W12:B3,8", "", 1, RESULT_BLACK_WINS, "no legal move"},
    {"R21: no piece", VARIANT_ENGLISH, false, "W:W:B21", "", 1, RESULT_BLACK_WINS, "no piece"},
    {"no piece, Black", VARIANT_RUSSIAN, false, "B:W32:B", "", 1, RESULT_WHITE_WINS, "no piece"},
    {"no piece at all", VARIANT_RUSSIAN, false, "W:W:B", "", 1, RESULT_BLACK_WINS, "no piece"},
};

START_TEST(result_is_known) {
    const char *name = games[_i].name;
    const DrawRules *draws = games[_i].web ? &DRAW_RULES_WEB : &rules_of(games[_i].variant)->draws;
    Game game = game_of(games[_i].variant, draws, games[_i].fen);
    const char *reason = NULL;

    play(&game, games[_i].moves);
    ck_assert_msg(game_repetitions(&game) == games[_i].repetitions, "%s: %d times", name,
                  game_repetitions(&game));
    ck_assert_msg(game_result(&game, &reason) == games[_i].result, "%s: '%s'", name, reason);
    ck_assert_msg(strstr(reason, games[_i].reason) != NULL, "%s: '%s'", name, reason);
    ck_assert_msg((reason[0] == '\0') == (games[_i].result == RESULT_OPEN), "%s: '%s'", name, reason);
    ck_assert(game_result(&game, NULL) == games[_i].result);
    game_deinit(&game);
}
END_TEST

START_TEST(repetition_needs_the_same_side_to_move) {
    /* R28: the same board with either side to move has two keys. */
    Game white = game_of(VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, "W:WK1,K6:BK32,K27");
    Game black = game_of(VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, "B:WK1,K6:BK32,K27");

    ck_assert(white.key != black.key);
    /* White takes three moves for what two undo: the board of the start, but it is Black's turn. */
    Game game = game_of(VARIANT_RUSSIAN, &DRAW_RULES_WEB, "W:WK1:BK32");
    play(&game, "b8-d6 g1-f2 d6-c7 f2-g1 c7-b8");
    ck_assert(
        position_equal(&game.position, &(Position){.pieces = {[WHITE] = BITBOARD_BIT(square_from_number(1)),
                                                              [BLACK] = BITBOARD_BIT(square_from_number(32))},
                                                   .kings = game.position.kings,
                                                   .turn = BLACK}));
    ck_assert_int_eq(game_repetitions(&game), 1);
    game_deinit(&game);
}
END_TEST

START_TEST(counter_restarts_with_a_mans_move) {
    /* R29 */
    Game game = game_of((Variant)_i, &rules_of((Variant)_i)->draws, "W:WK1,21:BK32");

    play(&game, "1-6 32-27 6-1 27-32");
    ck_assert_int_eq(game.draw.since[SINCE_PROGRESS], 4);
    play(&game, "21-17");
    ck_assert_int_eq(game.draw.since[SINCE_PROGRESS], 0);
    ck_assert_int_eq(game.draw.since[SINCE_CAPTURE], 5);
    game_deinit(&game);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen;
    const char *moves;
    int fullmove;
} counts[] = {
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "", 1},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-15", 1},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-15 23-19", 2},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-15 23-19 8-11", 2},
    {VARIANT_ENGLISH, "W:W21-32:B1-12:H0:F7", "23-19", 8},
    {VARIANT_RUSSIAN, "W:W21-32:B1-12", "c3-d4", 1},
    {VARIANT_RUSSIAN, "W:W21-32:B1-12", "c3-d4 f6-e5", 2},
    {VARIANT_RUSSIAN, "B:W21-32:B1-12:H0:F7", "f6-e5", 8},
    {VARIANT_ENGLISH, "W:W21-32:B1-12:H0:F2147483647", "23-19", INT_MAX},
};

START_TEST(moves_are_numbered) {
    Game game = game_of(counts[_i].variant, &rules_of(counts[_i].variant)->draws, counts[_i].fen);

    play(&game, counts[_i].moves);
    ck_assert_msg(game.fullmove == counts[_i].fullmove, "%s %s: move %d", counts[_i].fen, counts[_i].moves,
                  game.fullmove);
    game_deinit(&game);
}
END_TEST

START_TEST(history_grows_without_end) {
    enum { ROUNDS = 25000 };
    Game game = game_of(VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, "W:WK1:BK32");
    const char *reason;

    for (int round = 0; round < ROUNDS; round++) {
        play(&game, "1-6 32-27 6-1 27-32");
    }
    ck_assert_uint_eq(game.length, 4 * ROUNDS);
    ck_assert_uint_ge(game.capacity, game.length);
    ck_assert_uint_le(game.capacity, 2 * game.length + 64);
    /* More than the counter can hold. */
    ck_assert_int_eq(game.draw.since[SINCE_PROGRESS], UINT16_MAX);
    ck_assert_int_eq(game_repetitions(&game), ROUNDS + 1);
    ck_assert(game_result(&game, &reason) == RESULT_DRAW);
    ck_assert_int_eq(game.fullmove, 2 * ROUNDS + 1);
    game_deinit(&game);
}
END_TEST

START_TEST(key_is_that_of_the_position) {
    Game game = game_of(VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, "B:W21-32:B1-12");

    play(&game, "11-15 23-18 8-11 27-23 4-8 23-19 10-14 19x10 14x23 26x19");
    ck_assert(game.key == key_of(&game.position));
    ck_assert_uint_eq(game.length, 10);
    Position start = position_start(rules_of(VARIANT_ENGLISH));
    ck_assert(game.history[0] == key_of(&start));
    game_deinit(&game);
}
END_TEST

START_TEST(copies_are_independent) {
    Game game = game_of(VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, "W:WK1:BK32");
    Game fresh;
    Game copy;

    ck_assert_int_eq(game_copy(&fresh, &game), 0);
    play(&game, "1-6 32-27 6-1 27-32");
    ck_assert_int_eq(game_copy(&copy, &game), 0);
    play(&copy, "1-6 32-27 6-1 27-32");
    ck_assert_int_eq(game_repetitions(&copy), 3);
    ck_assert_int_eq(game_repetitions(&game), 2);
    play(&game, "1-5 32-28 5-1 28-32");
    game_deinit(&game);
    ck_assert_int_eq(game_repetitions(&copy), 3);
    play(&fresh, "1-6");
    ck_assert_uint_eq(fresh.length, 1);
    game_deinit(&copy);
    game_deinit(&fresh);
}
END_TEST

START_TEST(a_zeroed_game_can_be_freed) {
    Game game;

    memset(&game, 0, sizeof game);
    game_deinit(&game);
    game_deinit(&game);
    ck_assert_ptr_null(game.history);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void) {
    Suite *suite = suite_create("game");
    TCase *tcase = tcase_create("game");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, result_is_known, 0, ROWS(games));
    tcase_add_test(tcase, repetition_needs_the_same_side_to_move);
    tcase_add_loop_test(tcase, counter_restarts_with_a_mans_move, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, moves_are_numbered, 0, ROWS(counts));
    tcase_add_test(tcase, history_grows_without_end);
    tcase_add_test(tcase, key_is_that_of_the_position);
    tcase_add_test(tcase, copies_are_independent);
    tcase_add_test(tcase, a_zeroed_game_can_be_freed);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
