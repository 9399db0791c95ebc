/* The deepest complete iteration of all threads, under a lock; its depth is looked at without. */
#include "search/front.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Front {
    pthread_mutex_t lock;
    atomic_int depth; /* plies, 0 = none; read without the lock too */
    RootMove roots[MOVES_MAX];
};

Front *front_new(void) {
    Front *front = malloc(sizeof *front);

    if (front != NULL) {
        pthread_mutex_init(&front->lock, NULL);
        atomic_init(&front->depth, 0);
    }
    return front;
}

void front_free(Front *front) {
    if (front != NULL) {
        pthread_mutex_destroy(&front->lock);
        free(front);
    }
}

static int depth_of(const Front *front) {
    return atomic_load_explicit(&front->depth, memory_order_relaxed);
}

bool front_is_beyond(const Worker *worker, int depth) {
    const Front *front = worker->shared->front;
    return front != NULL && depth_of(front) > depth;
}

void front_put(const Worker *worker, int depth) {
    Front *front = worker->shared->front;

    if (front == NULL) {
        return;
    }
    pthread_mutex_lock(&front->lock);
    if (depth > depth_of(front)) {
        memcpy(front->roots, worker->roots, (size_t)worker->root_count * sizeof front->roots[0]);
        atomic_store_explicit(&front->depth, depth, memory_order_relaxed);
    }
    pthread_mutex_unlock(&front->lock);
}

int front_take(Worker *worker) {
    Front *front = worker->shared->front;

    pthread_mutex_lock(&front->lock);
    memcpy(worker->roots, front->roots, (size_t)worker->root_count * sizeof front->roots[0]);
    int depth = depth_of(front);
    pthread_mutex_unlock(&front->lock);
    return depth;
}

int front_next(const Worker *worker, int depth) {
    const SearchLimits *limits = worker->shared->limits;
    const Front *front = worker->shared->front;
    bool limited = limits->has_depth && !limits->infinite && !limits->ponder && limits->depth < DEPTH_MAX;
    int most = limited ? limits->depth : DEPTH_MAX;

    if (front == NULL) {
        return depth + 1;
    }
    int done = depth_of(front) > depth ? depth_of(front) : depth;
    int next = done + 1 + worker->id % 2;
    if (done >= most) {
        /* The first thread has yet to take it over. */
        return worker->id == 0 && depth < most ? most : DEPTH_MAX + 1;
    }
    return next > most ? most : next;
}
