/* Tests of squares and moves as text. */
#include "engine/fen.h"
#include "engine/notation.h"
#include "tests/random_play.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ENGLISH VARIANT_ENGLISH
#define RUSSIAN VARIANT_RUSSIAN

static const char EDGE_ROUND[] = "W:WK14:B10,11,18,19";                        /* R17 */
static const char MANY_ENDS[] = "B:W6,7,8,14,15,16,22,23,24:BK2";              /* R18 */
static const char FOUR_JUMPS[] = "B:W11,12,13,19,22,27,28,30:B2,3,6,7,10";     /* R02 */
static const char SAME_SQUARES[] = "W:WK3,13,20,21,23,24,25,28:B4,8,14,15,16"; /* R13 */
static const char CIRCLE[] = "W:WK30:B8,10,19,25";                             /* R16 */
static const char GAME_CIRCLE[] = "W:W12,32:B6,8,9,10,K19,20,22";              /* R24 */
static const char START[] = "B:W21-32:B1-12";
static const char WHITE_START[] = "W:W21-32:B1-12";

static Position position_of(const char *fen) {
    FenRecord record;
    ParseError error;
    CHECK_QUICKLY(fen_read(fen, strlen(fen), &record, &error), "%s: %s", fen, error.text);
    return record.position;
}

START_TEST(squares_have_two_names) {
    static const char *const names[SQUARES] = {
        "b8", "d8", "f8", "h8", "a7", "c7", "e7", "g7", "b6", "d6", "f6", "h6", "a5", "c5", "e5", "g5",
        "b4", "d4", "f4", "h4", "a3", "c3", "e3", "g3", "b2", "d2", "f2", "h2", "a1", "c1", "e1", "g1",
    };
    char text[SQUARE_TEXT_SIZE];
    char upper[3] = {(char)toupper(names[_i][0]), names[_i][1], '\0'};
    Square expected = square_from_number(_i + 1);
    Square square;

    square_write(expected, NAMING_ALGEBRAIC, text);
    ck_assert_str_eq(text, names[_i]);
    ck_assert(square_read(text, 2, &square) && square == expected);
    ck_assert(square_read(upper, 2, &square) && square == expected);
    square_write(expected, NAMING_NUMERIC, text);
    ck_assert_int_eq(atoi(text), _i + 1);
    ck_assert(square_read(text, strlen(text), &square) && square == expected);
}
END_TEST

static const char *const no_squares[] = {
    "",    "0",  "00", "33", "99",       "100", "4294967297", "18446744073709551617",
    "-1",  "+1", "1 ", " 1", "1x",       "a",   "1a",         "a0",
    "a9",  "i1", "a2", "b1", "h7",       "g8",  "aa",         "a1 ",
    "a11", "`1", "@1", "I1", "\xe1\x31", "x",   "K1",         "1-2",
};

START_TEST(what_is_no_square_is_refused) {
    const char *text = no_squares[_i];
    Square square = 77;

    ck_assert_msg(!square_read(text, strlen(text), &square), "'%s' is %d", text, square_number(square));
    ck_assert_msg(square == 77, "'%s' changed the square", text);
}
END_TEST

START_TEST(the_length_counts_not_the_end) {
    Square square;
    Move move;
    ParseError error;
    Position position = position_of(START);

    ck_assert(square_read("123", 2, &square) && square_number(square) == 12);
    ck_assert(square_read("0008-", 4, &square) && square_number(square) == 8);
    ck_assert(!square_read("1\0002", 3, &square));
    ck_assert(move_read(VARIANT_ENGLISH, &position, "11-156", 5, &move, &error));
    ck_assert(!move_read(VARIANT_ENGLISH, &position, "11-15\0", 6, &move, &error));
    ck_assert(!move_read(VARIANT_ENGLISH, &position, NULL, 0, &move, &error));
}
END_TEST

