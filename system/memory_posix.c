/* memory.h by POSIX. */
#include "system/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

int file_map(const char *path, const void **map, size_t *bytes) {
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int error = fd < 0 || fstat(fd, &status) != 0 ? -errno : 0;

    *map = NULL;
    *bytes = 0;
    if (error == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (memory == MAP_FAILED) {
            error = -errno;
        } else {
            *map = memory;
            *bytes = (size_t)status.st_size;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return error;
}

void file_unmap(const void *map, size_t bytes) {
    if (map != NULL) {
        munmap((void *)(uintptr_t)map, bytes);
    }
}
