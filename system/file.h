/* Files that any number of threads read at any place. */
#ifndef CROWNHEAD_SYSTEM_FILE_H
#define CROWNHEAD_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Opens a file for reading, without waiting for the writer of a pipe. *size becomes its bytes, 0 if it is not
 * a regular file. A descriptor or a negative errno.
 */
int file_open(const char *path, uint64_t *size);
void file_close(int fd);

/* Reads so many bytes from an offset on; false if they are not there. */
bool file_read_at(int fd, uint64_t offset, uint8_t *bytes, size_t count);

#endif
