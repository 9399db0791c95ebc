/* What the command line says about the engines of a match. Strings belong to whoever made them (argv). */
#ifndef CROWNHEAD_MATCH_SPEC_H
#define CROWNHEAD_MATCH_SPEC_H

#include "match/words.h"

typedef struct Dialect Dialect;

/* Limits of a move or a game. All zero = none. */
typedef struct {
    int64_t time;      /* ms for the game or for so many moves, 0 = no clock */
    int64_t increment; /* ms added after each move */
    int moves;         /* moves to the next time control, 0 = the time is for the whole game */
    int64_t movetime;  /* ms for each move, 0 = free */
    int64_t margin;    /* ms by which a flag may be overdrawn */
    uint64_t nodes;    /* for each move, 0 = free */
    int depth;         /* plies, 0 = free */
} TimeControl;

typedef struct {
    View name, value;
} EngineOption;

enum { ENGINE_OPTIONS_MAX = 64, ENGINE_ARGUMENTS_MAX = 64 };

typedef struct {
    const char *name; /* the file name of the command unless the user gave one */
    const char *directory;
    const char *error_file;
    const Dialect *dialect;
    char *arguments[ENGINE_ARGUMENTS_MAX + 2]; /* the command first, NULL last */
    int arguments_count;
    EngineOption options[ENGINE_OPTIONS_MAX]; /* sent as they stand, in this order */
    int options_count;
    TimeControl control;
    bool restart; /* for every game */
} EngineSpec;

/*
 * Reads an engine from the words of several options, its own last; the later ones win. On failure returns
 * false with one line in error. Either way spec_deinit frees it.
 */
bool spec_read(EngineSpec *spec, const Words *parts, int count, ParseError *error);

void spec_deinit(EngineSpec *spec);

/* How long an engine may take for what no clock measures, ms. */
typedef struct {
    int64_t startup;  /* from its start to the end of the handshake */
    int64_t new_game; /* to be ready for a game, options included */
    int64_t ping;     /* to answer a ping */
    int64_t move;     /* to move where neither a clock nor a move time is set */
} Patience;

#endif
