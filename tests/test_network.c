/*
 * The network's arithmetic: by wide instructions, narrow ones and none, from scratch and move by move,
 * against a plain sum written here.
 */
#include "random_play.h"
#include "search/network_file.h"
#include "search/score.h"
#include "system/memory.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* search/network.c compiled again: by 128 bits, and a number at a time. */
void network_begin_128(const Network *network, const Position *position, NetworkSums *sums);
void network_move_128(const Network *network, const Position *before, Move move, const NetworkSums *known,
                      NetworkSums *sums);
int network_value_128(const Network *network, const Position *position, const NetworkSums *sums);
void network_begin_16(const Network *network, const Position *position, NetworkSums *sums);
void network_move_16(const Network *network, const Position *before, Move move, const NetworkSums *known,
                     NetworkSums *sums);
int network_value_16(const Network *network, const Position *position, const NetworkSums *sums);

static int positions(void) {
    const char *text = getenv("CROWNHEAD_TEST_NETWORK_POSITIONS");
    return text != NULL ? atoi(text) : 100000;
}

/* Weights by chance, as large as they may be: sums go beyond both bounds. */
static Network *random_network(uint64_t seed) {
    Network *network = memory_aligned(alignof(Network), sizeof *network);

    ck_assert_ptr_nonnull(network);
    for (int i = 0; i < NETWORK_INPUTS * NETWORK_HIDDEN; i++) {
        network->inputs[i / NETWORK_HIDDEN][i % NETWORK_HIDDEN] = (int16_t)(random_below(&seed, 401) - 200);
    }
    for (int j = 0; j < NETWORK_HIDDEN; j++) {
        network->input_bias[j] = (int16_t)(random_below(&seed, 401) - 200);
        for (int bucket = 0; bucket < NETWORK_BUCKETS; bucket++) {
            for (int view = 0; view < 2; view++) {
                network->outputs[bucket][view][j] = (int16_t)(random_below(&seed, 255) - 127);
            }
        }
    }
    for (int bucket = 0; bucket < NETWORK_BUCKETS; bucket++) {
        network->output_bias[bucket] = random_below(&seed, 20001) - 10000;
    }
    network->scale = 150 * NETWORK_SCALE_ONE;
    return network;
}

/* What network.h says, in so many words. */
static int plain_value(const Network *network, const Position *position) {
    int bucket = network_bucket(bitboard_count(position_occupied(position)));
    int64_t sum = 0;

    for (int turn = 0; turn < 2; turn++) {
        Color view = turn == 0 ? (Color)position->turn : color_opponent((Color)position->turn);
        for (int j = 0; j < NETWORK_HIDDEN; j++) {
            int x = network->input_bias[j];
            for (int number = 1; number <= SQUARES; number++) {
                Bitboard bit = BITBOARD_BIT(square_from_number(number));
                for (Color owner = WHITE; owner <= BLACK; owner++) {
                    if ((position->pieces[owner] & bit) != 0) {
                        int kind = (owner == view ? 0 : 2) + ((position->kings & bit) != 0 ? 1 : 0);
                        int square = square_from_number(view == WHITE ? number : 33 - number);
                        x += network->inputs[kind * NETWORK_SQUARES + square][j];
                    }
                }
            }
            x = x < 0 ? 0 : x > NETWORK_ONE ? NETWORK_ONE : x;
            sum += x * x * network->outputs[bucket][turn][j];
        }
    }
    sum = (sum / NETWORK_ONE + network->output_bias[bucket]) * network->scale /
          (NETWORK_ONE * NETWORK_OUTPUT_ONE * NETWORK_SCALE_ONE);
    return sum > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : sum < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : (int)sum;
}

START_TEST(test_all_ways_agree) {
    Variant variant = (Variant)_i;
    Network *network = random_network(variant + 1);
    Position position = position_start(rules_of(variant));
    uint64_t random = variant + 10;
    int plies = 0;
    NetworkSums sums, narrow, plain;

    network_begin(network, &position, &sums);
    for (int n = positions(); n > 0; n--) {
        MoveList list;
        movegen_generate(variant, &position, &list);
        if (list.count == 0 || plies++ > 200) {
            plies = 0;
            position = position_start(rules_of(variant));
            network_begin(network, &position, &sums);
            continue;
        }
        Move move = list.moves[random_below(&random, list.count)];
        NetworkSums known = sums;
        network_move(network, &position, move, &known, &sums);
        network_move_128(network, &position, move, &known, &narrow);
        network_move_16(network, &position, move, &known, &plain);
        CHECK_QUICKLY(memcmp(&sums, &narrow, sizeof sums) == 0 && memcmp(&sums, &plain, sizeof sums) == 0,
                      "sums differ after a move");
        position = position_after(&position, move);
        int value = network_value(network, &position, &sums);
        CHECK_QUICKLY(value == network_value_128(network, &position, &sums) &&
                          value == network_value_16(network, &position, &sums),
                      "values differ");
        CHECK_QUICKLY(value == plain_value(network, &position), "%d is not %d", value,
                      plain_value(network, &position));
        network_begin(network, &position, &known);
        network_begin_128(network, &position, &narrow);
        network_begin_16(network, &position, &plain);
        CHECK_QUICKLY(memcmp(&sums, &known, sizeof sums) == 0 && memcmp(&sums, &narrow, sizeof sums) == 0 &&
                          memcmp(&sums, &plain, sizeof sums) == 0,
                      "sums from scratch differ");
    }
    network_free(network);
}
END_TEST

