#include "protocol/session.h"

#include "book/play.h"
#include "engine/random.h"
#include "protocol/data_path.h"
#include "search/network_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const DrawRules *draws_of(Variant variant, bool web) {
    return web ? &DRAW_RULES_WEB : &rules_of(variant)->draws;
}

static void session_start_game(Session *session, Variant variant) {
    Position position = position_start(rules_of(variant));
    const DrawRules *draws = draws_of(variant, session->web_draws);

    game_deinit(&session->game);
    game_init(&session->game, variant, draws, &position, draw_state_init(draws, &position, 0), 1);
}

/* Keeps the first line and counts the others. */
typedef struct {
    ParseError first;
    int count;
} Warnings;

static void note_warning(void *user, const char *line) {
    Warnings *warnings = user;

    if (warnings->count++ == 0) {
        snprintf(warnings->first.text, sizeof warnings->first.text, "%s", line);
    }
}

/* Opens the databases of the game; without any, play goes on without them. */
static void session_open_egdb(Session *session) {
    char own[DATA_PATH_SIZE];
    const char *path = session->egdb_path;
    Warnings warnings = {0};

    egdb_close(session->egdb);
    session->egdb = NULL;
    if (path == NULL) {
        data_path("egdb", own);
        path = own;
    }
    if (path[0] != '\0') {
        session->egdb = egdb_open(path, session->game.variant, session->egdb_cache, note_warning, &warnings);
        if (session->egdb != NULL) {
            egdb_limit(session->egdb, session->egdb_limit);
        } else {
            note_warning(&warnings, strerror(ENOMEM));
        }
    }
    session->egdb_warning = warnings.first;
    if (warnings.count > 1) {
        size_t length = strlen(session->egdb_warning.text);
        snprintf(session->egdb_warning.text + length, sizeof session->egdb_warning.text - length,
                 ", and %d more", warnings.count - 1);
    }
}

static uint64_t seed_of_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int session_init(Session *session, const SessionEvents *events) {
    *session = (Session){
        .settings = {.threads = 1,
                     .multipv = 1,
                     .overhead = SESSION_OVERHEAD,
                     .elo = LEVEL_ELO_MAX,
                     .book_plies = INT_MAX},
        .book = book_builtin(VARIANT_DEFAULT),
        .megabytes = SESSION_MEGABYTES,
        .random = seed_of_clock(),
        .egdb_limit = SLICE_PIECES_MAX,
        .egdb_cache = SESSION_EGDB_CACHE,
        .events = *events,
    };
    int error = tt_init(&session->tt, session->megabytes);
    while (error != 0 && session->megabytes > 1) {
        session->megabytes /= 2;
        error = tt_init(&session->tt, session->megabytes);
    }
    if (error != 0) {
        return error;
    }
    error = -pthread_mutex_init(&session->mutex, NULL);
    if (error != 0) {
        goto error_table;
    }
    error = -pthread_cond_init(&session->released, NULL);
    if (error != 0) {
        goto error_mutex;
    }
    session_start_game(session, VARIANT_DEFAULT);
    session_open_egdb(session);
    return 0;

error_mutex:
    pthread_mutex_destroy(&session->mutex);
error_table:
    tt_deinit(&session->tt);
    return error;
}

void session_deinit(Session *session) {
    session_stop(session);
    pthread_cond_destroy(&session->released);
    pthread_mutex_destroy(&session->mutex);
    game_deinit(&session->game);
    tt_deinit(&session->tt);
    egdb_close(session->egdb);
    free(session->egdb_path);
    network_free(session->network);
    book_close(&session->book);
}

bool session_busy(Session *session) {
    pthread_mutex_lock(&session->mutex);
    bool busy = session->busy;
    pthread_mutex_unlock(&session->mutex);
    return busy;
}

/* What a search waits for before it may answer; under the mutex. */
static bool session_held(Session *session) {
    return !atomic_load(&session->control.stop) &&
           (session->limits.infinite ||
            (session->limits.ponder && !atomic_load(&session->control.ponderhit)));
}

