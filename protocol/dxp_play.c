/* The loop around a peer of DXP, and what each message means in each state. */
#include "protocol/dxp_play.h"

#include "protocol/dxp_game.h"
#include "search/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    CHATTER_MAX = 100,    /* messages from one move to the next; more is a flood */
    CHATTER_REQUEST = 10, /* a request counts as so many, as its answer takes 0.1 s */
    PARTING = 1000        /* ms that a peer has to close the connection */
};

typedef enum {
    STATE_IDLE,      /* the follower waits for GAMEREQ */
    STATE_REQUESTED, /* the initiator waits for GAMEACC */
    STATE_OWN_TURN,
    STATE_PEER_TURN,
    STATE_ENDING, /* GAMEEND is sent, its answer awaited */
    STATE_OVER    /* the peer is done with */
} State;

typedef struct {
    DxpPlayer *player;
    DxpLink *link;
    State state;
    int64_t deadline; /* ms of clock_now, of the states in which the peer has to answer */
    int chatter;
    bool broken;
    DxpRequest request; /* of the game, or wanted */
    DxpGame game;
} Peer;

/* ---- The peer ---- */

/* Gives a peer up. */
__attribute__((format(printf, 2, 3))) static void peer_drop(Peer *peer, const char *format, ...) {
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (peer->state != STATE_OVER) {
        fprintf(stderr, "dxp: %s: %s\n", peer->link->peer, text);
        peer->state = STATE_OVER;
        peer->broken = true;
    }
}

static void peer_send(Peer *peer, const DxpMessage *message) {
    int error = peer->state == STATE_OVER ? 0 : dxp_link_send(peer->link, message);

    if (error != 0) {
        peer_drop(peer, "cannot send to it: %s", error == -EAGAIN ? "it does not read" : strerror(-error));
    }
}

/* Enters a state in which the peer has so many ms to answer, unless it is given up already. */
static void peer_await(Peer *peer, State state, int64_t extra) {
    if (peer->state != STATE_OVER) {
        peer->state = state;
        peer->deadline = clock_now() + peer->player->options->patience + (extra > 0 ? extra : 0);
    }
}

static void write_own_name(char name[static DXP_NAME_MAX + 1]) {
    snprintf(name, DXP_NAME_MAX + 1, "Crownhead " CROWNHEAD_VERSION);
}

/* ---- Before a game ---- */

/* The initiator asks for the next game: each position twice, first with the side that begins. */
static void peer_request_game(Peer *peer) {
    const DxpOptions *options = peer->player->options;
    uint64_t number = peer->player->begun;
    Position position = position_start(rules_of(options->variant));
    DxpMessage message = {.kind = DXP_GAMEREQ};
    DxpRequest *request = &message.request;

    if (options->positions_count > 0) {
        position = options->positions[number / 2 % options->positions_count];
    }
    request->version = DXP_VERSION;
    write_own_name(request->name);
    request->minutes = options->minutes;
    request->moves = options->moves;
    dxp_game_write_board(&position, request);
    request->follower = number % 2 == 0 ? color_opponent(request->turn) : request->turn;
    peer->request = *request;
    peer_send(peer, &message);
    peer_await(peer, STATE_REQUESTED, 0);
}

/* Waits for a game or asks for one; with stop there is to be none. */
static void peer_next_game(Peer *peer, bool stop) {
    peer->chatter = 0;
    if (stop) {
        peer->state = STATE_OVER;
    } else if (peer->player->options->initiator) {
        peer_request_game(peer);
    } else {
        peer_await(peer, STATE_IDLE, 0);
    }
}

static void peer_take_turn(Peer *peer);

static void peer_begin_game(Peer *peer, const char *opponent) {
    DxpPlayer *player = peer->player;

    player->begun++;
    session_new_game(&player->session);
    output_line(&player->output, "game %" PRIu64 ": Crownhead has %s against %s, %d min", player->begun,
                peer->game.own == WHITE ? "White" : "Black", opponent, peer->request.minutes);
    peer->game.turn_began = clock_now();
    peer_take_turn(peer);
}

