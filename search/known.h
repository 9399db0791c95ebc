/* Root positions that the endgame databases know. */
#ifndef CROWNHEAD_SEARCH_KNOWN_H
#define CROWNHEAD_SEARCH_KNOWN_H

#include "search/worker.h"

/*
 * Cuts down the root moves to those that hold the best value that the databases know. Where the distances to
 * the end are known, and the draw rules leave time for them, the lines that are wanted are reported, result
 * is filled, and true returned: there is nothing to search.
 */
bool known_root(SharedSearch *shared, MoveList *roots, SearchResult *result);

/*
 * Up to how many pieces a search from this root looks positions up. Fewer than the root has: among positions
 * that are all won, or all drawn, the evaluation shows the way on.
 */
int known_pieces(const SharedSearch *shared);

/* Looks a node up whose side to move cannot capture; *score becomes its value. */
bool known_node(Worker *worker, const Position *position, int ply, int *score);

#endif
