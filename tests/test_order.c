/* Tests of the order in which a search tries moves, and of what it learns about them. */
#include "tests/random_play.h"

#include "search/order.h"

#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 20000, REWARDS = 100000 };

/* Large, so not on the stack; filled with rewards for random moves. */
static MoveMemory *random_memory(uint64_t *state, int rewards) {
    MoveMemory *memory = calloc(1, sizeof *memory);

    ck_assert_ptr_nonnull(memory);
    for (int i = 0; i < rewards; i++) {
        Move moves[4];
        for (int k = 0; k < 4; k++) {
            moves[k] = move_make((Square)random_below(state, SQUARE_BITS),
                                 (Square)random_below(state, SQUARE_BITS), 0, false);
        }
        order_reward(memory, (Color)random_below(state, 2), moves[0], moves[1], moves + 2, 2,
                     1 + random_below(state, 200));
    }
    return memory;
}

static int score_of(const MoveOrder *order, Move move) {
    for (int i = 0; i < order->list->count; i++) {
        if (order->list->moves[i] == move) {
            return order->scores[i];
        }
    }
    ck_abort_msg("a move is missing");
    return 0;
}

static Move random_of(const MoveList *list, uint64_t *state) {
    return list->moves[random_below(state, list->count)];
}

START_TEST(picking_sorts_a_permutation) {
    Variant variant = (Variant)_i;
    uint64_t state = 21;
    MoveMemory *memory = random_memory(&state, 1000);
    Position position = position_start(rules_of(variant));
    int plies = 0;

    for (int round = 0; round < POSITIONS; round++) {
        MoveList list;
        position = random_play(variant, &position, &plies, &state);
        movegen_generate(variant, &position, &list);
        if (list.count == 0) {
            continue;
        }
        MoveList before = list;
        MoveOrder order = {.list = &list};
        Move killers[2] = {random_of(&list, &state), random_of(&list, &state)};
        order_score(&order, memory, rules_of(variant), &position, killers,
                    random_next(&state) % 2 != 0 ? killers[0] : MOVE_NONE);
        MoveOrder scored = order;
        scored.list = &before;
        for (int i = 0; i < list.count; i++) {
            order_pick(&order, i);
        }
        CHECK_QUICKLY(list.count == before.count, "%d moves became %d", before.count, list.count);
        for (int i = 0; i < list.count; i++) {
            /* Legal moves are distinct, so that each is found once and none is lost. */
            CHECK_QUICKLY(order.scores[i] == score_of(&scored, list.moves[i]), "a score left its move");
            CHECK_QUICKLY(score_of(&order, before.moves[i]) == scored.scores[i], "a move was lost");
            CHECK_QUICKLY(i == 0 || order.scores[i] <= order.scores[i - 1], "not sorted");
        }
    }
    free(memory);
}
END_TEST

START_TEST(picking_leaves_what_was_picked) {
    MoveList list = {.count = 4, .moves = {11, 12, 13, 14}};
    MoveOrder order = {.list = &list, .scores = {1, 5, 5, 9}};

    order_pick(&order, 1);
    ck_assert_uint_eq(list.moves[0], 11);
    ck_assert_uint_eq(list.moves[1], 14);
    ck_assert_int_eq(order.scores[1], 9);
    order_pick(&order, 3);
    ck_assert_uint_eq(list.moves[1], 14);
}
END_TEST

