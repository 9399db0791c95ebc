/*
 * What the evaluation is trained on: quiet positions of games that were played to their end. Files hold them
 * in blocks of 16 bytes a sample, so that they can be made in parts, on several machines, and in several
 * runs.
 *
 * A file is a header of 64 bytes and blocks. Numbers are little-endian. The header: magic "CrownSmp", version
 * (4 bytes), games in a batch (4), name of the game (16), seed (8), nodes a move (8), pieces of the databases
 * (4), shard (4), shards (4), CRC-32 of all before (4). A block: number of the batch (8), count of samples
 * (4), CRC-32 of these and of the samples (4), then the samples. A sample: the squares of White's pieces,
 * Black's pieces and kings (4 each, bit n - 1 for square n), the score of the search in centi-men (2), flags
 * (1: bit 0 the side to move, bits 1 and 2 the result for it: 0 lost, 1 drawn, 2 won; bit 3 the opponent
 * could capture), plies to the end of the game (1, 255 = that or more).
 */
#ifndef CROWNHEAD_TRAINING_SAMPLE_H
#define CROWNHEAD_TRAINING_SAMPLE_H

#include "engine/position.h"

#include <stdio.h>

enum { SAMPLE_BYTES = 16, SAMPLE_HEADER_BYTES = 64, SAMPLE_BLOCK_BYTES = 16 };

typedef struct {
    Position position;
    int score;       /* of the search, for the side to move, centi-men */
    int result;      /* for the side to move: 0 lost, 1 drawn, 2 won */
    bool threatened; /* the opponent could capture if it were to move */
    int plies_left;  /* to the end of the game, at most 255 */
} Sample;

/* How the samples of a file were made: what must be equal for one more run to go on with it. */
typedef struct {
    Variant variant;
    uint64_t seed;
    uint64_t nodes; /* of the search, for each move */
    uint32_t batch; /* games of a batch */
    uint32_t egdb_pieces;
    uint32_t shard, shards; /* this file has the batches whose number leaves shard when divided by shards */
} SampleOrigin;

void sample_pack(const Sample *sample, uint8_t bytes[static SAMPLE_BYTES]);

/* False if the bytes are no sample. */
bool sample_unpack(const uint8_t bytes[static SAMPLE_BYTES], Sample *sample);

/* A file of samples that is being read or added to. */
typedef struct {
    FILE *stream;
    const char *path;
    SampleOrigin origin;
    int64_t batches;      /* whole ones, when opened for adding */
    uint64_t samples;     /* in them */
    int64_t whole_length; /* bytes up to the end of the last whole block */
} SampleFile;

/*
 * Opens a file to add batches to: a new one, or one of the same origin, whose last block is cut off if it is
 * not whole. Keeps other writers out. On failure returns false with one line in error.
 */
bool sample_file_append(SampleFile *file, const char *path, const SampleOrigin *origin, ParseError *error);

/* Adds a batch. 0 or a negative errno. */
int sample_file_write(SampleFile *file, uint64_t batch, const Sample *samples, uint32_t count);

/* Opens a file for reading. */
bool sample_file_read(SampleFile *file, const char *path, ParseError *error);

/*
 * The samples of the next whole block, in memory that the caller frees; NULL at the end of what is whole.
 * *count is their number.
 */
Sample *sample_file_next(SampleFile *file, uint32_t *count);

void sample_file_close(SampleFile *file);

#endif
