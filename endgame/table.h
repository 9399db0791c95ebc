/* The values of all positions of slices in memory, two bits each, with distances if they are wanted. */
#ifndef CROWNHEAD_ENDGAME_TABLE_H
#define CROWNHEAD_ENDGAME_TABLE_H

#include "endgame/slice.h"
#include "engine/move.h"

/* For the side to move. */
typedef enum { VALUE_DRAW, VALUE_WIN, VALUE_LOSS, VALUE_NONE /* no position has this number */ } Value;

enum { DISTANCE_MAX = 511 }; /* plies that a table can hold */

typedef struct {
    Slice slice;
    uint64_t size;      /* numbers */
    uint8_t *values;    /* four to a byte */
    uint8_t *distances; /* half the plies to the end, rounded down; NULL = not known */
} Table;

/* A table of nothing but VALUE_NONE. 0 or -ENOMEM. */
int table_init(Table *table, Slice slice, bool distances);
void table_deinit(Table *table);

static inline Value table_value(const Table *table, uint64_t index) {
    return (Value)(table->values[index >> 2] >> (index & 3) * 2 & 3);
}

/* Plies to the end of a position that is won or lost: odd if won. */
static inline int table_distance(const Table *table, uint64_t index) {
    return table->distances[index] * 2 + (table_value(table, index) == VALUE_WIN);
}

/* Not for two threads at numbers of the same four. */
static inline void table_set(Table *table, uint64_t index, Value value) {
    uint8_t *byte = &table->values[index >> 2];
    int shift = (int)(index & 3) * 2;

    *byte = (uint8_t)((*byte & ~(3 << shift)) | (int)value << shift);
}

/* All tables by men and kings of the side to move and of its opponent; NULL where there is none. */
typedef struct {
    Table *tables[SLICE_PIECES_MAX][SLICE_PIECES_MAX][SLICE_PIECES_MAX][SLICE_PIECES_MAX];
} TableSet;

static inline Table **tableset_place(TableSet *set, Slice slice) {
    return &set->tables[slice.men[0]][slice.kings[0]][slice.men[1]][slice.kings[1]];
}

static inline Table *tableset_find(const TableSet *set, Slice slice) {
    return set->tables[slice.men[0]][slice.kings[0]][slice.men[1]][slice.kings[1]];
}

/* What is known of a position, for its side to move; 0 plies for a draw or where distances are not known. */
typedef struct {
    Value value;
    int plies;
} Known;

/* The values after the moves of a position, one after the other. */
typedef struct {
    int win;  /* plies of the shortest, 0 = none */
    int loss; /* of the longest */
    bool draw;
} Best;

static inline void best_add(Best *best, Known after) {
    int plies = after.plies + 1;

    if (after.value == VALUE_LOSS) {
        best->win = best->win == 0 || plies < best->win ? plies : best->win;
    } else if (after.value == VALUE_WIN) {
        best->loss = plies > best->loss ? plies : best->loss;
    } else {
        best->draw = true;
    }
}

/* What they make of the position. Without a move it is lost. */
static inline Known best_known(const Best *best) {
    return best->win != 0 ? (Known){VALUE_WIN, best->win}
           : best->draw   ? (Known){VALUE_DRAW, 0}
                          : (Known){VALUE_LOSS, best->loss};
}

/* The value of a position whose table is in the set; a side without pieces has lost. */
Known table_look_up(const TableSet *set, const Position *position);

/* What the moves of a position, all in the list, make of it, each looked up. Without a move it is lost. */
Known table_best(const TableSet *set, const Position *position, const MoveList *list);

#endif
