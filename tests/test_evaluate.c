/* Tests of the evaluation: what holds for any weights. */
#include "tests/random_play.h"

#include "engine/fen.h"
#include "search/evaluate.h"
#include "search/score.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100000 };

/* The board turned by 180 degrees with the colours exchanged: square n becomes 33 - n. */
static Position turned(const Position *position) {
    Position result = {.turn = position->turn == WHITE ? BLACK : WHITE};

    for (int number = 1; number <= SQUARES; number++) {
        Bitboard from = BITBOARD_BIT(square_from_number(number));
        Bitboard to = BITBOARD_BIT(square_from_number(33 - number));
        if ((position->pieces[WHITE] & from) != 0) {
            result.pieces[BLACK] |= to;
        }
        if ((position->pieces[BLACK] & from) != 0) {
            result.pieces[WHITE] |= to;
        }
        if ((position->kings & from) != 0) {
            result.kings |= to;
        }
    }
    return result;
}

static Position position_from(const char *fen) {
    FenRecord record;
    ParseError error;

    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s: %s", fen, error.text);
    return record.position;
}

/* Positions of games and, every second time, ones that no game leads to. */
typedef struct {
    Variant variant;
    Position game;
    int plies;
    uint64_t state;
    int round;
} Source;

static Source source_of(Variant variant) {
    return (Source){.variant = variant, .game = position_start(rules_of(variant)), .state = 11};
}

static Position source_next(Source *source) {
    if (source->round++ % 2 != 0) {
        return random_position(source->round % 4 == 0 ? 24 : 6, &source->state);
    }
    source->game = random_play(source->variant, &source->game, &source->plies, &source->state);
    return source->game;
}

static const char *text_of(const Position *position, const Rules *rules, char text[static FEN_SIZE]) {
    fen_write(&(FenRecord){.position = *position, .fullmove = 1}, rules, text);
    return text;
}

static int sum_of(const Evaluation *terms) {
    int sum = 0;
#define TERM(name) sum += terms->name;
    EVALUATION_TERMS(TERM)
#undef TERM
    return sum;
}

START_TEST(value_is_the_bounded_sum_of_its_terms) {
    const Rules *rules = rules_of((Variant)_i);
    Source source = source_of((Variant)_i);
    char text[FEN_SIZE];

    for (int round = 0; round < ROUNDS; round++) {
        Position position = source_next(&source);
        Evaluation terms;
        int value = evaluate_terms(rules, &position, &terms);
        int sum = sum_of(&terms);
        CHECK_QUICKLY(value == evaluate(rules, &position), "%s", text_of(&position, rules, text));
        CHECK_QUICKLY(value >= -SCORE_EVAL_MAX && value <= SCORE_EVAL_MAX, "%s: %d",
                      text_of(&position, rules, text), value);
        if (abs(sum) <= SCORE_EVAL_MAX) {
            CHECK_QUICKLY(value == sum, "%s: %d, terms %d", text_of(&position, rules, text), value, sum);
        }
    }
}
END_TEST

START_TEST(turning_the_board_changes_nothing) {
    const Rules *rules = rules_of((Variant)_i);
    Source source = source_of((Variant)_i);
    char text[FEN_SIZE];

    for (int round = 0; round < ROUNDS; round++) {
        Position position = source_next(&source);
        Position other = turned(&position);
        Evaluation terms;
        Evaluation others;
        int value = evaluate_terms(rules, &position, &terms);
        int value_turned = evaluate_terms(rules, &other, &others);
        CHECK_QUICKLY(value == value_turned, "%s: %d and %d", text_of(&position, rules, text), value,
                      value_turned);
#define TERM(name) \
    CHECK_QUICKLY(terms.name == others.name, "%s: " #name " %d and %d", text_of(&position, rules, text), \
                  terms.name, others.name);
        EVALUATION_TERMS(TERM)
#undef TERM
    }
}
END_TEST

/* Pairs written out by hand, which do not depend on the turning above. */
static const char *const pairs[][2] = {
    {"W:W21-32:B1-12", "B:W21-32:B1-12"},      {"W:W18:BK1", "B:B15:WK32"},
    {"W:WK29,30,25:B3,8", "B:BK4,3,8:W30,25"}, {"B:W31,20,19,13:B23,21,12,11", "W:B2,13,14,20:W10,12,21,22"},
    {"B:WK23,K19:BK32", "W:BK10,K14:WK1"},     {"W:WKc3,Kd6,Ke3:BKe1", "B:BKf6,Ke3,Kd6:WKd8"},
    {"W:Wa5,b6:BKh8", "B:Bh4,g3:WKa1"},
};

