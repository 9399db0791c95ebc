/* The engine's answers as lines of the Hub protocol, appended to lines. */
#ifndef CROWNHEAD_PROTOCOL_HUB_SHOW_H
#define CROWNHEAD_PROTOCOL_HUB_SHOW_H

#include "engine/hub_notation.h"
#include "protocol/output.h"
#include "search/search.h"

/*
 * A report of the search. Scores are in men: below 80 by judgement, 90 - plies / 100 for a win that a
 * database knows without its distance, 100 - plies / 100 for one at a known distance.
 */
void hub_show_info(Lines *lines, HubNumbering numbering, const SearchInfo *info);

/* The answer; without a legal move it has none. */
void hub_show_done(Lines *lines, HubNumbering numbering, const SearchResult *result);

#endif