static const struct {
    Variant variant;
    const char *fen;
    const char *text;
    const char *from_to; /* of the move, as numbers */
    const char *captured;
} reads[] = {
    {ENGLISH, START, "11-15", "11 15", ""},
    {ENGLISH, START, "11x15", "11 15", ""}, /* N27 */
    {ENGLISH, START, "11X15", "11 15", ""},
    {ENGLISH, START, "11:15", "11 15", ""},
    {ENGLISH, "B:W21-32:B1-10,12", "08-011", "8 11", ""},
    {ENGLISH, START, "09-014", "9 14", ""}, /* N26 */
    {ENGLISH, START, "f6-e5", "11 15", ""},
    {ENGLISH, START, "F6E5", "11 15", ""},
    {ENGLISH, START, "f6-15", "11 15", ""},
    {RUSSIAN, WHITE_START, "c3-d4", "22 18", ""}, /* N28 */
    {RUSSIAN, WHITE_START, "c3d4", "22 18", ""},
    {RUSSIAN, WHITE_START, "C3xD4", "22 18", ""},
    {RUSSIAN, WHITE_START, "c3:d4", "22 18", ""},
    {RUSSIAN, WHITE_START, "22-18", "22 18", ""},
    /* full path, some of it, the ends alone */
    {ENGLISH, FOUR_JUMPS, "7x16x23x32", "7 32", "11 19 27"},
    {ENGLISH, FOUR_JUMPS, "7-16-23-32", "7 32", "11 19 27"},
    {ENGLISH, FOUR_JUMPS, "7x16:23-32", "7 32", "11 19 27"},
    {ENGLISH, FOUR_JUMPS, "7x16x32", "7 32", "11 19 27"}, /* N29 */
    {ENGLISH, FOUR_JUMPS, "7x23x32", "7 32", "11 19 27"},
    {ENGLISH, FOUR_JUMPS, "7x32", "7 32", "11 19 27"},
    {ENGLISH, FOUR_JUMPS, "7-32", "7 32", "11 19 27"},
    {ENGLISH, FOUR_JUMPS, "e7g5e3g1", "7 32", "11 19 27"},
    {ENGLISH, FOUR_JUMPS, "e7g1", "7 32", "11 19 27"},
    /* a move that ends where it began; either way round is the same move */
    {ENGLISH, EDGE_ROUND, "14x14", "14 14", "10 11 18 19"},
    {ENGLISH, EDGE_ROUND, "14-14", "14 14", "10 11 18 19"},
    {ENGLISH, EDGE_ROUND, "14x23x16x7x14", "14 14", "10 11 18 19"},
    {ENGLISH, EDGE_ROUND, "14x7x16x23x14", "14 14", "10 11 18 19"},
    {ENGLISH, EDGE_ROUND, "14x16x14", "14 14", "10 11 18 19"},
    /* a whole path means that move, though it is part of longer ones too */
    {ENGLISH, MANY_ENDS, "2x11x4", "2 4", "7 8"},
    {ENGLISH, MANY_ENDS, "2x9x18x11x4", "2 4", "6 14 15 8"},
    {ENGLISH, MANY_ENDS, "2x9x18x27x20x11x4", "2 4", "6 14 23 24 16 8"},
    {ENGLISH, MANY_ENDS, "2x9x18x25", "2 25", "6 14 22"},
    {ENGLISH, MANY_ENDS, "2x9x20x25", "2 25", "6 14 23 24 16 15 22"},
    {RUSSIAN, SAME_SQUARES, "3x17", "3 17", "14"},
    {RUSSIAN, SAME_SQUARES, "f8:b4", "3 17", "14"},
    {RUSSIAN, SAME_SQUARES, "f8h6f4d6b4", "3 17", "8 16 15 14"},
    {RUSSIAN, SAME_SQUARES, "f8:h6:b4", "3 17", "8 16 15 14"},
    {RUSSIAN, SAME_SQUARES, "h4xb6", "20 9", "16 15 14"},
    /* other landing squares, same pieces: N32 */
    {RUSSIAN, "W:WK4:B11,25", "4x29", "4 29", "11 25"},
    {RUSSIAN, "W:WK4:B11,25", "h8:e5:a1", "4 29", "11 25"},
    {RUSSIAN, "W:WK4:B11,25", "h8:d4:a1", "4 29", "11 25"},
    {RUSSIAN, "W:WK4:B11,25", "h8:c3:a1", "4 29", "11 25"},
    {RUSSIAN, CIRCLE, "c1xc1", "30 30", "25 8 10 19"},
    {RUSSIAN, CIRCLE, "c1:a3:f8:h6:c1", "30 30", "25 8 10 19"},
    {RUSSIAN, CIRCLE, "c1:h6:f8:a3:c1", "30 30", "25 8 10 19"},
    {RUSSIAN, CIRCLE, "c1:e3", "30 23", "25 8 10 19"},
    {RUSSIAN, GAME_CIRCLE, "h6xh6", "12 12", "8 10 22 19"},
    {RUSSIAN, GAME_CIRCLE, "12x12", "12 12", "8 10 22 19"},
};

