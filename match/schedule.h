/* Which game of a match is what: arithmetic on its number, so that nothing has to be stored or passed on. */
#ifndef CROWNHEAD_MATCH_SCHEDULE_H
#define CROWNHEAD_MATCH_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum { MATCH_ENGINES_MAX = 64 };

typedef struct {
    int engines;       /* 2.. */
    bool gauntlet;     /* engine 0 meets each other one; else all meet each other */
    int games;         /* of each pairing in a round, 1.. */
    int rounds;        /* 1.. */
    int openings;      /* in the book, 1.. */
    int start;         /* the first one used, 0..openings - 1 */
    int shard, shards; /* this part of the match, from 0, and how many there are; 1 = all of it here */
} Schedule;

typedef struct {
    int round;
    int pairing;       /* in the round */
    int first, second; /* engines; the first plays the side that moves first in the game (Rules.first) */
    int opening;
    int pair; /* the games of a pairing from one opening with both colours share it, no others do */
    bool second_of_pair;
} ScheduledGame;

enum { SCHEDULE_GAMES_MAX = 10000000 }; /* longer matches are not scheduled */

/* How many pairings a round has. */
int64_t schedule_pairings(const Schedule *schedule);

/* The games of the whole match, all shards together; INT64_MAX if they are beyond counting. */
int64_t schedule_games(const Schedule *schedule);

/*
 * A game by its number, 0..schedule_games - 1 of a match of at most SCHEDULE_GAMES_MAX: round by round, in
 * it pairing by pairing, in it opening by opening with both colours. All pairings of a round go through the
 * same openings, the next round goes on where they ended. An odd number of games leaves the last opening of a
 * round with one game; who moves first in those alternates over rounds and pairings.
 */
ScheduledGame schedule_game(const Schedule *schedule, int64_t index);

/* Whether the game is one of this shard. Pairs go to the shards in turn, whole. */
bool schedule_mine(const Schedule *schedule, int64_t index);

#endif
