/* A game in progress: the position with the history that repetition and the draw rules need. */
#ifndef CROWNHEAD_ENGINE_GAME_H
#define CROWNHEAD_ENGINE_GAME_H

#include "engine/draw.h"
#include "engine/position.h"
#include "engine/rules.h"

typedef enum { RESULT_OPEN, RESULT_WHITE_WINS, RESULT_BLACK_WINS, RESULT_DRAW } Result;

static inline Result result_won_by(Color color) {
    return color == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
}

typedef struct {
    Variant variant;
    const DrawRules *draws;
    Position position;
    DrawState draw;
    Key key;
    int fullmove;  /* number of the move, from 1; grows when the side that moves first is to move */
    Key *history;  /* keys of the positions before the current one, oldest first */
    size_t length; /* of history, plies */
    size_t capacity;
} Game;

/*
 * Starts a game at a position. Neither the position nor the counters are checked (fen.h does that).
 * The game owns memory only once moves are played.
 */
void game_init(Game *game, Variant variant, const DrawRules *draws, const Position *position, DrawState draw,
               int fullmove);

/* Frees what the game owns; a zeroed game is fine. */
void game_deinit(Game *game);

/* Makes copy an independent game like the other. 0, or -ENOMEM with copy untouched. */
int game_copy(Game *copy, const Game *game);

/* Plays a legal move. 0, or -ENOMEM with the game unchanged. */
int game_play(Game *game, Move move);

/*
 * How often the current position stood on the board, this time included, since the last capture or man's
 * move.
 */
int game_repetitions(const Game *game);

/*
 * The result: loss of a side to move without a move first, then repetition, then the rule in force. *reason,
 * if asked for, is a constant text, "" for an open game.
 */
Result game_result(const Game *game, const char **reason);

#endif
