/* The dialects: what engines are told, and what is read from what they say. */
#include "match/dialect.h"

#include "engine/notation.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

START_TEST(dialects_are_found_by_name) {
    ck_assert_ptr_eq(dialect_find("uci"), &DIALECT_UCI);
    ck_assert_ptr_eq(dialect_find("hub"), &DIALECT_HUB);
    ck_assert_ptr_null(dialect_find(""));
    ck_assert_ptr_null(dialect_find("UCI"));
    char names[32];
    Text out = text_init(names, sizeof names);
    dialect_add_names(&out);
    ck_assert_str_eq(names, "uci, hub");
}
END_TEST

/* ---- What they are told ---- */

typedef struct {
    TimeControl control;
    PlayerClocks clocks;
    Color mover;
    const char *uci, *hub;
} GoCase;

static const GoCase GOES[] = {
    {{.time = 60000},
     {.left = {60000, 59000}},
     WHITE,
     "go wtime 60000 btime 59000 winc 0 binc 0\n",
     "level time=60.000 inc=0.000\ngo think\n"},
    {{.time = 60000, .increment = 100},
     {.left = {60050, 7}, .increment = {100, 100}},
     WHITE,
     "go wtime 60050 btime 7 winc 100 binc 100\n",
     "level time=59.950 inc=0.100\ngo think\n"},
    {{.time = 60000, .increment = 100},
     {.left = {60050, 7}, .increment = {100, 100}},
     BLACK,
     "go wtime 60050 btime 7 winc 100 binc 100\n",
     "level time=0.000 inc=0.007\ngo think\n"},
    {{.time = 1000, .increment = 10, .moves = 40},
     {.left = {901, 902}, .increment = {10, 10}, .moves_to_go = 12},
     BLACK,
     "go wtime 901 btime 902 winc 10 binc 10 movestogo 12\n",
     "level time=0.892 inc=0.010 moves=12\ngo think\n"},
    {{.time = 1000},
     {.left = {0, 0}},
     WHITE,
     "go wtime 1 btime 1 winc 0 binc 0\n",
     "level time=0.000 inc=0.000\ngo think\n"},
    {{.time = 1000},
     {.left = {-5, 300}},
     WHITE,
     "go wtime 1 btime 300 winc 0 binc 0\n",
     "level time=0.000 inc=0.000\ngo think\n"},
    {{.time = 1000},
     {.left = {500, 0}},
     WHITE,
     "go wtime 500 btime 500 winc 0 binc 0\n",
     "level time=0.500 inc=0.000\ngo think\n"},
    {{.movetime = 1500}, {.left = {0, 0}}, WHITE, "go movetime 1500\n", "level move-time=1.500\ngo think\n"},
    {{.movetime = 5}, {.left = {0, 60000}}, WHITE, "go movetime 5\n", "level move-time=0.005\ngo think\n"},
    {{.nodes = 12345678901},
     {.left = {0, 0}},
     WHITE,
     "go nodes 12345678901\n",
     "level nodes=12345678901\ngo think\n"},
    {{.depth = 9}, {.left = {0, 0}}, BLACK, "go depth 9\n", "level depth=9\ngo think\n"},
    {{.time = 2000, .nodes = 500, .depth = 9},
     {.left = {2000, 1}},
     WHITE,
     "go wtime 2000 btime 1 winc 0 binc 0 nodes 500 depth 9\n",
     "level time=2.000 inc=0.000 nodes=500 depth=9\ngo think\n"},
    {{0}, {.left = {0, 0}}, WHITE, "go\n", "go think\n"},
    {{.time = 5000, .increment = 100},
     {.left = {5000, 6000}, .increment = {100, 50}},
     WHITE,
     "go wtime 5000 btime 6000 winc 100 binc 50\n",
     "level time=4.900 inc=0.100\ngo think\n"},
    {{.time = 6000, .increment = 50},
     {.left = {5000, 6000}, .increment = {100, 50}},
     BLACK,
     "go wtime 5000 btime 6000 winc 100 binc 50\n",
     "level time=5.950 inc=0.050\ngo think\n"},
};

START_TEST(limits_are_told) {
    const GoCase *go = &GOES[_i];
    char text[200];
    Text out = text_init(text, sizeof text);

    DIALECT_UCI.write_go(&out, go->mover, &go->control, &go->clocks);
    ck_assert_str_eq(text, go->uci);
    out = text_init(text, sizeof text);
    DIALECT_HUB.write_go(&out, go->mover, &go->control, &go->clocks);
    ck_assert_str_eq(text, go->hub);
}
END_TEST

