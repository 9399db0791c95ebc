/*
 * An engine as one who plays: started, given games and asked for moves, whatever dialect it speaks. All that
 * it does wrong comes back as a fault with the line that shows it; no fault ever stops the match.
 *
 * A fault ends the engine on the spot, for nothing that it says afterwards could be trusted; player_start
 * then starts it anew. Only FAULT_STOPPED, which is nobody's, leaves it as it is, to be stopped.
 */
#ifndef CROWNHEAD_MATCH_PLAYER_H
#define CROWNHEAD_MATCH_PLAYER_H

#include "engine/fen.h"
#include "engine/game.h"
#include "match/fault.h"
#include "match/process.h"
#include "match/spec.h"
#include "match/transcript.h"
#include "protocol/reader.h"

enum { PLAYER_FLOOD = 16 << 20 };

/* What the engine last said about its search. */
typedef struct {
    bool has_score;
    bool exact_win; /* the score counts plies to the end of the game */
    int score;      /* centi-men, mover's view; with exact_win: plies to the end, negative when losing */
    bool bound;     /* the score is only a bound, for the engine never told a better one */
    int depth;      /* plies, 0 = not told */
    uint64_t nodes; /* 0 = not told */
} PlayerReport;

typedef struct {
    Move move;
    int64_t elapsed; /* us from the go to the move */
    PlayerReport report;
} PlayerMove;

/* The two clocks when a move is asked for, by Color, ms. */
typedef struct {
    int64_t left[2];
    int64_t increment[2]; /* that each has after a move */
    int moves_to_go;      /* of the side to move, 0 = all */
} PlayerClocks;

enum {
    PLAYER_NAME_SIZE = 64,
    PLAYER_TEXT_SIZE = 1 << 20 /* far more than the moves of any game that draw rules allow */
};

typedef struct {
    const EngineSpec *spec;
    const Patience *patience;
    bool web_draws; /* told to engines that offer the option */
    Variant variant;
    int stop_fd;                   /* readable when the match is to be stopped, -1 = never */
    Transcript *transcript;        /* NULL = none; may be set at any time */
    int64_t game;                  /* its number, for the transcript; set by whoever plays */
    char name[PLAYER_NAME_SIZE];   /* as the engine calls itself, "" before the first handshake */
    char warning[FAULT_TEXT_SIZE]; /* one line: options that it does not offer or complains of, mostly "" */
    bool running;                  /* started, ready, and without a fault since */
    size_t descriptors;            /* as in ProcessCommand; whoever plays may set it after player_init */
    /* The rest is of concern to player.c and the dialects only. */
    Process process;
    Reader reader;
    char *text;                 /* what is being said to it, PLAYER_TEXT_SIZE bytes */
    size_t flood;               /* bytes that it wrote since it was last asked for something */
    int64_t arrival;            /* us, when the last of them were seen */
    int64_t looked;             /* us of the machine's clock, when talk_now was last asked */
    int64_t stood;              /* us by which the player's clock is behind it */
    char last[VIEW_QUOTE_SIZE]; /* the begin of its last line */
    size_t last_length;
} Player;

/* Sets up a player that is not started. What is pointed to has to outlive it. 0 or -ENOMEM. */
int player_init(Player *player, const EngineSpec *spec, const Patience *patience, Variant variant,
                bool web_draws, int stop_fd);

/*
 * Starts the process if it does not run, shakes hands, sends the options; what an engine that runs has to say
 * is left alone. Fills name and warning.
 */
bool player_start(Player *player, Fault *fault);

/* Tells a running engine that another game begins and waits till it is ready. */
bool player_new_game(Player *player, Fault *fault);

/*
 * Asks a running engine for a move in a game that began at start with these moves; game is the same, after
 * them, and has a legal move. The engine is set up and pinged first, which also finds answers that nobody
 * asked for; then the time runs. On a fault elapsed and the report are filled too, as far as it came.
 */
bool player_move(Player *player, const FenRecord *start, bool from_start, const Move *moves, size_t plies,
                 const Game *game, const PlayerClocks *clocks, PlayerMove *move, Fault *fault);

/* Pings a running engine at a game's end: an answer too many is a fault here. */
bool player_rest(Player *player, Fault *fault);

/* Ends the process, with "quit" and a second of patience if politely. *ignored_quit (may be NULL) tells. */
void player_stop(Player *player, bool politely, bool *ignored_quit);

/* Stops and frees. */
void player_deinit(Player *player);

#endif
