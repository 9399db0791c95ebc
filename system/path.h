/* Paths of files, which look and are found otherwise from one operating system to the next. */
#ifndef CROWNHEAD_SYSTEM_PATH_H
#define CROWNHEAD_SYSTEM_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Between the directories of a list. */
#ifdef _WIN32
#define PATH_LIST_SEPARATOR ';' /* a drive has a ':' */
#else
#define PATH_LIST_SEPARATOR ':'
#endif

enum { PATH_SIZE = 4096 }; /* of a path with its end */

/*
 * The directory of the program or shared library that this code is part of, without a separator at the end.
 * False if it cannot be told.
 */
bool path_of_program(char directory[static PATH_SIZE]);

/* Whether there is such a directory, and it can be read. */
bool path_is_directory(const char *path);

#endif
