/* Crownhead behind the CheckerBoard interface: a session, and what the interface has of its own. */
#ifndef CROWNHEAD_CHECKERBOARD_ENGINE_H
#define CROWNHEAD_CHECKERBOARD_ENGINE_H

#include "checkerboard/api.h"
#include "protocol/session.h"
#include "system/path.h"

typedef struct {
    Session session;
    atomic_int variant; /* of the session, for those who ask while it thinks */

    /* Settings beyond those of the session. */
    bool wld;                  /* whether databases are used */
    char db_path[PATH_SIZE];   /* "" = those that came with the library */
    int book;                  /* 0 = none, else which moves of it */
    char book_file[PATH_SIZE]; /* "" = the one built in */

    Game history; /* as "set gamehist" told it */
    bool has_history;

    pthread_mutex_t using; /* held while a move is thought about or a setting changed */
    pthread_mutex_t mutex; /* over the following, which come from the session's thread */
    pthread_cond_t news;
    bool done;
    SearchResult result;
    char status[CB_STATUS_SIZE];
} CbEngine;

/* 0 or a negative errno. The engine must stay where it is. */
int cb_engine_init(CbEngine *engine, Variant variant);

/* Frees all but an engine that is in use. */
void cb_engine_deinit(CbEngine *engine);

/* The functions of api.h. Calls of the first wait for each other, and the second never waits. */
int cb_engine_move(CbEngine *engine, int board[8][8], int color, double maxtime, char *status, int *playnow,
                   int info, int moreinfo, CbMove *move);
bool cb_engine_command(CbEngine *engine, const char *command, char reply[static CB_REPLY_SIZE]);
bool cb_engine_is_legal(const CbEngine *engine, int board[8][8], int color, int from, int to, CbMove *move);

#endif
