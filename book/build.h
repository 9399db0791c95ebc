/*
 * Making books by drop-out expansion (T. Lincke, Strategies for the Automatic Construction of Opening Books,
 * 2001): leaves are searched, and the leaf whose moves are added next is the one that is reached with the
 * fewest plies and the least given away on the way.
 */
#ifndef CROWNHEAD_BOOK_BUILD_H
#define CROWNHEAD_BOOK_BUILD_H

#include "book/book.h"

/* A position in which games begin, and how many plies from the first position its moves count as. */
typedef struct {
    Position position;
    int plies;
} BookOpening;

typedef struct {
    Variant variant;
    uint64_t nodes;     /* of the search of each position */
    uint32_t positions; /* goes on till the book has at least so many, and all openings */
    int threads;        /* the book is the same with any number */
    const BookOpening *openings;
    size_t openings_count;
    const char *path;
    /* Each time that there are more, NULL = not wanted. */
    void (*on_progress)(void *user, uint32_t count);
    void *user;
} BookBuild;

/*
 * Makes the book, or goes on with a file of the same game and nodes. The file is whole at any time, and what
 * it becomes does not depend on how often the work was cut off. False with one line in error.
 */
bool book_build(const BookBuild *build, ParseError *error);

#endif
