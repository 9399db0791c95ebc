#include "match/talk.h"

#include "bench/stopwatch.h"
#include "match/dialect.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const int64_t END_PATIENCE = 500; /* ms for an engine to end that has closed a pipe */

static const int64_t LOOK = 200000;    /* us from look to look at the clock while waiting, at most */
static const int64_t ABSENCE = 500000; /* us without a look that mean that the match did not run */

int64_t talk_now(Player *player) {
    int64_t now = stopwatch_now() / 1000;
    int64_t unseen = now - player->looked;

    player->looked = now;
    if (unseen > ABSENCE) {
        player->stood += unseen - LOOK;
    }
    return now - player->stood;
}

/* ---- Faults -------------------------------------------------------------------------------------------- */

void talk_end(Player *player) {
    process_stop(&player->process, 0, NULL);
    reader_deinit(&player->reader);
    player->running = false;
}

bool talk_fail(Player *player, Fault *fault, FaultKind kind, const char *format, ...) {
    va_list arguments;

    fault->kind = kind;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    if (kind != FAULT_STOPPED) {
        talk_end(player);
    }
    return false;
}

bool talk_fail_after(Player *player, Fault *fault, FaultKind kind, const char *format, ...) {
    char what[FAULT_TEXT_SIZE];
    char quote[VIEW_QUOTE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (player->last_length == 0) {
        return talk_fail(player, fault, kind, "%s", what);
    }
    view_quote((View){player->last, player->last_length}, quote);
    return talk_fail(player, fault, kind, "%s; its last line: %s", what, quote);
}

bool talk_fail_late(Player *player, Fault *fault, const char *word, int64_t milliseconds) {
    return talk_fail_after(player, fault, FAULT_HANG, "no '%s' within %" PRId64 " ms", word, milliseconds);
}

static bool fail_stopped(Player *player, Fault *fault) {
    return talk_fail(player, fault, FAULT_STOPPED, "the match is being stopped");
}

/* The engine's output is at its end: mostly because the engine is, and then it is known how. */
static bool fail_ended(Player *player, Fault *fault) {
    char text[PROCESS_END_TEXT_SIZE];

    process_ended(&player->process, END_PATIENCE);
    process_end_write(&player->process.end, text);
    return talk_fail_after(player, fault, FAULT_CRASH, "%s", text);
}

/* ---- Lines --------------------------------------------------------------------------------------------- */

typedef enum { WAIT_READY, WAIT_LATE, WAIT_ENDED, WAIT_STOPPED } Wait;

/* Waits for a descriptor, the deadline (us), the end of the engine or of the match. Looks at least once. */
static Wait talk_wait(Player *player, int fd, short events, int64_t deadline) {
    struct pollfd descriptors[3] = {
        {.fd = fd, .events = events},
        {.fd = player->stop_fd, .events = POLLIN},
        {.fd = player->process.report, .events = POLLIN},
    };

    for (;;) {
        int64_t left = deadline - talk_now(player);
        int64_t wait = left < 0 ? 0 : left < LOOK ? left : LOOK;
        struct timespec time = {0, wait * 1000};
        if (ppoll(descriptors, 3, &time, NULL) > 0) {
            return descriptors[1].revents != 0   ? WAIT_STOPPED
                   : descriptors[0].revents != 0 ? WAIT_READY
                                                 : WAIT_ENDED;
        }
        if (left <= 0) {
            return WAIT_LATE;
        }
    }
}

/* The engine's input is closed; its last words may tell more. */
static bool fail_closed(Player *player, Fault *fault) {
    int64_t deadline = talk_now(player) + END_PATIENCE * 1000;
    View line;

    for (;;) {
        switch (talk_hear(player, deadline, &line, fault)) {
        case HEARD_LINE:
        case HEARD_BROKEN:
            break;
        case HEARD_NOTHING:
            return talk_fail_after(player, fault, FAULT_CRASH, "it closed its input");
        case HEARD_FAULT:
            return false;
        }
    }
}

/* Notes the lines of a text. */
static void note(const Player *player, char direction, View text) {
    while (player->transcript != NULL && text.length > 0) {
        const char *end = memchr(text.start, '\n', text.length);
        View line = {text.start, end != NULL ? (size_t)(end - text.start) : text.length};
        transcript_add(player->transcript, direction, player->spec->name, player->game, line);
        text = view_skip(text, end != NULL ? line.length + 1 : text.length);
    }
}

bool talk_say(Player *player, const Text *text, Fault *fault) {
    int64_t deadline = talk_now(player) + player->patience->ping * 1000;
    const char *bytes = text->start;
    size_t left = text->length;

    assert(text->length + 1 < text->size);
    note(player, '>', (View){text->start, text->length});
    player->flood = 0;
    while (left > 0) {
        /* So much is written whole or not at all. */
        size_t count = left < PIPE_BUF ? left : PIPE_BUF;
        int error = process_write(&player->process, bytes, count, 0);
        if (error == 0) {
            bytes += count;
            left -= count;
            continue;
        }
        if (error != -ETIMEDOUT) {
            return fail_closed(player, fault);
        }
        switch (talk_wait(player, player->process.input, POLLOUT, deadline)) {
        case WAIT_READY:
            break;
        case WAIT_LATE:
            return talk_fail_after(player, fault, FAULT_HANG, "it does not read its input");
        case WAIT_ENDED:
            return fail_closed(player, fault);
        case WAIT_STOPPED:
            return fail_stopped(player, fault);
        }
    }
    return true;
}

void talk_quit(Player *player) {
    const View quit = view_of("quit\n");

    note(player, '>', quit);
    process_write(&player->process, quit.start, quit.length, 0);
}

static void keep_last(Player *player, View line) {
    size_t length = line.length < sizeof player->last ? line.length : sizeof player->last;

    if (length > 0) {
        memcpy(player->last, line.start, length);
        player->last_length = length;
    }
}

/* Whether a line that is no text was meant to be an answer. */
static bool is_broken_answer(const Player *player, View line) {
    return talk_line_is((View){line.start, strnlen(line.start, line.length)}, player->spec->dialect->answer);
}

Heard talk_hear(Player *player, int64_t deadline, View *line, Fault *fault) {
    Reader *reader = &player->reader;

    for (;;) {
        ReaderStatus status = reader_next(reader, line);
        if (status == READER_LINE) {
            note(player, '<', *line);
            keep_last(player, *line);
            return HEARD_LINE;
        }
        if (status == READER_END) {
            fail_ended(player, fault);
            return HEARD_FAULT;
        }
        if (status != READER_EMPTY) {
            note(player, '<',
                 view_of(status == READER_NUL ? "(a line with NUL bytes)" : "(a line without end)"));
            if (is_broken_answer(player, *line)) {
                return HEARD_BROKEN;
            }
            continue;
        }
        if (player->flood > PLAYER_FLOOD) {
            talk_fail_after(player, fault, FAULT_FLOOD, "more than %d bytes for one answer", PLAYER_FLOOD);
            return HEARD_FAULT;
        }
        /* Without an end to it, an engine that talks on and on would never be late. */
        if (player->arrival > deadline) {
            return HEARD_NOTHING;
        }
        switch (talk_wait(player, player->process.output, POLLIN, deadline)) {
        case WAIT_READY:
            break;
        case WAIT_LATE:
            return HEARD_NOTHING;
        case WAIT_ENDED:
            reader->ended = true;
            continue;
        case WAIT_STOPPED:
            fail_stopped(player, fault);
            return HEARD_FAULT;
        }
        player->arrival = talk_now(player);
        size_t before = reader->end - reader->start;
        reader_fill(reader);
        player->flood += reader->end - reader->start - before;
    }
}

bool talk_line_is(View line, const char *word) {
    return view_equals(view_token(&line), word);
}

bool talk_await(Player *player, const char *word, int64_t begin, int64_t milliseconds, Fault *fault) {
    View line;
    char quote[VIEW_QUOTE_SIZE];

    for (;;) {
        Heard heard = talk_hear(player, begin + milliseconds * 1000, &line, fault);
        switch (heard) {
        case HEARD_FAULT:
            return false;
        case HEARD_NOTHING:
            return talk_fail_late(player, fault, word, milliseconds);
        case HEARD_LINE:
        case HEARD_BROKEN:
            break;
        }
        if (heard == HEARD_LINE && talk_line_is(line, word)) {
            return true;
        }
        if (heard == HEARD_BROKEN || talk_line_is(line, player->spec->dialect->answer)) {
            view_quote(line, quote);
            return talk_fail(player, fault, FAULT_TWICE, "%s without being asked", quote);
        }
    }
}
