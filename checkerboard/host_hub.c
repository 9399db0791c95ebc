/*
 * The Hub protocol around a CheckerBoard engine. Whatever the client says next, but for what belongs to the
 * search, ends it, so that every go has one done.
 */
#include "checkerboard/host.h"
#include "engine/hub_notation.h"
#include "engine/movegen.h"
#include "protocol/hub_line.h"

#include <stdio.h>
#include <string.h>

/* Nothing in quotes can be a quote. */
static void complain(void *user, const char *fault) {
    char text[2 * sizeof(ParseError)];

    snprintf(text, sizeof text, "%s", fault);
    for (char *at = text; (at = strchr(at, '"')) != NULL;) {
        *at = '\'';
    }
    host_say(user, "error message=\"%s\"", text);
}

static void tell_move(Host *host, Move move) {
    char text[HUB_MOVE_SIZE];

    if (move == MOVE_NONE) {
        host_say(host, "done");
        return;
    }
    hub_move_write(move, text);
    host_say(host, "done move=%s", text);
}

/* ---- Commands ------------------------------------------------------------------------------------------ */

static void tell_params(Host *host) {
    char value[GUEST_TEXT_SIZE], games[GUEST_TEXT_SIZE] = "";

    for (int i = 0; i < HOST_OPTIONS_COUNT; i++) {
        const HostOption *option = &HOST_OPTIONS[i];
        if (!guest_get(&host->guest, option->setting, value)) {
            continue;
        }
        if (option->maximum > 0) {
            host_say(host, "param name=%s value=%.20s type=int min=%d max=%d", option->param, value,
                     option->minimum, option->maximum);
        } else {
            host_say(host, "param name=%s value=\"%.500s\" type=string", option->param, value);
        }
    }
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        size_t length = strlen(games);
        if (host->guest.plays[variant]) {
            snprintf(games + length, sizeof games - length, "%s%s", length > 0 ? " " : "",
                     rules_of(variant)->name);
        }
    }
    host_say(host, "param name=variant value=%s type=enum values=\"%s\"", rules_of(host->guest.variant)->name,
             games);
}

static void command_hub(Host *host, View rest) {
    char name[sizeof host->guest.name];

    (void)rest;
    snprintf(name, sizeof name, "%s", host->guest.name);
    for (char *at = name; (at = strchr(at, '"')) != NULL;) {
        *at = '\'';
    }
    host_say(host, "id name=\"%s\" version=\"\" author=\"\" country=\"\"", name);
    tell_params(host);
    host_say(host, "wait");
}

/* Of two arguments with these names, their values; both are empty at first. */
static void read_two(View rest, const char *first, View *one, const char *second, View *other) {
    View name, value;

    *one = *other = (View){rest.start, 0};
    while (hub_line_item(&rest, &name, &value)) {
        *one = view_equals(name, first) ? value : *one;
        *other = view_equals(name, second) ? value : *other;
    }
}

/* Clients set parameters of all engines: one that is unknown is ignored. */
static void command_set_param(Host *host, View rest) {
    View name, value;
    ParseError error;
    bool done = true;

    read_two(rest, "name", &name, "value", &value);
    if (name.length == 0) {
        complain(host, "missing name");
        return;
    }
    if (view_equals(name, "variant")) {
        done = host_set_variant(host, value, &error);
    }
    for (int i = 0; i < HOST_OPTIONS_COUNT; i++) {
        if (view_equals(name, HOST_OPTIONS[i].param)) {
            done = host_set_option(host, &HOST_OPTIONS[i], value, &error);
        }
    }
    if (!done) {
        complain(host, error.text);
    }
}

static void command_init(Host *host, View rest) {
    (void)rest;
    host_say(host, "ready");
}

static void command_ping(Host *host, View rest) {
    (void)rest;
    host_say(host, "pong");
}

static void command_new_game(Host *host, View rest) {
    (void)rest;
    host->guest.reset = true;
}

static void command_pos(Host *host, View rest) {
    View position, moves;
    ParseError error;

    host->level = (HubLevel){0};
    read_two(rest, "pos", &position, "moves", &moves);
    if (!guest_set_hub_position(&host->guest, position, moves, &error)) {
        complain(host, error.text);
    }
}

static void command_level(Host *host, View rest) {
    hub_level_add(&host->level, rest, complain, host);
}

static void command_go(Host *host, View rest) {
    HubGoal goal = HUB_THINK;
    View name, value;

    while (hub_line_item(&rest, &name, &value)) {
        goal = view_equals(name, "think")     ? HUB_THINK
               : view_equals(name, "ponder")  ? HUB_PONDER
               : view_equals(name, "analyze") ? HUB_ANALYZE
                                              : goal;
    }
    /* Nothing holds the answer back where there is nothing to think about. */
    if (!movegen_has_move(host->guest.variant, &host->guest.game.position)) {
        host_say(host, "done");
        return;
    }
    SearchLimits limits =
        hub_level_limits(&host->level, goal, (Color)host->guest.game.position.turn, HOST_OVERHEAD);
    host_go(host, &limits);
}

static const struct {
    const char *name;
    void (*run)(Host *host, View rest);
    bool during_search; /* it does not end a search */
} COMMANDS[] = {
    {"hub", command_hub, false},
    {"set-param", command_set_param, false},
    {"init", command_init, false},
    {"new-game", command_new_game, false},
    {"pos", command_pos, false},
    {"level", command_level, false},
    {"go", command_go, false},
    {"stop", host_command_stop, true},
    {"ponder-hit", host_command_stop, true}, /* one kind of thinking cannot be turned into the other */
    {"ping", command_ping, true},
    {"quit", host_command_quit, true},
};

static void execute(Host *host, View line) {
    char quote[VIEW_QUOTE_SIZE];
    char fault[VIEW_QUOTE_SIZE + 40];
    View rest = line;
    View name = hub_line_command(&rest);

    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
        if (!view_equals(name, COMMANDS[i].name)) {
            continue;
        }
        if (!COMMANDS[i].during_search) {
            host_release(host);
            if (!host_wait(host)) {
                complain(host, "the engine does not stop thinking");
                return;
            }
        }
        COMMANDS[i].run(host, rest);
        return;
    }
    view_quote(name, quote);
    snprintf(fault, sizeof fault, "unknown command %s", quote);
    complain(host, name.length > 0 ? fault : "missing command");
}

const HostDialect HOST_HUB = {
    .hello = "hub",
    .execute = execute,
    .complain = complain,
    .tell_move = tell_move,
};
