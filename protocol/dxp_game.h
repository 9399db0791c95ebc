/* One game by DXP: whose turn it is, the clocks, and what is agreed on; without the messages' exchange. */
#ifndef CROWNHEAD_PROTOCOL_DXP_GAME_H
#define CROWNHEAD_PROTOCOL_DXP_GAME_H

#include "engine/game.h"
#include "protocol/dxp_frame.h"
#include "search/search.h"

enum { DXP_MOVETIME = 1000 /* ms for a move where nothing bounds the time */ };

typedef struct {
    Game game;
    Color own;          /* whom we play */
    bool clocked;       /* a game of 0 minutes is played without clocks */
    int moves;          /* of each side that the time is meant for, 0 = all */
    int played[2];      /* moves, by Color */
    int64_t left[2];    /* ms, by Color; not of the turn that is on, and below 0 after a flag has fallen */
    int64_t turn_began; /* ms of clock_now */
} DxpGame;

/*
 * Begins the game that a request asks for. False if its board is none of this game; error is one line then,
 * and game as it was.
 */
bool dxp_game_begin(DxpGame *game, Variant variant, const DrawRules *draws, const DxpRequest *request,
                    Color own, ParseError *error);

/* Frees what the game owns; a zeroed game is fine. */
void dxp_game_deinit(DxpGame *game);

/* Puts a position into a request. */
void dxp_game_write_board(const Position *position, DxpRequest *request);

/* Finds the legal move that is meant, or returns false and fills error with one line. */
bool dxp_game_read_move(const DxpGame *game, const DxpMove *given, Move *move, ParseError *error);

DxpMove dxp_game_write_move(Move move, int seconds);

/* Plays a legal move of the side to move, which takes the time since its turn began. 0 or -ENOMEM. */
int dxp_game_play(DxpGame *game, Move move);

/* What bounds our thinking about the next move; movetime in ms is a bound besides the clock, 0 = none. */
SearchLimits dxp_game_limits(const DxpGame *game, int64_t movetime);

#endif
