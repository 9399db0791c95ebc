/*
 * The functions of the shared library. The interface has no handle for an engine, so that a process can only
 * have one; it is the one variable of the project that outlives its function.
 */
#include "checkerboard/engine.h"

#ifndef CROWNHEAD_CB_VARIANT
#define CROWNHEAD_CB_VARIANT VARIANT_DEFAULT
#endif

/* The only functions that are seen from outside. */
CB_EXPORT CbGetMove getmove;
CB_EXPORT CbEngineCommand enginecommand;
CB_EXPORT CbIsLegal islegal;

static struct {
    pthread_once_t once;
    bool ready;
    CbEngine engine;
} library = {.once = PTHREAD_ONCE_INIT};

/* Not when the library is loaded: a program that only looks at libraries need not wait for databases. */
static void start(void) {
    library.ready = cb_engine_init(&library.engine, CROWNHEAD_CB_VARIANT) == 0;
}

static CbEngine *engine(void) {
    pthread_once(&library.once, start);
    return library.ready ? &library.engine : NULL;
}

__attribute__((destructor)) static void finish(void) {
    if (library.ready) {
        cb_engine_deinit(&library.engine);
        library.ready = false;
    }
}

int CB_CALL getmove(int board[8][8], int color, double maxtime, char status[CB_STATUS_SIZE], int *playnow,
                    int info, int moreinfo, CbMove *move) {
    return engine() == NULL
               ? CB_UNKNOWN
               : cb_engine_move(engine(), board, color, maxtime, status, playnow, info, moreinfo, move);
}

int CB_CALL enginecommand(const char *command, char reply[CB_REPLY_SIZE]) {
    char unread[CB_REPLY_SIZE];

    return engine() != NULL && command != NULL &&
           cb_engine_command(engine(), command, reply != NULL ? reply : unread);
}

int CB_CALL islegal(int board[8][8], int color, int from, int to, CbMove *move) {
    return engine() != NULL && cb_engine_is_legal(engine(), board, color, from, to, move);
}
