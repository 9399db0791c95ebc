/* crownhead egdb: builds endgame databases, checks them and tells what is in them. */
#include "bench/command.h"
#include "bench/commands.h"
#include "bench/stopwatch.h"
#include "endgame/build.h"
#include "endgame/commands.h"
#include "endgame/verify.h"
#include "engine/fen.h"
#include "engine/movegen.h"
#include "engine/notation.h"
#include "engine/view.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    Variant variant; /* VARIANT_COUNT = all */
    int kind;        /* EGDB_KINDS = all */
    int pieces;      /* 0 = not told */
    int threads;
    uint64_t memory; /* MiB */
    const char *directory;
    bool help;
} Arguments;

static int processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);

    return count < 1 ? 1 : count > 64 ? 64 : (int)count;
}

static bool read_kind(const char *command, const CommandOption *option, char *text) {
    int *kind = option->to;
    char quote[VIEW_QUOTE_SIZE];

    for (EgdbKind known = 0; known < EGDB_KINDS; known++) {
        if (strcmp(text, egdb_kind_name(known)) == 0) {
            *kind = (int)known;
            return true;
        }
    }
    view_quote(view_of(text), quote);
    fprintf(stderr, "%s: --kind is wld or dtw, not %s\n", command, quote);
    return false;
}

/* Reads the options; operands are left at optind. */
static bool read_arguments(int argc, char **argv, Arguments *arguments) {
    const CommandOption options[] = {
        {"variant", .variant = &arguments->variant},
        {"kind", .read = read_kind, .to = &arguments->kind},
        {"pieces", .whole = &arguments->pieces, .min = 2, .max = SLICE_PIECES_MAX},
        {"threads", .whole = &arguments->threads, .min = 1, .max = 256},
        {"memory", .number = &arguments->memory, .min = 16, .max = UINT64_C(1) << 24},
        {"out", .text = &arguments->directory},
        {"help", .flag = &arguments->help},
    };

    *arguments =
        (Arguments){.variant = VARIANT_COUNT, .kind = EGDB_KINDS, .threads = processors(), .memory = 4096};
    return command_options(argc, argv, options, sizeof options / sizeof options[0]);
}

static bool is_wanted(const Arguments *arguments, Variant variant, EgdbKind kind) {
    return (arguments->variant == VARIANT_COUNT || arguments->variant == variant) &&
           (arguments->kind == EGDB_KINDS || arguments->kind == (int)kind);
}

static int fail(const char *command, const char *text) {
    fprintf(stderr, "%s: %s\n", command, text);
    return COMMAND_FAILED;
}

static int usage(const char *command, const char *text) {
    fprintf(stderr, "%s: %s\n", command, text);
    return COMMAND_USAGE;
}

static void write_slice(Slice slice, char text[static 8]) {
    snprintf(text, 8, "%d%d-%d%d", slice.men[0] % 10, slice.kings[0] % 10, slice.men[1] % 10,
             slice.kings[1] % 10);
}

/* ---- build --------------------------------------------------------------------------------------------- */

typedef struct {
    bool terminal;
    int64_t begin; /* ns */
    BuildProgress last;
} Show;

static void show_progress(void *user, const BuildProgress *progress) {
    Show *show = user;
    double seconds = (double)(stopwatch_now() - show->begin) / 1e9;
    char slice[8];

    show->last = *progress;
    if (!show->terminal) {
        return;
    }
    double share = progress->total > 0 ? (double)progress->done / (double)progress->total : 1;
    int filled = (int)(share * 30);
    write_slice(progress->slice, slice);
    fprintf(stderr, "\r\033[K[%.*s%*s] %5.1f %%  %s", filled, "##############################", 30 - filled,
            "", share * 100, slice);
    if (share > 0 && share < 1) {
        int64_t left = (int64_t)(seconds / share - seconds);
        fprintf(stderr, "  %" PRId64 ":%02" PRId64 ":%02" PRId64 " left", left / 3600, left / 60 % 60,
                left % 60);
    }
}

