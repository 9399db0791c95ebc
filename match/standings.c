/* Adding up the results of games and pairs. */
#include "match/standings.h"

#include <errno.h>
#include <stdlib.h>

int standings_init(Standings *standings, const Schedule *schedule) {
    *standings = (Standings){.schedule = schedule, .games = schedule_games(schedule)};
    standings->tallies = calloc((size_t)schedule_pairings(schedule), sizeof *standings->tallies);
    standings->results = calloc((size_t)standings->games, sizeof *standings->results);
    standings->faults = calloc((size_t)schedule->engines, sizeof *standings->faults);
    if (standings->tallies == NULL || standings->results == NULL || standings->faults == NULL) {
        standings_deinit(standings);
        return -ENOMEM;
    }
    return 0;
}

void standings_deinit(Standings *standings) {
    free(standings->tallies);
    free(standings->results);
    free(standings->faults);
    *standings = (Standings){0};
}

bool standings_has(const Standings *standings, int64_t index) {
    return standings->results[index] != 0;
}

/* The other game of the pair, -1 if it has none. The two stand next to each other. */
static int64_t partner_of(const Standings *standings, int64_t index, const ScheduledGame *game) {
    int64_t partner = game->second_of_pair ? index - 1 : index + 1;

    if (partner < 0 || partner >= standings->games ||
        schedule_game(standings->schedule, partner).pair != game->pair) {
        return -1;
    }
    return partner;
}

StandingsAnswer standings_add(Standings *standings, int64_t index, int half_points, FaultKind fault) {
    ScheduledGame game = schedule_game(standings->schedule, index);
    int half = game.first < game.second ? half_points : 2 - half_points;
    Tally *tally = &standings->tallies[game.pairing];
    int64_t partner = partner_of(standings, index, &game);

    if (standings_has(standings, index)) {
        return standings->results[index] == 1 + half ? STANDINGS_SAME : STANDINGS_CONTRADICTED;
    }
    standings->results[index] = (uint8_t)(1 + half);
    standings->finished++;
    tally->wins += half == 2;
    tally->draws += half == 1;
    tally->losses += half == 0;
    if (partner >= 0 && standings_has(standings, partner)) {
        tally->pairs[half + standings->results[partner] - 1]++;
    }
    if (half_points != 1 && fault != FAULT_NONE) {
        standings->faults[half_points == 0 ? game.first : game.second][fault]++;
    }
    return STANDINGS_NEW;
}

Tally standings_of(const Standings *standings, int engine) {
    const Schedule *schedule = standings->schedule;
    Tally sum = {0};

    /* The first round holds every pairing. */
    for (int64_t index = 0; index < schedule_pairings(schedule) * schedule->games; index += schedule->games) {
        ScheduledGame game = schedule_game(schedule, index);
        bool lower = engine == (game.first < game.second ? game.first : game.second);
        if (engine != game.first && engine != game.second) {
            continue;
        }
        const Tally *tally = &standings->tallies[game.pairing];
        sum.wins += lower ? tally->wins : tally->losses;
        sum.losses += lower ? tally->losses : tally->wins;
        sum.draws += tally->draws;
        for (int half = 0; half < 5; half++) {
            sum.pairs[half] += tally->pairs[lower ? half : 4 - half];
        }
    }
    return sum;
}
