/*
 * Iterative deepening with aspiration windows, its threads (Lazy SMP: all search the same tree, and share
 * what they find through the transposition table), and the report.
 */
#include "search/search.h"

#include "engine/key.h"
#include "search/front.h"
#include "search/known.h"
#include "search/limit.h"
#include "search/worker.h"
#include "system/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 24,      /* first half width of the aspiration window, centi-men */
    WINDOW_DEPTH = 5, /* from this iteration on */
};

/* The highest level makes no mistakes, but is not to profit from what a full search has left in the table. */
#define LEVEL_SALT UINT64_C(0x8CB92BA72F3D8DD7)

/* ---- One worker ---- */

/* How far back the game may matter for repetitions. */
static size_t history_length(const Game *game) {
    size_t since = game->draw.since[SINCE_PROGRESS];
    return since < game->length ? since : game->length;
}

static Worker *worker_new(SharedSearch *shared, int id, const MoveList *roots) {
    const Game *game = shared->game;
    size_t history = history_length(game);
    Worker *worker = memory_aligned(alignof(Worker), sizeof *worker);
    Key *keys = malloc((history + PLY_MAX + 2) * sizeof *keys);

    if (worker == NULL || keys == NULL) {
        memory_aligned_free(worker);
        free(keys);
        return NULL;
    }
    memset(worker, 0, sizeof *worker);
    if (history > 0) {
        memcpy(keys, game->history + (game->length - history), history * sizeof *keys);
    }
    keys[history] = game->key;
    worker->keys = keys;
    worker->root_key = (int)history;
    worker->shared = shared;
    worker->variant = game->variant;
    worker->rules = rules_of(game->variant);
    worker->draws = game->draws;
    worker->network =
        shared->limits->network != NULL ? shared->limits->network : network_builtin(game->variant);
    worker->id = id;
    worker->clock_start = shared->started;
    worker->pondering = shared->limits->ponder;
    worker->path[0].position = game->position;
    worker->path[0].key = game->key;
    worker->path[0].draw = game->draw;
    worker->known_pieces = known_pieces(shared);
    worker->table_salt = (Key)worker->known_pieces * UINT64_C(0xD1B54A32D192ED03);
    if (level_errs(&shared->limits->level)) {
        worker->level = &shared->limits->level;
        worker->table_salt ^= worker->level->seed;
    } else if (shared->limits->level.nodes > 0) {
        worker->table_salt ^= LEVEL_SALT;
    }
    worker->root_count = roots->count;
    for (int i = 0; i < roots->count; i++) {
        worker->roots[i] = (RootMove){
            .move = roots->moves[i],
            .score = -SCORE_INFINITE,
            .previous = -SCORE_INFINITE,
            .pv = {.length = 1, .moves = {roots->moves[i]}},
        };
    }
    return worker;
}

static void worker_free(Worker *worker) {
    if (worker != NULL) {
        free(worker->keys);
        memory_aligned_free(worker);
    }
}

/* Sorts root moves by score, those without one by that of the iteration before; equals keep their order. */
static void sort_roots(RootMove *roots, int from, int to) {
    for (int i = from + 1; i < to; i++) {
        for (int k = i; k > from; k--) {
            RootMove *a = &roots[k - 1];
            RootMove *b = &roots[k];
            if (a->score > b->score || (a->score == b->score && a->previous >= b->previous)) {
                break;
            }
            RootMove swap = *a;
            *a = *b;
            *b = swap;
        }
    }
}

static uint64_t nodes_of(const Worker *worker) {
    return atomic_load_explicit(&worker->shared->nodes, memory_order_relaxed) + worker->nodes -
           worker->nodes_told;
}

static uint64_t hits_of(const Worker *worker) {
    return atomic_load_explicit(&worker->shared->hits, memory_order_relaxed) + worker->hits -
           worker->hits_told + worker->shared->root_hits;
}

