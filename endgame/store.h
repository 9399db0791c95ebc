/*
 * The tables that a piece of work needs, read from the files of a directory, within a limit of memory. Files
 * leave out positions with captures; here they are filled in again, from the tables of fewer pieces.
 */
#ifndef CROWNHEAD_ENDGAME_STORE_H
#define CROWNHEAD_ENDGAME_STORE_H

#include "endgame/file.h"

typedef struct {
    Variant variant;
    EgdbKind kind;
    const char *directory;
    Workers *workers;
    uint64_t limit; /* bytes that tables may take */
    uint64_t used;
    TableSet set;
} Store;

/* A store without tables. */
void store_init(Store *store, Variant variant, EgdbKind kind, const char *directory, Workers *workers,
                uint64_t limit);
void store_deinit(Store *store);

/* What a table of a slice takes, bytes. */
uint64_t store_table_size(const Store *store, Slice slice);

enum { STORE_SUCCESSORS_MAX = 512 };

/* The slices to which a move leads out of a slice, only by captures if wanted; how many. */
int store_successors(Slice slice, bool captures, Slice successors[static STORE_SUCCESSORS_MAX]);

/*
 * Has the table of a slice in memory, read with all that it takes to fill it in. On failure returns false
 * with one line in error.
 */
bool store_need(Store *store, Slice slice, ParseError *error);

/* Adds an empty table, to be filled by the caller. NULL without memory. */
Table *store_add(Store *store, Slice slice);

/*
 * Gives up all tables but those of the slices that are listed, if less than spare bytes of the limit are
 * left.
 */
void store_shrink(Store *store, const Slice *kept, int count, uint64_t spare);

/* Calls visit for every slice with this many pieces, those with fewer men first, until it returns false. */
bool store_slices(int pieces, bool (*visit)(void *user, Slice slice), void *user);

#endif
