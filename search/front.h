/*
 * How far the threads of a search have come: the result of the deepest iteration that one of them has
 * completed. The others give up what is not deeper and go on from there, so that none is waited for.
 */
#ifndef CROWNHEAD_SEARCH_FRONT_H
#define CROWNHEAD_SEARCH_FRONT_H

#include "search/worker.h"

/* Makes it for the threads of a search. NULL if there is no memory. */
Front *front_new(void);
void front_free(Front *front);

/* Whether a thread has completed an iteration that is deeper. */
bool front_is_beyond(const Worker *worker, int depth);

/* Tells of a complete iteration to a depth, unless there is a deeper one. */
void front_put(const Worker *worker, int depth);

/* Takes the deepest one over into the root moves. Returns its depth. */
int front_take(Worker *worker);

/*
 * The depth that this thread is to search after an iteration to a depth: those of odd number stay a ply
 * ahead. Above DEPTH_MAX if nothing is left.
 */
int front_next(const Worker *worker, int depth);

#endif
