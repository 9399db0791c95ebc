/* crownhead pdn: checks files of recorded games. */
#include "bench/command.h"
#include "engine/pdn.h"
#include "match/commands.h"
#include "match/file.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    Variant variant; /* VARIANT_COUNT = the files tell */
    bool fens;
    bool moves;
    bool quiet;
    bool help;
} Arguments;

typedef struct {
    uint64_t games;
    uint64_t sound;
    uint64_t plies;
    uint64_t results[RESULT_DRAW + 1];
    uint64_t both_lost;
    uint64_t errors; /* files that could not be read count as one each */
} Totals;

/* A file while it is read. */
typedef struct {
    const char *name;
    const Arguments *arguments;
    Totals *totals;
    uint64_t game; /* number of the game, from 1 */
} Checking;

static bool read_arguments(int argc, char **argv, Arguments *arguments) {
    const CommandOption options[] = {
        {"variant", .variant = &arguments->variant}, {"fens", .flag = &arguments->fens},
        {"moves", .flag = &arguments->moves},        {"quiet", .flag = &arguments->quiet},
        {"help", .flag = &arguments->help},
    };

    *arguments = (Arguments){.variant = VARIANT_COUNT};
    return command_options(argc, argv, options, sizeof options / sizeof options[0]);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

/* The bytes of a file, in memory of one kind or the other. */
typedef struct {
    char *bytes;
    size_t length;
    bool mapped;
} Contents;

/* A large file is mapped, so that its pages can go again once they are read. 0 or a negative errno. */
static int contents_open(int fd, Contents *contents) {
    struct stat status;

    *contents = (Contents){0};
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        lseek(fd, 0, SEEK_CUR) == 0 && (uintmax_t)status.st_size <= SIZE_MAX) {
        void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED) {
            madvise(map, (size_t)status.st_size, MADV_SEQUENTIAL);
            *contents = (Contents){map, (size_t)status.st_size, true};
            return 0;
        }
    }
    return file_read(fd, &contents->bytes, &contents->length);
}

static void contents_close(Contents *contents) {
    if (contents->mapped) {
        munmap(contents->bytes, contents->length);
    } else {
        free(contents->bytes);
    }
}

/* ---- Games --------------------------------------------------------------------------------------------- */

static void print_fault(void *user, bool warning, const PdnFault *fault) {
    Checking *checking = user;

    checking->totals->errors += !warning;
    if (warning && checking->arguments->quiet) {
        return;
    }
    fprintf(stderr, "%s:%zu: game %" PRIu64, checking->name, fault->line, checking->game);
    if (fault->ply > 0) {
        fprintf(stderr, ", ply %d", fault->ply);
    }
    fprintf(stderr, ": %s: %s\n", warning ? "warning" : "error", fault->error.text);
}

/* Prints what was asked for of a sound game, on one line. */
static void print_game(const Arguments *arguments, const PdnGame *game) {
    const Rules *rules = rules_of(game->variant);
    FenRecord last = {.position = game->start.position, .fullmove = 1};
    char fen[FEN_SIZE];
    char move[MOVE_TEXT_SIZE];

    for (size_t ply = 0; ply < game->plies; ply++) {
        if (arguments->moves) {
            pdn_move_write(game->variant, &last.position, game->moves[ply], move);
            printf("%s%s", ply > 0 ? " " : "", move);
        }
        last.position = position_after(&last.position, game->moves[ply]);
    }
    if (arguments->fens) {
        fen_write(&last, rules, fen);
        printf("%s%s", arguments->moves ? "\t" : "", fen);
    }
    putchar('\n');
}

static void check_game(Checking *checking, const PdnGame *game) {
    Totals *totals = checking->totals;

    totals->games++;
    totals->sound += game->sound;
    totals->plies += game->plies;
    totals->results[game->result] += !game->both_lost;
    totals->both_lost += game->both_lost;
    if (game->sound && (checking->arguments->fens || checking->arguments->moves)) {
        print_game(checking->arguments, game);
    }
}

/* Checks the games of an open file. 0 or a negative errno. */
static int check_contents(Checking *checking, int fd) {
    Contents contents;
    PdnGame game;
    int status = contents_open(fd, &contents);

    if (status == 0) {
        PdnReader *reader = pdn_reader_new((View){contents.bytes, contents.length},
                                           checking->arguments->variant, print_fault, checking);
        while (reader != NULL && pdn_reader_next(reader, &game)) {
            check_game(checking, &game);
            checking->game++;
        }
        status = reader == NULL || pdn_reader_failed(reader) ? -ENOMEM : 0;
        pdn_reader_free(reader);
    }
    contents_close(&contents);
    return status;
}

static void check_file(const char *command, const char *name, const Arguments *arguments, Totals *totals) {
    bool input = strcmp(name, "-") == 0;
    Checking checking = {input ? "stdin" : name, arguments, totals, 1};
    int fd = input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    int status = fd < 0 ? -errno : check_contents(&checking, fd);

    if (fd >= 0 && !input) {
        close(fd);
    }
    if (status < 0) {
        fprintf(stderr, "%s: %s: %s\n", command, checking.name, strerror(-status));
        totals->errors++;
    }
}

int command_pdn(int argc, char **argv) {
    Arguments arguments;
    Totals totals = {0};

    if (!read_arguments(argc, argv, &arguments)) {
        return COMMAND_USAGE;
    }
    if (arguments.help) {
        puts("usage: crownhead pdn [--variant GAME] [--fens] [--moves] [--quiet] [FILE...]\n"
             "Checks the games of PDN files, '-' or none for standard input. Errors and warnings go to\n"
             "standard error, --quiet leaves the warnings out. --moves prints the moves and --fens the last\n"
             "position of each game without an error. --variant is the game of records that do not tell.");
        return command_finish(argv[0]);
    }

    if (optind == argc) {
        check_file(argv[0], "-", &arguments, &totals);
    }
    for (int index = optind; index < argc; index++) {
        check_file(argv[0], argv[index], &arguments, &totals);
    }
    printf("games %" PRIu64 ", sound %" PRIu64 ", plies %" PRIu64 "; won by White %" PRIu64
           ", by Black %" PRIu64 ", drawn %" PRIu64 ", lost by both %" PRIu64 ", unknown %" PRIu64 "\n",
           totals.games, totals.sound, totals.plies, totals.results[RESULT_WHITE_WINS],
           totals.results[RESULT_BLACK_WINS], totals.results[RESULT_DRAW], totals.both_lost,
           totals.results[RESULT_OPEN]);
    int status = command_finish(argv[0]);
    return totals.errors > 0 ? COMMAND_FAILED : status;
}
