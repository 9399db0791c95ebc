/* Positions and moves as CheckerBoard has them. */
#ifndef CROWNHEAD_CHECKERBOARD_BOARD_H
#define CROWNHEAD_CHECKERBOARD_BOARD_H

#include "checkerboard/api.h"
#include "engine/movegen.h"

/* False if that is no position: a piece that there is none of, off the dark squares, too many, no colour. */
bool board_read(int board[8][8], int color, Position *position);

void board_write(const Position *position, int board[8][8]);

/* CB_WHITE or CB_BLACK. */
int board_color(Color color);

/* Writes a legal move, with one of the ways in which it can be played. */
void board_write_move(Variant variant, const Position *position, Move move, CbMove *out);

/* Which of the legal moves leads to the board, and which is a CbMove; MOVE_NONE if none. */
Move board_find(const MoveList *legal, const Position *position, int board[8][8]);
Move board_find_move(const MoveList *legal, const CbMove *move);

#endif
