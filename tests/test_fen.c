/* Tests of reading and writing FENs. */
#include "engine/fen.h"
#include "tests/random_play.h"

#include <check.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_SQUARES "W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

static const struct {
    const char *text;
    const char *english;
} accepted[] = {
    {"B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29", "B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29"},
    /* sections in either order, either or both of them empty */
    {"W:B2,1:W32,31", "W:W31,32:B1,2"},
    {"B:W32:B", "B:W32:B"},
    {"B:W32", "B:W32:B"},
    {"W:W:B21", "W:W:B21"},
    {"W:B21", "W:W:B21"},
    {"W:B:W32", "W:W32:B"},
    {"W:W:B", "W:W:B"},
    {"B:W", "B:W:B"},
    /* blanks */
    {"W:WK 1:Bk\tb2", "W:WK1:BK25"},
    {"  B : W 18 , 24\t:\tB 12 ,\r\n K1 \n", "B:W18,24:BK1,12"},
    {"W:W 21 - 24 :B 1 -\t3", "W:W21,22,23,24:B1,2,3"},
    /* full stop, quotes, tag */
    {"B:W18:B12.", "B:W18:B12"},
    {"B:W18:B12 . ", "B:W18:B12"},
    {"B:W18:B.", "B:W18:B"},
    {"\"B:W18:B12.\"", "B:W18:B12"},
    {"' B:W18:B12 '", "B:W18:B12"},
    {"[FEN \"B:W18:B12\"]", "B:W18:B12"},
    {" [ fen\t\" B:W18:B12. \" ] ", "B:W18:B12"},
    {"[FEN \"W:WK14:B19,18,11,10.\"]", "W:WK14:B10,11,18,19"},
    /* ranges; a K is for its number or range alone */
    {"B:W21-32:B1-12", "B:" START_SQUARES},
    {"W:WK1-3,5:BK32,31", "W:WK1,K2,K3,5:B31,K32"},
    {"W:W5-5:B1", "W:W5:B1"},
    {"W:W5,1-2,4:Bk31", "W:W1,2,4,5:BK31"},
    {"W:W01,002:B0000031", "W:W1,2:B31"},
    /* algebraic in either case; b is a file as well */
    {"W:We3,Kf8:Bc5,Kb2", "W:WK3,23:B14,K25"},
    {"W:WE3,KF8:BC5,kB2", "W:WK3,23:B14,K25"},
    {"W:Wb2,b4:Bb6,b8", "W:W17,25:B1,9"},
    {"B:WB2,B4:BB6,B8", "B:W17,25:B1,9"},
    {"B:Bb6,b8", "B:W:B1,9"},
    {"W:Wa1,h8,g1,b8:B5", "W:W1,4,29,32:B5"},
    /* doubled side: three sections, of which the first is a bare letter */
    {"W:B:W18:B12", "B:W18:B12"},
    {"B:W:B12:W18", "W:W18:B12"},
    {"W:W:W18:B12", "W:W18:B12"},
    {"W:B:W32:B", "B:W32:B"},
    {"W:B:W:B12", "B:W:B12"},
    {"W:B:W:B", "B:W:B"},
    {"W:B:W18:B12:H3:F4", "B:W18:B12:H3:F4"},
    /* lower case throughout */
    {"w:w18:b12", "W:W18:B12"},
    {"b:wa1:bb6", "B:W29:B9"},
    {"b:W18:B12", "B:W18:B12"},
    {"w:b:w18:b12:h3:f4", "B:W18:B12:H3:F4"},
    /* counters */
    {"W:W18:B12:H0:F1", "W:W18:B12"},
    {"W:W18:B12:H12:F7", "W:W18:B12:H12:F7"},
    {"W:W18:B12:H12", "W:W18:B12:H12:F1"},
    {"W:W18:B12:F9", "W:W18:B12:H0:F9"},
    {"W:W18:B12:H0:F0", "W:W18:B12"},
    {"W:W18:B12 : H1 : F2 .", "W:W18:B12:H1:F2"},
    {"W:W18:H1:F2", "W:W18:B:H1:F2"},
    {"W:W18:B12:H65535:F2147483647", "W:W18:B12:H65535:F2147483647"},
    {"W:" START_SQUARES ":H0:F1", "W:" START_SQUARES},
    /* R26, N45: men on their own promotion row stay men */
    {"B:W19,16,15,14,13,10:B32,28,27,26,22,21", "B:W10,13,14,15,16,19:B21,22,26,27,28,32"},
    {"W:W1-12:B21-32", "W:W1,2,3,4,5,6,7,8,9,10,11,12:B21,22,23,24,25,26,27,28,29,30,31,32"},
    {"W:W5-16:B17-28", "W:W5,6,7,8,9,10,11,12,13,14,15,16:B17,18,19,20,21,22,23,24,25,26,27,28"},
};

