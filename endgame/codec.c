/* Blocks and models, coded. */
#include "endgame/codec.h"

#include "endgame/range_coder.h"
#include "system/byte_order.h"

#include <assert.h>
#include <string.h>

enum { VALUES_SUM = VALUE_DRAW + VALUE_WIN + VALUE_LOSS };

/*
 * Probability of a miss by its level: 2 to the power of -level / 4, each number once; level 0 never misses.
 */
static const uint16_t MISS[CODEC_MISS_LEVELS] = {
    0,    55109, 46341, 38968, 32768, 27554, 23170, 19484, 16384, 13777, 11585, 9742, 8192, 6889, 5793,
    4871, 4096,  3444,  2896,  2435,  2048,  1722,  1448,  1218,  1024,  861,   724,  609,  512,  431,
    362,  304,   256,   215,   181,   152,   128,   108,   91,    76,    64,    54,   45,   38,   32,
    27,   23,    19,    16,    13,    11,    10,    8,     7,     6,     5,     4,    3,    2,    1,
};

/* Share of the less likely among the two other values, by its level; none at the last. */
static uint32_t share_of_level(int level) {
    return (uint32_t)(CODEC_SHARE_LEVELS - 1 - level) * (CODER_ONE / 2 / (CODEC_SHARE_LEVELS - 1));
}

/* One context. */
typedef struct {
    uint16_t miss;
    uint8_t expected, second, third;
    uint8_t share; /* level */
} Expectation;

static Expectation expectation(const CodecModel *model, unsigned number) {
    CodecContext context = model->contexts[number];
    Expectation found = {
        .miss = context.miss,
        .expected = context.expected,
        .second = context.others & 3,
        .share = context.others >> 2,
    };

    found.third = (uint8_t)(VALUES_SUM - found.expected - found.second);
    return found;
}

static void set_expectation(CodecModel *model, unsigned number, Expectation set) {
    model->contexts[number] = (CodecContext){set.miss, set.expected, (uint8_t)(set.second | set.share << 2)};
}

/* ---- Blocks -------------------------------------------------------------------------------------------- */

void codec_pack(const uint8_t numbers[static BLOCK_SIZE], uint8_t values[static BLOCK_BYTES]) {
    for (int i = 0; i < BLOCK_SIZE; i += 8) {
        uint64_t eight;
        memcpy(&eight, numbers + i, sizeof eight);
        eight = little_endian_64(eight);
        /* Each step brings neighbours together: two numbers, then four. */
        eight = (eight | eight >> 6) & UINT64_C(0x000F000F000F000F);
        eight = (eight | eight >> 12) & UINT64_C(0x000000FF000000FF);
        values[i / 4] = (uint8_t)eight;
        values[i / 4 + 1] = (uint8_t)(eight >> 32);
    }
}

void codec_unpack(const uint8_t values[static BLOCK_BYTES], uint8_t numbers[static BLOCK_SIZE]) {
    for (int i = 0; i < BLOCK_SIZE; i++) {
        numbers[i] = values[i / 4] >> i % 4 * 2 & 3;
    }
}

bool codec_is_constant(const uint8_t values[static BLOCK_BYTES], Value *value) {
    uint64_t low = 0, high = 0, neither = 0; /* each number's bit of wins, losses, draws */

    for (int i = 0; i < BLOCK_BYTES; i += 8) {
        uint64_t word;
        memcpy(&word, values + i, sizeof word);
        low |= word & ~(word >> 1) & UINT64_C(0x5555555555555555);
        high |= ~word & word >> 1 & UINT64_C(0x5555555555555555);
        neither |= ~word & ~(word >> 1) & UINT64_C(0x5555555555555555);
    }
    *value = low != 0 ? VALUE_WIN : high != 0 ? VALUE_LOSS : VALUE_DRAW;
    return (low != 0) + (high != 0) + (neither != 0) <= 1;
}

static void encode_number(Encoder *encoder, Expectation expect, uint8_t number) {
    bool miss = number != expect.expected;

    encoder_bit(encoder, expect.miss, miss);
    if (miss) {
        encoder_bit(encoder, share_of_level(expect.share), number == expect.third);
    }
}

