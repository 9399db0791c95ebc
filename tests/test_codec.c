/*
 * Tests of the coding of values: everything comes back, of whatever values, and of any bytes something is
 * made.
 */
#include "endgame/learn.h"
#include "endgame/range_coder.h"
#include "tests/random_play.h"

#include <stdlib.h>
#include <string.h>

static void set(uint8_t *values, uint64_t number, Value value) {
    int shift = (int)(number % 4) * 2;

    values[number / 4] = (uint8_t)((values[number / 4] & ~(3 << shift)) | (int)value << shift);
}

static Value get(const uint8_t *values, uint64_t number) {
    return (Value)(values[number / 4] >> number % 4 * 2 & 3);
}

/* ---- Bits ---------------------------------------------------------------------------------------------- */

/* Probabilities from one extreme to the other, and bits that are as likely as they say or not at all. */
START_TEST(test_bits_come_back) {
    static const uint32_t PROBABILITIES[] = {1, 2, 100, 30000, 32768, 60000, 65000, 65535};
    enum { BITS = 20000 };
    static bool bits[BITS];
    static uint32_t ones[BITS];
    static uint8_t bytes[BITS * 4];
    uint64_t state = (uint64_t)_i;

    Encoder encoder = encoder_init(bytes, sizeof bytes);
    for (int i = 0; i < BITS; i++) {
        ones[i] = PROBABILITIES[random_below(&state, 8)];
        uint32_t drawn = (uint32_t)random_below(&state, (int)CODER_ONE);
        bits[i] = _i % 4 == 0 ? drawn < ones[i] : _i % 4 == 1 ? drawn % 2 == 0 : _i % 4 == 2;
        encoder_bit(&encoder, ones[i], bits[i]);
    }
    size_t size = encoder_end(&encoder);
    ck_assert(!encoder.failed);
    Decoder decoder = decoder_init(bytes, size);
    for (int i = 0; i < BITS; i++) {
        CHECK_QUICKLY(decoder_bit(&decoder, ones[i]) == bits[i], "bit %d", i);
    }
}
END_TEST

/* A carry goes through as many bytes as it must. */
START_TEST(test_carries) {
    uint8_t bytes[64];
    bool bits[200];

    for (int flip = 0; flip < 200; flip++) {
        Encoder encoder = encoder_init(bytes, sizeof bytes);
        for (int i = 0; i < 200; i++) {
            bits[i] = i == flip || (i > 0 && i < flip);
            encoder_bit(&encoder, i == 0 ? 1 : 32768, bits[i]);
        }
        size_t size = encoder_end(&encoder);
        Decoder decoder = decoder_init(bytes, size);
        for (int i = 0; i < 200; i++) {
            ck_assert_int_eq(decoder_bit(&decoder, i == 0 ? 1 : 32768), bits[i]);
        }
    }
}
END_TEST

START_TEST(test_a_full_buffer_is_a_failure) {
    uint8_t bytes[8 + 1] = {[8] = 0xA5};
    uint64_t state = 1;

    Encoder encoder = encoder_init(bytes, 8);
    for (int i = 0; i < 1000; i++) {
        encoder_bit(&encoder, 32768, random_below(&state, 2) == 0);
    }
    encoder_end(&encoder);
    ck_assert(encoder.failed);
    ck_assert_int_eq(bytes[8], 0xA5);
}
END_TEST

/* ---- Blocks -------------------------------------------------------------------------------------------- */

START_TEST(test_packing) {
    uint8_t values[BLOCK_BYTES], again[BLOCK_BYTES], numbers[BLOCK_SIZE];
    uint64_t state = 2;

    for (int i = 0; i < BLOCK_BYTES; i++) {
        values[i] = (uint8_t)random_next(&state);
    }
    codec_unpack(values, numbers);
    for (uint64_t i = 0; i < BLOCK_SIZE; i++) {
        CHECK_QUICKLY(numbers[i] == get(values, i), "number %d", (int)i);
    }
    codec_pack(numbers, again);
    ck_assert_mem_eq(values, again, BLOCK_BYTES);
}
END_TEST

START_TEST(test_constant_blocks) {
    uint8_t values[BLOCK_BYTES];
    Value value;

    memset(values, 0xFF, sizeof values);
    ck_assert(codec_is_constant(values, &value) && value == VALUE_DRAW);
    for (uint64_t at = 0; at < BLOCK_SIZE; at += 511) {
        for (Value first = VALUE_DRAW; first <= VALUE_LOSS; first++) {
            memset(values, 0xFF, sizeof values);
            set(values, at, first);
            ck_assert(codec_is_constant(values, &value) && value == first);
            set(values, (at + 1000) % BLOCK_SIZE, first);
            ck_assert(codec_is_constant(values, &value) && value == first);
            set(values, (at + 2000) % BLOCK_SIZE, (first + 1) % 3);
            ck_assert(!codec_is_constant(values, &value));
        }
    }
}
END_TEST

