/* The threads of a match. What they share is in Match, behind one lock. */
#include "match/runner.h"

#include "bench/stopwatch.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
    START_FAULTS_MAX = 5, /* of an engine in a row, then the match has no point */
    PROGRESS_MS = 500
};

typedef struct {
    const MatchOptions *options;
    const OpeningBook *book;
    const ReportContext *context;
    Journal *journal;
    Standings *standings;
    int stop_fd;    /* an eventfd that is readable once the match is to be stopped */
    int changed_fd; /* an eventfd that wakes the watching thread */
    bool terminal;  /* stderr shows a line of progress */
    int64_t begin;  /* ns */
    int64_t wanted; /* games of this shard */

    pthread_mutex_t lock; /* for all below, the standings and the journal */
    int64_t next;         /* the first game nobody has taken up */
    int64_t played;       /* here, not those of an earlier run */
    int working;          /* threads */
    int start_faults[MATCH_ENGINES_MAX];
    bool warned[MATCH_ENGINES_MAX];
    bool stopping;
    bool progress_shown;
    MatchEnd end;
} Match;

static void signal_event(int fd) {
    /* An eventfd takes the number 1 unless 2^64 - 2 are waiting already. */
    (void)!write(fd, &(uint64_t){1}, sizeof(uint64_t));
}

/* With the lock. */
static void stop_match(Match *match, MatchEnd end) {
    if (!match->stopping) {
        match->stopping = true;
        match->end = end;
        signal_event(match->stop_fd);
    }
}

/* With the lock: before anything else is printed. */
static void clear_progress(Match *match) {
    if (match->progress_shown) {
        fputs("\r\033[K", stderr);
        match->progress_shown = false;
    }
}

/* With the lock. */
static void show_progress(Match *match) {
    double seconds = (double)(stopwatch_now() - match->begin) / 1e9;
    int64_t before = match->standings->finished - match->played;

    if (match->terminal && !match->stopping) {
        clear_progress(match);
        report_progress(stderr, match->context, match->standings, match->wanted,
                        match->played > 0 ? (double)match->played / seconds : 0);
        if (before > 0) {
            fprintf(stderr, " (%" PRId64 " from before)", before);
        }
        match->progress_shown = true;
    }
}

/* Takes up the next game that is to be played here; false if there is none. */
static bool take_game(Match *match, int64_t *index) {
    bool found = false;

    pthread_mutex_lock(&match->lock);
    while (!found && !match->stopping && match->next < match->standings->games) {
        found = schedule_mine(&match->options->schedule, match->next) &&
                !standings_has(match->standings, match->next);
        *index = match->next++;
    }
    pthread_mutex_unlock(&match->lock);
    return found;
}

static void print_faults(const GameRecord *record) {
    const PlayedGame *played = record->played;

    if (played->cause == CAUSE_FAULT) {
        Color loser = played->result == RESULT_WHITE_WINS ? BLACK : WHITE;
        fprintf(stderr, "crownhead match: game %" PRId64 ": %s (%s) lost by %s: %s\n", record->index + 1,
                record->names[loser], loser == WHITE ? "White" : "Black", fault_name(played->fault),
                strchr(played->reason, ' ') + 1);
    }
    for (Color color = WHITE; color <= BLACK; color++) {
        if (played->afterwards[color].kind != FAULT_NONE) {
            fprintf(stderr, "crownhead match: game %" PRId64 ": after its end %s: %s\n", record->index + 1,
                    record->names[color], played->afterwards[color].text);
        }
    }
}

/* With the lock, once for each engine. */
static void print_warning(Match *match, const ScheduledGame *game, Player *const *players) {
    for (Color color = WHITE; color <= BLACK; color++) {
        int engine = color == rules_of(match->options->variant)->first ? game->first : game->second;
        if (players[color]->warning[0] != '\0' && !match->warned[engine]) {
            match->warned[engine] = true;
            fprintf(stderr, "crownhead match: %s: %s\n", match->context->names[engine],
                    players[color]->warning);
        }
    }
}

/* With the lock: an engine that fails to start again and again would lose the whole match in a second. */
static void count_start_faults(Match *match, const ScheduledGame *game, const GameRecord *record) {
    Color first = rules_of(match->options->variant)->first;
    const PlayedGame *played = record->played;

    for (Color color = WHITE; color <= BLACK; color++) {
        int engine = color == first ? game->first : game->second;
        bool lost = played->result == (color == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS);
        bool fault = lost && played->cause == CAUSE_FAULT && played->fault == FAULT_START;
        match->start_faults[engine] = fault ? match->start_faults[engine] + 1 : 0;
        if (match->start_faults[engine] >= START_FAULTS_MAX) {
            fprintf(stderr, "crownhead match: %s does not start any more, the match ends here\n",
                    match->context->names[engine]);
            stop_match(match, MATCH_FAILED);
        }
    }
}

