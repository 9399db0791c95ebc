/*
 * Trains a network on samples of self-play: crownhead-train --out FILE [options] SAMPLES...
 *
 * Logistic regression of the games' results (and a share of the searches' scores) by stochastic gradient
 * descent with Adam (D. Kingma and J. Ba, 2015). The gradient of a batch is summed in fixed parts and a fixed
 * order, so that a seed gives the same network with any number of threads.
 */
#include "bench/command.h"
#include "engine/random.h"
#include "search/network_file.h"
#include "system/memory.h"
#include "system/replace.h"
#include "system/workers.h"
#include "tools/dataset.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND DATASET_COMMAND

enum { EGDB_CACHE = 512 << 20 /* bytes */, PARTS = 8, BATCH = 2048, PIECES_MAX = 24 };

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
    const char *egdb_path; /* NULL = none */
    Choice choice;
    uint64_t epochs, threads;
    double rate, decay;
    bool help;
} Options;

typedef struct {
    Parameters gradient;
    double loss;
    uint64_t count;
} Part;

typedef struct {
    const Options *options;
    Dataset data;
    Parameters weights, first, second; /* and the moments */
    Part *parts;
    const Set *set; /* that is being gone through */
    const uint32_t *order;
    uint64_t begin, end; /* of the batch, in order */
    bool learning;
} Trainer;

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
            double guess = dataset_sigmoid((double)value);
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
    network->scale = (int32_t)lround(trainer->data.scale * NETWORK_SCALE_ONE);
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
    network_write(network, trainer->options->choice.variant, bytes);
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
    uint32_t *order = new_order(&trainer->data.training);
    uint32_t *validation = new_order(&trainer->data.validation);
    uint64_t random = options->choice.seed, steps = 0;
    double rate = options->rate;
    bool fine = workers != NULL && order != NULL && validation != NULL;

    trainer->parts = calloc(PARTS, sizeof *trainer->parts);
    fine = fine && trainer->parts != NULL;
    if (fine) {
        printf("%" PRIu64 " positions, %" PRIu64 " to validate, scale %.1f centi-men\n",
               trainer->data.training.count, trainer->data.validation.count, trainer->data.scale);
        initialize(&trainer->weights, &random);
    } else {
        (void)command_fail(COMMAND, -ENOMEM);
    }
    for (uint64_t epoch = 1; fine && epoch <= options->epochs; epoch++) {
        shuffle(order, trainer->data.training.count, &random);
        double loss = pass(trainer, workers, &trainer->data.training, order, true, &steps, rate);
        double held = pass(trainer, workers, &trainer->data.validation, validation, false, &steps, rate);
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
        {"variant", .variant = &options->choice.variant},
        {"out", .text = &options->out},
        {"epochs", .number = &options->epochs, .min = 1, .max = 10000},
        {"rate", .read = read_real, .to = &options->rate},
        {"decay", .read = read_real, .to = &options->decay},
        {"share", .read = read_real, .to = &options->choice.share},
        {"scale", .number = &options->choice.scale, .min = 1, .max = 10000},
        {"egdb", .text = &options->egdb_path},
        {"endings", .number = &options->choice.endings, .min = 0, .max = UINT32_MAX},
        {"seed", .number = &options->choice.seed, .min = 0, .max = UINT64_MAX},
        {"threads", .number = &options->threads, .min = 1, .max = 256},
        {"most", .number = &options->choice.most, .min = 1, .max = UINT32_MAX},
        {"help", .flag = &options->help},
    };

    *options = (Options){.epochs = 12,
                         .threads = 1,
                         .rate = 0.002,
                         .decay = 0.75,
                         .choice.share = 0.3,
                         .choice.seed = 1,
                         .choice.most = UINT32_MAX,
                         .choice.variant = VARIANT_COUNT};
    if (!command_options(argc, argv, known, sizeof known / sizeof known[0])) {
        return false;
    }
    if (options->help) {
        return true;
    }
    if (options->out == NULL || options->choice.variant == VARIANT_COUNT || optind == argc) {
        fprintf(stderr, COMMAND ": --variant, --out and files of samples are wanted; see --help\n");
        return false;
    }
    return true;
}

/* Prints one line if what is wanted of the databases is not there. */
static bool has_databases(const Trainer *trainer) {
    const Options *options = trainer->options;

    if (options->egdb_path == NULL) {
        fputs(COMMAND ": --endings wants databases by --egdb\n", stderr);
        return false;
    }
    EgdbKind wanted = options->choice.endings > 0 ? EGDB_WLD : EGDB_DTW;
    if (egdb_pieces(trainer->data.egdb, wanted) < DATASET_ENDING_PIECES_MIN) {
        fprintf(stderr, COMMAND ": %s: no databases (%s) of %d pieces or more for this game\n",
                options->egdb_path, egdb_kind_name(wanted), DATASET_ENDING_PIECES_MIN);
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
    Dataset *data = &trainer->data;
    trainer->options = &options;
    data->choice = options.choice;
    if (options.egdb_path != NULL) {
        data->egdb = egdb_open(options.egdb_path, options.choice.variant, EGDB_CACHE, command_warn, command);
        fine = data->egdb != NULL || command_fail(COMMAND, -ENOMEM) == COMMAND_DONE;
    }
    if (fine && (options.egdb_path != NULL || options.choice.endings > 0)) {
        fine = has_databases(trainer);
    }
    for (int i = optind; i < argc && fine; i++) {
        fine = dataset_load(data, argv[i]);
    }
    fine = fine && dataset_add_endings(data);
    if (fine && data->training.count == 0) {
        fputs(COMMAND ": there are no samples\n", stderr);
        fine = false;
    }
    if (fine) {
        dataset_prepare(data);
        fine = train(trainer);
    }
    egdb_close(data->egdb);
    dataset_deinit(data);
    free(trainer);
    return fine ? COMMAND_DONE : COMMAND_FAILED;
}
