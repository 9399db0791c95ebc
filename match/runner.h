/* Playing a match: threads that each play one game at a time, and one that watches. */
#ifndef CROWNHEAD_MATCH_RUNNER_H
#define CROWNHEAD_MATCH_RUNNER_H

#include "match/journal.h"
#include "match/report.h"

/* Why a match ended. */
typedef enum {
    MATCH_COMPLETE,    /* all games are played, or the sequential test has its verdict */
    MATCH_INTERRUPTED, /* by a signal */
    MATCH_FAILED       /* a file could not be written, memory is short, an engine does not start any more */
} MatchEnd;

/*
 * Plays what is not yet in the standings. Games and reports are written to stdout, faults to stderr. Signals
 * that end programs are taken from the calling thread while it runs; call it from the only one.
 */
MatchEnd match_run(const MatchOptions *options, const OpeningBook *book, const ReportContext *context,
                   Journal *journal, Standings *standings);

#endif
