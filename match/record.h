/*
 * Games on disk: a JSON line each, below a first line that tells which match it is, and PDN. JSON Lines are
 * what a match goes on from; PDN is for people and other programs.
 */
#ifndef CROWNHEAD_MATCH_RECORD_H
#define CROWNHEAD_MATCH_RECORD_H

#include "match/options.h"

#include <jansson.h>
#include <time.h>

/* A played game with its place in the match. */
typedef struct {
    int64_t index; /* from 0 */
    ScheduledGame scheduled;
    const char *names[2]; /* by Color */
    const char *opening;
    time_t begin;
    int64_t duration; /* ms */
    const PlayedGame *played;
} GameRecord;

/*
 * The first line: {"match": what makes it this match and no other, "sprt": ..., "shard": ...}. NULL without
 * memory.
 */
json_t *record_header(const MatchOptions *options, const OpeningBook *book);

/* A game's object. NULL without memory. */
json_t *record_game(const MatchOptions *options, const GameRecord *record);

/* Writes a game as PDN, an empty line behind it. */
void record_write_pdn(FILE *stream, const MatchOptions *options, const GameRecord *record);

/* What a game's line says that a match needs to go on; false if something is missing or wrong. */
typedef struct {
    int64_t index;
    const char *first_name, *second_name; /* first: who plays the side that moves first; in the object */
    int half_points;                      /* of the first, 0..2 */
    int64_t pdn_end;                      /* size of the PDN file behind this game, -1 = not told */
} GameLine;

bool record_read_game(const json_t *object, Variant variant, GameLine *line);

/* The schedule, the names of the engines and the sequential test of a first line. */
typedef struct {
    Variant variant;
    Schedule schedule;
    int engines_count;
    const char *names[MATCH_ENGINES_MAX]; /* in the object */
    bool sprt_wanted;
    Sprt sprt;
} HeaderLine;

bool record_read_header(const json_t *object, HeaderLine *line);

/* A key in which two first lines tell different matches, NULL if they are of one; shards are of one match. */
const char *record_header_difference(const json_t *one, const json_t *other);

#endif
