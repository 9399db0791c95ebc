/*
 * Opening books: positions that were searched when the book was made, and what the moves between them are
 * worth. A file is a header of 64 bytes and entries of 20, sorted by their first 13 bytes, each position
 * once; numbers are little-endian. There are no hash keys in it, so no position is taken for another one.
 *
 * The header: magic "CrownBok", version (4 bytes), entries (4), name of the game (16), nodes of the search of
 * each position (8), CRC-32 of the header before and of all entries (4), zeros. An entry: the squares of
 * White's pieces, Black's pieces and kings (4 each, bit n - 1 for square n), the side to move (1), the depth
 * of the search in plies (1; bit 7: an opening), its score in centi-men (2), the value that follows from the
 * moves in the book (2), the move that the search found (2, move_code).
 *
 * A position without kings all of whose moves lead to positions of the book is inner, any other a leaf. A
 * leaf's value is its score, an inner position's that of its best move. Men only go forward, so no line in
 * the book comes back to where it was.
 */
#ifndef CROWNHEAD_BOOK_BOOK_H
#define CROWNHEAD_BOOK_BOOK_H

#include "engine/movegen.h"
#include "engine/position.h"
#include "search/score.h"

enum {
    BOOK_HEADER_BYTES = 64,
    BOOK_ENTRY_BYTES = 20,
    BOOK_KEY_BYTES = 13,
    BOOK_OPENING_BIT = 0x80, /* in the byte of the depth */
    BOOK_DEPTH_MAX = BOOK_OPENING_BIT - 1,
    BOOK_ENTRIES_MAX = 1 << 24
};

/* A book in memory. A zeroed one is empty. */
typedef struct {
    Variant variant;
    uint64_t nodes;
    uint32_t count;
    const uint8_t *entries;
    uint8_t *memory; /* that book_close frees, NULL = none */
} Book;

typedef struct {
    Position position;
    bool opening;  /* somebody wants to begin games here */
    int depth;     /* plies searched */
    int score;     /* of the search, for the side to move, centi-men */
    int value;     /* likewise, from the positions after it */
    uint16_t move; /* move_code of what the search found, 0 if there is no move */
} BookEntry;

/* The book that is built in. */
Book book_builtin(Variant variant);

/* Takes the bytes of a file, which must outlive the book. False with one line in error if they are none. */
bool book_read(Book *book, Variant variant, const uint8_t *bytes, size_t size, ParseError *error);

/* Reads a file. False with one line in error; the book is then empty. */
bool book_open(Book *book, Variant variant, const char *path, ParseError *error);
void book_close(Book *book);

/* The entry of a number below count, and the number of a position's entry. False if it is not in the book. */
BookEntry book_entry(const Book *book, uint32_t index);
bool book_find(const Book *book, const Position *position, uint32_t *index);

/* Writes an entry, and the header of a file with the entries of a book. */
void book_pack(const BookEntry *entry, uint8_t bytes[static BOOK_ENTRY_BYTES]);
void book_write_header(const Book *book, uint8_t header[static BOOK_HEADER_BYTES]);

/* The value of a position from that of the one after its best move: wins and losses are a ply further. */
static inline int book_value_before(int after) {
    return after > SCORE_EVAL_MAX ? 1 - after : after < -SCORE_EVAL_MAX ? -1 - after : -after;
}

/*
 * Whether a position of the book is inner; then fills the legal moves and the number of the entry after each
 * of them.
 */
bool book_is_inner(const Book *book, const Position *position, MoveList *moves, uint32_t after[MOVES_MAX]);

/* The move of a leaf among the legal ones, MOVE_NONE if it is none of them. */
Move book_leaf_move(Variant variant, const BookEntry *entry);

typedef struct {
    Move move;
    int value; /* for who makes it, centi-men */
} BookMove;

/*
 * The moves to play in a position, best first, equal ones in the generator's order: of an inner position all,
 * of a leaf that is an opening the one that was found. Returns their count, 0 if the book has nothing to say.
 */
int book_moves(const Book *book, const Position *position, BookMove moves[MOVES_MAX]);

#endif
