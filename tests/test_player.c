/*
 * Players over engines that play well, misbehave (tests/match/engine.py), or take no time at all
 * (tests/match/null_engine.c).
 */
#include "engine/movegen.h"
#include "engine/notation.h"
#include "match/dialect.h"
#include "match/player.h"

#include <check.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { MS = 1000, PLIES_MAX = 400, LONG = 60000 };

static int64_t now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static const char *environment(const char *name) {
    const char *value = getenv(name);

    ck_assert_msg(value != NULL, "%s is not set", name);
    return value;
}

/* A player and the game that it plays against itself. */
typedef struct {
    EngineSpec spec;
    Patience patience;
    Player player;
    FenRecord start;
    Game game;
    Move moves[PLIES_MAX];
    size_t plies;
    PlayerClocks clocks;
    PlayerMove move;
    Fault fault;
    int stop[2];
} World;

static const Patience PATIENCE = {LONG, LONG, LONG, LONG};

static void add_argument(World *world, const char *argument) {
    ck_assert_int_le(world->spec.arguments_count, ENGINE_ARGUMENTS_MAX);
    world->spec.arguments[world->spec.arguments_count++] = (char *)(uintptr_t)argument;
}

static void add_option(World *world, const char *name, const char *value) {
    world->spec.options[world->spec.options_count++] = (EngineOption){view_of(name), view_of(value)};
}

/* Before player_init, so that arguments and patience can still be changed. */
static void world_prepare(World *world, const Dialect *dialect, Variant variant) {
    const DrawRules *draws = &rules_of(variant)->draws;

    *world = (World){
        .spec = {.name = "engine", .dialect = dialect, .control = {.nodes = 100}},
        .patience = PATIENCE,
        .start = {.position = position_start(rules_of(variant)), .fullmove = 1},
        .clocks = {.left = {LONG, LONG}},
    };
    game_init(&world->game, variant, draws, &world->start.position,
              draw_state_init(draws, &world->start.position, 0), 1);
    ck_assert_int_eq(pipe(world->stop), 0);
}

static void world_prepare_fake(World *world, const Dialect *dialect, Variant variant, const char *fault) {
    world_prepare(world, dialect, variant);
    add_argument(world, environment("CROWNHEAD_TEST_PYTHON"));
    add_argument(world, environment("CROWNHEAD_TEST_ENGINE"));
    add_argument(world, environment("CROWNHEAD_TEST_PROGRAM"));
    add_argument(world, fault);
    if (dialect == &DIALECT_HUB) {
        add_argument(world, "--hub");
    }
}

static void world_init_with(World *world, bool web_draws) {
    ck_assert_int_eq(player_init(&world->player, &world->spec, &world->patience, world->game.variant,
                                 web_draws, world->stop[0]),
                     0);
}

static void world_init(World *world) {
    world_init_with(world, false);
}

static void world_start(World *world) {
    ck_assert_msg(player_start(&world->player, &world->fault), "%s", world->fault.text);
    ck_assert_int_eq(world->fault.kind, FAULT_NONE);
    ck_assert(world->player.running);
    ck_assert_msg(player_new_game(&world->player, &world->fault), "%s", world->fault.text);
}

static bool world_ask(World *world) {
    return player_move(&world->player, &world->start, true, world->moves, world->plies, &world->game,
                       &world->clocks, &world->move, &world->fault);
}

static void world_move(World *world) {
    ck_assert_msg(world_ask(world), "%s: %s", fault_name(world->fault.kind), world->fault.text);
    ck_assert_int_ge(world->move.elapsed, 0);
    world->moves[world->plies++] = world->move.move;
    ck_assert_int_eq(game_play(&world->game, world->move.move), 0);
}

/* Back to the game's begin. */
static void world_again(World *world) {
    const DrawRules *draws = world->game.draws;
    Variant variant = world->game.variant;

    game_deinit(&world->game);
    game_init(&world->game, variant, draws, &world->start.position,
              draw_state_init(draws, &world->start.position, 0), 1);
    world->plies = 0;
}

static void world_close(World *world) {
    player_deinit(&world->player);
    game_deinit(&world->game);
    close(world->stop[0]);
    close(world->stop[1]);
}

