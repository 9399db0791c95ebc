/* A CheckerBoard engine as a process that speaks the UCI dialect for checkers. */
#ifndef CROWNHEAD_CHECKERBOARD_HOST_H
#define CROWNHEAD_CHECKERBOARD_HOST_H

#include "checkerboard/guest.h"
#include "protocol/reader.h"

#include <pthread.h>

typedef struct {
    Guest guest;
    Reader reader;
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
} Host;

/* 0 or a negative errno. The guest is taken over. */
int host_init(Host *host, const Guest *guest, int input);

/*
 * Serves a client to its end. False if the engine did not stop: then it still runs, and the host must stay
 * where it is.
 */
bool host_run(Host *host);

/* After a host_run that was true. */
void host_deinit(Host *host);

#endif
