/* memory.h by the Windows API. */
#include "system/memory.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
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

static int last_error(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        return -ENOENT;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return -ENOMEM;
    default:
        return -EACCES;
    }
}

static int map_handle(HANDLE file, const void **map, size_t *bytes) {
    LARGE_INTEGER size;

    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &size) || size.QuadPart <= 0) {
        return 0;
    }
    if ((uint64_t)size.QuadPart > SIZE_MAX) {
        return -ENOMEM;
    }
    HANDLE mapping = CreateFileMappingA(file, NULL, PAGE_READONLY, 0, 0, NULL);
    if (mapping == NULL) {
        return last_error();
    }
    *map = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    int error = *map == NULL ? last_error() : 0;
    *bytes = error == 0 ? (size_t)size.QuadPart : 0;
    CloseHandle(mapping);
    return error;
}

int file_map(const char *path, const void **map, size_t *bytes) {
    HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                              FILE_ATTRIBUTE_NORMAL, NULL);

    *map = NULL;
    *bytes = 0;
    if (file == INVALID_HANDLE_VALUE) {
        return last_error();
    }
    int error = map_handle(file, map, bytes);
    CloseHandle(file);
    return error;
}

void file_unmap(const void *map, size_t bytes) {
    (void)bytes;
    if (map != NULL) {
        UnmapViewOfFile(map);
    }
}
