/* The limits that lines "level" and the word behind "go" set together. */
#ifndef CROWNHEAD_PROTOCOL_HUB_LEVEL_H
#define CROWNHEAD_PROTOCOL_HUB_LEVEL_H

#include "engine/view.h"
#include "search/search.h"

/* What has been set since the last position; zeroed = nothing. Times are in ms. */
typedef struct {
    bool has_depth, has_nodes, has_movetime, has_time, has_increment, infinite;
    int depth;
    uint64_t nodes;
    int64_t movetime, time, increment;
    int moves; /* to the time control, 0 = sudden death */
} HubLevel;

typedef enum { HUB_THINK, HUB_PONDER, HUB_ANALYZE } HubGoal;

/*
 * Adds the arguments of a line, which replace earlier ones of the same name. Numbers beyond what makes sense
 * count as the nearest that does. Each that is none is told to complain as one line.
 */
void hub_level_add(HubLevel *level, View arguments, void (*complain)(void *user, const char *fault),
                   void *user);

/* The limits of a search for the side to move; overhead is the ms of a clock that are kept back. */
SearchLimits hub_level_limits(const HubLevel *level, HubGoal goal, Color mover, int64_t overhead);

#endif
