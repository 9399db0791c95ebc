/* crownhead match: plays engines against each other, or merges what was played in parts. */
#include "bench/commands.h"
#include "match/commands.h"
#include "match/dialect.h"
#include "match/report.h"
#include "match/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EGDB_CACHE = 1 << 20 }; /* bytes: once in a move is seldom */

static int fail(const char *text) {
    fprintf(stderr, "crownhead match: %s\n", text);
    return COMMAND_FAILED;
}

static int help(void) {
    char dialects[64];
    char decks[64];
    Text dialects_out = text_init(dialects, sizeof dialects);
    Text decks_out = text_init(decks, sizeof decks);

    dialect_add_names(&dialects_out);
    opening_add_deck_names(&decks_out);
    printf("usage: crownhead match -engine cmd=COMMAND [KEY=VALUE...] -engine ... [-each KEY=VALUE...] "
           "[OPTION...]\n"
           "       crownhead match -reduce FILE... [-sprt ...]\n"
           "Plays engines against each other, every opening with both colours.\n"
           "\n"
           "of an engine, or of -each:\n"
           "  cmd=COMMAND name=NAME proto=%s dir=DIR arg=WORD args=\"WORDS\" stderr=FILE\n"
           "  option.NAME=VALUE restart=on|off\n"
           "  tc=[MOVES/]SECONDS[+INC]|inf timemargin=MS st=MS nodes=N depth=PLIES\n"
           "options:\n"
           "  -variant GAME                the game, english unless said otherwise\n"
           "  -drawrules official|web      -tiebreak material|none\n"
           "  -openings DECK | file=FILE [format=ballots|fen|pdn] [order=random|sequential] [plies=N] "
           "[start=N]\n"
           "                               decks: %s\n"
           "  -games N -rounds N           games of each pairing in a round (2), rounds (1)\n"
           "  -tournament round-robin|gauntlet\n"
           "  -concurrency N               games at a time (1)\n"
           "  -sprt [elo0=0] [elo1=5] [alpha=0.05] [beta=0.05] [model=normalized|logistic]\n"
           "  -draw [movenumber=1] [movecount=8] [score=10]\n"
           "  -resign [movecount=3] [score=600] [twosided=false]    scores in hundredths of a man\n"
           "  -egdb PATH                   endgame databases that end a game once they know it\n"
           "  -maxmoves N                  full moves, then it is a draw\n"
           "  -pdnout FILE                 appends the games as PDN\n"
           "  -json FILE                   the games as JSON lines, in a new file\n"
           "  -resume FILE                 goes on with a JSON file, perhaps with more -rounds\n"
           "  -log FILE                    appends all that is said to and by the engines\n"
           "  -shard PART/PARTS            plays its part of the match\n"
           "  -ratinginterval N            games between two reports (10), 0 = the last only\n"
           "  -srand N                     seed of order=random (1)\n"
           "  -event TEXT -site TEXT       for the PDN\n"
           "  -startup-ms N -ucinewgame-ms N -ping-ms N -move-ms N    patience where no clock runs\n",
           dialects, decks);
    return command_finish("crownhead match");
}

/* The book that the options ask for, in the order in which it is to be used. */
static bool load_book(MatchOptions *options, OpeningBook *book, ParseError *error) {
    ParseError reason;

    if (!opening_book_load(book, &options->openings, &reason)) {
        Text out = text_init(error->text, sizeof error->text);
        text_add(&out, "-openings: ");
        text_add(&out, reason.text);
        return false;
    }
    if (options->openings_random) {
        opening_book_shuffle(book, (uint64_t)options->seed);
    }
    options->schedule.openings = book->count;
    if (options->schedule.start >= book->count) {
        snprintf(error->text, sizeof error->text, "-openings: start is beyond the %d openings", book->count);
        return false;
    }
    if (schedule_games(&options->schedule) > SCHEDULE_GAMES_MAX) {
        snprintf(error->text, sizeof error->text, "more than %d games are too many", SCHEDULE_GAMES_MAX);
        return false;
    }
    return true;
}

/* Keeps the first. */
static void keep_warning(void *user, const char *line) {
    ParseError *warning = user;

    if (warning->text[0] == '\0') {
        snprintf(warning->text, sizeof warning->text, "%s", line);
    }
}