static void expect_fault(const World *world, FaultKind kind, const char *text) {
    ck_assert_msg(world->fault.kind == kind, "%s: %s", fault_name(world->fault.kind), world->fault.text);
    ck_assert_msg(strstr(world->fault.text, text) != NULL, "'%s' is not in '%s'", text, world->fault.text);
    for (const char *at = world->fault.text; *at != '\0'; at++) {
        ck_assert(*at >= ' ' && *at <= '~');
    }
}

/* Pages that this process has in memory. */
static long memory_pages(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    char text[100] = "";

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
    fclose(file);
    const char *resident = strchr(text, ' ');
    ck_assert_ptr_nonnull(resident);
    return strtol(resident, NULL, 10);
}

static const Dialect *dialect_of(int index) {
    return index % 2 == 0 ? &DIALECT_UCI : &DIALECT_HUB;
}

/* ---- Good play ---- */

START_TEST(whole_games_are_played) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), (Variant)(_i / 2), "none");
    add_argument(&world, "--seed");
    add_argument(&world, "7");
    world_init(&world);
    for (int round = 0; round < 2; round++) {
        world_start(&world);
        while (world.plies < PLIES_MAX && game_result(&world.game, NULL) == RESULT_OPEN) {
            world_move(&world);
        }
        ck_assert_uint_gt(world.plies, 20);
        ck_assert_msg(player_rest(&world.player, &world.fault), "%s", world.fault.text);
        world_again(&world);
    }
    ck_assert_str_eq(world.player.name, "Fake 1.0");
    ck_assert_str_eq(world.player.warning, "");
    bool ignored = true;
    player_stop(&world.player, true, &ignored);
    ck_assert(!ignored);
    ck_assert(!world.player.running);
    world_close(&world);
}
END_TEST

START_TEST(crownhead_plays) {
    World world;

    world_prepare(&world, &DIALECT_UCI, (Variant)_i);
    add_argument(&world, environment("CROWNHEAD_TEST_PROGRAM"));
    add_option(&world, "hash", "1");
    world.spec.control = (TimeControl){.time = 10000, .increment = 10, .nodes = 3000};
    world_init(&world);
    world_start(&world);
    while (world.plies < 40) {
        world_move(&world);
        ck_assert(world.move.report.has_score);
        ck_assert(!world.move.report.bound);
        ck_assert_int_gt(world.move.report.depth, 0);
        ck_assert_uint_gt(world.move.report.nodes, 0);
    }
    ck_assert_str_eq(world.player.warning, "");
    ck_assert(strncmp(world.player.name, "Crownhead ", 10) == 0);
    world_close(&world);
}
END_TEST

static void read_file(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");

    ck_assert_ptr_nonnull(file);
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
}

START_TEST(an_engine_is_told_what_it_needs) {
    static const char *const expected[] = {
        "uci\nsetoption name UCI_Variant value russian\nsetoption name DrawRules value web\n"
        "setoption name Ponder value false\nsetoption name move overhead value 5\n"
        "setoption name Clear Hash\nsetoption name Nonsense value 1\nsetoption name More value a b\nisready\n"
        "ucinewgame\nisready\nposition startpos\nisready\n"
        "go wtime 5000 btime 6000 winc 100 binc 70 movestogo 3 nodes 10\n"
        "position startpos moves c3-d4\nisready\ngo wtime 5000 btime 6000 winc 100 binc 70 movestogo 3 "
        "nodes 10\n"
        "isready\nquit\n",
        "hub\nset-param name=variant value=russian\nset-param name=draw-rules value=web\n"
        "set-param name=ponder value=false\nset-param name=\"move overhead\" value=5\n"
        "set-param name=\"Clear Hash\" value=\"\"\nset-param name=Nonsense value=1\n"
        "set-param name=More value=\"a b\"\ninit\nnew-game\nping\n"
        "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\nping\n"
        "level time=4.900 inc=0.100 moves=3 nodes=10\ngo think\n"
        "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"22-18\"\nping\n"
        "level time=5.930 inc=0.070 moves=3 nodes=10\ngo think\nping\nquit\n",
    };
    char path[] = "/tmp/crownhead-test-XXXXXX";
    char text[4096];
    ParseError error;
    World world;
    int file = mkstemp(path);

    ck_assert_int_ge(file, 0);
    world_prepare_fake(&world, dialect_of(_i), VARIANT_RUSSIAN, "none");
    add_argument(&world, "--log");
    add_argument(&world, path);
    add_option(&world, "move overhead", "5");
    add_option(&world, "Clear Hash", "");
    add_option(&world, "Nonsense", "1");
    add_option(&world, "More", "a b");
    world.spec.control = (TimeControl){.time = 5000, .increment = 100, .moves = 3, .nodes = 10};
    world.clocks = (PlayerClocks){{5000, 6000}, {100, 70}, 3};
    world_init_with(&world, true);
    world_start(&world);
    ck_assert(world_ask(&world));
    ck_assert(move_read(VARIANT_RUSSIAN, &world.start.position, "c3-d4", 5, &world.moves[0], &error));
    ck_assert_int_eq(game_play(&world.game, world.moves[0]), 0);
    world.plies = 1;
    ck_assert(world_ask(&world));
    ck_assert(player_rest(&world.player, &world.fault));
    player_stop(&world.player, true, NULL);
    /* Only the UCI side of the fake engine knows the option for the overhead. */
    ck_assert_str_eq(world.player.warning,
                     _i % 2 == 0 ? "it offers no option 'Nonsense', 'More'"
                                 : "it offers no option 'move overhead', 'Clear Hash', 'Nonsense', 'More'");
    read_file(path, text, sizeof text);
    ck_assert_str_eq(text, expected[_i]);
    unlink(path);
    close(file);
    world_close(&world);
}
END_TEST

