/* Threads that work through a range together, again and again. */
#ifndef CROWNHEAD_SYSTEM_WORKERS_H
#define CROWNHEAD_SYSTEM_WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Workers Workers;

/* So many threads, the caller's counted. NULL without memory or threads. */
Workers *workers_new(int threads);
void workers_free(Workers *workers);

/*
 * Calls work for pieces of at most step of the range 0..count - 1, in parallel if there is more than one
 * piece, and returns when all are done. thread is 0..threads - 1.
 */
void workers_run(Workers *workers, uint64_t count, uint64_t step,
                 void (*work)(void *user, int thread, uint64_t first, uint64_t end), void *user);

int workers_count(const Workers *workers);

#endif