START_TEST(fen_is_read) {
    const char *text = accepted[_i].text;
    const char *expected = accepted[_i].english;
    FenRecord record;
    ParseError error;
    char written[FEN_SIZE];

    ck_assert_msg(fen_read(text, strlen(text), &record, &error), "'%s': %s", text, error.text);
    fen_write(&record, rules_of(VARIANT_ENGLISH), written);
    ck_assert_msg(strcmp(written, expected) == 0, "'%s' is written '%s'", text, written);
}
END_TEST

static const struct {
    const char *fen;
    const char *russian;
} algebraic[] = {
    {"W:W21-32:B1-12", "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6"},
    {"B:WK1,32:BK29,4", "B:WKb8,g1:Bh8,Ka1"},
    {"W:W:B:H5:F6", "W:W:B:H5:F6"},
};

START_TEST(squares_are_named_as_the_game_does) {
    FenRecord record;
    ParseError error;
    char written[FEN_SIZE];

    ck_assert(fen_read(algebraic[_i].fen, strlen(algebraic[_i].fen), &record, &error));
    fen_write(&record, rules_of(VARIANT_RUSSIAN), written);
    ck_assert_msg(strcmp(written, algebraic[_i].russian) == 0, "'%s' is written '%s'", algebraic[_i].fen,
                  written);
}
END_TEST

/* A string constant with the NUL bytes inside it. */
#define BYTES(text) text, sizeof(text) - 1