/* Slices of all sizes, the last blocks of which have any number of numbers. */
static const Slice SLICES[] = {
    {{0, 0}, {1, 1}}, {{1, 0}, {0, 1}}, {{1, 1}, {0, 0}}, {{0, 1}, {2, 0}},
    {{0, 0}, {1, 2}}, {{2, 1}, {0, 0}}, {{0, 0}, {2, 2}}, {{1, 1}, {1, 1}},
};
enum { SLICES_COUNT = sizeof SLICES / sizeof SLICES[0], PATTERNS = 6 };

/* Values like those of real slices, or as unlike them as can be. */
static Value draw_value(int pattern, uint64_t number, uint64_t *state) {
    int chance = random_below(state, 1000);

    switch (pattern) {
    case 0:
        return (Value)(chance % 3);
    case 1:
        return chance == 0 ? VALUE_WIN : VALUE_DRAW;
    case 2:
        return chance < 500 ? VALUE_NONE : number / 100 % 2 == 0 ? VALUE_WIN : VALUE_LOSS;
    case 3:
        return chance < 5 ? VALUE_LOSS : (Value)(number % 29 / 10);
    case 4:
        return number / BLOCK_SIZE % 2 == 0 ? VALUE_LOSS : number % BLOCK_SIZE == 77 ? VALUE_WIN : VALUE_NONE;
    default:
        return chance < 300 ? VALUE_NONE : (Value)(number * number / 997 % 3);
    }
}

typedef struct {
    uint64_t size, blocks;
    uint8_t *values, *filled;
    CodecModel model;
} Learnt;

static Learnt learn(Slice slice, int pattern, int threads) {
    Learnt learnt = {.size = slice_size(slice)};
    Workers *workers = workers_new(threads);
    uint64_t state = (uint64_t)pattern;

    learnt.blocks = (learnt.size + BLOCK_SIZE - 1) / BLOCK_SIZE;
    learnt.values = malloc(learnt.blocks * BLOCK_BYTES);
    learnt.filled = malloc(learnt.blocks * BLOCK_BYTES);
    ck_assert(workers != NULL && learnt.values != NULL && learnt.filled != NULL);
    memset(learnt.values, 0xFF, learnt.blocks * BLOCK_BYTES);
    for (uint64_t number = 0; number < learnt.size; number++) {
        set(learnt.values, number, draw_value(pattern, number, &state));
    }
    memcpy(learnt.filled, learnt.values, learnt.blocks * BLOCK_BYTES);
    ck_assert_int_eq(learn_model(&learnt.model, slice, learnt.filled, workers), 0);
    workers_free(workers);
    return learnt;
}

static void forget(Learnt *learnt) {
    free(learnt->values);
    free(learnt->filled);
}

static int numbers_of(const Learnt *learnt, uint64_t block) {
    uint64_t left = learnt->size - block * BLOCK_SIZE;

    return left < BLOCK_SIZE ? (int)left : BLOCK_SIZE;
}

START_TEST(test_values_come_back) {
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        Learnt learnt = learn(SLICES[_i], pattern, 2);
        uint8_t written[CODEC_MODEL_BYTES_MAX];
        static CodecModel model;
        Value value;
        if (learnt.model.neighbours > 0) {
            size_t size = codec_model_write(&learnt.model, written);
            ck_assert(codec_model_read(&model, written, size));
        }
        for (uint64_t block = 0; block < learnt.blocks; block++) {
            const uint8_t *filled = learnt.filled + block * BLOCK_BYTES;
            int count = numbers_of(&learnt, block);
            uint8_t bytes[BLOCK_BYTES], values[BLOCK_BYTES];
            if (!codec_is_constant(filled, &value)) {
                size_t size = codec_encode(&learnt.model, filled, count, bytes);
                ck_assert_uint_le(size, BLOCK_BYTES);
                codec_decode(&model, bytes, size, count, values);
            } else {
                memset(values, (int)value * 0x55, sizeof values);
            }
            for (int i = 0; i < count; i++) {
                uint64_t number = block * BLOCK_SIZE + (uint64_t)i;
                Value wanted = get(learnt.values, number);
                Value found = get(values, (uint64_t)i);
                CHECK_QUICKLY(found == wanted || (wanted == VALUE_NONE && found <= VALUE_LOSS),
                              "pattern %d, number %d", pattern, (int)number);
            }
        }
        forget(&learnt);
    }
}
END_TEST

