/* Tests of the draw rules: which is in force, and what their counters count. */
#include "engine/draw.h"
#include "engine/fen.h"
#include "engine/notation.h"
#include "tests/random_play.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static Position position_of(const char *fen) {
    FenRecord record;
    ParseError error;
    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s: %s", fen, error.text);
    return record.position;
}

/* The rows of the Russian draw rules. */
enum { AT_MOST_2, ON_ROAD, THREE_KINGS, OF_4_OR_5, OF_6_OR_7, BOTH_KINGS, NONE = DRAW_RULES_MAX };

static const struct {
    const char *fen;
    int rule; /* in the Russian game */
} materials[] = {
    {"W:WK1:BK32", AT_MOST_2},
    {"B:WK1:BK32,K31", AT_MOST_2},
    {"W:WK1,K2:BK32", AT_MOST_2},
    {"W:WK1,21:BK32", AT_MOST_2},
    {"W:WK4:BK32,12", AT_MOST_2}, /* h8: the road does not matter here */
    {"W:W21,22:BK32", NONE},      /* no king against the lone one */
    {"W:WK1,K2:B12", NONE},       /* a lone man */
    {"W:WK1:B", NONE},
    {"W:W:B", NONE},
    {"W:W21:BK32", NONE},
    {"W:WK1,K2,K3:BK4", ON_ROAD},  /* h8 */
    {"W:WK1,K2,K3:BK29", ON_ROAD}, /* a1 */
    {"B:WK1,K2,K3:BK18", ON_ROAD}, /* d4 */
    {"B:WK1,K2,21:BK15", ON_ROAD}, /* e5 */
    {"B:WK1,20,21:BK25", ON_ROAD}, /* b2 */
    {"B:WK22:BK1,K2,5", ON_ROAD},  /* c3, White alone */
    {"B:WK11:BK1,K2,5", ON_ROAD},  /* f6 */
    {"B:WK8:BK1,K2,5", ON_ROAD},   /* g7 */
    {"W:WK1,K2,K3:BK32", THREE_KINGS},
    {"W:WK32:BK1,K2,K3", THREE_KINGS},
    {"W:WK1,K2,K3,K5:BK4", THREE_KINGS}, /* four: on the road too */
    {"W:WK1,K2,K3,K5,K6,K7,K9,K10:BK4", THREE_KINGS},
    {"W:WK1,K2,21:BK32", OF_4_OR_5},
    {"W:WK1,20,21:BK32", OF_4_OR_5},
    {"W:W19,20,21:BK32", NONE},
    {"W:W19,20,21:BK4", NONE},
    {"W:WK1,K2:BK31,K32", OF_4_OR_5},
    {"W:WK1,K2,20:BK31,K32", OF_4_OR_5},
    {"W:WK1,K2,K3,20:BK4", OF_4_OR_5},
    {"W:WK1,K2,K3,20,21:BK4", OF_6_OR_7},
    {"W:WK1,K2,K3:BK30,K31,K32", OF_6_OR_7},
    {"W:WK1,K2,K3,20:BK30,K31,K32", OF_6_OR_7},
    {"W:WK1,K2,K3,20:B12,11,10", NONE},
    {"W:WK1,K2,K3,20:BK29,K30,K31,K32", BOTH_KINGS},
    {"W:WK1,K2,K3,20,21,22,23:BK4", BOTH_KINGS},
    {"W:WK1,21-31:B2-12,K32", BOTH_KINGS},
    {"W:W21-32:B1-12", NONE},
};

START_TEST(material_decides_the_rule) {
    Position position = position_of(materials[_i].fen);
    DrawState russian = draw_state_init(&rules_of(VARIANT_RUSSIAN)->draws, &position, 0);

    ck_assert_msg(russian.rule == materials[_i].rule, "%s: rule %d", materials[_i].fen, russian.rule);
    ck_assert_int_eq(draw_rule_find(&rules_of(VARIANT_ENGLISH)->draws, &position), 0);
    ck_assert_int_eq(draw_rule_of(&rules_of(VARIANT_ENGLISH)->draws, &position), 0);
    ck_assert_int_eq(draw_rule_of(&DRAW_RULES_WEB, &position), 0);
}
END_TEST

