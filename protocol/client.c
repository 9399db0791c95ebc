/* The loop that waits for a client's lines and for the session's thread. */
#include "protocol/client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void on_idle(void *user) {
    Client *client = user;
    (void)!write(client->wake[1], "", 1);
}

int client_begin_session(Client *client) {
    const Protocol *protocol = client->protocol;
    SessionEvents events = {client, protocol->on_info, protocol->on_current, protocol->on_best, on_idle};
    int error = session_init(&client->session, &events);

    client->has_session = error == 0;
    return error;
}

/*
 * Waits for a byte from the session's thread, for the end of whoever reads the output (a search that has
 * nothing to say would not notice it by writing), and if told so for input, which it then reads. False if the
 * reader is gone.
 */
static bool client_wait(Client *client, bool input) {
    char bytes[64];
    struct pollfd descriptors[3] = {
        {.fd = input ? client->reader.fd : -1, .events = POLLIN},
        {.fd = client->wake[0], .events = POLLIN},
        {.fd = client->output.fd},
    };

    if (poll(descriptors, 3, -1) < 0) {
        return true;
    }
    if (descriptors[1].revents != 0) {
        (void)!read(client->wake[0], bytes, sizeof bytes);
    }
    if (descriptors[0].revents != 0) {
        reader_fill(&client->reader);
    }
    return (descriptors[2].revents & (POLLERR | POLLHUP | POLLNVAL)) == 0 && !output_broken(&client->output);
}

/* Begins with the protocol whose hello the line is, else with the first one. */
static int client_begin(Client *client, const Protocol *const protocols[], View line) {
    client->protocol = protocols[0];
    for (int index = 0; protocols[index] != NULL; index++) {
        if (view_equals(view_trim(line), protocols[index]->hello)) {
            client->protocol = protocols[index];
        }
    }
    client->state = calloc(1, client->protocol->state_size);
    return client->state == NULL ? -ENOMEM : client->protocol->begin(client);
}

/* Some editors begin a file of UTF-8 with a byte order mark. */
static View without_mark(View line) {
    static const char mark[] = "\xEF\xBB\xBF";
    bool marked = line.length >= 3 && view_equals((View){line.start, 3}, mark);

    return marked ? view_skip(line, 3) : line;
}

/* Takes what the reader has; the first line that is not empty chooses the protocol. 0 or a negative errno. */
static int client_take(Client *client, const Protocol *const protocols[], ReaderStatus status, View line) {
    char fault[80];

    if (client->protocol == NULL) {
        line = without_mark(line);
        if (status == READER_LINE && view_trim(line).length == 0) {
            return 0;
        }
        int error = client_begin(client, protocols, line);
        if (error != 0) {
            return error;
        }
    }
    if (status == READER_LINE) {
        client->protocol->execute(client, line);
    } else if (status == READER_NUL) {
        client->protocol->complain(client, "a line with a NUL byte is ignored");
    } else {
        snprintf(fault, sizeof fault, "a line of more than %d bytes is ignored", READER_LINE_MAX);
        client->protocol->complain(client, fault);
    }
    return 0;
}

/* Serves the client till it quits or its input ends. 0, 1 if it no longer reads, or a negative errno. */
static int client_serve(Client *client, const Protocol *const protocols[]) {
    int error = 0;

    while (!client->quit && error == 0) {
        View line;
        ReaderStatus status = reader_next(&client->reader, &line);
        if (status == READER_END) {
            client->quit = true;
        } else if (status != READER_EMPTY) {
            error = client_take(client, protocols, status, line);
        } else if (!client_wait(client, true)) {
            return 1;
        }
        if (output_broken(&client->output)) {
            return 1;
        }
    }
    return error;
}

/* Waits for the answer of what still runs. The same results as client_serve. */
static int client_finish(Client *client) {
    if (!client->has_session) {
        return 0;
    }
    if (!client->protocol->finishes || session_unbounded(&client->session)) {
        session_stop(&client->session);
    }
    while (session_busy(&client->session)) {
        if (!client_wait(client, false)) {
            return 1;
        }
    }
    session_stop(&client->session);
    return output_broken(&client->output) ? 1 : 0;
}

int client_run(int input, int output, const Protocol *const protocols[]) {
    Client client = {0};
    int status;

    if (pipe2(client.wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        return -errno;
    }
    status = output_init(&client.output, output, client.wake[1]);
    if (status != 0) {
        goto out_pipe;
    }
    status = reader_init(&client.reader, input);
    if (status != 0) {
        goto out_output;
    }
    status = client_serve(&client, protocols);
    if (status == 0) {
        status = client_finish(&client);
    }
    if (client.has_session) {
        session_deinit(&client.session);
    }
    free(client.state);
    reader_deinit(&client.reader);
out_output:
    output_deinit(&client.output);
out_pipe:
    close(client.wake[0]);
    close(client.wake[1]);
    return status;
}
