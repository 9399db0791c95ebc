/* The table of options, over a session that is never asked to search. */
#include "engine/movegen.h"
#include "protocol/options.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void ignore_info(void *user, const SearchInfo *info) {
    (void)user;
    (void)info;
}

static void ignore_current(void *user, Move move, int number) {
    (void)user;
    (void)move;
    (void)number;
}

static void ignore_best(void *user, const SearchResult *result, int error) {
    (void)user;
    (void)result;
    (void)error;
}

static void ignore_idle(void *user) {
    (void)user;
}

/* All that the options act upon; what goes out is kept in a pipe. */
typedef struct {
    Session session;
    Output output;
    OptionTarget target;
    int out[2], wake[2];
    ParseError error;
} World;

static void world_open(World *world) {
    SessionEvents events = {NULL, ignore_info, ignore_current, ignore_best, ignore_idle};

    memset(world, 0, sizeof *world);
    ck_assert_int_eq(session_init(&world->session, &events), 0);
    ck_assert_int_eq(pipe(world->out), 0);
    ck_assert_int_eq(pipe(world->wake), 0);
    ck_assert_int_eq(output_init(&world->output, world->out[1], world->wake[1]), 0);
    world->target = (OptionTarget){&world->session, &world->output};
}

static void world_close(World *world) {
    session_deinit(&world->session);
    output_deinit(&world->output);
    for (int end = 0; end < 2; end++) {
        close(world->out[end]);
        close(world->wake[end]);
    }
}

static bool set(World *world, const char *text) {
    return options_set(&world->target, view_of(text), &world->error);
}

/* Everything that an option can change but the log. */
static void assert_untouched(const World *world, const char *text) {
    ck_assert_msg(world->session.megabytes == SESSION_MEGABYTES, "%s", text);
    ck_assert_msg(world->session.settings.threads == 1, "%s", text);
    ck_assert_msg(world->session.settings.multipv == 1, "%s", text);
    ck_assert_msg(world->session.settings.overhead == SESSION_OVERHEAD, "%s", text);
    ck_assert_msg(!world->session.settings.limited, "%s", text);
    ck_assert_msg(world->session.settings.elo == LEVEL_ELO_MAX, "%s", text);
    ck_assert_msg(world->session.game.variant == 0, "%s", text);
    ck_assert_msg(!world->session.web_draws, "%s", text);
}

START_TEST(lines_for_the_client) {
    Lines lines = {0};

    options_write(&lines);
    ck_assert_str_eq(lines.text,
                     "option name Hash type spin default 64 min 1 max 1048576\n"
                     "option name Clear Hash type button\n"
                     "option name Threads type spin default 1 min 1 max 256\n"
                     "option name MultiPV type spin default 1 min 1 max 256\n"
                     "option name Ponder type check default false\n"
                     "option name Move Overhead type spin default 20 min 0 max 10000\n"
                     "option name UCI_Variant type combo default english var english var russian\n"
                     "option name UCI_AnalyseMode type check default false\n"
                     "option name UCI_LimitStrength type check default false\n"
                     "option name UCI_Elo type spin default 2330 min 800 max 2330\n"
                     "option name Level Seed type spin default 0 min 0 max 2147483647\n"
                     "option name DrawRules type combo default official var official var web\n"
                     "option name EndgamePath type string default <default>\n"
                     "option name EvalFile type string default <default>\n"
                     "option name OwnBook type check default false\n"
                     "option name BookFile type string default <default>\n"
                     "option name BookVariety type spin default 0 min 0 max 1000\n"
                     "option name Log File type string default <empty>\n");
}
END_TEST

