/* The UCI dialect for checkers around a CheckerBoard engine. */
#include "checkerboard/host.h"
#include "engine/notation.h"
#include "protocol/go.h"
#include "protocol/setoption.h"

#include <stdio.h>
#include <string.h>

static void complain(void *user, const char *line) {
    host_say(user, "info string error: %s", line);
}

static void tell_status(Host *host, const char *line) {
    host_say(host, "info string %.900s", line);
}

static void tell_move(Host *host, Move move) {
    const Game *game = &host->guest.game;
    char text[MOVE_TEXT_SIZE] = "(none)";

    if (move != MOVE_NONE) {
        move_write(game->variant, &game->position, move, text);
    }
    host_say(host, "bestmove %s", text);
}

static void tell_options(Host *host) {
    char value[GUEST_TEXT_SIZE];

    for (int i = 0; i < HOST_OPTIONS_COUNT; i++) {
        const HostOption *option = &HOST_OPTIONS[i];
        if (!guest_get(&host->guest, option->setting, value)) {
            continue;
        }
        if (option->maximum > 0) {
            host_say(host, "option name %s type spin default %.20s min %d max %d", option->name, value,
                     option->minimum, option->maximum);
        } else {
            host_say(host, "option name %s type string default %.500s", option->name,
                     value[0] != '\0' ? value : "<empty>");
        }
    }
    char games[GUEST_TEXT_SIZE] = "";
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        size_t length = strlen(games);
        if (host->guest.plays[variant]) {
            snprintf(games + length, sizeof games - length, " var %s", rules_of(variant)->name);
        }
    }
    host_say(host, "option name UCI_Variant type combo default %s%s", rules_of(host->guest.variant)->name,
             games);
}

static bool set_option(Host *host, View name, View value, ParseError *error) {
    char quote[VIEW_QUOTE_SIZE];

    for (int i = 0; i < HOST_OPTIONS_COUNT; i++) {
        if (setoption_name_is(name, HOST_OPTIONS[i].name)) {
            return host_set_option(host, &HOST_OPTIONS[i], value, error);
        }
    }
    view_quote(name, quote);
    snprintf(error->text, sizeof error->text, "setoption: unknown option %s", quote);
    return false;
}

static void command_uci(Host *host, View rest) {
    (void)rest;
    host_say(host, "id name %s", host->guest.name);
    host_say(host, "id author of a CheckerBoard engine");
    tell_options(host);
    host_say(host, "uciok");
}

static void command_isready(Host *host, View rest) {
    (void)rest;
    host_say(host, "readyok");
}

static void command_ucinewgame(Host *host, View rest) {
    (void)rest;
    host->guest.reset = true;
}

static void command_setoption(Host *host, View rest) {
    SetOption words;
    ParseError error;
    bool done = setoption_read(rest, &words, &error);

    if (done && setoption_name_is(words.name, "UCI_Variant")) {
        done = host_set_variant(host, words.value, &error);
    } else if (done) {
        done = set_option(host, words.name, words.value, &error);
    }
    if (!done) {
        complain(host, error.text);
    }
}

static void command_position(Host *host, View rest) {
    ParseError error;

    if (!guest_set_position(&host->guest, rest, &error)) {
        host_say(host, "info string error: position: %s", error.text);
    }
}

static void command_go(Host *host, View rest) {
    const Game *game = &host->guest.game;
    GoRequest request = go_read(rest, game->variant, &game->position, complain, host);
    SearchLimits *limits = &request.limits;

    if (request.kind != GO_SEARCH) {
        if (request.kind == GO_PERFT) {
            complain(host, "go: a CheckerBoard engine does not count");
        }
        return;
    }
    limits->overhead = HOST_OVERHEAD;
    host_go(host, limits);
}

static const struct {
    const char *name;
    void (*run)(Host *host, View rest);
    bool idle; /* refused while the engine thinks */
} COMMANDS[] = {
    {"uci", command_uci, true},
    {"isready", command_isready, false},
    {"ucinewgame", command_ucinewgame, true},
    {"setoption", command_setoption, true},
    {"position", command_position, true},
    {"go", command_go, true},
    {"stop", host_command_stop, false},
    /* The interface cannot turn one kind of thinking into the other. */
    {"ponderhit", host_command_stop, false},
    {"quit", host_command_quit, false},
};

static void execute(Host *host, View line) {
    char quote[VIEW_QUOTE_SIZE];
    View rest = line;
    View name = view_token(&rest);

    if (name.length == 0) {
        return;
    }
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
        if (view_equals(name, COMMANDS[i].name)) {
            if (COMMANDS[i].idle && host_busy(host)) {
                host_say(host, "info string error: '%s' is refused during a search", COMMANDS[i].name);
            } else {
                COMMANDS[i].run(host, rest);
            }
            return;
        }
    }
    view_quote(name, quote);
    host_say(host, "info string error: unknown command %s", quote);
}

const HostDialect HOST_UCI = {
    .hello = "uci",
    .finishes = true,
    .execute = execute,
    .complain = complain,
    .tell_status = tell_status,
    .tell_move = tell_move,
};
