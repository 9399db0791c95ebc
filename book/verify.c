#include "book/verify.h"

#include <stdio.h>

/* What is wrong with an entry, NULL = nothing. */
static const char *fault_of(const Book *book, const BookEntry *entry, BookCounts *counts) {
    uint32_t after[MOVES_MAX], index;
    MoveList moves;
    int value = entry->score;

    if (!position_is_sound(&entry->position) || !book_find(book, &entry->position, &index)) {
        return "no position";
    }
    bool inner = book_is_inner(book, &entry->position, &moves, after);
    bool found = entry->move == 0 ? moves.count == 0 : book_leaf_move(book->variant, entry) != MOVE_NONE;
    if (!found) {
        return "no such move";
    }
    for (int i = 0; i < moves.count && inner; i++) {
        int this = book_value_before(book_entry(book, after[i]).value);
        value = i == 0 || this > value ? this : value;
    }
    counts->inner += inner;
    counts->leaves += !inner;
    counts->openings += entry->opening;
    return value == entry->value ? NULL : "the value does not follow from the positions after it";
}

bool book_verify(const Book *book, BookCounts *counts, ParseError *error) {
    *counts = (BookCounts){0};
    for (uint32_t i = 0; i < book->count; i++) {
        BookEntry entry = book_entry(book, i);
        const char *fault = fault_of(book, &entry, counts);
        if (fault != NULL) {
            snprintf(error->text, sizeof error->text, "entry %u: %s", (unsigned)i, fault);
            return false;
        }
    }
    return true;
}
