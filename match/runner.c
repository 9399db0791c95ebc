/* The threads of a match. What they share is in Match, behind one lock. */
#include "match/runner.h"

#include "bench/stopwatch.h"
#include "engine/pdn.h"
#include "match/report.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
    START_FAULTS_MAX = 5, /* of an engine in a row, then the match has no point */
    PROGRESS_MS = 500
};

typedef struct {
    const MatchOptions *options;
    const OpeningBook *book;
    ReportContext context;
    const char *names[MATCH_ENGINES_MAX];
    Journal *journal;
    json_t *header;
    Standings *standings;
    Transcript *transcript;
    int stop_fd;        /* an eventfd that is readable once the match is to be stopped */
    int changed_fd;     /* an eventfd that wakes the watching thread */
    bool terminal;      /* stderr shows a line of progress */
    int64_t begin;      /* ns */
    int64_t wanted;     /* games of this shard */
    size_t descriptors; /* the soft limit as it was before the match, which is that of the engines */

    pthread_mutex_t lock;                /* for all below, the standings and the journal */
    int64_t next;                        /* the first game nobody has taken up */
    int64_t played;                      /* here, not those of an earlier run */
    int64_t reported;                    /* games finished when the standings were last reported */
    int working;                         /* threads */
    int start_faults[MATCH_ENGINES_MAX]; /* in a row */
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
        report_progress(stderr, &match->context, match->standings, match->wanted,
                        match->played > 0 ? (double)match->played / seconds : 0);
        if (before > 0) {
            fprintf(stderr, " (%" PRId64 " from before)", before);
        }
        match->progress_shown = true;
    }
}

/*
 * With the lock, or before there are threads: goes to the next game to be played here; false if none is left.
 */
static bool find_game(Match *match) {
    while (match->next < match->standings->games && (!schedule_mine(&match->options->schedule, match->next) ||
                                                     standings_has(match->standings, match->next))) {
        match->next++;
    }
    return match->next < match->standings->games;
}

/* Takes up the next game that is to be played here; false if there is none. */
static bool take_game(Match *match, int64_t *index) {
    pthread_mutex_lock(&match->lock);
    bool found = !match->stopping && find_game(match);
    if (found) {
        *index = match->next++;
    }
    pthread_mutex_unlock(&match->lock);
    return found;
}

static int engine_of(const Match *match, const ScheduledGame *game, Color color) {
    return color == rules_of(match->options->variant)->first ? game->first : game->second;
}

static void print_faults(const GameRecord *record) {
    const PlayedGame *played = record->played;

    for (Color color = WHITE; color <= BLACK; color++) {
        const Fault *fault = &played->faults[color];
        if (fault->kind != FAULT_NONE) {
            bool lost = played->result != RESULT_OPEN;
            fprintf(stderr, "crownhead match: game %" PRId64 ": %s (%s) %s%s: %s\n", record->index + 1,
                    record->names[color], color == WHITE ? "White" : "Black", lost ? "lost by " : "",
                    lost ? fault_name(fault->kind) : "did not come", fault->text);
        }
        if (played->afterwards[color].kind != FAULT_NONE) {
            fprintf(stderr, "crownhead match: game %" PRId64 ": after its end %s: %s\n", record->index + 1,
                    record->names[color], played->afterwards[color].text);
        }
    }
}

/* With the lock: an engine that fails to start again and again would lose the whole match in a second. */
static void count_start_faults(Match *match, const GameRecord *record) {
    const PlayedGame *played = record->played;

    for (Color color = WHITE; color <= BLACK; color++) {
        int engine = engine_of(match, &record->scheduled, color);
        if (played->faults[color].kind == FAULT_START) {
            match->start_faults[engine]++;
        } else if (played->started[color]) {
            match->start_faults[engine] = 0;
        }
        if (match->start_faults[engine] >= START_FAULTS_MAX) {
            fprintf(stderr, "crownhead match: %s does not start any more, the match ends here\n",
                    match->names[engine]);
            stop_match(match, MATCH_FAILED);
        }
    }
}

/* With the lock. */
static void report(Match *match) {
    if (match->reported != match->standings->finished) {
        match->reported = match->standings->finished;
        report_standings(stdout, &match->context, match->standings);
    }
}

