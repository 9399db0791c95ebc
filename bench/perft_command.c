/* crownhead perft: counts the leaves of the game tree, at once or in jobs that other machines count. */
#include "bench/command.h"
#include "bench/commands.h"
#include "bench/perft.h"
#include "bench/perft_jobs.h"
#include "bench/stopwatch.h"
#include "engine/fen.h"
#include "engine/notation.h"
#include "search/search.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the command does. */
typedef enum { MODE_COUNT, MODE_SPLIT, MODE_JOB, MODE_REDUCE, MODE_MISSING } Mode;

typedef struct {
    Mode mode;
    Variant variant;
    Position position;
    PerftOptions perft;
    int plies; /* of a split */
    bool divide;
    bool json;
    bool missing;
    bool help;
} Arguments;

/* ---- Arguments ----------------------------------------------------------------------------------------- */

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
    if (arguments->mode == MODE_SPLIT && arguments->plies > arguments->perft.depth) {
        fprintf(stderr, "%s: --split %d is deeper than depth %d\n", argv[0], arguments->plies,
                arguments->perft.depth);
        return false;
    }

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

static const struct option OPTIONS[] = {
    {"variant", required_argument, NULL, 'v'},
    {"fen", required_argument, NULL, 'f'},
    {"divide", no_argument, NULL, 'd'},
    {"unique", no_argument, NULL, 'u'},
    {"threads", required_argument, NULL, 't'},
    {"hash", required_argument, NULL, 'm'},
    {"json", no_argument, NULL, 'j'},
    {"split", required_argument, NULL, 's'},
    {"job", no_argument, NULL, 'o'},
    {"reduce", no_argument, NULL, 'r'},
    {"missing", no_argument, NULL, 'i'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* The options that mean something in each mode. */
static const char *const MODE_OPTIONS[] = {
    [MODE_COUNT] = "vfdutmj", [MODE_SPLIT] = "vfus", [MODE_JOB] = "tmo",
    [MODE_REDUCE] = "jr",     [MODE_MISSING] = "ri",
};

/* Reads the value of one option, or prints what is wrong with it. */
static bool read_option(const char *command, int option, const char *value, Arguments *arguments) {
    uint64_t number;

    switch (option) {
    case 'v':
        return command_variant(command, value, &arguments->variant);
    case 'd':
        arguments->divide = true;
        return true;
    case 'u':
        arguments->perft.unique = true;
        return true;
    case 't':
        if (!command_number(command, "--threads", value, 1, THREADS_MAX, &number)) {
            return false;
        }
        arguments->perft.threads = (int)number;
        return true;
    case 'm':
        if (!command_number(command, "--hash", value, 0, TT_MEGABYTES_MAX, &number)) {
            return false;
        }
        arguments->perft.megabytes = number;
        return true;
    case 'j':
        arguments->json = true;
        return true;
    case 's':
        if (!command_number(command, "--split", value, 0, PERFT_SPLIT_MAX, &number)) {
            return false;
        }
        arguments->mode = MODE_SPLIT;
        arguments->plies = (int)number;
        return true;
    case 'o':
        arguments->mode = MODE_JOB;
        return true;
    case 'r':
        arguments->mode = MODE_REDUCE;
        return true;
    case 'i':
        arguments->missing = true;
        return true;
    case 'h':
        arguments->help = true;
        return true;
    default:
        return option == 'f';
    }
}

/* Fills the arguments, or prints what is wrong with them. */
static bool read_arguments(int argc, char **argv, Arguments *arguments) {
    const char *fen = NULL;
    bool given[sizeof OPTIONS / sizeof OPTIONS[0]] = {false};
    int index = 0;
    int option;

    *arguments = (Arguments){.variant = VARIANT_DEFAULT, .perft.threads = 1};
    while ((option = getopt_long(argc, argv, "", OPTIONS, &index)) != -1) {
        if (!read_option(argv[0], option, optarg, arguments)) {
            return false;
        }
        given[index] = true;
        fen = option == 'f' ? optarg : fen;
    }
    if (arguments->help) {
        return true;
    }
    if (arguments->missing && arguments->mode == MODE_REDUCE) {
        arguments->mode = MODE_MISSING;
    }
    for (index = 0; OPTIONS[index].name != NULL; index++) {
        if (given[index] && strchr(MODE_OPTIONS[arguments->mode], OPTIONS[index].val) == NULL) {
            fprintf(stderr, "%s: --%s has no meaning here\n", argv[0], OPTIONS[index].name);
            return false;
        }
    }
    bool counting = arguments->mode == MODE_COUNT || arguments->mode == MODE_SPLIT;
    return !counting || read_operands(argc, argv, fen, arguments);
}

/* ---- Counting ------------------------------------------------------------------------------------------ */

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

/* A count put together from jobs does not know with how many threads and what tables they were counted. */
static json_t *setting(const Arguments *arguments, uint64_t value) {
    return arguments->mode == MODE_COUNT ? json_integer((json_int_t)value) : NULL;
}

static int print_json(const char *command, const Arguments *arguments, const PerftResult *result) {
    const FenRecord record = {.position = arguments->position, .fullmove = 1};
    char fen[FEN_SIZE];
    char move[MOVE_TEXT_SIZE];
    json_t *object;
    int error = 0;

    fen_write(&record, rules_of(arguments->variant), fen);
    object =
        json_pack("{s:s, s:s, s:i, s:b, s:o*, s:o*, s:I, s:f, s:I}", "variant",
                  rules_of(arguments->variant)->name, "fen", fen, "depth", arguments->perft.depth, "unique",
                  arguments->perft.unique, "threads", setting(arguments, (uint64_t)arguments->perft.threads),
                  "hash", setting(arguments, arguments->perft.megabytes), "count", (json_int_t)result->count,
                  "seconds", (double)result->nanoseconds / 1e9, "leaves_per_second",
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
    /* The jobs' own times add up to more than passed, when several were counted at a time. */
    printf("depth %d: %" PRIu64 " leaves in %.3f s%s, %" PRIu64 " leaves/s\n", arguments->perft.depth,
           result->count, (double)result->nanoseconds / 1e9,
           arguments->mode == MODE_REDUCE ? " of counting" : "",
           stopwatch_rate(result->count, result->nanoseconds));
    return command_finish(command);
}

static int count(const char *command, const Arguments *arguments) {
    Progress progress = {.begin = stopwatch_now()};
    PerftResult result;
    int status = perft_run(arguments->variant, &arguments->position, &arguments->perft, NULL,
                           isatty(STDERR_FILENO) ? show_progress : NULL, &progress, &result);

    hide_progress(&progress);
    if (status < 0) {
        return command_fail(command, status);
    }
    return arguments->json ? print_json(command, arguments, &result)
                           : print_text(command, arguments, &result);
}

/* ---- Jobs ---------------------------------------------------------------------------------------------- */

/* Prints a job as a line. A COMMAND_ status. */
static int print_job(const char *command, const PerftJob *job) {
    char *line = perft_job_write(job);

    if (line == NULL) {
        return command_fail(command, -ENOMEM);
    }
    int status = command_print(command, line);
    free(line);
    return status;
}

static int split(const char *command, const Arguments *arguments) {
    const PerftTask task = {arguments->variant, arguments->position, arguments->perft.depth,
                            arguments->perft.unique};
    PerftSplit parts = {0};
    int status = perft_split(&task, arguments->plies, PERFT_JOBS_MAX, &parts);

    if (status == -E2BIG) {
        fprintf(stderr, "%s: --split %d makes more than %d jobs\n", command, arguments->plies,
                PERFT_JOBS_MAX);
        return COMMAND_FAILED;
    }
    if (status < 0) {
        return command_fail(command, status);
    }
    for (size_t i = 0; i < parts.count && status == COMMAND_DONE; i++) {
        PerftJob job = perft_job_of(&parts, i);
        status = print_job(command, &job);
    }
    perft_split_deinit(&parts);
    return status == COMMAND_DONE ? command_finish(command) : status;
}

/* Where a job was read, and what takes it. */
typedef struct {
    const char *command;
    const Arguments *arguments;
    PerftTable table; /* for the jobs of the task */
    PerftTask task;
    PerftSum sum;
} Jobs;

static int fail_at(const Jobs *jobs, const char *source, size_t line, const char *reason) {
    if (line > 0) {
        fprintf(stderr, "%s: %s, line %zu: %s\n", jobs->command, source, line, reason);
    } else {
        fprintf(stderr, "%s: %s: %s\n", jobs->command, source, reason);
    }
    return COMMAND_FAILED;
}

/* Gives the jobs one table, which has to be new where the game or the way of counting changes. */
static int prepare_table(Jobs *jobs, const PerftJob *job) {
    bool fits = jobs->table.count > 0 && jobs->task.variant == job->task.variant &&
                jobs->task.unique == job->task.unique;

    if (fits || jobs->arguments->perft.megabytes == 0) {
        return 0;
    }
    perft_table_deinit(&jobs->table);
    jobs->task = job->task;
    return perft_table_init(&jobs->table, jobs->arguments->perft.megabytes);
}

/* Counts a job and prints it; whoever waits for the line has it then. */
static int count_job(Jobs *jobs, PerftJob *job) {
    PerftOptions options = jobs->arguments->perft;
    PerftResult result;
    int status = prepare_table(jobs, job);

    options.depth = job->depth;
    options.unique = job->task.unique;
    options.table = &jobs->table;
    if (status == 0) {
        status = perft_run(job->task.variant, &job->part.position, &options, NULL, NULL, NULL, &result);
    }
    if (status < 0) {
        return fail_at(jobs, job->source, job->line, strerror(-status));
    }
    job->counted = true;
    job->count = result.count;
    job->seconds = (double)result.nanoseconds / 1e9;
    status = print_job(jobs->command, job);
    return status == COMMAND_DONE ? command_finish(jobs->command) : status;
}

static int take_line(Jobs *jobs, const char *source, size_t number, View line) {
    PerftJob job;
    ParseError error;
    int status;

    if (view_trim(line).length == 0) {
        return COMMAND_DONE;
    }
    if (!perft_job_read(line, &job, &error)) {
        /* A torn line is a job to be counted again. */
        return jobs->arguments->mode == MODE_MISSING ? COMMAND_DONE
                                                     : fail_at(jobs, source, number, error.text);
    }
    job.source = source;
    job.line = number;
    if (jobs->arguments->mode == MODE_JOB) {
        return count_job(jobs, &job);
    }
    status = perft_sum_add(&jobs->sum, &job, &error);
    if (status == -EINVAL) {
        return fail_at(jobs, source, number, error.text);
    }
    return status < 0 ? command_fail(jobs->command, status) : COMMAND_DONE;
}

enum { JOB_LINE_MAX = 1 << 16 };

/*
 * Reads a line without its end. Its length, or a negative errno; *ended instead at the end of the input. Not
 * all that can be read has lines.
 */
static ssize_t read_line(FILE *stream, char line[static JOB_LINE_MAX], bool *ended) {
    ssize_t length = 0;
    int byte;

    errno = 0;
    while ((byte = getc_unlocked(stream)) != EOF && byte != '\n') {
        if (length == JOB_LINE_MAX) {
            return -EMSGSIZE;
        }
        line[length++] = (char)byte;
    }
    if (ferror(stream)) {
        return errno != 0 ? -errno : -EIO;
    }
    *ended = byte == EOF && length == 0;
    return length;
}

static int take_stream(Jobs *jobs, const char *source, FILE *stream) {
    char line[JOB_LINE_MAX];
    size_t number = 0;
    bool ended = false;
    int status = COMMAND_DONE;

    while (status == COMMAND_DONE) {
        ssize_t length = read_line(stream, line, &ended);
        if (length == -EMSGSIZE) {
            status = fail_at(jobs, source, number + 1, "too long for a job");
        } else if (length < 0) {
            status = fail_at(jobs, source, 0, strerror((int)-length));
        } else if (ended) {
            break;
        } else {
            status = take_line(jobs, source, ++number, (View){line, (size_t)length});
        }
    }
    return status;
}

/* An operand is a file or, as programs that run commands in parallel hand it over, a job itself. */
static int take_operand(Jobs *jobs, const char *operand) {
    FILE *stream;
    int status;

    if (operand[0] == '{') {
        return take_line(jobs, "argument", 0, view_of(operand));
    }
    if (strcmp(operand, "-") == 0) {
        return take_stream(jobs, "stdin", stdin);
    }
    stream = fopen(operand, "r");
    if (stream == NULL) {
        return fail_at(jobs, operand, 0, strerror(errno));
    }
    status = take_stream(jobs, operand, stream);
    fclose(stream);
    return status;
}

static int print_sum(const Jobs *jobs, uint64_t count) {
    const PerftTask *task = &jobs->sum.split.task;
    Arguments whole = {.mode = MODE_REDUCE,
                       .variant = task->variant,
                       .position = task->position,
                       .perft = {.depth = task->depth, .unique = task->unique}};
    double nanoseconds = jobs->sum.seconds * 1e9;
    PerftResult result = {.count = count,
                          .nanoseconds = nanoseconds < 9e18 ? (int64_t)nanoseconds : INT64_MAX};

    return jobs->arguments->json ? print_json(jobs->command, &whole, &result)
                                 : print_text(jobs->command, &whole, &result);
}

/* Tells why the jobs cannot be put together, and where the one stands that is to blame. */
static int fail_sum(const Jobs *jobs, int status, const ParseError *error) {
    const PerftJob *culprit = jobs->sum.culprit;

    if (status != -EINVAL) {
        return command_fail(jobs->command, status);
    }
    if (culprit != NULL) {
        return fail_at(jobs, culprit->source, culprit->line, error->text);
    }
    fprintf(stderr, "%s: %s\n", jobs->command, error->text);
    return COMMAND_FAILED;
}

static int reduce(Jobs *jobs) {
    ParseError error;
    uint64_t total = 0;
    int status = perft_sum_check(&jobs->sum, &error);

    if (status == 0) {
        status = perft_sum_total(&jobs->sum, &total, &error);
    }
    return status < 0 ? fail_sum(jobs, status, &error) : print_sum(jobs, total);
}

static int print_missing(Jobs *jobs) {
    ParseError error;

    if (jobs->sum.count == 0) {
        fprintf(stderr, "%s: there is no job that could tell which perft it is\n", jobs->command);
        return COMMAND_FAILED;
    }
    int status = perft_sum_check(&jobs->sum, &error);
    if (status < 0) {
        return fail_sum(jobs, status, &error);
    }
    for (size_t i = 0; i < jobs->sum.split.count && status == COMMAND_DONE; i++) {
        if (jobs->sum.counts[i] == UINT64_MAX) {
            PerftJob job = perft_job_of(&jobs->sum.split, i);
            status = print_job(jobs->command, &job);
        }
    }
    return status == COMMAND_DONE ? command_finish(jobs->command) : status;
}

static int take_jobs(int argc, char **argv, const Arguments *arguments) {
    Jobs jobs = {
        .command = argv[0], .arguments = arguments, .sum = {.partial = arguments->mode == MODE_MISSING}};
    int status = optind == argc ? take_stream(&jobs, "stdin", stdin) : COMMAND_DONE;

    for (int i = optind; i < argc && status == COMMAND_DONE; i++) {
        status = take_operand(&jobs, argv[i]);
    }
    if (status == COMMAND_DONE && arguments->mode == MODE_REDUCE) {
        status = reduce(&jobs);
    } else if (status == COMMAND_DONE && arguments->mode == MODE_MISSING) {
        status = print_missing(&jobs);
    }
    perft_table_deinit(&jobs.table);
    perft_sum_deinit(&jobs.sum);
    return status;
}

int command_perft(int argc, char **argv) {
    Arguments arguments;

    if (!read_arguments(argc, argv, &arguments)) {
        return COMMAND_USAGE;
    }
    if (arguments.help) {
        puts(
            "usage: crownhead perft [--variant GAME] [--fen FEN] [--divide] [--unique] [--threads N]\n"
            "                       [--hash MIB] [--json] DEPTH\n"
            "       crownhead perft --split PLIES [--variant GAME] [--fen FEN] [--unique] DEPTH\n"
            "       crownhead perft --job [--threads N] [--hash MIB] [FILE | JOB]...\n"
            "       crownhead perft --reduce [--json | --missing] [FILE]...\n"
            "Counts the leaves of the game tree. A capture counts once for every order of its pieces, as in\n"
            "published tables, or with --unique once for each result.\n"
            "\n"
            "--split cuts the tree that many plies down and prints a job for each position found there, a\n"
            "line of JSON. --job counts the jobs of files, of standard input, or given as they are, and\n"
            "prints each with its count; any machine may do any of them. --reduce puts all the counts\n"
            "together; with --missing it prints the jobs that are still without a count.");
        return command_finish(argv[0]);
    }
    switch (arguments.mode) {
    case MODE_SPLIT:
        return split(argv[0], &arguments);
    case MODE_JOB:
    case MODE_REDUCE:
    case MODE_MISSING:
        return take_jobs(argc, argv, &arguments);
    default:
        return count(argv[0], &arguments);
    }
}
