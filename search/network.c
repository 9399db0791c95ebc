/* The arithmetic of the network. */
#include "search/network.h"

#include "search/score.h"

/* NETWORK_WIDTH asks for less than the machine has: for the test that compares the ways. */
#ifndef NETWORK_WIDTH
#if defined(__AVX2__)
#define NETWORK_WIDTH 256
#elif defined(__SSE2__)
#define NETWORK_WIDTH 128
#else
#define NETWORK_WIDTH 16
#endif
#endif
#if NETWORK_WIDTH > 16
#include <immintrin.h>
#endif

/* As many 16-bit numbers as one instruction takes. Whole numbers: all three ways find the same. */
#if NETWORK_WIDTH == 256
enum { LANES = 16 };
typedef __m256i Vector;

BITBOARD_INLINE Vector vector_load(const int16_t *numbers) {
    return _mm256_load_si256((const __m256i *)(const void *)numbers);
}
BITBOARD_INLINE void vector_store(int16_t *numbers, Vector a) {
    _mm256_store_si256((__m256i *)(void *)numbers, a);
}
BITBOARD_INLINE Vector vector_add(Vector a, Vector b) {
    return _mm256_add_epi16(a, b);
}
BITBOARD_INLINE Vector vector_subtract(Vector a, Vector b) {
    return _mm256_sub_epi16(a, b);
}
BITBOARD_INLINE Vector vector_bound(Vector a) {
    return _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(NETWORK_ONE));
}
/* a * a * weight, summed by pairs into 32 bits. */
BITBOARD_INLINE Vector vector_square(Vector a, Vector weight) {
    return _mm256_madd_epi16(a, _mm256_mullo_epi16(a, weight));
}
BITBOARD_INLINE Vector vector_add_wide(Vector a, Vector b) {
    return _mm256_add_epi32(a, b);
}
BITBOARD_INLINE Vector vector_zero(void) {
    return _mm256_setzero_si256();
}
BITBOARD_INLINE int32_t vector_sum_wide(Vector a) {
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
    return _mm_cvtsi128_si32(half);
}
#elif NETWORK_WIDTH == 128
enum { LANES = 8 };
typedef __m128i Vector;

BITBOARD_INLINE Vector vector_load(const int16_t *numbers) {
    return _mm_load_si128((const __m128i *)(const void *)numbers);
}
BITBOARD_INLINE void vector_store(int16_t *numbers, Vector a) {
    _mm_store_si128((__m128i *)(void *)numbers, a);
}
BITBOARD_INLINE Vector vector_add(Vector a, Vector b) {
    return _mm_add_epi16(a, b);
}
BITBOARD_INLINE Vector vector_subtract(Vector a, Vector b) {
    return _mm_sub_epi16(a, b);
}
BITBOARD_INLINE Vector vector_bound(Vector a) {
    return _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), _mm_set1_epi16(NETWORK_ONE));
}
BITBOARD_INLINE Vector vector_square(Vector a, Vector weight) {
    return _mm_madd_epi16(a, _mm_mullo_epi16(a, weight));
}
BITBOARD_INLINE Vector vector_add_wide(Vector a, Vector b) {
    return _mm_add_epi32(a, b);
}
BITBOARD_INLINE Vector vector_zero(void) {
    return _mm_setzero_si128();
}
BITBOARD_INLINE int32_t vector_sum_wide(Vector a) {
    a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4E));
    a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0xB1));
    return _mm_cvtsi128_si32(a);
}
#else
enum { LANES = 1 };
typedef int32_t Vector;

BITBOARD_INLINE Vector vector_load(const int16_t *numbers) {
    return *numbers;
}
BITBOARD_INLINE void vector_store(int16_t *numbers, Vector a) {
    *numbers = (int16_t)a;
}
BITBOARD_INLINE Vector vector_add(Vector a, Vector b) {
    return (int16_t)(a + b);
}
BITBOARD_INLINE Vector vector_subtract(Vector a, Vector b) {
    return (int16_t)(a - b);
}
BITBOARD_INLINE Vector vector_bound(Vector a) {
    return a < 0 ? 0 : a > NETWORK_ONE ? NETWORK_ONE : a;
}
BITBOARD_INLINE Vector vector_square(Vector a, Vector weight) {
    return a * (a * weight);
}
BITBOARD_INLINE Vector vector_add_wide(Vector a, Vector b) {
    return a + b;
}
BITBOARD_INLINE Vector vector_zero(void) {
    return 0;
}
BITBOARD_INLINE int32_t vector_sum_wide(Vector a) {
    return a;
}
#endif