static const struct {
    const char *text;
    const char *error; /* what it must contain */
} REFUSED[] = {
    {"", "'name' expected"},
    {"Hash value 3", "'name' expected, not 'Hash'"},
    {"name", "unknown option ''"},
    {"name value 3", "unknown option ''"},
    {"name Foo value 3", "unknown option 'Foo'"},
    {"name ClearHash", "unknown option 'ClearHash'"},
    {"name Hash Clear value 3", "unknown option 'Hash Clear'"},
    {"name Hash", "Hash: 'value' is missing"},
    {"name Hash value", "Hash: '' is not a number"},
    {"name Hash value abc", "Hash: 'abc' is not a number"},
    {"name Hash value 1e3", "Hash: '1e3' is not a number"},
    {"name Hash value 12 13", "Hash: '12 13' is not a number"},
    {"name Hash value 0", "Hash: '0' is not within 1 and 1048576"},
    {"name Hash value -1", "Hash: '-1' is not within"},
    {"name Hash value 1048577", "Hash: '1048577' is not within"},
    {"name Hash value 99999999", "Hash: '99999999' is not within"},
    {"name Hash value 99999999999", "Hash: '99999999999' is not within"},
    {"name Hash value 18446744073709551616", "Hash: '18446744073709551616' is not within"},
    {"name Threads value 0", "Threads: '0' is not within 1 and 256"},
    {"name Threads value 257", "Threads: '257' is not within"},
    {"name Threads value 100000", "Threads: '100000' is not within"},
    {"name Threads value 4294967297", "Threads: '4294967297' is not within"},
    {"name MultiPV value 0", "MultiPV: '0' is not within"},
    {"name Move Overhead value -1", "Move Overhead: '-1' is not within 0 and 10000"},
    {"name Move Overhead value 10001", "Move Overhead: '10001' is not within"},
    {"name Ponder", "Ponder: 'value' is missing"},
    {"name Ponder value maybe", "Ponder: 'maybe' is neither"},
    {"name Ponder value 1", "Ponder: '1' is neither"},
    {"name UCI_Variant value chess", "UCI_Variant: 'chess' is none of the choices"},
    {"name UCI_Variant value", "UCI_Variant: '' is none of the choices"},
    {"name UCI_LimitStrength value 1", "UCI_LimitStrength: '1' is neither"},
    {"name UCI_Elo", "UCI_Elo: 'value' is missing"},
    {"name UCI_Elo value strong", "UCI_Elo: 'strong' is not a number"},
    {"name UCI_Elo value 0", "UCI_Elo: '0' is not within"},
    {"name UCI_Elo value 9999", "UCI_Elo: '9999' is not within"},
    {"name Level Seed value -1", "Level Seed: '-1' is not within"},
    {"name DrawRules value none", "DrawRules: 'none' is none of the choices"},
    {"name Log File value /nonexistent/log", "Log File: cannot open '/nonexistent/log': No such file"},
    {"name Log File value /", "Log File: cannot open '/':"},
};

START_TEST(refused_and_unchanged) {
    World world;

    world_open(&world);
    ck_assert_msg(!set(&world, REFUSED[_i].text), "%s", REFUSED[_i].text);
    ck_assert_msg(strstr(world.error.text, REFUSED[_i].error) != NULL, "%s: %s", REFUSED[_i].text,
                  world.error.text);
    ck_assert_msg(strchr(world.error.text, '\n') == NULL, "%s", REFUSED[_i].text);
    assert_untouched(&world, REFUSED[_i].text);
    world_close(&world);
}
END_TEST

