/* Memory in large or aligned pieces. */
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

#endif
