/* Openings: positions and first moves from which games are played, built in or from a file. */
#ifndef CROWNHEAD_MATCH_OPENING_H
#define CROWNHEAD_MATCH_OPENING_H

#include "engine/fen.h"

/*
 * One opening: a start and the moves played from it. All moves are legal, and by the rules of the game's
 * federation it is still open after them; other draw rules may say otherwise.
 */
typedef struct {
    char *label; /* "3-move 5 Dreaded Edinburgh"; one line of UTF-8, never NULL */
    FenRecord start;
    bool from_start; /* start is the game's first position, its counters too */
    Move *moves;
    int plies;
} Opening;

typedef struct {
    Opening *openings;
    int count;
} OpeningBook;

typedef enum { OPENINGS_BALLOTS, OPENINGS_FEN, OPENINGS_PDN } OpeningFormat;

/* Whether there is a built-in deck of this name; *variant becomes the game that it is for. */
bool opening_deck_find(const char *name, Variant *variant);

/* The names of the decks, separated by ", ". */
const char *opening_deck_names(void);

/*
 * Loads a built-in deck, of whatever format, or a file: lines of ballots (label TAB moves, or with a FEN or
 * removed men before the moves; see opening.c), a FEN a line, or the games of a PDN file. plies < 0 takes
 * openings as they are, else at most so many plies of each. false with one line in error that names the line
 * and what is wrong with it, but not the file unless it cannot be read or is empty; the book is then empty.
 */
bool opening_book_load(OpeningBook *book, Variant variant, const char *name, OpeningFormat format, int plies,
                       ParseError *error);

/* A book of one opening: the game's first position, without moves. False without memory. */
bool opening_book_plain(OpeningBook *book, Variant variant);

/* Puts the openings in an order that depends on the seed alone. */
void opening_book_shuffle(OpeningBook *book, uint64_t seed);

/* A number that changes with the openings or their order, but not with their labels; the same everywhere. */
uint64_t opening_book_fingerprint(const OpeningBook *book);

void opening_book_deinit(OpeningBook *book);

#endif
