/* Moves and squares as text. */
#ifndef CROWNHEAD_ENGINE_NOTATION_H
#define CROWNHEAD_ENGINE_NOTATION_H

#include "engine/position.h"
#include "engine/rules.h"

enum {
    SQUARE_TEXT_SIZE = 4,
    MOVE_TEXT_SIZE = 3 * (CAPTURES_MAX + 1) + 1 /* longest path with its separators and its end */
};

/* Writes the name of a square in the given naming: "32" or "g1". */
void square_write(Square square, Naming naming, char text[static SQUARE_TEXT_SIZE]);

/* Reads a square's name of exactly this length, a number or algebraic in either case. False if it is none. */
bool square_read(const char *text, size_t length, Square *square);

/* Writes a legal move of the position, a capture with every landing square: "9-13", "c3xe5xg7". */
void move_write(Variant variant, const Position *position, Move move, char text[static MOVE_TEXT_SIZE]);

/*
 * Reads a move of the position: full or shortened path, '-' 'x' 'X' or ':' between squares or, in algebraic,
 * nothing. A text that spells out a whole path means that move; else it may leave out landing squares between
 * the first and the last if all moves that fit take the same pieces. On failure returns false, fills error
 * with one line that names the text and the reason (for an ambiguous one, the moves that fit), and leaves
 * *move as it was.
 */
bool move_read(Variant variant, const Position *position, const char *text, size_t length, Move *move,
               ParseError *error);

/*
 * As move_read, but an ambiguous text gives all the moves that fit. On failure moves is left as it was.
 */
bool move_read_all(Variant variant, const Position *position, const char *text, size_t length,
                   MoveList *moves, ParseError *error);

#endif
