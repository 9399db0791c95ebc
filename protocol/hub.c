/*
 * The commands of the Hub protocol. The client need not wait for the answer to a search: whatever it says
 * next, but for what belongs to the search, ends it, so that every go has one done before the next command is
 * looked at. There is a session only from init on, or from the first command that needs it.
 */
#include "protocol/hub.h"

#include "protocol/hub_level.h"
#include "protocol/hub_line.h"
#include "protocol/hub_params.h"
#include "protocol/hub_show.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the protocol keeps about a client. */
typedef struct {
    HubParams params;
    HubLevel level;
} Hub;

static Hub *hub_of(const Client *client) {
    return client->state;
}

static HubNumbering hub_numbering(const Client *client) {
    return hub_frame_numbering((HubFrame)hub_of(client)->params.values[HUB_PARAM_FRAME],
                               client->session.game.variant);
}

/* Nothing in quotes can be a quote. */
static void hub_complain(Client *client, const char *fault) {
    char text[2 * sizeof(ParseError)];

    snprintf(text, sizeof text, "%s", fault);
    for (char *at = text; (at = strchr(at, '"')) != NULL;) {
        *at = '\'';
    }
    output_line(&client->output, "error message=\"%s\"", text);
}

static void complain(void *user, const char *fault) {
    hub_complain(user, fault);
}

static void on_info(void *user, const SearchInfo *info) {
    Client *client = user;
    Lines lines = {0};

    /* The protocol has no word for a bound, nor for a second line. */
    if (info->multipv == 1 && info->bound == BOUND_EXACT) {
        hub_show_info(&lines, hub_numbering(client), info);
        output_lines(&client->output, &lines);
    }
}

static void on_best(void *user, const SearchResult *result, int error) {
    Client *client = user;
    Lines lines = {0};
    char fault[120];

    if (error != 0) {
        snprintf(fault, sizeof fault, "the search could not begin: %s", strerror(-error));
        hub_complain(client, fault);
    }
    hub_show_done(&lines, hub_numbering(client), result);
    output_lines(&client->output, &lines);
}

/* Begins the session if there is none yet. False if it could not, and that was told. */
static bool hub_ensure_session(Client *client) {
    char fault[120];
    int error;

    if (client->has_session) {
        return true;
    }
    error = client_begin_session(client);
    if (error != 0) {
        snprintf(fault, sizeof fault, "the engine cannot start: %s", strerror(-error));
        hub_complain(client, fault);
        return false;
    }
    hub_params_apply(&hub_of(client)->params, &client->session, complain, client);
    return true;
}

static void command_hub(Client *client, View rest) {
    Lines lines = {0};

    (void)rest;
    lines_add(&lines, "id name=Crownhead version=" CROWNHEAD_VERSION
                      " author=\"the Crownhead developers\" country=\"\"\n");
    hub_params_write(&lines);
    lines_add(&lines, "wait\n");
    output_lines(&client->output, &lines);
}

static void command_set_param(Client *client, View rest) {
    HubParams *params = &hub_of(client)->params;
    View given_name = {rest.start, 0};
    View given_value = {rest.start, 0};
    View name, value;
    ParseError error;

    while (hub_line_item(&rest, &name, &value)) {
        if (view_equals(name, "name")) {
            given_name = value;
        } else if (view_equals(name, "value")) {
            given_value = value;
        }
    }
    if (given_name.length == 0) {
        hub_complain(client, "missing name");
    } else if (!hub_params_set(params, given_name, given_value, &error)) {
        hub_complain(client, error.text);
    } else if (client->has_session) {
        hub_params_apply(params, &client->session, complain, client);
    }
}

static void command_init(Client *client, View rest) {
    (void)rest;
    if (hub_ensure_session(client)) {
        output_line(&client->output, "ready");
    }
}

static void command_ping(Client *client, View rest) {
    (void)rest;
    output_line(&client->output, "pong");
}

static void command_new_game(Client *client, View rest) {
    (void)rest;
    if (client->has_session) {
        session_new_game(&client->session);
    }
}

/* Plays the moves up to the first that cannot be played, which is told. */
static void play_moves(Client *client, Game *game, View moves) {
    View token;

    while ((token = view_token(&moves)).length > 0) {
        ParseError error;
        Move move;
        if (!hub_move_read_as(game->variant, &game->position, hub_numbering(client), token, &move, &error)) {
            hub_complain(client, error.text);
            return;
        }
        int fault = game_play(game, move);
        if (fault != 0) {
            hub_complain(client, strerror(-fault));
            return;
        }
    }
}

