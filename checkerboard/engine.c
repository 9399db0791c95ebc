#include "checkerboard/engine.h"

#include "checkerboard/board.h"
#include "engine/notation.h"
#include "engine/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PLAYNOW_MS = 5 /* between two looks at playnow */ };

/* A time for analysis is not meant to end. */
static const double SECONDS_MAX = 1e6;

/* From here on a time is one. */
static const double ANALYSIS_SECONDS = 3600;

/* ---- What the session says ----------------------------------------------------------------------------- */

static void add_moves(Text *text, const Game *game, const Move *moves, int count) {
    Position position = game->position;

    for (int i = 0; i < count; i++) {
        char move[MOVE_TEXT_SIZE];
        move_write(game->variant, &position, moves[i], move);
        text_add_char(text, ' ');
        text_add(text, move);
        position = position_after(&position, moves[i]);
    }
}

static void on_info(void *user, const SearchInfo *info) {
    CbEngine *engine = user;
    int64_t milliseconds = info->time > 0 ? info->time : 1;
    double speed = (double)info->nodes / (double)milliseconds;
    const char *bound = info->bound == BOUND_LOWER   ? " or more"
                        : info->bound == BOUND_UPPER ? " or less"
                                                     : "";

    pthread_mutex_lock(&engine->mutex);
    Text text = text_init(engine->status, sizeof engine->status);
    text.length = (size_t)snprintf(engine->status, sizeof engine->status,
                                   "depth %d/%d  value %+.2f%s  time %.2f s  nodes %" PRIu64
                                   "  speed %.0f kN/s  db %" PRIu64 "  pv",
                                   info->depth, info->seldepth, info->score / 100.0, bound,
                                   (double)info->time / 1000, info->nodes, speed, info->tbhits);
    add_moves(&text, &engine->session.game, info->pv, info->length);
    pthread_mutex_unlock(&engine->mutex);
}

static void on_best(void *user, const SearchResult *result, int error) {
    CbEngine *engine = user;

    pthread_mutex_lock(&engine->mutex);
    engine->result = *result;
    if (error != 0) {
        snprintf(engine->status, sizeof engine->status, "the search could not begin: %s", strerror(-error));
    }
    pthread_mutex_unlock(&engine->mutex);
}

static void on_idle(void *user) {
    CbEngine *engine = user;

    pthread_mutex_lock(&engine->mutex);
    engine->done = true;
    pthread_cond_signal(&engine->news);
    pthread_mutex_unlock(&engine->mutex);
}

/* ---- The engine ---------------------------------------------------------------------------------------- */

int cb_engine_init(CbEngine *engine, Variant variant) {
    SessionEvents events = {engine, on_info, NULL, on_best, on_idle};

    *engine = (CbEngine){.wld = true};
    int error = -pthread_mutex_init(&engine->using, NULL);
    if (error != 0) {
        return error;
    }
    error = -pthread_mutex_init(&engine->mutex, NULL);
    if (error != 0) {
        goto error_using;
    }
    error = -pthread_cond_init(&engine->news, NULL);
    if (error != 0) {
        goto error_mutex;
    }
    error = session_init(&engine->session, &events);
    if (error != 0) {
        goto error_news;
    }
    session_set_variant(&engine->session, variant);
    atomic_store(&engine->variant, (int)variant);
    return 0;

error_news:
    pthread_cond_destroy(&engine->news);
error_mutex:
    pthread_mutex_destroy(&engine->mutex);
error_using:
    pthread_mutex_destroy(&engine->using);
    return error;
}

void cb_engine_deinit(CbEngine *engine) {
    if (pthread_mutex_trylock(&engine->using) != 0) {
        return;
    }
    session_deinit(&engine->session);
    if (engine->has_history) {
        game_deinit(&engine->history);
    }
    pthread_mutex_unlock(&engine->using);
    pthread_cond_destroy(&engine->news);
    pthread_mutex_destroy(&engine->mutex);
    pthread_mutex_destroy(&engine->using);
}

/* ---- A move -------------------------------------------------------------------------------------------- */

/*
 * An average is as much as half of the time for two moves: then the clock lets easy moves be quick and hard
 * ones take longer.
 */
