/*
 * Tests of PDN: what is read of the texts in data/pdn_cases.jsonl, games that are written and read back, and
 * texts with damage. A line of the data is a case; each of its checks is a text, "variant" if one is asked
 * for, the "games" in it and all the "faults". A game has its moves as move_read takes them, and at will its
 * last position and tags.
 */
#include "engine/pdn.h"
#include "engine/pdn_lexer.h"
#include "tests/json_cases.h"
#include "tests/random_play.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENGLISH VARIANT_ENGLISH
#define RUSSIAN VARIANT_RUSSIAN

enum { FAULTS_MAX = 16, FAULT_SIZE = 256 };

/* Faults as lines of text; what is beyond the limit is only counted. */
typedef struct {
    int count;
    int errors;
    char texts[FAULTS_MAX][FAULT_SIZE];
} Faults;

static void take_fault(void *user, bool warning, const PdnFault *fault) {
    Faults *faults = user;
    char ply[24] = "";

    CHECK_QUICKLY(fault->error.text[0] != '\0', "a fault without a text");
    if (faults->count < FAULTS_MAX) {
        if (fault->ply > 0) {
            snprintf(ply, sizeof ply, ", ply %d", fault->ply);
        }
        snprintf(faults->texts[faults->count], FAULT_SIZE, "line %zu%s: %s: %s", fault->line, ply,
                 warning ? "warning" : "error", fault->error.text);
    }
    faults->count++;
    faults->errors += !warning;
}

/* ---- Cases --------------------------------------------------------------------------------------------- */

/* Compares the moves, and gives the position after the last. */
static Position check_moves(const char *where, const PdnGame *game, const char *moves) {
    Position position = game->start.position;
    View rest = view_of(moves);
    size_t ply = 0;

    for (View text = view_token(&rest); text.length > 0; text = view_token(&rest)) {
        Move move;
        ParseError error;
        ck_assert_msg(move_read(game->variant, &position, text.start, text.length, &move, &error), "%s: %s",
                      where, error.text);
        ck_assert_msg(ply < game->plies, "%s: only %zu moves are read", where, game->plies);
        ck_assert_msg(game->moves[ply] == move, "%s: move %zu is another", where, ply + 1);
        position = position_after(&position, move);
        ply++;
    }
    ck_assert_msg(ply == game->plies, "%s: %zu moves are read", where, game->plies);
    return position;
}

static void check_game(const char *where, const PdnGame *game, const json_t *expected) {
    static const char *const results[] = {
        [RESULT_OPEN] = "open",
        [RESULT_WHITE_WINS] = "white",
        [RESULT_BLACK_WINS] = "black",
        [RESULT_DRAW] = "draw",
    };
    const char *variant = text_of(expected, "variant");
    const json_t *fen = json_object_get(expected, "fen");
    const char *key;
    json_t *value;
    char written[FEN_SIZE];

    ck_assert_msg(game->variant == variant_from_name(variant), "%s: not a game of '%s'", where, variant);
    ck_assert_msg(game->sound == json_is_true(json_object_get(expected, "sound")), "%s: sound is %d", where,
                  game->sound);
    ck_assert_msg(game->both_lost == json_is_true(json_object_get(expected, "both_lost")), "%s: both lost",
                  where);
    ck_assert_msg(strcmp(results[game->result], text_of(expected, "result")) == 0, "%s: the result is %s",
                  where, results[game->result]);
    if (game->variant != VARIANT_COUNT) {
        FenRecord last = {.position = check_moves(where, game, text_of(expected, "moves")), .fullmove = 1};
        fen_write(&last, rules_of(game->variant), written);
        if (fen != NULL) {
            FenRecord end;
            ParseError error;
            const char *text = json_string_value(fen);
            ck_assert_msg(fen_read(text, strlen(text), &end, &error), "%s: %s", where, error.text);
            ck_assert_msg(position_equal(&end.position, &last.position), "%s: ends with %s", where, written);
        }
    }
    json_object_foreach(json_object_get(expected, "tags"), key, value) {
        View tag = pdn_tag(game, key);
        ck_assert_msg(tag.start != NULL && view_equals(tag, json_string_value(value)), "%s: %s is '%.*s'",
                      where, key, (int)tag.length, tag.start);
    }
}