static const struct {
    const char *text;
    size_t length;
    const char *named; /* in the error */
} refused[] = {
    {BYTES(""), "empty"},
    {BYTES("  \r\n"), "empty"},
    {BYTES("."), "empty"},
    {BYTES("\"\""), "empty"},
    {BYTES("[FEN \"\"]"), "empty"},
    /* side to move */
    {BYTES("?:W29,13,11:B22,4,2"), "'?'"},
    {BYTES(":W29:B22"), "''"},
    {BYTES("W29:B22"), "'W29'"},
    {BYTES("white:W29:B22"), "'white'"},
    {BYTES("?"), "'?'"},
    {BYTES("WB:W29:B22"), "'WB'"},
    /* squares */
    {BYTES("W:W0:B1"), "'0'"},
    {BYTES("W:W33:B1"), "'33'"},
    {BYTES("W:W21:B1,33"), "'33'"},
    {BYTES("W:WK33:B1"), "'K33'"},
    {BYTES("W:W-3:B1"), "'-3'"},
    {BYTES("W:W99999999999:B1"), "'99999999999'"},
    {BYTES("W:W4294967297:B1"), "'4294967297'"},
    {BYTES("W:W18446744073709551617:B1"), "'18446744073709551617'"},
    {BYTES("W:Wa2:Bb8"), "'a2'"},
    {BYTES("W:Wi1:Bb8"), "'i1'"},
    {BYTES("W:Wa9:Bb8"), "'a9'"},
    {BYTES("W:Wa0:Bb8"), "'a0'"},
    {BYTES("W:Wa:Bb8"), "'a'"},
    {BYTES("W:Wa11:Bb8"), "'a11'"},
    {BYTES("W:WK:Bb8"), "'K'"},
    {BYTES("W:WKK1:B2"), "'KK1'"},
    {BYTES("W:W1K:B2"), "'1K'"},
    {BYTES("W:W1,:B2"), "''"},
    {BYTES("W:W,1:B2"), "''"},
    {BYTES("W:W1,,3:B2"), "''"},
    {BYTES("W:W1 3:B2"), "'1 3'"},
    {BYTES("W:W1;3:B2"), "'1;3'"},
    {BYTES("W:W+1:B2"), "'+1'"},
    {BYTES("W:W1.5:B2"), "'1.5'"},
    /* ranges */
    {BYTES("W:W21-19:B1"), "'21-19'"},
    {BYTES("W:W21-33:B1"), "'21-33'"},
    {BYTES("W:W21-:B1"), "'21-'"},
    {BYTES("W:W1-2-3:B5"), "'1-2-3'"},
    {BYTES("W:WK1-K3:B5"), "'K1-K3'"},
    {BYTES("W:Wa1-g1:B5"), "'a1-g1'"},
    {BYTES("W:W29-g1:B5"), "'29-g1'"},
    /* squares named twice */
    {BYTES("W:W21,22,21:B1"), "'21'"},
    {BYTES("W:W21:B1,21"), "'21'"},
    {BYTES("W:WK21,21:B1"), "'21'"},
    {BYTES("W:W21-24,23:B1"), "'23'"},
    {BYTES("W:W23,21-24:B1"), "'21-24'"},
    {BYTES("W:W21,a3:B1"), "'a3'"},
    {BYTES("W:B21:WK20-22"), "'K20-22'"},
    /* pieces */
    {BYTES("W:W1-13:B32"), "'1-13'"},
    {BYTES("W:W1-12,20:B32"), "'20'"},
    {BYTES("W:W32:B1-12,K20"), "'K20'"},
    {BYTES("W:W1-32:B1-32"), "'1-32'"},
    {BYTES("W:WK1-K32:B"), "'K1-K32'"},
    /* sections */
    {BYTES("W"), "no pieces"},
    {BYTES("W:"), "''"},
    {BYTES("W::B1"), "''"},
    {BYTES("W:W1:"), "''"},
    {BYTES("W:W1:W2"), "'W2'"},
    {BYTES("W:W1:B2:B3"), "'B3'"},
    {BYTES("W:W1:B2:W3"), "'W3'"},
    {BYTES("W:B:W1:B2:B3"), "'B2'"},
    {BYTES("W:X1:B2"), "'X1'"},
    {BYTES("W:1:2"), "'1'"},
    {BYTES("W:We3:b6"), "'b6'"}, /* not Black's 6 */
    {BYTES("W:H0:F1"), "'H0'"},
    /* junk after the end */
    {BYTES("W:W1:B2 junk"), "'2 junk'"},
    {BYTES("W:W1:B2.."), "'2.'"},
    {BYTES("W:W1:B2:junk"), "'junk'"},
    {BYTES("W:W1:B2:H0:F1:H0"), "'H0'"},
    {BYTES("W:W1:B2:F1:H0"), "'H0'"},
    {BYTES("W:W1:B2:H0:H1"), "'H1'"},
    {BYTES("W:W1:H0:B2"), "'B2'"},
    {BYTES("W:W1:B2:H0:F1 x"), "'F1 x'"},
    {BYTES("\"W:W1:B2\" x"), "closing quote"},
    {BYTES("\"W:W1:B2"), "closing quote"},
    {BYTES("\""), "closing quote"},
    {BYTES("W:W1:B2\""), "'2\"'"},
    {BYTES("'W:W1:B2\""), "closing quote"},
    {BYTES("[FEN \"W:W1:B2\"] x"), "']'"},
    {BYTES("[FEN \"W:W1:B2\""), "']'"},
    {BYTES("[FEN \"W:W1:B2]"), "closing quote"},
    {BYTES("[FEN W:W1:B2]"), "quotes"},
    {BYTES("[SetUp \"1\"]"), "FEN tag"},
    {BYTES("[FEN]"), "quotes"},
    {BYTES("[]"), "FEN tag"},
    {BYTES("["), "']'"},
    {BYTES("]"), "']'"},
    /* counters */
    {BYTES("W:W1:B2:H65536:F1"), "'H65536'"},
    {BYTES("W:W1:B2:H0:F2147483648"), "'F2147483648'"},
    {BYTES("W:W1:B2:H99999999999999999999999:F1"), "'H99999999999999999999999'"},
    {BYTES("W:W1:B2:H-1:F1"), "'H-1'"},
    {BYTES("W:W1:B2:H:F1"), "'H'"},
    {BYTES("W:W1:B2:H1x:F1"), "'H1x'"},
    {BYTES("W:W1:B2:H0:Fx"), "'Fx'"},
    /* bytes that are no text */
    {BYTES("W:W1:B2\0"), "'2\\x00'"},
    {BYTES("W:W1\0:B2"), "'1\\x00'"},
    {BYTES("\0W:W1:B2"), "'\\x00W'"},
    {BYTES("W:W1,\x80\xff:B2"), "'\\x80\\xff'"},
    {BYTES("W:W1,\x1b[2J:B2"), "'\\x1b[2J'"},
    {BYTES("\xef\xbb\xbfW:W1:B2"), "'\\xef\\xbb\\xbfW'"},
    {BYTES("W:W2\xe2\x80\x93"
           "4:B5"),
     "'2\\xe2\\x80\\x934'"},
    {BYTES("W:W1,2\n3:B5"), "'2\\x0a3'"},
    /* long ones */
    {BYTES("W:W1,12345678901234567890123456789012345678901234567890123456:B5"),
     "'123456789012345678901234567890123456789012345678901234...'"},
};

