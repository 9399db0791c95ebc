/*
 * What a network is trained on: samples of files and endings by chance, each position once with the expected
 * result that is to be learned of it, and a part that is held back to validate.
 */
#ifndef CROWNHEAD_TOOLS_DATASET_H
#define CROWNHEAD_TOOLS_DATASET_H

#include "endgame/egdb.h"
#include "training/sample.h"

#include <math.h>

/* Who speaks in lines about errors. */
#define DATASET_COMMAND "crownhead-train"

enum { DATASET_ENDING_PIECES_MIN = 3 };

/* A sample as it is kept: as in files, and the expected result that is to be learned, 0 to 1. */
typedef struct {
    uint8_t bytes[SAMPLE_BYTES];
    float target;
} Kept;

typedef struct {
    Kept *samples;
    uint64_t count, capacity;
} Set;

typedef struct {
    Variant variant;
    double share;     /* of the searches' scores in what is learned, against the results */
    uint64_t scale;   /* centi-men that a logit of 1 means in a score, 0 = what fits the samples */
    uint64_t endings; /* by chance */
    uint64_t most;    /* samples of files */
    uint64_t seed;    /* of the endings */
} Choice;

/* All zero but for the choice and the databases at first. */
typedef struct {
    Choice choice;
    Egdb *egdb; /* of the caller, NULL = none */
    Set training, validation;
    double scale; /* centi-men, once prepared */
} Dataset;

/* The expected result that a logarithm of odds means. */
static inline double dataset_sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* Adds the samples of a file; a block in fifty, whole games, is to validate. False after a line of error. */
bool dataset_load(Dataset *data, const char *path);

/*
 * Adds quiet positions by chance whose result the databases (wld, DATASET_ENDING_PIECES_MIN pieces or more)
 * know: games show too few of the endings that a search runs into. Most have as many pieces as are known, for
 * there are so many more of those. False after a line without memory or if the files are damaged.
 */
bool dataset_add_endings(Dataset *data);

/* Settles what is to be learned and makes one of equal positions, when all are there. */
void dataset_prepare(Dataset *data);

void dataset_deinit(Dataset *data);

#endif
