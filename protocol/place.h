/* What the words behind "position" say: a position, and the moves since. */
#ifndef CROWNHEAD_PROTOCOL_PLACE_H
#define CROWNHEAD_PROTOCOL_PLACE_H

#include "engine/game.h"
#include "engine/view.h"

/* Takes each move that is played, with the position before it. */
typedef struct {
    void *user;
    void (*run)(void *user, const Position *before, Move move);
} PlacePlayed;

/*
 * Starts a game as "startpos [moves M...]" or "fen F [moves M...]" tell and plays the moves; played may be
 * NULL. False with one line in error if something is wrong; nothing is to be freed then.
 */
bool place_read(View text, Variant variant, const DrawRules *draws, const PlacePlayed *played, Game *game,
                ParseError *error);

#endif
