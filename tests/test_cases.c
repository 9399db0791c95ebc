/*
 * The cases of data/cases.jsonl: positions, moves and texts that other programs got wrong. A line is one
 * case; what is checked stands in its "data":
 *   legal          every way to play every legal move of "fen", squares as numbers
 *   path_perft     perft of "fen" with each way to play a capture counted on its own
 *   fens           texts that are read, and what is written for them in either game
 *   refused_fens   texts that are refused with an error that names the token
 *   lines          moves that are played from "start", and the position at their end
 *   refused_moves  a text that is refused after some moves, with an error that holds all of "names"
 *   results        the result of a position
 *   english, russian   perft from the start, depth 1 onwards
 *   elsewhere      the program that tests a case which needs more than that
 */
#include "engine/fen.h"
#include "engine/game.h"
#include "engine/movegen.h"
#include "engine/notation.h"
#include "tests/json_cases.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATHS_MAX = 256 };

static Position position_read(const char *id, Variant variant, const char *fen) {
    FenRecord record;
    ParseError error;

    if (strcmp(fen, "startpos") == 0) {
        return position_start(rules_of(variant));
    }
    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s: %s: %s", id, fen, error.text);
    return record.position;
}

static Game game_at(const char *id, Variant variant, const char *fen) {
    const DrawRules *draws = &rules_of(variant)->draws;
    Position position = position_read(id, variant, fen);
    Game game;

    game_init(&game, variant, draws, &position, draw_state_init(draws, &position, 0), 1);
    return game;
}

static void game_play_texts(const char *id, Game *game, const json_t *moves) {
    size_t index;
    json_t *item;

    json_array_foreach(moves, index, item) {
        const char *text = json_string_value(item);
        Move move;
        ParseError error;
        ck_assert_msg(move_read(game->variant, &game->position, text, strlen(text), &move, &error), "%s: %s",
                      id, error.text);
        ck_assert_int_eq(game_play(game, move), 0);
    }
}

static Variant variant_of(const json_t *object) {
    Variant variant = variant_from_name(text_of(object, "variant"));
    ck_assert_msg(variant != VARIANT_COUNT, "no variant '%s'", text_of(object, "variant"));
    return variant;
}

/* The ways to play the legal moves, as sorted texts. */
typedef struct {
    int count;
    char texts[PATHS_MAX][MOVE_TEXT_SIZE];
} PathTexts;

static bool path_text_add(void *user, const Path *path) {
    PathTexts *texts = user;
    char *text = texts->texts[texts->count++];
    size_t length = 0;

    ck_assert_int_le(texts->count, PATHS_MAX);
    for (int i = 0; i < path->count; i++) {
        length += (size_t)snprintf(text + length, MOVE_TEXT_SIZE - length, "%s%d", i > 0 ? "x" : "",
                                   square_number(path->squares[i]));
    }
    return false;
}

static int texts_compare(const void *a, const void *b) {
    return strcmp(a, b);
}

