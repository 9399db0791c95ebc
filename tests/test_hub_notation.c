/* Positions and moves in the Hub protocol's notation. */
#include "engine/fen.h"
#include "engine/hub_notation.h"
#include "engine/movegen.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static Position position_of(const char *fen) {
    FenRecord record;
    ParseError error;

    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s", error.text);
    return record.position;
}

static const struct {
    const char *fen, *hub;
} POSITIONS[] = {
    {"B:W21-32:B1-12", "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"},
    {"W:W21-32:B1-12", "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"},
    {"W:WK1:BK32", "WWeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeB"},
    {"B:W2,K3:B31,K30", "BewWeeeeeeeeeeeeeeeeeeeeeeeeeeBbe"},
    {"W:W:B", "Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"},
    {"W:WKf8,g1,a3,c1,b2,c3,e3,f4,g3,h2:Bd8,g7,h8,c5,e5,g5", NULL},
};

START_TEST(positions_there_and_back) {
    Position position = position_of(POSITIONS[_i].fen);
    Position again;
    ParseError error;
    char text[HUB_POSITION_SIZE];

    hub_position_write(&position, text);
    if (POSITIONS[_i].hub != NULL) {
        ck_assert_str_eq(text, POSITIONS[_i].hub);
    }
    ck_assert_msg(hub_position_read(view_of(text), &again, &error), "%s", error.text);
    ck_assert(position_equal(&position, &again));
}
END_TEST

static const struct {
    const char *text, *reason;
} BAD_POSITIONS[] = {
    {"", "33 characters"},
    {"B", "33 characters"},
    {"Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwww", "33 characters"},
    {"Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwwww", "33 characters"},
    {"Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwwww", "33 characters"},
    {"bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "side to move"},
    {"Ebbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "side to move"},
    {"Bbbbbbbbbbbbbeeeeeexewwwwwwwwwwww", "a square"},
    {"Bbbbbbbbbbbbbeeeeee ewwwwwwwwwwww", "a square"},
    {"BbbbbbbbbbbbbbBeeeeeewwwwwwwwwwww", "more than 12"},
    {"Bbbbbbbbbbbbbeeeeeeewwwwwwwwwwwww", "more than 12"},
};

START_TEST(bad_positions_are_refused) {
    Position position = position_of("W:WK1:BK32");
    Position before = position;
    ParseError error = {""};

    ck_assert(!hub_position_read(view_of(BAD_POSITIONS[_i].text), &position, &error));
    ck_assert_msg(strstr(error.text, BAD_POSITIONS[_i].reason) != NULL, "%s", error.text);
    ck_assert(position_equal(&position, &before));
}
END_TEST

START_TEST(a_nul_byte_is_no_square) {
    static const char text[] = "Bbbbbbbbbbbbbeeee\0eeewwwwwwwwwwww";
    Position position;
    ParseError error = {""};

    ck_assert(!hub_position_read((View){text, SQUARES + 1}, &position, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "a square"));
}
END_TEST

/* Reads text in the position and writes it again. */
static const struct {
    Variant variant;
    const char *fen, *text, *written;
} MOVES[] = {
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-15", "11-15"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "09-13", "9-13"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11x15", "11-15"},
    {VARIANT_ENGLISH, "W:W22:B18", "22x15x18", "22x15x18"},
    {VARIANT_ENGLISH, "W:W22:B18", "22x15", "22x15x18"},
    {VARIANT_ENGLISH, "W:W22:B18", "22-15", "22x15x18"},
    {VARIANT_ENGLISH, "W:W22:B18", "22:15:018", "22x15x18"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:BK2", "2x2x6x7x14x15", "2x2x6x7x14x15"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:BK2", "2x2x15x6x14x7", "2x2x6x7x14x15"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:BK2", "2x2", "2x2x6x7x14x15"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:B2", "2x18x6x14", "2x18x6x14"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:B2", "2x18x15x7", "2x18x7x15"},
    {VARIANT_RUSSIAN, "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6", "22-18",
     "22-18"},
};

START_TEST(moves_there_and_back) {
    Position position = position_of(MOVES[_i].fen);
    ParseError error;
    Move move;
    char text[HUB_MOVE_SIZE];

    ck_assert_msg(hub_move_read(MOVES[_i].variant, &position, view_of(MOVES[_i].text), &move, &error), "%s",
                  error.text);
    hub_move_write(move, text);
    ck_assert_str_eq(text, MOVES[_i].written);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen, *text, *reason;
} BAD_MOVES[] = {
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "-11-15", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-15x", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11--15", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-15 ", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "c3-d4", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "1x2x3x4x5x6x7x8x9x10x11x12x13x14x15", "not a move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-33", "no square '33'"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "0-15", "no square '0'"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "99999999999999999999999999-15", "no square '9999"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-14", "cannot go there"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "22-18", "no piece of the side to move"},
    {VARIANT_ENGLISH, "B:W21-32:B1-12", "11-15x18", "nothing to capture"},
    {VARIANT_ENGLISH, "W:W22,32:B18", "22-17", "no such capture"},
    {VARIANT_ENGLISH, "W:W22,32:B18", "32-28", "a capture is compulsory"},
    {VARIANT_ENGLISH, "W:W22,32:B18", "22x15x17", "other pieces"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:B2", "2x18x6x14x6", "takes twice on 6"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:B2", "2x18x6", "other pieces"},
    {VARIANT_ENGLISH, "B:W6,7,14,15:B2", "2x18", "ambiguous move '2x18': 2x18x"},
    {VARIANT_ENGLISH, "W:W5:B1", "5-1", "no legal move"},
};

START_TEST(bad_moves_are_refused) {
    Position position = position_of(BAD_MOVES[_i].fen);
    ParseError error = {""};
    Move move = 12345;

    ck_assert(!hub_move_read(BAD_MOVES[_i].variant, &position, view_of(BAD_MOVES[_i].text), &move, &error));
    ck_assert_msg(strstr(error.text, BAD_MOVES[_i].reason) != NULL, "%s", error.text);
    ck_assert_uint_eq(move, 12345);
}
END_TEST

/* The position of the reference with captures of one, two and several pieces by a flying king. */
START_TEST(russian_choice_of_captures) {
    static const char *const expected[] = {"3x17x14", "3x17x8x14x15x16", "20x9x14x15x16"};
    Position position;
    ParseError error;
    MoveList list;

    ck_assert(hub_position_read(view_of("WeeWbeeebeeeewbbbeeewwewwweeweeee"), &position, &error));
    movegen_generate(VARIANT_RUSSIAN, &position, &list);
    ck_assert_int_eq(list.count, COUNT(expected));
    for (int i = 0; i < COUNT(expected); i++) {
        char text[HUB_MOVE_SIZE];
        Move move;
        ck_assert_msg(hub_move_read(VARIANT_RUSSIAN, &position, view_of(expected[i]), &move, &error), "%s",
                      error.text);
        hub_move_write(move, text);
        ck_assert_str_eq(text, expected[i]);
    }
}
END_TEST

/* A generator good enough to wander through games (Knuth's MMIX constants). */
static unsigned next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33);
}