size_t codec_encode(const CodecModel *model, const uint8_t values[static BLOCK_BYTES], int count,
                    uint8_t bytes[static BLOCK_BYTES]) {
    uint8_t window[2 * BLOCK_SIZE]; /* the block with the neighbours that stand before it */
    uint8_t *numbers = window + BLOCK_SIZE;
    Encoder encoder = encoder_init(bytes, BLOCK_BYTES);

    memset(window, VALUE_DRAW, BLOCK_SIZE);
    codec_unpack(values, numbers);
    for (int i = 0; i < count && !encoder.failed; i++) {
        unsigned context = codec_context(model->distances, model->neighbours, numbers + i);
        encode_number(&encoder, expectation(model, context), numbers[i]);
    }
    size_t size = encoder_end(&encoder);
    if (encoder.failed || size == BLOCK_BYTES) {
        memcpy(bytes, values, BLOCK_BYTES);
        return BLOCK_BYTES;
    }
    return size;
}

/* The digits of far neighbours for a group of numbers, 16 bits for each number: first of the even ones. */
BITBOARD_INLINE void look_far(const CodecModel *model, int near, const uint8_t *at, uint64_t *even,
                              uint64_t *odd) {
    const uint64_t bytes = UINT64_C(0x00FF00FF00FF00FF);

    *even = *odd = 0;
    for (int i = model->neighbours - 1; i >= near && i < CODEC_NEIGHBOURS_MAX; i--) {
        uint64_t eight;
        memcpy(&eight, at - model->distances[i], sizeof eight);
        eight = little_endian_64(eight);
        *even = *even * 3 + (eight & bytes);
        *odd = *odd * 3 + (eight >> 8 & bytes);
    }
}

/* Whether all neighbours of a group have one value, those in the group aside. */
BITBOARD_INLINE bool is_uniform(const CodecModel *model, int near, const uint8_t *at) {
    uint64_t all = at[-1] * UINT64_C(0x0101010101010101);
    uint64_t eight;

    memcpy(&eight, at - CODEC_GROUP, sizeof eight);
    uint64_t difference = eight ^ all;
    for (int i = near; i < model->neighbours; i++) {
        memcpy(&eight, at - model->distances[i], sizeof eight);
        difference |= eight ^ all;
    }
    return difference == 0;
}

/*
 * Decodes as many expected values in one context as a group has; false, and nothing done, if one is another.
 */
BITBOARD_INLINE bool decode_run(Decoder *decoder, uint32_t miss) {
    uint64_t range = decoder->range;

    BITBOARD_UNROLL for (int i = 0; i < CODEC_GROUP; i++) {
        range -= (range >> 16) * miss;
    }
    if (decoder->code >= range || range < CODER_RANGE_MIN) {
        return false;
    }
    decoder->range = range;
    return true;
}

/*
 * This is what a look into a file waits for, so it is compiled once for each number of near neighbours, which
 * are those inside a group.
 */
BITBOARD_INLINE void decode_numbers(const CodecModel *model, int near, Decoder decoder, uint8_t *at,
                                    int count) {
    int contexts = codec_contexts(model->neighbours);
    ptrdiff_t distances[CODEC_NEIGHBOURS_MAX];
    unsigned last = VALUE_DRAW;
    uint32_t uniform[3];

    for (size_t value = 0; value < 3; value++) {
        const CodecContext *context = &model->contexts[(size_t)(contexts - 1) / 2 * value];
        uniform[value] = context->expected == value ? context->miss : CODER_ONE;
    }
    for (int i = 1; i < near; i++) {
        distances[i] = model->distances[i];
    }
    for (const uint8_t *end = at + count; at < end;) {
        uint64_t even, odd;
        if (is_uniform(model, near, at) && decode_run(&decoder, uniform[last])) {
            memset(at, (int)last, CODEC_GROUP);
            at += CODEC_GROUP;
            continue;
        }
        look_far(model, near, at, &even, &odd);
        BITBOARD_UNROLL for (int i = 0; i < CODEC_GROUP; i++, at++) {
            uint64_t *far = i % 2 == 0 ? &even : &odd;
            unsigned context = *far & 0xFFFF;
            *far >>= 16;
            for (int j = near - 1; j > 0; j--) {
                context = context * 3 + at[-distances[j]];
            }
            const CodecContext *expect = &model->contexts[context * 3 + last];
            unsigned number = expect->expected;
            if (decoder_bit(&decoder, expect->miss)) {
                unsigned second = expect->others & 3;
                uint32_t share = share_of_level(expect->others >> 2);
                number = decoder_bit(&decoder, share) ? VALUES_SUM - number - second : second;
            }
            *at = (uint8_t)number;
            last = number;
        }
    }
}

