/* Where the program finds the data that came with it. */
#ifndef CROWNHEAD_PROTOCOL_DATA_PATH_H
#define CROWNHEAD_PROTOCOL_DATA_PATH_H

#include "system/path.h"

enum { DATA_PATH_SIZE = 4 * (PATH_SIZE + 64) };

/*
 * The directories of a kind of data, as "egdb", separated by PATH_LIST_SEPARATOR: beside an installed program
 * or library, beside a plug-in, and beside one that was built and not installed. Only those that exist; "" if
 * none does.
 */
void data_path(const char *kind, char path[static DATA_PATH_SIZE]);

#endif