START_TEST(reports_come_with_moves) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "late=0.1");
    add_argument(&world, "--info");
    add_argument(&world,
                 _i % 2 == 0 ? "info depth 5 score mate -2 nodes 77" : "info depth=5 score=-99.96 nodes=77");
    world_init(&world);
    world_start(&world);
    world_move(&world);
    ck_assert(world.move.report.exact_win);
    ck_assert_int_eq(world.move.report.score, -4);
    ck_assert_int_eq(world.move.report.depth, 5);
    ck_assert_uint_eq(world.move.report.nodes, 77);
    ck_assert_int_ge(world.move.elapsed, 100 * MS);
    world_close(&world);
}
END_TEST

/* ---- Faults of moves ---- */

typedef struct {
    const char *fault;
    FaultKind kind;
    const char *text;
    int64_t movetime, ping, move; /* ms, 0 = none or long */
} FaultCase;

/* Instead of a move. */
static const FaultCase FAULTS[] = {
    {"exit=7", FAULT_CRASH, "exit status 7; its last line: 'info string here it ends'", 0, 0, 0},
    {"exit", FAULT_CRASH, "exit status 3", 60000, 0, 0},
    {"signal", FAULT_CRASH, "signal 11 (Segmentation fault)", 0, 0, 0},
    {"signal=9", FAULT_CRASH, "signal 9 (Killed)", 0, 0, 0},
    {"hang", FAULT_HANG, "within 300 ms", 0, 0, 300},
    {"hang", FAULT_TIME, "no move within 0.150 s", 100, 0, 0},
    {"late=0.5", FAULT_TIME, "no move within 0.150 s", 100, 0, 0},
    {"illegal", FAULT_ILLEGAL, "illegal move '1-32': ", 0, 0, 0},
    {"illegal=11-15-18", FAULT_ILLEGAL, "11-15-18'", 0, 0, 0},
    {"nomove", FAULT_ILLEGAL, "no move, though there are legal ones, in '", 0, 0, 0},
    {"empty", FAULT_ILLEGAL, "no move, though there are legal ones, in '", 0, 0, 0},
    {"binary", FAULT_ILLEGAL, " \\x01\\xff\\x80'", 0, 0, 0},
    {"nul", FAULT_ILLEGAL, "NUL bytes, in '", 0, 0, 0},
    {"nul", FAULT_ILLEGAL, "\\x00'", 60000, 0, 0},
    {"long", FAULT_ILLEGAL, "a line too long, in '", 0, 0, 0},
    {"endless", FAULT_FLOOD, "more than 16777216 bytes", 0, 0, 0},
    {"endless", FAULT_FLOOD, "more than 16777216 bytes", 60000, 0, 0},
    {"flood", FAULT_FLOOD, "its last line: 'info string abcdefghijklmnopqrstuvwxyz'", 0, 0, 0},
    {"close", FAULT_CRASH, "it closed its output", 0, 0, 0},
};

