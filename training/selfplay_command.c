/* crownhead selfplay: plays games against itself on all threads and writes samples, batch by batch. */
#include "bench/command.h"
#include "bench/commands.h"
#include "bench/stopwatch.h"
#include "search/network_file.h"
#include "system/workers.h"
#include "training/commands.h"
#include "training/selfplay.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH_GAMES = 64, EGDB_CACHE = 32 << 20 /* bytes */ };

typedef struct {
    SelfplayOptions play;
    uint64_t games;
    uint64_t shard, shards;
    uint64_t threads;
    const char *egdb_path; /* NULL = none */
    const char *eval_file; /* NULL = the network built in */
    const char *out;
    bool help;
} Arguments;

/* Reads PART/PARTS, as in crownhead match. */
static bool read_shard(const char *command, const CommandOption *option, char *text) {
    Arguments *arguments = option->to;
    char *slash = strchr(text, '/');

    if (slash == NULL) {
        fprintf(stderr, "%s: --shard is PART/PARTS\n", command);
        return false;
    }
    *slash = '\0';
    bool good = command_number(command, "the parts of --shard", slash + 1, 1, 100000, &arguments->shards) &&
                command_number(command, "the part of --shard", text, 1, arguments->shards, &arguments->shard);
    *slash = '/';
    arguments->shard--;
    return good;
}

static bool read_arguments(int argc, char **argv, Arguments *arguments) {
    const CommandOption options[] = {
        {"variant", .variant = &arguments->play.variant},
        {"games", .number = &arguments->games, .min = 1, .max = UINT64_C(1) << 40},
        {"nodes", .number = &arguments->play.nodes, .min = 1, .max = UINT64_C(1) << 40},
        {"seed", .number = &arguments->play.seed, .min = 0, .max = UINT64_MAX},
        {"threads", .number = &arguments->threads, .min = 1, .max = 256},
        {"shard", .read = read_shard, .to = arguments},
        {"egdb", .text = &arguments->egdb_path},
        {"out", .text = &arguments->out},
        {"eval", .text = &arguments->eval_file},
        {"help", .flag = &arguments->help},
    };

    *arguments = (Arguments){.play = {.variant = VARIANT_DEFAULT, .nodes = 3000, .seed = 1},
                             .games = 10000,
                             .shards = 1,
                             .threads = 1};
    if (!command_options(argc, argv, options, sizeof options / sizeof options[0])) {
        return false;
    }
    if (optind < argc || (arguments->out == NULL && !arguments->help)) {
        fprintf(stderr, optind < argc ? "%s: unexpected argument '%s'\n" : "%s: --out FILE is wanted\n",
                argv[0], argv[optind]);
        return false;
    }
    return true;
}

/* A batch that is being played. */
typedef struct {
    const SelfplayOptions *options;
    TranspositionTable *tables; /* by thread */
    SampleList games[BATCH_GAMES];
    uint64_t first; /* number of the first game */
    _Atomic int error;
} Batch;

static void play_games(void *user, int thread, uint64_t first, uint64_t end) {
    Batch *batch = user;

    for (uint64_t i = first; i < end; i++) {
        batch->games[i].count = 0;
        int error = selfplay_game(batch->options, batch->first + i, &batch->tables[thread], &batch->games[i]);
        if (error != 0) {
            batch->error = error;
        }
    }
}

/* Plays a batch and writes its games in their order. */
static int play_batch(Batch *batch, uint64_t number, Workers *workers, SampleFile *file) {
    SampleList all = {0};

    batch->first = number * BATCH_GAMES;
    workers_run(workers, BATCH_GAMES, 1, play_games, batch);
    for (int i = 0; i < BATCH_GAMES; i++) {
        all.count += batch->games[i].count;
    }
    all.samples = malloc(((size_t)all.count + 1) * sizeof *all.samples);
    int error = all.samples == NULL ? -ENOMEM : batch->error;
    uint32_t at = 0;
    for (int i = 0; i < BATCH_GAMES && error == 0; i++) {
        if (batch->games[i].count > 0) {
            memcpy(all.samples + at, batch->games[i].samples, batch->games[i].count * sizeof *all.samples);
        }
        at += batch->games[i].count;
    }
    error = error == 0 ? sample_file_write(file, number, all.samples, all.count) : error;
    free(all.samples);
    return error;
}

static void show_progress(const SampleFile *file, uint64_t batches, int64_t begin, uint64_t before) {
    double seconds = (double)(stopwatch_now() - begin) / 1e9;
    uint64_t samples = file->samples - before;

    fprintf(stderr, "\r\033[K%" PRIu64 " of %" PRIu64 " games, %" PRIu64 " samples, %.0f a second",
            (uint64_t)file->batches * BATCH_GAMES, batches * BATCH_GAMES, file->samples,
            (double)samples / seconds);
}

