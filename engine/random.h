/* Random numbers that are the same everywhere for a seed. */
#ifndef CROWNHEAD_ENGINE_RANDOM_H
#define CROWNHEAD_ENGINE_RANDOM_H

#include <stdint.h>

/*
 * The next number of splitmix64 (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number
 * generators, 2014); any seed is as good as another.
 */
static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/* A number from 0 to bound - 1. */
static inline int random_below(uint64_t *state, int bound) {
    return (int)(random_next(state) % (uint64_t)bound);
}

#endif
