/* Memory in large pieces, and files as memory: what operating systems call by different names. */
#ifndef CROWNHEAD_SYSTEM_MEMORY_H
#define CROWNHEAD_SYSTEM_MEMORY_H

#include <stddef.h>

/* A zeroed piece for random access, in huge pages where there are any. NULL without memory. */
void *memory_map(size_t bytes);

/* Gives back a whole piece; NULL is fine. */
void memory_unmap(void *memory, size_t bytes);

/*
 * Memory as from malloc, at a multiple of alignment, of which bytes must be one too. NULL without memory. It
 * is not free that gives it back.
 */
void *memory_aligned(size_t alignment, size_t bytes);
void memory_aligned_free(void *memory);

/*
 * Maps a file for reading. What is empty or not a regular file is mapped to nothing: NULL and 0 bytes. 0 or a
 * negative errno.
 */
int file_map(const char *path, const void **map, size_t *bytes);
void file_unmap(const void *map, size_t bytes);

#endif