/* Whether the game that a request asks for can be played; it is begun then. */
static DxpAnswer judge_request(Peer *peer) {
    DxpPlayer *player = peer->player;
    ParseError error;

    if (peer->request.version != DXP_VERSION) {
        return DXP_WRONG_VERSION;
    }
    if (!dxp_game_begin(&peer->game, player->options->variant, session_draws(&player->session),
                        &peer->request, peer->request.follower, &error)) {
        fprintf(stderr, "dxp: %s: a game is refused: %s\n", peer->link->peer, error.text);
        return DXP_WRONG_GAME;
    }
    return DXP_ACCEPTED;
}

static void on_gamereq(Peer *peer, const DxpRequest *request) {
    DxpMessage answer = {.kind = DXP_GAMEACC};

    if (peer->state != STATE_IDLE) {
        peer_drop(peer, peer->state == STATE_REQUESTED ? "it wants to be the initiator too"
                                                       : "a GAMEREQ in the middle of a game");
        return;
    }
    peer->request = *request;
    write_own_name(answer.acceptance.name);
    answer.acceptance.answer = judge_request(peer);
    peer_send(peer, &answer);
    if (answer.acceptance.answer == DXP_ACCEPTED && peer->state == STATE_IDLE) {
        peer_begin_game(peer, request->name);
    }
}

static void on_gameacc(Peer *peer, const DxpAcceptance *acceptance) {
    static const char *const REASONS[] = {"", "wrong version", "not this game", "no games"};
    DxpPlayer *player = peer->player;
    ParseError error;

    if (peer->state != STATE_REQUESTED) {
        peer_drop(peer, "a GAMEACC that answers nothing");
    } else if (acceptance->answer != DXP_ACCEPTED) {
        peer_drop(peer, "it refuses the game: %s", REASONS[acceptance->answer]);
    } else if (!dxp_game_begin(&peer->game, player->options->variant, session_draws(&player->session),
                               &peer->request, color_opponent(peer->request.follower), &error)) {
        peer_drop(peer, "%s", error.text);
    } else {
        peer_begin_game(peer, acceptance->name);
    }
}

/* ---- In a game ---- */

/* Begins to think. Without a thread to think in the answer is there at once, a plain one. */
static void peer_think(Peer *peer) {
    Session *session = &peer->player->session;
    SearchLimits limits = dxp_game_limits(&peer->game, peer->player->options->movetime);
    Game copy;
    int error = game_copy(&copy, &peer->game.game);

    if (error != 0) {
        peer_drop(peer, "%s", strerror(-error));
        return;
    }
    session_set_game(session, &copy);
    session_go(session, &limits);
}

/* The game has got to its next position: who is to move thinks, or says that it is over. */
static void peer_take_turn(Peer *peer) {
    Result result = game_result(&peer->game.game, NULL);

    peer->chatter = 0;
    if (peer->game.game.position.turn != peer->game.own) {
        int64_t left = peer->game.clocked ? peer->game.left[color_opponent(peer->game.own)] : 0;
        peer_await(peer, STATE_PEER_TURN, left);
    } else if (result == RESULT_OPEN) {
        peer->state = STATE_OWN_TURN;
        peer_think(peer);
    } else {
        DxpEnd end = {
            .reason = result == RESULT_DRAW                     ? DXP_DRAWN
                      : result == result_won_by(peer->game.own) ? DXP_I_WIN
                                                                : DXP_I_LOSE,
            .stop = dxp_player_done(peer->player),
        };
        peer_send(peer, &(DxpMessage){.kind = DXP_GAMEEND, .end = end});
        peer_await(peer, STATE_ENDING, 0);
    }
}

static void peer_play(Peer *peer, Move move) {
    int error = dxp_game_play(&peer->game, move);

    if (error != 0) {
        peer_drop(peer, "%s", strerror(-error));
    } else {
        peer_take_turn(peer);
    }
}

/* The search has answered. */
static void peer_answer(Peer *peer) {
    int seconds = (int)((clock_now() - peer->game.turn_began) / 1000);
    DxpMessage message = {.kind = DXP_MOVE};

    session_stop(&peer->player->session);
    message.move = dxp_game_write_move(peer->player->answer.best, seconds);
    peer_send(peer, &message);
    if (peer->state == STATE_OWN_TURN) {
        peer_play(peer, peer->player->answer.best);
    }
}

static void on_move(Peer *peer, const DxpMove *given) {
    ParseError error;
    Move move;

    if (peer->state != STATE_PEER_TURN) {
        peer_drop(peer, "a MOVE out of turn");
    } else if (!dxp_game_read_move(&peer->game, given, &move, &error)) {
        peer_drop(peer, "%s", error.text);
    } else {
        dxp_link_heard(peer->link);
        peer_play(peer, move);
    }
}

