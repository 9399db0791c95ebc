/* Memory for values, and looking into it. */
#include "endgame/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int table_init(Table *table, Slice slice, bool distances) {
    *table = (Table){.slice = slice, .size = slice_size(slice)};
    table->values = malloc(table->size / 4 + 1);
    table->distances = distances ? calloc(table->size, 1) : NULL;
    if (table->values == NULL || (distances && table->distances == NULL)) {
        table_deinit(table);
        return -ENOMEM;
    }
    memset(table->values, 0xFF, table->size / 4 + 1);
    return 0;
}

void table_deinit(Table *table) {
    free(table->values);
    free(table->distances);
    table->values = NULL;
    table->distances = NULL;
}

Known table_look_up(const TableSet *set, const Position *position) {
    if (position_own(position) == 0) {
        return (Known){VALUE_LOSS, 0};
    }
    Slice slice = slice_of(position);
    const Table *table = tableset_find(set, slice);
    uint64_t index = slice_index(slice, position);
    Value value = table_value(table, index);
    return (Known){value, table->distances != NULL && value != VALUE_DRAW ? table_distance(table, index) : 0};
}

Known table_best(const TableSet *set, const Position *position, const MoveList *list) {
    Best best = {0};

    /*
     * No win is shorter than one in a ply, which is also what wins look like where distances are not known.
     */
    for (int i = 0; i < list->count && best.win != 1; i++) {
        Position next = position_after(position, list->moves[i]);
        best_add(&best, table_look_up(set, &next));
    }
    return best_known(&best);
}