/* After a good move. */
static const FaultCase LATE_FAULTS[] = {
    {"deaf", FAULT_CRASH, "it closed its input", 0, 0, 0},
    {"twice", FAULT_TWICE, "' without being asked", 0, 0, 0},
    {"early", FAULT_TWICE, "' without being asked", 0, 0, 0},
    {"mute", FAULT_HANG, "within 1000 ms", 0, 1000, 0},
    {"last", FAULT_CRASH, "exit status 0; its last line: '", 0, 0, 0},
};

static void world_prepare_fault(World *world, const Dialect *dialect, const FaultCase *fault) {
    world_prepare_fake(world, dialect, VARIANT_ENGLISH, fault->fault);
    if (fault->movetime > 0) {
        world->spec.control = (TimeControl){.movetime = fault->movetime, .margin = 50};
    }
    world->patience.ping = fault->ping > 0 ? fault->ping : LONG;
    world->patience.move = fault->move > 0 ? fault->move : LONG;
    world_init(world);
    world_start(world);
}

/* The fault is told and has ended the engine, and another try is a fresh one. */
static void world_close_after(World *world, const FaultCase *fault) {
    expect_fault(world, fault->kind, fault->text);
    ck_assert(!world->player.running);
    ck_assert_int_eq(world->player.process.keeper, 0);
    world_again(world);
    world_start(world);
    world_close(world);
}

START_TEST(faults_of_moves_are_told) {
    const FaultCase *fault = &FAULTS[_i / 2];
    World world;

    world_prepare_fault(&world, dialect_of(_i), fault);
    long before = memory_pages();
    int64_t begin = now();
    ck_assert(!world_ask(&world));
    int64_t elapsed = now() - begin;
    ck_assert_int_lt(memory_pages() - before, (16 << 20) / sysconf(_SC_PAGESIZE));
    ck_assert_int_le(world.move.elapsed, elapsed);
    ck_assert_int_ge(world.move.elapsed, fault->kind == FAULT_TIME ? 150 * MS : 0);
    ck_assert_int_lt(elapsed, 20000 * MS);
    world_close_after(&world, fault);
}
END_TEST

START_TEST(faults_after_moves_are_told) {
    const FaultCase *fault = &LATE_FAULTS[_i / 4];
    World world;

    world_prepare_fault(&world, dialect_of(_i), fault);
    world_move(&world);
    usleep(100 * MS); /* the answer comes first */
    ck_assert(!(_i / 2 % 2 == 0 ? world_ask(&world) : player_rest(&world.player, &world.fault)));
    world_close_after(&world, fault);
}
END_TEST

/* In one piece with a pong comes what cannot be an answer to the go that follows. */
START_TEST(an_answer_does_not_precede_its_question) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "hasty");
    world_init(&world);
    world_start(&world);
    world_move(&world);
    ck_assert(!world_ask(&world));
    expect_fault(&world, FAULT_TWICE, "' without being asked");
    world_close(&world);
}
END_TEST

START_TEST(a_fault_may_come_later) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_RUSSIAN, "illegal=1-1");
    add_argument(&world, "--at");
    add_argument(&world, "3");
    world_init(&world);
    for (int round = 0; round < 2; round++) {
        world_start(&world);
        world_move(&world);
        world_move(&world);
        ck_assert(!world_ask(&world));
        expect_fault(&world, FAULT_ILLEGAL, "'1-1'");
        world_again(&world);
    }
    world_close(&world);
}
END_TEST

START_TEST(rubbish_is_passed_over) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "rubbish");
    world_init(&world);
    world_start(&world);
    long before = memory_pages();
    world_move(&world);
    world_move(&world);
    ck_assert(!world.move.report.has_score);
    ck_assert_int_lt(memory_pages() - before, (16 << 20) / sysconf(_SC_PAGESIZE));
    ck_assert(player_rest(&world.player, &world.fault));
    world_close(&world);
}
END_TEST

/* The bound on what an engine may say is one for each move. */
START_TEST(much_talk_is_no_flood) {
    static char info[120000] = "info string ";
    World world;

    memset(info + strlen(info), 'x', sizeof info - strlen(info) - 1);
    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "none");
    add_argument(&world, "--seed=3");
    add_argument(&world, "--info");
    add_argument(&world, info);
    world_init(&world);
    world_start(&world);
    for (size_t said = 0; said <= PLAYER_FLOOD; said += sizeof info) {
        if (game_result(&world.game, NULL) != RESULT_OPEN) {
            world_again(&world);
        }
        world_move(&world);
    }
    world_close(&world);
}
END_TEST