static const struct {
    const char *name, *value, *uci, *hub;
} OPTIONS[] = {
    {"Hash", "64", "setoption name Hash value 64\n", "set-param name=Hash value=64\n"},
    {"Clear Hash", "", "setoption name Clear Hash\n", "set-param name=\"Clear Hash\" value=\"\"\n"},
    {"Log File", "a b=c", "setoption name Log File value a b=c\n",
     "set-param name=\"Log File\" value=\"a b=c\"\n"},
};

START_TEST(options_are_told) {
    char text[200];
    Text out = text_init(text, sizeof text);

    DIALECT_UCI.write_option(&out, view_of(OPTIONS[_i].name), view_of(OPTIONS[_i].value));
    ck_assert_str_eq(text, OPTIONS[_i].uci);
    out = text_init(text, sizeof text);
    DIALECT_HUB.write_option(&out, view_of(OPTIONS[_i].name), view_of(OPTIONS[_i].value));
    ck_assert_str_eq(text, OPTIONS[_i].hub);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen, *moves;
    bool from_start;
    const char *uci, *hub;
} POSITIONS[] = {
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "", true, "position startpos\n",
     "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\n"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-15 22-18 15x22 25x18", true,
     "position startpos moves 11-15 22-18 15x22 25x18\n",
     "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 22-18 15x22x18 25x18x22\"\n"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:B2:H3:F9", "2x9x18", false,
     "position fen B:W6,7,14,15:B2:H3:F9 moves 2x9x18\n",
     "pos pos=Bebeeewweeeeeewweeeeeeeeeeeeeeeee moves=\"2x18x6x14\"\n"},
    {VARIANT_RUSSIAN, "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6",
     "c3-d4 d6-c5", true, "position startpos moves c3-d4 d6-c5\n",
     "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"22-18 10-14\"\n"},
    {VARIANT_RUSSIAN, "W:Wc3,e3,h2:Bd4,f6,c7", "c3xe5xg7", false,
     "position fen W:Wc3,e3,h2:Bc7,f6,d4 moves c3xe5xg7\n", NULL},
};

START_TEST(positions_are_told) {
    FenRecord start;
    ParseError error;
    Move moves[8];
    size_t plies = 0;
    char text[300];
    View token, rest = view_of(POSITIONS[_i].moves);

    ck_assert(fen_read(POSITIONS[_i].fen, strlen(POSITIONS[_i].fen), &start, &error));
    Position position = start.position;
    while ((token = view_token(&rest)).length > 0) {
        ck_assert_msg(
            move_read(POSITIONS[_i].variant, &position, token.start, token.length, &moves[plies], &error),
            "%s", error.text);
        position = position_after(&position, moves[plies++]);
    }
    Text out = text_init(text, sizeof text);
    DIALECT_UCI.write_position(&out, POSITIONS[_i].variant, &start, POSITIONS[_i].from_start, moves, plies);
    ck_assert_str_eq(text, POSITIONS[_i].uci);
    if (POSITIONS[_i].hub != NULL) {
        out = text_init(text, sizeof text);
        DIALECT_HUB.write_position(&out, POSITIONS[_i].variant, &start, POSITIONS[_i].from_start, moves,
                                   plies);
        ck_assert_str_eq(text, POSITIONS[_i].hub);
    }
}
END_TEST

/* ---- What they say ---- */

static const struct {
    const Dialect *dialect;
    const char *line, *name, *version, *option, *values;
} INTRODUCTIONS[] = {
    {&DIALECT_UCI, "id name My Engine 3", "My Engine 3", "", "", ""},
    {&DIALECT_UCI, "  id   name  X ", "X", "", "", ""},
    {&DIALECT_UCI, "id author name X", "", "", "", ""},
    {&DIALECT_UCI, "id name", "", "", "", ""},
    {&DIALECT_UCI, "option name Hash type spin default 1 min 1 max 2", "", "", "Hash",
     " spin default 1 min 1 max 2"},
    {&DIALECT_UCI, "option name Clear  Hash type button", "", "", "Clear  Hash", " button"},
    {&DIALECT_UCI, "option name Lonely", "", "", "Lonely", ""},
    {&DIALECT_UCI, "option name type", "", "", "", ""},
    {&DIALECT_UCI, "option", "", "", "", ""},
    {&DIALECT_UCI, "info string option name Hash", "", "", "", ""},
    {&DIALECT_UCI, "", "", "", "", ""},
    {&DIALECT_HUB, "id name=\"My Engine\" version=3.1 author=\"A name=B\"", "My Engine", "3.1", "", ""},
    {&DIALECT_HUB, "id version = 3 name = X", "X", "3", "", ""},
    {&DIALECT_HUB, "param name=variant value=english type=enum values=\"english russian\"", "", "", "variant",
     "english russian"},
    {&DIALECT_HUB, "param name=hash value=64 type=int min=1 max=9", "", "", "hash", ""},
    {&DIALECT_HUB, "param name=\"open", "", "", "open", ""},
    {&DIALECT_HUB, "param \"name\"=x = == \"", "", "", "", ""},
    {&DIALECT_HUB, "param name", "", "", "", ""},
    {&DIALECT_HUB, "wait name=x", "", "", "", ""},
    {&DIALECT_HUB, "", "", "", "", ""},
};

