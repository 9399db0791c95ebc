#include "bench/perft_table.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

int perft_table_init(PerftTable *table, size_t megabytes) {
    size_t bytes = megabytes << 20;
    if (megabytes == 0 || megabytes > SIZE_MAX >> 20) {
        return -ENOMEM;
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return -ENOMEM;
    }
    /* Random access misses the TLB nearly always with small pages; without huge ones it only runs slower. */
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    /* The kernel's work of handing out the pages is not part of what is measured. */
    memset(memory, 0, bytes);
    *table = (PerftTable){.entries = memory, .count = bytes / sizeof(PerftEntry), .bytes = bytes};
    return 0;
}

void perft_table_deinit(PerftTable *table) {
    if (table->entries != NULL) {
        munmap(table->entries, table->bytes);
    }
    *table = (PerftTable){0};
}
