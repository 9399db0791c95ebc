/* Tests of the command pdn: what it prints where, and its status. */
#include "bench/commands.h"
#include "match/commands.h"

#include <check.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 4096, ARGUMENTS_MAX = 8 };

#define GOOD "[Event \"a\"]\n[Result \"1-0\"]\n1. 11-15 23-19 2. 8-11 22-17 *\n"
#define WARNED "[Event \"b\"]\n1. 9-14 glue 0-1\n"
#define BAD "[Event \"c\"]\n1. 9-14\n9-14 1/2-1/2\n"
#define FOREIGN "[GameType \"20\"]\n1. 32-28 1-0\n"
#define RUSSIAN "[GameType \"25\"]\n1. c3-d4 f6-e5 2. d4:f6 0-0\n"

#define TOTALS(games, sound, plies, white, black, drawn, both, unknown) \
    "games " #games ", sound " #sound ", plies " #plies "; won by White " #white ", by Black " #black \
    ", drawn " #drawn ", lost by both " #both ", unknown " #unknown "\n"

#define SQUARES_AFTER_GOOD "B:W17,19,21,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15"
#define ILLEGAL "illegal move '9-14': no piece of the side to move on 9; legal: "
#define LEGAL "22-17, 23-18, 24-19, 21-17, 22-18, 23-19, 24-20"

/* Every run finds its input on stdin and in the file "in". */
static const struct {
    const char *input;
    const char *arguments[ARGUMENTS_MAX];
    int status;
    const char *out, *err; /* NULL = anything but nothing */
} runs[] = {
    {"", {NULL}, COMMAND_DONE, TOTALS(0, 0, 0, 0, 0, 0, 0, 0), ""},
    {GOOD, {NULL}, COMMAND_DONE, TOTALS(1, 1, 4, 0, 1, 0, 0, 0), ""},
    {GOOD, {"-"}, COMMAND_DONE, TOTALS(1, 1, 4, 0, 1, 0, 0, 0), ""},
    {GOOD, {"in"}, COMMAND_DONE, TOTALS(1, 1, 4, 0, 1, 0, 0, 0), ""},
    {GOOD, {"in", "-", "in"}, COMMAND_DONE, TOTALS(3, 3, 12, 0, 3, 0, 0, 0), ""},
    {GOOD WARNED RUSSIAN,
     {"--moves", "in"},
     COMMAND_DONE,
     "11-15 23-19 8-11 22-17\n9-14\nc3-d4 f6-e5 d4:f6\n" TOTALS(3, 3, 8, 1, 1, 0, 1, 0),
     "in:5: game 2, ply 1: warning: cannot read 'glue'\n"},
    {GOOD BAD,
     {"--fens", "in"},
     COMMAND_FAILED,
     SQUARES_AFTER_GOOD "\n" TOTALS(2, 1, 5, 0, 1, 1, 0, 0),
     "in:6: game 2, ply 2: error: " ILLEGAL LEGAL "\n"},
    {WARNED BAD FOREIGN GOOD,
     {"--quiet", "--fens", "--moves"},
     COMMAND_FAILED,
     "9-14\tW:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,14\n"
     "11-15 23-19 8-11 22-17\t" SQUARES_AFTER_GOOD "\n" TOTALS(4, 2, 6, 1, 1, 1, 0, 1),
     "stdin:5: game 2, ply 2: error: " ILLEGAL LEGAL "\n"
     "stdin:6: game 3: error: GameType '20': international draughts is none of our games\n"},
    {"1. 22-18 *",
     {"--variant", "russian", "--moves"},
     COMMAND_DONE,
     "c3-d4\n" TOTALS(1, 1, 1, 0, 0, 0, 0, 1),
     ""},
    {GOOD,
     {"missing", "in"},
     COMMAND_FAILED,
     TOTALS(1, 1, 4, 0, 1, 0, 0, 0),
     "pdn: missing: No such file or directory\n"},
    {"", {"."}, COMMAND_FAILED, TOTALS(0, 0, 0, 0, 0, 0, 0, 0), "pdn: .: Is a directory\n"},
    {"", {"/dev/zero"}, COMMAND_FAILED, TOTALS(0, 0, 0, 0, 0, 0, 0, 0), "pdn: /dev/zero: File too large\n"},
    {"", {"--variant", "chess"}, COMMAND_USAGE, "", NULL},
    {"", {"--nonsense"}, COMMAND_USAGE, "", NULL},
    {"", {"--help"}, COMMAND_DONE, NULL, ""},
};

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void read_file(const char *name, char text[static TEXT_SIZE]) {
    FILE *file = fopen(name, "r");
    ck_assert(file != NULL);
    text[fread(text, 1, TEXT_SIZE - 1, file)] = '\0';
    fclose(file);
}

static void redirect(FILE *stream, int fd, const char *name, const char *mode, int *saved) {
    fflush(stream);
    *saved = dup(fd);
    ck_assert(freopen(name, mode, stream) != NULL && fileno(stream) == fd);
}

static void restore(FILE *stream, int fd, int saved) {
    fflush(stream);
    dup2(saved, fd);
    close(saved);
}

START_TEST(command_answers) {
    char *argv[ARGUMENTS_MAX + 2] = {strdup("pdn")};
    int argc = 1;
    char folder[] = "/tmp/crownhead-pdn-XXXXXX";
    char out[TEXT_SIZE];
    char err[TEXT_SIZE];
    int saved[3];

    for (const char *const *argument = runs[_i].arguments; *argument != NULL; argument++) {
        argv[argc++] = strdup(*argument);
    }
    ck_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    write_file("in", runs[_i].input);
    redirect(stdin, STDIN_FILENO, "in", "r", &saved[0]);
    redirect(stdout, STDOUT_FILENO, "out", "w", &saved[1]);
    redirect(stderr, STDERR_FILENO, "err", "w", &saved[2]);
    optind = 0; /* the C library begins anew */
    int status = command_pdn(argc, argv);
    restore(stdin, STDIN_FILENO, saved[0]);
    restore(stdout, STDOUT_FILENO, saved[1]);
    restore(stderr, STDERR_FILENO, saved[2]);
    read_file("out", out);
    read_file("err", err);
    ck_assert(unlink("in") == 0 && unlink("out") == 0 && unlink("err") == 0 && rmdir(folder) == 0);
    while (argc > 0) {
        free(argv[--argc]);
    }

    ck_assert_msg(status == runs[_i].status, "run %d: status %d, %s", _i, status, err);
    ck_assert_msg(runs[_i].out != NULL ? strcmp(out, runs[_i].out) == 0 : out[0] != '\0', "run %d: out: %s",
                  _i, out);
    ck_assert_msg(runs[_i].err != NULL ? strcmp(err, runs[_i].err) == 0 : err[0] != '\0', "run %d: err: %s",
                  _i, err);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pdn command");
    TCase *tcase = tcase_create("pdn command");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, command_answers, 0, (int)(sizeof runs / sizeof runs[0]));
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
