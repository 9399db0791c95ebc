/* Legal moves. Each function chooses the generator that was compiled for the game's row of rules. */
#ifndef CROWNHEAD_ENGINE_MOVEGEN_H
#define CROWNHEAD_ENGINE_MOVEGEN_H

#include "engine/move.h"
#include "engine/position.h"
#include "engine/rules.h"

/*
 * Fills the list with the legal moves, each once, in an order that depends on the position alone. All are
 * captures or none is. An empty list means that the side to move has lost.
 */
void movegen_generate(Variant variant, const Position *position, MoveList *list);

/*
 * The same, and in ways[i] in how many orders move i can take its pieces: published perft figures count each;
 * ways has MOVES_MAX elements. A quiet move has 1.
 */
void movegen_generate_with_ways(Variant variant, const Position *position, MoveList *list, uint16_t *ways);

/* The same, but leaves the list empty where no capture is possible. */
void movegen_generate_captures(Variant variant, const Position *position, MoveList *list);

/* Whether the given side could capture if it were its turn. */
bool movegen_can_capture(Variant variant, const Position *position, Color side);

/* Whether the side to move has a legal move. */
bool movegen_has_move(Variant variant, const Position *position);

/* The squares on which a capture lands, in order; squares[0] is its origin. */
typedef struct {
    int count; /* captured pieces + 1 */
    Square squares[CAPTURES_MAX + 1];
} Path;

/*
 * Calls visit for every way in which a capture of the list can be played, that is for every order in which it
 * can take its pieces and every choice of landing squares, until visit returns true. Returns whether it did.
 */
bool movegen_visit_paths(Variant variant, const Position *position, Move move,
                         bool (*visit)(void *user, const Path *path), void *user);

#endif