/* An error is one line of printable text that is not empty. */
static void check_error(const ParseError *error, const char *text) {
    size_t length = strnlen(error->text, sizeof error->text);

    CHECK_QUICKLY(length > 0 && length < sizeof error->text, "'%s': length of the error", text);
    for (size_t i = 0; i < length; i++) {
        CHECK_QUICKLY(isprint((unsigned char)error->text[i]), "'%s': byte %zu of the error", text, i);
    }
}

START_TEST(fen_is_refused) {
    FenRecord record;
    FenRecord before;
    ParseError error;

    memset(&record, 0x5a, sizeof record);
    memcpy(&before, &record, sizeof before);
    memset(&error, 0, sizeof error);
    /* A copy of just this size, so that a read beyond its end is seen. */
    char *exact = malloc(refused[_i].length > 0 ? refused[_i].length : 1);
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, refused[_i].text, refused[_i].length);
    bool read = fen_read(exact, refused[_i].length, &record, &error);
    free(exact);

    ck_assert_msg(!read, "'%s' is read", refused[_i].text);
    check_error(&error, refused[_i].text);
    ck_assert_msg(strstr(error.text, refused[_i].named) != NULL, "'%s': %s", refused[_i].text, error.text);
    ck_assert_msg(memcmp(&record, &before, sizeof record) == 0, "'%s' changed the record", refused[_i].text);
}
END_TEST

START_TEST(a_missing_text_is_empty) {
    FenRecord record;
    ParseError error;

    ck_assert(!fen_read(NULL, 0, &record, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "empty"));
}
END_TEST

START_TEST(the_length_counts_not_the_end) {
    FenRecord record;
    ParseError error;
    char written[FEN_SIZE];

    ck_assert(fen_read("W:W21:B12 moves 21-17", 9, &record, &error));
    fen_write(&record, rules_of(VARIANT_ENGLISH), written);
    ck_assert_str_eq(written, "W:W21:B12");
}
END_TEST

START_TEST(the_longest_fen_fits) {
    FenRecord record = {.position = {.kings = BITBOARD_ALL, .turn = WHITE},
                        .plies_without_progress = UINT16_MAX,
                        .fullmove = INT_MAX};
    char written[FEN_SIZE + 1];

    for (int number = 9; number <= SQUARES; number++) {
        record.position.pieces[number <= 20 ? WHITE : BLACK] |= BITBOARD_BIT(square_from_number(number));
    }
    record.position.kings = position_occupied(&record.position);
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        FenRecord again;
        ParseError error;
        written[FEN_SIZE] = '#';
        fen_write(&record, rules_of((Variant)variant), written);
        ck_assert_int_eq(written[FEN_SIZE], '#');
        ck_assert_msg(fen_read(written, strlen(written), &again, &error), "%s", error.text);
        ck_assert(position_equal(&record.position, &again.position));
        ck_assert_int_eq(again.plies_without_progress, UINT16_MAX);
        ck_assert_int_eq(again.fullmove, INT_MAX);
    }
}
END_TEST

static void check_round_trip(const FenRecord *record) {
    char texts[VARIANT_COUNT][FEN_SIZE];

    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        FenRecord again = {0};
        ParseError error;
        fen_write(record, rules_of((Variant)variant), texts[variant]);
        CHECK_QUICKLY(fen_read(texts[variant], strlen(texts[variant]), &again, &error), "%s", error.text);
        CHECK_QUICKLY(position_equal(&record->position, &again.position), "'%s' is another position",
                      texts[variant]);
        CHECK_QUICKLY(record->plies_without_progress == again.plies_without_progress &&
                          record->fullmove == again.fullmove,
                      "'%s' has other counters", texts[variant]);
    }
    CHECK_QUICKLY(strcmp(texts[VARIANT_ENGLISH], texts[VARIANT_RUSSIAN]) != 0, "'%s' in both games",
                  texts[VARIANT_ENGLISH]);
}