/* ---- Clocks ---- */

START_TEST(a_flag_falls_late_with_a_margin) {
    World world;

    world_prepare_fake(&world, &DIALECT_UCI, VARIANT_ENGLISH, "late=0.2");
    world.spec.control = (TimeControl){.time = 1000, .margin = 10000};
    world.clocks = (PlayerClocks){.left = {LONG, 20}};
    world_init(&world);
    world_start(&world);
    world_move(&world);
    ck_assert_int_ge(world.move.elapsed, 200 * MS);
    world_close(&world);
}
END_TEST

START_TEST(a_flag_falls_on_time) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "hang");
    world.spec.control = (TimeControl){.time = 1000, .margin = 30, .nodes = 50};
    /* Black moves first. */
    world.clocks = (PlayerClocks){.left = {LONG, 200}};
    world_init(&world);
    world_start(&world);
    ck_assert(!world_ask(&world));
    expect_fault(&world, FAULT_TIME, "no move within 0.230 s");
    ck_assert_int_ge(world.move.elapsed, 230 * MS);
    ck_assert_int_lt(world.move.elapsed, 2000 * MS);
    world_close(&world);
}
END_TEST

START_TEST(no_time_is_a_fallen_flag) {
    World world;

    world_prepare_fake(&world, &DIALECT_UCI, VARIANT_ENGLISH, "none");
    world.spec.control = (TimeControl){.time = 1000};
    world.clocks = (PlayerClocks){.left = {0, 0}};
    world_init(&world);
    world_start(&world);
    ck_assert(!world_ask(&world));
    expect_fault(&world, FAULT_TIME, "no move within 0.000 s");
    world_close(&world);
}
END_TEST

/* Stops a process for a while, after a while, us. */
static pid_t stop_for(int64_t before, int64_t pause) {
    pid_t stopped = getpid();
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        usleep((useconds_t)before);
        kill(stopped, SIGSTOP);
        usleep((useconds_t)pause);
        kill(stopped, SIGCONT);
        _exit(0);
    }
    return child;
}

/* What comes while the match is stopped has come when it goes on, and that time is nobody's. */
START_TEST(a_stopped_match_takes_no_time) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "late=1");
    world.spec.control = (TimeControl){.time = 1000, .margin = 30};
    world.clocks = (PlayerClocks){.left = {LONG, 2000}};
    world_init(&world);
    world_start(&world);
    pid_t child = stop_for(500 * MS, 3000 * MS);
    int64_t begin = now();
    world_move(&world);
    ck_assert_int_ge(now() - begin, 3000 * MS);
    ck_assert_int_lt(world.move.elapsed, 2030 * MS);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    world_close(&world);
}
END_TEST

START_TEST(a_flag_falls_after_a_stop) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "hang");
    world.spec.control = (TimeControl){.time = 1000};
    world.clocks = (PlayerClocks){.left = {LONG, 1000}};
    world_init(&world);
    world_start(&world);
    pid_t child = stop_for(500 * MS, 2000 * MS);
    int64_t begin = now();
    ck_assert(!world_ask(&world));
    expect_fault(&world, FAULT_TIME, "no move within 1.000 s");
    int64_t elapsed = now() - begin;
    ck_assert_int_ge(elapsed, (2000 + 1000 - 300) * MS);
    ck_assert_int_lt(elapsed, 10000 * MS);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    world_close(&world);
}
END_TEST

/* Who looks at the clock while lines come and come finds out that it is late, and that soon. */
START_TEST(talking_does_not_stop_the_clock) {
    const char *script = _i == 0 ? "echo uciok; while read line; do case $line in isready) echo readyok;; "
                                   "go*) while :; do echo info string x; done;; esac; done"
                                 : "echo wait; while read line; do case $line in init) echo ready;; "
                                   "ping) echo pong;; go*) while :; do echo info x; done;; esac; done";
    World world;

    world_prepare(&world, dialect_of(_i), VARIANT_ENGLISH);
    add_argument(&world, "sh");
    add_argument(&world, "-c");
    add_argument(&world, script);
    world.spec.control = (TimeControl){.movetime = 300};
    world_init(&world);
    world_start(&world);
    int64_t begin = now();
    ck_assert(!world_ask(&world));
    ck_assert_int_lt(now() - begin, 3000 * MS);
    expect_fault(&world, FAULT_TIME, "no move within 0.300 s");
    world_close(&world);
}
END_TEST

