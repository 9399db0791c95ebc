/* memory.h by POSIX. */
#include "system/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

void *memory_map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        return NULL;
    }
    /* Random access misses the TLB nearly always with small pages; without huge ones it only runs slower. */
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

void memory_unmap(void *memory, size_t bytes) {
    if (memory != NULL) {
        munmap(memory, bytes);
    }
}

void *memory_aligned(size_t alignment, size_t bytes) {
    return aligned_alloc(alignment, bytes);
}

void memory_aligned_free(void *memory) {
    free(memory);
}
