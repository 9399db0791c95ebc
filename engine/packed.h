/* Positions as files have them: sets of squares in 32 bits, bit n - 1 for square n. */
#ifndef CROWNHEAD_ENGINE_PACKED_H
#define CROWNHEAD_ENGINE_PACKED_H

#include "engine/position.h"

/* A set of squares of the board as a file has it. */
static inline uint32_t packed_squares(Bitboard set) {
    uint32_t squares = 0;

    while (set != 0) {
        squares |= UINT32_C(1) << (square_number(bitboard_pop(&set)) - 1);
    }
    return squares;
}

/* The position with these pieces. False if it is not sound. */
static inline bool packed_read(uint32_t white, uint32_t black, uint32_t kings, Color turn,
                               Position *position) {
    const uint32_t packed[] = {white, black, kings};
    Bitboard sets[3] = {0};

    for (int i = 0; i < 3; i++) {
        for (uint32_t squares = packed[i]; squares != 0; squares &= squares - 1) {
            sets[i] |= BITBOARD_BIT(square_from_number(__builtin_ctz(squares) + 1));
        }
    }
    *position = (Position){.pieces = {sets[0], sets[1]}, .kings = sets[2], .turn = (uint8_t)turn};
    return position_is_sound(position);
}

#endif
