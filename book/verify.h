/* Whether a book is what its description says. */
#ifndef CROWNHEAD_BOOK_VERIFY_H
#define CROWNHEAD_BOOK_VERIFY_H

#include "book/book.h"

typedef struct {
    uint32_t inner, leaves, openings;
} BookCounts;

/*
 * Looks at every entry: that it has a position, a legal move unless there is none, and the value that follows
 * from the positions after it. False with one line in error about the first that is wrong.
 */
bool book_verify(const Book *book, BookCounts *counts, ParseError *error);

#endif