/* A position and the same one turned with colours exchanged have one value. */
START_TEST(test_both_sides_are_seen_alike) {
    Network *network = random_network(7);
    uint64_t random = 8;

    for (int n = 0; n < 2000; n++) {
        Position position = random_position(16, &random);
        Position turned = {.turn = (uint8_t)(1 - position.turn)};
        NetworkSums sums, others;
        for (int number = 1; number <= SQUARES; number++) {
            Bitboard from = BITBOARD_BIT(square_from_number(number));
            Bitboard to = BITBOARD_BIT(square_from_number(33 - number));
            turned.pieces[BLACK] |= (position.pieces[WHITE] & from) != 0 ? to : 0;
            turned.pieces[WHITE] |= (position.pieces[BLACK] & from) != 0 ? to : 0;
            turned.kings |= (position.kings & from) != 0 ? to : 0;
        }
        network_begin(network, &position, &sums);
        network_begin(network, &turned, &others);
        CHECK_QUICKLY(network_value(network, &position, &sums) == network_value(network, &turned, &others),
                      "position %d", n);
    }
    network_free(network);
}
END_TEST

/*
 * What is built in knows that more men are better, and a king is better than a man: nearly always. (With all
 * men at home it is not so sure.)
 */
START_TEST(test_built_in_networks_know_material) {
    const Network *network = network_builtin((Variant)_i);
    uint64_t random = 12;
    int right = 0, kings_right = 0, rounds = 2000;

    for (int n = 0; n < rounds; n++) {
        Position position = {.turn = (uint8_t)random_below(&random, 2)};
        int men = 3 + random_below(&random, SIDE_PIECES - 3);
        while (bitboard_count(position.pieces[WHITE]) < men) {
            int number = 17 + random_below(&random, 16);
            position.pieces[WHITE] |= BITBOARD_BIT(square_from_number(number));
            position.pieces[BLACK] |= BITBOARD_BIT(square_from_number(33 - number));
        }
        Bitboard extra = position.pieces[position.turn];
        for (int skip = random_below(&random, men); skip > 0; skip--) {
            extra &= extra - 1;
        }
        extra &= -extra;
        NetworkSums sums;
        Position crowned = position;
        crowned.kings |= extra;
        network_begin(network, &position, &sums);
        int even = network_value(network, &position, &sums);
        network_begin(network, &crowned, &sums);
        kings_right += network_value(network, &crowned, &sums) > even;
        position.pieces[position.turn] &= ~extra;
        network_begin(network, &position, &sums);
        right += network_value(network, &position, &sums) < even;
    }
    ck_assert_msg(right > rounds * 95 / 100 && kings_right > rounds * 80 / 100, "%d men, %d kings of %d",
                  right, kings_right, rounds);
}
END_TEST

START_TEST(test_files) {
    Network *network = random_network(3);
    Network *read = memory_aligned(alignof(Network), sizeof *read);
    uint8_t bytes[NETWORK_FILE_BYTES + 1] = {0};
    ParseError error;
    uint64_t random = 4;

    ck_assert_ptr_nonnull(read);
    memset(read, 0, sizeof *read);
    network_write(network, VARIANT_ENGLISH, bytes);
    ck_assert(network_read(read, VARIANT_ENGLISH, bytes, NETWORK_FILE_BYTES, &error));
    ck_assert_mem_eq(read->inputs, network->inputs, sizeof read->inputs);
    ck_assert_mem_eq(read->outputs, network->outputs, sizeof read->outputs);
    ck_assert_mem_eq(read->output_bias, network->output_bias, sizeof read->output_bias);
    ck_assert_int_eq(read->scale, network->scale);
    ck_assert(!network_read(read, VARIANT_RUSSIAN, bytes, NETWORK_FILE_BYTES, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "another game"));
    ck_assert(!network_read(read, VARIANT_ENGLISH, bytes, NETWORK_FILE_BYTES - 1, &error));
    ck_assert(!network_read(read, VARIANT_ENGLISH, bytes, NETWORK_FILE_BYTES + 1, &error));
    ck_assert(!network_read(read, VARIANT_ENGLISH, bytes, 0, &error));
    for (int n = 0; n < 300; n++) {
        int at = random_below(&random, NETWORK_FILE_BYTES);
        if (at >= 40 && at < 64) {
            continue; /* zeros that nobody looks at */
        }
        bytes[at] ^= 0x10;
        ck_assert_msg(!network_read(read, VARIANT_ENGLISH, bytes, NETWORK_FILE_BYTES, &error), "byte %d", at);
        bytes[at] ^= 0x10;
    }
    network_free(network);
    network_free(read);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("network");
    TCase *tcase = tcase_create("network");

    tcase_set_timeout(tcase, 900);
    tcase_add_loop_test(tcase, test_all_ways_agree, 0, VARIANT_COUNT);
    tcase_add_test(tcase, test_both_sides_are_seen_alike);
    tcase_add_loop_test(tcase, test_built_in_networks_know_material, 0, VARIANT_COUNT);
    tcase_add_test(tcase, test_files);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
