/* Networks as bytes and files: the one thing of the search that is read from outside. */
#ifndef CROWNHEAD_SEARCH_NETWORK_FILE_H
#define CROWNHEAD_SEARCH_NETWORK_FILE_H

#include "search/network.h"

/* Bytes of a network's file. */
enum {
    NETWORK_FILE_BYTES =
        64 + 2 * (NETWORK_INPUTS + 1 + 2 * NETWORK_BUCKETS) * NETWORK_HIDDEN + 4 * NETWORK_BUCKETS + 4
};

/*
 * Reads a network of a game from the bytes of a file. False with one line in error if they are not one:
 * damaged, of another game or shape.
 */
bool network_read(Network *network, Variant variant, const uint8_t *bytes, size_t size, ParseError *error);

/* Reads it from a file, which network_free gives back. NULL with one line in error. */
Network *network_load(const char *path, Variant variant, ParseError *error);
void network_free(Network *network);

/* The bytes of a network's file. */
void network_write(const Network *network, Variant variant, uint8_t bytes[static NETWORK_FILE_BYTES]);

#endif
