/* Playing a match: threads that each play one game at a time, and one that watches. */
#ifndef CROWNHEAD_MATCH_RUNNER_H
#define CROWNHEAD_MATCH_RUNNER_H

#include "match/journal.h"
#include "match/transcript.h"

/* Why a match ended. */
typedef enum {
    MATCH_COMPLETE,    /* all games are played, or the sequential test has its verdict */
    MATCH_INTERRUPTED, /* by a signal */
    MATCH_FAILED,      /* a file could not be written, memory is short, an engine does not start any more */
    MATCH_NOT_BEGUN    /* the same before the first game: nothing was recorded */
} MatchEnd;

/*
 * Plays what is not yet in the standings, after every engine was started once, and begins the journal, which
 * is open, with this header. Games and reports are written to stdout, faults to stderr, and to the
 * transcript, which may be NULL, what engines say. Signals that end programs are taken from the calling
 * thread while it runs; call it from the only one.
 */
MatchEnd match_run(const MatchOptions *options, const OpeningBook *book, Journal *journal, json_t *header,
                   Standings *standings, Transcript *transcript);

#endif
