#include "checkerboard/host.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    STATUS_MS = 100,   /* between two looks at what the engine shows */
    PATIENCE_MS = 700, /* with an engine that was told to play now */
    UNTIMED_MS = 1000  /* for limits that the interface does not know */
};

void host_say(Host *host, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    pthread_mutex_lock(&host->output);
    vprintf(format, arguments);
    fputc('\n', stdout);
    fflush(stdout);
    pthread_mutex_unlock(&host->output);
    va_end(arguments);
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
    if (host->dialect->tell_status != NULL && line[0] != '\0' && strcmp(line, before) != 0) {
        host->dialect->tell_status(host, line);
        memcpy(before, line, sizeof line);
    }
}

static void tell_move(Host *host) {
    if (host->move == MOVE_NONE && host->fault.text[0] != '\0') {
        host->dialect->complain(host, host->fault.text);
    }
    /* Who reads the answer may ask for the next thing at once. */
    pthread_mutex_lock(&host->mutex);
    host->busy = false;
    pthread_cond_broadcast(&host->news);
    pthread_mutex_unlock(&host->mutex);
    host->dialect->tell_move(host, host->move);
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

bool host_busy(Host *host) {
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

static void start(Host *host) {
    host->busy = host->thinking = true;
    host->released = !host->limits.infinite && !host->limits.ponder;
    host->guest.playnow = 0;
    memset(host->guest.status, 0, sizeof host->guest.status);
    if (pthread_create(&host->thinker, NULL, think, host) != 0) {
        host->thinking = false;
        host->move = MOVE_NONE;
        snprintf(host->fault.text, sizeof host->fault.text, "no thread to think in");
        tell_move(host);
        return;
    }
    host->joinable = pthread_create(&host->talker, NULL, talk, host) == 0;
    if (!host->joinable) {
        talk(host);
    }
}

void host_go(Host *host, const SearchLimits *limits) {
    host_join(host);
    host->limits = *limits;
    if (limits->has_depth || limits->has_nodes || limits->has_mate || limits->searchmoves.count > 0) {
        host->dialect->complain(host, "go: a CheckerBoard engine knows no limits but time");
    }
    if (!limits->infinite && !limits->ponder && !limits->has_clock && !limits->has_movetime) {
        host->limits.has_movetime = true;
        host->limits.movetime = UNTIMED_MS;
    }
    start(host);
}

void host_release(Host *host) {
    guest_play_now(&host->guest);
    pthread_mutex_lock(&host->mutex);
    host->released = true;
    pthread_cond_broadcast(&host->news);
    pthread_mutex_unlock(&host->mutex);
}

bool host_wait(Host *host) {
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

/* ---- Settings ------------------------------------------------------------------------------------------ */

const HostOption HOST_OPTIONS[] = {
    {"Hash", "hash", "hashsize", 1, 65536},
    {"Threads", "threads", "searchthreads", 1, 256},
    {"EndgamePath", "bb-path", "dbpath", 0, 0},
    {"EndgameCache", "bb-cache", "dbmbytes", 1, 65536},
    {"EndgamePieces", "bb-size", "max_dbpieces", 0, 12},
    {"Book", "book-mode", "book", 0, 3},
    {"BookFile", "book-file", "bookfile", 0, 0},
};

const int HOST_OPTIONS_COUNT = sizeof HOST_OPTIONS / sizeof HOST_OPTIONS[0];

bool host_set_option(Host *host, const HostOption *option, View value, ParseError *error) {
    char reply[GUEST_TEXT_SIZE];
    char quote[VIEW_QUOTE_SIZE];
    int64_t number;

    view_quote(value, quote);
    if (option->maximum > 0 &&
        (!view_number(value, &number) || number < option->minimum || number > option->maximum)) {
        snprintf(error->text, sizeof error->text, "%s: %s is not within %d and %d", option->name, quote,
                 option->minimum, option->maximum);
        return false;
    }
    if (view_equals(value, "<empty>")) {
        value.length = 0;
    }
    if (!guest_set(&host->guest, option->setting, value, reply)) {
        snprintf(error->text, sizeof error->text, "%s: the engine refuses %s: %.60s", option->name, quote,
                 reply);
        return false;
    }
    return true;
}

bool host_set_variant(Host *host, View name, ParseError *error) {
    char quote[VIEW_QUOTE_SIZE];

    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        if (view_equals_nocase(name, rules_of(variant)->name) && guest_set_variant(&host->guest, variant)) {
            return true;
        }
    }
    view_quote(name, quote);
    snprintf(error->text, sizeof error->text, "%s is none of the games that the engine plays", quote);
    return false;
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

/* At the end of the input a search that has no limit is stopped, and any is waited for. */
static bool finish(Host *host) {
    pthread_mutex_lock(&host->mutex);
    bool endless = host->busy && (!host->released || !host->dialect->finishes);
    pthread_mutex_unlock(&host->mutex);
    if (endless) {
        host_release(host);
    }
    return host_wait(host);
}

/* The first line that is not empty chooses the dialect. */
static void choose_dialect(Host *host, View line) {
    static const HostDialect *const dialects[] = {&HOST_UCI, &HOST_HUB};

    host->dialect = dialects[0];
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        if (view_equals(view_trim(line), dialects[i]->hello)) {
            host->dialect = dialects[i];
        }
    }
}

/* Takes what the reader has. */
static void take(Host *host, ReaderStatus status, View line) {
    char fault[80];

    if (status == READER_LINE && view_trim(line).length == 0) {
        return;
    }
    if (host->dialect == NULL) {
        choose_dialect(host, line);
    }
    if (status == READER_LINE) {
        host->dialect->execute(host, line);
    } else if (status == READER_NUL) {
        host->dialect->complain(host, "a line with a NUL byte is ignored");
    } else {
        snprintf(fault, sizeof fault, "a line of more than %d bytes is ignored", READER_LINE_MAX);
        host->dialect->complain(host, fault);
    }
}

void host_command_stop(Host *host, View rest) {
    (void)rest;
    host_release(host);
    (void)host_wait(host);
}

void host_command_quit(Host *host, View rest) {
    (void)rest;
    host_release(host);
    host->quit = true;
}

bool host_run(Host *host) {
    while (!host->quit) {
        View line;
        ReaderStatus status = reader_next(&host->reader, &line);
        if (status == READER_END) {
            host->quit = true;
        } else if (status == READER_EMPTY) {
            reader_fill(&host->reader);
        } else {
            take(host, status, line);
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
