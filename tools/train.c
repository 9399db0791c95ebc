/*
 * Trains a network on samples of self-play: crownhead-train --out FILE [options] SAMPLES...
 *
 * Logistic regression of the games' results (and a share of the searches' scores) by stochastic gradient
 * descent with Adam (D. Kingma and J. Ba, 2015). The gradient of a batch is summed in fixed parts and a fixed
 * order, so that a seed gives the same network with any number of threads.
 */
#include "bench/command.h"
#include "endgame/egdb.h"
#include "engine/movegen.h"
#include "engine/random.h"
#include "search/network_file.h"
#include "system/memory.h"
#include "system/replace.h"
#include "system/workers.h"
#include "training/sample.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND "crownhead-train"

enum { EGDB_CACHE = 512 << 20 /* bytes */, ENDING_PIECES_MIN = 3, KNOWN_SCORE = 3000 /* centi-men */ };
enum { PARTS = 8, BATCH = 2048, PIECES_MAX = 24 };

/* What known wins are worth, in logarithms of odds; the difference shrinks by e in so many plies. */
#define NEAR_WIN_ODDS 4.0
#define FAR_WIN_ODDS 1.5
#define FAR_WIN_PLIES 25.0

/* The parameters as one vector of floats. */
typedef struct {
    float inputs[NETWORK_INPUTS][NETWORK_HIDDEN];
    float input_bias[NETWORK_HIDDEN];
    float outputs[NETWORK_BUCKETS][2][NETWORK_HIDDEN];
    float output_bias[NETWORK_BUCKETS];
} Parameters;

enum { PARAMETERS = sizeof(Parameters) / sizeof(float) };

typedef struct {
    const char *out;
    Variant variant;
    uint64_t epochs, threads;
    double rate, share, decay;
    uint64_t endings;
    uint64_t scale;        /* 0 = what fits the samples */
    const char *egdb_path; /* NULL = none */
    uint64_t seed, most;
    bool help;
} Options;

/* A sample as it is kept: as in files, and the expected result that is to be learned, 0 to 1. */
typedef struct {
    uint8_t bytes[SAMPLE_BYTES];
    float target; /* TARGET_OPEN until the scale is known */
} Kept;

#define TARGET_OPEN (-1.0F)

typedef struct {
    Kept *samples;
    uint64_t count, capacity;
} Set;

typedef struct {
    Parameters gradient;
    double loss;
    uint64_t count;
} Part;

typedef struct {
    const Options *options;
    double scale; /* centi-men of 1 in the logit */
    Set training, validation;
    Parameters weights, first, second; /* and the moments */
    Part *parts;
    Egdb *egdb;     /* NULL = none */
    const Set *set; /* that is being gone through */
    const uint32_t *order;
    uint64_t begin, end; /* of the batch, in order */
    bool learning;
} Trainer;

/* ---- Samples ---------------------------------------------------------------------------------------- */

static int result_of(Value value) {
    return value == VALUE_WIN ? 2 : value == VALUE_DRAW ? 1 : 0;
}

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

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
    sample->result = result_of(value);
    if (value == VALUE_DRAW) {
        return TARGET_OPEN;
    }
    double odds = FAR_WIN_ODDS + (NEAR_WIN_ODDS - FAR_WIN_ODDS) * exp(-plies / FAR_WIN_PLIES);
    return (float)sigmoid(value == VALUE_WIN ? odds : -odds);
}