START_TEST(captures_come_by_gain) {
    Variant variant = (Variant)_i;
    uint64_t state = 22;
    MoveMemory *memory = random_memory(&state, 1000);
    const Move none[2] = {MOVE_NONE, MOVE_NONE};
    int compared = 0;

    for (int round = 0; round < POSITIONS; round++) {
        Position position = random_position(20, &state);
        MoveList list;
        MoveOrder order = {.list = &list};
        movegen_generate(variant, &position, &list);
        if (list.count == 0 || !move_is_capture(list.moves[0])) {
            continue;
        }
        order_score(&order, memory, rules_of(variant), &position, none, MOVE_NONE);
        for (int a = 0; a < list.count; a++) {
            for (int b = 0; b < list.count; b++) {
                Bitboard taken_a = move_captured(list.moves[a]);
                Bitboard taken_b = move_captured(list.moves[b]);
                int more = bitboard_count(taken_a) - bitboard_count(taken_b);
                int kings =
                    bitboard_count(taken_a & position.kings) - bitboard_count(taken_b & position.kings);
                int crowns = move_crowns(list.moves[a]) - move_crowns(list.moves[b]);
                if (more >= 0 && kings >= 0 && crowns >= 0 && more + kings + crowns > 0) {
                    CHECK_QUICKLY(order.scores[a] > order.scores[b], "a greater gain comes later");
                    compared++;
                }
            }
        }
    }
    ck_assert_int_gt(compared, 1000);
    free(memory);
}
END_TEST

START_TEST(quiet_moves_come_by_kind) {
    Variant variant = (Variant)_i;
    uint64_t state = 23;
    /* Rewards beyond all measure may not lift a move above what is better founded. */
    MoveMemory *memory = random_memory(&state, REWARDS);
    Position position = position_start(rules_of(variant));
    int plies = 0;

    for (int round = 0; round < POSITIONS; round++) {
        MoveList list;
        MoveOrder order = {.list = &list};
        position = random_play(variant, &position, &plies, &state);
        movegen_generate(variant, &position, &list);
        if (list.count < 4 || move_is_capture(list.moves[0])) {
            continue;
        }
        Move killers[2] = {list.moves[0], list.moves[list.count - 1]};
        Move counter = list.moves[1];
        Move previous = move_make((Square)random_below(&state, SQUARE_BITS),
                                  (Square)random_below(&state, SQUARE_BITS), 0, false);
        order_reward(memory, (Color)position.turn, counter, previous, NULL, 0, 1);
        order_score(&order, memory, rules_of(variant), &position, killers, previous);
        for (int i = 0; i < list.count; i++) {
            Move move = list.moves[i];
            if (move_crowns(move)) {
                continue;
            }
            for (int k = 0; k < list.count; k++) {
                CHECK_QUICKLY(!move_crowns(list.moves[k]) || order.scores[k] > order.scores[i],
                              "crowning is not first");
            }
            int first = score_of(&order, killers[0]);
            int second = score_of(&order, killers[1]);
            int answer = score_of(&order, counter);
            if (move != killers[0]) {
                CHECK_QUICKLY(first > order.scores[i], "the killer is not before the rest");
            }
            if (move != killers[0] && move != killers[1]) {
                CHECK_QUICKLY(second > order.scores[i], "the second killer is not before the rest");
            }
            if (move != killers[0] && move != killers[1] && move != counter) {
                CHECK_QUICKLY(answer > order.scores[i], "the answer is not before the rest");
            }
        }
    }
    free(memory);
}
END_TEST

/* White's moves from the start of an English game, and their scores by history alone. */
static MoveOrder start_order(const MoveMemory *memory, Position *position, MoveList *list) {
    const Move none[2] = {MOVE_NONE, MOVE_NONE};
    MoveOrder order = {.list = list};

    *position = position_start(rules_of(VARIANT_ENGLISH));
    position->turn = WHITE;
    movegen_generate(VARIANT_ENGLISH, position, list);
    order_score(&order, memory, rules_of(VARIANT_ENGLISH), position, none, MOVE_NONE);
    return order;
}

START_TEST(reward_raises_and_lowers) {
    MoveMemory *memory = calloc(1, sizeof *memory);
    Move previous = move_make(20, 16, 0, false);
    Position position;
    MoveList list;

    ck_assert_ptr_nonnull(memory);
    for (int depth = 1; depth <= 40; depth++) {
        MoveOrder before = start_order(memory, &position, &list);
        order_reward(memory, WHITE, list.moves[3], previous, list.moves, 2, depth);
        MoveOrder after = start_order(memory, &position, &list);
        for (int i = 0; i < list.count; i++) {
            int change = after.scores[i] - before.scores[i];
            if (i == 3) {
                ck_assert_int_gt(change, 0);
            } else if (i < 2) {
                ck_assert_int_lt(change, 0);
            } else {
                ck_assert_int_eq(change, 0);
            }
        }
        memset(memory, 0, sizeof *memory);
    }

    /* A deeper cutoff says more. */
    order_reward(memory, WHITE, list.moves[0], previous, NULL, 0, 2);
    order_reward(memory, WHITE, list.moves[1], previous, NULL, 0, 8);
    MoveOrder order = start_order(memory, &position, &list);
    ck_assert_int_gt(order.scores[1], order.scores[0]);
    free(memory);
}
END_TEST