static void command_pos(Client *client, View rest) {
    Hub *hub = hub_of(client);
    View given_position = {0};
    View moves = {rest.start, 0};
    View name, value;
    ParseError error;
    Game game;

    hub->level = (HubLevel){0};
    if (!hub_ensure_session(client)) {
        return;
    }
    while (hub_line_item(&rest, &name, &value)) {
        if (view_equals(name, "pos")) {
            given_position = value;
        } else if (view_equals(name, "moves")) {
            moves = value;
        }
    }
    Variant variant = client->session.game.variant;
    const DrawRules *draws = session_draws(&client->session);
    Position position = position_start(rules_of(variant));
    if (given_position.start != NULL) {
        if (!hub_position_read(given_position, &position, &error)) {
            hub_complain(client, error.text);
            return;
        }
        position = hub_frame_position((HubFrame)hub->params.values[HUB_PARAM_FRAME], variant, &position);
    }
    game_init(&game, variant, draws, &position, draw_state_init(draws, &position, 0), 1);
    play_moves(client, &game, moves);
    session_set_game(&client->session, &game);
}

static void command_level(Client *client, View rest) {
    hub_level_add(&hub_of(client)->level, rest, complain, client);
}

static void command_go(Client *client, View rest) {
    Session *session = &client->session;
    HubGoal goal = HUB_THINK;
    View name, value;
    char fault[120];

    while (hub_line_item(&rest, &name, &value)) {
        goal = view_equals(name, "think")     ? HUB_THINK
               : view_equals(name, "ponder")  ? HUB_PONDER
               : view_equals(name, "analyze") ? HUB_ANALYZE
                                              : goal;
    }
    /* Nothing holds the answer back where there is nothing to search. */
    if (!hub_ensure_session(client) || !movegen_has_move(session->game.variant, &session->game.position)) {
        output_line(&client->output, "done");
        return;
    }
    SearchLimits limits = hub_level_limits(&hub_of(client)->level, goal, (Color)session->game.position.turn,
                                           session->settings.overhead);
    int error = session_go(session, &limits);
    if (error != 0) {
        snprintf(fault, sizeof fault, "no thread to work in: %s", strerror(-error));
        hub_complain(client, fault);
    }
}

static void command_stop(Client *client, View rest) {
    (void)rest;
    if (client->has_session) {
        session_stop(&client->session);
    }
}

static void command_ponder_hit(Client *client, View rest) {
    (void)rest;
    if (client->has_session) {
        session_ponderhit(&client->session);
    }
}

static void command_quit(Client *client, View rest) {
    (void)rest;
    client->quit = true;
}

typedef struct {
    const char *name;
    void (*run)(Client *client, View rest);
    bool during_search; /* it does not end a search */
} Command;

static const Command COMMANDS[] = {
    {"hub", command_hub, false},
    {"set-param", command_set_param, false},
    {"init", command_init, false},
    {"new-game", command_new_game, false},
    {"pos", command_pos, false},
    {"level", command_level, false},
    {"go", command_go, false},
    {"stop", command_stop, true},
    {"ponder-hit", command_ponder_hit, true},
    {"ping", command_ping, true},
    {"quit", command_quit, false},
};

static int hub_begin(Client *client) {
    hub_params_init(&hub_of(client)->params);
    return 0;
}

static void hub_execute(Client *client, View line) {
    char quote[VIEW_QUOTE_SIZE];
    char fault[VIEW_QUOTE_SIZE + 40];
    const Command *command = NULL;
    View rest = line;
    View name = hub_line_command(&rest);

    if (name.length == 0 && rest.length == 0) {
        return;
    }
    for (size_t index = 0; index < sizeof COMMANDS / sizeof COMMANDS[0]; index++) {
        if (view_equals(name, COMMANDS[index].name)) {
            command = &COMMANDS[index];
        }
    }
    if (client->has_session && (command == NULL || !command->during_search)) {
        session_stop(&client->session);
    }
    if (command != NULL) {
        command->run(client, rest);
        return;
    }
    view_quote(name, quote);
    snprintf(fault, sizeof fault, "unknown command %s", quote);
    hub_complain(client, name.length > 0 ? fault : "missing command");
}

const Protocol PROTOCOL_HUB = {
    .hello = "hub",
    .state_size = sizeof(Hub),
    .finishes = false,
    .begin = hub_begin,
    .execute = hub_execute,
    .complain = hub_complain,
    .on_info = on_info,
    .on_best = on_best,
};
