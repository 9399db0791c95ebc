/* Time management: how long a search may take, as a function of its limits. */
#ifndef CROWNHEAD_SEARCH_CLOCK_H
#define CROWNHEAD_SEARCH_CLOCK_H

#include "search/search.h"

typedef struct {
    bool timed;      /* else the times below mean nothing */
    int64_t optimum; /* ms; a move usually takes about this */
    int64_t maximum; /* ms; the search is cut off here */
} TimeBudget;

/*
 * The budget for one move of a side. Never more than is on the clock less the overhead; 0 when nothing is
 * left.
 */
TimeBudget clock_budget(const SearchLimits *limits, Color side);

/*
 * The percentage of the optimum after which no other iteration is begun: less where the best move has been
 * the same for some iterations (stable), more where its score has just fallen (drop, centi-men).
 */
int clock_percent(int stable, int drop);

/* Milliseconds of a clock that only goes forward. */
int64_t clock_now(void);

#endif
