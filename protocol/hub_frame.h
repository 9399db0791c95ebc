/*
 * How a client of the Hub protocol looks at the board. Scan's protocol is of a game in which White begins and
 * squares are counted from Black's side; some clients for 8x8 go by that, others by their own board.
 */
#ifndef CROWNHEAD_PROTOCOL_HUB_FRAME_H
#define CROWNHEAD_PROTOCOL_HUB_FRAME_H

#include "engine/hub_notation.h"

typedef enum {
    HUB_FRAME_PLAIN,      /* as the game is printed */
    HUB_FRAME_PYDRAUGHTS, /* as pydraughts 0.6 has it, turning positions but not the moves, and the reverse */
    HUB_FRAME_WHITE_FIRST /* the colours are exchanged, and the board turned, where Black begins */
} HubFrame;

/* The names, NULL behind the last. */
const char *hub_frame_name(int index);

/* The numbering of moves. */
HubNumbering hub_frame_numbering(HubFrame frame, Variant variant);

/* A position as the client means it, of one as it wrote it. */
Position hub_frame_position(HubFrame frame, Variant variant, const Position *position);

#endif
