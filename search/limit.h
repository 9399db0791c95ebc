/* When a search ends: the limits it was given, the time it has, and what others tell it meanwhile. */
#ifndef CROWNHEAD_SEARCH_LIMIT_H
#define CROWNHEAD_SEARCH_LIMIT_H

#include "search/worker.h"

/* Counts a node at a distance from the root, and now and then looks at everything that may end the search. */
void limits_count_node(Worker *worker, int ply);

/* Whether there is no use in another iteration after those that are complete. */
bool limits_reached(const Worker *worker);

#endif
