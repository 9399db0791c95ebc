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

#endif