void codec_decode(const CodecModel *model, const uint8_t *bytes, size_t size, int count,
                  uint8_t values[static BLOCK_BYTES]) {
    uint8_t window[2 * BLOCK_SIZE];
    uint8_t *numbers = window + BLOCK_SIZE;
    Decoder decoder = decoder_init(bytes, size);
    int near = 1;

    if (size >= BLOCK_BYTES) {
        for (int i = 0; i < BLOCK_BYTES; i++) {
            int none = bytes[i] & bytes[i] >> 1 & 0x55;
            values[i] = (uint8_t)(bytes[i] & ~(none * 3));
        }
        return;
    }
    while (near < model->neighbours && model->distances[near] < CODEC_GROUP) {
        near++;
    }
    memset(window, VALUE_DRAW, BLOCK_SIZE);
    switch (near) {
    case 1:
        decode_numbers(model, 1, decoder, numbers, count);
        break;
    case 2:
        decode_numbers(model, 2, decoder, numbers, count);
        break;
    case 3:
        decode_numbers(model, 3, decoder, numbers, count);
        break;
    case 4:
        decode_numbers(model, 4, decoder, numbers, count);
        break;
    case 5:
        decode_numbers(model, 5, decoder, numbers, count);
        break;
    case 6:
        decode_numbers(model, 6, decoder, numbers, count);
        break;
    default:
        decode_numbers(model, 7, decoder, numbers, count);
        break;
    }
    memset(numbers + count, VALUE_DRAW, (size_t)(BLOCK_SIZE - count));
    codec_pack(numbers, values);
}

/* ---- Models -------------------------------------------------------------------------------------------- */

/* The level whose probability is nearest. */
static int nearest_level(uint64_t total, uint64_t misses) {
    int level = misses > 0;

    while (level > 0 && level < CODEC_MISS_LEVELS - 1 &&
           misses * 2 * CODER_ONE < total * ((uint32_t)MISS[level] + MISS[level + 1])) {
        level++;
    }
    return level;
}

void codec_set_context(CodecModel *model, unsigned context, const uint64_t seen[static 3], uint8_t expected) {
    uint64_t total = seen[0] + seen[1] + seen[2];
    uint64_t misses = total - seen[expected];
    uint8_t next = (uint8_t)((expected + 1) % 3);
    uint8_t after = (uint8_t)((expected + 2) % 3);
    bool swapped = seen[next] < seen[after];
    Expectation set = {
        .miss = MISS[nearest_level(total, misses)],
        .expected = expected,
        .second = swapped ? after : next,
        .third = swapped ? next : after,
    };

    while (misses > 0 && set.share < CODEC_SHARE_LEVELS - 1 &&
           seen[set.third] * 2 * CODER_ONE <
               misses * (share_of_level(set.share) + share_of_level(set.share + 1))) {
        set.share++;
    }
    /* What was seen must be possible. */
    if (seen[set.third] > 0 && set.share == CODEC_SHARE_LEVELS - 1) {
        set.share--;
    }
    set_expectation(model, context, set);
}

/* Adapts to what it codes: the probabilities of a model's parts are not known before. */
typedef struct {
    Encoder *encoder; /* one of the two is NULL */
    Decoder *decoder;
} ModelCoder;

enum { ADAPTATION = 4, TREE_BITS_MAX = 6 };

typedef struct {
    uint16_t one[1 << TREE_BITS_MAX];
} Tree;

static void tree_init(Tree *tree) {
    for (int i = 0; i < 1 << TREE_BITS_MAX; i++) {
        tree->one[i] = CODER_ONE / 2;
    }
}