START_TEST(introductions_are_read) {
    Introduction got = INTRODUCTIONS[_i].dialect->introduce(view_of(INTRODUCTIONS[_i].line));

    ck_assert_msg(view_equals(got.name, INTRODUCTIONS[_i].name), "%.*s", (int)got.name.length,
                  got.name.start);
    ck_assert_msg(view_equals(got.version, INTRODUCTIONS[_i].version), "%.*s", (int)got.version.length,
                  got.version.start);
    ck_assert_msg(view_equals(got.option, INTRODUCTIONS[_i].option), "%.*s", (int)got.option.length,
                  got.option.start);
    ck_assert_msg(view_equals(got.values, INTRODUCTIONS[_i].values), "%.*s", (int)got.values.length,
                  got.values.start);
}
END_TEST

/* Lines of a search, with line feeds between them, and what is known after them. */
static const struct {
    const Dialect *dialect;
    const char *lines;
    PlayerReport report;
} REPORTS[] = {
    {&DIALECT_UCI, "", {0}},
    {&DIALECT_UCI, "info depth 7 score cp -31 nodes 1234 pv 11-15", {true, false, -31, false, 7, 1234}},
    {&DIALECT_UCI, "info nodes 5 pv 11-15 23-19 score cp +4 depth 2", {true, false, 4, false, 2, 5}},
    {&DIALECT_UCI, "info depth 7 score mate 3", {true, true, 5, false, 7, 0}},
    {&DIALECT_UCI, "info depth 7 score mate 1", {true, true, 1, false, 7, 0}},
    {&DIALECT_UCI, "info depth 7 score mate -3", {true, true, -6, false, 7, 0}},
    {&DIALECT_UCI, "info depth 7 score mate 0", {false, false, 0, false, 7, 0}},
    {&DIALECT_UCI, "info depth 7 score mate -3\ninfo depth 8 score cp 9", {true, false, 9, false, 8, 0}},
    /* Another line than the best says nothing. */
    {&DIALECT_UCI,
     "info multipv 1 depth 7 score cp 5 nodes 10\ninfo depth 7 multipv 2 score cp 3 nodes 12",
     {true, false, 5, false, 7, 10}},
    /* A bound only where there is no score, and a depth with its score; nodes always. */
    {&DIALECT_UCI,
     "info depth 7 score cp 5 nodes 10\ninfo depth 8 score cp 30 lowerbound nodes 20",
     {true, false, 5, false, 7, 20}},
    {&DIALECT_UCI, "info depth 3 score cp 30 upperbound", {true, false, 30, true, 3, 0}},
    {&DIALECT_UCI,
     "info depth 3 score cp 30 upperbound\ninfo depth 3 score lowerbound cp 20",
     {true, false, 30, true, 3, 0}},
    {&DIALECT_UCI,
     "info depth 3 score cp 30 upperbound\ninfo depth 3 score cp 20 lowerbound",
     {true, false, 20, true, 3, 0}},
    {&DIALECT_UCI,
     "info depth 3 score cp 30 upperbound\ninfo depth 2 score cp 20",
     {true, false, 20, false, 2, 0}},
    {&DIALECT_UCI, "info depth 3 currmove 11-15 currmovenumber 1", {false, false, 0, false, 3, 0}},
    {&DIALECT_UCI,
     "info depth 3 score cp 1\ninfo depth 4 currmove 11-15 nodes 9",
     {true, false, 1, false, 3, 9}},
    {&DIALECT_UCI, "info string depth 9 score cp 3\nfoo depth 9 score cp 3\ndepth 9 score cp 3", {0}},
    {&DIALECT_UCI, "info depth x score cp y nodes z\ninfo score\ninfo score cp\ninfo depth", {0}},
    {&DIALECT_UCI,
     "info depth -4 nodes -9 score cp 99999999999999999999999",
     {true, false, 1000000, false, 0, 0}},
    {&DIALECT_UCI,
     "info depth 99999999999999 score mate -99999999999",
     {true, true, -2000000, false, 1000000, 0}},
    {&DIALECT_HUB, "", {0}},
    {&DIALECT_HUB,
     "info depth=9 mean-depth=8.1 score=0.04 nodes=41022 time=0.031 nps=1.3 pv=\"11-15 23-19\"",
     {true, false, 4, false, 9, 41022}},
    {&DIALECT_HUB, "info score=-1,255 depth = 12", {true, false, -126, false, 12, 0}},
    {&DIALECT_HUB, "info score=3", {true, false, 300, false, 0, 0}},
    {&DIALECT_HUB, "info score=+.5", {true, false, 50, false, 0, 0}},
    {&DIALECT_HUB, "info score=99.95", {true, true, 5, false, 0, 0}},
    {&DIALECT_HUB, "info score=-99.94", {true, true, -6, false, 0, 0}},
    {&DIALECT_HUB, "info score=100", {true, true, 1, false, 0, 0}},
    {&DIALECT_HUB, "info score=-123456789012345678901234567890", {true, true, -1, false, 0, 0}},
    {&DIALECT_HUB, "info score=90.01", {true, true, 999, false, 0, 0}},
    {&DIALECT_HUB, "info score=90.00", {true, false, 9000, false, 0, 0}},
    {&DIALECT_HUB, "info score=-89.93", {true, false, -8993, false, 0, 0}},
    {&DIALECT_HUB, "info score=\"0.25\" pv=\"score=9 depth=3\"", {true, false, 25, false, 0, 0}},
    {&DIALECT_HUB,
     "info score=\ninfo score=.\ninfo score=x\ninfo score=1.x\ninfo score=1e\ninfo score=nan\ninfo "
     "score=0x1\ninfo score",
     {0}},
    {&DIALECT_HUB, "info depth=x nodes=-1 =\" \"= \"", {0}},
    {&DIALECT_HUB,
     "info score=0.5 depth=3 nodes=1\ninfo score=0.6 depth=4 nodes=2\ninfo nodes=3",
     {true, false, 60, false, 4, 3}},
};