/* One file that is not whole is a warning if others are. */
static bool load_egdb(MatchOptions *options, ParseError *error) {
    ParseError warning = {""};

    if (options->egdb_path == NULL) {
        return true;
    }
    Egdb *egdb = egdb_open(options->egdb_path, options->variant, EGDB_CACHE, keep_warning, &warning);
    options->arbitration.egdb = egdb;
    if (egdb == NULL) {
        snprintf(error->text, sizeof error->text, "%s", strerror(ENOMEM));
        return false;
    }
    bool found = egdb_pieces(egdb, EGDB_WLD) > 0 || egdb_pieces(egdb, EGDB_DTW) > 0;
    if (!found && warning.text[0] == '\0') {
        snprintf(warning.text, sizeof warning.text, "there is no database of the %s game",
                 rules_of(options->variant)->name);
    }
    Text out = text_init(error->text, sizeof error->text);
    text_add(&out, "-egdb: ");
    text_add(&out, warning.text);
    if (found && warning.text[0] != '\0') {
        fail(error->text);
    }
    return found;
}

/* What a match can be played with, but hardly is meant to be. */
static void tell_of_openings(const MatchOptions *options) {
    const Schedule *schedule = &options->schedule;
    int64_t needed = schedule->rounds * (((int64_t)schedule->games + 1) / 2);
    bool counted = true;

    for (int index = 0; index < options->engines_count; index++) {
        const TimeControl *control = &options->engines[index].control;
        counted = counted && control->time == 0 && control->movetime == 0;
    }
    if (options->openings.name == NULL && needed > 1 && counted) {
        fputs("crownhead match: without -openings, engines that only count nodes or plies may play the same "
              "games again and again\n",
              stderr);
    } else if (options->openings.name != NULL && needed > schedule->openings) {
        fprintf(stderr,
                "crownhead match: %" PRId64 " openings are needed and there are %d, they start over\n",
                needed, schedule->openings);
    }
}

/* Games of other engines under the same names are no match; but a path may well change. */
static void tell_of_commands(const MatchOptions *options, const json_t *before, const json_t *now) {
    for (int index = 0; index < options->engines_count; index++) {
        const char *old = record_command(before, index);
        const char *new = record_command(now, index);
        if (old != NULL && new != NULL && strcmp(old, new) != 0) {
            fprintf(stderr, "crownhead match: %s was run by the command %s before, now by %s\n",
                    options->engines[index].name, old, new);
        }
    }
}

static int play_games(const MatchOptions *options, const OpeningBook *book, Journal *journal, json_t *header,
                      Standings *standings) {
    Transcript transcript;
    ParseError error;

    if (options->log_file != NULL && !transcript_open(&transcript, options->log_file, &error)) {
        return fail(error.text);
    }
    MatchEnd end =
        match_run(options, book, journal, header, standings, options->log_file != NULL ? &transcript : NULL);
    if (options->log_file != NULL && !transcript_close(&transcript)) {
        fprintf(stderr, "crownhead match: %s: cannot be written\n", options->log_file);
    }
    if (end == MATCH_NOT_BEGUN) {
        return COMMAND_FAILED;
    }
    const char *names[MATCH_ENGINES_MAX];
    for (int index = 0; index < options->engines_count; index++) {
        names[index] = options->engines[index].name;
    }
    report_faults(stdout, &(ReportContext){.names = names}, standings);
    puts(end == MATCH_COMPLETE ? "Finished match" : "Match not finished");
    if (end != MATCH_COMPLETE && options->json_file != NULL) {
        fprintf(stderr, "crownhead match: the same command with -resume %s goes on\n", options->json_file);
    }
    int status = command_finish("crownhead match");
    return end == MATCH_COMPLETE ? status : COMMAND_FAILED;
}

static int play_match(const MatchOptions *options, const OpeningBook *book) {
    Standings standings = {0};
    Journal journal;
    ParseError error;
    json_t *header = record_header(options, book);
    int status;

    if (header == NULL || standings_init(&standings, &options->schedule) != 0) {
        status = fail(strerror(ENOMEM));
    } else if (!journal_open(&journal, options, header, &standings, &error)) {
        status = fail(error.text);
    } else {
        tell_of_commands(options, journal.header, header);
        tell_of_openings(options);
        status = play_games(options, book, &journal, header, &standings);
        journal_close(&journal);
    }
    standings_deinit(&standings);
    json_decref(header);
    return status;
}

