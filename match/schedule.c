#include "match/schedule.h"

#include <assert.h>

int64_t schedule_pairings(const Schedule *schedule) {
    int64_t engines = schedule->engines;
    return schedule->gauntlet ? engines - 1 : engines * (engines - 1) / 2;
}

int64_t schedule_games(const Schedule *schedule) {
    int64_t games;

    if (__builtin_mul_overflow(schedule_pairings(schedule), schedule->games, &games) ||
        __builtin_mul_overflow(games, schedule->rounds, &games)) {
        return INT64_MAX;
    }
    return games;
}

/* The engines of a pairing, the lower number first. */
static void pairing_engines(const Schedule *schedule, int64_t pairing, int *low, int *high) {
    int row = 0;

    if (!schedule->gauntlet) {
        for (; pairing >= schedule->engines - 1 - row; row++) {
            pairing -= schedule->engines - 1 - row;
        }
    }
    *low = row;
    *high = row + 1 + (int)pairing;
}

ScheduledGame schedule_game(const Schedule *schedule, int64_t index) {
    int64_t pairings = schedule_pairings(schedule);
    int64_t pairs = ((int64_t)schedule->games + 1) / 2; /* of each pairing in a round */
    int64_t meeting = index / schedule->games;
    int64_t round = meeting / pairings;
    int in_meeting = (int)(index % schedule->games);
    ScheduledGame game = {
        .round = (int)round,
        .pairing = (int)(meeting % pairings),
        .opening = (int)((schedule->start + round * pairs + in_meeting / 2) % schedule->openings),
        .pair = (int)(meeting * pairs + in_meeting / 2),
        .second_of_pair = in_meeting % 2 == 1,
    };
    bool alone = in_meeting % 2 == 0 && in_meeting + 1 == schedule->games;
    int low;
    int high;

    assert(index >= 0 && index < schedule_games(schedule) && index < SCHEDULE_GAMES_MAX);
    pairing_engines(schedule, game.pairing, &low, &high);
    bool swapped = alone ? (low + high + round) % 2 == 0 : game.second_of_pair;
    game.first = swapped ? high : low;
    game.second = swapped ? low : high;
    return game;
}

bool schedule_mine(const Schedule *schedule, int64_t index) {
    return schedule_game(schedule, index).pair % schedule->shards == schedule->shard;
}
