/*
 * Games on disk: a JSON line each, below a first line that tells which match it is, and PDN. JSON Lines are
 * what a match goes on from; PDN is for people and other programs.
 */
#ifndef CROWNHEAD_MATCH_RECORD_H
#define CROWNHEAD_MATCH_RECORD_H

#include "match/fault.h"
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
 * The first line: {"match": what makes it this match and no other, "shard": ..., "sprt": ..., "run": ...};
 * the last tells for each engine by which command it is run, and what it calls itself, once it is known. NULL
 * without memory.
 */
json_t *record_header(const MatchOptions *options, const OpeningBook *book);

/* Puts down what an engine calls itself. */
bool record_name_engine(json_t *header, int engine, const char *id);

/* The command of an engine by a first line, NULL if it tells none. */
const char *record_command(const json_t *header, int engine);

/* A game's object. NULL without memory. */
json_t *record_game(const MatchOptions *options, const GameRecord *record);

/* Writes a game as PDN, an empty line behind it. */
void record_write_pdn(FILE *stream, const MatchOptions *options, const GameRecord *record);

/* What a game's line says that a match needs to go on. */
typedef struct {
    int64_t index;
    const char *first_name, *second_name; /* first: who plays the side that moves first; in the object */
    int half_points;                      /* of the first, 0..2 */
    FaultKind fault;                      /* that lost the game, FAULT_NONE if none did */
    int64_t pdn_end;                      /* size of the PDN file behind this game, -1 = not told */
} GameLine;

/* False if something is missing or wrong. */
bool record_read_game(const json_t *object, Variant variant, GameLine *line);

/* What a first line says that is needed to count games. */
typedef struct {
    Variant variant;
    Schedule schedule;
    int engines_count;
    const char *names[MATCH_ENGINES_MAX]; /* in the object */
    bool sprt_wanted;
    Sprt sprt;
    int64_t pdn_begin; /* where the PDN of the match begins in its file, -1 = it has none */
} HeaderLine;

bool record_read_header(const json_t *object, HeaderLine *line);

/* Where two first lines tell different matches: "engine a, limit, nodes", and both values, "" where long. */
typedef struct {
    char place[96];
    char one[32], other[32];
} HeaderDifference;

/* Whether two first lines are of different matches; shards are of one match. except may be a key, or NULL. */
bool record_header_differs(const json_t *one, const json_t *other, const char *except,
                           HeaderDifference *difference);

#endif
