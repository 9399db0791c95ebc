/*
 * A file of all that is said to engines and by them, in the manner of cutechess-cli: "1234 >NAME(7): go" and
 * "1240 <NAME(7): bestmove 11-15" with the milliseconds since the start and the number of the game, 0 before
 * the first.
 */
#ifndef CROWNHEAD_MATCH_TRANSCRIPT_H
#define CROWNHEAD_MATCH_TRANSCRIPT_H

#include "engine/types.h"
#include "engine/view.h"

#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *stream;
    int64_t begin; /* ns */
} Transcript;

/* Opens the file for appending. False with one line in error. */
bool transcript_open(Transcript *transcript, const char *file, ParseError *error);

/* Adds a line, from any thread: whole, and on its way to disk at once. Direction is '>' or '<'. */
void transcript_add(Transcript *transcript, char direction, const char *engine, int64_t game, View line);

/* False if something could not be written. */
bool transcript_close(Transcript *transcript);

#endif