START_TEST(move_is_read) {
    Position position = position_of(reads[_i].fen);
    const char *text = reads[_i].text;
    Bitboard captured = 0;
    Move move;
    ParseError error;
    int from = 0;
    int to = 0;

    ck_assert_msg(move_read(reads[_i].variant, &position, text, strlen(text), &move, &error), "%s: %s",
                  reads[_i].fen, error.text);
    char *rest;
    from = (int)strtol(reads[_i].from_to, &rest, 10);
    to = (int)strtol(rest, NULL, 10);
    for (const char *number = reads[_i].captured; *number != '\0'; number = rest) {
        captured |= BITBOARD_BIT(square_from_number((int)strtol(number, &rest, 10)));
    }
    ck_assert_msg(square_number(move_from(move)) == from, "%s: from %d", text,
                  square_number(move_from(move)));
    ck_assert_msg(square_number(move_to(move)) == to, "%s: to %d", text, square_number(move_to(move)));
    ck_assert_msg(move_captured(move) == captured, "%s takes other pieces", text);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen;
    const char *text;
    const char *error;
} refusals[] = {
    {ENGLISH, START, "", "not a move: ''"},
    {ENGLISH, START, "abc", "not a move: 'abc'"},
    {ENGLISH, START, "(none)", "not a move: '(none)'"},
    {ENGLISH, START, "11", "not a move: '11'"},
    {ENGLISH, START, "1115", "not a move: '1115'"},
    {ENGLISH, START, "11-", "not a move: '11-'"},
    {ENGLISH, START, "-15", "not a move: '-15'"},
    {ENGLISH, START, "11--15", "not a move: '11--15'"},
    {ENGLISH, START, "11-15-", "not a move: '11-15-'"},
    {ENGLISH, START, "11 - 15", "not a move: '11 - 15'"},
    {ENGLISH, START, " 11-15", "not a move: ' 11-15'"},
    {ENGLISH, START, "11-15!", "not a move: '11-15!'"},
    {ENGLISH, START, "11*15", "not a move: '11*15'"},
    {ENGLISH, START, "11f6", "not a move: '11f6'"},
    {ENGLISH, START, "f615", "not a move: 'f615'"},
    {ENGLISH, START, "-", "not a move: '-'"}, /* N39 */
    {ENGLISH, START,
     "11\xe2\x80\x93"
     "15",
     "not a move: '11\\xe2\\x80\\x9315'"}, /* N24 */
    {ENGLISH, START,
     "11\xa0"
     "15",
     "not a move: '11\\xa015'"},
    {ENGLISH, START, "11-15\n", "not a move: '11-15\\x0a'"},
    {ENGLISH, START, "1x2x3x4x5x6x7x8x9x10x11x12x13x14", "not a move: '1x2x3x4x5x6x7x8x9x10x11x12x13x14'"},
    {ENGLISH, START, "12345678901234567890123456789012345678901234567890-15!x",
     "not a move: '12345678901234567890123456789012345678901234567890-15!...'"},
    {ENGLISH, START, "11-33", "illegal move '11-33': no square '33'"},
    {ENGLISH, START, "0-1", "illegal move '0-1': no square '0'"},
    {ENGLISH, START, "1-99999999999", "illegal move '1-99999999999': no square '99999999999'"},
    {RUSSIAN, WHITE_START, "c3-d5", "illegal move 'c3-d5': no square 'd5'"},
    {RUSSIAN, WHITE_START, "c3-d9", "illegal move 'c3-d9': no square 'd9'"},
    {RUSSIAN, WHITE_START, "A1-A5", "illegal move 'A1-A5': the piece on a1 cannot go to a5"},
    /* whose piece */
    {ENGLISH, START, "15-18", "illegal move '15-18': no piece of the side to move on 15"},
    {ENGLISH, START, "23-19", "illegal move '23-19': no piece of the side to move on 23"},
    {RUSSIAN, WHITE_START, "f6-e5", "illegal move 'f6-e5': no piece of the side to move on f6"},
    {RUSSIAN, WHITE_START, "11-15", "illegal move '11-15': no piece of the side to move on f6"},
    {ENGLISH, "B:WK26,K27,K30:B16,K28,K29", "32-28",
     "illegal move '32-28': no piece of the side to move on 32"}, /* N38 */
    {ENGLISH, "W:W12:B3,8", "12-8", "illegal move '12-8': the side to move has no legal move"},
    {ENGLISH, "W:W:B3,8", "12-8", "illegal move '12-8': no piece of the side to move on 12"},
    /* quiet */
    {ENGLISH, START, "11-18", "illegal move '11-18': the piece on 11 cannot go to 18"},
    {ENGLISH, START, "11-8", "illegal move '11-8': the piece on 11 cannot go to 8"},
    {ENGLISH, START, "11-11", "illegal move '11-11': the piece on 11 cannot go to 11"},
    {ENGLISH, START, "11-15-18", "illegal move '11-15-18': there is nothing to capture"},
    {ENGLISH, START, "11-15-15", "illegal move '11-15-15': there is nothing to capture"},
    {ENGLISH, START, "11-15-15-15", "illegal move '11-15-15-15': there is nothing to capture"},
    {RUSSIAN, "W:WK29:B1", "a1c3e5", "illegal move 'a1c3e5': there is nothing to capture"},
    /* captures */
    {ENGLISH, "B:W18:B15,1", "1-5", "illegal move '1-5': a capture is compulsory"},
    {ENGLISH, "B:W18:B15,1", "15-19", "illegal move '15-19': no such capture, and a capture is compulsory"},
    {ENGLISH, "B:W18:B15,1", "15x19x22",
     "illegal move '15x19x22': no such capture, and a capture is compulsory"},
    {ENGLISH, FOUR_JUMPS, "7x16", "illegal move '7x16': the capture goes on: 7x16x23x32"},
    {ENGLISH, FOUR_JUMPS, "7x16x23", "illegal move '7x16x23': the capture goes on: 7x16x23x32"},
    {ENGLISH, FOUR_JUMPS, "7x23", "illegal move '7x23': the capture goes on: 7x16x23x32"},
    {ENGLISH, FOUR_JUMPS, "7x23x16x32",
     "illegal move '7x23x16x32': no such capture, and a capture is compulsory"},
    {ENGLISH, FOUR_JUMPS, "7x16x16x32",
     "illegal move '7x16x16x32': no such capture, and a capture is compulsory"},
    {ENGLISH, FOUR_JUMPS, "7x16x23x32x32",
     "illegal move '7x16x23x32x32': no such capture, and a capture is compulsory"},
    {RUSSIAN, "W:WK4:B11,25", "h8xe5", "illegal move 'h8xe5': the capture goes on: h8xe5xa1"},
};