static const char *result_text(Color first, Result result) {
    if (result == RESULT_DRAW) {
        return "1/2-1/2";
    }
    return (result == RESULT_WHITE_WINS) == (first == WHITE) ? "1-0" : "0-1";
}

static void finish_game(Match *match, const GameRecord *record, Player *const *players) {
    const PlayedGame *played = record->played;
    const ScheduledGame *game = &record->scheduled;
    Color first = rules_of(match->options->variant)->first;
    bool first_won = played->result == (first == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS);
    int interval = match->options->rating_interval;
    ParseError error;

    pthread_mutex_lock(&match->lock);
    if (match->stopping) {
        pthread_mutex_unlock(&match->lock);
        return;
    }
    clear_progress(match);
    print_warning(match, game, players);
    print_faults(record);
    if (!journal_add(match->journal, match->options, record, &error)) {
        fprintf(stderr, "crownhead match: %s\n", error.text);
        stop_match(match, MATCH_FAILED);
        pthread_mutex_unlock(&match->lock);
        return;
    }
    standings_add(match->standings, record->index, played->result == RESULT_DRAW ? 1 : first_won ? 2 : 0);
    match->played++;
    printf("Finished game %" PRId64 " (%s vs %s): %s {%s}\n", record->index + 1,
           match->context->names[game->first], match->context->names[game->second],
           result_text(first, played->result), played->reason);
    if (interval > 0 && match->standings->finished % interval == 0) {
        report_standings(stdout, match->context, match->standings);
    }
    fflush(stdout);
    if (match->options->sprt_wanted &&
        sprt_verdict(&match->options->sprt, &match->standings->tallies[0]) != SPRT_CONTINUE) {
        stop_match(match, MATCH_COMPLETE);
    }
    count_start_faults(match, game, record);
    show_progress(match);
    pthread_mutex_unlock(&match->lock);
}

/* One place at which a game is played. */
typedef struct {
    Match *match;
    Player players[MATCH_ENGINES_MAX];
    bool ready[MATCH_ENGINES_MAX]; /* that player is set up */
} Seat;

/* The player of an engine at this seat, not yet started. NULL without memory. */
static Player *seat_player(Seat *seat, int engine) {
    const MatchOptions *options = seat->match->options;

    if (!seat->ready[engine]) {
        if (player_init(&seat->players[engine], &options->engines[engine], &options->patience,
                        options->variant, options->arbitration.web_draws, seat->match->stop_fd) != 0) {
            return NULL;
        }
        seat->ready[engine] = true;
    }
    return &seat->players[engine];
}

static void tell_of_quit(Match *match, const Player *player, bool ignored) {
    if (ignored) {
        pthread_mutex_lock(&match->lock);
        clear_progress(match);
        fprintf(stderr, "crownhead match: %s did not obey quit and was killed\n", player->spec->name);
        pthread_mutex_unlock(&match->lock);
    }
}

static void dismiss_player(Seat *seat, int engine) {
    bool ignored = false;

    if (seat->ready[engine] && seat->players[engine].running) {
        player_stop(&seat->players[engine], true, &ignored);
        tell_of_quit(seat->match, &seat->players[engine], ignored);
    }
}

/* Those who are not in this game leave, and those who want to start anew for each. */
static void clear_seat(Seat *seat, const ScheduledGame *game) {
    const MatchOptions *options = seat->match->options;

    for (int engine = 0; engine < options->engines_count; engine++) {
        if ((engine != game->first && engine != game->second) || options->engines[engine].restart) {
            dismiss_player(seat, engine);
        }
    }
}

static int play_game(Seat *seat, int64_t index) {
    Match *match = seat->match;
    const MatchOptions *options = match->options;
    ScheduledGame game = schedule_game(&options->schedule, index);
    const Opening *opening = &match->book->openings[game.opening];
    Color first = rules_of(options->variant)->first;
    Player *players[2];
    PlayedGame played;

    clear_seat(seat, &game);
    players[first] = seat_player(seat, game.first);
    players[color_opponent(first)] = seat_player(seat, game.second);
    if (players[WHITE] == NULL || players[BLACK] == NULL) {
        return -ENOMEM;
    }

    GameRecord record = {
        .index = index,
        .scheduled = game,
        .names = {players[WHITE]->spec->name, players[BLACK]->spec->name},
        .opening = opening->label,
        .begin = time(NULL),
        .played = &played,
    };
    int64_t begin = stopwatch_now();
    int error = referee_play(&options->arbitration, options->variant, opening, players, &played);
    if (error == 0) {
        record.duration = (stopwatch_now() - begin) / 1000000;
        finish_game(match, &record, players);
        played_game_deinit(&played);
    }
    return error;
}

