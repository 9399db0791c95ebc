/* A pool of threads that wait at a condition for the next range. */
#include "system/workers.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct {
    Workers *workers;
    int number;
    pthread_t thread;
} Worker;

struct Workers {
    pthread_mutex_t lock;
    pthread_cond_t begin, finished;
    Worker *others;
    int count; /* with the caller */
    uint64_t generation;
    int busy;
    bool ending;
    /* The range. */
    atomic_uint_fast64_t next;
    uint64_t end, step;
    void (*work)(void *user, int thread, uint64_t first, uint64_t end);
    void *user;
};

static void take_pieces(Workers *workers, int thread) {
    for (;;) {
        uint64_t first = atomic_fetch_add_explicit(&workers->next, workers->step, memory_order_relaxed);
        if (first >= workers->end) {
            return;
        }
        uint64_t left = workers->end - first;
        workers->work(workers->user, thread, first, first + (left < workers->step ? left : workers->step));
    }
}

static void *worker_main(void *user) {
    Worker *worker = user;
    Workers *workers = worker->workers;
    uint64_t seen = 0;

    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (workers->generation == seen && !workers->ending) {
            pthread_cond_wait(&workers->begin, &workers->lock);
        }
        if (workers->ending) {
            break;
        }
        seen = workers->generation;
        pthread_mutex_unlock(&workers->lock);
        take_pieces(workers, worker->number);
        pthread_mutex_lock(&workers->lock);
        if (--workers->busy == 0) {
            pthread_cond_signal(&workers->finished);
        }
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

Workers *workers_new(int threads) {
    Workers *workers = calloc(1, sizeof *workers);

    if (workers == NULL) {
        return NULL;
    }
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->begin, NULL);
    pthread_cond_init(&workers->finished, NULL);
    workers->count = 1;
    workers->others = calloc((size_t)threads, sizeof *workers->others);
    while (workers->others != NULL && workers->count < threads) {
        Worker *worker = &workers->others[workers->count - 1];
        worker->workers = workers;
        worker->number = workers->count;
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) {
            break; /* fewer do it too */
        }
        workers->count++;
    }
    return workers;
}

void workers_free(Workers *workers) {
    if (workers == NULL) {
        return;
    }
    pthread_mutex_lock(&workers->lock);
    workers->ending = true;
    pthread_cond_broadcast(&workers->begin);
    pthread_mutex_unlock(&workers->lock);
    for (int index = 0; index < workers->count - 1; index++) {
        pthread_join(workers->others[index].thread, NULL);
    }
    pthread_cond_destroy(&workers->finished);
    pthread_cond_destroy(&workers->begin);
    pthread_mutex_destroy(&workers->lock);
    free(workers->others);
    free(workers);
}

int workers_count(const Workers *workers) {
    return workers->count;
}

void workers_run(Workers *workers, uint64_t count, uint64_t step,
                 void (*work)(void *user, int thread, uint64_t first, uint64_t end), void *user) {
    if (count <= step || workers->count == 1) {
        for (uint64_t first = 0; first < count; first += step) {
            work(user, 0, first, count - first < step ? count : first + step);
        }
        return;
    }
    pthread_mutex_lock(&workers->lock);
    atomic_store(&workers->next, 0);
    workers->end = count;
    workers->step = step;
    workers->work = work;
    workers->user = user;
    workers->busy = workers->count - 1;
    workers->generation++;
    pthread_cond_broadcast(&workers->begin);
    pthread_mutex_unlock(&workers->lock);
    take_pieces(workers, 0);
    pthread_mutex_lock(&workers->lock);
    while (workers->busy > 0) {
        pthread_cond_wait(&workers->finished, &workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
}