/* ---- Starts ---- */

static const struct {
    const char *fault, *text;
    int64_t startup; /* ms, 0 = long */
} START_FAULTS[] = {
    {"no-welcome", "within 500 ms", 500},
    {"never-ready", "ready", 1000},
    {"slow-start=30", "within 500 ms", 500},
    {"exit-start=9", "exit status 9; its last line: 'info string I have a headache'", 0},
};

START_TEST(faults_of_starts_are_told) {
    World world;
    int row = _i / 2;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, START_FAULTS[row].fault);
    world.patience.startup = START_FAULTS[row].startup > 0 ? START_FAULTS[row].startup : LONG;
    world_init(&world);
    int64_t begin = now();
    ck_assert(!player_start(&world.player, &world.fault));
    ck_assert_int_lt(now() - begin, 20000 * MS);
    expect_fault(&world, FAULT_START, START_FAULTS[row].text);
    ck_assert(!world.player.running);
    world_close(&world);
}
END_TEST

START_TEST(a_slow_start_may_be_slow) {
    World world;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "slow-start=0.5");
    world_init(&world);
    world_start(&world);
    world_move(&world);
    world_close(&world);
}
END_TEST

START_TEST(what_cannot_run_is_told) {
    World world;

    world_prepare(&world, &DIALECT_UCI, VARIANT_ENGLISH);
    add_argument(&world, "/nowhere/engine");
    world_init(&world);
    ck_assert(!player_start(&world.player, &world.fault));
    expect_fault(&world, FAULT_START,
                 "cannot start '/nowhere/engine': the command: No such file or directory");
    world.spec.directory = "/nowhere";
    ck_assert(!player_start(&world.player, &world.fault));
    expect_fault(&world, FAULT_START, ": the directory: No such file or directory");
    world_close(&world);
}
END_TEST

/* Where the machine has no more to give no engine is to blame. */
START_TEST(wants_of_the_host_are_nobodys_faults) {
    World world;
    struct rlimit limit, none;

    world_prepare_fake(&world, &DIALECT_UCI, VARIANT_ENGLISH, "none");
    world_init(&world);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 3;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    ck_assert(!player_start(&world.player, &world.fault));
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    expect_fault(&world, FAULT_HOST, "its pipes: Too many open files");
    ck_assert_str_eq(fault_name(world.fault.kind), "host");
    ck_assert(!world.player.running);
    world_start(&world);
    world_close(&world);
}
END_TEST

START_TEST(a_game_must_be_known) {
    static const struct {
        Variant variant;
        const char *games;
        const char *text;
    } cases[] = {
        {VARIANT_RUSSIAN, "english,russian", NULL},
        {VARIANT_RUSSIAN, "english", "it does not play russian: 'UCI_Variant' has no such value"},
        {VARIANT_RUSSIAN, "", "it does not play russian: it offers no option 'UCI_Variant'"},
        {VARIANT_ENGLISH, "", NULL},
        {VARIANT_ENGLISH, "chess,russian", "it does not play english: 'UCI_Variant' has no such value"},
    };
    World world;

    world_prepare_fake(&world, &DIALECT_UCI, cases[_i].variant, "none");
    add_argument(&world, "--games");
    add_argument(&world, cases[_i].games);
    world_init(&world);
    if (cases[_i].text == NULL) {
        world_start(&world);
    } else {
        ck_assert(!player_start(&world.player, &world.fault));
        expect_fault(&world, FAULT_START, cases[_i].text);
    }
    world_close(&world);
}
END_TEST

/* ---- Stops ---- */

static void *stop_soon(void *fd) {
    usleep(200 * MS);
    (void)!write(*(int *)fd, "", 1);
    return NULL;
}

START_TEST(a_match_can_be_stopped) {
    World world;
    pthread_t thread;
    bool start = _i / 2 == 0;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, start ? "slow-start=60" : "hang");
    world_init(&world);
    if (!start) {
        world_start(&world);
    }
    int64_t begin = now();
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_soon, &world.stop[1]), 0);
    ck_assert(!(start ? player_start(&world.player, &world.fault) : world_ask(&world)));
    expect_fault(&world, FAULT_STOPPED, "the match is being stopped");
    ck_assert_int_lt(now() - begin, 10000 * MS);
    ck_assert_int_eq(world.player.running, !start);
    pthread_join(thread, NULL);
    begin = now();
    player_stop(&world.player, true, NULL);
    ck_assert_int_lt(now() - begin, 5000 * MS);
    ck_assert_int_eq(world.player.process.keeper, 0);
    world_close(&world);
}
END_TEST