static int play_all(const Arguments *arguments, Batch *batch, Workers *workers, SampleFile *file) {
    uint64_t batches = (arguments->games + BATCH_GAMES - 1) / BATCH_GAMES;
    uint64_t before = file->samples;
    int64_t begin = stopwatch_now();
    bool terminal = isatty(STDERR_FILENO);
    int error = 0;

    while ((uint64_t)file->batches < batches && error == 0) {
        error =
            play_batch(batch, (uint64_t)file->batches * arguments->shards + arguments->shard, workers, file);
        if (terminal) {
            show_progress(file, batches, begin, before);
        }
    }
    if (terminal) {
        fputc('\n', stderr);
    }
    return error;
}

static int run(const char *command, Arguments *arguments, SampleFile *file) {
    Workers *workers = workers_new((int)arguments->threads);
    TranspositionTable *tables = calloc(arguments->threads, sizeof *tables);
    Batch *batch = calloc(1, sizeof *batch);
    int error = workers == NULL || tables == NULL || batch == NULL ? -ENOMEM : 0;

    for (uint64_t i = 0; i < arguments->threads && error == 0; i++) {
        error = tt_init(&tables[i], SELFPLAY_MEGABYTES);
    }
    if (error == 0) {
        batch->options = &arguments->play;
        batch->tables = tables;
        error = play_all(arguments, batch, workers, file);
    }
    for (int i = 0; i < BATCH_GAMES && batch != NULL; i++) {
        free(batch->games[i].samples);
    }
    for (uint64_t i = 0; i < arguments->threads && tables != NULL; i++) {
        tt_deinit(&tables[i]);
    }
    free(batch);
    free(tables);
    workers_free(workers);
    if (error != 0) {
        return command_fail(command, error);
    }
    printf("%" PRIu64 " games, %" PRIu64 " samples\n", (uint64_t)file->batches * BATCH_GAMES, file->samples);
    return command_finish(command);
}

static int play(const char *command, Arguments *arguments) {
    SampleOrigin origin = {
        .variant = arguments->play.variant,
        .seed = arguments->play.seed,
        .nodes = arguments->play.nodes,
        .batch = BATCH_GAMES,
        .egdb_pieces =
            arguments->play.egdb != NULL ? (uint32_t)egdb_pieces(arguments->play.egdb, EGDB_WLD) : 0,
        .shard = (uint32_t)arguments->shard,
        .shards = (uint32_t)arguments->shards,
    };
    SampleFile file;
    ParseError error;
    int status = COMMAND_FAILED;
    if (sample_file_append(&file, arguments->out, &origin, &error)) {
        status = run(command, arguments, &file);
        sample_file_close(&file);
    } else {
        fprintf(stderr, "%s: %s\n", command, error.text);
    }
    return status;
}

static const char HELP[] =
    "usage: crownhead selfplay --out FILE [options]\n"
    "\n"
    "Plays games against itself and adds their quiet positions to FILE, to train the evaluation with. Begun\n"
    "again with the same options it goes on where it was.\n"
    "\n"
    "  --variant GAME       the game (english)\n"
    "  --games N            so many games (10000), of one part, rounded up to batches of 64\n"
    "  --nodes N            the search of a move (3000)\n"
    "  --seed N             which games (1)\n"
    "  --threads N          threads that play (1); the games are the same\n"
    "  --egdb PATH          databases that end a game as soon as they know its result\n"
    "  --eval FILE          a network in place of the one built in\n"
    "  --shard PART/PARTS   one of the parts that the games are played in";

int command_selfplay(int argc, char **argv) {
    Arguments arguments;
    Network *network = NULL;
    ParseError error;

    if (!read_arguments(argc, argv, &arguments)) {
        return COMMAND_USAGE;
    }
    if (arguments.help) {
        return command_print(argv[0], HELP);
    }
    if (arguments.eval_file != NULL) {
        network = network_load(arguments.eval_file, arguments.play.variant, &error);
        if (network == NULL) {
            fprintf(stderr, "%s: %s: %s\n", argv[0], arguments.eval_file, error.text);
            return COMMAND_FAILED;
        }
        arguments.play.network = network;
    }
    if (arguments.egdb_path != NULL) {
        arguments.play.egdb =
            egdb_open(arguments.egdb_path, arguments.play.variant, EGDB_CACHE, command_warn, argv[0]);
        if (arguments.play.egdb == NULL) {
            return command_fail(argv[0], -ENOMEM);
        }
    }
    int status = play(argv[0], &arguments);
    network_free(network);
    egdb_close(arguments.play.egdb);
    return status;
}
