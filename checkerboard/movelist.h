/* The legal moves as "get movelist" tells them. */
#ifndef CROWNHEAD_CHECKERBOARD_MOVELIST_H
#define CROWNHEAD_CHECKERBOARD_MOVELIST_H

#include "checkerboard/api.h"
#include "engine/movegen.h"

/*
 * Writes "movelist COUNT" and for each move ",JUMPS,OLDPIECE,NEWPIECE,FROM,TO[,LANDED,CAPTURED,PIECE ...];",
 * the comma before the first only. False, and the reply is of no use, if it would be too long.
 */
bool movelist_write(Variant variant, const Position *position, char reply[static CB_REPLY_SIZE]);

#endif