START_TEST(case_holds) {
    const json_t *item = cases[_i];
    const json_t *games;
    const json_t *expected;
    size_t number;
    json_t *check;

    ck_assert_uint_gt(json_array_size(json_object_get(item, "checks")), 0);
    json_array_foreach(json_object_get(item, "checks"), number, check) {
        const char *pdn = text_of(check, "pdn");
        Faults faults = {0};
        Variant asked = variant_from_name(text_of(check, "variant"));
        PdnReader *reader = pdn_reader_new(view_of(pdn), asked, take_fault, &faults);
        PdnGame game;
        char where[64];
        size_t count = 0;

        games = json_object_get(check, "games");
        while (pdn_reader_next(reader, &game)) {
            snprintf(where, sizeof where, "%s, text %zu, game %zu", text_of(item, "id"), number + 1,
                     count + 1);
            ck_assert_msg(count < json_array_size(games), "%s: one too many", where);
            check_game(where, &game, json_array_get(games, count++));
        }
        snprintf(where, sizeof where, "%s, text %zu", text_of(item, "id"), number + 1);
        ck_assert_msg(!pdn_reader_failed(reader), "%s: no memory", where);
        ck_assert_msg(count == json_array_size(games), "%s: only %zu games", where, count);
        expected = json_object_get(check, "faults");
        for (int i = 0; i < faults.count && i < FAULTS_MAX; i++) {
            const char *text = json_string_value(json_array_get(expected, (size_t)i));
            ck_assert_msg(text != NULL && strcmp(faults.texts[i], text) == 0, "%s: %s", where,
                          faults.texts[i]);
        }
        ck_assert_msg((size_t)faults.count == json_array_size(expected), "%s: %d faults", where,
                      faults.count);
        pdn_reader_free(reader);
    }
}
END_TEST

/* ---- Bytes that JSON cannot hold ----------------------------------------------------------------------- */

static const struct {
    const char *text;
    size_t length; /* 0 = up to the NUL byte */
    int games, plies, faults;
    const char *white; /* the tag of the first game */
} bytes[] = {
    /* N24: no-break space, quotes and dash of code page 1252, a name in code page 1251 */
    {"[White\xA0\x93"
     "A\x94]\n1.\xA0"
     "11\x96"
     "15 23\x97"
     "19 *",
     0, 1, 2, 0, "A"},
    {"[White \"\xC8\xE2\xE0\xED\xEE\xE2\"]\n1. 11-15 {\xE1\xE5\xEB\xFB\xE5} 23-19 *", 0, 1, 2, 0,
     "\xC8\xE2\xE0\xED\xEE\xE2"},
    /* in UTF-8 the bytes of these quotes are parts of letters */
    {"[White \"\xD0\x94\xD0\x93\"]\n1. 11-15 \xD0\x94] 23-19 *", 0, 1, 2, 1, "\xD0\x94\xD0\x93"},
    {"[White \"\xFF\xFE\x80\"]\n1. \xFF 11-15 \xE2\x80 23-19 \xF4\x8F\xBF\xBF *", 0, 1, 2, 3, "\xFF\xFE\x80"},
    {"[White \"a\0b\"]\n1. 11-15 \0 23-19 *", 32, 1, 2, 1, "a"},
    {"\xEF\xBB\xBF", 0, 0, 0, 0, NULL},
    {"\xEF\xBB", 0, 0, 0, 1, NULL},
};

START_TEST(other_encodings_are_read) {
    Faults faults = {0};
    size_t length = bytes[_i].length != 0 ? bytes[_i].length : strlen(bytes[_i].text);
    PdnReader *reader = pdn_reader_new((View){bytes[_i].text, length}, ENGLISH, take_fault, &faults);
    PdnGame game;
    int games = 0;
    int plies = 0;

    while (pdn_reader_next(reader, &game)) {
        View white = pdn_tag(&game, "White");
        ck_assert_msg(games > 0 || strncmp(white.start, bytes[_i].white, strlen(bytes[_i].white)) == 0,
                      "text %d: White is '%.*s'", _i, (int)white.length, white.start);
        plies += (int)game.plies;
        games++;
    }
    ck_assert_msg(games == bytes[_i].games, "text %d: %d games", _i, games);
    ck_assert_msg(plies == bytes[_i].plies, "text %d: %d plies", _i, plies);
    ck_assert_msg(faults.count == bytes[_i].faults, "text %d: %d faults, the first %s", _i, faults.count,
                  faults.texts[0]);
    pdn_reader_free(reader);
}
END_TEST

