#include "bench/perft_table.h"

#include "system/memory.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

int perft_table_init(PerftTable *table, size_t megabytes) {
    size_t bytes = megabytes << 20;
    if (megabytes == 0 || megabytes > SIZE_MAX >> 20) {
        return -ENOMEM;
    }
    void *memory = memory_map(bytes);
    if (memory == NULL) {
        return -ENOMEM;
    }
    /* The kernel's work of handing out the pages is not part of what is measured. */
    memset(memory, 0, bytes);
    *table = (PerftTable){.entries = memory, .count = bytes / sizeof(PerftEntry), .bytes = bytes};
    return 0;
}

void perft_table_deinit(PerftTable *table) {
    memory_unmap(table->entries, table->bytes);
    *table = (PerftTable){0};
}
