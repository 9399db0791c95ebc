/*
 * The files of a match. Every game goes to its files the moment it ends, PDN first, then its JSON line in one
 * write, which says how long the PDN file is now: so a match that was killed at any moment leaves no more
 * than a piece of a game behind the last line, and resuming cuts that off.
 */
#ifndef CROWNHEAD_MATCH_JOURNAL_H
#define CROWNHEAD_MATCH_JOURNAL_H

#include "match/record.h"
#include "match/standings.h"

typedef struct {
    int json, pdn; /* descriptors, -1 = not wanted */
    const char *json_file, *pdn_file;
    bool json_made, pdn_made; /* the files did not exist before */
    bool begun;
    json_t *header;  /* the first line of a file that is resumed, NULL = there is none */
    bool header_old; /* it has to be replaced */
    size_t json_end; /* of the last whole line */
    int64_t pdn_end; /* of the last game of this match, or where the first will stand */
} Journal;

/*
 * Opens and locks the files, and adds the games of a JSON file that is resumed to the standings. Files are
 * left as they are. On failure returns false with one line in error.
 */
bool journal_open(Journal *journal, const MatchOptions *options, const json_t *header, Standings *standings,
                  ParseError *error);

/*
 * Begins to write: cuts off what is no whole game, and sees to the first line, to which header adds where the
 * PDN begins. False with one line in error.
 */
bool journal_begin(Journal *journal, json_t *header, ParseError *error);

/* Writes a game. On failure returns false with one line in error, nothing of the game left in the files. */
bool journal_add(Journal *journal, const MatchOptions *options, const GameRecord *record, ParseError *error);

/* Closes the files. Those that journal_open has made go again if nothing began. */
void journal_close(Journal *journal);

/* Who reads a JSON file. Each call fills error with a line and returns false to end the reading. */
typedef struct {
    bool (*begin)(void *user, const json_t *header, const HeaderLine *parsed, ParseError *error);
    bool (*game)(void *user, const GameLine *line, ParseError *error);
    void *user;
} JournalVisitor;

typedef struct {
    size_t length; /* up to the end of the last whole line */
    bool torn;     /* a piece of a line follows */
} JournalExtent;

/* Reads a JSON file: begin gets the first line, game each other. A piece of a line at the end is no fault. */
bool journal_read(int fd, const char *file, const JournalVisitor *visitor, JournalExtent *extent,
                  ParseError *error);

/*
 * Adds a line to the standings, once; part is the shard whose line it is. False with one line in error if it
 * is of another match or part, or tells another result than before.
 */
bool journal_count(Standings *standings, const char *const *names, const Schedule *part, const GameLine *line,
                   ParseError *error);

#endif
