/* The referee: plays one game between two players by the rules of the engine library and says who won. */
#ifndef CROWNHEAD_MATCH_REFEREE_H
#define CROWNHEAD_MATCH_REFEREE_H

#include "endgame/egdb.h"
#include "match/opening.h"
#include "match/player.h"

/* When both sides have seen scores this close to 0 for so many moves, the game is a draw. */
typedef struct {
    int move_number; /* not before this full move */
    int move_count;  /* moves of each side, 0 = no such adjudication */
    int score;       /* centi-men */
} DrawAdjudication;

/* When a side has seen itself this far behind for so many moves, it loses. */
typedef struct {
    int move_count; /* moves of that side, 0 = no such adjudication */
    int score;      /* centi-men, positive */
    bool two_sided; /* its opponent must see it so too */
} ResignAdjudication;

typedef struct {
    bool web_draws; /* the rules common on web sites instead of the federation's */
    DrawAdjudication draw;
    ResignAdjudication resign;
    int moves_max;          /* full moves from the opening's first position, then it is a draw; 0 = no end */
    bool material_tiebreak; /* where a draw rule's limit is reached, pieces decide, then kings */
    Egdb *egdb;             /* endgame databases that end a game as soon as they know it, NULL = none */
} Arbitration;

static inline const DrawRules *arbitration_draws(const Arbitration *arbitration, Variant variant) {
    return arbitration->web_draws ? &DRAW_RULES_WEB : &rules_of(variant)->draws;
}

typedef struct {
    Move move;
    bool from_opening; /* nobody thought about it: no time, no report */
    int64_t elapsed;   /* us */
    PlayerReport report;
} GameMove;

/* What ended a game. */
typedef enum { CAUSE_RULES, CAUSE_TIEBREAK, CAUSE_ADJUDICATION, CAUSE_FAULT } Cause;

enum { GAME_REASON_SIZE = FAULT_TEXT_SIZE + 64 };

typedef struct {
    FenRecord start;
    bool from_start;
    GameMove *moves; /* the opening's first */
    size_t plies, capacity;
    Result result; /* RESULT_OPEN: neither player could come, or one for want of the machine's; no game */
    Cause cause;
    char reason[GAME_REASON_SIZE];
    bool started[2];     /* by Color: its process was started for this game, and ready */
    Fault faults[2];     /* by Color: with CAUSE_FAULT, of who lost by it or did not come */
    Fault afterwards[2]; /* by Color: what a player did wrong when the game was over; changes no result */
} PlayedGame;

/* Who lost a game that is no draw. */
static inline Color played_game_loser(const PlayedGame *game) {
    return game->result == RESULT_WHITE_WINS ? BLACK : WHITE;
}

/* The fault that lost the game, FAULT_NONE if none did. */
static inline FaultKind played_game_fault(const PlayedGame *game) {
    return game->cause == CAUSE_FAULT ? game->faults[played_game_loser(game)].kind : FAULT_NONE;
}

/*
 * Plays a game. players are by Color; both are started if need be and told that a game begins. Faults of
 * theirs lose the game and leave them stopped. 0; -ECANCELED if the match was stopped, -ENOMEM.
 */
int referee_play(const Arbitration *arbitration, Variant variant, const Opening *opening, Player *players[2],
                 PlayedGame *game);

void played_game_deinit(PlayedGame *game);

#endif