/* ---- Writing ------------------------------------------------------------------------------------------- */

static const struct {
    Variant variant;
    const char *fen;
    const char *read;
    const char *written;
} writes[] = {
    {ENGLISH, "B:W21-32:B1-12", "11-15", "11-15"},
    {ENGLISH, "B:W18:B15,1", "15x22", "15x22"},
    {ENGLISH, "B:W11,12,13,19,22,27,28,30:B2,3,6,7,10", "7x16x23x32", "7x32"},
    {ENGLISH, "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13", "10x19x26", "10x19x26"},
    {ENGLISH, "W:WK14:B10,11,18,19", "14x14", "14x14"},
    {RUSSIAN, "W:W21-32:B1-12", "c3-d4", "c3-d4"},
    {RUSSIAN, "W:WK4:B11,25", "h8xa1", "h8:a1"},
    {RUSSIAN, "W:WK3,13,20,21,23,24,25,28:B4,8,14,15,16", "f8xb4", "f8:b4"},
    {RUSSIAN, "W:WK3,13,20,21,23,24,25,28:B4,8,14,15,16", "f8h6f4d6b4", "f8:h6:f4:d6:b4"},
};

START_TEST(moves_are_written_short) {
    FenRecord record;
    Move move;
    ParseError error;
    char text[MOVE_TEXT_SIZE];
    const char *fen = writes[_i].fen;
    const char *read = writes[_i].read;

    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s", error.text);
    ck_assert_msg(move_read(writes[_i].variant, &record.position, read, strlen(read), &move, &error), "%s",
                  error.text);
    pdn_move_write(writes[_i].variant, &record.position, move, text);
    ck_assert_str_eq(text, writes[_i].written);
}
END_TEST

START_TEST(moves_of_random_positions_survive) {
    Variant variant = (Variant)_i;
    uint64_t seed = 11;

    for (int i = 0; i < 20000; i++) {
        Position position = random_position(24, &seed);
        MoveList list;

        movegen_generate(variant, &position, &list);
        for (int j = 0; j < list.count; j++) {
            char text[MOVE_TEXT_SIZE];
            Move move = MOVE_NONE;
            ParseError error = {0};
            pdn_move_write(variant, &position, list.moves[j], text);
            CHECK_QUICKLY(move_read(variant, &position, text, strlen(text), &move, &error), "%s", error.text);
            CHECK_QUICKLY(move == list.moves[j], "%s is read as another move", text);
        }
    }
}
END_TEST

static const struct {
    const char *value, *text;
} ESCAPES[] = {
    {"", ""},
    {"plain", "plain"},
    {"the \\\"Dreaded\\\"", "the \"Dreaded\""},
    {"back\\\\slash", "back\\slash"},
    {"\\\\\\\"", "\\\""},
    {"C:\\games", "C:\\games"},
    {"\\", "\\"},
};

START_TEST(escapes_are_taken_out) {
    char text[32];
    size_t length = pdn_unescape(view_of(ESCAPES[_i].value), text);

    ck_assert_uint_eq(length, strlen(ESCAPES[_i].text));
    ck_assert_mem_eq(text, ESCAPES[_i].text, length);
}
END_TEST

START_TEST(results_are_told_by_who_moves_first) {
    static const char *const english[] = {"*", "0-1", "1-0", "1/2-1/2"};
    static const char *const russian[] = {"*", "1-0", "0-1", "1/2-1/2"};

    for (Result result = RESULT_OPEN; result <= RESULT_DRAW; result++) {
        ck_assert_str_eq(pdn_result_text(ENGLISH, result), english[result]);
        ck_assert_str_eq(pdn_result_text(RUSSIAN, result), russian[result]);
    }
}
END_TEST

/* ---- Games --------------------------------------------------------------------------------------------- */

enum { GAMES = 200, GAME_PLIES = 201, GAME_TEXT_SIZE = GAME_PLIES * (MOVE_TEXT_SIZE + 20) + 1000 };

typedef struct {
    Variant variant;
    Position start;
    Result result;
    int plies;
    Move moves[GAME_PLIES];
} Record;

/* Which of the moves that have the same ends is meant, later ones may not tell: those are written whole. */
static void move_text(const Record *record, const Position *position, Move move, bool whole, char *text) {
    if (whole) {
        move_write(record->variant, position, move, text);
    } else {
        pdn_move_write(record->variant, position, move, text);
    }
}