/* What the files to merge have told so far. */
typedef struct {
    json_t *header; /* of the first file, which parsed points into */
    HeaderLine parsed;
    Schedule part; /* of the file that is being read */
    Standings standings;
} Merge;

static bool merge_begin(void *user, const json_t *header, const HeaderLine *parsed, ParseError *error) {
    Merge *merge = user;
    HeaderDifference difference;

    merge->part = parsed->schedule;
    if (merge->header != NULL) {
        bool differs = record_header_differs(merge->header, header, NULL, &difference);
        if (differs) {
            bool told = difference.one[0] != '\0' && difference.other[0] != '\0';
            snprintf(error->text, sizeof error->text,
                     told ? "another match than in the first file: %s is %s there and %s here"
                          : "another match than in the first file: %s differs",
                     difference.place, difference.one, difference.other);
        }
        return !differs;
    }
    merge->header = json_deep_copy(header);
    if (merge->header == NULL || !record_read_header(merge->header, &merge->parsed) ||
        standings_init(&merge->standings, &merge->parsed.schedule) != 0) {
        snprintf(error->text, sizeof error->text, "%s", strerror(ENOMEM));
        return false;
    }
    return true;
}

static bool merge_game(void *user, const GameLine *line, ParseError *error) {
    Merge *merge = user;

    return journal_count(&merge->standings, merge->parsed.names, &merge->part, line, error);
}

static bool merge_file(Merge *merge, const char *file, ParseError *error) {
    const JournalVisitor visitor = {merge_begin, merge_game, merge};
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    JournalExtent extent;

    if (fd < 0) {
        snprintf(error->text, sizeof error->text, "%s: cannot be opened: %s", file, strerror(errno));
        return false;
    }
    bool fine = journal_read(fd, file, &visitor, &extent, error);
    close(fd);
    if (fine && extent.length == 0) {
        snprintf(error->text, sizeof error->text, "%s: holds no match", file);
        return false;
    }
    if (fine && extent.torn) {
        fprintf(stderr, "crownhead match: %s: the last line is torn and does not count\n", file);
    }
    return fine;
}

/* The test of the command line or else that of the first file. */
static const Sprt *merged_sprt(const MatchOptions *options, const Merge *merge) {
    if (options->sprt_wanted) {
        return &options->sprt;
    }
    return merge->parsed.sprt_wanted ? &merge->parsed.sprt : NULL;
}

static int report_merged(const MatchOptions *options, const Merge *merge) {
    ReportContext context = {merge->parsed.names, merged_sprt(options, merge)};

    if (context.sprt != NULL && merge->parsed.engines_count != 2) {
        return fail("-sprt: the match is not of two engines");
    }
    if (context.sprt != NULL && merge->parsed.schedule.games % 2 != 0) {
        return fail("-sprt: the test is of pairs of games, but the match has an odd number of -games");
    }
    report_standings(stdout, &context, &merge->standings);
    report_faults(stdout, &context, &merge->standings);
    printf("%" PRId64 " of %" PRId64 " games, from %d files\n", merge->standings.finished,
           merge->standings.games, options->reduce_count);
    return command_finish("crownhead match");
}

static int merge_files(const MatchOptions *options) {
    Merge merge = {0};
    ParseError error;
    bool fine = true;

    for (int index = 0; index < options->reduce_count && fine; index++) {
        fine = merge_file(&merge, options->reduce[index], &error);
    }
    int status = fine ? report_merged(options, &merge) : fail(error.text);
    standings_deinit(&merge.standings);
    json_decref(merge.header);
    return status;
}

int command_match(int argc, char **argv) {
    MatchOptions options;
    OpeningBook book = {0};
    ParseError error;
    int status;

    signal(SIGPIPE, SIG_IGN);
    if (!match_options_read(&options, argc, argv, &error)) {
        fail(error.text);
        match_options_deinit(&options);
        return COMMAND_USAGE;
    }
    if (options.help) {
        return help();
    }
    if (options.reduce != NULL) {
        return merge_files(&options);
    }
    status = load_egdb(&options, &error) && load_book(&options, &book, &error) ? play_match(&options, &book)
                                                                               : fail(error.text);
    egdb_close(options.arbitration.egdb);
    opening_book_deinit(&book);
    match_options_deinit(&options);
    return status;
}
