/* Memory for values. */
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
