/*
 * Lines from a file descriptor, with a bound on their length. Reading is split in two so that the caller can
 * wait for more than this one descriptor: reader_next never blocks, reader_fill reads once.
 */
#ifndef CROWNHEAD_PROTOCOL_READER_H
#define CROWNHEAD_PROTOCOL_READER_H

#include "engine/view.h"

enum { READER_LINE_MAX = 1 << 20 }; /* bytes of a line without its end */

typedef enum {
    READER_LINE,
    READER_EMPTY,    /* no whole line is here: fill, then ask again */
    READER_TOO_LONG, /* a line beyond the bound: the view is its begin; told once, it is skipped to its end */
    READER_NUL,      /* a line with NUL bytes in it, which are no text */
    READER_END       /* of the input, or it cannot be read */
} ReaderStatus;

typedef struct {
    int fd;
    char *buffer;
    size_t start, scanned, end; /* of what is buffered: its begin, how far no line's end was found, its end */
    bool skipping, ended;
} Reader;

/* 0 or -ENOMEM. The descriptor stays the caller's. */
int reader_init(Reader *reader, int fd);

/* Frees the buffer; a zeroed reader is fine. */
void reader_deinit(Reader *reader);

/*
 * Takes a line from the buffer; the view is without LF or CRLF and lives till the next call of reader_fill.
 * The last line of the input needs no end.
 */
ReaderStatus reader_next(Reader *reader, View *line);

/* Reads once; blocks if there is nothing to read. Only after READER_EMPTY. */
void reader_fill(Reader *reader);

#endif
