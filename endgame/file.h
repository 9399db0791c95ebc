/*
 * A slice on disk. A block holds the values of BLOCK_SIZE numbers, and one probe decodes one block. Positions
 * in which the side to move can capture, and numbers without a position, hold whatever is cheapest: nobody
 * asks for them. All numbers of the file are little-endian:
 *
 *     0  8  magic "CROWNEG1"
 *     8  1  kind: 0 wld, 1 dtw
 *     9  4  men and kings of the side to move, men and kings of its opponent
 *    13  1  dtw: bytes of a code, 1 or 2; wld: 0
 *    14  2  numbers in a block / 256
 *    16 16  the game's name, padded with zeros
 *    32  4  blocks
 *    36  4  bytes of the model (codec.h)
 *    40  8  bytes of the file
 *    48  4  CRC-32 of bytes 0 to 47, the model and the directory
 *    52     the model; then the directory, two bytes a block: how many bytes its code has, or 0xFFF0 + the
 *           one value of all its numbers; then the codes of the other blocks, each followed by its CRC-16
 *
 * A block of a wld file is coded by codec.h. One of a dtw file is compressed by zstd; a number's code is 0
 * for a draw, else the plies to the end + 1.
 */
#ifndef CROWNHEAD_ENDGAME_FILE_H
#define CROWNHEAD_ENDGAME_FILE_H

#include "endgame/codec.h"
#include "endgame/egdb.h"
#include "system/workers.h"

enum {
    EGDB_NAME_SIZE = 64,
    EGDB_CONSTANT = 0xFFF0 /* + Value, in the directory */
};

/* "english-2110.wld": the men and kings of the side to move, then of its opponent. */
void egdb_file_name(Variant variant, EgdbKind kind, Slice slice, char name[static EGDB_NAME_SIZE]);

/* Whether a name is that of a file that was being written. */
bool egdb_file_is_temporary(const char *name);

/*
 * Writes a table, to a temporary name and then renamed; the same bytes for the same table whatever the
 * threads. A dtw file needs a table with distances. 0 or a negative errno; *bytes (may be NULL) becomes the
 * size.
 */
int egdb_file_write(const char *directory, Variant variant, EgdbKind kind, const Table *table,
                    Workers *workers, uint64_t *bytes);

typedef struct {
    EgdbKind kind;
    Variant variant;
    Slice slice;
    uint64_t blocks;
    uint64_t size; /* of the file, bytes */
    /* The rest is of concern to file.c only. */
    int fd;
    int width;                /* bytes of a dtw code */
    uint8_t *head;            /* all that stands before the blocks */
    const uint8_t *directory; /* in the head */
    uint64_t *offsets;        /* of every DIRECTORY_STEP-th block, in the file */
    CodecModel *model;        /* of a wld file */
} EgdbFile;

/*
 * Opens and checks all but the blocks. On failure returns false with one line in error, which names the file.
 */
bool egdb_file_open(EgdbFile *file, const char *directory, const char *name, ParseError *error);
void egdb_file_close(EgdbFile *file);

/* Whether all numbers of a block have one value, of a dtw file a draw: then nothing is decoded. */
static inline bool egdb_file_constant(const EgdbFile *file, uint64_t block, Value *value) {
    unsigned entry = file->directory[block * 2] | (unsigned)file->directory[block * 2 + 1] << 8;

    *value = (Value)(entry & 3);
    return entry >= EGDB_CONSTANT;
}

/*
 * Checks the checksum of a block. Blocks are read and not mapped: a file that is cut or overwritten while it
 * is open has damaged blocks, and nobody is killed by a signal.
 */
bool egdb_file_block_sound(const EgdbFile *file, uint64_t block);

/*
 * Decodes a block of win/loss/draw values, two bits each as in a Table (BLOCK_BYTES), or of a dtw file the
 * values and the distances of a Table (BLOCK_SIZE bytes; NULL for wld). False if it is damaged.
 */
bool egdb_file_decode(const EgdbFile *file, uint64_t block, uint8_t *values, uint8_t *distances);

#endif
