/*
 * A protocol that engines speak, as a table of functions. A further one is a file with such a table and a line
 * in dialect.c.
 */
#ifndef CROWNHEAD_MATCH_DIALECT_H
#define CROWNHEAD_MATCH_DIALECT_H

#include "match/player.h"

typedef enum { REPLY_NOTHING, REPLY_MOVE, REPLY_BAD_MOVE } Reply;

struct Dialect {
    const char *name; /* as in proto= */
    /* From the start of the process to readiness, options of the spec included. */
    bool (*handshake)(Player *player, Fault *fault);
    bool (*new_game)(Player *player, Fault *fault);
    const char *ping, *pong; /* lines */
    /* Sends the position, without waiting. */
    bool (*set_position)(Player *player, const FenRecord *start, bool from_start, const Move *moves, size_t plies,
                         Fault *fault);
    /* Sends the limits and go, as one write. */
    bool (*go)(Player *player, const Game *game, const PlayerClocks *clocks, Fault *fault);
    /* Whether a line is an answer to a go, legal or not. */
    bool (*is_answer)(View line);
    /* Reads a line of a search: fills the report or the move; error says what is wrong with a bad move. */
    Reply (*read)(Player *player, const Game *game, View line, PlayerReport *report, Move *move,
                  ParseError *error);
};

/* The dialect of a name, NULL if there is none. */
const Dialect *dialect_find(const char *name);

/* The names, separated by ", ". */
const char *dialect_names(void);

#endif
