/*
 * The files of a match. Every game goes to disk the moment it ends, PDN first, then its JSON line in one
 * write, which says how long the PDN file is now: so a match that was killed at any moment leaves no more than
 * a piece of a game behind the last line, and resuming cuts that off.
 */
#ifndef CROWNHEAD_MATCH_JOURNAL_H
#define CROWNHEAD_MATCH_JOURNAL_H

#include "match/record.h"
#include "match/standings.h"

typedef struct {
    int json, pdn; /* descriptors, -1 = not wanted */
    const char *json_file, *pdn_file;
} Journal;

/*
 * Opens the files as the options say: a new JSON file begins with the header, one that is resumed has its
 * games added to the standings. On failure returns false with one line in error and the files as they were.
 */
bool journal_open(Journal *journal, const MatchOptions *options, const json_t *header, Standings *standings,
                  ParseError *error);

/* Writes a game. On failure returns false with one line in error, nothing of the game left in the files. */
bool journal_add(Journal *journal, const MatchOptions *options, const GameRecord *record, ParseError *error);

/* Closes the files. */
void journal_close(Journal *journal);

/* Who reads a JSON file. Each call fills error with a line and returns false to end the reading. */
typedef struct {
    bool (*begin)(void *user, const json_t *header, const HeaderLine *parsed, ParseError *error);
    bool (*game)(void *user, const GameLine *line, ParseError *error);
    void *user;
} JournalVisitor;

/*
 * Reads a JSON file: begin gets the first line, game each other. length becomes the bytes up to the end of the
 * last whole line, 0 for an empty file; a piece of a line at the end is no fault.
 */
bool journal_read(int fd, const char *file, const JournalVisitor *visitor, size_t *length, ParseError *error);

/* Adds a line to the standings, once; false with one line in error if it is of another match. */
bool journal_count(Standings *standings, const char *const *names, const GameLine *line, ParseError *error);

#endif
