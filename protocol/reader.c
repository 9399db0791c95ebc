#include "protocol/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The longest line with its CRLF, and one byte more to see that a line is too long. */
enum { READER_SIZE = READER_LINE_MAX + 3 };

int reader_init(Reader *reader, int fd) {
    char *buffer = malloc(READER_SIZE);

    if (buffer == NULL) {
        return -ENOMEM;
    }
    *reader = (Reader){.fd = fd, .buffer = buffer};
    return 0;
}

void reader_deinit(Reader *reader) {
    free(reader->buffer);
    *reader = (Reader){.fd = -1};
}

static ReaderStatus reader_judge(Reader *reader, size_t length, View *line) {
    const char *start = reader->buffer + reader->start;

    if (length > 0 && start[length - 1] == '\r') {
        length--;
    }
    *line = (View){start, length};
    if (length > READER_LINE_MAX) {
        return READER_TOO_LONG;
    }
    return memchr(start, '\0', length) != NULL ? READER_NUL : READER_LINE;
}

ReaderStatus reader_next(Reader *reader, View *line) {
    for (;;) {
        char *newline = memchr(reader->buffer + reader->scanned, '\n', reader->end - reader->scanned);

        if (newline != NULL) {
            size_t length = (size_t)(newline - reader->buffer) - reader->start;
            bool skipped = reader->skipping;
            ReaderStatus status = skipped ? READER_EMPTY : reader_judge(reader, length, line);
            reader->start = reader->scanned = reader->start + length + 1;
            reader->skipping = false;
            if (skipped) {
                continue;
            }
            return status;
        }
        reader->scanned = reader->end;
        if (reader->skipping) {
            reader->start = reader->end;
        } else if (reader->end - reader->start == READER_SIZE) {
            *line = (View){reader->buffer + reader->start, READER_SIZE};
            reader->start = reader->end;
            reader->skipping = true;
            return READER_TOO_LONG;
        }
        if (!reader->ended) {
            return READER_EMPTY;
        }
        if (reader->start == reader->end) {
            return READER_END;
        }
        ReaderStatus status = reader_judge(reader, reader->end - reader->start, line);
        reader->start = reader->end;
        return status;
    }
}

void reader_fill(Reader *reader) {
    if (reader->start > 0) {
        memmove(reader->buffer, reader->buffer + reader->start, reader->end - reader->start);
        reader->end -= reader->start;
        reader->scanned -= reader->start;
        reader->start = 0;
    }
    unsigned room = (unsigned)(READER_SIZE - reader->end); /* as Windows has it */
    ssize_t count = read(reader->fd, reader->buffer + reader->end, room);
    if (count > 0) {
        reader->end += (size_t)count;
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        reader->ended = true;
    }
}
