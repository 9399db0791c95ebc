/* Files that are written whole. */
#ifndef CROWNHEAD_SYSTEM_REPLACE_H
#define CROWNHEAD_SYSTEM_REPLACE_H

#include <stdio.h>

/*
 * Makes a file, or puts another in the place of the one there: write fills a stream and returns 0 or a
 * negative errno; what the stream could not take is seen here. The file is PATH.tmp till all of it is on the
 * disk, so nobody finds a part of it, and while it cannot be had the old one stays; who writes the same file
 * at the same time is waited for. 0 or a negative errno.
 */
int file_replace(const char *path, int (*write)(void *user, FILE *stream), void *user);

#endif
