/*
 * A slice on disk: header, model, lengths and checksums of the blocks, the blocks. A block codes BLOCK_SIZE
 * numbers, and one probe decodes one block. Positions in which the side to move can capture, and numbers that
 * have no position, are coded as whatever is cheapest: nobody asks for them.
 */
#ifndef CROWNHEAD_ENDGAME_FILE_H
#define CROWNHEAD_ENDGAME_FILE_H

#include "endgame/egdb.h"
#include "endgame/workers.h"

enum { BLOCK_SIZE = 4096, EGDB_NAME_SIZE = 64 };

/* "english-2110.wld": the men and kings of the side to move, then of its opponent. */
void egdb_file_name(Variant variant, EgdbKind kind, Slice slice, char name[static EGDB_NAME_SIZE]);

/* Whether a name is that of a file that was being written. */
bool egdb_file_is_temporary(const char *name);

/*
 * Writes a table, to a temporary name and then renamed; the same bytes for the same table whatever the threads.
 * 0 or a negative errno; *bytes (may be NULL) becomes the size.
 */
int egdb_file_write(const char *directory, Variant variant, EgdbKind kind, const Table *table,
                    Workers *workers, uint64_t *bytes);

typedef struct {
    EgdbKind kind;
    Variant variant;
    Slice slice;
    uint64_t blocks;
    size_t size; /* of the file, bytes */
    const unsigned char *map;
    /* The rest is of concern to file.c only. */
} EgdbFile;

/* Opens and checks all but the blocks. On failure returns false with one line in error, which names the file. */
bool egdb_file_open(EgdbFile *file, const char *directory, const char *name, ParseError *error);
void egdb_file_close(EgdbFile *file);

/* Checks the checksum of a block. */
bool egdb_file_block_sound(const EgdbFile *file, uint64_t block);

/*
 * Decodes a block of win/loss/draw values, two bits each as in a Table (BLOCK_SIZE / 4 bytes), or of a dtw
 * file the values and the distances of a Table (BLOCK_SIZE bytes; NULL for wld). False if it is damaged.
 */
bool egdb_file_decode(const EgdbFile *file, uint64_t block, uint8_t *values, uint8_t *distances);

#endif