START_TEST(test_threads_make_no_difference) {
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        Learnt one = learn(SLICES[_i], pattern, 1);
        Learnt four = learn(SLICES[_i], pattern, 4);
        uint8_t written[2][CODEC_MODEL_BYTES_MAX];
        ck_assert_int_eq(one.model.neighbours, four.model.neighbours);
        ck_assert_mem_eq(one.filled, four.filled, one.blocks * BLOCK_BYTES);
        if (one.model.neighbours > 0) {
            size_t size = codec_model_write(&one.model, written[0]);
            ck_assert_uint_eq(size, codec_model_write(&four.model, written[1]));
            ck_assert_mem_eq(written[0], written[1], size);
        }
        forget(&one);
        forget(&four);
    }
}
END_TEST

/* Values that a model thinks impossible are written as they are. */
START_TEST(test_what_was_never_seen) {
    Learnt learnt = learn(SLICES[6], 1, 1);
    uint8_t bytes[BLOCK_BYTES], values[BLOCK_BYTES], again[BLOCK_BYTES];
    uint64_t state = 3;

    for (int round = 0; round < 20; round++) {
        for (uint64_t i = 0; i < BLOCK_SIZE; i++) {
            set(values, i, (Value)random_below(&state, 3));
        }
        ck_assert_uint_eq(codec_encode(&learnt.model, values, BLOCK_SIZE, bytes), BLOCK_BYTES);
        codec_decode(&learnt.model, bytes, BLOCK_BYTES, BLOCK_SIZE, again);
        ck_assert_mem_eq(values, again, BLOCK_BYTES);
    }
    forget(&learnt);
}
END_TEST

/* Of any bytes values are made, and no others than draws, wins and losses. */
START_TEST(test_damaged_blocks_decode) {
    Learnt learnt = learn(SLICES[_i], 3, 1);
    uint8_t bytes[BLOCK_BYTES], values[BLOCK_BYTES];
    uint64_t state = (uint64_t)_i;

    for (int round = 0; round < 300; round++) {
        size_t size = (size_t)random_below(&state, round % 3 == 0 ? BLOCK_BYTES + 1 : 40);
        int count = 1 + random_below(&state, BLOCK_SIZE);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = round % 2 == 0 ? 0xFF : (uint8_t)random_next(&state);
        }
        uint8_t *exact = malloc(size + 1); /* so that a sanitizer sees reads beyond the end */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact + 1, bytes, size);
        codec_decode(&learnt.model, exact + 1, size, count, values);
        for (uint64_t i = 0; i < BLOCK_SIZE; i++) {
            CHECK_QUICKLY(get(values, i) != VALUE_NONE, "round %d, number %d", round, (int)i);
        }
        free(exact);
    }
    forget(&learnt);
}
END_TEST

START_TEST(test_damaged_models_are_refused_or_work) {
    Learnt learnt = learn(SLICES[6], 3, 1);
    uint8_t written[CODEC_MODEL_BYTES_MAX], values[BLOCK_BYTES];
    uint8_t bytes[64];
    size_t size = codec_model_write(&learnt.model, written);
    static CodecModel model;
    uint64_t state = 7;

    ck_assert(!codec_model_read(&model, written, 0));
    ck_assert(!codec_model_read(&model, written, 2));
    for (int round = 0; round < 2000; round++) {
        uint8_t damaged[CODEC_MODEL_BYTES_MAX];
        memcpy(damaged, written, size);
        for (int i = 0; i < 1 + round % 5; i++) {
            damaged[random_below(&state, (int)size)] = (uint8_t)random_next(&state);
        }
        if (codec_model_read(&model, damaged, 1 + (size_t)random_below(&state, (int)size))) {
            for (size_t i = 0; i < sizeof bytes; i++) {
                bytes[i] = (uint8_t)random_next(&state);
            }
            codec_decode(&model, bytes, sizeof bytes, BLOCK_SIZE, values);
        }
    }
    forget(&learnt);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("codec");
    TCase *bits = tcase_create("bits");
    TCase *blocks = tcase_create("blocks");

    tcase_add_loop_test(bits, test_bits_come_back, 0, 16);
    tcase_add_test(bits, test_carries);
    tcase_add_test(bits, test_a_full_buffer_is_a_failure);
    suite_add_tcase(suite, bits);
    tcase_set_timeout(blocks, 300);
    tcase_add_test(blocks, test_packing);
    tcase_add_test(blocks, test_constant_blocks);
    tcase_add_loop_test(blocks, test_values_come_back, 0, SLICES_COUNT);
    tcase_add_loop_test(blocks, test_threads_make_no_difference, 0, SLICES_COUNT);
    tcase_add_test(blocks, test_what_was_never_seen);
    tcase_add_loop_test(blocks, test_damaged_blocks_decode, 0, SLICES_COUNT);
    tcase_add_test(blocks, test_damaged_models_are_refused_or_work);
    suite_add_tcase(suite, blocks);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
