/*
 * Retrograde analysis of one slice and its turned one, from the tables of all slices that captures and
 * promotions lead to. (The method is that of the Chinook databases: J. Schaeffer et al., Building the
 * Checkers 10-piece Endgame Databases, 2003; counters of moves left are K. Thompson's, Retrograde Analysis of
 * Certain Endgames, 1986.)
 */
#ifndef CROWNHEAD_ENDGAME_SOLVE_H
#define CROWNHEAD_ENDGAME_SOLVE_H

#include "endgame/table.h"
#include "engine/rules.h"
#include "system/workers.h"

/*
 * Fills the table of a slice, and that of the turned slice, which are in the set and all VALUE_NONE. 0;
 * -ENOMEM; -EOVERFLOW for a distance beyond DISTANCE_MAX.
 */
int solve_slice(Variant variant, const TableSet *set, Slice slice, bool distances, Workers *workers);

/* The most positions that are worked on at once when a slice is solved. */
uint64_t solve_unit_size(Slice slice);

#endif
