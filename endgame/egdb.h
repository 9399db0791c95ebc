/*
 * Endgame databases as the search and the commands use them: opened once, probed by any number of threads.
 */
#ifndef CROWNHEAD_ENDGAME_EGDB_H
#define CROWNHEAD_ENDGAME_EGDB_H

#include "endgame/table.h"
#include "engine/rules.h"

/* Win, loss or draw alone, or with the distance to the end. */
typedef enum { EGDB_WLD, EGDB_DTW, EGDB_KINDS } EgdbKind;

/* "wld", "dtw". */
static inline const char *egdb_kind_name(EgdbKind kind) {
    return kind == EGDB_WLD ? "wld" : "dtw";
}

typedef struct Egdb Egdb;

/*
 * Opens what the directories of a path (separated by PATH_LIST_SEPARATOR) hold of a game, the first of
 * several files for one slice. cache is what decoded blocks may take, in bytes. A file that is not one of
 * ours, cut short or damaged in its header is left out and warn (may be NULL) called with one line about it.
 * A directory that does not exist is a warning too. NULL without memory only.
 */
Egdb *egdb_open(const char *path, Variant variant, size_t cache, void (*warn)(void *user, const char *line),
                void *user);
void egdb_close(Egdb *egdb);

/* From now on nothing is known about positions with more pieces. Nobody may be probing meanwhile. */
void egdb_limit(Egdb *egdb, int pieces);

/* The most pieces of which every slice is there and within the limit, 0 = none. */
int egdb_pieces(const Egdb *egdb, EgdbKind kind);

/*
 * The value of a position in which the side to move cannot capture and both sides have pieces, by one look at
 * the file. False if the slice is not there or its block is damaged.
 */
bool egdb_probe(Egdb *egdb, const Position *position, Value *value);

/* The same for any position: captures are played till the files tell. */
bool egdb_value(Egdb *egdb, const Position *position, Value *value);

/* Value and plies to the end with best play of both (0 where it is a draw), for any position. */
bool egdb_distance(Egdb *egdb, const Position *position, Value *value, int *plies);

#endif