START_TEST(move_is_refused) {
    Position position = position_of(refusals[_i].fen);
    const char *text = refusals[_i].text;
    Move move = 12345;
    ParseError error;

    ck_assert_msg(!move_read(refusals[_i].variant, &position, text, strlen(text), &move, &error),
                  "'%s' is read", text);
    ck_assert_msg(strcmp(error.text, refusals[_i].error) == 0, "'%s': %s", text, error.text);
    ck_assert_msg(move == 12345, "'%s' changed the move", text);
}
END_TEST

/* In which order the moves stand depends on the generator. */
static const struct {
    Variant variant;
    const char *fen;
    const char *text;
    int listed;
} ambiguous[] = {
    {ENGLISH, MANY_ENDS, "2x4", 4},
    {ENGLISH, MANY_ENDS, "2x25", 4},
    {ENGLISH, MANY_ENDS, "2x2", 2},
    {ENGLISH, "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13", "10x26", 2},                /* N30 */
    {ENGLISH, "W:W15,21,25,26,28,30,31,32:B1,2,4,6,8,10,11,13,18,19,27", "32x7", 2}, /* N31 */
    {ENGLISH, "W:W15,21,25,26,28,30,31,32:B1,2,4,6,8,10,11,13,18,19,27", "32x23x7", 2},
    {RUSSIAN, "W:WK24:B9,14,15,22", "24x26", 2}, /* N32 */
    {RUSSIAN, "W:WK24:B9,14,15,22", "g3e1", 2},
};

