#include "protocol/uci.h"

#include "protocol/show.h"
#include "protocol/uci_commands.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static void on_info(void *user, const SearchInfo *info) {
    Uci *uci = user;
    Lines lines = {0};

    show_info(&lines, &uci->session.game, info);
    output_lines(&uci->output, &lines);
}

static void on_current(void *user, Move move, int number) {
    Uci *uci = user;
    Lines lines = {0};

    show_current(&lines, &uci->session.game, move, number);
    output_lines(&uci->output, &lines);
}

static void on_best(void *user, const SearchResult *result, int error) {
    Uci *uci = user;
    Lines lines = {0};

    if (error != 0) {
        output_error(&uci->output, "the search could not begin: %s", strerror(-error));
    }
    show_best(&lines, &uci->session.game, result);
    output_lines(&uci->output, &lines);
}

static void on_idle(void *user) {
    Uci *uci = user;
    (void)!write(uci->wake[1], "", 1);
}

/*
 * Waits for a byte from the session's thread, for the end of whoever reads the output (a search that has
 * nothing to say would not notice it by writing), and if told so for input, which it then reads. False if the
 * reader is gone.
 */
static bool uci_wait(Uci *uci, bool input) {
    char bytes[64];
    struct pollfd descriptors[3] = {
        {.fd = input ? uci->reader.fd : -1, .events = POLLIN},
        {.fd = uci->wake[0], .events = POLLIN},
        {.fd = uci->output.fd},
    };

    if (poll(descriptors, 3, -1) < 0) {
        return true;
    }
    if (descriptors[1].revents != 0) {
        (void)!read(uci->wake[0], bytes, sizeof bytes);
    }
    if (descriptors[0].revents != 0) {
        reader_fill(&uci->reader);
    }
    return (descriptors[2].revents & (POLLERR | POLLHUP | POLLNVAL)) == 0 && !output_broken(&uci->output);
}

/* Serves the client to its end. False if the reader of the output is gone. */
static bool uci_serve(Uci *uci) {
    while (!uci->quit) {
        View line;
        switch (reader_next(&uci->reader, &line)) {
        case READER_LINE:
            uci_execute(uci, line);
            break;
        case READER_EMPTY:
            if (!uci_wait(uci, true)) {
                return false;
            }
            break;
        case READER_TOO_LONG:
            output_error(&uci->output, "a line of more than %d bytes is ignored", READER_LINE_MAX);
            break;
        case READER_NUL:
            output_error(&uci->output, "a line with a NUL byte is ignored");
            break;
        case READER_END:
            uci->quit = true;
            break;
        }
        if (output_broken(&uci->output)) {
            return false;
        }
    }
    if (session_unbounded(&uci->session)) {
        session_stop(&uci->session);
    }
    while (session_busy(&uci->session)) {
        if (!uci_wait(uci, false)) {
            return false;
        }
    }
    session_stop(&uci->session);
    return !output_broken(&uci->output);
}

int uci_run(int input, int output) {
    Uci uci = {0};
    SessionEvents events = {&uci, on_info, on_current, on_best, on_idle};
    int status;

    if (pipe2(uci.wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        return -errno;
    }
    status = output_init(&uci.output, output, uci.wake[1]);
    if (status != 0) {
        goto out_pipe;
    }
    status = reader_init(&uci.reader, input);
    if (status != 0) {
        goto out_output;
    }
    status = session_init(&uci.session, &events);
    if (status != 0) {
        goto out_reader;
    }
    if (uci.session.megabytes < SESSION_MEGABYTES) {
        output_error(&uci.output, "Hash: no memory for %d MiB, it is %zu", SESSION_MEGABYTES,
                     uci.session.megabytes);
    }
    status = uci_serve(&uci) ? 0 : 1;
    session_deinit(&uci.session);
out_reader:
    reader_deinit(&uci.reader);
out_output:
    output_deinit(&uci.output);
out_pipe:
    close(uci.wake[0]);
    close(uci.wake[1]);
    return status;
}