START_TEST(reports_are_read) {
    Position position = position_start(rules_of(VARIANT_ENGLISH));
    PlayerReport got = {0};
    const PlayerReport *expected = &REPORTS[_i].report;

    for (View rest = view_of(REPORTS[_i].lines); rest.length > 0;) {
        const char *end = memchr(rest.start, '\n', rest.length);
        View line = {rest.start, end != NULL ? (size_t)(end - rest.start) : rest.length};
        ParseError error;
        Move move;
        ck_assert_int_eq(REPORTS[_i].dialect->read(line, VARIANT_ENGLISH, &position, &got, &move, &error),
                         REPLY_NOTHING);
        rest = view_skip(rest, line.length + (end != NULL));
    }
    ck_assert_int_eq(got.has_score, expected->has_score);
    ck_assert_int_eq(got.exact_win, expected->exact_win);
    ck_assert_int_eq(got.score, expected->score);
    ck_assert_int_eq(got.bound, expected->bound);
    ck_assert_int_eq(got.depth, expected->depth);
    ck_assert_uint_eq(got.nodes, expected->nodes);
}
END_TEST

/* Answers in the English game's first position; the reason where they are none. */
static const struct {
    const Dialect *dialect;
    const char *line, *reason;
} ANSWERS[] = {
    {&DIALECT_UCI, "bestmove 11-15", NULL},
    {&DIALECT_UCI, " bestmove\t11-15 ponder 24-19 ", NULL},
    {&DIALECT_UCI, "bestmove 11-15 and more", NULL},
    {&DIALECT_UCI, "bestmove 11-16 ponder 24-19", NULL},
    {&DIALECT_UCI, "bestmove 11-17", "illegal move '11-17'"},
    {&DIALECT_UCI, "bestmove", "no move, though"},
    {&DIALECT_UCI, "bestmove (none)", "no move, though"},
    {&DIALECT_UCI, "bestmove e2e4", "'e2e4': no square"},
    {&DIALECT_UCI, "bestmove \x01\xff", "'\\x01\\xff'"},
    {&DIALECT_HUB, "done move=11-15", NULL},
    {&DIALECT_HUB, "done ponder=24-19 move=\"11-15\"", NULL},
    {&DIALECT_HUB, "done move = 11-15 ponder=24-19", NULL},
    {&DIALECT_HUB, "done move=11-17", "illegal move '11-17'"},
    {&DIALECT_HUB, "done", "no move, though"},
    {&DIALECT_HUB, "done move", "no move, though"},
    {&DIALECT_HUB, "done move=", "no move, though"},
    {&DIALECT_HUB, "done move=\"\"", "no move, though"},
    {&DIALECT_HUB, "done ponder=24-19", "no move, though"},
    {&DIALECT_HUB, "done move=(none)", "'(none)'"},
};

