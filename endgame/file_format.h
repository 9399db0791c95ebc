/* What the reading and the writing of a slice's file share, and nobody else. */
#ifndef CROWNHEAD_ENDGAME_FILE_FORMAT_H
#define CROWNHEAD_ENDGAME_FILE_FORMAT_H

#include "endgame/file.h"

static const char FILE_MAGIC[8] = {'C', 'R', 'O', 'W', 'N', 'E', 'G', '1'};

enum {
    HEADER_SIZE = 52,
    CODES_BYTES_MAX = BLOCK_SIZE * 2, /* of a dtw block */
    /* Of any block as it is stored: what zstd may make of a dtw block; those of wld files are smaller. */
    CODED_BYTES_MAX = CODES_BYTES_MAX + (CODES_BYTES_MAX >> 8) + (((128 << 10) - CODES_BYTES_MAX) >> 11),
    CHECKSUM_SIZE = 2
};

/* How many numbers of a slice a block has: the last one may have fewer. */
static inline int block_count(Slice slice, uint64_t block) {
    uint64_t left = slice_size(slice) - block * BLOCK_SIZE;

    return left < BLOCK_SIZE ? (int)left : BLOCK_SIZE;
}

/* Bytes of a block with its checksum, by its entry in the directory. */
static inline size_t stored_size(uint16_t entry) {
    return entry < EGDB_CONSTANT ? (size_t)entry + CHECKSUM_SIZE : 0;
}

#endif