static bool code_bit(ModelCoder *coder, uint16_t *one, bool bit) {
    if (coder->encoder != NULL) {
        encoder_bit(coder->encoder, *one, bit);
    } else {
        bit = decoder_bit(coder->decoder, *one);
    }
    uint32_t more = (CODER_ONE - *one) >> ADAPTATION;
    uint32_t less = *one >> ADAPTATION;
    *one = (uint16_t)(*one + (bit ? more : -less));
    return bit;
}

/* Codes a number of so many bits, the highest first, and returns it. */
static int code_number(ModelCoder *coder, Tree *tree, int bits, int number) {
    int node = 1;

    for (int i = bits - 1; i >= 0; i--) {
        node = node * 2 + code_bit(coder, &tree->one[node], (number >> i & 1) != 0);
    }
    return node - (1 << bits);
}

static int level_of(uint16_t miss) {
    int level = 0;

    while (MISS[level] != miss) {
        level++;
    }
    return level;
}

/* Codes all contexts. False if what was decoded cannot be. */
static bool code_contexts(ModelCoder *coder, CodecModel *model) {
    Tree can_miss[4], turns[2], levels, swaps, shares;
    int before = 0;

    for (int i = 0; i < 4; i++) {
        tree_init(&can_miss[i]);
    }
    tree_init(&turns[0]);
    tree_init(&turns[1]);
    tree_init(&levels);
    tree_init(&swaps);
    tree_init(&shares);
    for (int i = 0; i < codec_contexts(model->neighbours); i++) {
        Expectation expect = expectation(model, (unsigned)i);
        int last = i % 3;
        int misses = code_number(coder, &can_miss[before], 1, expect.miss != 0);
        int turn = code_number(coder, &turns[misses], 2, (expect.expected - last + 3) % 3);
        int level = 0, swapped = 0, share = 0;
        if (misses) {
            level = code_number(coder, &levels, TREE_BITS_MAX, level_of(expect.miss));
            swapped = code_number(coder, &swaps, 1, expect.second != (expect.expected + 1) % 3);
            share = code_number(coder, &shares, 5, expect.share);
        }
        if (turn == 3 || level >= CODEC_MISS_LEVELS || share >= CODEC_SHARE_LEVELS) {
            return false;
        }
        expect.miss = MISS[level];
        expect.expected = (uint8_t)((last + turn) % 3);
        expect.second = (uint8_t)((expect.expected + 1 + swapped) % 3);
        expect.share = (uint8_t)share;
        set_expectation(model, (unsigned)i, expect);
        before = (before << 1 | misses) & 3;
    }
    return true;
}

size_t codec_model_write(const CodecModel *model, uint8_t bytes[static CODEC_MODEL_BYTES_MAX]) {
    CodecModel copy = *model;
    size_t size = 0;

    bytes[size++] = (uint8_t)model->neighbours;
    for (int i = 0; i < model->neighbours; i++) {
        bytes[size++] = (uint8_t)(model->distances[i] & 255);
        bytes[size++] = (uint8_t)(model->distances[i] >> 8);
    }
    Encoder encoder = encoder_init(bytes + size, CODEC_MODEL_BYTES_MAX - size);
    ModelCoder coder = {.encoder = &encoder};
    code_contexts(&coder, &copy);
    size += encoder_end(&encoder);
    assert(!encoder.failed);
    return size;
}

bool codec_model_read(CodecModel *model, const uint8_t *bytes, size_t size) {
    if (size == 0 || bytes[0] == 0 || bytes[0] > CODEC_NEIGHBOURS_MAX || size < 1 + 2 * (size_t)bytes[0]) {
        return false;
    }
    model->neighbours = bytes[0];
    for (int i = 0; i < model->neighbours; i++) {
        model->distances[i] = (uint16_t)(bytes[1 + 2 * i] | bytes[2 + 2 * i] << 8);
        if (model->distances[i] >= BLOCK_SIZE ||
            (i == 0 ? model->distances[i] != 1 : model->distances[i] <= model->distances[i - 1])) {
            return false;
        }
    }
    size_t head = 1 + 2 * (size_t)model->neighbours;
    Decoder decoder = decoder_init(bytes + head, size - head);
    ModelCoder coder = {.decoder = &decoder};
    return code_contexts(&coder, model);
}