/* A part of a match does not know what the others have seen. */
static bool is_decided(const Match *match) {
    const MatchOptions *options = match->options;

    return options->sprt_wanted && options->schedule.shards == 1 &&
           sprt_verdict(&options->sprt, &match->standings->tallies[0]) != SPRT_CONTINUE;
}

/* With the lock: writes a game down; false if that stopped the match. */
static bool record_finished(Match *match, const GameRecord *record) {
    const PlayedGame *played = record->played;
    Color first = rules_of(match->options->variant)->first;
    ParseError error;

    if (played->result == RESULT_OPEN) {
        fprintf(stderr, "crownhead match: game %" PRId64 ": %s, the match ends here\n", record->index + 1,
                played->reason);
        stop_match(match, MATCH_FAILED);
        return false;
    }
    if (!journal_add(match->journal, match->options, record, &error)) {
        fprintf(stderr, "crownhead match: %s\n", error.text);
        stop_match(match, MATCH_FAILED);
        return false;
    }
    standings_add(match->standings, record->index,
                  played->result == RESULT_DRAW            ? 1
                  : played->result == result_won_by(first) ? 2
                                                           : 0,
                  played_game_fault(played));
    match->played++;
    return true;
}

static void finish_game(Match *match, const GameRecord *record) {
    const PlayedGame *played = record->played;
    const ScheduledGame *game = &record->scheduled;
    int interval = match->options->rating_interval;

    pthread_mutex_lock(&match->lock);
    if (match->stopping) {
        pthread_mutex_unlock(&match->lock);
        return;
    }
    clear_progress(match);
    print_faults(record);
    if (record_finished(match, record)) {
        printf("Finished game %" PRId64 " (%s vs %s): %s {%s}\n", record->index + 1,
               match->names[game->first], match->names[game->second],
               pdn_result_text(match->options->variant, played->result), played->reason);
        if (interval > 0 && match->standings->finished % interval == 0) {
            report(match);
        }
        fflush(stdout);
        if (is_decided(match)) {
            stop_match(match, MATCH_COMPLETE);
        }
        count_start_faults(match, record);
        show_progress(match);
    }
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
        seat->players[engine].transcript = seat->match->transcript;
        seat->players[engine].descriptors = seat->match->descriptors;
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

/* Everybody leaves. */
static void seat_deinit(Seat *seat) {
    for (int engine = 0; engine < seat->match->options->engines_count; engine++) {
        dismiss_player(seat, engine);
        if (seat->ready[engine]) {
            player_deinit(&seat->players[engine]);
            seat->ready[engine] = false;
        }
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
    Player *players[2];
    PlayedGame played;

    clear_seat(seat, &game);
    for (Color color = WHITE; color <= BLACK; color++) {
        players[color] = seat_player(seat, engine_of(match, &game, color));
        if (players[color] == NULL) {
            return -ENOMEM;
        }
        players[color]->game = index + 1;
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
        finish_game(match, &record);
        played_game_deinit(&played);
    }
    return error;
}

/* The end of a thread. */
static void leave(Match *match, int error) {
    pthread_mutex_lock(&match->lock);
    if (error != 0 && error != -ECANCELED) {
        clear_progress(match);
        fprintf(stderr, "crownhead match: %s\n", strerror(-error));
        stop_match(match, MATCH_FAILED);
    }
    match->working--;
    pthread_mutex_unlock(&match->lock);
    signal_event(match->changed_fd);
}

static void *play_games(void *user) {
    Seat *seat = user;
    int64_t index;
    int error = 0;

    while (error == 0 && take_game(seat->match, &index)) {
        error = play_game(seat, index);
    }
    seat_deinit(seat);
    leave(seat->match, error);
    return NULL;
}

/* Starts an engine for the first time and hears what it says of itself. 0 or a negative errno. */
static int greet(Seat *seat, int engine) {
    Match *match = seat->match;
    Player *player = seat_player(seat, engine);
    int error = 0;
    Fault fault;

    if (player == NULL) {
        return -ENOMEM;
    }
    bool started = player_start(player, &fault);
    pthread_mutex_lock(&match->lock);
    clear_progress(match);
    if (!started && fault.kind != FAULT_STOPPED) {
        fprintf(stderr, "crownhead match: %s: %s\n", match->names[engine], fault.text);
        stop_match(match, MATCH_FAILED);
    } else if (started) {
        if (player->warning[0] != '\0') {
            fprintf(stderr, "crownhead match: %s: %s\n", match->names[engine], player->warning);
        }
        error = record_name_engine(match->header, engine, player->name) ? 0 : -ENOMEM;
    }
    pthread_mutex_unlock(&match->lock);
    return started ? error : -ECANCELED;
}

/*
 * Starts every engine once, for a match without one of them would be no match. Those of the first game stay:
 * more at a time than play might be more than the machine can hold.
 */
static void *greet_engines(void *user) {
    Seat *seat = user;
    Match *match = seat->match;
    ScheduledGame game = schedule_game(&match->options->schedule, match->next);
    int error = 0;

    for (int engine = 0; engine < match->options->engines_count && error == 0; engine++) {
        error = greet(seat, engine);
        if (engine != game.first && engine != game.second) {
            dismiss_player(seat, engine);
        }
    }
    leave(match, error);
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
        (void)!read(match->changed_fd, &(uint64_t){0}, sizeof(uint64_t));
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

/* Lets so many threads work, or as many as can be had. */
static void run_threads(Match *match, Seat *seats, int count, void *(*work)(void *), int signal_fd) {
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    int started = 0;
    int error = threads == NULL ? ENOMEM : 0;

    while (error == 0 && started < count) {
        pthread_mutex_lock(&match->lock);
        match->working++;
        pthread_mutex_unlock(&match->lock);
        error = pthread_create(&threads[started], NULL, work, &seats[started]);
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
}

/* All of the match, once its descriptors are there. */
static void run(Match *match, int signal_fd) {
    int count = match->options->concurrency;
    bool playing = !is_decided(match) && find_game(match);
    Seat *seats = calloc((size_t)count, sizeof *seats);
    ParseError error = {"not enough memory"};

    for (int index = 0; index < count && seats != NULL; index++) {
        seats[index].match = match;
    }
    if (playing && seats != NULL) {
        run_threads(match, seats, 1, greet_engines, signal_fd);
    }
    if (match->end != MATCH_COMPLETE) {
        match->end = MATCH_NOT_BEGUN;
    } else if (seats == NULL || !journal_begin(match->journal, match->header, &error)) {
        fprintf(stderr, "crownhead match: %s\n", error.text);
        match->end = MATCH_NOT_BEGUN;
    } else {
        match->begin = stopwatch_now();
        if (playing) {
            run_threads(match, seats, count, play_games, signal_fd);
        }
        clear_progress(match);
        report(match);
    }
    if (seats != NULL) {
        seat_deinit(&seats[0]);
    }
    free(seats);
}

static int64_t count_wanted(const Schedule *schedule) {
    int64_t wanted = 0;

    for (int64_t index = 0; index < schedule_games(schedule); index++) {
        wanted += schedule_mine(schedule, index);
    }
    return wanted;
}

MatchEnd match_run(const MatchOptions *options, const OpeningBook *book, Journal *journal, json_t *header,
                   Standings *standings, Transcript *transcript) {
    Match match = {
        .options = options,
        .book = book,
        .journal = journal,
        .header = header,
        .standings = standings,
        .transcript = transcript,
        .stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .changed_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .terminal = isatty(STDERR_FILENO),
        .begin = stopwatch_now(),
        .wanted = count_wanted(&options->schedule),
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .reported = -1,
    };
    sigset_t signals, before;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        match.descriptors = limit.rlim_cur;
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){limit.rlim_max, limit.rlim_max});
    }
    for (int engine = 0; engine < options->engines_count; engine++) {
        match.names[engine] = options->engines[engine].name;
    }
    match.context = (ReportContext){match.names, options->sprt_wanted ? &options->sprt : NULL};
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    int signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (match.stop_fd < 0 || match.changed_fd < 0 || signal_fd < 0) {
        fprintf(stderr, "crownhead match: %s\n", strerror(errno));
        match.end = MATCH_NOT_BEGUN;
    } else {
        run(&match, signal_fd);
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