/* What is told of a line: the databases know better than the search, unless it has seen the end. */
static int told_score(const SharedSearch *shared, int score) {
    return shared->root_known == SCORE_NONE || score_is_win(score) || score_is_loss(score)
               ? score
               : shared->root_known;
}

static void report_line(Worker *worker, int index, int depth) {
    const SearchReport *report = worker->shared->report;
    const RootMove *root = &worker->roots[index];
    bool current = root->score != -SCORE_INFINITE;

    if (worker->id != 0 || report->on_info == NULL || (!current && root->previous == -SCORE_INFINITE)) {
        return;
    }
    SearchInfo info = {
        .depth = current ? depth : depth - 1,
        .seldepth = root->seldepth > depth ? root->seldepth : depth,
        .multipv = index + 1,
        .score = told_score(worker->shared, current ? root->score : root->previous),
        .bound = current && worker->shared->root_known == SCORE_NONE ? root->bound : BOUND_EXACT,
        .nodes = nodes_of(worker),
        .tbhits = hits_of(worker),
        .time = clock_now() - worker->shared->started,
        .hashfull = tt_hashfull(worker->shared->tt),
        .length = root->pv.length,
        .pv = root->pv.moves,
    };
    report->on_info(report->user, &info);
}

/*
 * Searches the line at pv_index, in a window around its last score that widens until the score lies within.
 */
static void search_line(Worker *worker, int depth) {
    int previous = worker->roots[worker->pv_index].previous;
    int width = WINDOW;
    int alpha = -SCORE_INFINITE;
    int beta = SCORE_INFINITE;

    if (depth >= WINDOW_DEPTH && !score_is_win(previous) && !score_is_loss(previous)) {
        alpha = previous - width;
        beta = previous + width;
    }
    for (;;) {
        int score = search_root(worker, alpha, beta, depth);
        sort_roots(worker->roots, worker->pv_index, worker->root_count);
        if (worker->stopped || (score > alpha && score < beta)) {
            return;
        }
        report_line(worker, worker->pv_index, depth);
        width *= 2;
        if (score <= alpha) {
            alpha = score_is_loss(score) || width > 500 ? -SCORE_INFINITE : score - width;
        } else {
            beta = score_is_win(score) || width > 500 ? SCORE_INFINITE : score + width;
        }
    }
}

/* ---- Iterations ---- */

static void iterate(Worker *worker) {
    const SearchLimits *limits = worker->shared->limits;
    int wanted = limits->multipv < 1 ? 1 : limits->multipv;
    int lines = wanted < worker->root_count ? wanted : worker->root_count;
    Move best = MOVE_NONE;

    for (int depth = 1; depth <= DEPTH_MAX; depth = front_next(worker, depth)) {
        worker->root_depth = depth;
        for (int i = 0; i < worker->root_count; i++) {
            worker->roots[i].previous = worker->roots[i].score;
            worker->roots[i].score = -SCORE_INFINITE;
        }
        for (worker->pv_index = 0; worker->pv_index < lines && !worker->stopped; worker->pv_index++) {
            search_line(worker, depth);
        }
        /* Also of an iteration cut short: the answer may have changed in it. */
        sort_roots(worker->roots, 0, lines);
        if (!worker->stopped) {
            front_put(worker, depth);
        }
        if (worker->passed || (!worker->stopped && front_is_beyond(worker, depth))) {
            worker->passed = worker->stopped = false;
            depth = front_take(worker);
        }
        for (int i = 0; i < lines; i++) {
            report_line(worker, i, depth);
        }
        if (worker->stopped) {
            break;
        }
        worker->drop = depth >= WINDOW_DEPTH ? worker->done_score - worker->roots[0].score : 0;
        worker->done_depth = depth;
        worker->done_score = worker->roots[0].score;
        worker->stable = worker->roots[0].move == best ? worker->stable + 1 : 0;
        worker->next_check = worker->nodes;
        best = worker->roots[0].move;
        if (worker->id == 0 && limits_reached(worker)) {
            break;
        }
    }
}

