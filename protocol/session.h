/*
 * One engine without a protocol: its settings, a game, a table, and the thread that searches. It reads and
 * writes no text. All functions are for one thread, the one that owns the session; the events come from the
 * session's thread.
 */
#ifndef CROWNHEAD_PROTOCOL_SESSION_H
#define CROWNHEAD_PROTOCOL_SESSION_H

#include "book/book.h"
#include "engine/game.h"
#include "search/search.h"

#include <pthread.h>

enum { SESSION_EGDB_CACHE = 16 << 20 /* bytes */ };
enum {
    SESSION_MEGABYTES = 64,
    SESSION_OVERHEAD = 20 /* ms */,
    SESSION_BOOK_MARGIN_MAX = 1000 /* centi-men */
};

/* What the owner may change while the session is idle. */
typedef struct {
    int threads;
    int multipv;
    int overhead;    /* ms */
    bool limited;    /* to a level, but for searches that analyse */
    int elo;         /* of the level, LEVEL_ELO_MIN..LEVEL_ELO_MAX */
    bool analysing;  /* all searches do */
    bool own_book;   /* plays from the book */
    int book_margin; /* centi-men; book moves worth so much less than the best are played too, */
    int book_plies;  /* in so many first plies of the game */
} SessionSettings;

/* Calls from the session's thread; the first two may be NULL. */
typedef struct {
    void *user;
    void (*on_info)(void *user, const SearchInfo *info);
    void (*on_current)(void *user, Move move, int number);
    /* The answer; the session is idle already. error: 0, or the negative errno of search_run. */
    void (*on_best)(void *user, const SearchResult *result, int error);
    /* After on_best or a work's finish: nothing more will be said. */
    void (*on_idle)(void *user);
} SessionEvents;

/*
 * Something else than a search for the session's thread. run does it and ends soon once control says stop;
 * finish is called after the session has become idle, so that whoever reads its answer may ask for the next
 * thing at once.
 */
typedef struct {
    void *user;
    void (*run)(void *user, SearchControl *control);
    void (*finish)(void *user);
} SessionWork;

typedef struct {
    SessionSettings settings;
    Game game; /* read it any time, also in a search */
    TranspositionTable tt;
    size_t megabytes; /* of the table */
    bool web_draws;   /* the draw rules of web sites instead of the game's own */
    uint64_t random;  /* state of random_next, for chance in the moves of a level and of a book */

    Egdb *egdb;              /* of the game, NULL = none */
    char *egdb_path;         /* NULL = what came with the program */
    int egdb_limit;          /* pieces; fuller positions are not looked up */
    size_t egdb_cache;       /* bytes of decoded blocks, from the next opening on */
    ParseError egdb_warning; /* of the last opening, "" = none */

    Network *network; /* read from a file, NULL = the one built in */

    Book book; /* of the game */

    SessionEvents events;
    SearchControl control;
    SearchLimits limits; /* of the last search */
    SessionWork work;
    pthread_t thread;
    bool joinable;
    bool busy; /* under mutex */
    pthread_mutex_t mutex;
    pthread_cond_t released; /* a search that is held back may answer */
} Session;

/*
 * Starts a session at the first position of the first game. The table is smaller than SESSION_MEGABYTES if
 * there is not enough memory. 0 or a negative errno.
 */
int session_init(Session *session, const SessionEvents *events);

/* Stops what is running and frees everything. */
void session_deinit(Session *session);

/* Whether the thread is at work and has not answered yet. */
bool session_busy(Session *session);

/* Whether it will answer only after session_stop (or session_ponderhit). */
bool session_unbounded(Session *session);

/*
 * The following need an idle session. They wait till all of the last answer is out.
 */

/*
 * Starts a search with the session's settings. 0, or a negative errno: there is no thread to be had, and the
 * search has been answered before the function returns, after no time for thought.
 */
int session_go(Session *session, const SearchLimits *limits);

/* Starts other work, in the same way. */
int session_run(Session *session, const SessionWork *work);

/* Takes over the game and what it owns. */
void session_set_game(Session *session, const Game *game);

/* A table of another size, empty. 0, or -ENOMEM and the old table as it was. */
int session_set_hash(Session *session, size_t megabytes);

/* Empties the table; its size stays. */
void session_clear_hash(Session *session);

/*
 * Endgame databases from other directories, separated by PATH_LIST_SEPARATOR; "" = none, NULL =
 * those that came with the program. What could not be opened is told in egdb_warning. 0, or -ENOMEM and all
 * as before.
 */
int session_set_egdb(Session *session, const char *path);

/*
 * The evaluation from a network's file; NULL = the one built in. False with one line in error, and all as
 * before.
 */
bool session_set_network(Session *session, const char *path, ParseError *error);

/* The evaluation that the next search will use. */
const Network *session_network(const Session *session);

/* The opening book of a file; NULL = the one built in. False with one line in error, and nothing changes. */
bool session_set_book(Session *session, const char *path, ParseError *error);

/* Looks up positions of at most so many pieces, 0..SLICE_PIECES_MAX, whatever the databases hold. */
void session_set_egdb_limit(Session *session, int pieces);

/*
 * Where chance in the moves of a level and of a book goes on from: equal seeds and equal searches give equal
 * moves. 0 = the clock.
 */
void session_set_seed(Session *session, uint64_t seed);

/* Another game: its first position, and nothing known about it. */
void session_set_variant(Session *session, Variant variant);

/*
 * Other draw rules for the game as it stands: they go by all that has been counted in it, but material
 * counts as there only since the last capture or promotion, and a king as on the main road only from now on.
 */
void session_set_web_draws(Session *session, bool web);

/* The game of the current variant from its first position again, and nothing known about it. */
void session_new_game(Session *session);

/* The draw rules that a new game of the current kind is to follow. */
const DrawRules *session_draws(const Session *session);

/*
 * The following may come at any time.
 */

/* Stops what is running, if anything, and waits till all of its answer is out. */
void session_stop(Session *session);

/* The move pondered on has been played: time counts from here. Nothing if no search is on. */
void session_ponderhit(Session *session);

#endif