START_TEST(answers_are_read) {
    Position position = position_start(rules_of(VARIANT_ENGLISH));
    PlayerReport report = {0};
    ParseError error = {""};
    Move move = MOVE_NONE;
    Reply reply = ANSWERS[_i].dialect->read(view_of(ANSWERS[_i].line), VARIANT_ENGLISH, &position, &report,
                                            &move, &error);

    if (ANSWERS[_i].reason == NULL) {
        ck_assert_int_eq(reply, REPLY_MOVE);
        ck_assert_int_eq(square_number(move_from(move)), 11);
    } else {
        ck_assert_int_eq(reply, REPLY_BAD_MOVE);
        ck_assert_msg(strstr(error.text, ANSWERS[_i].reason) != NULL, "%s", error.text);
    }
}
END_TEST

/* Lines that only resemble an answer. */
static const char *const SILENCE[] = {
    "",
    " ",
    "bestmovex 11-15",
    "best move 11-15",
    "info string bestmove 11-15",
    "BESTMOVE 11-15",
    "donex move=11-15",
    "info done move=11-15",
    "=done move=11-15",
    "\"done\" move=11-15",
    "readyok",
    "pong",
};

START_TEST(other_lines_are_passed_over) {
    Position position = position_start(rules_of(VARIANT_ENGLISH));
    PlayerReport report = {0};
    ParseError error;
    Move move;

    ck_assert_int_eq(
        DIALECT_UCI.read(view_of(SILENCE[_i]), VARIANT_ENGLISH, &position, &report, &move, &error),
        REPLY_NOTHING);
    ck_assert_int_eq(
        DIALECT_HUB.read(view_of(SILENCE[_i]), VARIANT_ENGLISH, &position, &report, &move, &error),
        REPLY_NOTHING);
}
END_TEST

/* Lines put together at random from what lines are made of; each in memory of its own, for a sanitizer. */
START_TEST(nonsense_is_survived) {
    static const char *const pieces[] = {
        "info", "depth", "score", "cp",     "mate",   "nodes", "multipv", "bestmove",    "done",
        "move", "id",    "name",  "option", "type",   "param", "value",   "values",      "=",
        "\"",   " ",     " ",     " ",      "\t",     "-",     "1",       "99999999999", "0.5",
        "x",    "11-15", "11x18", "(none)", "string", ".",     ",",       "\x80",        "lowerbound",
    };
    Position position = position_start(rules_of(VARIANT_ENGLISH));
    uint64_t random = 1;

    for (int round = 0; round < 200000; round++) {
        char text[200];
        Text out = text_init(text, sizeof text);
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        for (int left = (int)(random >> 60); left > 0; left--) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            text_add(&out, pieces[(random >> 33) % COUNT(pieces)]);
        }
        char *exact = malloc(out.length + (out.length == 0));
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, text, out.length);
        View line = {exact, out.length};
        for (int index = 0; index < 2; index++) {
            const Dialect *dialect = index == 0 ? &DIALECT_UCI : &DIALECT_HUB;
            PlayerReport report = {0};
            ParseError error = {""};
            Move move = MOVE_NONE;
            Reply reply = dialect->read(line, VARIANT_ENGLISH, &position, &report, &move, &error);
            Introduction introduction = dialect->introduce(line);
            ck_assert((reply == REPLY_MOVE) == (move != MOVE_NONE));
            ck_assert((reply == REPLY_BAD_MOVE) == (error.text[0] != '\0'));
            ck_assert_uint_le(introduction.option.length, line.length);
        }
        free(exact);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("dialect");
    TCase *all = tcase_create("dialect");

    tcase_set_timeout(all, 120);
    tcase_add_test(all, dialects_are_found_by_name);
    tcase_add_loop_test(all, limits_are_told, 0, COUNT(GOES));
    tcase_add_loop_test(all, options_are_told, 0, COUNT(OPTIONS));
    tcase_add_loop_test(all, positions_are_told, 0, COUNT(POSITIONS));
    tcase_add_loop_test(all, introductions_are_read, 0, COUNT(INTRODUCTIONS));
    tcase_add_loop_test(all, reports_are_read, 0, COUNT(REPORTS));
    tcase_add_loop_test(all, answers_are_read, 0, COUNT(ANSWERS));
    tcase_add_loop_test(all, other_lines_are_passed_over, 0, COUNT(SILENCE));
    tcase_add_test(all, nonsense_is_survived);
    suite_add_tcase(suite, all);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
