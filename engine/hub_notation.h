/*
 * Positions and moves as the Hub protocol writes them, on 8x8: the side to move and 32 squares in the order
 * of their numbers, as "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"; a quiet move "11-15", a capture with the squares
 * it takes in ascending order, "15x22x18", squares always as numbers. (Scan, protocol.txt, version 2.)
 */
#ifndef CROWNHEAD_ENGINE_HUB_NOTATION_H
#define CROWNHEAD_ENGINE_HUB_NOTATION_H

#include "engine/position.h"
#include "engine/rules.h"
#include "engine/view.h"

enum {
    HUB_POSITION_SIZE = SQUARES + 2,
    HUB_MOVE_SIZE = 3 * (CAPTURES_MAX + 2) + 1 /* from, to, every captured square */
};

/*
 * What stands for the number of a square: the number itself; the number with the rows counted from White's
 * side, 1 = a1; the number after the board is turned, 1 = g1.
 */
typedef enum { HUB_PLAIN, HUB_MIRRORED, HUB_TURNED } HubNumbering;

void hub_position_write(const Position *position, char text[static HUB_POSITION_SIZE]);

/* On failure returns false, fills error with one line, and leaves position as it was. */
bool hub_position_read(View text, Position *position, ParseError *error);

void hub_move_write(Move move, char text[static HUB_MOVE_SIZE]);
void hub_move_write_as(Move move, HubNumbering numbering, char text[static HUB_MOVE_SIZE]);

/*
 * Reads a legal move of the position. The captured squares may stand in any order and be padded with zeros;
 * without any, from and to are enough if only one legal move fits. On failure returns false, fills error with
 * one line that names the text and the reason, and leaves *move as it was.
 */
bool hub_move_read(Variant variant, const Position *position, View text, Move *move, ParseError *error);
bool hub_move_read_as(Variant variant, const Position *position, HubNumbering numbering, View text,
                      Move *move, ParseError *error);

#endif