static int build_one(const char *command, const Arguments *arguments, Variant variant, EgdbKind kind) {
    Show show = {.terminal = isatty(STDERR_FILENO), .begin = stopwatch_now()};
    BuildOptions options = {
        .variant = variant,
        .kind = kind,
        .pieces = arguments->pieces,
        .threads = arguments->threads,
        .memory = arguments->memory << 20,
        .directory = arguments->directory,
        .progress = show_progress,
        .user = &show,
    };
    ParseError error;

    bool fine = egdb_build(&options, &error);
    if (show.terminal) {
        fputs("\r\033[K", stderr);
    }
    if (!fine) {
        return fail(command, error.text);
    }
    printf("%s %s, up to %d pieces: %" PRIu64 " numbers in %.1f s, %" PRIu64 " bytes written\n",
           rules_of(variant)->name, egdb_kind_name(kind), options.pieces, show.last.done,
           (double)(stopwatch_now() - show.begin) / 1e9, show.last.bytes);
    return command_finish(command);
}

/* Builds what is asked for, of all games and kinds where none is named. */
static int build(const char *command, const Arguments *arguments, char **operands) {
    int status = COMMAND_DONE;

    (void)operands;
    if (arguments->directory == NULL) {
        return usage(command, "where? --out DIR is missing");
    }
    if (arguments->pieces == 0) {
        return usage(command, "how many? --pieces N is missing");
    }
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        for (EgdbKind kind = 0; kind < EGDB_KINDS && status == COMMAND_DONE; kind++) {
            if (is_wanted(arguments, variant, kind)) {
                status = build_one(command, arguments, variant, kind);
            }
        }
    }
    return status;
}

/* ---- verify, info, stats: every slice of a directory, or one ------------------------------------------- */

typedef struct {
    const char *command;
    char directory[4096];
    const char *only; /* the name of one file, NULL = all */
    Store store;
    int (*visit)(const char *command, Store *store, Slice slice);
    int status;
    int files;
} Tour;

static bool visit_slice(void *user, Slice slice) {
    Tour *tour = user;
    char name[EGDB_NAME_SIZE];
    char path[4096];

    egdb_file_name(tour->store.variant, tour->store.kind, slice, name);
    snprintf(path, sizeof path, "%s/%s", tour->store.directory, name);
    if (tour->only != NULL ? strcmp(name, tour->only) != 0 : access(path, F_OK) != 0) {
        return true;
    }
    tour->files++;
    int status = tour->visit(tour->command, &tour->store, slice);
    tour->status = status != COMMAND_DONE ? status : tour->status;
    return true;
}

/* Takes the directory, or the name of a file, out of an operand. 0 or a negative errno. */
static int find_place(Tour *tour, const char *path) {
    struct stat status;
    const char *slash = strrchr(path, '/');
    int length = (int)strlen(path);

    if (stat(path, &status) != 0 || (S_ISDIR(status.st_mode) && access(path, X_OK) != 0)) {
        return -errno;
    }
    if (!S_ISDIR(status.st_mode)) {
        tour->only = slash != NULL ? slash + 1 : path;
        path = slash != NULL ? path : ".";
        length = slash != NULL ? (int)(slash + 1 - path) : 1;
    }
    snprintf(tour->directory, sizeof tour->directory, "%.*s", length, path);
    return 0;
}

/* Goes through the files of the games and kinds that are wanted. */
static int tour(const char *command, const Arguments *arguments, const char *path,
                int (*visit)(const char *command, Store *store, Slice slice)) {
    Tour tour = {.command = command, .visit = visit, .status = COMMAND_DONE};
    int error = find_place(&tour, path);

    if (error != 0) {
        fprintf(stderr, "%s: %s: %s\n", command, path, strerror(-error));
        return COMMAND_FAILED;
    }
    Workers *workers = workers_new(arguments->threads);
    if (workers == NULL) {
        return fail(command, "out of memory");
    }
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        for (EgdbKind kind = 0; kind < EGDB_KINDS; kind++) {
            if (!is_wanted(arguments, variant, kind)) {
                continue;
            }
            store_init(&tour.store, variant, kind, tour.directory, workers, arguments->memory << 20);
            for (int pieces = 2; pieces <= (arguments->pieces != 0 ? arguments->pieces : SLICE_PIECES_MAX);
                 pieces++) {
                store_slices(pieces, visit_slice, &tour);
            }
            store_deinit(&tour.store);
        }
    }
    workers_free(workers);
    if (tour.files == 0) {
        fprintf(stderr, "%s: %s: %s\n", command, path,
                tour.only != NULL ? "its name is not that of a database" : "no databases there");
        return COMMAND_FAILED;
    }
    int status = command_finish(command);
    return tour.status != COMMAND_DONE ? tour.status : status;
}

/* The position of a number as people write it. */
static void write_example(const Store *store, Slice slice, uint64_t index, char fen[static FEN_SIZE]) {
    FenRecord record = {.fullmove = 1};

    slice_position(slice, index, &record.position);
    fen_write(&record, rules_of(store->variant), fen);
}

