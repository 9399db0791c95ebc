/* crownhead perft: counts the leaves of the game tree. */
#include "bench/command.h"
#include "bench/commands.h"
#include "bench/perft.h"
#include "bench/stopwatch.h"
#include "engine/fen.h"
#include "engine/notation.h"
#include "search/search.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    Variant variant;
    Position position;
    PerftOptions perft;
    bool divide;
    bool json;
    bool help;
} Arguments;

/* Reads the depth and the position, which mean something only once all options are known. */
static bool read_operands(int argc, char **argv, const char *fen, Arguments *arguments) {
    FenRecord record;
    ParseError error;
    uint64_t depth;

    if (optind + 1 != argc) {
        fprintf(stderr, "%s: %s\n", argv[0],
                optind == argc ? "how deep? the last argument is a depth in plies" : "one depth only");
        return false;
    }
    if (!command_number(argv[0], "the depth", argv[optind], 0, PERFT_DEPTH_MAX, &depth)) {
        return false;
    }
    arguments->perft.depth = (int)depth;

    if (fen == NULL) {
        arguments->position = position_start(rules_of(arguments->variant));
        return true;
    }
    if (!fen_read(fen, strlen(fen), &record, &error)) {
        fprintf(stderr, "%s: --fen: %s\n", argv[0], error.text);
        return false;
    }
    arguments->position = record.position;
    return true;
}

/* Fills the arguments, or prints what is wrong with them. */
static bool read_arguments(int argc, char **argv, Arguments *arguments) {
    static const struct option OPTIONS[] = {
        {"variant", required_argument, NULL, 'v'},
        {"fen", required_argument, NULL, 'f'},
        {"divide", no_argument, NULL, 'd'},
        {"unique", no_argument, NULL, 'u'},
        {"threads", required_argument, NULL, 't'},
        {"hash", required_argument, NULL, 'm'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    const char *fen = NULL;
    uint64_t number;
    int option;

    *arguments = (Arguments){.variant = VARIANT_DEFAULT, .perft.threads = 1};
    while ((option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1) {
        switch (option) {
        case 'v':
            if (!command_variant(argv[0], optarg, &arguments->variant)) {
                return false;
            }
            break;
        case 'f':
            fen = optarg;
            break;
        case 'd':
            arguments->divide = true;
            break;
        case 'u':
            arguments->perft.unique = true;
            break;
        case 't':
            if (!command_number(argv[0], "--threads", optarg, 1, THREADS_MAX, &number)) {
                return false;
            }
            arguments->perft.threads = (int)number;
            break;
        case 'm':
            if (!command_number(argv[0], "--hash", optarg, 0, TT_MEGABYTES_MAX, &number)) {
                return false;
            }
            arguments->perft.megabytes = number;
            break;
        case 'j':
            arguments->json = true;
            break;
        case 'h':
            arguments->help = true;
            break;
        default:
            return false;
        }
    }
    return arguments->help || read_operands(argc, argv, fen, arguments);
}

/* A count that runs long on a terminal shows how far it is. */
typedef struct {
    int64_t begin;
    int64_t shown; /* when, 0 = never */
} Progress;

static void show_progress(void *user, int permille) {
    Progress *progress = user;
    int64_t now = stopwatch_now();

    if (now - progress->begin > 2000000000 && now - progress->shown > 200000000) {
        progress->shown = now;
        fprintf(stderr, "\r%d.%d %%", permille / 10, permille % 10);
    }
}

static void hide_progress(const Progress *progress) {
    if (progress->shown != 0) {
        fputs("\r\033[K", stderr);
    }
}

static int print_json(const char *command, const Arguments *arguments, const PerftResult *result) {
    const FenRecord record = {.position = arguments->position, .fullmove = 1};
    char fen[FEN_SIZE];
    char move[MOVE_TEXT_SIZE];
    json_t *object;
    int error = 0;

    fen_write(&record, rules_of(arguments->variant), fen);
    object = json_pack("{s:s, s:s, s:i, s:b, s:i, s:I, s:I, s:f, s:I}", "variant",
                       rules_of(arguments->variant)->name, "fen", fen, "depth", arguments->perft.depth,
                       "unique", arguments->perft.unique, "threads", arguments->perft.threads, "hash",
                       (json_int_t)arguments->perft.megabytes, "count", (json_int_t)result->count, "seconds",
                       (double)result->nanoseconds / 1e9, "leaves_per_second",
                       (json_int_t)stopwatch_rate(result->count, result->nanoseconds));
    if (arguments->divide) {
        json_t *divide = json_object();
        for (int i = 0; i < result->moves_count; i++) {
            move_write(arguments->variant, &arguments->position, result->moves[i].move, move);
            error |= json_object_set_new(divide, move, json_integer((json_int_t)result->moves[i].count));
        }
        error |= json_object_set_new(object, "divide", divide);
    }
    if (error != 0) {
        json_decref(object);
        object = NULL;
    }
    return command_write_json(command, object);
}

static int print_text(const char *command, const Arguments *arguments, const PerftResult *result) {
    char move[MOVE_TEXT_SIZE];

    for (int i = 0; i < result->moves_count && arguments->divide; i++) {
        move_write(arguments->variant, &arguments->position, result->moves[i].move, move);
        printf("%s: %" PRIu64 "\n", move, result->moves[i].count);
    }
    printf("depth %d: %" PRIu64 " leaves in %.3f s, %" PRIu64 " leaves/s\n", arguments->perft.depth,
           result->count, (double)result->nanoseconds / 1e9,
           stopwatch_rate(result->count, result->nanoseconds));
    return command_finish(command);
}

int command_perft(int argc, char **argv) {
    Arguments arguments;
    PerftResult result;
    Progress progress = {.begin = stopwatch_now()};
    int status;

    if (!read_arguments(argc, argv, &arguments)) {
        return COMMAND_USAGE;
    }
    if (arguments.help) {
        puts(
            "usage: crownhead perft [--variant GAME] [--fen FEN] [--divide] [--unique] [--threads N]\n"
            "                       [--hash MIB] [--json] DEPTH\n"
            "Counts the leaves of the game tree. A capture counts once for every order of its pieces, as in\n"
            "published tables, or with --unique once for each result.");
        return command_finish(argv[0]);
    }

    status = perft_run(arguments.variant, &arguments.position, &arguments.perft, NULL,
                       isatty(STDERR_FILENO) ? show_progress : NULL, &progress, &result);
    hide_progress(&progress);
    if (status < 0) {
        return command_fail(argv[0], status);
    }
    return arguments.json ? print_json(argv[0], &arguments, &result)
                          : print_text(argv[0], &arguments, &result);
}
