/* Shared libraries that are loaded by name. */
#ifndef CROWNHEAD_SYSTEM_LIBRARY_H
#define CROWNHEAD_SYSTEM_LIBRARY_H

#include <stddef.h>

/* Loads a library. NULL with one line in error (of size bytes) if it cannot be. */
void *library_open(const char *path, char *error, size_t size);

/* The address of what a library calls by this name, NULL if nothing. */
void *library_find(void *library, const char *name);

void library_close(void *library);

#endif