enum { VECTORS = NETWORK_HIDDEN / LANES };

/* The row of a piece as a side sees it. */
BITBOARD_INLINE const int16_t *row_of(const Network *network, Color view, Color owner, bool king,
                                      Square square) {
    return network->inputs[network_input(view, owner, king, square)];
}

BITBOARD_INLINE void add_rows(const Network *network, Color view, Color owner, bool king, Bitboard set,
                              Vector sum[VECTORS]) {
    while (set != 0) {
        const int16_t *row = row_of(network, view, owner, king, bitboard_pop(&set));
        BITBOARD_UNROLL
        for (int v = 0; v < VECTORS; v++) {
            sum[v] = vector_add(sum[v], vector_load(row + v * LANES));
        }
    }
}

BITBOARD_INLINE void begin_view(const Network *network, Color view, const Position *position,
                                int16_t *numbers) {
    Vector sum[VECTORS];

    BITBOARD_UNROLL
    for (int v = 0; v < VECTORS; v++) {
        sum[v] = vector_load(network->input_bias + v * LANES);
    }
    for (Color owner = WHITE; owner <= BLACK; owner++) {
        add_rows(network, view, owner, false, position->pieces[owner] & ~position->kings, sum);
        add_rows(network, view, owner, true, position->pieces[owner] & position->kings, sum);
    }
    BITBOARD_UNROLL
    for (int v = 0; v < VECTORS; v++) {
        vector_store(numbers + v * LANES, sum[v]);
    }
}

void network_begin(const Network *network, const Position *position, NetworkSums *sums) {
    begin_view(network, WHITE, position, sums->sums[WHITE]);
    begin_view(network, BLACK, position, sums->sums[BLACK]);
}

BITBOARD_INLINE void move_view(const Network *network, Color view, const Position *before, Move move,
                               const int16_t *known, int16_t *numbers) {
    Color us = (Color)before->turn;
    bool king = (before->kings & BITBOARD_BIT(move_from(move))) != 0;
    const int16_t *left = row_of(network, view, us, king, move_from(move));
    const int16_t *reached = row_of(network, view, us, king || move_crowns(move), move_to(move));
    Vector sum[VECTORS];

    BITBOARD_UNROLL
    for (int v = 0; v < VECTORS; v++) {
        sum[v] = vector_subtract(vector_add(vector_load(known + v * LANES), vector_load(reached + v * LANES)),
                                 vector_load(left + v * LANES));
    }
    for (Bitboard captured = move_captured(move); captured != 0;) {
        Square square = bitboard_pop(&captured);
        const int16_t *row =
            row_of(network, view, color_opponent(us), (before->kings & BITBOARD_BIT(square)) != 0, square);
        BITBOARD_UNROLL
        for (int v = 0; v < VECTORS; v++) {
            sum[v] = vector_subtract(sum[v], vector_load(row + v * LANES));
        }
    }
    BITBOARD_UNROLL
    for (int v = 0; v < VECTORS; v++) {
        vector_store(numbers + v * LANES, sum[v]);
    }
}

void network_move(const Network *network, const Position *before, Move move, const NetworkSums *known,
                  NetworkSums *sums) {
    move_view(network, WHITE, before, move, known->sums[WHITE], sums->sums[WHITE]);
    move_view(network, BLACK, before, move, known->sums[BLACK], sums->sums[BLACK]);
}

/* What one side's view adds to the value, in NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE. */
BITBOARD_INLINE Vector view_value(const int16_t *sum, const int16_t *outputs) {
    Vector value = vector_zero();

    BITBOARD_UNROLL
    for (int v = 0; v < VECTORS; v++) {
        value = vector_add_wide(value, vector_square(vector_bound(vector_load(sum + v * LANES)),
                                                     vector_load(outputs + v * LANES)));
    }
    return value;
}

int network_value(const Network *network, const Position *position, const NetworkSums *sums) {
    int bucket = network_bucket(bitboard_count(position_occupied(position)));
    Color us = (Color)position->turn;
    int32_t sum = vector_sum_wide(
        vector_add_wide(view_value(sums->sums[us], network->outputs[bucket][0]),
                        view_value(sums->sums[color_opponent(us)], network->outputs[bucket][1])));
    int64_t value = (int64_t)(sum / NETWORK_ONE + network->output_bias[bucket]) * network->scale /
                    (NETWORK_ONE * NETWORK_OUTPUT_ONE * NETWORK_SCALE_ONE);

    return value > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : value < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : (int)value;
}
