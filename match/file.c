#include "match/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static const size_t FIRST_CAPACITY = (size_t)1 << 16, LAST_CAPACITY = (size_t)1 << 30;

int file_read(int fd, char **bytes, size_t *count) {
    char *text = NULL;
    size_t capacity = 0;
    size_t length = 0;

    for (;;) {
        if (length == capacity) {
            size_t larger = capacity == 0 ? FIRST_CAPACITY : capacity * 2;
            char *grown = larger <= LAST_CAPACITY ? realloc(text, larger) : NULL;
            if (grown == NULL) {
                free(text);
                return larger <= LAST_CAPACITY ? -ENOMEM : -EFBIG;
            }
            text = grown;
            capacity = larger;
        }
        ssize_t more = read(fd, text + length, capacity - length);
        if (more > 0) {
            length += (size_t)more;
        } else if (more == 0) {
            *bytes = text;
            *count = length;
            return 0;
        } else if (errno != EINTR) {
            int error = -errno;
            free(text);
            return error;
        }
    }
}
