/* Openings: positions and first moves from which games are played, built in or from a file. */
#ifndef CROWNHEAD_MATCH_OPENING_H
#define CROWNHEAD_MATCH_OPENING_H

#include "engine/fen.h"
#include "engine/text.h"

/* One opening: a start and the moves played from it. All moves are legal, and the game is open after them. */
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

/* Where openings come from, and what is asked of them. */
typedef struct {
    Variant variant;
    const DrawRules *draws; /* by which a game must still be open after its opening */
    /*
     * A built-in deck, or a file: lines of ballots (label TAB moves, or with a FEN or removed men before the
     * moves; see opening.c), a FEN a line, or the games of a PDN file. NULL = the game's first position
     * alone.
     */
    const char *name;
    OpeningFormat format; /* of a file */
    int plies;            /* at most so many of each opening, -1 = all */
} OpeningSource;

/* Adds the names of the decks, separated by ", ". */
void opening_add_deck_names(Text *out);

/* The names of a game's decks, from index 0 on; NULL after the last. */
const char *opening_deck_name(Variant variant, int index);

/* False with one line in error that names file and line and what is wrong; the book is then empty. */
bool opening_book_load(OpeningBook *book, const OpeningSource *source, ParseError *error);

/* Puts the openings in an order that depends on the seed alone. */
void opening_book_shuffle(OpeningBook *book, uint64_t seed);

/* A number that changes with the openings or their order, but not with their labels; the same everywhere. */
uint64_t opening_book_fingerprint(const OpeningBook *book);

void opening_book_deinit(OpeningBook *book);

#endif
