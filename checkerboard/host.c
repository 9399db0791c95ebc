#include "checkerboard/host.h"

#include "engine/notation.h"
#include "protocol/go.h"
#include "protocol/setoption.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    STATUS_MS = 100,   /* between two looks at what the engine shows */
    PATIENCE_MS = 700, /* with an engine that was told to play now */
    OVERHEAD_MS = 20,  /* of a clock, kept back at each move */
    UNTIMED_MS = 1000  /* for limits that the interface does not know */
};

/* ---- Lines --------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 0))) static void say_arguments(Host *host, const char *prefix,
                                                                const char *format, va_list arguments) {
    pthread_mutex_lock(&host->output);
    fputs(prefix, stdout);
    vprintf(format, arguments);
    fputc('\n', stdout);
    fflush(stdout);
    pthread_mutex_unlock(&host->output);
}

__attribute__((format(printf, 2, 3))) static void say(Host *host, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    say_arguments(host, "", format, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 2, 3))) static void complain(Host *host, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    say_arguments(host, "info string error: ", format, arguments);
    va_end(arguments);
}

static void complain_line(void *user, const char *line) {
    complain(user, "%s", line);
}

/* ---- Thinking ------------------------------------------------------------------------------------------ */

/* Waits for news for so long at most; under the mutex. */
static void wait_for_news(Host *host, int milliseconds) {
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += milliseconds * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&host->news, &host->mutex, &until);
}

static void *think(void *argument) {
    Host *host = argument;

    host->move = guest_think(&host->guest, &host->limits, &host->fault);
    pthread_mutex_lock(&host->mutex);
    host->thinking = false;
    pthread_cond_broadcast(&host->news);
    pthread_mutex_unlock(&host->mutex);
    return NULL;
}

/* Tells what the engine shows if it is not what it showed before. */
static void tell_status(Host *host, char before[static GUEST_TEXT_SIZE]) {
    char line[GUEST_TEXT_SIZE];

    guest_status(&host->guest, line);
    if (line[0] != '\0' && strcmp(line, before) != 0) {
        say(host, "info string %.900s", line);
        memcpy(before, line, sizeof line);
    }
}

static void tell_move(Host *host) {
    const Game *game = &host->guest.game;
    char text[MOVE_TEXT_SIZE] = "(none)";

    if (host->move != MOVE_NONE) {
        move_write(game->variant, &game->position, host->move, text);
    } else if (host->fault.text[0] != '\0') {
        complain(host, "%s", host->fault.text);
    }
    /* Who reads the answer may ask for the next thing at once. */
    pthread_mutex_lock(&host->mutex);
    host->busy = false;
    pthread_cond_broadcast(&host->news);
    pthread_mutex_unlock(&host->mutex);
    say(host, "bestmove %s", text);
}

static void *talk(void *argument) {
    Host *host = argument;
    char before[GUEST_TEXT_SIZE] = "";

    pthread_mutex_lock(&host->mutex);
    while (host->thinking || !host->released) {
        wait_for_news(host, STATUS_MS);
        if (host->thinking) {
            pthread_mutex_unlock(&host->mutex);
            tell_status(host, before);
            pthread_mutex_lock(&host->mutex);
        }
    }
    pthread_mutex_unlock(&host->mutex);
    pthread_join(host->thinker, NULL);
    tell_status(host, before);
    tell_move(host);
    return NULL;
}

static bool host_busy(Host *host) {
    pthread_mutex_lock(&host->mutex);
    bool busy = host->busy;
    pthread_mutex_unlock(&host->mutex);
    return busy;
}

static void host_join(Host *host) {
    if (host->joinable) {
        pthread_join(host->talker, NULL);
        host->joinable = false;
    }
}

static void host_go(Host *host, const SearchLimits *limits) {
    host_join(host);
    host->limits = *limits;
    host->busy = host->thinking = true;
    host->released = !limits->infinite && !limits->ponder;
    host->guest.playnow = 0;
    memset(host->guest.status, 0, sizeof host->guest.status);
    if (pthread_create(&host->thinker, NULL, think, host) != 0) {
        host->busy = host->thinking = false;
        complain(host, "no thread to think in");
        say(host, "bestmove (none)");
        return;
    }
    host->joinable = pthread_create(&host->talker, NULL, talk, host) == 0;
    if (!host->joinable) {
        talk(host);
    }
}

