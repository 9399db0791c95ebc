/* What has been played so far: which games, and the tally of each pairing. */
#ifndef CROWNHEAD_MATCH_STANDINGS_H
#define CROWNHEAD_MATCH_STANDINGS_H

#include "match/fault.h"
#include "match/schedule.h"
#include "match/statistics.h"

#include <stddef.h>

typedef struct {
    const Schedule *schedule;
    int64_t games;                   /* of the whole match */
    int64_t finished;                /* of them */
    Tally *tallies;                  /* by pairing, from the view of its engine with the lower index */
    uint8_t *results;                /* by game: 0 = not finished, else 1 + half points of that engine */
    uint32_t (*faults)[FAULT_KINDS]; /* by engine: games that it lost by each */
} Standings;

/* 0 or -ENOMEM. The schedule must outlive the standings. */
int standings_init(Standings *standings, const Schedule *schedule);

void standings_deinit(Standings *standings);

/* Whether a game, 0..games - 1, is in. */
bool standings_has(const Standings *standings, int64_t index);

typedef enum { STANDINGS_NEW, STANDINGS_SAME, STANDINGS_CONTRADICTED } StandingsAnswer;

/*
 * Takes up a game by the half points, 0..2, of its first engine (ScheduledGame), and the fault that lost it.
 * A game that was in before changes nothing.
 */
StandingsAnswer standings_add(Standings *standings, int64_t index, int half_points, FaultKind fault);

/* The tally of one engine against all others. */
Tally standings_of(const Standings *standings, int engine);

#endif
