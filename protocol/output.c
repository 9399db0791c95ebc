#include "protocol/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int output_init(Output *output, int fd, int wake) {
    output->fd = fd;
    output->wake = wake;
    output->log = -1;
    atomic_init(&output->broken, false);
    return -pthread_mutex_init(&output->mutex, NULL);
}

void output_deinit(Output *output) {
    if (output->log >= 0) {
        close(output->log);
    }
    pthread_mutex_destroy(&output->mutex);
}

/* A pipe may be set not to block by whoever shares it with us; it is waited for then. */
static int write_all(int fd, const char *text, size_t length) {
    while (length > 0) {
        ssize_t count = write(fd, text, length);
        if (count > 0) {
            text += count;
            length -= (size_t)count;
        } else if (count < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (count == 0 || errno != EINTR) {
            return count == 0 ? -EIO : -errno;
        }
    }
    return 0;
}

static void output_write(Output *output, const char *text, size_t length) {
    if (atomic_load(&output->broken)) {
        return;
    }
    if (write_all(output->fd, text, length) != 0) {
        atomic_store(&output->broken, true);
        (void)!write(output->wake, "", 1);
    }
}

static int log_line(int log, char direction, const char *text, size_t length) {
    struct timespec now;
    struct tm date;
    char stamp[32];

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &date);
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &date);
    int count =
        dprintf(log, "%s.%03ld %c %.*s\n", stamp, now.tv_nsec / 1000000, direction, (int)length, text);
    return count < 0 ? -errno : 0;
}

/* Logs what has been read or is about to be written; the log is given up at its first fault. */
static void output_log(Output *output, char direction, const char *text, size_t length) {
    char line[160];

    if (output->log < 0) {
        return;
    }
    int error = log_line(output->log, direction, text, length);
    if (error != 0) {
        close(output->log);
        output->log = -1;
        int size = snprintf(line, sizeof line, "info string error: Log File: %s; the log is closed\n",
                            strerror(-error));
        output_write(output, line, (size_t)size);
    }
}

void lines_add(Lines *lines, const char *format, ...) {
    va_list arguments;
    size_t room = LINES_SIZE - lines->length;

    va_start(arguments, format);
    int length = vsnprintf(lines->text + lines->length, room, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < room);
    lines->length += (size_t)length < room ? (size_t)length : room - 1;
}

/* Writes and logs lines. */
static void output_text(Output *output, const char *text, size_t size) {
    pthread_mutex_lock(&output->mutex);
    for (size_t start = 0; start < size;) {
        const char *line = text + start;
        const char *newline = memchr(line, '\n', size - start);
        size_t length = newline != NULL ? (size_t)(newline - line) + 1 : size - start;
        output_log(output, '<', line, length - (newline != NULL));
        output_write(output, line, length);
        start += length;
    }
    pthread_mutex_unlock(&output->mutex);
}

void output_lines(Output *output, const Lines *lines) {
    output_text(output, lines->text, lines->length);
}

/* Writes one line; what is not printable, line ends too, is replaced, so that it stays one. */
__attribute__((format(printf, 3, 0))) static void output_format(Output *output, const char *prefix,
                                                                const char *format, va_list arguments) {
    char line[OUTPUT_LINE_SIZE];
    size_t start = (size_t)snprintf(line, sizeof line, "%s", prefix);
    size_t room = sizeof line - start;
    int added = vsnprintf(line + start, room, format, arguments);
    size_t length = start + ((size_t)added < room ? (size_t)added : room - 1);

    for (size_t at = 0; at < length; at++) {
        if (line[at] < ' ' || line[at] > '~') {
            line[at] = '?';
        }
    }
    line[length++] = '\n'; /* over the NUL byte */
    output_text(output, line, length);
}

void output_line(Output *output, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    output_format(output, "", format, arguments);
    va_end(arguments);
}

void output_error(Output *output, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    output_format(output, "info string error: ", format, arguments);
    va_end(arguments);
}

void output_log_input(Output *output, View line) {
    pthread_mutex_lock(&output->mutex);
    output_log(output, '>', line.start, line.length);
    pthread_mutex_unlock(&output->mutex);
}

int output_set_log(Output *output, const char *path) {
    int log = -1;

    if (path != NULL) {
        /* Without O_NONBLOCK a pipe that nobody reads would hold up the engine. */
        log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
        if (log < 0) {
            return -errno;
        }
    }
    pthread_mutex_lock(&output->mutex);
    if (output->log >= 0) {
        close(output->log);
    }
    output->log = log;
    pthread_mutex_unlock(&output->mutex);
    return 0;
}

bool output_broken(const Output *output) {
    return atomic_load(&output->broken);
}