static void host_stop(Host *host) {
    guest_play_now(&host->guest);
    pthread_mutex_lock(&host->mutex);
    host->released = true;
    pthread_cond_broadcast(&host->news);
    pthread_mutex_unlock(&host->mutex);
}

/* Waits for the answer, if one is due; false if an engine that was told to play now does not return. */
static bool host_wait(Host *host) {
    int waited = 0;

    pthread_mutex_lock(&host->mutex);
    while (host->busy && (host->guest.playnow == 0 || waited < PATIENCE_MS)) {
        wait_for_news(host, STATUS_MS);
        waited += host->guest.playnow != 0 ? STATUS_MS : 0;
    }
    bool idle = !host->busy;
    pthread_mutex_unlock(&host->mutex);
    if (idle) {
        host_join(host);
    }
    return idle;
}

/* ---- Options ------------------------------------------------------------------------------------------- */

/* What an engine may let be set: its own name for it, and ours. */
typedef struct {
    const char *name;
    const char *setting;
    int minimum, maximum; /* both 0: a text */
} HostOption;

static const HostOption OPTIONS[] = {
    {"Hash", "hashsize", 1, 65536},  {"Threads", "searchthreads", 1, 256},
    {"EndgamePath", "dbpath", 0, 0}, {"EndgameCache", "dbmbytes", 1, 65536},
    {"Book", "book", 0, 3},          {"BookFile", "bookfile", 0, 0},
};

