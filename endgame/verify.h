/* Checking databases, and counting what is in them. */
#ifndef CROWNHEAD_ENDGAME_VERIFY_H
#define CROWNHEAD_ENDGAME_VERIFY_H

#include "endgame/store.h"

typedef struct {
    uint64_t blocks, positions; /* checked */
    uint64_t damaged;           /* blocks */
    uint64_t wrong;             /* positions whose value does not follow from those after them */
    uint64_t damaged_block;     /* the first */
    uint64_t wrong_index;       /* the first; UINT64_MAX = none */
} Verification;

/*
 * Checks a slice's file against its checksums, and then each position against the positions after it. On
 * failure to do so returns false with one line in error.
 */
bool egdb_verify(Store *store, Slice slice, Verification *verification, ParseError *error);

typedef struct {
    uint64_t values[3];            /* positions, by Value */
    uint64_t quiet[3];             /* those of them in which the side to move cannot capture */
    int longest_win, longest_loss; /* plies, -1 = there is none, or distances are not known */
    uint64_t longest_index;        /* the first longest win */
} SliceCount;

/* Counts a slice. On failure returns false with one line in error. */
bool egdb_count(Store *store, Slice slice, SliceCount *count, ParseError *error);

#endif