static const struct {
    const char *fen;
    Variant variant;
    const char *plain, *mirrored, *turned;
} NUMBERINGS[] = {
    /* e3-f4 is 11-15 for those who count from a1. */
    {"W:W21-32:B1-12", VARIANT_RUSSIAN, "23-19", "11-15", "10-14"},
    {"B:W21-32:B1-12", VARIANT_ENGLISH, "11-15", "23-19", "22-18"},
    {"B:W6,7,14,15:BK2", VARIANT_ENGLISH, "2x2x6x7x14x15", "30x30x18x19x26x27", "31x31x18x19x26x27"},
    {"B:W6,7,14,15:B2", VARIANT_ENGLISH, "2x18x6x14", "30x14x18x26", "31x15x19x27"},
};

START_TEST(numberings) {
    Position position = position_of(NUMBERINGS[_i].fen);
    Variant variant = NUMBERINGS[_i].variant;
    const char *const texts[] = {NUMBERINGS[_i].plain, NUMBERINGS[_i].mirrored, NUMBERINGS[_i].turned};
    Move plain, move;
    ParseError error;
    char text[HUB_MOVE_SIZE];

    ck_assert(hub_move_read(variant, &position, view_of(texts[0]), &plain, &error));
    for (HubNumbering numbering = HUB_PLAIN; numbering <= HUB_TURNED; numbering++) {
        hub_move_write_as(plain, numbering, text);
        ck_assert_str_eq(text, texts[numbering]);
        ck_assert_msg(hub_move_read_as(variant, &position, numbering, view_of(text), &move, &error), "%s",
                      error.text);
        ck_assert_uint_eq(move, plain);
    }
    /* What is said of a move names it as it was given. */
    ck_assert(!hub_move_read_as(variant, &position, HUB_TURNED, view_of("1-2"), &move, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "'1-2'"));
}
END_TEST

/* Every legal move of random games comes back as itself, and every position too. */
START_TEST(all_moves_of_random_games) {
    Variant variant = (Variant)_i;
    uint64_t random = 1;

    for (int game = 0; game < 300; game++) {
        Position position = position_start(rules_of(variant));
        for (int ply = 0; ply < 150; ply++) {
            char text[HUB_POSITION_SIZE];
            Position again;
            ParseError error;
            MoveList list;

            hub_position_write(&position, text);
            ck_assert(hub_position_read(view_of(text), &again, &error));
            ck_assert(position_equal(&position, &again));
            movegen_generate(variant, &position, &list);
            for (int i = 0; i < list.count; i++) {
                char move_text[HUB_MOVE_SIZE];
                Move move;
                hub_move_write(list.moves[i], move_text);
                ck_assert_msg(hub_move_read(variant, &position, view_of(move_text), &move, &error), "%s",
                              error.text);
                ck_assert_uint_eq(move, list.moves[i]);
            }
            if (list.count == 0) {
                break;
            }
            position = position_after(&position, list.moves[next_random(&random) % (unsigned)list.count]);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hub_notation");
    TCase *positions = tcase_create("positions");
    TCase *moves = tcase_create("moves");

    tcase_add_loop_test(positions, positions_there_and_back, 0, COUNT(POSITIONS));
    tcase_add_loop_test(positions, bad_positions_are_refused, 0, COUNT(BAD_POSITIONS));
    tcase_add_test(positions, a_nul_byte_is_no_square);
    suite_add_tcase(suite, positions);
    tcase_set_timeout(moves, 120);
    tcase_add_loop_test(moves, moves_there_and_back, 0, COUNT(MOVES));
    tcase_add_loop_test(moves, bad_moves_are_refused, 0, COUNT(BAD_MOVES));
    tcase_add_test(moves, russian_choice_of_captures);
    tcase_add_loop_test(moves, numberings, 0, COUNT(NUMBERINGS));
    tcase_add_loop_test(moves, all_moves_of_random_games, 0, VARIANT_COUNT);
    suite_add_tcase(suite, moves);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
