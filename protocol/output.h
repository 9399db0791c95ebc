/*
 * Where the protocol's lines go: to the client, each written whole and at once, and to a transcript if one is
 * wanted. Any thread may write. When the client is gone, writing becomes a no-op and the wake descriptor is
 * written to once.
 */
#ifndef CROWNHEAD_PROTOCOL_OUTPUT_H
#define CROWNHEAD_PROTOCOL_OUTPUT_H

#include "engine/view.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    int fd;
    int wake;
    int log; /* -1 = none */
    atomic_bool broken;
    pthread_mutex_t mutex; /* over fd and log */
} Output;

/* The text of one answer, of one line or several. */
enum {
    LINES_SIZE = 32 * 1024,
    OUTPUT_LINE_SIZE = 1000 /* of output_line and output_error, with its end */
};

typedef struct {
    size_t length;
    char text[LINES_SIZE];
} Lines;

/* 0 or a negative errno. The descriptors stay the caller's. */
int output_init(Output *output, int fd, int wake);

/* Closes the log. */
void output_deinit(Output *output);

/* Appends to the lines; what does not fit is cut off. */
__attribute__((format(printf, 2, 3))) void lines_add(Lines *lines, const char *format, ...);

/* Writes lines, each of which must have its end. */
void output_lines(Output *output, const Lines *lines);

/* Writes one line of printable ASCII, given without its end; what is beyond OUTPUT_LINE_SIZE is cut off. */
__attribute__((format(printf, 2, 3))) void output_line(Output *output, const char *format, ...);

/* Writes one line that says what was wrong, also given without its end. */
__attribute__((format(printf, 2, 3))) void output_error(Output *output, const char *format, ...);

/* Notes in the log a line that came in. */
void output_log_input(Output *output, View line);

/*
 * Appends the transcript to a file from now on, NULL = to none. 0, or a negative errno and the log is as
 * before.
 */
int output_set_log(Output *output, const char *path);

/* Whether the client is gone. */
bool output_broken(const Output *output);

#endif
