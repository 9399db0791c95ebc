/*
 * A client on two file descriptors, whatever protocol it speaks: its lines come in, answers go out, and an
 * engine is between them. A protocol is a table of functions.
 */
#ifndef CROWNHEAD_PROTOCOL_CLIENT_H
#define CROWNHEAD_PROTOCOL_CLIENT_H

#include "protocol/output.h"
#include "protocol/reader.h"
#include "protocol/session.h"

typedef struct Client Client;

typedef struct {
    const char *hello; /* the line that a client of this protocol begins with */
    size_t state_size; /* of what it keeps about a client, zeroed at first; at least 1 */
    bool finishes;     /* after the end of the input a search that has a limit goes on to it */
    /* Before the first line. 0, or a negative errno and there is no use in going on. */
    int (*begin)(Client *client);
    /* Carries out one line, given without its end; a search or other long work only begins. */
    void (*execute)(Client *client, View line);
    /* Says what is wrong with input that is no line of text. */
    void (*complain)(Client *client, const char *fault);
    /* As in SessionEvents, the client being the user. */
    void (*on_info)(void *client, const SearchInfo *info);
    void (*on_current)(void *client, Move move, int number);
    void (*on_best)(void *client, const SearchResult *result, int error);
} Protocol;

struct Client {
    const Protocol *protocol;
    void *state; /* of the protocol */
    Session session;
    bool has_session; /* it has begun */
    Reader reader;
    Output output;
    int wake[2]; /* a pipe: a byte in it says that there is something new besides input */
    bool quit;
};

/* Begins the session, which the protocol must do before it uses it. 0 or a negative errno. */
int client_begin_session(Client *client);

/*
 * Serves a client till it quits, its input ends, or it no longer reads the output. It speaks the first of the
 * protocols, NULL being the end of their list, or another whose hello is its first line. SIGPIPE should be
 * ignored. Returns 0 after the first two, 1 after the third, a negative errno if there was not enough of
 * something to begin.
 */
int client_run(int input, int output, const Protocol *const protocols[]);

#endif