bool session_unbounded(Session *session) {
    pthread_mutex_lock(&session->mutex);
    bool unbounded = session->busy && session->work.run == NULL && session_held(session);
    pthread_mutex_unlock(&session->mutex);
    return unbounded;
}

/* From here on a new command finds the session idle, whatever the thread still has to say. */
static void session_set_idle(Session *session) {
    pthread_mutex_lock(&session->mutex);
    session->busy = false;
    pthread_mutex_unlock(&session->mutex);
}

/* Answers from the book, also what is pondered on, unless the client would rather have a search. */
static bool session_play_book(Session *session, SearchResult *result) {
    const SessionEvents *events = &session->events;
    const SessionSettings *settings = &session->settings;
    const SearchLimits *limits = &session->limits;
    bool varied = session->game.length < (size_t)settings->book_plies;
    BookAnswer answer;

    if (!settings->own_book || settings->analysing || limits->analyse || limits->infinite ||
        limits->has_mate || limits->multipv > 1 || limits->searchmoves.count > 0 ||
        !book_answer(&session->book, &session->game, varied ? settings->book_margin : 0, &session->random,
                     &answer)) {
        return false;
    }
    *result = (SearchResult){
        .best = answer.line[0],
        .ponder = answer.length > 1 ? answer.line[1] : MOVE_NONE,
        .score = answer.value,
    };
    if (events->on_info != NULL) {
        events->on_info(events->user, &(SearchInfo){
                                          .depth = answer.depth,
                                          .seldepth = answer.depth,
                                          .multipv = 1,
                                          .score = answer.value,
                                          .bound = BOUND_EXACT,
                                          .length = answer.length,
                                          .pv = answer.line,
                                      });
    }
    return true;
}

static void session_search(Session *session) {
    const SessionEvents *events = &session->events;
    SearchReport report = {events->user, events->on_info, events->on_current};
    SearchResult result;
    int error =
        session_play_book(session, &result)
            ? 0
            : search_run(&session->game, &session->limits, &session->tt, &session->control, &report, &result);

    /* Without a legal move there was nothing to search and to report, but clients look for a score. */
    if (result.best == MOVE_NONE && events->on_info != NULL) {
        SearchInfo lost = {.multipv = 1, .score = score_loss_in(0), .bound = BOUND_EXACT};
        events->on_info(events->user, &lost);
    }
    pthread_mutex_lock(&session->mutex);
    while (session_held(session)) {
        pthread_cond_wait(&session->released, &session->mutex);
    }
    session->busy = false;
    pthread_mutex_unlock(&session->mutex);
    events->on_best(events->user, &result, error);
}

static void *session_thread(void *argument) {
    Session *session = argument;

    if (session->work.run != NULL) {
        session->work.run(session->work.user, &session->control);
        session_set_idle(session);
        session->work.finish(session->work.user);
    } else {
        session_search(session);
    }
    session->events.on_idle(session->events.user);
    return NULL;
}

static void session_join(Session *session) {
    if (session->joinable) {
        pthread_join(session->thread, NULL);
        session->joinable = false;
    }
}

static int session_start(Session *session) {
    atomic_store(&session->control.stop, false);
    atomic_store(&session->control.ponderhit, false);
    session->busy = true;
    int error = pthread_create(&session->thread, NULL, session_thread, session);
    if (error != 0) {
        atomic_store(&session->control.stop, true);
        session_thread(session);
        return -error;
    }
    session->joinable = true;
    return 0;
}

int session_go(Session *session, const SearchLimits *limits) {
    session_join(session);
    session->limits = *limits;
    session->limits.threads = session->settings.threads;
    session->limits.multipv = session->settings.multipv;
    session->limits.overhead = session->settings.overhead;
    session->limits.egdb = session->egdb;
    session->limits.network = session->network;
    session->limits.level = (Level){0};
    if (session->settings.limited && !session->settings.analysing && !limits->infinite && !limits->analyse) {
        session->limits.level = level_of(session->settings.elo, random_next(&session->random));
    }
    session->work = (SessionWork){0};
    return session_start(session);
}

