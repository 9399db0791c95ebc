/* crownhead book: makes opening books, checks them and tells what is in them. */
#include "bench/command.h"
#include "book/build.h"
#include "book/commands.h"
#include "book/verify.h"
#include "engine/fen.h"
#include "engine/notation.h"
#include "match/opening.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DECKS_MAX = 16 };

typedef struct {
    Variant variant;
    uint64_t positions;
    uint64_t nodes;
    uint64_t threads;
    const char *decks[DECKS_MAX]; /* none = all of the game */
    int decks_count;
    const char *out;
    const char *book; /* NULL = the one built in */
    const char *fen;  /* NULL = the first position */
    bool help;
} Arguments;

static bool add_deck(const char *command, const CommandOption *option, char *text) {
    Arguments *arguments = option->to;

    if (arguments->decks_count == DECKS_MAX) {
        fprintf(stderr, "%s: more than %d times --openings\n", command, DECKS_MAX);
        return false;
    }
    arguments->decks[arguments->decks_count++] = text;
    return true;
}

/* Options of show alone, of all subcommands, and of build alone. */
enum { OF_SHOW = 2, OF_ALL = 2, OF_BUILD = 5 };

/* Reads so many of the options; operands are left at optind. */
static bool read_arguments(int argc, char **argv, int first, int count, Arguments *arguments) {
    const CommandOption options[OF_SHOW + OF_ALL + OF_BUILD] = {
        {"book", .text = &arguments->book},
        {"fen", .text = &arguments->fen},
        {"variant", .variant = &arguments->variant},
        {"help", .flag = &arguments->help},
        {"positions", .number = &arguments->positions, .min = 1, .max = BOOK_ENTRIES_MAX / 2},
        {"nodes", .number = &arguments->nodes, .min = 1, .max = UINT64_C(1) << 40},
        {"threads", .number = &arguments->threads, .min = 1, .max = 256},
        {"openings", .read = add_deck, .to = arguments},
        {"out", .text = &arguments->out},
    };

    *arguments = (Arguments){.variant = VARIANT_DEFAULT, .positions = 10000, .nodes = 400000, .threads = 1};
    return command_options(argc, argv, options + first, count);
}

static int fail(const char *command, const char *what, const char *text) {
    fprintf(stderr, "%s: %s%s%s\n", command, what, what[0] != '\0' ? ": " : "", text);
    return COMMAND_FAILED;
}

static int usage(const char *command, const char *text) {
    fprintf(stderr, "%s: %s\n", command, text);
    return COMMAND_USAGE;
}

/* The book that is asked for. False after a line about why there is none. */
static bool open_book(const char *command, const Arguments *arguments, Book *book) {
    ParseError error;

    *book = book_builtin(arguments->variant);
    if (arguments->book != NULL && !book_open(book, arguments->variant, arguments->book, &error)) {
        fail(command, arguments->book, error.text);
        return false;
    }
    return true;
}

/* ---- build --------------------------------------------------------------------------------------------- */

/* Openings that grow. */
typedef struct {
    BookOpening *openings;
    size_t count;
} Openings;

/*
 * One of many openings, drawn by lot, is as rare as a position after so many choices between two moves, and
 * that is how many plies away it counts.
 */
static int plies_of_lot(int count) {
    int plies = 0;

    for (; count > 1; count /= 2) {
        plies++;
    }
    return plies;
}

/* Adds the openings of a deck or a file, NULL = the first position. */
static bool add_openings(const Arguments *arguments, const char *name, Openings *openings,
                         ParseError *error) {
    OpeningSource source = {
        .variant = arguments->variant,
        .draws = &rules_of(arguments->variant)->draws,
        .name = name,
        .format = OPENINGS_BALLOTS,
        .plies = -1,
    };
    OpeningBook deck;

    if (!opening_book_load(&deck, &source, error)) {
        return false;
    }
    BookOpening *more =
        realloc(openings->openings, (openings->count + (size_t)deck.count) * sizeof *openings->openings);
    if (more == NULL) {
        opening_book_deinit(&deck);
        snprintf(error->text, sizeof error->text, "out of memory");
        return false;
    }
    openings->openings = more;
    for (int i = 0; i < deck.count; i++) {
        Position position = deck.openings[i].start.position;
        for (int ply = 0; ply < deck.openings[i].plies; ply++) {
            position = position_after(&position, deck.openings[i].moves[ply]);
        }
        openings->openings[openings->count++] = (BookOpening){position, plies_of_lot(deck.count)};
    }
    opening_book_deinit(&deck);
    return true;
}

