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
    const Table *table = table_of(set, slice);
    uint64_t index = slice_index(slice, position);
    Value value = table_value(table, index);
    return (Known){value, table->distances != NULL && value != VALUE_DRAW ? table_distance(table, index) : 0};
}

Known table_best(const TableSet *set, const Position *position, const MoveList *list) {
    int win = 0;  /* plies of the shortest, 0 = none */
    int loss = 0; /* of the longest */
    bool draw = false;

    for (int i = 0; i < list->count; i++) {
        Position next = position_after(position, list->moves[i]);
        Known known = table_look_up(set, &next);
        int plies = known.plies + 1;
        if (known.value == VALUE_LOSS) {
            win = win == 0 || plies < win ? plies : win;
        } else if (known.value == VALUE_WIN) {
            loss = plies > loss ? plies : loss;
        } else {
            draw = true;
        }
    }
    return win != 0 ? (Known){VALUE_WIN, win} : draw ? (Known){VALUE_DRAW, 0} : (Known){VALUE_LOSS, loss};
}
