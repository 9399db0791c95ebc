/* What a search remembers about moves, and the order in which it tries them. */
#ifndef CROWNHEAD_SEARCH_ORDER_H
#define CROWNHEAD_SEARCH_ORDER_H

#include "engine/move.h"
#include "engine/position.h"

/* Of one thread; about 25 KiB. Zeroed = nothing is known. */
typedef struct {
    int16_t history[2][SQUARE_BITS][SQUARE_BITS]; /* by colour, origin, destination; see order_reward */
    Move counter[2][SQUARE_BITS][SQUARE_BITS];    /* last good answer to a move of the other side */
} MoveMemory;

/* The moves of a node and how good they look. */
typedef struct {
    MoveList *list;
    int scores[MOVES_MAX];
} MoveOrder;

/* Scores the moves of a list for a node. killers are the node's two, previous the move that led here. */
void order_score(MoveOrder *order, const MoveMemory *memory, const Rules *rules, const Position *position,
                 const Move killers[2], Move previous);

/* Moves the best of the moves from an index on to that index. */
void order_pick(MoveOrder *order, int next);

/* Learns that a quiet move at a depth cut off, after the quiet moves tried before it did not. */
void order_reward(MoveMemory *memory, Color side, Move move, Move previous, const Move *tried,
                  int tried_count, int depth);

#endif
