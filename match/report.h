/* What a match tells people of its standings. */
#ifndef CROWNHEAD_MATCH_REPORT_H
#define CROWNHEAD_MATCH_REPORT_H

#include "match/standings.h"

#include <stdio.h>

typedef struct {
    const char *const *names; /* of the engines */
    const Sprt *sprt;         /* NULL = none */
} ReportContext;

/* Several lines for two engines, a table for more. Written to stream. */
void report_standings(FILE *stream, const ReportContext *context, const Standings *standings);

/* A line for each engine that lost games by faults. */
void report_faults(FILE *stream, const ReportContext *context, const Standings *standings);

/* The score in one line without an end, for a terminal; games a second since the start, 0 = not known. */
void report_progress(FILE *stream, const ReportContext *context, const Standings *standings, int64_t wanted,
                     double rate);

#endif