static void *play_games(void *user) {
    Seat *seat = user;
    Match *match = seat->match;
    int64_t index;
    int error = 0;

    while (error == 0 && take_game(match, &index)) {
        error = play_game(seat, index);
    }
    for (int engine = 0; engine < match->options->engines_count; engine++) {
        dismiss_player(seat, engine);
        if (seat->ready[engine]) {
            player_deinit(&seat->players[engine]);
        }
    }
    pthread_mutex_lock(&match->lock);
    if (error != 0 && error != -ECANCELED) {
        clear_progress(match);
        fprintf(stderr, "crownhead match: %s\n", strerror(-error));
        stop_match(match, MATCH_FAILED);
    }
    match->working--;
    pthread_mutex_unlock(&match->lock);
    signal_event(match->changed_fd);
    return NULL;
}

/* Waits till all threads are done; a signal stops the match. */
static void watch(Match *match, int signal_fd) {
    bool working = true;

    while (working) {
        struct pollfd fds[] = {{.fd = signal_fd, .events = POLLIN},
                               {.fd = match->changed_fd, .events = POLLIN}};
        poll(fds, 2, PROGRESS_MS);
        struct signalfd_siginfo info;
        bool interrupted = (fds[0].revents & POLLIN) != 0 && read(signal_fd, &info, sizeof info) > 0;
        uint64_t events;
        if ((fds[1].revents & POLLIN) != 0 && read(match->changed_fd, &events, sizeof events) < 0) {
            continue;
        }
        pthread_mutex_lock(&match->lock);
        if (interrupted) {
            clear_progress(match);
            fprintf(stderr, "crownhead match: stopped by signal %" PRIu32 "\n", info.ssi_signo);
            stop_match(match, MATCH_INTERRUPTED);
        }
        show_progress(match);
        working = match->working > 0;
        pthread_mutex_unlock(&match->lock);
    }
}

/* Plays with as many threads as can be had. */
static void run_threads(Match *match, int signal_fd) {
    int count = match->options->concurrency;
    Seat *seats = calloc((size_t)count, sizeof *seats);
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    int started = 0;
    int error = seats == NULL || threads == NULL ? ENOMEM : 0;

    while (error == 0 && started < count) {
        seats[started].match = match;
        pthread_mutex_lock(&match->lock);
        match->working++;
        pthread_mutex_unlock(&match->lock);
        error = pthread_create(&threads[started], NULL, play_games, &seats[started]);
        if (error == 0) {
            started++;
        } else {
            pthread_mutex_lock(&match->lock);
            match->working--;
            pthread_mutex_unlock(&match->lock);
        }
    }
    if (error != 0) {
        fprintf(stderr, "crownhead match: only %d of %d games at a time: %s\n", started, count,
                strerror(error));
        match->end = started == 0 ? MATCH_FAILED : match->end;
    }
    if (started > 0) {
        watch(match, signal_fd);
    }
    for (int index = 0; index < started; index++) {
        pthread_join(threads[index], NULL);
    }
    free(threads);
    free(seats);
}

static int64_t count_wanted(const Schedule *schedule) {
    int64_t wanted = 0;

    for (int64_t index = 0; index < schedule_games(schedule); index++) {
        wanted += schedule_mine(schedule, index);
    }
    return wanted;
}

MatchEnd match_run(const MatchOptions *options, const OpeningBook *book, const ReportContext *context,
                   Journal *journal, Standings *standings) {
    Match match = {
        .options = options,
        .book = book,
        .context = context,
        .journal = journal,
        .standings = standings,
        .stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .changed_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .terminal = isatty(STDERR_FILENO),
        .begin = stopwatch_now(),
        .wanted = count_wanted(&options->schedule),
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    sigset_t signals, before;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    int signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (match.stop_fd < 0 || match.changed_fd < 0 || signal_fd < 0) {
        fprintf(stderr, "crownhead match: %s\n", strerror(errno));
        match.end = MATCH_FAILED;
    } else {
        run_threads(&match, signal_fd);
        clear_progress(&match);
    }
    for (int index = 0; index < 3; index++) {
        int fd = (int[]){match.stop_fd, match.changed_fd, signal_fd}[index];
        if (fd >= 0) {
            close(fd);
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return match.end;
}