START_TEST(ignored_quits_are_noticed) {
    World world;
    bool ignored = false;

    world_prepare_fake(&world, dialect_of(_i), VARIANT_ENGLISH, "stubborn");
    world_init(&world);
    world_start(&world);
    world_move(&world);
    int64_t begin = now();
    player_stop(&world.player, true, &ignored);
    ck_assert(ignored);
    ck_assert_int_ge(now() - begin, 1000 * MS);
    ck_assert_int_lt(now() - begin, 10000 * MS);
    player_stop(&world.player, true, &ignored);
    ck_assert(!ignored);
    world_close(&world);
}
END_TEST

/* How many processes have the mark among their arguments. */
static int count_marked(const char *mark) {
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    ck_assert_ptr_nonnull(processes);
    while ((entry = readdir(processes)) != NULL) {
        char path[300], text[4096];
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file != NULL) {
            size_t length = fread(text, 1, sizeof text, file);
            fclose(file);
            count += memmem(text, length, mark, strlen(mark)) != NULL;
        }
    }
    closedir(processes);
    return count;
}

START_TEST(what_an_engine_starts_ends_with_it) {
    World world;
    char mark[64];

    /* The engine has the mark among its arguments too. */
    snprintf(mark, sizeof mark, "child=crownhead-mark-%d-%d", (int)getpid(), _i);
    world_prepare_fake(&world, &DIALECT_UCI, VARIANT_ENGLISH, mark);
    world_init(&world);
    world_start(&world);
    world_move(&world);
    int64_t end = now() + 20000 * MS;
    int count;
    while ((count = count_marked(mark + strlen("child="))) != 2 && now() < end) {
        usleep(5 * MS);
    }
    ck_assert_int_eq(count, 2);
    player_stop(&world.player, _i == 0, NULL);
    ck_assert_int_eq(count_marked(mark + strlen("child=")), 0);
    world_close(&world);
}
END_TEST

/* An engine that is killed with its keeper has ended there and then, though others hold its output open. */
START_TEST(a_killed_keeper_is_a_crash) {
    World world;
    char script[1000];

    world_prepare(&world, dialect_of(_i), VARIANT_ENGLISH);
    snprintf(script, sizeof script, "sleep 1000 & '%s' '%s' '%s' hang %s",
             environment("CROWNHEAD_TEST_PYTHON"), environment("CROWNHEAD_TEST_ENGINE"),
             environment("CROWNHEAD_TEST_PROGRAM"), _i % 2 == 0 ? "" : "--hub");
    add_argument(&world, "sh");
    add_argument(&world, "-c");
    add_argument(&world, script);
    world_init(&world);
    world_start(&world);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        usleep(300 * MS);
        kill(world.player.process.keeper, SIGKILL);
        _exit(0);
    }
    int64_t begin = now();
    ck_assert(!world_ask(&world));
    ck_assert_int_lt(now() - begin, 5000 * MS);
    expect_fault(&world, FAULT_CRASH, "its keeper was killed");
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    world_start(&world);
    world_close(&world);
}
END_TEST

/* ---- Measures ---- */

