/* Files that are read whole. */
#ifndef CROWNHEAD_MATCH_FILE_H
#define CROWNHEAD_MATCH_FILE_H

#include <stddef.h>

/*
 * Reads from where the file stands to its end. 0 with *bytes, which the caller frees, or a negative errno.
 * Anything that can be read is a file here; -EFBIG if it has no end within the first GiB.
 */
int file_read(int fd, char **bytes, size_t *count);

#endif
