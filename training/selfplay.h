/* Games of the engine against itself, for training. */
#ifndef CROWNHEAD_TRAINING_SELFPLAY_H
#define CROWNHEAD_TRAINING_SELFPLAY_H

#include "endgame/egdb.h"
#include "search/network.h"
#include "search/tt.h"
#include "training/sample.h"

enum { SELFPLAY_MEGABYTES = 2 /* of the table that a game is played with */ };

typedef struct {
    Variant variant;
    uint64_t seed;
    uint64_t nodes;         /* of the search, for each move */
    Egdb *egdb;             /* NULL = none */
    const Network *network; /* NULL = the one built in */
} SelfplayOptions;

/* Samples that grow. */
typedef struct {
    Sample *samples;
    uint32_t count, capacity;
} SampleList;

/*
 * Plays the game of a number and adds its quiet positions. The same number gives the same game: an opening by
 * chance, from the first position or with pieces taken off it, then the best moves of searches of so many
 * nodes; it ends by the rules, as soon as the databases know its result, or when it is as good as decided. 0
 * or a negative errno.
 */
int selfplay_game(const SelfplayOptions *options, uint64_t number, TranspositionTable *tt, SampleList *list);

/*
 * Puts a man or a king of a side, each as likely, on a square by chance; on the crownhead a king. False if a
 * piece stands there.
 */
bool selfplay_place(Position *position, Color color, uint64_t *random);

/* A value of the databases as a result of samples. */
int selfplay_result(Value value);

#endif