/* Begins when all threads are there: those that compute would be in the way of making the others. */
static void *iterate_helper(void *argument) {
    Worker *worker = argument;

    pthread_mutex_lock(&worker->shared->gate);
    pthread_mutex_unlock(&worker->shared->gate);
    if (!atomic_load(&worker->shared->stop)) {
        iterate(worker);
    }
    return NULL;
}

/* ---- The search ---- */

/* The legal moves at the root that may be played. */
static void root_moves(const Game *game, const SearchLimits *limits, MoveList *roots) {
    MoveList legal;
    int count = 0;

    movegen_generate(game->variant, &game->position, &legal);
    for (int i = 0; i < legal.count; i++) {
        for (int k = 0; k < limits->searchmoves.count; k++) {
            if (limits->searchmoves.moves[k] == legal.moves[i]) {
                roots->moves[count++] = legal.moves[i];
                break;
            }
        }
    }
    roots->count = count;
    if (count == 0) {
        *roots = legal;
    }
}

int search_run(const Game *game, const SearchLimits *limits, TranspositionTable *tt, SearchControl *control,
               const SearchReport *report, SearchResult *result) {
    SharedSearch shared = {
        .game = game,
        .limits = limits,
        .tt = tt,
        .control = control,
        .report = report,
        .budget = clock_budget(limits, (Color)game->position.turn),
        .started = clock_now(),
        .deadline = DEADLINE_NONE,
        .gate = PTHREAD_MUTEX_INITIALIZER,
        .root_known = SCORE_NONE,
    };
    int threads = limits->threads < 1 || limits->level.nodes > 0 ? 1
                  : limits->threads > THREADS_MAX                ? THREADS_MAX
                                                                 : limits->threads;
    Worker *workers[THREADS_MAX];
    pthread_t helpers[THREADS_MAX];
    int started = 1;
    MoveList roots;

    if (shared.budget.timed && !limits->infinite && !limits->ponder) {
        shared.deadline = shared.started + shared.budget.maximum;
    }
    root_moves(game, limits, &roots);
    *result = (SearchResult){.best = roots.count > 0 ? roots.moves[0] : MOVE_NONE, .score = score_loss_in(0)};
    if (roots.count == 0 || known_root(&shared, &roots, result)) {
        return 0;
    }
    workers[0] = worker_new(&shared, 0, &roots);
    if (workers[0] == NULL) {
        return -ENOMEM;
    }
    tt_new_search(tt);
    if (threads > 1) {
        shared.front = front_new(); /* without it threads help less */
    }
    /* A helper that cannot be had makes the search slower, not wrong. */
    pthread_mutex_lock(&shared.gate);
    while (started < threads && !limits_over(&shared)) {
        workers[started] = worker_new(&shared, started, &roots);
        if (workers[started] == NULL ||
            pthread_create(&helpers[started], NULL, iterate_helper, workers[started]) != 0) {
            worker_free(workers[started]);
            break;
        }
        started++;
    }
    pthread_mutex_unlock(&shared.gate);
    iterate(workers[0]);
    atomic_store(&shared.stop, true);
    for (int i = 1; i < started; i++) {
        pthread_join(helpers[i], NULL);
    }

    const RootMove *best = &workers[0]->roots[0];
    *result = (SearchResult){
        .best = best->move,
        .ponder = best->pv.length > 1 ? best->pv.moves[1] : MOVE_NONE,
        .score = told_score(&shared, best->score != -SCORE_INFINITE      ? best->score
                                     : best->previous != -SCORE_INFINITE ? best->previous
                                                                         : SCORE_DRAW),
    };
    for (int i = 0; i < started; i++) {
        result->nodes += workers[i]->nodes;
        worker_free(workers[i]);
    }
    front_free(shared.front);
    pthread_mutex_destroy(&shared.gate);
    return 0;
}
