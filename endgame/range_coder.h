/*
 * A binary range coder with fixed probabilities (G. N. N. Martin, Range encoding, 1979). low and range have
 * 64 bits and range keeps at least 32 of them, so that probabilities in 1/65536 lose nothing worth counting.
 */
#ifndef CROWNHEAD_ENDGAME_RANGE_CODER_H
#define CROWNHEAD_ENDGAME_RANGE_CODER_H

#include "engine/bitboard.h"

#include <string.h>

/* A probability of 1. */
#define CODER_ONE UINT32_C(65536)

#define CODER_RANGE_MIN (UINT64_C(1) << 32)

typedef struct {
    uint64_t low, range;
    uint8_t *bytes;
    size_t size, capacity;
    bool failed; /* no room, or something impossible was to be coded */
} Encoder;

static inline Encoder encoder_init(uint8_t *bytes, size_t capacity) {
    return (Encoder){.range = UINT64_MAX, .bytes = bytes, .capacity = capacity};
}

/* Adds to low; what overflows goes on into the bytes that are written. */
static inline void encoder_add(Encoder *encoder, uint64_t number) {
    encoder->low += number;
    if (encoder->low < number) {
        size_t at = encoder->size;
        while (++encoder->bytes[--at] == 0) {
        }
    }
}

static inline void encoder_put(Encoder *encoder, int bytes) {
    for (int i = 0; i < bytes; i++) {
        if (encoder->size == encoder->capacity) {
            encoder->failed = true;
            return;
        }
        encoder->bytes[encoder->size++] = (uint8_t)(encoder->low >> 56);
        encoder->low <<= 8;
    }
}

/* A bit that is 1 with this probability, below CODER_ONE. */
static inline void encoder_bit(Encoder *encoder, uint32_t one, bool bit) {
    uint64_t share = (encoder->range >> 16) * one;

    if (encoder->failed) {
        return;
    }
    if (bit) {
        encoder_add(encoder, encoder->range - share);
        encoder->range = share;
        encoder->failed |= one == 0;
    } else {
        encoder->range -= share;
    }
    while (encoder->range < CODER_RANGE_MIN && !encoder->failed) {
        encoder_put(encoder, 4);
        encoder->range <<= 32;
    }
}

/* The number inside the range with the fewest bytes ends the code; a decoder reads zeros after the end. */
static inline size_t encoder_end(Encoder *encoder) {
    for (int bytes = 0; bytes <= 8 && !encoder->failed; bytes++) {
        uint64_t below = bytes == 8 ? 0 : UINT64_MAX >> 8 * bytes;
        uint64_t up = ((encoder->low + below) & ~below) - encoder->low;
        if (up < encoder->range) {
            encoder_add(encoder, up);
            encoder_put(encoder, bytes);
            break;
        }
    }
    while (encoder->size > 0 && encoder->bytes[encoder->size - 1] == 0) {
        encoder->size--;
    }
    return encoder->size;
}

typedef struct {
    uint64_t code, range; /* code less low */
    const uint8_t *next, *end;
} Decoder;

static inline uint32_t decoder_take(Decoder *decoder) {
    uint8_t four[4] = {0};
    size_t left = (size_t)(decoder->end - decoder->next);

    if (left >= sizeof four) {
        memcpy(four, decoder->next, sizeof four);
        decoder->next += sizeof four;
    } else {
        memcpy(four, decoder->next, left);
        decoder->next = decoder->end;
    }
    return (uint32_t)four[0] << 24 | (uint32_t)four[1] << 16 | (uint32_t)four[2] << 8 | four[3];
}

static inline Decoder decoder_init(const uint8_t *bytes, size_t size) {
    Decoder decoder = {.range = UINT64_MAX, .next = bytes, .end = bytes + size};

    decoder.code = (uint64_t)decoder_take(&decoder) << 32;
    decoder.code |= decoder_take(&decoder);
    return decoder;
}

BITBOARD_INLINE bool decoder_bit(Decoder *decoder, uint32_t one) {
    uint64_t share = (decoder->range >> 16) * one;
    uint64_t bound = decoder->range - share;
    bool bit = decoder->code >= bound;

    if (__builtin_expect(bit, 0)) {
        decoder->code -= bound;
        decoder->range = share;
    } else {
        decoder->range = bound;
    }
    if (__builtin_expect(decoder->range < CODER_RANGE_MIN, 0)) {
        decoder->code = decoder->code << 32 | decoder_take(decoder);
        decoder->range <<= 32;
    }
    return bit;
}

#endif
