/* Games by DXP with one peer after the other: who may say what when, and the engine behind it. */
#ifndef CROWNHEAD_PROTOCOL_DXP_PLAY_H
#define CROWNHEAD_PROTOCOL_DXP_PLAY_H

#include "protocol/dxp_link.h"
#include "protocol/output.h"
#include "protocol/session.h"

typedef struct {
    Variant variant;
    bool initiator;
    uint64_t games;      /* that may begin, 0 = no bound */
    int64_t patience;    /* ms that the peer may be silent, besides what its clock gives it */
    int movetime;        /* ms for a move of ours besides the clock, 0 = none */
    int minutes, moves;  /* that the initiator asks for */
    Position *positions; /* that the initiator begins at, each with both colours; NULL = the game's first */
    size_t positions_count;
} DxpOptions;

/* What outlives a peer. */
typedef struct {
    const DxpOptions *options;
    Session session;
    Output output; /* results and chat */
    int wake[2];   /* a pipe: a byte in it says that the search has answered, or that the output is gone */
    SearchResult answer;
    uint64_t begun; /* games */
} DxpPlayer;

/* Begins the engine; output is a descriptor. 0 or a negative errno. The player may not be moved. */
int dxp_player_init(DxpPlayer *player, const DxpOptions *options, int output, size_t megabytes);

void dxp_player_deinit(DxpPlayer *player);

/* Whether all games have begun, or nobody reads the output any more. */
bool dxp_player_done(const DxpPlayer *player);

/*
 * Plays with a peer till there are no more games, and closes the link. False if it was broken off, after one
 * line on stderr about it.
 */
bool dxp_play(DxpPlayer *player, DxpLink *link);

#endif
