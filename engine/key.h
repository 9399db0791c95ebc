/* Zobrist keys (A. Zobrist, A New Hashing Method with Application for Game Playing, 1970). */
#ifndef CROWNHEAD_ENGINE_KEY_H
#define CROWNHEAD_ENGINE_KEY_H

#include "engine/move.h"
#include "engine/position.h"

/* The key of a position, from scratch. */
Key key_of(const Position *position);

/* The key of position_after(position, move), from the key of the position. */
Key key_after(Key key, const Position *position, Move move);

#endif