int session_run(Session *session, const SessionWork *work) {
    session_join(session);
    session->work = *work;
    return session_start(session);
}

void session_set_game(Session *session, const Game *game) {
    session_join(session);
    game_deinit(&session->game);
    session->game = *game;
}

int session_set_hash(Session *session, size_t megabytes) {
    TranspositionTable table = {0};

    session_join(session);
    int error = tt_init(&table, megabytes);
    if (error != 0) {
        return error;
    }
    tt_deinit(&session->tt);
    session->tt = table;
    session->megabytes = megabytes;
    return 0;
}

void session_clear_hash(Session *session) {
    session_join(session);
    tt_clear(&session->tt);
}

int session_set_egdb(Session *session, const char *path) {
    char *copy = path != NULL ? strdup(path) : NULL;

    if (path != NULL && copy == NULL) {
        return -ENOMEM;
    }
    session_join(session);
    free(session->egdb_path);
    session->egdb_path = copy;
    session_open_egdb(session);
    tt_clear(&session->tt); /* it may hold what the databases said */
    return 0;
}

bool session_set_network(Session *session, const char *path, ParseError *error) {
    Network *network = path != NULL ? network_load(path, session->game.variant, error) : NULL;

    if (path != NULL && network == NULL) {
        return false;
    }
    session_join(session);
    network_free(session->network);
    session->network = network;
    tt_clear(&session->tt);
    return true;
}

const Network *session_network(const Session *session) {
    return session->network != NULL ? session->network : network_builtin(session->game.variant);
}

bool session_set_book(Session *session, const char *path, ParseError *error) {
    Book book = book_builtin(session->game.variant);

    if (path != NULL && !book_open(&book, session->game.variant, path, error)) {
        return false;
    }
    session_join(session);
    book_close(&session->book);
    session->book = book;
    return true;
}

void session_set_egdb_limit(Session *session, int pieces) {
    session_join(session);
    if (pieces != session->egdb_limit) {
        session->egdb_limit = pieces;
        if (session->egdb != NULL) {
            egdb_limit(session->egdb, pieces);
        }
        tt_clear(&session->tt);
    }
}

void session_set_seed(Session *session, uint64_t seed) {
    session->random = seed != 0 ? seed : seed_of_clock();
}

void session_set_variant(Session *session, Variant variant) {
    session_join(session);
    if (variant != session->game.variant) {
        session_start_game(session, variant);
        session_open_egdb(session);
        network_free(session->network);
        session->network = NULL;
        book_close(&session->book);
        session->book = book_builtin(variant);
        tt_clear(&session->tt);
    }
}

void session_set_web_draws(Session *session, bool web) {
    Game *game = &session->game;

    session_join(session);
    if (web != session->web_draws) {
        session->web_draws = web;
        game->draws = session_draws(session);
        game->draw = draw_state_under(game->draws, game->draw, &game->position);
        tt_clear(&session->tt);
    }
}

void session_new_game(Session *session) {
    session_join(session);
    session_start_game(session, session->game.variant);
    tt_clear(&session->tt);
}

const DrawRules *session_draws(const Session *session) {
    return draws_of(session->game.variant, session->web_draws);
}

void session_stop(Session *session) {
    pthread_mutex_lock(&session->mutex);
    atomic_store(&session->control.stop, true);
    pthread_cond_signal(&session->released);
    pthread_mutex_unlock(&session->mutex);
    session_join(session);
}

void session_ponderhit(Session *session) {
    pthread_mutex_lock(&session->mutex);
    atomic_store(&session->control.ponderhit, true);
    pthread_cond_signal(&session->released);
    pthread_mutex_unlock(&session->mutex);
}