/* ---- The end of a game ---- */

/* What the game was to us, and why; by its rules if they know, else by what was said. */
static const char *judge_end(const Peer *peer, DxpReason said_by_peer, const char **reason) {
    Result result = game_result(&peer->game.game, reason);

    if (result == RESULT_OPEN) {
        *reason = "as the other side says";
        switch (said_by_peer) {
        case DXP_I_LOSE:
            return "won";
        case DXP_DRAWN:
            return "drawn";
        case DXP_I_WIN:
            return "lost";
        default:
            *reason = "the other side does not say why";
            return "ended";
        }
    }
    return result == RESULT_DRAW ? "drawn" : result == result_won_by(peer->game.own) ? "won" : "lost";
}

static void peer_tell_result(Peer *peer, DxpReason said_by_peer) {
    const char *reason;
    const char *result = judge_end(peer, said_by_peer, &reason);

    output_line(&peer->player->output, "game %" PRIu64 ": %s after %d plies: %s", peer->player->begun, result,
                peer->game.played[WHITE] + peer->game.played[BLACK], reason);
}

/* Both have said that the game is over. */
static void peer_end_game(Peer *peer, bool stop) {
    dxp_game_deinit(&peer->game);
    if (peer->state != STATE_OVER) {
        peer_next_game(peer, stop);
    }
}

/* A GAMEEND; outside of a game it is a late answer, and nothing is said to it. */
static void on_gameend(Peer *peer, const DxpEnd *end) {
    bool stop = dxp_player_done(peer->player);

    if (peer->state == STATE_ENDING) {
        peer_tell_result(peer, DXP_NO_REASON);
        peer_end_game(peer, stop || end->stop);
    } else if (peer->state == STATE_OWN_TURN || peer->state == STATE_PEER_TURN) {
        session_stop(&peer->player->session);
        peer_send(peer, &(DxpMessage){.kind = DXP_GAMEEND, .end = {DXP_NO_REASON, stop}});
        peer_tell_result(peer, end->reason);
        peer_end_game(peer, stop || end->stop);
    }
}

/* ---- The loop ---- */

static void peer_execute(Peer *peer, View text) {
    DxpMessage message;
    ParseError error;

    if (!dxp_read(text, &message, &error)) {
        peer_drop(peer, "%s", error.text);
        return;
    }
    peer->chatter += message.kind == DXP_BACKREQ || message.kind == DXP_GAMEREQ ? CHATTER_REQUEST : 1;
    if (peer->chatter > CHATTER_MAX) {
        peer_drop(peer, "a flood of messages without a move");
        return;
    }
    switch (message.kind) {
    case DXP_GAMEREQ:
        on_gamereq(peer, &message.request);
        break;
    case DXP_GAMEACC:
        on_gameacc(peer, &message.acceptance);
        break;
    case DXP_MOVE:
        on_move(peer, &message.move);
        break;
    case DXP_GAMEEND:
        on_gameend(peer, &message.end);
        break;
    case DXP_CHAT:
        output_line(&peer->player->output, "chat: %s", message.chat);
        break;
    case DXP_BACKREQ:
        /* No: 8x8 programs do not agree on which move has which number. */
        peer_send(peer, &(DxpMessage){.kind = DXP_BACKACC, .back_answer = DXP_NOT_BACK});
        break;
    default:
        break; /* we never ask to go back */
    }
}

/* Carries out the messages that are here. */
static void peer_take_messages(Peer *peer) {
    View text;
    DxpBufferStatus status = DXP_WHOLE;

    while (peer->state != STATE_OVER && status == DXP_WHOLE) {
        status = dxp_buffer_next(&peer->link->buffer, &text);
        if (status == DXP_WHOLE) {
            peer_execute(peer, text);
        } else if (status == DXP_TOO_LONG) {
            peer_drop(peer, "more than %d bytes without an end of message", DXP_MESSAGE_MAX);
        }
    }
}

/* Whether the game is over by its rules and only the peer has not said so. */
static bool peer_owes_end(const Peer *peer) {
    return peer->state == STATE_ENDING ||
           (peer->state == STATE_PEER_TURN && game_result(&peer->game.game, NULL) != RESULT_OPEN);
}