START_TEST(pairs_are_equal) {
    Position a = position_from(pairs[_i][0]);
    Position b = position_from(pairs[_i][1]);

    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        int value = evaluate(rules_of(variant), &a);
        int other = evaluate(rules_of(variant), &b);
        ck_assert_msg(value == other, "%s: %d, %s: %d", pairs[_i][0], value, pairs[_i][1], other);
    }
}
END_TEST

/* Men of both sides in their own halves, the same for either: none runs to crown, none holds up its own. */
static Position symmetrical_men(uint64_t *state) {
    Position position = {0};
    int count = 2 + random_below(state, SIDE_PIECES - 1);

    while (bitboard_count(position.pieces[WHITE]) < count) {
        int number = 17 + random_below(state, 16);
        position.pieces[WHITE] |= BITBOARD_BIT(square_from_number(number));
        position.pieces[BLACK] |= BITBOARD_BIT(square_from_number(33 - number));
    }
    return position;
}

START_TEST(a_man_up_is_better) {
    const Rules *rules = rules_of((Variant)_i);
    uint64_t state = 12;
    char text[FEN_SIZE];

    for (int round = 0; round < ROUNDS / 10; round++) {
        Position position = symmetrical_men(&state);
        Bitboard men = position.pieces[BLACK];
        for (int skip = random_below(&state, bitboard_count(men)); skip > 0; skip--) {
            men &= men - 1;
        }
        position.pieces[BLACK] ^= men & -men;
        CHECK_QUICKLY(evaluate(rules, &position) > 0, "%s: %d", text_of(&position, rules, text),
                      evaluate(rules, &position));
        position.turn = BLACK;
        CHECK_QUICKLY(evaluate(rules, &position) < 0, "%s: %d", text_of(&position, rules, text),
                      evaluate(rules, &position));
    }
}
END_TEST

START_TEST(a_king_is_better_than_a_man) {
    const Rules *rules = rules_of((Variant)_i);
    uint64_t state = 13;
    char text[FEN_SIZE];

    for (int round = 0; round < ROUNDS / 10; round++) {
        Position position = symmetrical_men(&state);
        /* On the middle of the board nothing shuts it in. */
        Bitboard king = BITBOARD_BIT(square_from_number(18 + random_below(&state, 2)));
        if ((position.pieces[WHITE] & king) == 0) {
            continue;
        }
        position.kings = king;
        position.pieces[BLACK] &= BITBOARD_ROW(6) | BITBOARD_ROW(7);
        position.pieces[WHITE] &= BITBOARD_ROW(0) | BITBOARD_ROW(1) | king;
        /* Black has that man still, at home. */
        Bitboard home = (BITBOARD_ROW(6) | BITBOARD_ROW(7)) & ~position.pieces[BLACK];
        if (home == 0) {
            continue;
        }
        position.pieces[BLACK] |= home & -home;
        CHECK_QUICKLY(evaluate(rules, &position) > 0, "%s: %d", text_of(&position, rules, text),
                      evaluate(rules, &position));
    }
}
END_TEST

START_TEST(empty_boards_have_a_value) {
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        for (uint8_t turn = WHITE; turn <= BLACK; turn++) {
            Position nothing = {.turn = turn};
            ck_assert_int_lt(abs(evaluate(rules_of(variant), &nothing)), 100);
            Position won = nothing;
            won.pieces[turn] = BITBOARD_ROW(turn == WHITE ? 0 : 7);
            ck_assert_int_gt(evaluate(rules_of(variant), &won), 300);
        }
    }
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void) {
    Suite *suite = suite_create("evaluate");
    TCase *tcase = tcase_create("evaluate");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, value_is_the_bounded_sum_of_its_terms, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, turning_the_board_changes_nothing, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, pairs_are_equal, 0, ROWS(pairs));
    tcase_add_loop_test(tcase, a_man_up_is_better, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, a_king_is_better_than_a_man, 0, VARIANT_COUNT);
    tcase_add_test(tcase, empty_boards_have_a_value);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