static bool add_all_openings(const Arguments *arguments, Openings *openings, ParseError *error) {
    bool good = add_openings(arguments, NULL, openings, error);
    const char *name;

    for (int i = 0; i < arguments->decks_count && good; i++) {
        good = add_openings(arguments, arguments->decks[i], openings, error);
    }
    for (int i = 0;
         arguments->decks_count == 0 && good && (name = opening_deck_name(arguments->variant, i)) != NULL;
         i++) {
        good = add_openings(arguments, name, openings, error);
    }
    return good;
}

static void show_progress(void *user, uint32_t count) {
    uint32_t *reached = user;

    *reached = count;
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r\033[K%" PRIu32 " positions", count);
    }
}

static int show_counts(const char *command, const Book *book, const char *name) {
    BookCounts counts;
    ParseError error;

    if (!book_verify(book, &counts, &error)) {
        return fail(command, name, error.text);
    }
    printf("%s: %" PRIu32 " positions, %" PRIu32 " openings among them, all moves of %" PRIu32 "; %" PRIu64
           " bytes\n",
           rules_of(book->variant)->name, counts.inner + counts.leaves, counts.openings, counts.inner,
           BOOK_HEADER_BYTES + (uint64_t)book->count * BOOK_ENTRY_BYTES);
    return command_finish(command);
}

/* Makes the book of the arguments, and says so if it cannot grow. False with one line in error. */
static bool make_book(const Arguments *arguments, const Openings *openings, ParseError *error) {
    uint32_t reached = 0;
    BookBuild order = {
        .variant = arguments->variant,
        .nodes = arguments->nodes,
        .positions = (uint32_t)arguments->positions,
        .threads = (int)arguments->threads,
        .openings = openings->openings,
        .openings_count = openings->count,
        .path = arguments->out,
        .on_progress = show_progress,
        .user = &reached,
    };

    bool good = book_build(&order, error);
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
    }
    if (good && reached < order.positions) {
        puts("nothing more to add");
    }
    return good;
}

/* Checks a book and prints what is in it. */
static int look_at(const char *command, const Arguments *arguments) {
    Book book;

    if (!open_book(command, arguments, &book)) {
        return COMMAND_FAILED;
    }
    int status = show_counts(command, &book, arguments->book != NULL ? arguments->book : "built in");
    book_close(&book);
    return status;
}

static int build(const char *command, Arguments *arguments, char **operands, int count) {
    Openings openings = {0};
    ParseError error;

    (void)operands;
    if (arguments->out == NULL || count > 0) {
        return usage(command, count > 0 ? "takes options only" : "--out FILE is wanted");
    }
    bool known = add_all_openings(arguments, &openings, &error);
    bool good = known && make_book(arguments, &openings, &error);
    free(openings.openings);
    if (!good) {
        return fail(command, known ? arguments->out : "", error.text);
    }
    arguments->book = arguments->out;
    return look_at(command, arguments);
}

/* ---- verify, show -------------------------------------------------------------------------------------- */

static int verify(const char *command, Arguments *arguments, char **operands, int count) {
    if (count > 1) {
        return usage(command, "one FILE is wanted, or none");
    }
    arguments->book = count > 0 ? operands[0] : NULL;
    return look_at(command, arguments);
}