static int compare(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

enum { SAMPLES = 2000, SLEEPS = 40, SLEEP = 50 * MS };

/* What a move takes that takes no time. Other programs may slow most of the moves, but not all. */
START_TEST(a_move_costs_little) {
    static int64_t costs[SAMPLES];
    World world;

    world_prepare(&world, &DIALECT_UCI, VARIANT_ENGLISH);
    add_argument(&world, environment("CROWNHEAD_TEST_NULL_ENGINE"));
    world.spec.control = (TimeControl){.time = LONG};
    world_init(&world);
    world_start(&world);
    for (int sample = 0; sample < SAMPLES; sample++) {
        if (world.plies == 60 || game_result(&world.game, NULL) != RESULT_OPEN) {
            world_again(&world);
        }
        int64_t begin = now();
        world_move(&world);
        costs[sample] = now() - begin;
    }
    qsort(costs, SAMPLES, sizeof costs[0], compare);
    printf("# a move: median %d us, 99 of 100 within %d us\n", (int)costs[SAMPLES / 2],
           (int)costs[SAMPLES * 99 / 100]);
    fflush(stdout);
    ck_assert_int_lt(costs[SAMPLES / 10], 1 * MS);
    world_close(&world);
}
END_TEST

/* How far what is measured is from what was slept. */
START_TEST(clocks_are_accurate) {
    int64_t errors[SLEEPS];
    World world;

    world_prepare(&world, &DIALECT_UCI, VARIANT_RUSSIAN);
    add_argument(&world, environment("CROWNHEAD_TEST_NULL_ENGINE"));
    add_argument(&world, "50000");
    world.spec.control = (TimeControl){.time = LONG};
    world_init(&world);
    world_start(&world);
    for (int sample = 0; sample < SLEEPS; sample++) {
        if (game_result(&world.game, NULL) != RESULT_OPEN) {
            world_again(&world);
        }
        world_move(&world);
        errors[sample] = world.move.elapsed - SLEEP;
        ck_assert_int_ge(errors[sample], 0);
    }
    qsort(errors, SLEEPS, sizeof errors[0], compare);
    printf("# 50 ms are measured as up to %d us more, mostly %d\n", (int)errors[SLEEPS - 1],
           (int)errors[SLEEPS / 2]);
    fflush(stdout);
    ck_assert_int_lt(errors[SLEEPS / 10], 2 * MS);
    world_close(&world);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("player");
    TCase *play = tcase_create("play");
    TCase *faults = tcase_create("faults");
    TCase *starts = tcase_create("starts");
    TCase *stops = tcase_create("stops");
    TCase *measures = tcase_create("measures");
    TCase *const cases[] = {play, faults, starts, stops, measures};

    signal(SIGPIPE, SIG_IGN);

    tcase_add_loop_test(play, whole_games_are_played, 0, 2 * VARIANT_COUNT);
    tcase_add_loop_test(play, crownhead_plays, 0, VARIANT_COUNT);
    tcase_add_loop_test(play, an_engine_is_told_what_it_needs, 0, 2);
    tcase_add_loop_test(play, reports_come_with_moves, 0, 2);
    tcase_add_loop_test(faults, faults_of_moves_are_told, 0, 2 * COUNT(FAULTS));
    tcase_add_loop_test(faults, faults_after_moves_are_told, 0, 4 * COUNT(LATE_FAULTS));
    tcase_add_loop_test(faults, an_answer_does_not_precede_its_question, 0, 2);
    tcase_add_loop_test(faults, a_fault_may_come_later, 0, 2);
    tcase_add_loop_test(faults, rubbish_is_passed_over, 0, 2);
    tcase_add_loop_test(faults, much_talk_is_no_flood, 0, 2);
    tcase_add_test(faults, a_flag_falls_late_with_a_margin);
    tcase_add_loop_test(faults, a_flag_falls_on_time, 0, 2);
    tcase_add_test(faults, no_time_is_a_fallen_flag);
    tcase_add_loop_test(faults, a_stopped_match_takes_no_time, 0, 2);
    tcase_add_loop_test(faults, a_flag_falls_after_a_stop, 0, 2);
    tcase_add_loop_test(faults, talking_does_not_stop_the_clock, 0, 2);
    tcase_add_loop_test(starts, faults_of_starts_are_told, 0, 2 * COUNT(START_FAULTS));
    tcase_add_loop_test(starts, a_slow_start_may_be_slow, 0, 2);
    tcase_add_test(starts, what_cannot_run_is_told);
    tcase_add_test(starts, wants_of_the_host_are_nobodys_faults);
    tcase_add_loop_test(starts, a_game_must_be_known, 0, 5);
    tcase_add_loop_test(stops, a_match_can_be_stopped, 0, 4);
    tcase_add_loop_test(stops, ignored_quits_are_noticed, 0, 2);
    tcase_add_loop_test(stops, what_an_engine_starts_ends_with_it, 0, 2);
    tcase_add_loop_test(stops, a_killed_keeper_is_a_crash, 0, 2);
    tcase_add_test(measures, a_move_costs_little);
    tcase_add_test(measures, clocks_are_accurate);
    for (int index = 0; index < COUNT(cases); index++) {
        tcase_set_timeout(cases[index], 120);
        suite_add_tcase(suite, cases[index]);
    }

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