static int count_pieces(Bitboard set) {
    int count = 0;
    for (int number = 1; number <= SQUARES; number++) {
        count += (set & BITBOARD_BIT(square_from_number(number))) != 0;
    }
    return count;
}

/* The articles said once more, one side's view after the other's. */
static int naive_rule(const Position *position) {
    int total = count_pieces(position_occupied(position));
    bool kings[2];
    int rule = NONE;

    for (int side = WHITE; side <= BLACK; side++) {
        kings[side] = count_pieces(position->pieces[side] & position->kings) > 0;
    }
    if (!kings[WHITE] || !kings[BLACK]) {
        return NONE;
    }
    rule = total == 4 || total == 5 ? OF_4_OR_5 : total == 6 || total == 7 ? OF_6_OR_7 : BOTH_KINGS;
    for (int side = WHITE; side <= BLACK; side++) {
        int strong = count_pieces(position->pieces[1 - side]);
        int strong_kings = count_pieces(position->pieces[1 - side] & position->kings);
        bool road = false;

        if (count_pieces(position->pieces[side]) != 1) {
            continue;
        }
        for (int line = 1; line <= 8; line++) {
            char name[3] = {(char)('a' + line - 1), (char)('0' + line), '\0'};
            Square square = 0;
            CHECK_QUICKLY(square_read(name, 2, &square), "no square %s", name);
            road = road || (position->pieces[side] & BITBOARD_BIT(square)) != 0;
        }
        if (strong <= 2) {
            rule = AT_MOST_2;
        } else if (strong == 3 && road) {
            rule = ON_ROAD;
        } else if (strong == strong_kings) {
            rule = THREE_KINGS;
        }
    }
    return rule;
}

START_TEST(rule_agrees_with_a_naive_reading) {
    uint64_t seed = 1;
    int seen[DRAW_RULES_MAX + 1] = {0};

    for (int i = 0; i < 200000; i++) {
        Position position = random_position(9, &seed);
        int rule = draw_rule_of(&rules_of(VARIANT_RUSSIAN)->draws, &position);
        char fen[FEN_SIZE];
        fen_write(&(FenRecord){.position = position, .fullmove = 1}, rules_of(VARIANT_ENGLISH), fen);
        CHECK_QUICKLY(rule == naive_rule(&position), "%s: rule %d, not %d", fen, rule, naive_rule(&position));
        seen[rule]++;
    }
    for (int rule = 0; rule <= DRAW_RULES_MAX; rule++) {
        CHECK_QUICKLY(seen[rule] > 100, "rule %d came only %d times", rule, seen[rule]);
    }
}
END_TEST

