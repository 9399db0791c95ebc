/* The command line of a match, read into one struct. */
#ifndef CROWNHEAD_MATCH_OPTIONS_H
#define CROWNHEAD_MATCH_OPTIONS_H

#include "match/opening.h"
#include "match/referee.h"
#include "match/schedule.h"
#include "match/spec.h"
#include "match/statistics.h"

enum { MATCH_CONCURRENCY_MAX = 1024 };

typedef struct {
    EngineSpec *engines;
    int engines_count;
    Patience patience;
    Variant variant;
    Arbitration arbitration;
    OpeningSource openings;
    bool openings_random;
    int64_t seed;
    Schedule schedule; /* its openings are counted when the book is loaded */
    int concurrency;
    bool sprt_wanted;
    Sprt sprt;
    const char *pdn_file, *json_file, *log_file; /* NULL = not wanted */
    const char *egdb_path;                       /* of databases that end games, NULL = none */
    bool resume;                                 /* goes on with the JSON file */
    int rating_interval;                         /* games between two reports, 0 = only the last */
    const char *event, *site;
    char *const *reduce; /* files to merge instead of playing, NULL = play */
    int reduce_count;
    bool help;
} MatchOptions;

/*
 * Reads the arguments (argv[0] is the name of the command). On failure returns false with one line in error.
 * The strings of argv must outlive the options.
 */
bool match_options_read(MatchOptions *options, int argc, char **argv, ParseError *error);

void match_options_deinit(MatchOptions *options);

#endif