/* The peer has closed the connection, which it may do when no game is on. */
static void peer_leave(Peer *peer, int error) {
    if (peer_owes_end(peer)) {
        peer_tell_result(peer, DXP_NO_REASON);
        peer->state = STATE_OVER;
    } else if (peer->state == STATE_IDLE) {
        peer->state = STATE_OVER;
    } else {
        peer_drop(peer, "it has left %s a game%s%s", peer->state == STATE_REQUESTED ? "before" : "in",
                  error != 0 ? ": " : "", error != 0 ? strerror(-error) : "");
    }
}

static void peer_time_out(Peer *peer) {
    static const char *const AWAITED[] = {
        [STATE_IDLE] = "GAMEREQ",
        [STATE_REQUESTED] = "GAMEACC",
        [STATE_PEER_TURN] = "MOVE",
        [STATE_ENDING] = "answer to GAMEEND",
    };

    if (peer_owes_end(peer)) {
        peer_tell_result(peer, DXP_NO_REASON);
    }
    peer_drop(peer, "no %s in time", AWAITED[peer->state]);
}

/* Waits for the peer or for the search, and reads what the peer has sent. */
static void peer_wait(Peer *peer) {
    char bytes[64];
    int64_t left = peer->deadline - clock_now();
    struct pollfd descriptors[2] = {
        {.fd = peer->link->fd, .events = POLLIN},
        {.fd = peer->player->wake[0], .events = POLLIN},
    };

    if (peer->state != STATE_OWN_TURN && left <= 0) {
        peer_time_out(peer);
        return;
    }
    if (poll(descriptors, 2, peer->state == STATE_OWN_TURN ? -1 : (int)(left < 60000 ? left : 60000)) <= 0) {
        return;
    }
    if (descriptors[1].revents != 0) {
        (void)!read(peer->player->wake[0], bytes, sizeof bytes);
    }
    if (descriptors[0].revents != 0) {
        int count = dxp_link_fill(peer->link);
        if (count <= 0 && count != -EAGAIN) {
            peer_leave(peer, count);
        }
    }
}

bool dxp_play(DxpPlayer *player, DxpLink *link) {
    Peer peer = {.player = player, .link = link};

    peer_next_game(&peer, false);
    while (peer.state != STATE_OVER && !output_broken(&player->output)) {
        peer_take_messages(&peer);
        if (peer.state == STATE_OWN_TURN && !session_busy(&player->session)) {
            peer_answer(&peer);
        } else if (peer.state != STATE_OVER) {
            peer_wait(&peer);
        }
    }
    session_stop(&player->session);
    dxp_game_deinit(&peer.game);
    if (player->options->initiator) {
        dxp_link_shut(link);
    }
    dxp_link_close(link, peer.broken ? 0 : PARTING);
    return !peer.broken;
}

/* ---- The player ---- */

static void on_best(void *user, const SearchResult *result, int error) {
    DxpPlayer *player = user;

    if (error != 0) {
        fprintf(stderr, "dxp: the search could not begin: %s\n", strerror(-error));
    }
    player->answer = *result;
}

static void on_idle(void *user) {
    DxpPlayer *player = user;
    (void)!write(player->wake[1], "", 1);
}

int dxp_player_init(DxpPlayer *player, const DxpOptions *options, int output, size_t megabytes) {
    SessionEvents events = {.user = player, .on_best = on_best, .on_idle = on_idle};
    int error;

    *player = (DxpPlayer){.options = options};
    if (pipe2(player->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        return -errno;
    }
    error = output_init(&player->output, output, player->wake[1]);
    if (error != 0) {
        goto error_pipe;
    }
    error = session_init(&player->session, &events);
    if (error != 0) {
        goto error_output;
    }
    session_set_variant(&player->session, options->variant);
    error = session_set_hash(&player->session, megabytes);
    if (error == 0) {
        return 0;
    }
    session_deinit(&player->session);
error_output:
    output_deinit(&player->output);
error_pipe:
    close(player->wake[0]);
    close(player->wake[1]);
    return error;
}

void dxp_player_deinit(DxpPlayer *player) {
    session_deinit(&player->session);
    output_deinit(&player->output);
    close(player->wake[0]);
    close(player->wake[1]);
}

bool dxp_player_done(const DxpPlayer *player) {
    uint64_t games = player->options->games;

    return (games != 0 && player->begun >= games) || output_broken(&player->output);
}