static const struct {
    const char *name;
    Variant variant;
    const char *fen;
    int plies; /* given to draw_state_init */
    const char *move;
    DrawState after;
} steps[] = {
    {"a king's move", VARIANT_ENGLISH, "W:WK1,21:BK32", 4, "1-6", {{5, 5, 5, 5}, 0}},
    {"R29: a man's move", VARIANT_ENGLISH, "W:WK1,21:BK32", 4, "21-17", {{5, 5, 0, 5}, 0}},
    {"R29: a capture by a king", VARIANT_ENGLISH, "W:WK1,21:B6,32", 4, "1x10", {{0, 0, 0, 5}, 0}},
    {"R29: a capture by a man", VARIANT_ENGLISH, "W:WK1,21:B17,32", 4, "21x14", {{0, 0, 0, 5}, 0}},
    {"R29: a promotion", VARIANT_ENGLISH, "W:WK1,8:BK32", 4, "8-4", {{5, 0, 0, 5}, 0}},
    {"two against one stay", VARIANT_RUSSIAN, "W:WK1,K2:BK32", 4, "b8-a7", {{5, 5, 5, 5}, AT_MOST_2}},
    {"a man's move among two", VARIANT_RUSSIAN, "W:WK1,21:BK32", 4, "a3-b4", {{5, 5, 0, 5}, AT_MOST_2}},
    {"a promotion among two", VARIANT_RUSSIAN, "W:WK1,6:BK32", 4, "c7-d8", {{5, 0, 0, 5}, AT_MOST_2}},
    {"a capture into two", VARIANT_RUSSIAN, "W:WK1,21:BK32,17", 4, "a3xc5", {{0, 0, 0, 0}, AT_MOST_2}},
    {"a capture within two", VARIANT_RUSSIAN, "W:WK21:BK17,K32", 4, "a3xc5", {{0, 0, 0, 5}, AT_MOST_2}},
    {"the first king", VARIANT_RUSSIAN, "W:W6:BK32", 4, "c7-d8", {{5, 0, 0, 0}, AT_MOST_2}},
    {"onto the road", VARIANT_RUSSIAN, "B:WK1,K2,K3:BK32", 4, "g1-d4", {{5, 5, 5, 0}, ON_ROAD}},
    {"along the road", VARIANT_RUSSIAN, "B:WK1,K2,K3:BK29", 4, "a1-d4", {{5, 5, 5, 1}, ON_ROAD}},
    {"off the road",
     VARIANT_RUSSIAN,
     "B:WK1,K2,K3:BK29",
     4,
     "a1-d4 d8-a5 d4-g1",
     {{7, 7, 7, 0}, THREE_KINGS}},
    {"off the road, with a man",
     VARIANT_RUSSIAN,
     "B:WK2,K3,21:BK29",
     4,
     "a1-d4 d8-c7 d4-g1",
     {{7, 7, 7, 0}, OF_4_OR_5}},
    {"back to the road",
     VARIANT_RUSSIAN,
     "B:WK2,K3,21:BK29",
     4,
     "a1-d4 d8-c7 d4-g1 c7-d8 g1-d4",
     {{9, 9, 9, 0}, ON_ROAD}},
    {"no rule", VARIANT_RUSSIAN, "W:WK1:B12", 4, "b8-a7", {{5, 5, 5, 5}, NONE}},
    {"counters stop",
     VARIANT_ENGLISH,
     "W:WK1:BK32",
     65534,
     "1-5 32-28 5-1",
     {{65535, 65535, 65535, 65535}, 0}},
    {"a stopped counter restarts",
     VARIANT_ENGLISH,
     "W:WK1,21:BK32",
     65535,
     "21-17",
     {{65535, 65535, 0, 65535}, 0}},
};

START_TEST(moves_move_the_counters) {
    const char *name = steps[_i].name;
    const DrawRules *draws = &rules_of(steps[_i].variant)->draws;
    Position position = position_of(steps[_i].fen);
    DrawState state = draw_state_init(draws, &position, steps[_i].plies);
    const DrawState *expected = &steps[_i].after;

    for (const char *text = steps[_i].move; *text != '\0'; text += text[0] == ' ') {
        size_t length = strcspn(text, " ");
        Position before = position;
        Move move;
        ParseError error;
        ck_assert_msg(move_read(steps[_i].variant, &before, text, length, &move, &error), "%s: %s", name,
                      error.text);
        position = position_after(&before, move);
        state = draw_state_after(draws, state, &before, move, &position);
        text += length;
    }
    for (int i = 0; i < 4; i++) {
        ck_assert_msg(state.since[i] == expected->since[i], "%s: counter %d is %d", name, i, state.since[i]);
    }
    ck_assert_msg(state.rule == expected->rule, "%s: rule %d", name, state.rule);
}
END_TEST

