/* Playing from a book. */
#ifndef CROWNHEAD_BOOK_PLAY_H
#define CROWNHEAD_BOOK_PLAY_H

#include "book/book.h"
#include "engine/game.h"

enum { BOOK_LINE_MAX = 64 };

typedef struct {
    int value; /* of the move, for who makes it, centi-men */
    int depth; /* plies: the line in the book and the search at its end */
    int length;
    Move line[BOOK_LINE_MAX]; /* the move to play and the best ones after it */
} BookAnswer;

/*
 * The move that a book plays in a game: the best, or one chosen by *random, which moves on, among those worth
 * at most margin centi-men less. False if it has none, and while a position of the game could come again.
 */
bool book_answer(const Book *book, const Game *game, int margin, uint64_t *random, BookAnswer *answer);

#endif