START_TEST(numbers_and_checks) {
    World world;

    world_open(&world);
    ck_assert(set(&world, "name Hash value 7"));
    ck_assert_uint_eq(world.session.megabytes, 7);
    ck_assert(set(&world, "  name\thAsH   value   1  "));
    ck_assert_uint_eq(world.session.megabytes, 1);
    ck_assert(set(&world, "name clear   HASH"));
    ck_assert(set(&world, "name Clear Hash value true"));
    ck_assert(set(&world, "name Threads value 256"));
    ck_assert_int_eq(world.session.settings.threads, 256);
    ck_assert(set(&world, "name MultiPV value 5"));
    ck_assert_int_eq(world.session.settings.multipv, 5);
    ck_assert(set(&world, "name move overhead value 0"));
    ck_assert_int_eq(world.session.settings.overhead, 0);
    ck_assert(set(&world, "name Ponder value true"));
    ck_assert(set(&world, "name Ponder value False"));
    ck_assert(set(&world, "name UCI_AnalyseMode value true"));
    ck_assert(world.session.settings.analysing);
    ck_assert(set(&world, "name UCI_LimitStrength value true"));
    ck_assert(world.session.settings.limited);
    ck_assert(set(&world, "name UCI_Elo value 1234"));
    ck_assert_int_eq(world.session.settings.elo, 1234);
    ck_assert(set(&world, "name OwnBook value true"));
    ck_assert(world.session.settings.own_book);
    ck_assert(set(&world, "name BookVariety value 45"));
    ck_assert_int_eq(world.session.settings.book_margin, 45);
    ck_assert(set(&world, "name Level Seed value 7"));
    ck_assert_uint_eq(world.session.random, 7);
    ck_assert(set(&world, "name Level Seed value 0"));
    ck_assert_uint_ne(world.session.random, 0);
    world_close(&world);
}
END_TEST

static void play_first(Session *session) {
    MoveList list;

    movegen_generate(session->game.variant, &session->game.position, &list);
    ck_assert_int_eq(game_play(&session->game, list.moves[0]), 0);
}

START_TEST(another_game_begins_at_its_start) {
    World world;

    world_open(&world);
    play_first(&world.session);
    ck_assert(set(&world, "name Variant value Russian"));
    Position start = position_start(&RULES[VARIANT_RUSSIAN]);
    ck_assert_int_eq(world.session.game.variant, VARIANT_RUSSIAN);
    ck_assert(position_equal(&world.session.game.position, &start));
    ck_assert_uint_eq(world.session.game.length, 0);
    ck_assert_ptr_eq(world.session.game.draws, session_draws(&world.session));
    ck_assert_str_eq(world.session.game.draws->rules[0].reason, RULES[VARIANT_RUSSIAN].draws.rules[0].reason);

    /* The same game again changes nothing. */
    play_first(&world.session);
    ck_assert(set(&world, "name UCI_Variant value russian"));
    ck_assert_uint_eq(world.session.game.length, 1);
    world_close(&world);
}
END_TEST

START_TEST(other_draw_rules_keep_the_game) {
    World world;

    world_open(&world);
    play_first(&world.session);
    Position position = world.session.game.position;
    ck_assert(set(&world, "name DrawRules value web"));
    ck_assert_ptr_eq(world.session.game.draws, session_draws(&world.session));
    ck_assert_str_eq(world.session.game.draws->rules[0].reason, DRAW_RULES_WEB.rules[0].reason);
    ck_assert(position_equal(&world.session.game.position, &position));
    ck_assert_uint_eq(world.session.game.length, 1);
    ck_assert_int_eq(world.session.game.draw.since[SINCE_CAPTURE], 1);
    ck_assert_int_eq(world.session.game.draw.since[SINCE_PROGRESS], 0);
    ck_assert(set(&world, "name DrawRules value official"));
    ck_assert_ptr_eq(world.session.game.draws, session_draws(&world.session));
    ck_assert_str_eq(world.session.game.draws->rules[0].reason, RULES[0].draws.rules[0].reason);
    world_close(&world);
}
END_TEST