START_TEST(positions_of_games_survive) {
    Variant variant = (Variant)_i;
    Position position = position_start(rules_of(variant));
    uint64_t seed = 2;
    int plies = 0;

    for (int i = 0; i < 100000; i++) {
        FenRecord record = {.position = position,
                            .plies_without_progress = random_below(&seed, UINT16_MAX + 1),
                            .fullmove = 1 + random_below(&seed, INT_MAX)};
        check_round_trip(&record);
        position = random_play(variant, &position, &plies, &seed);
    }
}
END_TEST

START_TEST(random_positions_survive) {
    uint64_t seed = 3;

    for (int i = 0; i < 100000; i++) {
        FenRecord record = {.position = random_position(24, &seed), .fullmove = 1};
        check_round_trip(&record);
    }
}
END_TEST

START_TEST(broken_texts_do_no_harm) {
    static const char bytes[] = "WBKHFwbk:,-.\"'[] 0123456789acegh\t\n\x80?";
    uint64_t seed = 4;
    int read_count = 0;

    for (int i = 0; i < 100000; i++) {
        const char *base = accepted[random_below(&seed, (int)(sizeof accepted / sizeof accepted[0]))].text;
        char text[256];
        size_t length = strlen(base);
        FenRecord record = {0};
        ParseError error = {0};

        CHECK_QUICKLY(length < sizeof text, "'%s' is too long for this test", base);
        memcpy(text, base, length);
        for (int change = 0; change < 1 + i % 3; change++) {
            text[random_below(&seed, (int)length)] = bytes[random_below(&seed, (int)sizeof bytes)];
        }
        length -= (size_t)(random_below(&seed, 4) == 0 ? random_below(&seed, (int)length) : 0);
        if (fen_read(text, length, &record, &error)) {
            CHECK_QUICKLY(bitboard_count(record.position.pieces[WHITE]) <= SIDE_PIECES,
                          "'%.*s': white pieces", (int)length, text);
            CHECK_QUICKLY(bitboard_count(record.position.pieces[BLACK]) <= SIDE_PIECES,
                          "'%.*s': black pieces", (int)length, text);
            CHECK_QUICKLY((record.position.pieces[WHITE] & record.position.pieces[BLACK]) == 0,
                          "'%.*s': two on a square", (int)length, text);
            CHECK_QUICKLY((record.position.kings & ~position_occupied(&record.position)) == 0,
                          "'%.*s': kings", (int)length, text);
            CHECK_QUICKLY((position_occupied(&record.position) & ~BITBOARD_ALL) == 0, "'%.*s': off the board",
                          (int)length, text);
            if (position_occupied(&record.position) != 0) {
                check_round_trip(&record);
            }
            read_count++;
        } else {
            check_error(&error, base);
        }
    }
    CHECK_QUICKLY(read_count > 1000 && read_count < 99000, "%d texts were read", read_count);
}
END_TEST

START_TEST(a_long_text_is_one_short_error) {
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH);
    FenRecord record;
    ParseError error = {0};

    ck_assert_ptr_nonnull(text);
    memset(text, 'W', LENGTH);
    ck_assert(!fen_read(text, LENGTH, &record, &error));
    check_error(&error, "WWW");
    memset(text, ':', LENGTH);
    ck_assert(!fen_read(text, LENGTH, &record, &error));
    check_error(&error, ":::");
    memset(text, '1', LENGTH);
    memcpy(text, "W:W", 3);
    ck_assert(!fen_read(text, LENGTH, &record, &error));
    check_error(&error, "W:W111");
    free(text);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void) {
    Suite *suite = suite_create("fen");
    TCase *tcase = tcase_create("fen");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, fen_is_read, 0, ROWS(accepted));
    tcase_add_loop_test(tcase, squares_are_named_as_the_game_does, 0, ROWS(algebraic));
    tcase_add_loop_test(tcase, fen_is_refused, 0, ROWS(refused));
    tcase_add_test(tcase, a_missing_text_is_empty);
    tcase_add_test(tcase, the_length_counts_not_the_end);
    tcase_add_test(tcase, the_longest_fen_fits);
    tcase_add_loop_test(tcase, positions_of_games_survive, 0, VARIANT_COUNT);
    tcase_add_test(tcase, random_positions_survive);
    tcase_add_test(tcase, broken_texts_do_no_harm);
    tcase_add_test(tcase, a_long_text_is_one_short_error);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
