/*
 * A protocol that engines speak, as a table of its words and of functions between text and meaning; player.c
 * does the talking. A further one is a file with such a table and a line in dialect.c.
 */
#ifndef CROWNHEAD_MATCH_DIALECT_H
#define CROWNHEAD_MATCH_DIALECT_H

#include "engine/text.h"
#include "match/player.h"

/* What a line of an engine that introduces itself tells; what it does not tell is empty. */
typedef struct {
    View name, version; /* of the engine */
    View option;        /* that it offers */
    View values;        /* words among which are all values of an option that has a choice of them */
} Introduction;

typedef enum { REPLY_NOTHING, REPLY_MOVE, REPLY_BAD_MOVE } Reply;

struct Dialect {
    const char *name; /* as in proto= */
    /* Lines, and the words that begin their answers. */
    const char *hello, *welcome;
    const char *prepare, *prepared; /* ends the settings */
    const char *ping, *pong;
    const char *new_game;                   /* without an answer */
    const char *answer;                     /* begins the line with the move */
    const char *variant, *draws, *ponder;   /* names of options */
    const char *draws_official, *draws_web; /* values of that option */
    Introduction (*introduce)(View line);
    void (*write_option)(Text *out, View name, View value);
    void (*write_position)(Text *out, Variant variant, const FenRecord *start, bool from_start,
                           const Move *moves, size_t plies);
    /* Writes the limits and asks for a move. */
    void (*write_go)(Text *out, Color mover, const TimeControl *control, const PlayerClocks *clocks);
    /*
     * Reads a line of a search: adds to the report or reads the move of the position. The error says what is
     * wrong with a bad one.
     */
    Reply (*read)(View line, Variant variant, const Position *position, PlayerReport *report, Move *move,
                  ParseError *error);
};

/* The dialect of a name, NULL if there is none. */
const Dialect *dialect_find(const char *name);

/* Adds the names, separated by ", ". */
void dialect_add_names(Text *out);

extern const Dialect DIALECT_UCI, DIALECT_HUB;

/* ---- For the dialects ---------------------------------------------------------------------------------- */

/* Adds to a text as printf does; at most 100 bytes. */
__attribute__((format(printf, 2, 3))) void dialect_add(Text *out, const char *format, ...);

void dialect_add_view(Text *out, View text);

/* What one line says about a search. */
typedef struct {
    PlayerReport report; /* depth and nodes are 0, has_score is false where it is silent */
    bool secondary;      /* it is about another move than the best */
} InfoLine;

/* Adds a line to what was said before: the last that counts, and no bound over a score. */
void dialect_note(PlayerReport *report, const InfoLine *line);

#endif