static void check_legal(const char *id, Variant variant, const char *fen, const json_t *legal) {
    Position position = position_read(id, variant, fen);
    PathTexts expected = {0};
    PathTexts found = {0};
    MoveList list;
    size_t index;
    json_t *item;

    movegen_generate(variant, &position, &list);
    json_array_foreach(legal, index, item) {
        const char *text = json_string_value(item);
        Move move;
        ParseError error;
        snprintf(expected.texts[expected.count++], MOVE_TEXT_SIZE, "%s", text);
        ck_assert_msg(move_read(variant, &position, text, strlen(text), &move, &error), "%s: %s", id,
                      error.text);
    }
    for (int i = 0; i < list.count; i++) {
        char text[MOVE_TEXT_SIZE];
        Move again;
        ParseError error;
        int before = found.count;

        for (int j = 0; j < i; j++) {
            ck_assert_msg(list.moves[i] != list.moves[j], "%s: a move is listed twice", id);
        }
        if (move_is_capture(list.moves[i])) {
            movegen_visit_paths(variant, &position, list.moves[i], path_text_add, &found);
        } else {
            snprintf(found.texts[found.count++], MOVE_TEXT_SIZE, "%d-%d",
                     square_number(move_from(list.moves[i])), square_number(move_to(list.moves[i])));
        }
        move_write(variant, &position, list.moves[i], text);
        ck_assert_msg(found.count > before, "%s: %s has no path", id, text);
        ck_assert_msg(move_read(variant, &position, text, strlen(text), &again, &error), "%s: %s", id,
                      error.text);
        ck_assert_msg(again == list.moves[i], "%s: %s is read as another move", id, text);
    }
    qsort(expected.texts, (size_t)expected.count, MOVE_TEXT_SIZE, texts_compare);
    qsort(found.texts, (size_t)found.count, MOVE_TEXT_SIZE, texts_compare);
    ck_assert_msg(found.count == expected.count, "%s: %d ways to move, not %d", id, found.count,
                  expected.count);
    for (int i = 0; i < found.count; i++) {
        ck_assert_msg(strcmp(found.texts[i], expected.texts[i]) == 0, "%s: %s instead of %s", id,
                      found.texts[i], expected.texts[i]);
    }
    ck_assert_msg(movegen_has_move(variant, &position) == (list.count > 0), "%s: whether there is a move",
                  id);
}

static bool path_count(void *user, const Path *path) {
    (void)path;
    ++*(long long *)user;
    return false;
}

static long long perft(Variant variant, const Position *position, int depth, bool by_path) {
    MoveList list;
    long long nodes = 0;

    movegen_generate(variant, position, &list);
    if (depth == 1 && !by_path) {
        return list.count;
    }
    for (int i = 0; i < list.count; i++) {
        long long ways = 1;
        if (by_path && move_is_capture(list.moves[i])) {
            ways = 0;
            movegen_visit_paths(variant, position, list.moves[i], path_count, &ways);
        }
        Position next = position_after(position, list.moves[i]);
        nodes += ways * (depth > 1 ? perft(variant, &next, depth - 1, by_path) : 1);
    }
    return nodes;
}

static void check_perft(const char *id, Variant variant, const char *fen, const json_t *counts,
                        bool by_path) {
    Position position = position_read(id, variant, fen);
    size_t index;
    json_t *item;

    json_array_foreach(counts, index, item) {
        long long nodes = perft(variant, &position, (int)index + 1, by_path);
        ck_assert_msg(nodes == json_integer_value(item), "%s: %s perft %d is %lld", id,
                      rules_of(variant)->name, (int)index + 1, nodes);
    }
}

static void check_fen(const char *id, const json_t *item) {
    const char *text = text_of(item, "text");
    char written[FEN_SIZE];

    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        const Rules *rules = rules_of((Variant)variant);
        const char *expected = text_of(item, rules->name);
        FenRecord record;
        FenRecord again;
        ParseError error;
        ck_assert_msg(fen_read(text, strlen(text), &record, &error), "%s: %s: %s", id, text, error.text);
        fen_write(&record, rules, written);
        ck_assert_msg(strcmp(written, expected) == 0, "%s: %s is written %s", id, text, written);
        ck_assert_msg(fen_read(written, strlen(written), &again, &error), "%s: %s: %s", id, written,
                      error.text);
        ck_assert_msg(position_equal(&record.position, &again.position), "%s: %s is read as another", id,
                      written);
    }
}

static void check_refused_fen(const char *id, const json_t *item) {
    const char *text = text_of(item, "text");
    FenRecord record;
    ParseError error;

    ck_assert_msg(!fen_read(text, strlen(text), &record, &error), "%s: '%s' is read", id, text);
    ck_assert_msg(strstr(error.text, text_of(item, "token")) != NULL, "%s: '%s': %s", id, text, error.text);
}