START_TEST(ambiguous_moves_are_listed) {
    Position position = position_of(ambiguous[_i].fen);
    Variant variant = ambiguous[_i].variant;
    const char *text = ambiguous[_i].text;
    Move seen[8] = {0};
    Move move = MOVE_NONE;
    ParseError error;
    int listed = 0;

    ck_assert_msg(!move_read(variant, &position, text, strlen(text), &move, &error), "'%s' is read", text);
    ck_assert_msg(strncmp(error.text, "ambiguous move '", 16) == 0, "'%s': %s", text, error.text);
    for (const char *item = strstr(error.text, "': "); item != NULL; item = strstr(item, ", ")) {
        ParseError other;
        item += item[0] == '\'' ? 3 : 2;
        ck_assert_msg(move_read(variant, &position, item, strcspn(item, ","), &move, &other), "'%s': %s",
                      text, other.text);
        for (int i = 0; i < listed; i++) {
            ck_assert_msg(seen[i] != move, "'%s' lists a move twice: %s", text, error.text);
        }
        seen[listed++] = move;
    }
    ck_assert_msg(listed == ambiguous[_i].listed, "'%s' lists %d moves: %s", text, listed, error.text);
}
END_TEST

START_TEST(a_long_list_is_cut) {
    /* The king comes to a1 in eight ways that take different men. */
    Position position = position_of("W:WK2:B4,6,14,15,16,17,23,24,25,26");
    MoveList list;
    Move move;
    ParseError error;
    int ways = 0;

    movegen_generate(VARIANT_RUSSIAN, &position, &list);
    for (int i = 0; i < list.count; i++) {
        ways += square_number(move_to(list.moves[i])) == 29;
    }
    ck_assert_int_eq(ways, 8);
    memset(&error, '#', sizeof error);
    ck_assert(!move_read(VARIANT_RUSSIAN, &position, "d8xa1", 5, &move, &error));
    size_t length = strnlen(error.text, sizeof error.text);
    ck_assert_uint_lt(length, sizeof error.text);
    ck_assert_str_eq(error.text + length - 5, ", ...");
    /* Another path would not have had room. */
    ck_assert_uint_gt(length, sizeof error.text - MOVE_TEXT_SIZE);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen;
    const char *text; /* of the only move */
} writes[] = {
    {ENGLISH, "W:WK4:B11", "4-8"},
    {ENGLISH, "B:W18:B15,1", "15x22"},
    {ENGLISH, FOUR_JUMPS, "7x16x23x32"},
    {RUSSIAN, "W:W9:B", "b6-a7"},
    {RUSSIAN, "W:WK7:B10,15,27", "e7xc5xg1"}, /* R15 */
};

START_TEST(move_is_written) {
    Position position = position_of(writes[_i].fen);
    MoveList list;
    char text[MOVE_TEXT_SIZE];
    bool found = false;

    movegen_generate(writes[_i].variant, &position, &list);
    for (int i = 0; i < list.count; i++) {
        move_write(writes[_i].variant, &position, list.moves[i], text);
        found = found || strcmp(text, writes[_i].text) == 0;
    }
    ck_assert_msg(found, "%s: %s is not there, the last is %s", writes[_i].fen, writes[_i].text, text);
}
END_TEST

