/* The books that are built in: book/books/, made into initializers by the build. */
#include "book/book.h"

static const uint8_t ENGLISH[] = {
#include "book/english.inc"
};

static const uint8_t RUSSIAN[] = {
#include "book/russian.inc"
};

#define BOOK(game, bytes) \
    [game] = {.variant = game, .count = sizeof(bytes) / BOOK_ENTRY_BYTES, .entries = bytes}

static const Book BOOKS[VARIANT_COUNT] = {
    BOOK(VARIANT_ENGLISH, ENGLISH),
    BOOK(VARIANT_RUSSIAN, RUSSIAN),
};

Book book_builtin(Variant variant) {
    return BOOKS[variant];
}
