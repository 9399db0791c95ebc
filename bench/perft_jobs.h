/* Perft cut into jobs for many machines: split, count, reduce; JSON lines between them. */
#ifndef CROWNHEAD_BENCH_PERFT_JOBS_H
#define CROWNHEAD_BENCH_PERFT_JOBS_H

#endif