static SearchLimits limits_of(Color side, double maxtime, int info, int moreinfo) {
    static const int units[] = {
        [CB_INCREMENT_1_MS] = 1, [CB_INCREMENT_10_MS] = 10, [CB_INCREMENT_100_MS] = 100};
    int mode = info >> CB_INCREMENT_SHIFT & 3;
    /* A number that is none counts as 0, too. */
    int64_t milliseconds =
        maxtime > 0 ? (int64_t)((maxtime < SECONDS_MAX ? maxtime : SECONDS_MAX) * 1000) : 0;
    SearchLimits limits = {0};

    if ((info & CB_EXACT_TIME) != 0) {
        limits.has_movetime = true;
        limits.movetime = milliseconds;
    } else if (mode != CB_INCREMENT_OFF) {
        limits.has_clock = true;
        limits.time[side] = (int64_t)((unsigned)moreinfo >> 16) * units[mode];
        limits.increment[side] = (int64_t)((unsigned)moreinfo & CB_TIME_UNITS_MAX) * units[mode];
    } else {
        limits.has_clock = true;
        limits.time[side] = 2 * milliseconds;
        limits.movestogo = 2;
    }
    return limits;
}

/* The game that was told, if this is where it stands, else one that begins here. False without memory. */
static bool take_position(CbEngine *engine, const Position *position) {
    Session *session = &engine->session;
    const DrawRules *draws = session_draws(session);
    Game game;

    if (engine->has_history && engine->history.variant == session->game.variant &&
        position_equal(&engine->history.position, position)) {
        if (game_copy(&game, &engine->history) != 0) {
            return false;
        }
    } else {
        game_init(&game, session->game.variant, draws, position, draw_state_init(draws, position, 0), 1);
    }
    session_set_game(session, &game);
    return true;
}

static bool told_to_play(int *playnow) {
    return playnow != NULL && *(volatile int *)playnow != 0;
}

/* Waits for the session's answer, passing on what it says in the meantime; under engine->mutex. */
static void wait_for_answer(CbEngine *engine, char *status, int *playnow) {
    while (!engine->done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PLAYNOW_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&engine->news, &engine->mutex, &until);
        memcpy(status, engine->status, strlen(engine->status) + 1);
        if (told_to_play(playnow)) {
            break;
        }
    }
}

/* Searches the position that the session has. */
static Move think(CbEngine *engine, const SearchLimits *limits, char *status, int *playnow) {
    engine->done = false;
    engine->status[0] = '\0';
    (void)session_go(&engine->session, limits); /* without a thread it has answered with some move */
    pthread_mutex_lock(&engine->mutex);
    wait_for_answer(engine, status, playnow);
    pthread_mutex_unlock(&engine->mutex);
    session_stop(&engine->session);
    memcpy(status, engine->status, strlen(engine->status) + 1);
    return engine->result.best;
}

/* Only what is on the board is sure: CheckerBoard ends games on anything but CB_UNKNOWN. */
static int play(Variant variant, const Position *position, Move best, int board[8][8], CbMove *move) {
    if (best == MOVE_NONE) {
        return CB_LOSS;
    }
    Position after = position_after(position, best);
    board_write(&after, board);
    if (move != NULL) {
        board_write_move(variant, position, best, move);
    }
    return movegen_has_move(variant, &after) ? CB_UNKNOWN : CB_WIN;
}

int cb_engine_move(CbEngine *engine, int board[8][8], int color, double maxtime, char *status, int *playnow,
                   int info, int moreinfo, CbMove *move) {
    char unread[CB_STATUS_SIZE];
    Position position;
    int result = CB_UNKNOWN;

    status = status != NULL ? status : unread;
    if (board == NULL || !board_read(board, color, &position)) {
        snprintf(status, CB_STATUS_SIZE, "that is no position");
        return CB_UNKNOWN;
    }
    pthread_mutex_lock(&engine->using);
    if (take_position(engine, &position)) {
        SearchLimits limits = limits_of((Color)position.turn, maxtime, info, moreinfo);
        limits.time[position.turn] += limits.movestogo > 0 ? engine->session.settings.overhead : 0;
        limits.analyse = maxtime >= ANALYSIS_SECONDS;
        Move best = think(engine, &limits, status, playnow);
        result = play(engine->session.game.variant, &position, best, board, move);
    } else {
        snprintf(status, CB_STATUS_SIZE, "out of memory");
    }
    pthread_mutex_unlock(&engine->using);
    return result;
}

bool cb_engine_is_legal(const CbEngine *engine, int board[8][8], int color, int from, int to, CbMove *move) {
    Variant variant = (Variant)atomic_load(&engine->variant);
    Position position;
    MoveList legal;

    if (board == NULL || !board_read(board, color, &position)) {
        return false;
    }
    movegen_generate(variant, &position, &legal);
    for (int i = 0; i < legal.count; i++) {
        if (square_number(move_from(legal.moves[i])) == from &&
            square_number(move_to(legal.moves[i])) == to) {
            if (move != NULL) {
                board_write_move(variant, &position, legal.moves[i], move);
            }
            return true;
        }
    }
    return false;
}
