/* Building databases, slice after slice, into a directory. */
#ifndef CROWNHEAD_ENDGAME_BUILD_H
#define CROWNHEAD_ENDGAME_BUILD_H

#include "endgame/egdb.h"

/* How far a build is; positions are numbers of slices. */
typedef struct {
    Slice slice; /* the one that is worked on */
    int pieces;
    uint64_t done, total; /* positions, of all the slices that were missing at the start */
    uint64_t bytes;       /* written so far */
} BuildProgress;

typedef struct {
    Variant variant;
    EgdbKind kind;
    int pieces;            /* 2..SLICE_PIECES_MAX */
    int threads;           /* 1.. */
    uint64_t memory;       /* bytes that tables and work may take */
    const char *directory; /* made if it does not exist */
    void (*progress)(void *user,
                     const BuildProgress *progress); /* before each pair of slices and at the end */
    void *user;
} BuildOptions;

/*
 * Builds the slices that are not there yet; those that are are trusted if their headers are sound. A build
 * that was killed leaves whole slices only, and the next goes on after them. On failure returns false with
 * one line in error.
 */
bool egdb_build(const BuildOptions *options, ParseError *error);

#endif