/* Makes a game up and writes it with all that may stand between its moves. Returns the length of the text. */
static size_t record_make(Record *record, Variant variant, char *text, uint64_t *seed) {
    static const char *const between[] = {
        " ", "\n", " {a comment, 1-0} ", " (1. 11-15 (x) 22-18) ", "! $3 ", "\t; to the end\n", " ",
    };
    const Rules *rules = rules_of(variant);
    Position position = random_below(seed, 2) != 0 ? position_start(rules) : random_position(24, seed);
    char fen[FEN_SIZE];
    char move[MOVE_TEXT_SIZE];

    for (Color color = WHITE; color <= BLACK; color++) { /* men on their crownhead are faults */
        position.kings |= position.pieces[color] & bitboard_crownhead(color);
    }
    *record = (Record){.variant = variant, .start = position};
    fen_write(&(FenRecord){.position = position, .fullmove = 1}, rules, fen);
    size_t length =
        (size_t)snprintf(text, GAME_TEXT_SIZE, "[Event \"%d\"]\n[GameType \"%s\"]\n[FEN \"%s\"]\n\n",
                         random_below(seed, 1000), rules->pdn_gametype, fen);
    while (record->plies < GAME_PLIES) {
        MoveList list;
        movegen_generate(variant, &position, &list);
        if (list.count == 0) {
            record->result = position.turn == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS;
            break;
        }
        Move chosen = list.moves[random_below(seed, list.count)];
        move_text(record, &position, chosen, random_below(seed, 2) != 0, move);
        if (record->plies % 2 == 0) {
            length += (size_t)snprintf(text + length, GAME_TEXT_SIZE - length, "%d. ", record->plies / 2 + 1);
        }
        const char *blank = between[random_below(seed, (int)(sizeof between / sizeof between[0]))];
        length += (size_t)snprintf(text + length, GAME_TEXT_SIZE - length, "%s%s", move, blank);
        record->moves[record->plies++] = chosen;
        position = position_after(&position, chosen);
    }
    length += (size_t)snprintf(text + length, GAME_TEXT_SIZE - length, "%s\n\n",
                               pdn_result_text(variant, record->result));
    return length;
}

START_TEST(games_survive) {
    Record *records = calloc(GAMES, sizeof *records);
    char *text = malloc((size_t)GAMES * GAME_TEXT_SIZE);
    uint64_t seed = 12;
    size_t length = 0;
    int count = 0;
    Faults faults = {0};
    PdnGame game;

    for (int i = 0; i < GAMES; i++) {
        length += record_make(&records[i], (Variant)random_below(&seed, VARIANT_COUNT), text + length, &seed);
    }
    PdnReader *reader = pdn_reader_new((View){text, length}, VARIANT_COUNT, take_fault, &faults);
    for (; pdn_reader_next(reader, &game); count++) {
        const Record *record = &records[count];
        CHECK_QUICKLY(count < GAMES, "there are only %d games", GAMES);
        CHECK_QUICKLY(game.sound && game.variant == record->variant && game.result == record->result,
                      "game %d: %s", count, faults.texts[0]);
        CHECK_QUICKLY(position_equal(&game.start.position, &record->start), "game %d: the start", count);
        CHECK_QUICKLY(
            game.plies == (size_t)record->plies &&
                (game.plies == 0 || memcmp(game.moves, record->moves, game.plies * sizeof(Move)) == 0),
            "game %d: the moves", count);
    }
    ck_assert_int_eq(count, GAMES);
    ck_assert_msg(faults.count == 0, "%s", faults.texts[0]);
    pdn_reader_free(reader);
    free(text);
    free(records);
}
END_TEST