/* The position that the arguments lead to. */
static bool read_position(const Arguments *arguments, char **moves, int count, Position *position,
                          ParseError *error) {
    FenRecord record = {.position = position_start(rules_of(arguments->variant))};

    if (arguments->fen != NULL && !fen_read(arguments->fen, strlen(arguments->fen), &record, error)) {
        return false;
    }
    *position = record.position;
    for (int i = 0; i < count; i++) {
        Move move;
        if (!move_read(arguments->variant, position, moves[i], strlen(moves[i]), &move, error)) {
            return false;
        }
        *position = position_after(position, move);
    }
    return true;
}

static int show(const char *command, Arguments *arguments, char **operands, int count) {
    BookMove moves[MOVES_MAX];
    Position position;
    ParseError error;
    uint32_t index;
    Book book;

    if (!read_position(arguments, operands, count, &position, &error)) {
        return usage(command, error.text);
    }
    if (!open_book(command, arguments, &book)) {
        return COMMAND_FAILED;
    }
    int known = book_moves(&book, &position, moves);
    if (book_find(&book, &position, &index)) {
        BookEntry entry = book_entry(&book, index);
        printf("value %+d, searched %+d to depth %d%s\n", entry.value, entry.score, entry.depth,
               known == 0 ? ", no move to play" : "");
    } else {
        puts("not in the book");
    }
    for (int i = 0; i < known; i++) {
        char text[MOVE_TEXT_SIZE];
        move_write(arguments->variant, &position, moves[i].move, text);
        printf("%s %+d\n", text, moves[i].value);
    }
    book_close(&book);
    return command_finish(command);
}

/* ---- The command --------------------------------------------------------------------------------------- */

static const char HELP[] =
    "usage: crownhead book build --out FILE [options]\n"
    "       crownhead book show [--variant GAME] [--book FILE] [--fen FEN] [MOVE ...]\n"
    "       crownhead book verify [--variant GAME] [FILE]\n"
    "\n"
    "build makes an opening book, or goes on with the one in FILE: every opening is searched, then the "
    "moves\n"
    "of the positions that are reached by the fewest and the best moves are added and searched. show tells\n"
    "the moves and values of a position, verify checks every entry; both take the book built in where no\n"
    "FILE is named. Values are centi-men for the side to move.\n"
    "\n"
    "  --variant GAME       the game (english)\n"
    "  --positions N        till the book has so many (10000), and all openings in any case\n"
    "  --nodes N            the search of each (400000)\n"
    "  --threads N          threads that search (1); the book is the same\n"
    "  --openings NAME      a deck or a file of ballots as in crownhead match, besides the first position;\n"
    "                       can be given several times (all decks of the game)";

static const struct {
    const char *name;
    int first, count; /* of the options */
    int (*run)(const char *command, Arguments *arguments, char **operands, int count);
} SUBCOMMANDS[] = {{"build", OF_SHOW, OF_ALL + OF_BUILD, build},
                   {"show", 0, OF_SHOW + OF_ALL, show},
                   {"verify", OF_SHOW, OF_ALL, verify}};

enum { SUBCOMMANDS_COUNT = sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0] };

int command_book(int argc, char **argv) {
    char command[32];
    Arguments arguments;
    int index = 0;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        return command_print("book", HELP);
    }
    while (argc > 1 && index < SUBCOMMANDS_COUNT && strcmp(argv[1], SUBCOMMANDS[index].name) != 0) {
        index++;
    }
    if (argc < 2 || index == SUBCOMMANDS_COUNT) {
        return usage("book", "build, show or verify?");
    }
    snprintf(command, sizeof command, "book %s", SUBCOMMANDS[index].name);
    argv[1] = command; /* as getopt's own lines begin */
    if (!read_arguments(argc - 1, argv + 1, SUBCOMMANDS[index].first, SUBCOMMANDS[index].count, &arguments)) {
        return COMMAND_USAGE;
    }
    if (arguments.help) {
        return command_print(command, HELP);
    }
    return SUBCOMMANDS[index].run(command, &arguments, argv + 1 + optind, argc - 1 - optind);
}
