/* When a search ends: the limits it was given, the time it has, and what others tell it meanwhile. */
#ifndef CROWNHEAD_SEARCH_LIMIT_H
#define CROWNHEAD_SEARCH_LIMIT_H

#include "search/worker.h"

/* Counts a node at a distance from the root, and now and then looks at everything that may end the search. */
void limits_count_node(Worker *worker, int ply);

/* Counts a position looked up in the databases, which may take as long as many nodes, or wait for a disk. */
void limits_count_probe(Worker *worker);

/* Whether the search was told to stop, or its time is over; any thread may ask. */
bool limits_over(const SharedSearch *shared);

/* Whether there is no use in another iteration after those that are complete. */
bool limits_reached(const Worker *worker);

#endif
