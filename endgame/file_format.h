/* What the reading and the writing of a slice's file share, and nobody else. */
#ifndef CROWNHEAD_ENDGAME_FILE_FORMAT_H
#define CROWNHEAD_ENDGAME_FILE_FORMAT_H

#include "endgame/file.h"

static const char FILE_MAGIC[8] = {'C', 'R', 'O', 'W', 'N', 'E', 'G', '1'};

enum {
    HEADER_SIZE = 52,
    CODES_BYTES_MAX = BLOCK_SIZE * 2 /* of a dtw block */
};

/* How many numbers of a slice a block has: the last one may have fewer. */
static inline int block_count(Slice slice, uint64_t block) {
    uint64_t left = slice_size(slice) - block * BLOCK_SIZE;

    return left < BLOCK_SIZE ? (int)left : BLOCK_SIZE;
}

#endif