START_TEST(a_new_game_begins_at_its_start) {
    World world;
    Position start = position_start(&RULES[VARIANT_RUSSIAN]);

    world_open(&world);
    ck_assert(set(&world, "name UCI_Variant value russian"));
    ck_assert(set(&world, "name DrawRules value web"));
    play_first(&world.session);
    play_first(&world.session);
    session_new_game(&world.session);
    ck_assert_int_eq(world.session.game.variant, VARIANT_RUSSIAN);
    ck_assert_str_eq(world.session.game.draws->rules[0].reason, DRAW_RULES_WEB.rules[0].reason);
    ck_assert(position_equal(&world.session.game.position, &start));
    ck_assert_uint_eq(world.session.game.length, 0);
    ck_assert_int_eq(world.session.game.fullmove, 1);
    ck_assert_int_eq(world.session.game.draw.since[SINCE_CAPTURE], 0);
    world_close(&world);
}
END_TEST

/* Whoever does not want to hear of it need not listen; a lost position is told without a search. */
START_TEST(reports_may_be_left_out) {
    SessionEvents events = {NULL, NULL, NULL, ignore_best, ignore_idle};
    Position lost = {.turn = WHITE};
    Session session;
    Game game;

    ck_assert_int_eq(session_init(&session, &events), 0);
    for (int with_move = 0; with_move < 2; with_move++) {
        SearchLimits limits = {.has_depth = true, .depth = 2};
        ck_assert_int_eq(session_go(&session, &limits), 0);
        session_stop(&session);
        game_init(&game, VARIANT_ENGLISH, session_draws(&session), &lost,
                  draw_state_init(session_draws(&session), &lost, 0), 1);
        session_set_game(&session, &game);
    }
    session_deinit(&session);
}
END_TEST

START_TEST(log_has_both_directions) {
    char path[] = "/tmp/crownhead-log-XXXXXX";
    char command[80];
    char text[1000];
    World world;

    world_open(&world);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    snprintf(command, sizeof command, "name Log File value %s", path);
    ck_assert(set(&world, command));
    output_log_input(&world.output, view_of("isready"));
    output_line(&world.output, "readyok");

    /* What cannot be opened leaves the old log in place. */
    ck_assert(!set(&world, "name Log File value /nonexistent/log"));
    output_error(&world.output, "twice\n%s", "\x01");
    ck_assert(set(&world, "name Log File value <empty>"));
    output_line(&world.output, "not in the log");

    ssize_t size = read(fd, text, sizeof text - 1);
    ck_assert_int_gt(size, 0);
    text[size] = '\0';
    ck_assert_ptr_nonnull(strstr(text, " > isready\n"));
    ck_assert_ptr_nonnull(strstr(text, " < readyok\n"));
    ck_assert_ptr_nonnull(strstr(text, " < info string error: twice??\n"));
    ck_assert_ptr_null(strstr(text, "not in the log"));
    close(fd);
    unlink(path);
    world_close(&world);
}
END_TEST

START_TEST(a_full_log_is_given_up) {
    char text[1000];
    World world;

    if (access("/dev/full", W_OK) != 0) {
        return;
    }
    world_open(&world);
    ck_assert(set(&world, "name Log File value /dev/full"));
    output_line(&world.output, "one");
    output_line(&world.output, "two");
    ssize_t size = read(world.out[0], text, sizeof text - 1);
    ck_assert_int_gt(size, 0);
    text[size] = '\0';
    ck_assert_str_eq(text,
                     "info string error: Log File: No space left on device; the log is closed\none\ntwo\n");
    world_close(&world);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void) {
    Suite *suite = suite_create("options");
    TCase *options = tcase_create("options");

    tcase_set_timeout(options, 60);
    tcase_add_test(options, lines_for_the_client);
    tcase_add_loop_test(options, refused_and_unchanged, 0, COUNT(REFUSED));
    tcase_add_test(options, numbers_and_checks);
    tcase_add_test(options, another_game_begins_at_its_start);
    tcase_add_test(options, other_draw_rules_keep_the_game);
    tcase_add_test(options, a_new_game_begins_at_its_start);
    tcase_add_test(options, reports_may_be_left_out);
    tcase_add_test(options, log_has_both_directions);
    tcase_add_test(options, a_full_log_is_given_up);
    suite_add_tcase(suite, options);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