static void check_line(const char *id, const json_t *item) {
    Variant variant = variant_of(item);
    Game game = game_at(id, variant, text_of(item, "start"));
    char written[FEN_SIZE];

    game_play_texts(id, &game, json_object_get(item, "moves"));
    if (json_object_get(item, "end") != NULL) {
        Position end = position_read(id, variant, text_of(item, "end"));
        fen_write(&(FenRecord){.position = game.position, .fullmove = 1}, rules_of(variant), written);
        ck_assert_msg(position_equal(&game.position, &end), "%s: %s instead of %s", id, written,
                      text_of(item, "end"));
    }
    game_deinit(&game);
}

static void check_refused_move(const char *id, const json_t *item) {
    Game game = game_at(id, variant_of(item), text_of(item, "start"));
    const char *text = text_of(item, "move");
    Move move;
    ParseError error;
    size_t index;
    json_t *name;

    game_play_texts(id, &game, json_object_get(item, "moves"));
    ck_assert_msg(!move_read(game.variant, &game.position, text, strlen(text), &move, &error),
                  "%s: %s is read", id, text);
    json_array_foreach(json_object_get(item, "names"), index, name) {
        ck_assert_msg(strstr(error.text, json_string_value(name)) != NULL, "%s: no '%s' in: %s", id,
                      json_string_value(name), error.text);
    }
    game_deinit(&game);
}

static void check_result(const char *id, const json_t *item) {
    static const char *const names[] = {
        [RESULT_OPEN] = "open",
        [RESULT_WHITE_WINS] = "white",
        [RESULT_BLACK_WINS] = "black",
        [RESULT_DRAW] = "draw",
    };
    Game game = game_at(id, variant_of(item), text_of(item, "fen"));
    Result result = game_result(&game, NULL);

    ck_assert_msg(strcmp(names[result], text_of(item, "result")) == 0, "%s: %s: %s", id, text_of(item, "fen"),
                  names[result]);
    game_deinit(&game);
}

static int check_each(const char *id, const json_t *items,
                      void (*check)(const char *id, const json_t *item)) {
    size_t index;
    json_t *item;

    json_array_foreach(items, index, item) {
        check(id, item);
    }
    return (int)json_array_size(items);
}

START_TEST(case_holds) {
    const json_t *item = cases[_i];
    const char *id = text_of(item, "id");
    const json_t *data = json_object_get(item, "data");
    const json_t *legal = json_object_get(data, "legal");
    const json_t *path_perft = json_object_get(data, "path_perft");
    int checks = json_object_get(data, "elsewhere") != NULL;

    if (legal != NULL) {
        ck_assert_msg(json_array_size(legal) == (size_t)json_integer_value(json_object_get(data, "count")),
                      "%s: the count is another", id);
        check_legal(id, variant_of(item), text_of(item, "fen"), legal);
        checks++;
    }
    if (path_perft != NULL) {
        check_perft(id, variant_of(item), text_of(item, "fen"), path_perft, true);
        checks++;
    }
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        const json_t *counts = json_object_get(data, rules_of((Variant)variant)->name);
        if (counts != NULL) {
            check_perft(id, (Variant)variant, "startpos", counts, false);
            checks++;
        }
    }
    checks += check_each(id, json_object_get(data, "fens"), check_fen);
    checks += check_each(id, json_object_get(data, "refused_fens"), check_refused_fen);
    checks += check_each(id, json_object_get(data, "lines"), check_line);
    checks += check_each(id, json_object_get(data, "refused_moves"), check_refused_move);
    checks += check_each(id, json_object_get(data, "results"), check_result);
    ck_assert_msg(checks > 0, "%s: there is nothing to check", id);
}
END_TEST

int main(void) {
    if (!cases_load("cases.jsonl")) {
        return EXIT_FAILURE;
    }

    Suite *suite = suite_create("cases");
    TCase *tcase = tcase_create("cases");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, case_holds, 0, cases_count);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    cases_free();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
