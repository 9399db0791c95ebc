/* The UCI dialect: how it begins, and what it says while it searches. */
#include "protocol/uci.h"

#include "protocol/show.h"
#include "protocol/uci_commands.h"

#include <string.h>

static void on_info(void *user, const SearchInfo *info) {
    Client *client = user;
    Lines lines = {0};

    show_info(&lines, &client->session.game, info);
    output_lines(&client->output, &lines);
}

static void on_current(void *user, Move move, int number) {
    Client *client = user;
    Lines lines = {0};

    show_current(&lines, &client->session.game, move, number);
    output_lines(&client->output, &lines);
}

static void on_best(void *user, const SearchResult *result, int error) {
    Client *client = user;
    Lines lines = {0};

    if (error != 0) {
        output_error(&client->output, "the search could not begin: %s", strerror(-error));
    }
    show_best(&lines, &client->session.game, result);
    output_lines(&client->output, &lines);
}

static int uci_begin(Client *client) {
    int error = client_begin_session(client);

    if (error == 0 && client->session.megabytes < SESSION_MEGABYTES) {
        output_error(&client->output, "Hash: no memory for %d MiB, it is %zu", SESSION_MEGABYTES,
                     client->session.megabytes);
    }
    return error;
}

static void uci_complain(Client *client, const char *fault) {
    output_error(&client->output, "%s", fault);
}

const Protocol PROTOCOL_UCI = {
    .hello = "uci",
    .state_size = sizeof(Task),
    .finishes = true,
    .begin = uci_begin,
    .execute = uci_execute,
    .complain = uci_complain,
    .on_info = on_info,
    .on_current = on_current,
    .on_best = on_best,
};
