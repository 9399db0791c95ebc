/* crownhead bench: the fixed positions, a line for each, and the total. */
#include "bench/bench.h"
#include "bench/command.h"
#include "bench/commands.h"
#include "bench/stopwatch.h"

#include <getopt.h>
#include <stdio.h>

typedef struct {
    BenchOptions bench;
    bool json;
    bool help;
} Arguments;

/* Fills the arguments, or prints what is wrong with them. */
static bool read_arguments(int argc, char **argv, Arguments *arguments) {
    uint64_t number, megabytes = 0;
    const CommandOption options[] = {
        {"variant", .variant = &arguments->bench.variant},
        {"depth", .whole = &arguments->bench.depth, .min = 1, .max = DEPTH_MAX},
        {"threads", .whole = &arguments->bench.threads, .min = 1, .max = THREADS_MAX},
        {"hash", .number = &megabytes, .min = 1, .max = TT_MEGABYTES_MAX},
        {"json", .flag = &arguments->json},
        {"help", .flag = &arguments->help},
    };

    *arguments = (Arguments){.bench.variant = VARIANT_COUNT};
    if (!command_options(argc, argv, options, sizeof options / sizeof options[0])) {
        return false;
    }
    arguments->bench.megabytes = megabytes;
    if (optind < argc) {
        if (!command_number(argv[0], "the depth", argv[optind], 1, DEPTH_MAX, &number)) {
            return false;
        }
        arguments->bench.depth = (int)number;
        optind++;
    }
    if (optind < argc) {
        fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0], argv[optind]);
        return false;
    }
    return true;
}

static void print_line(void *user, const BenchLine *line) {
    char text[BENCH_TEXT_SIZE];

    (void)user;
    bench_write_line(line, text);
    puts(text);
    fflush(stdout);
}

static void append_line(void *user, const BenchLine *line) {
    json_t *lines = user;

    /* Lack of memory leaves the line out; describe() notices. */
    json_array_append_new(
        lines, json_pack("{s:s, s:s, s:i, s:s, s:i, s:I, s:f}", "variant", rules_of(line->variant)->name,
                         "fen", line->fen, "depth", line->depth, "move", line->best, "score", line->score,
                         "nodes", (json_int_t)line->nodes, "seconds", (double)line->nanoseconds / 1e9));
}

/* The whole run as an object; takes over the lines. NULL if there was not enough memory. */
static json_t *describe(const BenchResult *result, json_t *lines) {
    if (json_array_size(lines) != (size_t)result->positions) {
        json_decref(lines);
        return NULL;
    }
    return json_pack("{s:o, s:I, s:f, s:I}", "positions", lines, "nodes", (json_int_t)result->nodes,
                     "seconds", (double)result->nanoseconds / 1e9, "nps",
                     (json_int_t)stopwatch_rate(result->nodes, result->nanoseconds));
}

int command_bench(int argc, char **argv) {
    Arguments arguments;
    BenchResult result;
    json_t *lines = NULL;
    char text[BENCH_TEXT_SIZE];
    int status;

    if (!read_arguments(argc, argv, &arguments)) {
        return COMMAND_USAGE;
    }
    if (arguments.help) {
        puts("usage: crownhead bench [--variant GAME] [--depth PLIES] [--threads N] [--hash MIB] [--json]\n"
             "Searches a fixed set of positions, to 16 plies and with 4 MiB unless told otherwise; with one "
             "thread\n"
             "the node count is a signature of the search.");
        return command_finish(argv[0]);
    }

    if (arguments.json) {
        lines = json_array();
    }
    status = bench_run(&arguments.bench, NULL, arguments.json ? append_line : print_line, lines, &result);
    if (status < 0) {
        json_decref(lines);
        return command_fail(argv[0], status);
    }
    if (arguments.json) {
        return command_write_json(argv[0], describe(&result, lines));
    }
    bench_write_result(&result, text);
    puts(text);
    return command_finish(argv[0]);
}