/* Captures by their ends alone: the moves are those that were played, or a warning says that none told. */
START_TEST(short_captures_are_followed) {
    uint64_t seed = 13;
    char text[GAME_TEXT_SIZE];
    int told = 0;

    for (int i = 0; i < 20000; i++) {
        Variant variant = (Variant)random_below(&seed, VARIANT_COUNT);
        Naming naming = rules_of(variant)->naming;
        Position start = random_position(24, &seed);
        Move moves[8];
        int plies = 0;
        bool ambiguous = false;
        char fen[FEN_SIZE];

        for (Color color = WHITE; color <= BLACK; color++) {
            start.kings |= start.pieces[color] & bitboard_crownhead(color);
        }
        fen_write(&(FenRecord){.position = start, .fullmove = 1}, rules_of(variant), fen);
        size_t length = (size_t)snprintf(text, sizeof text, "[GameType \"%s\"][FEN \"%s\"]",
                                         rules_of(variant)->pdn_gametype, fen);
        for (Position position = start; plies < 8; position = position_after(&position, moves[plies - 1])) {
            MoveList list;
            char from[SQUARE_TEXT_SIZE];
            char to[SQUARE_TEXT_SIZE];
            Move one;
            ParseError error;
            movegen_generate(variant, &position, &list);
            if (list.count == 0) {
                break;
            }
            Move move = list.moves[random_below(&seed, list.count)];
            square_write(move_from(move), naming, from);
            square_write(move_to(move), naming, to);
            size_t begin = length;
            length += (size_t)snprintf(text + length, sizeof text - length, " %s-%s", from, to);
            if (!move_read(variant, &position, text + begin + 1, length - begin - 1, &one, &error)) {
                ambiguous = true;
            } else if (one != move) { /* the ends are the whole path of a shorter capture */
                length = begin;
                break;
            }
            moves[plies++] = move;
        }
        length += (size_t)snprintf(text + length, sizeof text - length, " *");

        Faults faults = {0};
        PdnGame game;
        PdnReader *reader = pdn_reader_new((View){text, length}, VARIANT_COUNT, take_fault, &faults);
        CHECK_QUICKLY(pdn_reader_next(reader, &game), "no game");
        CHECK_QUICKLY(game.sound && game.plies == (size_t)plies, "%s: %s", text, faults.texts[0]);
        if (faults.count == 0) {
            CHECK_QUICKLY(plies == 0 || memcmp(game.moves, moves, (size_t)plies * sizeof moves[0]) == 0,
                          "%s: other moves", text);
            told += ambiguous;
        } else {
            CHECK_QUICKLY(ambiguous && strstr(faults.texts[0], "no later move tells") != NULL, "%s: %s", text,
                          faults.texts[0]);
        }
        pdn_reader_free(reader);
    }
    CHECK_QUICKLY(told > 20, "only %d ambiguous games were told by later moves", told);
}
END_TEST

/* ---- Damage -------------------------------------------------------------------------------------------- */

/* What is read must be legal whatever the text; there cannot be more games than words. */
static void read_damaged(View text) {
    Faults faults = {0};
    PdnGame game;
    size_t games = 0;
    int errors = 0;
    PdnReader *reader = pdn_reader_new(text, VARIANT_COUNT, take_fault, &faults);

    while (pdn_reader_next(reader, &game)) {
        CHECK_QUICKLY(++games <= text.length, "too many games");
        CHECK_QUICKLY(game.sound || faults.errors > errors, "an unsound game without an error");
        errors = faults.errors;
        if (game.variant == VARIANT_COUNT) {
            CHECK_QUICKLY(!game.sound && game.plies == 0, "a game of no kind");
            continue;
        }
        Position position = game.start.position;
        for (size_t ply = 0; ply < game.plies; ply++) {
            MoveList list;
            bool legal = false;
            movegen_generate(game.variant, &position, &list);
            for (int i = 0; i < list.count; i++) {
                legal = legal || list.moves[i] == game.moves[ply];
            }
            CHECK_QUICKLY(legal, "an illegal move at ply %zu", ply);
            position = position_after(&position, game.moves[ply]);
        }
    }
    CHECK_QUICKLY(!pdn_reader_failed(reader), "no memory");
    pdn_reader_free(reader);
}

