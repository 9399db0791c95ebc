#include "protocol/uci_commands.h"

#include "protocol/go.h"
#include "protocol/options.h"
#include "protocol/place.h"
#include "protocol/show.h"

#include <errno.h>
#include <string.h>

static Task *uci_task(const Client *client) {
    return client->state;
}

static void complain(void *user, const char *line) {
    Client *client = user;
    output_error(&client->output, "%s", line);
}

static void uci_tell_unfinished(Client *client, const char *name) {
    if (uci_task(client)->error == -ECANCELED) {
        output_line(&client->output, "info string %s stopped", name);
    } else {
        output_error(&client->output, "%s: %s", name, strerror(-uci_task(client)->error));
    }
}

static void perft_work(void *user, SearchControl *control) {
    Client *client = user;
    const Game *game = &client->session.game;
    PerftOptions options = {.depth = uci_task(client)->depth, .threads = client->session.settings.threads};

    uci_task(client)->error = perft_run(game->variant, &game->position, &options, &control->stop, NULL, NULL,
                                        &uci_task(client)->perft);
}

static void perft_finish(void *user) {
    Client *client = user;
    Lines lines = {0};

    if (uci_task(client)->error != 0) {
        uci_tell_unfinished(client, "perft");
        return;
    }
    show_perft(&lines, &client->session.game, &uci_task(client)->perft);
    output_lines(&client->output, &lines);
}

static void bench_position(void *user, const BenchLine *line) {
    Client *client = user;
    char text[BENCH_TEXT_SIZE];

    bench_write_line(line, text);
    output_line(&client->output, "%s", text);
}

static void bench_work(void *user, SearchControl *control) {
    Client *client = user;
    BenchOptions options = {.variant = VARIANT_COUNT, .depth = uci_task(client)->depth};

    uci_task(client)->error = bench_run(&options, control, bench_position, client, &uci_task(client)->bench);
}

static void bench_finish(void *user) {
    Client *client = user;
    char text[BENCH_TEXT_SIZE];

    if (uci_task(client)->error != 0) {
        uci_tell_unfinished(client, "bench");
        return;
    }
    bench_write_result(&uci_task(client)->bench, text);
    output_line(&client->output, "%s", text);
}

/* The session answers in any case; without a thread it does so at once. */
static void uci_tell_thread(Client *client, int error) {
    if (error != 0) {
        output_error(&client->output, "no thread to work in: %s", strerror(-error));
    }
}

static void uci_perft(Client *client, int depth) {
    uci_task(client)->depth = depth;
    uci_tell_thread(client, session_run(&client->session, &(SessionWork){client, perft_work, perft_finish}));
}

static void command_uci(Client *client, View rest) {
    Lines lines = {0};

    (void)rest;
    lines_add(&lines, "id name Crownhead " CROWNHEAD_VERSION "\nid author the Crownhead developers\n");
    options_write(&lines);
    lines_add(&lines, "uciok\n");
    output_lines(&client->output, &lines);
}

static void command_isready(Client *client, View rest) {
    (void)rest;
    output_line(&client->output, "readyok");
}

static void command_ucinewgame(Client *client, View rest) {
    (void)rest;
    session_new_game(&client->session);
}

static void command_setoption(Client *client, View rest) {
    OptionTarget target = {&client->session, &client->output};
    ParseError error;

    if (!options_set(&target, rest, &error)) {
        output_error(&client->output, "%s", error.text);
    }
}

static void command_position(Client *client, View rest) {
    Session *session = &client->session;
    ParseError error;
    Game game;

    if (place_read(rest, session->game.variant, session_draws(session), NULL, &game, &error)) {
        session_set_game(session, &game);
    } else {
        output_error(&client->output, "position: %s", error.text);
    }
}

static void command_go(Client *client, View rest) {
    Session *session = &client->session;
    GoRequest request = go_read(rest, session->game.variant, &session->game.position, complain, client);

    if (request.kind == GO_SEARCH) {
        uci_tell_thread(client, session_go(session, &request.limits));
    } else if (request.kind == GO_PERFT) {
        uci_perft(client, request.perft_depth);
    }
}

static void command_perft_depth(Client *client, View rest) {
    int depth;

    if (go_read_perft(rest, &depth, complain, client)) {
        uci_perft(client, depth);
    }
}

static void command_stop(Client *client, View rest) {
    (void)rest;
    session_stop(&client->session);
}

static void command_ponderhit(Client *client, View rest) {
    (void)rest;
    session_ponderhit(&client->session);
}

static void command_quit(Client *client, View rest) {
    (void)rest;
    session_stop(&client->session);
    client->quit = true;
}

static void command_d(Client *client, View rest) {
    Lines lines = {0};

    (void)rest;
    show_game(&lines, &client->session.game);
    output_lines(&client->output, &lines);
}

static void command_eval(Client *client, View rest) {
    Lines lines = {0};

    (void)rest;
    show_evaluation(&lines, &client->session.game, session_network(&client->session));
    output_lines(&client->output, &lines);
}

static void command_bench_depth(Client *client, View rest) {
    View token = view_token(&rest);
    int64_t depth = 0;
    char quote[VIEW_QUOTE_SIZE];

    if (token.length > 0 && (!view_number(token, &depth) || depth < 1 || depth > DEPTH_MAX)) {
        view_quote(token, quote);
        output_error(&client->output, "bench: %s is not a depth within 1 and %d", quote, DEPTH_MAX);
        return;
    }
    uci_task(client)->depth = (int)depth;
    uci_tell_thread(client, session_run(&client->session, &(SessionWork){client, bench_work, bench_finish}));
}

typedef struct {
    const char *name;
    void (*run)(Client *client, View rest);
    bool idle; /* refused while the session is at work */
} Command;

static const Command COMMANDS[] = {
    {"uci", command_uci, false},
    {"isready", command_isready, false},
    {"ucinewgame", command_ucinewgame, true},
    {"setoption", command_setoption, true},
    {"position", command_position, true},
    {"go", command_go, true},
    {"stop", command_stop, false},
    {"ponderhit", command_ponderhit, false},
    {"quit", command_quit, false},
    {"d", command_d, false},
    {"eval", command_eval, false},
    {"perft", command_perft_depth, true},
    {"bench", command_bench_depth, true},
};

void uci_execute(Client *client, View line) {
    char quote[VIEW_QUOTE_SIZE];
    View rest = line;
    View name = view_token(&rest);

    output_log_input(&client->output, line);
    if (name.length == 0) {
        return;
    }
    for (size_t index = 0; index < sizeof COMMANDS / sizeof COMMANDS[0]; index++) {
        const Command *command = &COMMANDS[index];
        if (!view_equals(name, command->name)) {
            continue;
        }
        if (command->idle && session_busy(&client->session)) {
            output_error(&client->output, "'%s' is refused during a search", command->name);
        } else {
            command->run(client, rest);
        }
        return;
    }
    view_quote(name, quote);
    output_error(&client->output, "unknown command %s", quote);
}
