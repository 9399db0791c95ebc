/* Types and limits shared by every module of the engine library. */
#ifndef CROWNHEAD_ENGINE_TYPES_H
#define CROWNHEAD_ENGINE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of squares, one bit a square, in the padded layout of bitboard.h. */
typedef uint64_t Bitboard;

/* Index of a square's bit, 0..35 without the pads; not the number that players use (notation.h). */
typedef uint8_t Square;

/* Hash key of a position with its side to move. */
typedef uint64_t Key;

/* White's men move towards higher bits. */
typedef enum { WHITE, BLACK } Color;

static inline Color color_opponent(Color color) {
    return color == WHITE ? BLACK : WHITE;
}

enum {
    SQUARES = 32,      /* playable squares */
    SQUARE_BITS = 36,  /* with the pads */
    SIDE_PIECES = 12,  /* most pieces of a side */
    CAPTURES_MAX = 12, /* most pieces taken by one move: all of a side */
};

/*
 * Maps a key evenly to 0..count-1, for a table of any size (D. Lemire, Fast Random Integer Generation, 2019).
 */
static inline size_t key_index(Key key, size_t count) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 Wide;
    return (size_t)((Wide)key * count >> 64);
#else
    /* A 32-bit processor, whose counts have 32 bits too. */
    return (size_t)(((key >> 32) * count + ((key & UINT32_MAX) * count >> 32)) >> 32);
#endif
}

/* Why a text was refused: one line for the user, naming the token. */
typedef struct {
    char text[160];
} ParseError;

#endif
