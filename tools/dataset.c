/* What a network is trained on. */
#include "tools/dataset.h"

#include "bench/command.h"
#include "engine/movegen.h"
#include "engine/random.h"
#include "training/selfplay.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HELD_BACK = 50,    /* one of so many is to validate */
    ENDINGS_FEWER = 8, /* one of so many endings by chance has each lower number of pieces */
    MISSES_MAX = 100000,
    KNOWN_SCORE = 3000 /* centi-men */
};

/* What known wins are worth, in logarithms of odds; the difference shrinks by e in so many plies. */
#define NEAR_WIN_ODDS 4.0
#define FAR_WIN_ODDS 1.5
#define FAR_WIN_PLIES 25.0

/* Until the scale is known. */
#define TARGET_OPEN (-1.0F)

/*
 * Gives a sample the result that the databases know, and returns what is to be learned of it. Of known wins
 * the near ones are the better ones, so that without databases too a search sees which moves of a won ending
 * lead on. TARGET_OPEN where nothing is known.
 */
static float look_up(Egdb *egdb, Sample *sample) {
    Value value;
    int plies;

    if (egdb == NULL || !egdb_distance(egdb, &sample->position, &value, &plies)) {
        return TARGET_OPEN;
    }
    sample->result = selfplay_result(value);
    if (value == VALUE_DRAW) {
        return TARGET_OPEN;
    }
    double odds = FAR_WIN_ODDS + (NEAR_WIN_ODDS - FAR_WIN_ODDS) * exp(-plies / FAR_WIN_PLIES);
    return (float)dataset_sigmoid(value == VALUE_WIN ? odds : -odds);
}

static bool set_add(Set *set, Egdb *egdb, Sample *sample) {
    if (set->count == set->capacity) {
        uint64_t capacity = set->capacity == 0 ? 1 << 20 : set->capacity * 2;
        Kept *samples = realloc(set->samples, capacity * sizeof *samples);
        if (samples == NULL) {
            (void)command_fail(DATASET_COMMAND, -ENOMEM);
            return false;
        }
        set->samples = samples;
        set->capacity = capacity;
    }
    Kept *kept = &set->samples[set->count++];
    kept->target = look_up(egdb, sample);
    sample_pack(sample, kept->bytes);
    return true;
}

bool dataset_load(Dataset *data, const char *path) {
    SampleFile file;
    ParseError error;
    uint32_t count;
    Sample *samples;
    uint64_t block = 0;
    bool fine = true;

    if (!sample_file_read(&file, path, &error)) {
        fprintf(stderr, DATASET_COMMAND ": %s\n", error.text);
        return false;
    }
    if (file.origin.variant != data->choice.variant) {
        fprintf(stderr, DATASET_COMMAND ": %s: of another game\n", path);
        fine = false;
    }
    while (fine && data->training.count < data->choice.most &&
           (samples = sample_file_next(&file, &count)) != NULL) {
        Set *set = block++ % HELD_BACK == HELD_BACK - 1 ? &data->validation : &data->training;
        for (uint32_t i = 0; i < count && fine; i++) {
            fine = set_add(set, data->egdb, &samples[i]);
        }
        free(samples);
    }
    sample_file_close(&file);
    return fine;
}

/* Men and kings anywhere, at least one for each side. */
static Position random_ending(int pieces, uint64_t *random) {
    Position position = {.turn = (uint8_t)random_below(random, 2)};
    int white = 1 + random_below(random, pieces - 1);

    for (int placed = 0; placed < pieces;) {
        placed += selfplay_place(&position, placed < white ? WHITE : BLACK, random);
    }
    return position;
}

