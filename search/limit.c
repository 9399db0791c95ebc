#include "search/limit.h"

#include "search/front.h"

#include <stdlib.h>

enum {
    CHECK_NODES = 1024, /* between looks at the clock */
    PROBE_NODES = 16,   /* that a position looked up counts as there */
    ANSWER_NODES =
        20000, /* the first iteration is finished, so that there is an answer, but not at any price */
};

static void tell_nodes(Worker *worker) {
    atomic_fetch_add_explicit(&worker->shared->nodes, worker->nodes - worker->nodes_told,
                              memory_order_relaxed);
    worker->nodes_told = worker->nodes;
    atomic_fetch_add_explicit(&worker->shared->hits, worker->hits - worker->hits_told, memory_order_relaxed);
    worker->hits_told = worker->hits;
}

bool limits_reached(const Worker *worker) {
    const SearchLimits *limits = worker->shared->limits;
    const TimeBudget *budget = &worker->shared->budget;
    int score = worker->done_score;

    if (limits->infinite || worker->pondering || worker->done_depth == 0) {
        return false;
    }
    if (limits->level.nodes > 0 && worker->root_count == 1) {
        return true;
    }
    if (limits->has_depth && worker->done_depth >= limits->depth) {
        return true;
    }
    if (limits->has_mate && score_is_win(score) && score_mate_moves(score) <= limits->mate) {
        return true;
    }
    if (!limits->has_clock) {
        return false;
    }
    /* On the clock there is no use in thinking about what is decided. */
    bool proven =
        (score_is_win(score) || score_is_loss(score)) && SCORE_WIN - abs(score) < worker->done_depth;
    int64_t percent = clock_percent(worker->stable, worker->drop);
    return proven || worker->root_count == 1 ||
           clock_now() - worker->clock_start >= budget->optimum * percent / 100;
}

/* How many nodes there may be: a level has no more of them in the opponent's time. */
static uint64_t nodes_allowed(const Worker *worker) {
    const SearchLimits *limits = worker->shared->limits;
    uint64_t allowed = limits->level.nodes > 0 ? limits->level.nodes : UINT64_MAX;
    bool bound = limits->has_nodes && !worker->pondering && !limits->infinite;

    return bound && limits->nodes < allowed ? limits->nodes : allowed;
}

bool limits_over(const SharedSearch *shared) {
    int64_t deadline = atomic_load_explicit(&shared->deadline, memory_order_relaxed);

    return atomic_load_explicit(&shared->control->stop, memory_order_relaxed) ||
           (deadline != DEADLINE_NONE && clock_now() >= deadline);
}

/* What the worker that watches the limits finds: whether the search must stop now. */
static bool must_stop(Worker *worker) {
    SharedSearch *shared = worker->shared;
    const SearchLimits *limits = shared->limits;
    bool stop = limits_over(shared);

    if (worker->pondering && atomic_load_explicit(&shared->control->ponderhit, memory_order_relaxed)) {
        worker->pondering = false;
        worker->clock_start = clock_now();
        if (shared->budget.timed && !limits->infinite) {
            atomic_store_explicit(&shared->deadline, worker->clock_start + shared->budget.maximum,
                                  memory_order_relaxed);
        }
        /* What was asked for may be there already. */
        stop = stop || limits_reached(worker);
    }
    uint64_t allowed = nodes_allowed(worker);
    uint64_t nodes = atomic_load_explicit(&shared->nodes, memory_order_relaxed);
    stop = stop || nodes >= allowed;
    if (!stop && allowed - nodes < CHECK_NODES) {
        worker->next_check = worker->nodes + (allowed - nodes);
    }
    return stop;
}

/* With more threads than processors the first one may be waiting for its turn, so each looks at the clock. */
static void check(Worker *worker) {
    bool may_stop = worker->done_depth > 0 || worker->nodes >= ANSWER_NODES;

    tell_nodes(worker);
    worker->next_check = worker->nodes + CHECK_NODES;
    bool over = worker->id == 0 ? must_stop(worker) : limits_over(worker->shared);
    if (over && may_stop) {
        atomic_store_explicit(&worker->shared->stop, true, memory_order_relaxed);
    }
    worker->stopped = may_stop && atomic_load_explicit(&worker->shared->stop, memory_order_relaxed);
    if (!worker->stopped && front_is_beyond(worker, worker->root_depth - 1)) {
        worker->stopped = worker->passed = true;
    }
}

void limits_count_probe(Worker *worker) {
    if (worker->next_check > worker->nodes + PROBE_NODES) {
        worker->next_check -= PROBE_NODES;
    }
}

void limits_count_node(Worker *worker, int ply) {
    worker->nodes++;
    if (worker->nodes >= worker->next_check) {
        check(worker);
    }
    if (ply > worker->seldepth) {
        worker->seldepth = ply;
    }
}
