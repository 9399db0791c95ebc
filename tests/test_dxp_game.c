/* A game of DXP without its messages: boards, moves as they are meant, clocks. */
#include "protocol/dxp_game.h"

#include "engine/fen.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static DxpGame begin(Variant variant, const DxpRequest *request, Color own) {
    DxpGame game = {0};
    ParseError error;

    ck_assert_msg(dxp_game_begin(&game, variant, &rules_of(variant)->draws, request, own, &error), "%s",
                  error.text);
    return game;
}

static DxpGame begin_fen(const char *fen, Color own) {
    DxpRequest request = {.minutes = 5};
    FenRecord record;
    ParseError error;

    ck_assert(fen_read(fen, strlen(fen), &record, &error));
    dxp_game_write_board(&record.position, &request);
    DxpGame game = begin(VARIANT_ENGLISH, &request, own);
    ck_assert(position_equal(&game.game.position, &record.position));
    return game;
}

START_TEST(test_boards) {
    DxpRequest request = {.minutes = 1};
    DxpGame game = begin(VARIANT_ENGLISH, &request, BLACK);
    DxpGame russian = begin(VARIANT_RUSSIAN, &request, BLACK);

    ck_assert_int_eq(game.game.position.turn, BLACK);
    ck_assert_int_eq(russian.game.position.turn, WHITE);
    dxp_game_write_board(&game.game.position, &request);
    ck_assert_str_eq(request.board, "zzzzzzzzzzzzeeeeeeeewwwwwwwwwwww");
    ck_assert_int_eq(request.turn, BLACK);

    game = begin_fen("W:W18,K5:B7,K32", WHITE);
    dxp_game_write_board(&game.game.position, &request);
    ck_assert_str_eq(request.board, "eeeeWezeeeeeeeeeeweeeeeeeeeeeeeZ");
}
END_TEST

START_TEST(test_boards_refused) {
    DxpRequest request = {.squares = 50};
    DxpGame game = {0};
    ParseError error;

    ck_assert(
        !dxp_game_begin(&game, VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, &request, WHITE, &error));
    ck_assert_str_eq(error.text, "a board of 50 squares");
    request.squares = 32;
    memset(request.board, 'z', 32);
    ck_assert(
        !dxp_game_begin(&game, VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, &request, WHITE, &error));
    ck_assert(strstr(error.text, "more than 12 pieces") != NULL);
}
END_TEST

static bool can(const DxpGame *game, DxpMove given) {
    Move move;
    ParseError error;

    return dxp_game_read_move(game, &given, &move, &error);
}

START_TEST(test_moves) {
    DxpGame game = begin_fen("B:W6,7,14,15:B2", WHITE);

    ck_assert(can(&game, (DxpMove){.from = 2, .to = 18, .count = 2, .captured = {14, 6}}));
    ck_assert(can(&game, (DxpMove){.from = 2, .to = 18, .count = 2, .captured = {7, 15}}));
    ck_assert(!can(&game, (DxpMove){.from = 2, .to = 18, .count = 2, .captured = {7, 14}}));
    ck_assert(!can(&game, (DxpMove){.from = 2, .to = 18}));
    ck_assert(!can(&game, (DxpMove){.from = 2, .to = 9}));
    ck_assert(!can(&game, (DxpMove){.from = 0, .to = 99}));
    game = begin_fen("B:W18:B14", WHITE);
    ck_assert(can(&game, (DxpMove){.from = 14, .to = 23, .count = 1, .captured = {18}}));
    ck_assert(!can(&game, (DxpMove){.from = 14, .to = 23}));
}
END_TEST

/* The longest texts: every field at its most. */
START_TEST(test_moves_that_are_long) {
    DxpGame game = begin_fen("B:W18:B14", WHITE);
    DxpMove given = {.from = 99, .to = 99, .count = CAPTURES_MAX};

    memset(given.captured, 99, sizeof given.captured);
    ck_assert(!can(&game, given));
}
END_TEST

START_TEST(test_written_move) {
    DxpGame game = begin_fen("B:W6,7,14,15:BK2", BLACK);
    DxpMove given = {.from = 2, .to = 2, .count = 4, .captured = {15, 7, 14, 6}};
    Move move;
    ParseError error;

    ck_assert(dxp_game_read_move(&game, &given, &move, &error));
    DxpMove written = dxp_game_write_move(move, 7);
    ck_assert_int_eq(written.seconds, 7);
    ck_assert_int_eq(written.from, 2);
    ck_assert_int_eq(written.to, 2);
    ck_assert_int_eq(written.count, 4);
    ck_assert_mem_eq(written.captured, ((uint8_t[]){6, 7, 14, 15}), 4);
    ck_assert_int_eq(dxp_game_play(&game, move), 0);
    ck_assert_int_eq(game_result(&game.game, NULL), RESULT_BLACK_WINS);
    dxp_game_deinit(&game);
}
END_TEST

START_TEST(test_clocks) {
    DxpRequest request = {.minutes = 5, .moves = 2};
    DxpGame game = begin(VARIANT_ENGLISH, &request, BLACK);
    SearchLimits limits = dxp_game_limits(&game, 0);
    DxpMove moves[] = {
        {.from = 11, .to = 15}, {.from = 22, .to = 17}, {.from = 8, .to = 11}, {.from = 17, .to = 13}};
    Move move;
    ParseError error;

    ck_assert(limits.has_clock && !limits.has_movetime);
    ck_assert_int_eq(limits.time[BLACK], 300000);
    ck_assert_int_eq(limits.movestogo, 2);
    for (int i = 0; i < 4; i++) {
        /* Each of Black's moves takes 100 s, each of White's 1 s. */
        game.turn_began -= i % 2 == 0 ? 100000 : 1000;
        ck_assert(dxp_game_read_move(&game, &moves[i], &move, &error));
        ck_assert_int_eq(dxp_game_play(&game, move), 0);
        ck_assert_int_eq(dxp_game_limits(&game, 0).movestogo, i < 2 ? 1 : 0);
    }
    limits = dxp_game_limits(&game, 0);
    ck_assert(limits.time[BLACK] <= 100000 && limits.time[BLACK] > 40000);
    ck_assert(game.left[WHITE] <= 298000 && game.left[WHITE] > 240000);
    dxp_game_deinit(&game);
}
END_TEST

START_TEST(test_no_clock) {
    DxpRequest request = {.minutes = 0};
    DxpGame game = begin(VARIANT_ENGLISH, &request, BLACK);

    ck_assert(!dxp_game_limits(&game, 0).has_clock);
    ck_assert_int_eq(dxp_game_limits(&game, 0).movetime, DXP_MOVETIME);
    ck_assert_int_eq(dxp_game_limits(&game, 20).movetime, 20);
    request.minutes = 1;
    game = begin(VARIANT_ENGLISH, &request, BLACK);
    ck_assert(dxp_game_limits(&game, 20).has_clock);
    ck_assert(dxp_game_limits(&game, 20).has_movetime);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("dxp_game");
    TCase *tests = tcase_create("game");

    tcase_add_test(tests, test_boards);
    tcase_add_test(tests, test_boards_refused);
    tcase_add_test(tests, test_moves);
    tcase_add_test(tests, test_moves_that_are_long);
    tcase_add_test(tests, test_written_move);
    tcase_add_test(tests, test_clocks);
    tcase_add_test(tests, test_no_clock);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