static int verify_slice(const char *command, Store *store, Slice slice) {
    Verification verification;
    ParseError error;
    char name[EGDB_NAME_SIZE];
    char fen[FEN_SIZE];

    egdb_file_name(store->variant, store->kind, slice, name);
    if (!egdb_verify(store, slice, &verification, &error)) {
        return fail(command, error.text);
    }
    if (verification.damaged > 0) {
        fprintf(stderr, "%s: %s: %" PRIu64 " of %" PRIu64 " blocks damaged, the first is block %" PRIu64 "\n",
                command, name, verification.damaged, verification.blocks, verification.damaged_block);
        return COMMAND_FAILED;
    }
    if (verification.wrong > 0) {
        write_example(store, slice, verification.wrong_index, fen);
        fprintf(stderr,
                "%s: %s: %" PRIu64 " of %" PRIu64 " positions wrong, the first is %s in block %" PRIu64 "\n",
                command, name, verification.wrong, verification.positions, fen,
                verification.wrong_index / BLOCK_SIZE);
        return COMMAND_FAILED;
    }
    printf("%s: %" PRIu64 " blocks sound, %" PRIu64 " positions right\n", name, verification.blocks,
           verification.positions);
    return COMMAND_DONE;
}

static int info_slice(const char *command, Store *store, Slice slice) {
    char name[EGDB_NAME_SIZE];
    EgdbFile file;
    ParseError error;

    egdb_file_name(store->variant, store->kind, slice, name);
    if (!egdb_file_open(&file, store->directory, name, &error)) {
        return fail(command, error.text);
    }
    printf("%s\t%" PRIu64 " numbers\t%" PRIu64 " blocks\t%" PRIu64 " bytes\t%.4f bits a number\n", name,
           slice_size(slice), file.blocks, file.size, (double)file.size * 8 / (double)slice_size(slice));
    egdb_file_close(&file);
    return COMMAND_DONE;
}

static int count_slice(const char *command, Store *store, Slice slice) {
    SliceCount count;
    ParseError error;
    char text[8];
    char fen[FEN_SIZE] = "-";

    if (!egdb_count(store, slice, &count, &error)) {
        return fail(command, error.text);
    }
    write_slice(slice, text);
    if (count.longest_win >= 0) {
        write_example(store, slice, count.longest_index, fen);
    }
    const uint64_t *all = count.values;
    const uint64_t *quiet = count.quiet;
    printf("%s\t%s\t%d\t%s", rules_of(store->variant)->name, egdb_kind_name(store->kind), slice_pieces(slice),
           text);
    printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
           all[VALUE_WIN] + all[VALUE_LOSS] + all[VALUE_DRAW], all[VALUE_WIN], all[VALUE_LOSS],
           all[VALUE_DRAW]);
    printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
           quiet[VALUE_WIN] + quiet[VALUE_LOSS] + quiet[VALUE_DRAW], quiet[VALUE_WIN], quiet[VALUE_LOSS],
           quiet[VALUE_DRAW]);
    printf("\t%d\t%d\t%s\n", count.longest_win, count.longest_loss, fen);
    fflush(stdout);
    return COMMAND_DONE;
}

static int stats(const char *command, const Arguments *arguments, char **operands) {
    puts(
        "variant\tkind\tpieces\tslice\tpositions\twin\tloss\tdraw\tquiet\tquiet_win\tquiet_loss\tquiet_draw\t"
        "longest_win\tlongest_loss\tlongest_win_fen");
    return tour(command, arguments, operands[0], count_slice);
}

static int verify(const char *command, const Arguments *arguments, char **operands) {
    return tour(command, arguments, operands[0], verify_slice);
}

static int info(const char *command, const Arguments *arguments, char **operands) {
    return tour(command, arguments, operands[0], info_slice);
}

/* ---- probe --------------------------------------------------------------------------------------------- */

/*
 * "win in 13", "draw", "loss": of a position for its side to move or, one ply farther from the end, for the
 * side that has moved there. False, and "unknown", if the databases do not know.
 */
