/* Numbers in the byte order of files. */
#ifndef CROWNHEAD_SYSTEM_BYTE_ORDER_H
#define CROWNHEAD_SYSTEM_BYTE_ORDER_H

#include <stdint.h>

/* A number whose bytes, as they lie in memory, are little-endian; the same function goes the other way. */
static inline uint64_t little_endian_64(uint64_t number) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return number;
#else
    return __builtin_bswap64(number);
#endif
}

/* Writes the lowest bytes of a number, the lowest first. */
static inline void little_endian_put(uint8_t *bytes, uint64_t number, int count) {
    for (int i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(number >> 8 * i);
    }
}

/* Reads a number of so many bytes, the lowest first. */
static inline uint64_t little_endian_get(const uint8_t *bytes, int count) {
    uint64_t number = 0;

    for (int i = 0; i < count; i++) {
        number |= (uint64_t)bytes[i] << 8 * i;
    }
    return number;
}

#endif
