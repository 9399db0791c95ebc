/*
 * The search: give it a game and limits, it reports as it goes and answers with a move. It does no input or
 * output and knows no protocol.
 */
#ifndef CROWNHEAD_SEARCH_SEARCH_H
#define CROWNHEAD_SEARCH_SEARCH_H

#include "endgame/egdb.h"
#include "engine/game.h"
#include "engine/movegen.h"
#include "search/level.h"
#include "search/network.h"
#include "search/score.h"
#include "search/tt.h"

#include <stdatomic.h>

enum { THREADS_MAX = 256, MULTIPV_MAX = MOVES_MAX };

/* What bounds a search. A zeroed struct is an unbounded search. */
typedef struct {
    bool has_depth, has_nodes, has_movetime, has_clock, has_mate;
    int depth;              /* plies */
    uint64_t nodes;         /* of all threads */
    int64_t movetime;       /* ms */
    int64_t time[2];        /* ms left on the clock, by Color; below 0 counts as 0 */
    int64_t increment[2];   /* ms, by Color */
    int movestogo;          /* moves to the next time control, 0 = sudden death */
    int mate;               /* stop once a win in so many moves is found */
    bool infinite;          /* go on till control->stop, whatever the other limits say */
    bool ponder;            /* likewise, until control->ponderhit; time counts from there */
    bool analyse;           /* asked for to know, not to play: no level and no book of the session */
    int64_t overhead;       /* ms lost per move between the clock and us */
    int threads;            /* 0 counts as 1 */
    int multipv;            /* best lines wanted, 0 counts as 1 */
    Egdb *egdb;             /* databases of the game, NULL = none */
    const Network *network; /* the evaluation, NULL = the one built in */
    Level level;            /* plays no better than this, in one thread, whatever the other limits allow */
    MoveList searchmoves;   /* only these root moves, legal ones; empty = all */
} SearchLimits;

/* One line of a report. */
typedef struct {
    int depth, seldepth; /* plies */
    int multipv;         /* 1 = best */
    int score;
    Bound bound;
    uint64_t nodes;
    uint64_t tbhits; /* positions found in the databases */
    int64_t time;    /* ms since the search began */
    int hashfull;    /* permille */
    int length;      /* of pv */
    const Move *pv;  /* legal moves from the root */
} SearchInfo;

/* What a search tells on its way, each call from the thread that runs the search; either may be NULL. */
typedef struct {
    void *user;
    void (*on_info)(void *user, const SearchInfo *info);
    /* After 3 s, each root move as it is begun; number counts from 1. */
    void (*on_current)(void *user, Move move, int number);
} SearchReport;

typedef struct {
    Move best;   /* MOVE_NONE if there is no legal move */
    Move ponder; /* the reply expected, MOVE_NONE if unknown */
    int score;   /* of the best line */
    uint64_t nodes;
} SearchResult;

/* The controls of a running search, which other threads may touch. Zeroed = ready for a run. */
typedef struct {
    atomic_bool stop;
    atomic_bool ponderhit;
} SearchControl;

/*
 * Searches the game's current position till a limit or control->stop, and fills result. The caller keeps game
 * and tt alive; nobody else touches tt meanwhile. With one thread and no time limit, equal input gives equal
 * output on every machine. 0; -ENOMEM if there was no memory to begin, with result's best the first legal
 * move.
 */
int search_run(const Game *game, const SearchLimits *limits, TranspositionTable *tt, SearchControl *control,
               const SearchReport *report, SearchResult *result);

#endif
