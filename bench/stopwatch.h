/* Measured time and rates. */
#ifndef CROWNHEAD_BENCH_STOPWATCH_H
#define CROWNHEAD_BENCH_STOPWATCH_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock that only goes forward. */
static inline int64_t stopwatch_now(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* How many a second, 0 for no time at all. */
static inline uint64_t stopwatch_rate(uint64_t count, int64_t nanoseconds) {
    return nanoseconds > 0 ? (uint64_t)((double)count * 1e9 / (double)nanoseconds) : 0;
}

#endif
