/*
 * A CheckerBoard engine as a process: lines of a client come in, the engine in the library thinks, and its
 * moves go out. What the lines mean is a dialect, a table of functions.
 */
#ifndef CROWNHEAD_CHECKERBOARD_HOST_H
#define CROWNHEAD_CHECKERBOARD_HOST_H

#include "checkerboard/guest.h"
#include "protocol/hub_level.h"
#include "protocol/reader.h"

#include <pthread.h>

enum { HOST_OVERHEAD = 20 /* ms of a clock, kept back at each move */ };

typedef struct Host Host;

typedef struct {
    const char *hello; /* the line that a client of this dialect begins with */
    bool finishes;     /* after the end of the input a search that has a limit goes on to it */
    void (*execute)(Host *host, View line);
    void (*complain)(void *host, const char *fault);
    void (*tell_status)(Host *host, const char *line); /* what the engine shows; or NULL */
    void (*tell_move)(Host *host, Move move);          /* MOVE_NONE if it has none */
} HostDialect;

extern const HostDialect HOST_UCI, HOST_HUB;

struct Host {
    Guest guest;
    Reader reader;
    const HostDialect *dialect; /* NULL before the first line */
    HubLevel level;             /* of the Hub protocol, since the last position */
    bool quit;

    pthread_t talker; /* tells what the engine shows, and its move */
    pthread_t thinker;
    bool joinable;
    SearchLimits limits;
    Move move;
    ParseError fault;

    pthread_mutex_t output;
    pthread_mutex_t mutex; /* over the following */
    pthread_cond_t news;
    bool busy;     /* no answer has been given yet */
    bool thinking; /* the engine's function has not returned */
    bool released; /* it may answer; else it waits for "stop" or "ponderhit" */
};

/* 0 or a negative errno. The guest is taken over. */
int host_init(Host *host, const Guest *guest, int input);

/*
 * Serves a client to its end. False if the engine did not stop: then it still runs, and the host must stay
 * where it is.
 */
bool host_run(Host *host);

/* After a host_run that was true. */
void host_deinit(Host *host);

/* For dialects. */

/* Writes one line, given without its end. */
__attribute__((format(printf, 2, 3))) void host_say(Host *host, const char *format, ...);

/* Whether an answer is due. */
bool host_busy(Host *host);

/* Lets an idle engine think. Limits that its interface does not know are complained about. */
void host_go(Host *host, const SearchLimits *limits);

/* Tells the engine to play, and that its answer is wanted. */
void host_release(Host *host);

/*
 * Waits for the answer, if one is due, so that what comes next finds an idle engine. False if an engine that
 * was told to play now does not return.
 */
bool host_wait(Host *host);

/* The commands "stop" and "quit", which mean the same in all dialects. */
void host_command_stop(Host *host, View rest);
void host_command_quit(Host *host, View rest);

/* An engine's own names of what can be set, and the numbers that it may have; both 0: a text. */
typedef struct {
    const char *name;    /* in the UCI dialect */
    const char *param;   /* in the Hub protocol */
    const char *setting; /* in the interface */
    int minimum, maximum;
} HostOption;

extern const HostOption HOST_OPTIONS[];
extern const int HOST_OPTIONS_COUNT;

/* Passes a value on. False with one line in error if it is none, or if the engine refuses it. */
bool host_set_option(Host *host, const HostOption *option, View value, ParseError *error);

/* Chooses a game by its name. False with one line in error if the engine does not play it. */
bool host_set_variant(Host *host, View name, ParseError *error);

#endif
