/* PDN FEN: reading and writing positions as text. */
#ifndef CROWNHEAD_ENGINE_FEN_H
#define CROWNHEAD_ENGINE_FEN_H

#include "engine/position.h"
#include "engine/rules.h"

/* What a FEN tells. */
typedef struct {
    Position position;
    int plies_without_progress; /* the H of an :H0:F1 tail, else 0 */
    int fullmove;               /* its F, else 1 */
} FenRecord;

enum { FEN_SIZE = 256 }; /* holds any FEN that fen_write makes, with its end */

/*
 * Reads a FEN of the given length (which need not end in a NUL byte). On failure returns false, fills error
 * with one line that names the bad token, and leaves record as it was.
 */
bool fen_read(const char *text, size_t length, FenRecord *record, ParseError *error);

/* Writes a FEN, squares named as the game names them; the tail only when it is not :H0:F1. */
void fen_write(const FenRecord *record, const Rules *rules, char text[static FEN_SIZE]);

#endif