START_TEST(sides_learn_apart) {
    MoveMemory *memory = calloc(1, sizeof *memory);
    Position position;
    MoveList list;

    ck_assert_ptr_nonnull(memory);
    MoveOrder before = start_order(memory, &position, &list);
    order_reward(memory, BLACK, list.moves[3], move_make(1, 2, 0, false), list.moves, 2, 9);
    MoveOrder after = start_order(memory, &position, &list);
    for (int i = 0; i < list.count; i++) {
        ck_assert_int_eq(before.scores[i], after.scores[i]);
    }
    free(memory);
}
END_TEST

START_TEST(rewards_have_a_limit) {
    MoveMemory *memory = calloc(1, sizeof *memory);
    Move previous = move_make(20, 16, 0, false);
    Position position;
    MoveList list;

    ck_assert_ptr_nonnull(memory);
    MoveOrder before = start_order(memory, &position, &list);
    for (int i = 0; i < REWARDS; i++) {
        order_reward(memory, WHITE, list.moves[3], previous, list.moves, 1, _i);
        if (i % 100 == 0) {
            MoveOrder after = start_order(memory, &position, &list);
            ck_assert_int_ge(after.scores[3], before.scores[3]);
            ck_assert_int_le(after.scores[0], before.scores[0]);
            before = after;
        }
    }
    int high = before.scores[3];
    int low = before.scores[0];
    ck_assert_int_gt(high, 0);
    ck_assert_int_lt(low, 0);
    /* What has reached its limit comes back when things change. */
    for (int i = 0; i < REWARDS; i++) {
        order_reward(memory, WHITE, list.moves[0], previous, &list.moves[3], 1, _i);
    }
    before = start_order(memory, &position, &list);
    ck_assert_int_eq(before.scores[0], high);
    ck_assert_int_eq(before.scores[3], low);
    free(memory);
}
END_TEST

START_TEST(a_step_into_a_capture_comes_late) {
    /* 22-18 or 22-17, where the man of 14 takes it, or 31-26 and 31-27, where nobody does. */
    Position position = {.turn = WHITE};
    const Move none[2] = {MOVE_NONE, MOVE_NONE};
    uint64_t state = 24;
    MoveMemory *memory = random_memory(&state, REWARDS);
    MoveList list;
    MoveOrder order = {.list = &list};

    position.pieces[WHITE] = BITBOARD_BIT(square_from_number(22)) | BITBOARD_BIT(square_from_number(31));
    position.pieces[BLACK] = BITBOARD_BIT(square_from_number(14));
    movegen_generate(VARIANT_ENGLISH, &position, &list);
    ck_assert_int_eq(list.count, 4);
    order_score(&order, memory, rules_of(VARIANT_ENGLISH), &position, none, MOVE_NONE);
    for (int i = 0; i < 4; i++) {
        order_pick(&order, i);
        ck_assert_int_eq(square_number(move_from(list.moves[i])), i < 2 ? 31 : 22);
    }
    free(memory);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("order");
    TCase *tcase = tcase_create("order");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, picking_sorts_a_permutation, 0, VARIANT_COUNT);
    tcase_add_test(tcase, picking_leaves_what_was_picked);
    tcase_add_loop_test(tcase, captures_come_by_gain, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, quiet_moves_come_by_kind, 0, VARIANT_COUNT);
    tcase_add_test(tcase, reward_raises_and_lowers);
    tcase_add_test(tcase, sides_learn_apart);
    tcase_add_loop_test(tcase, rewards_have_a_limit, 1, 20);
    tcase_add_test(tcase, a_step_into_a_capture_comes_late);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