static bool set_add(Set *set, Egdb *egdb, Sample *sample) {
    if (set->count == set->capacity) {
        uint64_t capacity = set->capacity == 0 ? 1 << 20 : set->capacity * 2;
        Kept *samples = realloc(set->samples, capacity * sizeof *samples);
        if (samples == NULL) {
            (void)command_fail(COMMAND, -ENOMEM);
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

/* One block of fifty is for validation: whole games. */
static bool load(Trainer *trainer, const char *path) {
    SampleFile file;
    ParseError error;
    uint32_t count;
    Sample *samples;
    uint64_t block = 0;
    bool fine = true;

    if (!sample_file_read(&file, path, &error)) {
        fprintf(stderr, COMMAND ": %s\n", error.text);
        return false;
    }
    if (file.origin.variant != trainer->options->variant) {
        fprintf(stderr, COMMAND ": %s: of another game\n", path);
        fine = false;
    }
    while (fine && trainer->training.count < trainer->options->most &&
           (samples = sample_file_next(&file, &count)) != NULL) {
        Set *set = block++ % 50 == 49 ? &trainer->validation : &trainer->training;
        for (uint32_t i = 0; i < count && fine; i++) {
            fine = set_add(set, trainer->egdb, &samples[i]);
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
        Color color = placed < white ? WHITE : BLACK;
        Bitboard bit = BITBOARD_BIT(square_from_number(1 + random_below(random, SQUARES)));
        bool king = random_below(random, 2) != 0 || (bit & bitboard_crownhead(color)) != 0;
        if ((position_occupied(&position) & bit) == 0) {
            position.pieces[color] |= bit;
            position.kings |= king ? bit : 0;
            placed++;
        }
    }
    return position;
}

/*
 * Adds quiet positions by chance whose result the databases know. Games show too few of the endings that a
 * search runs into. Most have as many pieces as are known, for there are so many more of those.
 */
static bool add_endings(Trainer *trainer) {
    const Options *options = trainer->options;
    int most = options->endings > 0 ? egdb_pieces(trainer->egdb, EGDB_WLD) : 0;
    uint64_t random = options->seed;
    bool fine = true;

    for (uint64_t done = 0; done < options->endings && fine;) {
        int fewer = random_below(&random, 8);
        int pieces = most - fewer >= ENDING_PIECES_MIN ? most - fewer : most;
        Sample sample = {.position = random_ending(pieces, &random)};
        Value value;
        if (movegen_can_capture(options->variant, &sample.position, (Color)sample.position.turn) ||
            !egdb_value(trainer->egdb, &sample.position, &value)) {
            continue;
        }
        sample.result = result_of(value);
        sample.score = (sample.result - 1) * KNOWN_SCORE;
        fine = set_add(done++ % 50 == 49 ? &trainer->validation : &trainer->training, trainer->egdb, &sample);
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
                    double guess = sigmoid(sample.score / third[k]);
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
static void set_targets(const Trainer *trainer, Set *set) {
    double share = trainer->options->share;

    for (uint64_t i = 0; i < set->count; i++) {
        Kept *kept = &set->samples[i];
        Sample sample;
        if (kept->target == TARGET_OPEN && sample_unpack(kept->bytes, &sample)) {
            kept->target =
                (float)((1 - share) * sample.result / 2 + share * sigmoid(sample.score / trainer->scale));
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

static void prepare(Trainer *trainer) {
    const Options *options = trainer->options;
    Set *training = &trainer->training, *validation = &trainer->validation;

    trainer->scale = options->scale > 0 ? (double)options->scale : fit_scale(training);
    set_targets(trainer, training);
    set_targets(trainer, validation);
    merge(training);
    merge(validation);
    separate(training, validation);
    printf("%" PRIu64 " positions, %" PRIu64 " to validate, scale %.1f centi-men\n", training->count,
           validation->count, trainer->scale);
}

/* ---- The network ------------------------------------------------------------------------------------- */

/* The rows of a sample's pieces, as each side sees them, the side to move first. */
static int list_inputs(const Position *position, int rows[2][PIECES_MAX]) {
    int count = 0;

    for (Color owner = WHITE; owner <= BLACK; owner++) {
        for (Bitboard set = position->pieces[owner]; set != 0 && count < PIECES_MAX;) {
            Square square = bitboard_pop(&set);
            bool king = (position->kings & BITBOARD_BIT(square)) != 0;
            rows[0][count] = network_input((Color)position->turn, owner, king, square);
            rows[1][count] = network_input(color_opponent((Color)position->turn), owner, king, square);
            count++;
        }
    }
    return count;
}

static float bounded(float x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static float forward(const Parameters *weights, int rows[2][PIECES_MAX], int count,
                     float sums[2][NETWORK_HIDDEN]) {
    int bucket = network_bucket(count);
    float value = weights->output_bias[bucket];

    for (int view = 0; view < 2; view++) {
        memcpy(sums[view], weights->input_bias, sizeof sums[view]);
        for (int i = 0; i < count; i++) {
            const float *row = weights->inputs[rows[view][i]];
            for (int j = 0; j < NETWORK_HIDDEN; j++) {
                sums[view][j] += row[j];
            }
        }
        const float *output = weights->outputs[bucket][view];
        for (int j = 0; j < NETWORK_HIDDEN; j++) {
            float x = bounded(sums[view][j]);
            value += x * x * output[j];
        }
    }
    return value;
}

static void backward(const Parameters *weights, int rows[2][PIECES_MAX], int count,
                     float sums[2][NETWORK_HIDDEN], float slope, Parameters *gradient) {
    int bucket = network_bucket(count);

    gradient->output_bias[bucket] += slope;
    for (int view = 0; view < 2; view++) {
        const float *output = weights->outputs[bucket][view];
        float *output_gradient = gradient->outputs[bucket][view];
        float back[NETWORK_HIDDEN];
        for (int j = 0; j < NETWORK_HIDDEN; j++) {
            float x = bounded(sums[view][j]);
            output_gradient[j] += slope * x * x;
            back[j] = sums[view][j] > 0 && sums[view][j] < 1 ? slope * output[j] * 2 * x : 0;
        }
        for (int j = 0; j < NETWORK_HIDDEN; j++) {
            gradient->input_bias[j] += back[j];
        }
        for (int i = 0; i < count; i++) {
            float *row = gradient->inputs[rows[view][i]];
            for (int j = 0; j < NETWORK_HIDDEN; j++) {
                row[j] += back[j];
            }
        }
    }
}

/* The part of a batch that one call works on. */
static void work_part(void *user, int thread, uint64_t first, uint64_t end) {
    Trainer *trainer = user;

    (void)thread;
    for (uint64_t number = first; number < end; number++) {
        Part *part = &trainer->parts[number];
        uint64_t size = trainer->end - trainer->begin;
        memset(part, 0, sizeof *part);
        for (uint64_t i = number * size / PARTS; i < (number + 1) * size / PARTS; i++) {
            const Kept *kept = &trainer->set->samples[trainer->order[trainer->begin + i]];
            Sample sample;
            int rows[2][PIECES_MAX];
            float sums[2][NETWORK_HIDDEN];
            if (!sample_unpack(kept->bytes, &sample)) {
                continue;
            }
            int count = list_inputs(&sample.position, rows);
            float value = forward(&trainer->weights, rows, count, sums);
            double target = (double)kept->target;
            double guess = sigmoid((double)value);
            double bound = guess < 1e-7 ? 1e-7 : guess > 1 - 1e-7 ? 1 - 1e-7 : guess;
            part->loss -= target * log(bound) + (1 - target) * log(1 - bound);
            part->count++;
            if (trainer->learning) {
                backward(&trainer->weights, rows, count, sums, (float)(guess - target), &part->gradient);
            }
        }
    }
}

/* One step of Adam by the summed gradients. */
static void step(Trainer *trainer, uint64_t steps, double rate) {
    float *weights = (float *)&trainer->weights;
    float *first = (float *)&trainer->first;
    float *second = (float *)&trainer->second;
    float size = (float)(trainer->end - trainer->begin);
    float correct_first = 1 - (float)pow(0.9, (double)steps);
    float correct_second = 1 - (float)pow(0.999, (double)steps);
    float most = (float)NETWORK_OUTPUT_MAX / NETWORK_OUTPUT_ONE;

    for (int i = 0; i < PARAMETERS; i++) {
        float gradient = 0;
        for (int part = 0; part < PARTS; part++) {
            gradient += ((const float *)&trainer->parts[part].gradient)[i];
        }
        gradient /= size;
        first[i] = 0.9F * first[i] + 0.1F * gradient;
        second[i] = 0.999F * second[i] + 0.001F * gradient * gradient;
        weights[i] -= (float)rate * (first[i] / correct_first) / (sqrtf(second[i] / correct_second) + 1e-8F);
        weights[i] = weights[i] > most ? most : weights[i] < -most ? -most : weights[i];
    }
}

/* ---- Training ---------------------------------------------------------------------------------------- */

static void shuffle(uint32_t *order, uint64_t count, uint64_t *random) {
    for (uint64_t i = count; i > 1; i--) {
        uint64_t k = random_next(random) % i;
        uint32_t swap = order[k];
        order[k] = order[i - 1];
        order[i - 1] = swap;
    }
}

/* Goes through a set in an order; returns the mean loss. */
static double pass(Trainer *trainer, Workers *workers, const Set *set, const uint32_t *order, bool learning,
                   uint64_t *steps, double rate) {
    double loss = 0;
    uint64_t count = 0;

    trainer->set = set;
    trainer->order = order;
    trainer->learning = learning;
    for (trainer->begin = 0; trainer->begin < set->count; trainer->begin = trainer->end) {
        trainer->end = trainer->begin + BATCH < set->count ? trainer->begin + BATCH : set->count;
        workers_run(workers, PARTS, 1, work_part, trainer);
        for (int part = 0; part < PARTS; part++) {
            loss += trainer->parts[part].loss;
            count += trainer->parts[part].count;
        }
        if (learning) {
            step(trainer, ++*steps, rate);
        }
    }
    return count > 0 ? loss / (double)count : 0;
}

static uint32_t *new_order(const Set *set) {
    uint32_t *order = malloc((set->count + 1) * sizeof *order);

    for (uint64_t i = 0; order != NULL && i < set->count; i++) {
        order[i] = (uint32_t)i;
    }
    return order;
}

static void initialize(Parameters *weights, uint64_t *random) {
    memset(weights, 0, sizeof *weights);
    for (int i = 0; i < NETWORK_INPUTS; i++) {
        for (int j = 0; j < NETWORK_HIDDEN; j++) {
            weights->inputs[i][j] = ((float)random_below(random, 2001) - 1000) / 1000 * 0.15F;
        }
    }
    for (int j = 0; j < NETWORK_HIDDEN; j++) {
        weights->input_bias[j] = 0.3F;
        float side = ((float)random_below(random, 2001) - 1000) / 1000 * 0.15F;
        for (int bucket = 0; bucket < NETWORK_BUCKETS; bucket++) {
            weights->outputs[bucket][0][j] = side;
            weights->outputs[bucket][1][j] = -side;
        }
    }
}

static int16_t rounded(float x, int one) {
    float y = roundf(x * (float)one);
    return (int16_t)(y > 32767 ? 32767 : y < -32767 ? -32767 : y);
}

static void quantize(const Trainer *trainer, Network *network) {
    const Parameters *weights = &trainer->weights;

    for (int j = 0; j < NETWORK_HIDDEN; j++) {
        for (int i = 0; i < NETWORK_INPUTS; i++) {
            network->inputs[i][j] = rounded(weights->inputs[i][j], NETWORK_ONE);
        }
        network->input_bias[j] = rounded(weights->input_bias[j], NETWORK_ONE);
        for (int bucket = 0; bucket < NETWORK_BUCKETS; bucket++) {
            for (int view = 0; view < 2; view++) {
                network->outputs[bucket][view][j] =
                    rounded(weights->outputs[bucket][view][j], NETWORK_OUTPUT_ONE);
            }
        }
    }
    for (int bucket = 0; bucket < NETWORK_BUCKETS; bucket++) {
        network->output_bias[bucket] =
            (int32_t)roundf(weights->output_bias[bucket] * NETWORK_ONE * NETWORK_OUTPUT_ONE);
    }
    network->scale = (int32_t)lround(trainer->scale * NETWORK_SCALE_ONE);
}

static int write_network(void *user, FILE *stream) {
    fwrite(user, 1, NETWORK_FILE_BYTES, stream);
    return 0;
}

static bool save(const Trainer *trainer) {
    const char *out = trainer->options->out;
    uint8_t bytes[NETWORK_FILE_BYTES];
    Network *network = memory_aligned(alignof(Network), sizeof *network);

    if (network == NULL) {
        (void)command_fail(COMMAND, -ENOMEM);
        return false;
    }
    quantize(trainer, network);
    network_write(network, trainer->options->variant, bytes);
    network_free(network);
    int error = file_replace(out, write_network, bytes);
    if (error != 0) {
        fprintf(stderr, COMMAND ": %s: %s\n", out, strerror(-error));
    }
    return error == 0;
}

static bool train(Trainer *trainer) {
    const Options *options = trainer->options;
    Workers *workers = workers_new((int)options->threads);
    uint32_t *order = new_order(&trainer->training);
    uint32_t *validation = new_order(&trainer->validation);
    uint64_t random = options->seed, steps = 0;
    double rate = options->rate;
    bool fine = workers != NULL && order != NULL && validation != NULL;

    trainer->parts = calloc(PARTS, sizeof *trainer->parts);
    fine = fine && trainer->parts != NULL;
    if (fine) {
        initialize(&trainer->weights, &random);
    } else {
        (void)command_fail(COMMAND, -ENOMEM);
    }
    for (uint64_t epoch = 1; fine && epoch <= options->epochs; epoch++) {
        shuffle(order, trainer->training.count, &random);
        double loss = pass(trainer, workers, &trainer->training, order, true, &steps, rate);
        double held = pass(trainer, workers, &trainer->validation, validation, false, &steps, rate);
        printf("epoch %" PRIu64 " rate %.6f loss %.6f validation %.6f\n", epoch, rate, loss, held);
        fflush(stdout);
        rate *= options->decay;
        fine = save(trainer);
    }
    free(order);
    free(validation);
    free(trainer->parts);
    workers_free(workers);
    return fine;
}

static const char HELP[] =
    "usage: crownhead-train --variant GAME --out FILE [options] SAMPLES...\n"
    "\n"
    "Trains a network on samples of crownhead selfplay, and writes it after each pass over them.\n"
    "\n"
    "  --epochs N     passes (12)\n"
    "  --rate X       of learning, at first (0.002)\n"
    "  --decay X      the rate's factor from one pass to the next (0.75)\n"
    "  --share X      of the searches' scores in what is learned, against the results (0.3)\n"
    "  --scale N      centi-men that a score's odds of e mean (what fits the samples)\n"
    "  --egdb PATH    databases whose distances to wins (dtw) are learned\n"
    "  --endings N    positions by chance that are added, of which the databases (wld) know the result (0)\n"
    "  --seed N       of the first weights and the order (1)\n"
    "  --threads N    threads (1); the network is the same\n"
    "  --most N       reads no further file or block of games after so many samples (all)";

/* Reads a number within 0..1, or prints one line about it. */
static bool read_real(const char *command, const CommandOption *option, char *text) {
    double *number = option->to;
    char *end;

    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !(*number >= 0 && *number <= 1)) {
        fprintf(stderr, "%s: --%s must be a number from 0 to 1, not '%s'\n", command, option->name, text);
        return false;
    }
    return true;
}

/* Reads the options; the files of samples are what is left from optind on. */
static bool read_arguments(int argc, char **argv, Options *options) {
    const CommandOption known[] = {
        {"variant", .variant = &options->variant},
        {"out", .text = &options->out},
        {"epochs", .number = &options->epochs, .min = 1, .max = 10000},
        {"rate", .read = read_real, .to = &options->rate},
        {"decay", .read = read_real, .to = &options->decay},
        {"share", .read = read_real, .to = &options->share},
        {"scale", .number = &options->scale, .min = 1, .max = 10000},
        {"egdb", .text = &options->egdb_path},
        {"endings", .number = &options->endings, .min = 0, .max = UINT32_MAX},
        {"seed", .number = &options->seed, .min = 0, .max = UINT64_MAX},
        {"threads", .number = &options->threads, .min = 1, .max = 256},
        {"most", .number = &options->most, .min = 1, .max = UINT32_MAX},
        {"help", .flag = &options->help},
    };

    *options = (Options){.epochs = 12,
                         .threads = 1,
                         .rate = 0.002,
                         .decay = 0.75,
                         .share = 0.3,
                         .seed = 1,
                         .most = UINT32_MAX,
                         .variant = VARIANT_COUNT};
    if (!command_options(argc, argv, known, sizeof known / sizeof known[0])) {
        return false;
    }
    if (options->help) {
        return true;
    }
    if (options->out == NULL || options->variant == VARIANT_COUNT || optind == argc) {
        fprintf(stderr, COMMAND ": --variant, --out and files of samples are wanted; see --help\n");
        return false;
    }
    return true;
}

static void warn(void *user, const char *line) {
    (void)user;
    fprintf(stderr, COMMAND ": %s\n", line);
}

/* Prints one line if what is wanted of the databases is not there. */
static bool has_databases(const Trainer *trainer) {
    const Options *options = trainer->options;

    if (options->egdb_path == NULL) {
        fputs(COMMAND ": --endings wants databases by --egdb\n", stderr);
        return false;
    }
    EgdbKind wanted = options->endings > 0 ? EGDB_WLD : EGDB_DTW;
    if (egdb_pieces(trainer->egdb, wanted) < ENDING_PIECES_MIN) {
        fprintf(stderr, COMMAND ": %s: no databases (%s) of %d pieces or more for this game\n",
                options->egdb_path, egdb_kind_name(wanted), ENDING_PIECES_MIN);
        return false;
    }
    return true;
}

int main(int argc, char **argv) {
    char command[] = COMMAND;
    Options options;
    bool fine = true;

    argv[0] = command; /* as getopt's own lines begin */
    if (!read_arguments(argc, argv, &options)) {
        return COMMAND_USAGE;
    }
    if (options.help) {
        return command_print(COMMAND, HELP);
    }
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is told as an error */
    Trainer *trainer = calloc(1, sizeof *trainer);
    if (trainer == NULL) {
        return command_fail(COMMAND, -ENOMEM);
    }
    trainer->options = &options;
    if (options.egdb_path != NULL) {
        trainer->egdb = egdb_open(options.egdb_path, options.variant, EGDB_CACHE, warn, NULL);
        fine = trainer->egdb != NULL || command_fail(COMMAND, -ENOMEM) == COMMAND_DONE;
    }
    if (fine && (options.egdb_path != NULL || options.endings > 0)) {
        fine = has_databases(trainer);
    }
    for (int i = optind; i < argc && fine; i++) {
        fine = load(trainer, argv[i]);
    }
    fine = fine && add_endings(trainer);
    if (fine && trainer->training.count == 0) {
        fputs(COMMAND ": there are no samples\n", stderr);
        fine = false;
    }
    if (fine) {
        prepare(trainer);
        fine = train(trainer);
    }
    egdb_close(trainer->egdb);
    free(trainer->training.samples);
    free(trainer->validation.samples);
    free(trainer);
    return fine ? COMMAND_DONE : COMMAND_FAILED;
}