static const struct {
    const char *fen;
    int plies;
    int since;    /* of the first three counters */
    int material; /* of the fourth */
} starts[] = {
    {"W:WK1,K2:BK32", 0, 0, 0},
    {"W:WK1,K2:BK32", 7, 7, 7},
    {"W:WK1,K2,K3:BK32", 7, 7, 7},
    {"W:WK1,K2,K3:BK4", 7, 7, 0}, /* the king may just have come to the road */
    {"W:WK1,K2,21:BK29", 7, 7, 0},
    {"W:WK1,K2,K3:BK32", -1, 0, 0},
    {"W:WK1,K2,K3:BK32", INT_MIN, 0, 0},
    {"W:WK1,K2,K3:BK32", 65535, 65535, 65535},
    {"W:WK1,K2,K3:BK32", 65536, 65535, 65535},
    {"W:WK1,K2,K3:BK32", INT_MAX, 65535, 65535},
};

START_TEST(a_count_can_start_late) {
    Position position = position_of(starts[_i].fen);
    DrawState state = draw_state_init(&rules_of(VARIANT_RUSSIAN)->draws, &position, starts[_i].plies);

    for (int i = 0; i < 3; i++) {
        ck_assert_msg(state.since[i] == starts[_i].since, "%s %d: counter %d is %d", starts[_i].fen,
                      starts[_i].plies, i, state.since[i]);
    }
    ck_assert_msg(state.since[SINCE_MATERIAL] == starts[_i].material, "%s %d: material %d", starts[_i].fen,
                  starts[_i].plies, state.since[SINCE_MATERIAL]);
}
END_TEST

#define ENGLISH &RULES[VARIANT_ENGLISH].draws
#define RUSSIAN &RULES[VARIANT_RUSSIAN].draws

static const struct {
    const DrawRules *draws;
    const char *fen;
    DrawState state;
    DrawState under;
} others[] = {
    {&DRAW_RULES_WEB, "W:WK1,21:BK32", {{20, 9, 0, 9}, 0}, {{20, 9, 0, 9}, 0}},
    {&DRAW_RULES_WEB, "W:WK1,K2,K3:BK4", {{20, 9, 5, 1}, ON_ROAD}, {{20, 9, 5, 9}, 0}},
    {ENGLISH, "W:WK1,21:BK32", {{20, 9, 3, 1}, AT_MOST_2}, {{20, 9, 3, 9}, 0}},
    {RUSSIAN, "W:WK1,21:BK32", {{20, 9, 3, 20}, 0}, {{20, 9, 3, 9}, AT_MOST_2}},
    {RUSSIAN, "W:WK1,K2,K3:BK4", {{20, 9, 3, 20}, 0}, {{20, 9, 3, 0}, ON_ROAD}},
    {RUSSIAN, "W:WK1,K2,K3:BK32", {{20, 9, 3, 20}, 0}, {{20, 9, 3, 9}, THREE_KINGS}},
    {RUSSIAN, "W:W21:BK32", {{20, 9, 3, 20}, 0}, {{20, 9, 3, 9}, NONE}},
};

START_TEST(other_rules_keep_the_counters) {
    Position position = position_of(others[_i].fen);
    DrawState state = draw_state_under(others[_i].draws, others[_i].state, &position);

    for (int i = 0; i < 4; i++) {
        ck_assert_msg(state.since[i] == others[_i].under.since[i], "row %d: counter %d is %d", _i, i,
                      state.since[i]);
    }
    ck_assert_msg(state.rule == others[_i].under.rule, "row %d: rule %d", _i, state.rule);
}
END_TEST

