/* The counters behind the draw rules; a value that follows the position from move to move. */
#ifndef CROWNHEAD_ENGINE_DRAW_H
#define CROWNHEAD_ENGINE_DRAW_H

#include "engine/position.h"
#include "engine/rules.h"

typedef struct {
    uint16_t since[4]; /* plies, by DrawCounter; they stop at UINT16_MAX */
    uint8_t rule;      /* index of the rule in force, DRAW_RULES_MAX if none */
} DrawState;

/* The state at the start of a count; plies without a capture or a move of a man as a FEN may tell them, else 0. */
DrawState draw_state_init(const DrawRules *draws, const Position *position, int plies_without_progress);

/* The state after a move that leads from before to after. */
DrawState draw_state_after(const DrawRules *draws, DrawState state, const Position *before, Move move,
                           const Position *after);

/* Plies left till the rule in force draws the game: 0 = drawn now, unless the side to move has no move; INT_MAX = no
 * rule is in force. */
int draw_plies_left(const DrawRules *draws, DrawState state);

#endif