static void check_moves(Variant variant, const Position *position) {
    MoveList list;

    movegen_generate(variant, position, &list);
    for (int i = 0; i < list.count; i++) {
        char text[MOVE_TEXT_SIZE + 1];
        char again[MOVE_TEXT_SIZE];
        Move move = MOVE_NONE;
        ParseError error = {0};

        text[MOVE_TEXT_SIZE] = '#';
        move_write(variant, position, list.moves[i], text);
        CHECK_QUICKLY(text[MOVE_TEXT_SIZE] == '#', "the buffer is overrun");
        CHECK_QUICKLY(move_read(variant, position, text, strlen(text), &move, &error), "%s", error.text);
        CHECK_QUICKLY(move == list.moves[i], "%s is read as another move", text);
        move_write(variant, position, move, again);
        CHECK_QUICKLY(strcmp(text, again) == 0, "%s is then written %s", text, again);
    }
}

START_TEST(moves_of_games_survive) {
    Variant variant = (Variant)_i;
    Position position = position_start(rules_of(variant));
    uint64_t seed = 5;
    int plies = 0;

    for (int i = 0; i < 100000; i++) {
        check_moves(variant, &position);
        position = random_play(variant, &position, &plies, &seed);
    }
}
END_TEST

START_TEST(moves_of_random_positions_survive) {
    uint64_t seed = 6;

    for (int i = 0; i < 20000; i++) {
        Position position = random_position(24, &seed);
        check_moves((Variant)_i, &position);
    }
}
END_TEST

START_TEST(broken_texts_do_no_harm) {
    static const char bytes[] = "xX-: 0123456789abcdefghABCH\n\x80?";
    uint64_t seed = 7;
    int read_count = 0;

    for (int i = 0; i < 100000; i++) {
        int row = random_below(&seed, (int)(sizeof reads / sizeof reads[0]));
        Position position = position_of(reads[row].fen);
        char text[64];
        size_t length = strlen(reads[row].text);
        Move move = MOVE_NONE;
        ParseError error = {0};

        memcpy(text, reads[row].text, length);
        text[random_below(&seed, (int)length)] = bytes[random_below(&seed, (int)sizeof bytes)];
        length -= random_below(&seed, 4) == 0;
        if (move_read(reads[row].variant, &position, text, length, &move, &error)) {
            MoveList list;
            bool legal = false;
            movegen_generate(reads[row].variant, &position, &list);
            for (int j = 0; j < list.count; j++) {
                legal = legal || list.moves[j] == move;
            }
            CHECK_QUICKLY(legal, "'%.*s' is an illegal move", (int)length, text);
            read_count++;
        } else {
            CHECK_QUICKLY(move == MOVE_NONE, "'%.*s' changed the move", (int)length, text);
            CHECK_QUICKLY(error.text[0] != '\0' && strlen(error.text) < sizeof error.text,
                          "'%.*s': length of the error", (int)length, text);
            for (const char *at = error.text; *at != '\0'; at++) {
                CHECK_QUICKLY(isprint((unsigned char)*at), "%s", error.text);
            }
        }
    }
    CHECK_QUICKLY(read_count > 1000 && read_count < 99000, "%d texts were read", read_count);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void) {
    Suite *suite = suite_create("notation");
    TCase *tcase = tcase_create("notation");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, squares_have_two_names, 0, SQUARES);
    tcase_add_loop_test(tcase, what_is_no_square_is_refused, 0, ROWS(no_squares));
    tcase_add_test(tcase, the_length_counts_not_the_end);
    tcase_add_loop_test(tcase, move_is_read, 0, ROWS(reads));
    tcase_add_loop_test(tcase, move_is_refused, 0, ROWS(refusals));
    tcase_add_loop_test(tcase, ambiguous_moves_are_listed, 0, ROWS(ambiguous));
    tcase_add_test(tcase, a_long_list_is_cut);
    tcase_add_loop_test(tcase, move_is_written, 0, ROWS(writes));
    tcase_add_loop_test(tcase, moves_of_games_survive, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, moves_of_random_positions_survive, 0, VARIANT_COUNT);
    tcase_add_test(tcase, broken_texts_do_no_harm);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