static bool write_value(Egdb *egdb, const Position *position, bool moved, char *text, size_t size) {
    static const char *const names[2][3] = {
        {[VALUE_DRAW] = "draw", [VALUE_WIN] = "win", [VALUE_LOSS] = "loss"},
        {[VALUE_DRAW] = "draw", [VALUE_WIN] = "loss", [VALUE_LOSS] = "win"},
    };
    Value value;
    int plies;

    bool far = egdb_distance(egdb, position, &value, &plies);
    bool known = far || egdb_value(egdb, position, &value);
    if (far && value != VALUE_DRAW) {
        snprintf(text, size, "%s in %d", names[moved][value], plies + moved);
    } else {
        snprintf(text, size, "%s", known ? names[moved][value] : "unknown");
    }
    return known;
}

static int probe(const char *command, const Arguments *arguments, char **operands) {
    const char *directory = operands[0];
    const char *fen = operands[1];
    Variant variant = arguments->variant == VARIANT_COUNT ? VARIANT_DEFAULT : arguments->variant;
    FenRecord record;
    ParseError error;
    MoveList list;
    char text[32];
    char move[MOVE_TEXT_SIZE];

    if (!fen_read(fen, strlen(fen), &record, &error)) {
        return usage(command, error.text);
    }
    Egdb *egdb = egdb_open(directory, variant, 1 << 20, command_warn, (void *)(uintptr_t)command);
    if (egdb == NULL) {
        return fail(command, "out of memory");
    }
    if (!write_value(egdb, &record.position, false, text, sizeof text)) {
        fprintf(stderr, "%s: not in the databases of %s: %d pieces of %s\n", command, directory,
                bitboard_count(position_occupied(&record.position)), rules_of(variant)->name);
        egdb_close(egdb);
        return COMMAND_FAILED;
    }
    printf("%s\n", text);
    movegen_generate(variant, &record.position, &list);
    for (int i = 0; i < list.count; i++) {
        Position next = position_after(&record.position, list.moves[i]);
        move_write(variant, &record.position, list.moves[i], move);
        write_value(egdb, &next, true, text, sizeof text);
        printf("%s: %s\n", move, text);
    }
    egdb_close(egdb);
    return command_finish(command);
}

/* ---- The command --------------------------------------------------------------------------------------- */

static int help(void) {
    puts("usage: crownhead egdb build --pieces N --out DIR [--variant GAME] [--kind wld|dtw] [--threads N] "
         "[--memory MIB]\n"
         "       crownhead egdb verify DIR     checks every block and every position\n"
         "       crownhead egdb info DIR       lists the files\n"
         "       crownhead egdb stats DIR      counts wins, losses and draws, with the longest wins\n"
         "       crownhead egdb probe DIR FEN  the value of a position and of each move, plies to the end if "
         "known\n"
         "verify, info and stats take one file in place of DIR too, and --variant, --kind, --threads, "
         "--memory\n"
         "and --pieces, up to how many; probe takes --variant (english), and several DIRs with ':' between.\n"
         "Else, without --variant and --kind all games and both kinds are meant: win/loss/draw, and distance "
         "to\n"
         "win.\n"
         "A build that was interrupted goes on where it was when the same command is given again.");
    return command_finish("crownhead egdb");
}

static const struct {
    const char *name;
    int operands;
    const char *wanted;
    int (*run)(const char *command, const Arguments *arguments, char **operands);
} SUBCOMMANDS[] = {
    {"build", 0, "takes options only", build},      {"verify", 1, "one DIR or FILE is wanted", verify},
    {"info", 1, "one DIR or FILE is wanted", info}, {"stats", 1, "one DIR or FILE is wanted", stats},
    {"probe", 2, "DIR and FEN are wanted", probe},
};

enum { SUBCOMMANDS_COUNT = sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0] };

int command_egdb(int argc, char **argv) {
    char command[32];
    Arguments arguments;
    int index = 0;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        return help();
    }
    while (argc > 1 && index < SUBCOMMANDS_COUNT && strcmp(argv[1], SUBCOMMANDS[index].name) != 0) {
        index++;
    }
    if (argc < 2 || index == SUBCOMMANDS_COUNT) {
        return usage("egdb", "build, verify, info, stats or probe?");
    }
    snprintf(command, sizeof command, "egdb %s", SUBCOMMANDS[index].name);
    argv[1] = command; /* as getopt's own lines begin */
    if (!read_arguments(argc - 1, argv + 1, &arguments)) {
        return COMMAND_USAGE;
    }
    if (arguments.help) {
        return help();
    }
    if (argc - 1 - optind != SUBCOMMANDS[index].operands) {
        return usage(command, SUBCOMMANDS[index].wanted);
    }
    return SUBCOMMANDS[index].run(command, &arguments, argv + 1 + optind);
}
