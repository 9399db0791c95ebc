#include "protocol/hub_level.h"

#include "protocol/hub_line.h"
#include "search/clock.h"

#include <math.h>
#include <stdio.h>

static const double SECONDS_MAX = 1e9;

enum {
    MOVES_MAX_TO_GO = 10000,
    DEFAULT_MOVETIME = 1000 /* ms, of whoever sets no limit */
};

typedef enum {
    WORD_DEPTH,
    WORD_NODES,
    WORD_MOVE_TIME,
    WORD_TIME,
    WORD_INC,
    WORD_MOVES,
    WORD_INFINITE,
    WORD_UNKNOWN
} Word;

static Word word_find(View name) {
    static const char *const words[] = {"depth", "nodes", "move-time", "time", "inc", "moves", "infinite"};

    for (Word word = 0; word < WORD_UNKNOWN; word++) {
        if (view_equals(name, words[word])) {
            return word;
        }
    }
    return WORD_UNKNOWN;
}

static int64_t milliseconds(double seconds) {
    return llround(fmax(-SECONDS_MAX, fmin(seconds, SECONDS_MAX)) * 1000);
}

static void set(HubLevel *level, Word word, double number) {
    switch (word) {
    case WORD_DEPTH:
        level->has_depth = true;
        level->depth = (int)fmax(1, fmin(number, DEPTH_MAX));
        break;
    case WORD_NODES:
        level->has_nodes = true;
        level->nodes = (uint64_t)fmax(1, fmin(number, 1e18));
        break;
    case WORD_MOVE_TIME:
        level->has_movetime = true;
        level->movetime = milliseconds(fmax(0, number));
        break;
    case WORD_TIME:
        level->has_time = true;
        level->time = milliseconds(number);
        break;
    case WORD_INC:
        level->has_increment = true;
        level->increment = milliseconds(fmax(0, number));
        break;
    default:
        level->moves = (int)fmax(0, fmin(number, MOVES_MAX_TO_GO));
        break;
    }
}

void hub_level_add(HubLevel *level, View arguments, void (*complain)(void *user, const char *fault),
                   void *user) {
    View name, value;

    while (hub_line_item(&arguments, &name, &value)) {
        Word word = word_find(name);
        double number;
        if (word == WORD_UNKNOWN) {
            continue;
        }
        if (word == WORD_INFINITE) {
            level->infinite = true;
        } else if (hub_line_real(value, &number)) {
            set(level, word, number);
        } else {
            char fault[2 * VIEW_QUOTE_SIZE + 40];
            char quote[VIEW_QUOTE_SIZE];
            view_quote(value, quote);
            snprintf(fault, sizeof fault, "level: %.*s: %s is not a number", (int)name.length, name.start,
                     quote);
            complain(user, fault);
        }
    }
}

SearchLimits hub_level_limits(const HubLevel *level, HubGoal goal, Color mover, int64_t overhead) {
    int64_t left = level->time + level->increment; /* the increment comes before the move */
    SearchLimits limits = {
        .has_depth = level->has_depth,
        .depth = level->depth,
        .has_nodes = level->has_nodes,
        .nodes = level->nodes,
        .has_movetime = level->has_movetime,
        .movetime = level->movetime,
        .has_clock = level->has_time || level->has_increment,
        .movestogo = level->moves,
        .ponder = goal == HUB_PONDER,
        .analyse = goal == HUB_ANALYZE,
        .overhead = overhead,
    };

    limits.time[mover] = left;
    limits.increment[mover] = level->increment;
    if (limits.has_clock && goal == HUB_ANALYZE) {
        /* Who plays stops early where the move is clear, or the only one. */
        int64_t optimum = clock_budget(&limits, mover).optimum;
        limits.movetime = limits.has_movetime && limits.movetime < optimum ? limits.movetime : optimum;
        limits.has_movetime = true;
        limits.has_clock = false;
    }
    if (!limits.has_depth && !limits.has_nodes && !limits.has_movetime && !limits.has_clock) {
        limits.infinite = level->infinite || goal == HUB_ANALYZE;
        limits.has_movetime = !limits.infinite;
        limits.movetime = DEFAULT_MOVETIME;
    }
    return limits;
}
