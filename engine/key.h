/* Zobrist keys (A. Zobrist, A New Hashing Method with Application for Game Playing, 1970). */
#ifndef CROWNHEAD_ENGINE_KEY_H
#define CROWNHEAD_ENGINE_KEY_H

#include "engine/move.h"
#include "engine/position.h"

/* The key of a position, from scratch. */
Key key_of(const Position *position);

/* The key of position_after(position, move), from the key of the position. */
Key key_after(Key key, const Position *position, Move move);

/*
 * How often a key stands among the last plies of the count keys before it, with the same side to move;
 * *nearest, unless there is none, becomes the distance of the latest. Nothing comes again before 4 plies:
 * each side must move there and back.
 */
static inline int key_repetitions(Key key, const Key *before, size_t count, size_t plies, size_t *nearest) {
    int found = 0;

    for (size_t back = 4; back <= plies && back <= count; back += 2) {
        if (before[count - back] == key) {
            *nearest = found == 0 ? back : *nearest;
            found++;
        }
    }
    return found;
}

#endif