static const struct {
    const DrawRules *draws;
    DrawState state;
    int left;
} lefts[] = {
    {ENGLISH, {{90, 90, 0, 90}, 0}, 80},           {ENGLISH, {{90, 90, 79, 90}, 0}, 1},
    {ENGLISH, {{90, 90, 80, 90}, 0}, 0},           {ENGLISH, {{90, 90, 65535, 90}, 0}, 0},
    {RUSSIAN, {{90, 90, 90, 9}, AT_MOST_2}, 1},    {RUSSIAN, {{90, 90, 90, 10}, ON_ROAD}, 0},
    {RUSSIAN, {{90, 29, 29, 90}, THREE_KINGS}, 1}, {RUSSIAN, {{90, 30, 2, 90}, THREE_KINGS}, 0},
    {RUSSIAN, {{90, 50, 2, 90}, OF_4_OR_5}, 10},   {RUSSIAN, {{90, 50, 2, 90}, OF_6_OR_7}, 70},
    {RUSSIAN, {{90, 50, 2, 90}, BOTH_KINGS}, 28},  {RUSSIAN, {{90, 90, 90, 90}, NONE}, INT_MAX},
    {RUSSIAN, {{29, 29, 29, 2}, ON_ROAD}, 1},      {RUSSIAN, {{30, 30, 30, 0}, ON_ROAD}, 0},
    {&DRAW_RULES_WEB, {{90, 3, 3, 3}, 0}, 10},     {&DRAW_RULES_WEB, {{100, 3, 3, 3}, 0}, 0},
};

START_TEST(plies_left_are_those_of_the_rule) {
    int left = draw_plies_left(lefts[_i].draws, lefts[_i].state);
    ck_assert_msg(left == lefts[_i].left, "row %d: %d plies left", _i, left);
}
END_TEST

START_TEST(no_rules_never_draw) {
    static const DrawRules none = {0};
    Position position = position_of("W:WK1:BK32");
    DrawState state = draw_state_init(&none, &position, 1000);

    ck_assert_int_eq(state.rule, DRAW_RULES_MAX);
    ck_assert_int_eq(draw_plies_left(&none, state), INT_MAX);
}
END_TEST

START_TEST(a_limit_of_0_ends_the_list) {
    static const DrawRules two = {{{MATERIAL_LONE_KING_AGAINST_3_KINGS, SINCE_BALANCE, 30, 0, "a"},
                                   {MATERIAL_BOTH_KINGS, SINCE_PROGRESS, 0, 0, "b"},
                                   {MATERIAL_ANY, SINCE_PROGRESS, 5, 0, "c"}}};
    Position three = position_of("W:WK1,K2,K3:BK32");
    Position other = position_of("W:WK1:BK32");

    ck_assert_int_eq(draw_rule_of(&two, &three), 0);
    ck_assert_int_eq(draw_rule_of(&two, &other), DRAW_RULES_MAX);
}
END_TEST

START_TEST(any_material_may_follow_others) {
    static const DrawRules two = {
        {{MATERIAL_BOTH_KINGS, SINCE_BALANCE, 30, 0, "a"}, {MATERIAL_ANY, SINCE_CAPTURE, 5, 0, "b"}}};
    Position kings = position_of("W:WK1:BK32");
    Position men = position_of("W:W21:B12");

    ck_assert_int_eq(draw_rule_of(&two, &kings), 0);
    ck_assert_int_eq(draw_rule_of(&two, &men), 1);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void) {
    Suite *suite = suite_create("draw");
    TCase *tcase = tcase_create("draw");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, material_decides_the_rule, 0, ROWS(materials));
    tcase_add_test(tcase, rule_agrees_with_a_naive_reading);
    tcase_add_loop_test(tcase, moves_move_the_counters, 0, ROWS(steps));
    tcase_add_loop_test(tcase, a_count_can_start_late, 0, ROWS(starts));
    tcase_add_loop_test(tcase, other_rules_keep_the_counters, 0, ROWS(others));
    tcase_add_loop_test(tcase, plies_left_are_those_of_the_rule, 0, ROWS(lefts));
    tcase_add_test(tcase, no_rules_never_draw);
    tcase_add_test(tcase, a_limit_of_0_ends_the_list);
    tcase_add_test(tcase, any_material_may_follow_others);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