START_TEST(damaged_texts_do_no_harm) {
    static const char *const pieces[] = {
        "{",       "}",       "(",    ")",       "[",        "]",        "\"",   "\\",
        ";",       "\n%",     "\r",   "*",       " - ",      "1-0",      "1/2",  "-",
        " x ",     "$",       "/",    ".",       "(?)",      "0",        "99",   "\n[Event \"x\"]",
        "/FEN \"", "W:WK1:B", "\x93", "\0",      "\xE2\x80", "a1",       "K",    ":",
        "1-1",     "!",       "",     "[FEN \"", "1 - ",     "\xC2\xBD", "\xF0",
    };
    uint64_t seed = 14 + (uint64_t)_i;
    char *whole = malloc(3 * (size_t)GAME_TEXT_SIZE);
    size_t whole_length = 0;
    Record record;

    for (int i = 0; i < 3; i++) {
        whole_length +=
            record_make(&record, (Variant)random_below(&seed, VARIANT_COUNT), whole + whole_length, &seed);
    }
    for (int round = 0; round < 300; round++) {
        size_t length = whole_length;
        char *text = malloc(length + 512); /* of its own, so that a sanitizer sees what is read behind it */
        memcpy(text, whole, length);
        for (int damages = 1 + random_below(&seed, 12); damages > 0; damages--) {
            size_t at = (size_t)random_below(&seed, (int)length + 1);
            size_t cut = (size_t)random_below(&seed, random_below(&seed, 4) == 0 ? 400 : 3);
            const char *piece = pieces[random_below(&seed, (int)(sizeof pieces / sizeof pieces[0]))];
            size_t size = piece[0] == '\0' ? (size_t)random_below(&seed, 2) : strlen(piece);
            cut = cut > length - at ? length - at : cut;
            memmove(text + at + size, text + at + cut, length - at - cut);
            memcpy(text + at, piece, size);
            length += size - cut;
        }
        char *exact = realloc(text, length > 0 ? length : 1);
        read_damaged((View){exact, length});
        free(exact);
    }
    free(whole);
}
END_TEST

START_TEST(noise_does_no_harm) {
    static const char signs[] = "0123456789abcdefghKWBx:-*[](){};\"\\/.,!?$% \n\r\t\xE2\x80\x93\xA0\xC2";
    uint64_t seed = 15;

    for (int i = 0; i < 20000; i++) {
        size_t length = (size_t)random_below(&seed, 200);
        char *text = malloc(length + 1);
        for (size_t at = 0; at < length; at++) {
            text[at] =
                i % 2 == 0 ? signs[random_below(&seed, (int)sizeof signs)] : (char)random_below(&seed, 256);
        }
        read_damaged((View){text, length});
        free(text);
    }
}
END_TEST

/* Beginnings of which nothing has an end. */
static const char *const beginnings[] = {
    "{",         "{\n[A \"", "(",       "[",    "[%",    "[  ", "[A \"", "[A \"x]",  "[A    ",
    "[A \"\"\"", "/",        "/FEN \"", "1-",   "1    ", "-",   "$",     "((?)",     "11-15 ",
    "x",         "\"",       "\\",      "1/2-", ";",     "%",   "\n[A",  "\xC2\xBD",
};

/* Reading takes time by the length of the text; if it took more, this would not end in time. */
START_TEST(time_is_linear) {
    size_t length = 4000000;
    char *text = malloc(length);
    const char *beginning = beginnings[_i];
    size_t size = strlen(beginning);
    Faults faults = {0};
    PdnGame game;

    for (size_t at = 0; at < length; at++) {
        text[at] = beginning[at % size];
    }
    PdnReader *reader = pdn_reader_new((View){text, length}, VARIANT_COUNT, take_fault, &faults);
    while (pdn_reader_next(reader, &game)) {
    }
    ck_assert(!pdn_reader_failed(reader));
    pdn_reader_free(reader);
    free(text);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void) {
    if (!cases_load("pdn_cases.jsonl")) {
        return EXIT_FAILURE;
    }

    Suite *suite = suite_create("pdn");
    TCase *tcase = tcase_create("pdn");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, case_holds, 0, cases_count);
    tcase_add_loop_test(tcase, other_encodings_are_read, 0, ROWS(bytes));
    tcase_add_loop_test(tcase, moves_are_written_short, 0, ROWS(writes));
    tcase_add_loop_test(tcase, moves_of_random_positions_survive, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, escapes_are_taken_out, 0, ROWS(ESCAPES));
    tcase_add_test(tcase, results_are_told_by_who_moves_first);
    tcase_add_test(tcase, games_survive);
    tcase_add_test(tcase, short_captures_are_followed);
    tcase_add_loop_test(tcase, damaged_texts_do_no_harm, 0, 10);
    tcase_add_test(tcase, noise_does_no_harm);
    suite_add_tcase(suite, tcase);

    TCase *timed = tcase_create("time");
    tcase_set_timeout(timed, 60);
    tcase_add_loop_test(timed, time_is_linear, 0, ROWS(beginnings));
    suite_add_tcase(suite, timed);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    cases_free();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