enum { OPTIONS_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

static void tell_options(Host *host) {
    char value[GUEST_TEXT_SIZE];

    for (int i = 0; i < OPTIONS_COUNT; i++) {
        const HostOption *option = &OPTIONS[i];
        if (!guest_get(&host->guest, option->setting, value)) {
            continue;
        }
        if (option->maximum > 0) {
            say(host, "option name %s type spin default %.20s min %d max %d", option->name, value,
                option->minimum, option->maximum);
        } else {
            say(host, "option name %s type string default %.500s", option->name,
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
    say(host, "option name UCI_Variant type combo default %s%s", rules_of(host->guest.variant)->name, games);
}

static void set_variant(Host *host, View value) {
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        if (view_equals_nocase(value, rules_of(variant)->name) && guest_set_variant(&host->guest, variant)) {
            return;
        }
    }
    char quote[VIEW_QUOTE_SIZE];
    view_quote(value, quote);
    complain(host, "UCI_Variant: %s is none of the choices", quote);
}

static void set_option(Host *host, const HostOption *option, View value) {
    char reply[GUEST_TEXT_SIZE];
    char quote[VIEW_QUOTE_SIZE];
    int64_t number;

    view_quote(value, quote);
    if (option->maximum > 0 &&
        (!view_number(value, &number) || number < option->minimum || number > option->maximum)) {
        complain(host, "%s: %s is not within %d and %d", option->name, quote, option->minimum,
                 option->maximum);
        return;
    }
    if (view_equals(value, "<empty>")) {
        value.length = 0;
    }
    if (!guest_set(&host->guest, option->setting, value, reply)) {
        complain(host, "%s: the engine refuses %s: %.500s", option->name, quote, reply);
    }
}

/* ---- Commands ------------------------------------------------------------------------------------------ */

static void command_uci(Host *host, View rest) {
    (void)rest;
    say(host, "id name %s", host->guest.name);
    say(host, "id author of a CheckerBoard engine");
    tell_options(host);
    say(host, "uciok");
}

static void command_isready(Host *host, View rest) {
    (void)rest;
    say(host, "readyok");
}

static void command_ucinewgame(Host *host, View rest) {
    (void)rest;
    host->guest.reset = true;
}

static void command_setoption(Host *host, View rest) {
    char quote[VIEW_QUOTE_SIZE];
    SetOption words;
    ParseError error;

    if (!setoption_read(rest, &words, &error)) {
        complain(host, "%s", error.text);
        return;
    }
    if (setoption_name_is(words.name, "UCI_Variant")) {
        set_variant(host, words.value);
        return;
    }
    for (int i = 0; i < OPTIONS_COUNT; i++) {
        if (setoption_name_is(words.name, OPTIONS[i].name)) {
            set_option(host, &OPTIONS[i], words.value);
            return;
        }
    }
    view_quote(words.name, quote);
    complain(host, "setoption: unknown option %s", quote);
}

static void command_position(Host *host, View rest) {
    ParseError error;

    if (!guest_set_position(&host->guest, rest, &error)) {
        complain(host, "position: %s", error.text);
    }
}

static void command_go(Host *host, View rest) {
    const Game *game = &host->guest.game;
    GoRequest request = go_read(rest, game->variant, &game->position, complain_line, host);
    SearchLimits *limits = &request.limits;

    if (request.kind != GO_SEARCH) {
        if (request.kind == GO_PERFT) {
            complain(host, "go: a CheckerBoard engine does not count");
        }
        return;
    }
    if (limits->has_depth || limits->has_nodes || limits->has_mate || limits->searchmoves.count > 0) {
        complain(host, "go: a CheckerBoard engine knows no limits but time");
    }
    if (!limits->infinite && !limits->ponder && !limits->has_clock && !limits->has_movetime) {
        limits->has_movetime = true;
        limits->movetime = UNTIMED_MS;
    }
    limits->overhead = OVERHEAD_MS;
    host_go(host, limits);
}

/* Waits for the answer, so that what comes next finds an idle engine, but not for an engine that hangs. */
static void command_stop(Host *host, View rest) {
    (void)rest;
    host_stop(host);
    (void)host_wait(host);
}

static void command_quit(Host *host, View rest) {
    (void)rest;
    host_stop(host);
    host->quit = true;
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
    {"stop", command_stop, false},
    {"ponderhit", command_stop, false}, /* the interface cannot turn one kind of thinking into the other */
    {"quit", command_quit, false},
};

static void host_execute(Host *host, View line) {
    char quote[VIEW_QUOTE_SIZE];
    View rest = line;
    View name = view_token(&rest);

    if (name.length == 0) {
        return;
    }
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
        if (view_equals(name, COMMANDS[i].name)) {
            if (COMMANDS[i].idle && host_busy(host)) {
                complain(host, "'%s' is refused during a search", COMMANDS[i].name);
            } else {
                COMMANDS[i].run(host, rest);
            }
            return;
        }
    }
    view_quote(name, quote);
    complain(host, "unknown command %s", quote);
}

/* ---- The host ------------------------------------------------------------------------------------------ */

int host_init(Host *host, const Guest *guest, int input) {
    *host = (Host){.guest = *guest};
    if (pthread_mutex_init(&host->output, NULL) != 0 || pthread_mutex_init(&host->mutex, NULL) != 0 ||
        pthread_cond_init(&host->news, NULL) != 0) {
        return -ENOMEM;
    }
    return reader_init(&host->reader, input);
}

/* At the end of the input a search without a limit is stopped, and any is waited for. */
static bool finish(Host *host) {
    pthread_mutex_lock(&host->mutex);
    bool endless = host->busy && !host->released;
    pthread_mutex_unlock(&host->mutex);
    if (endless) {
        host_stop(host);
    }
    return host_wait(host);
}

bool host_run(Host *host) {
    while (!host->quit) {
        View line;
        switch (reader_next(&host->reader, &line)) {
        case READER_LINE:
            host_execute(host, line);
            break;
        case READER_EMPTY:
            reader_fill(&host->reader);
            break;
        case READER_TOO_LONG:
            complain(host, "a line of more than %d bytes is ignored", READER_LINE_MAX);
            break;
        case READER_NUL:
            complain(host, "a line with a NUL byte is ignored");
            break;
        case READER_END:
            host->quit = true;
            break;
        }
    }
    return finish(host);
}

void host_deinit(Host *host) {
    reader_deinit(&host->reader);
    guest_deinit(&host->guest);
    pthread_cond_destroy(&host->news);
    pthread_mutex_destroy(&host->mutex);
    pthread_mutex_destroy(&host->output);
}