bool dataset_add_endings(Dataset *data) {
    const Choice *choice = &data->choice;
    int most = choice->endings > 0 ? egdb_pieces(data->egdb, EGDB_WLD) : 0;
    uint64_t random = choice->seed;
    int misses = 0; /* on end */
    bool fine = true;

    for (uint64_t done = 0; done < choice->endings && fine;) {
        int fewer = random_below(&random, ENDINGS_FEWER);
        int pieces = most - fewer >= DATASET_ENDING_PIECES_MIN ? most - fewer : most;
        Sample sample = {.position = random_ending(pieces, &random)};
        Value value;
        if (movegen_can_capture(choice->variant, &sample.position, (Color)sample.position.turn) ||
            !egdb_value(data->egdb, &sample.position, &value)) {
            if (++misses == MISSES_MAX) {
                fputs(DATASET_COMMAND ": the databases are damaged\n", stderr);
                return false;
            }
            continue;
        }
        misses = 0;
        sample.result = selfplay_result(value);
        sample.score = (sample.result - 1) * KNOWN_SCORE;
        Set *set = done++ % HELD_BACK == HELD_BACK - 1 ? &data->validation : &data->training;
        fine = set_add(set, data->egdb, &sample);
    }
    return fine;
}

/* The centi-men at which a score of the searches means what a logit of 1 means: by ternary search. */
static double fit_scale(const Set *set) {
    double low = 20, high = 1000;

    for (int round = 0; round < 40; round++) {
        double third[2] = {low + (high - low) / 3, high - (high - low) / 3};
        double loss[2] = {0, 0};
        for (uint64_t i = 0; i < set->count; i += 1 + set->count / 100000) {
            Sample sample;
            if (sample_unpack(set->samples[i].bytes, &sample)) {
                for (int k = 0; k < 2; k++) {
                    double guess = dataset_sigmoid(sample.score / third[k]);
                    loss[k] += (guess - sample.result / 2.0) * (guess - sample.result / 2.0);
                }
            }
        }
        if (loss[0] < loss[1]) {
            high = third[1];
        } else {
            low = third[0];
        }
    }
    return (low + high) / 2;
}

/* What is to be learned of all that the databases do not know. */
static void set_targets(const Dataset *data, Set *set) {
    double share = data->choice.share;

    for (uint64_t i = 0; i < set->count; i++) {
        Kept *kept = &set->samples[i];
        Sample sample;
        if (kept->target == TARGET_OPEN && sample_unpack(kept->bytes, &sample)) {
            kept->target = (float)((1 - share) * sample.result / 2 +
                                   share * dataset_sigmoid(sample.score / data->scale));
        }
    }
}

/* By the squares and whose turn it is. */
static int compare_positions(const void *a, const void *b) {
    const Kept *first = a, *second = b;
    int squares = memcmp(first->bytes, second->bytes, 12);

    return squares != 0 ? squares : (first->bytes[14] & 1) - (second->bytes[14] & 1);
}

/*
 * Sorts a set and makes one of equal positions, with the mean of their targets: what both sides repeat where
 * nothing happens would else weigh as much as all the rest.
 */
static void merge(Set *set) {
    uint64_t merged = 0;

    qsort(set->samples, set->count, sizeof *set->samples, compare_positions);
    for (uint64_t i = 0, end; i < set->count; i = end) {
        Kept kept = set->samples[i];
        double sum = 0;
        for (end = i; end < set->count && compare_positions(&kept, &set->samples[end]) == 0; end++) {
            sum += (double)set->samples[end].target;
        }
        kept.target = (float)(sum / (double)(end - i));
        set->samples[merged++] = kept;
    }
    set->count = merged;
}

/* Takes out of the validation what is in training too: it would praise what is only remembered. */
static void separate(const Set *training, Set *validation) {
    uint64_t kept = 0;

    for (uint64_t i = 0; i < validation->count; i++) {
        if (bsearch(&validation->samples[i], training->samples, training->count, sizeof *training->samples,
                    compare_positions) == NULL) {
            validation->samples[kept++] = validation->samples[i];
        }
    }
    validation->count = kept;
}

void dataset_prepare(Dataset *data) {
    Set *training = &data->training, *validation = &data->validation;

    data->scale = data->choice.scale > 0 ? (double)data->choice.scale : fit_scale(training);
    set_targets(data, training);
    set_targets(data, validation);
    merge(training);
    merge(validation);
    separate(training, validation);
}

void dataset_deinit(Dataset *data) {
    free(data->training.samples);
    free(data->validation.samples);
}
