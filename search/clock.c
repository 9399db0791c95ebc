#include "search/clock.h"

#include <time.h>

enum {
    MOVES_EXPECTED = 16,  /* moves that the time of a sudden death should still suffice for */
    MOVES_PLANNED = 40,   /* with a control further off than this, plan as if it were here */
    MAXIMUM_FACTOR = 4,   /* the hardest move against the usual one */
    DROP = 12,            /* centi-men that a score must fall from one iteration to the next */
    DROP_PERCENT = 60,    /* of the usual time, to look for something better */
    RESERVE_PERCENT = 20, /* of the time left, kept back whatever happens */
};

static int64_t at_least_0(int64_t value) {
    return value < 0 ? 0 : value;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

TimeBudget clock_budget(const SearchLimits *limits, Color side) {
    TimeBudget budget = {0};

    if (limits->has_clock) {
        /* Clamped so that sums of huge limits cannot overflow. */
        int64_t left = smaller(at_least_0(at_least_0(limits->time[side]) - limits->overhead), INT32_MAX);
        int64_t increment = smaller(at_least_0(limits->increment[side]), INT32_MAX);
        int moves = limits->movestogo <= 0              ? MOVES_EXPECTED
                    : limits->movestogo < MOVES_PLANNED ? limits->movestogo
                                                        : MOVES_PLANNED;
        int64_t most = left * (100 - RESERVE_PERCENT) / 100;
        int64_t share = left / moves + increment * 3 / 4;
        budget = (TimeBudget){
            .timed = true,
            .optimum = smaller(share, most),
            .maximum = smaller(share * MAXIMUM_FACTOR, most),
        };
    }
    if (limits->has_movetime) {
        int64_t movetime = at_least_0(limits->movetime);
        if (!budget.timed || movetime < budget.maximum) {
            budget = (TimeBudget){.timed = true, .optimum = movetime, .maximum = movetime};
        }
    }
    return budget;
}

int clock_percent(int stable, int drop) {
    int percent = stable >= 6 ? 60 : stable >= 3 ? 80 : 100;
    return drop > DROP ? percent + DROP_PERCENT : percent;
}

int64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
