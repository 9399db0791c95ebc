/* memory.h by the Windows API. */
#include "system/memory.h"

#include <malloc.h>
#include <windows.h>

/* Huge pages need a privilege that ordinary users do not have. */
void *memory_map(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void memory_unmap(void *memory, size_t bytes) {
    (void)bytes;
    if (memory != NULL) {
        VirtualFree(memory, 0, MEM_RELEASE);
    }
}

void *memory_aligned(size_t alignment, size_t bytes) {
    return _aligned_malloc(bytes, alignment);
}

void memory_aligned_free(void *memory) {
    _aligned_free(memory);
}
