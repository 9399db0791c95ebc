/*
 * The coding of win/loss/draw values, a block of numbers at a time. What a number's value may be is told by
 * the values of up to seven numbers before it: neighbours at distances that each slice chooses for itself, as
 * a step of a piece that counts early is far in the numbering. Each combination of their values is a context,
 * with fixed probabilities; a range coder writes down what they do not tell. Before the block begins every
 * neighbour is a draw, so that blocks need nothing of each other.
 */
#ifndef CROWNHEAD_ENDGAME_CODEC_H
#define CROWNHEAD_ENDGAME_CODEC_H

#include "endgame/table.h"

enum {
    BLOCK_SIZE = 4096, /* numbers */
    BLOCK_BYTES = BLOCK_SIZE / 4,
    CODEC_GROUP = 8, /* numbers that a decoder looks at together */
    CODEC_NEIGHBOURS_MAX = 7,
    CODEC_CONTEXTS_MAX = 2187, /* 3 to the power of neighbours */
    CODEC_MISS_LEVELS = 60,
    CODEC_SHARE_LEVELS = 17,
    CODEC_MODEL_BYTES_MAX = 8192 /* of a model as it is written */
};

/* What is expected in a context. */
typedef struct {
    uint16_t miss;    /* probability of another value, in 1/65536 */
    uint8_t expected; /* Value */
    uint8_t others;   /* the likelier of the other two + 4 * level of the third one's share of misses */
} CodecContext;

typedef struct {
    int neighbours;                           /* 1..CODEC_NEIGHBOURS_MAX */
    uint16_t distances[CODEC_NEIGHBOURS_MAX]; /* 1, and larger ones in order, below BLOCK_SIZE */
    CodecContext contexts[CODEC_CONTEXTS_MAX];
} CodecModel;

/* How many contexts that many neighbours make. */
static inline int codec_contexts(int neighbours) {
    int contexts = 1;

    for (int i = 0; i < neighbours; i++) {
        contexts *= 3;
    }
    return contexts;
}

/* The number of a context, of the values that stand before at. */
static inline unsigned codec_context(const uint16_t *distances, int neighbours, const uint8_t *at) {
    unsigned context = 0;

    for (int i = neighbours - 1; i >= 0; i--) {
        context = context * 3 + at[-(int)distances[i]];
    }
    return context;
}

/* Sets one context by how often each value was seen in it; expected need not be the most frequent. */
void codec_set_context(CodecModel *model, unsigned context, const uint64_t seen[static 3], uint8_t expected);

/* A byte a number to two bits a number, and back. */
void codec_pack(const uint8_t numbers[static BLOCK_SIZE], uint8_t values[static BLOCK_BYTES]);
void codec_unpack(const uint8_t values[static BLOCK_BYTES], uint8_t numbers[static BLOCK_SIZE]);

/*
 * Whether the values of a block are all alike but for VALUE_NONE. *value becomes theirs, VALUE_DRAW if none
 * is.
 */
bool codec_is_constant(const uint8_t values[static BLOCK_BYTES], Value *value);

/*
 * Codes the first count numbers of a block, two bits each and none of them VALUE_NONE. Returns how many bytes
 * were written, at most BLOCK_BYTES: so many are the values as they are.
 */
size_t codec_encode(const CodecModel *model, const uint8_t values[static BLOCK_BYTES], int count,
                    uint8_t bytes[static BLOCK_BYTES]);

/* The other way; of any bytes it makes values. Numbers beyond count become draws. */
void codec_decode(const CodecModel *model, const uint8_t *bytes, size_t size, int count,
                  uint8_t values[static BLOCK_BYTES]);

/* A model as bytes: how many were written. */
size_t codec_model_write(const CodecModel *model, uint8_t bytes[static CODEC_MODEL_BYTES_MAX]);

/* False if the bytes are not a model. */
bool codec_model_read(CodecModel *model, const uint8_t *bytes, size_t size);

#endif
