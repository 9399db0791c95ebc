/* Processes of engines, played by small shell scripts: what they say, how they end, that nothing stays. */
#include "match/process.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { PATIENCE = 20000 }; /* ms; generous, for a loaded machine */

static int64_t now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void start_in(Process *process, const char *const *arguments, const char *directory,
                     const char *error_file) {
    ProcessCommand command = {(char *const *)(const void *)arguments, directory, error_file, 0};
    int error = process_start(process, &command);

    ck_assert_msg(error == 0, "%s: %s", process->failed, strerror(-error));
}

static void start(Process *process, const char *const *arguments) {
    start_in(process, arguments, NULL, NULL);
}

static void start_script(Process *process, const char *script) {
    start(process, (const char *const[]){"sh", "-c", script, NULL});
}

/* Reads up to size - 1 bytes, to the end of the output or of a line. */
static void read_line(const Process *process, char *text, size_t size) {
    size_t length = 0;
    struct pollfd output = {.fd = process->output, .events = POLLIN};

    while (length + 1 < size && (length == 0 || text[length - 1] != '\n')) {
        ck_assert_int_eq(poll(&output, 1, PATIENCE), 1);
        ssize_t count = read(process->output, text + length, 1);
        ck_assert_int_ge(count, 0);
        if (count == 0) {
            break;
        }
        length++;
    }
    text[length] = '\0';
}

/* Reads and throws away what is said to the end of the output. */
static void read_rest(const Process *process) {
    struct pollfd output = {.fd = process->output, .events = POLLIN};
    char bytes[4096];
    ssize_t count;

    do {
        ck_assert_int_eq(poll(&output, 1, PATIENCE), 1);
        count = read(process->output, bytes, sizeof bytes);
        ck_assert_int_ge(count, 0);
    } while (count > 0);
}

static void expect_end(const Process *process, const char *expected) {
    char text[PROCESS_END_TEXT_SIZE];

    process_end_write(&process->end, text);
    ck_assert_str_eq(text, expected);
}

/* Whether a process exists and is not just what is left of one. */
static bool is_alive(pid_t pid) {
    char path[64], text[512];

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *state = strrchr(text, ')');
    return state != NULL && state[2] != 'Z' && state[2] != 'X';
}

/* How many processes have the mark among their arguments. */
static int count_marked(const char *mark) {
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    ck_assert_ptr_nonnull(processes);
    while ((entry = readdir(processes)) != NULL) {
        char path[300], text[4096];
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = pid > 0 && pid != getpid() ? fopen(path, "r") : NULL;
        if (file == NULL) {
            continue;
        }
        size_t length = fread(text, 1, sizeof text, file);
        fclose(file);
        count += memmem(text, length, mark, strlen(mark)) != NULL && is_alive(pid);
    }
    closedir(processes);
    return count;
}

/* Waits till so many processes have the mark. */
static void await_marked(const char *mark, int wanted, int64_t milliseconds) {
    int64_t end = now() + milliseconds;
    int count;

    while ((count = count_marked(mark)) != wanted && now() < end) {
        usleep(5000);
    }
    ck_assert_msg(count == wanted, "%d processes, not %d, after %d ms", count, wanted, (int)milliseconds);
}

static int count_descriptors(void) {
    DIR *descriptors = opendir("/proc/self/fd");
    int count = 0;

    ck_assert_ptr_nonnull(descriptors);
    while (readdir(descriptors) != NULL) {
        count++;
    }
    closedir(descriptors);
    return count;
}

/* ---- Talking ---- */

START_TEST(lines_go_there_and_back) {
    Process process;
    char text[64];
    bool gracefully = false;

    start(&process, (const char *const[]){"cat", NULL});
    ck_assert_int_eq(process_write(&process, "isready\n", 8, PATIENCE), 0);
    read_line(&process, text, sizeof text);
    ck_assert_str_eq(text, "isready\n");
    ck_assert(!process_ended(&process, 0));
    process_stop(&process, PATIENCE, &gracefully);
    ck_assert(gracefully);
    expect_end(&process, "exit status 0");
    ck_assert_int_eq(process.keeper, 0);
    process_stop(&process, 0, &gracefully);
    ck_assert(gracefully);
}
END_TEST

START_TEST(it_runs_in_its_directory) {
    Process process;
    char text[64];

    start_in(&process, (const char *const[]){"pwd", NULL}, "/proc", NULL);
    read_line(&process, text, sizeof text);
    ck_assert_str_eq(text, "/proc\n");
    process_stop(&process, PATIENCE, NULL);
    /* A path of a command is relative to the directory too. */
    start_in(&process, (const char *const[]){"./sh", "-c", "echo here", NULL}, "/bin", NULL);
    read_line(&process, text, sizeof text);
    ck_assert_str_eq(text, "here\n");
    process_stop(&process, PATIENCE, NULL);
}
END_TEST

START_TEST(its_errors_are_appended_to_a_file) {
    char path[] = "/tmp/crownhead-test-XXXXXX";
    char text[64] = "";
    int file = mkstemp(path);
    Process process;

    ck_assert_int_ge(file, 0);
    for (int round = 0; round < 2; round++) {
        start_in(&process, (const char *const[]){"sh", "-c", "echo said; echo wrong >&2", NULL}, NULL, path);
        read_line(&process, text, sizeof text);
        ck_assert_str_eq(text, "said\n");
        process_stop(&process, PATIENCE, NULL);
    }
    ssize_t length = read(file, text, sizeof text - 1);
    ck_assert_int_ge(length, 0);
    text[length] = '\0';
    ck_assert_str_eq(text, "wrong\nwrong\n");
    close(file);
    unlink(path);
}
END_TEST

START_TEST(signals_are_as_in_a_new_process) {
    Process process;
    char text[128];
    sigset_t blocked;

    sigfillset(&blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    start(&process, (const char *const[]){"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status", NULL});
    read_line(&process, text, sizeof text);
    ck_assert_str_eq(text, "SigBlk:\t0000000000000000\n");
    read_line(&process, text, sizeof text);
    ck_assert_str_eq(text, "SigIgn:\t0000000000000000\n");
    process_stop(&process, PATIENCE, NULL);
    expect_end(&process, "exit status 0");
}
END_TEST

START_TEST(its_group_and_session_are_not_ours) {
    Process process;
    char text[64];

    start_script(&process, "echo $$; read line");
    read_line(&process, text, sizeof text);
    pid_t engine = (pid_t)strtol(text, NULL, 10);
    ck_assert_int_eq(getpgid(engine), engine);
    ck_assert_int_eq(getsid(process.keeper), process.keeper);
    ck_assert_int_eq(getsid(engine), process.keeper);
    process_stop(&process, PATIENCE, NULL);
}
END_TEST

/* ---- Starts that fail ---- */

static const struct {
    const char *command, *directory, *error_file, *failed;
    int error;
} BAD_STARTS[] = {
    {"/nowhere/engine", NULL, NULL, "the command", -ENOENT},
    {"no-such-engine-in-the-path", NULL, NULL, "the command", -ENOENT},
    {"/etc/passwd", NULL, NULL, "the command", -EACCES},
    {"/", NULL, NULL, "the command", -EACCES},
    {"/etc/passwd/engine", NULL, NULL, "the command", -ENOTDIR},
    {"true", "/nowhere", NULL, "the directory", -ENOENT},
    {"true", "/etc/passwd", NULL, "the directory", -ENOTDIR},
    {"true", NULL, "/nowhere/errors", "the file for its errors", -ENOENT},
    {"true", NULL, "/", "the file for its errors", -EISDIR},
};

START_TEST(bad_starts_are_told) {
    char *arguments[] = {(char *)(uintptr_t)BAD_STARTS[_i].command, NULL};
    ProcessCommand command = {arguments, BAD_STARTS[_i].directory, BAD_STARTS[_i].error_file, 0};
    Process process;
    int before = count_descriptors();

    ck_assert_int_eq(process_start(&process, &command), BAD_STARTS[_i].error);
    ck_assert(!process_error_is_of_host(BAD_STARTS[_i].error));
    ck_assert_str_eq(process.failed, BAD_STARTS[_i].failed);
    ck_assert_int_eq(process.keeper, 0);
    ck_assert_int_eq(count_descriptors(), before);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    process_stop(&process, 0, NULL);
}
END_TEST

/* A match that nobody listens to does not wait for somebody who would. */
START_TEST(a_fifo_for_errors_needs_a_reader) {
    char folder[] = "/tmp/crownhead-test-XXXXXX";
    char path[64], bytes[4096];
    const char *const arguments[] = {"sh", "-c", "head -c 200000 /dev/zero >&2; echo $?", NULL};
    ProcessCommand command = {(char *const *)(const void *)arguments, NULL, path, 0};
    Process process;
    size_t said = 0;
    ssize_t count;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/errors", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(process_start(&process, &command), -ENXIO);
    ck_assert_str_eq(process.failed, "the file for its errors, perhaps a FIFO that nobody reads");

    int reader = open(path, O_RDONLY | O_NONBLOCK);
    ck_assert_int_ge(reader, 0);
    start_in(&process, arguments, NULL, path);
    /* An engine that would be told to come again later might give up. */
    usleep(200000);
    struct pollfd errors = {.fd = reader, .events = POLLIN};
    while (poll(&errors, 1, PATIENCE) == 1 && (count = read(reader, bytes, sizeof bytes)) > 0) {
        said += (size_t)count;
    }
    ck_assert_uint_eq(said, 200000);
    read_line(&process, bytes, sizeof bytes);
    ck_assert_str_eq(bytes, "0\n");
    process_stop(&process, PATIENCE, NULL);
    close(reader);
    unlink(path);
    rmdir(folder);
}
END_TEST

static void limit_descriptors(rlim_t soft) {
    struct rlimit limit;

    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = soft;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Wherever on its way a start finds no more descriptors, the host is to blame, and nothing stays. */
START_TEST(wants_of_the_host_are_told) {
    const char *const arguments[] = {"true", NULL};
    ProcessCommand command = {(char *const *)(const void *)arguments, NULL, NULL, 0};
    int before = count_descriptors();
    bool keeper = false;
    Process process;
    int error;

    /* The folder that is counted in is one of them, and has two entries that are none. */
    for (rlim_t soft = (rlim_t)before - 3; soft < (rlim_t)before + 30; soft++) {
        limit_descriptors(soft);
        error = process_start(&process, &command);
        limit_descriptors(1024);
        if (error != 0) {
            ck_assert_msg(error == -EMFILE && process_error_is_of_host(error), "%s: %s", process.failed,
                          strerror(-error));
            keeper = keeper || strcmp(process.failed, "its keeper") == 0;
        }
        process_stop(&process, PATIENCE, NULL);
        ck_assert_int_eq(count_descriptors(), before);
        ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    }
    ck_assert_int_eq(error, 0);
    ck_assert(!process_error_is_of_host(0));
    ck_assert_msg(keeper, "the keeper always found some");
}
END_TEST

START_TEST(an_engine_has_its_own_limit_of_descriptors) {
    static const struct {
        size_t descriptors;
        const char *expected;
    } cases[] = {{0, "300\n"}, {77, "77\n"}, {400, "350\n"}};
    const char *const arguments[] = {"sh", "-c", "ulimit -n", NULL};
    struct rlimit limit = {300, 350};
    char text[16];

    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    for (int index = 0; index < COUNT(cases); index++) {
        ProcessCommand command = {(char *const *)(const void *)arguments, NULL, NULL,
                                  cases[index].descriptors};
        Process process;
        ck_assert_int_eq(process_start(&process, &command), 0);
        read_line(&process, text, sizeof text);
        ck_assert_str_eq(text, cases[index].expected);
        process_stop(&process, PATIENCE, NULL);
    }
}
END_TEST

/* ---- Ends ---- */

static const struct {
    const char *script, *end;
} ENDS[] = {
    {"exit 0", "exit status 0"},
    {"exit 3", "exit status 3"},
    {"kill -SEGV $$", "signal 11 (Segmentation fault)"},
    {"kill -KILL $$", "signal 9 (Killed)"},
    {"kill -40 $$", "signal 40 (unknown)"},
    {"sleep 1000 & exit 4", "exit status 4"},
};

START_TEST(ends_are_told) {
    Process process;
    bool gracefully = false;

    start_script(&process, ENDS[_i].script);
    ck_assert(process_ended(&process, PATIENCE));
    expect_end(&process, ENDS[_i].end);
    /* What it left behind does not keep the output open. */
    read_rest(&process);
    process_stop(&process, 0, &gracefully);
    ck_assert(gracefully);
    expect_end(&process, ENDS[_i].end);
}
END_TEST

START_TEST(an_end_that_nobody_knows) {
    Process process;
    char text[64];

    start_script(&process, "exec >&-; sleep 1000");
    read_line(&process, text, sizeof text);
    ck_assert_str_eq(text, "");
    ck_assert(!process_ended(&process, 50));
    expect_end(&process, "it closed its output");
    process_stop(&process, 0, NULL);
    expect_end(&process, "signal 9 (Killed)");
}
END_TEST

START_TEST(who_does_not_end_is_ended) {
    static const char *const scripts[] = {
        "trap '' TERM INT HUP; echo; while :; do sleep 1; done",
        "echo; yes",
        "echo; exec sleep 1000",
        "echo; kill -STOP $$",
    };
    Process process;
    char text[8];
    bool gracefully = true;

    start_script(&process, scripts[_i]);
    read_line(&process, text, sizeof text);
    int64_t begin = now();
    process_stop(&process, 200, &gracefully);
    int64_t elapsed = now() - begin;
    ck_assert(!gracefully);
    ck_assert_int_ge(elapsed, 200);
    ck_assert_int_lt(elapsed, 5000);
    expect_end(&process, "signal 9 (Killed)");
}
END_TEST

START_TEST(last_words_do_not_stand_in_the_way) {
    Process process;
    char text[8];
    bool gracefully = false;

    start_script(&process, "echo; head -c 1000000 /dev/zero; read line; exit 5");
    read_line(&process, text, sizeof text);
    process_stop(&process, PATIENCE, &gracefully);
    ck_assert(gracefully);
    expect_end(&process, "exit status 5");
}
END_TEST

/* ---- Writing ---- */

START_TEST(who_does_not_read_is_not_waited_for) {
    static const char bytes[1 << 20];
    Process process;

    start(&process, (const char *const[]){"sleep", "1000", NULL});
    int64_t begin = now();
    ck_assert_int_eq(process_write(&process, bytes, sizeof bytes, 200), -ETIMEDOUT);
    int64_t elapsed = now() - begin;
    ck_assert_int_ge(elapsed, 199);
    ck_assert_int_lt(elapsed, 5000);
    ck_assert_int_eq(process_write(&process, bytes, 1, 0), -ETIMEDOUT);
    process_stop(&process, 0, NULL);
}
END_TEST

START_TEST(who_reads_slowly_is_waited_for) {
    static const char bytes[1 << 20];
    Process process;

    start_script(&process, "sleep 0.3; exec cat >/dev/null");
    ck_assert_int_eq(process_write(&process, bytes, sizeof bytes, PATIENCE), 0);
    process_stop(&process, PATIENCE, NULL);
    expect_end(&process, "exit status 0");
}
END_TEST

START_TEST(who_is_gone_is_not_written_to) {
    Process process;
    char text[8];

    signal(SIGPIPE, SIG_IGN);
    start_script(&process, "exec <&-; echo; exec sleep 1000");
    read_line(&process, text, sizeof text);
    ck_assert_int_eq(process_write(&process, "go\n", 3, PATIENCE), -EPIPE);
    ck_assert_int_eq(process_write(&process, "go\n", 3, PATIENCE), -EPIPE);
    process_stop(&process, 0, NULL);
}
END_TEST

/* ---- Descriptors ---- */

START_TEST(nothing_leaks_over_many_starts) {
    int before = count_descriptors();

    for (int round = 0; round < 100; round++) {
        Process process;
        char text[64];
        start_script(&process, "exec ls /proc/$$/fd");
        for (int fd = 0; fd <= 2; fd++) {
            read_line(&process, text, sizeof text);
            ck_assert_int_eq(strtol(text, NULL, 10), fd);
        }
        process_stop(&process, round % 2 == 0 ? PATIENCE : 0, NULL);
    }
    ck_assert_int_eq(count_descriptors(), before);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

enum { STARTERS = 8, STARTS = 20 };

/* Starts engines that must have their own three descriptors and see their own input's end only. */
static void *start_many(void *failures) {
    static const char *const expected[] = {"0\n", "1\n", "2\n", ".\n"};

    for (int round = 0; round < STARTS; round++) {
        const char *const arguments[] = {"sh", "-c", "ls /proc/$$/fd; echo .; cat", NULL};
        ProcessCommand command = {(char *const *)(const void *)arguments, NULL, NULL, 0};
        Process process;
        char text[8];
        bool gracefully;
        if (process_start(&process, &command) != 0) {
            ++*(int *)failures;
            continue;
        }
        bool own = true;
        for (int line = 0; line < COUNT(expected); line++) {
            read_line(&process, text, sizeof text);
            own = own && strcmp(text, expected[line]) == 0;
        }
        process_stop(&process, PATIENCE, &gracefully);
        *(int *)failures += !own || !gracefully;
    }
    return NULL;
}

START_TEST(many_threads_start_at_once) {
    pthread_t threads[STARTERS];
    int failures[STARTERS] = {0};
    int before = count_descriptors();

    for (int index = 0; index < STARTERS; index++) {
        ck_assert_int_eq(pthread_create(&threads[index], NULL, start_many, &failures[index]), 0);
    }
    for (int index = 0; index < STARTERS; index++) {
        pthread_join(threads[index], NULL);
        ck_assert_int_eq(failures[index], 0);
    }
    ck_assert_int_eq(count_descriptors(), before);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

/* A match whose own standard descriptors are closed gets its pipes in their places. */
START_TEST(closed_standard_descriptors_do_no_harm) {
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char *arguments[] = {(char[]){"cat"}, NULL};
        ProcessCommand command = {arguments, NULL, NULL, 0};
        Process process;
        char byte = 0;
        bool gracefully;
        close(0);
        close(1);
        close(2);
        if (process_start(&process, &command) != 0) {
            _exit(1);
        }
        if (process_write(&process, "x", 1, PATIENCE) != 0 || read(process.output, &byte, 1) != 1 ||
            byte != 'x') {
            _exit(2);
        }
        process_stop(&process, PATIENCE, &gracefully);
        _exit(gracefully && process.end.known && process.end.status == 0 ? 0 : 3);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* ---- Nothing survives ---- */

/* Engines that try to leave something behind, each with how many processes bear the mark, which is $0. */
static const struct {
    const char *script;
    int marked;
} ESCAPES[] = {
    {"exec sh -c 'read line' $0", 1},
    {"sh -c 'sleep 1000; :' $0 & sh -c 'sleep 1000; :' $0 & wait", 3},
    {"(setsid sh -c 'sleep 1000; :' $0 &) ; sleep 1000", 2},
    {"(setsid sh -c '(setsid sh -c \"sleep 1000; :\" $0 &); sleep 1000' $0 &); sleep 1000", 3},
    {"trap '' TERM INT HUP; (setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1; done' $0 &); sleep 1000",
     2},
    {"(setsid sh -c 'kill -STOP $$' $0 &) ; sleep 1000", 2},
    {"sh -c 'sh -c \"sleep 1000; :\" $0 & sleep 1000' $0 | sh -c 'sleep 1000; :' $0", 4},
};

static void mark_make(char mark[static 64]) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    snprintf(mark, 64, "crownhead-mark-%d-%ld", (int)getpid(), time.tv_nsec);
}

static void start_escape(Process *process, int index, const char *mark) {
    start(process, (const char *const[]){"sh", "-c", ESCAPES[index].script, mark, NULL});
}

START_TEST(stopping_leaves_nothing) {
    char mark[64];
    Process process;

    mark_make(mark);
    start_escape(&process, _i, mark);
    await_marked(mark, ESCAPES[_i].marked, PATIENCE);
    process_stop(&process, 0, NULL);
    ck_assert_int_eq(count_marked(mark), 0);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

START_TEST(crashing_leaves_nothing) {
    char mark[64];
    char script[256];
    Process process;

    mark_make(mark);
    snprintf(script, sizeof script, "(setsid sh -c 'sleep 1000; :' %s &) ; read line; kill -SEGV $$", mark);
    start_script(&process, script);
    await_marked(mark, 2, PATIENCE);
    ck_assert_int_eq(process_write(&process, "\n", 1, PATIENCE), 0);
    ck_assert(process_ended(&process, PATIENCE));
    await_marked(mark, 0, 1000);
    process_stop(&process, 0, NULL);
    expect_end(&process, "signal 11 (Segmentation fault)");
}
END_TEST

/* Also if its keepers are stopped just then. */
START_TEST(killing_the_match_leaves_nothing) {
    char mark[64];
    int ends[2];
    int marked = 0;
    pid_t keepers[COUNT(ESCAPES)];

    mark_make(mark);
    ck_assert_int_eq(pipe(ends), 0);
    pid_t match = fork();
    ck_assert_int_ge(match, 0);
    if (match == 0) {
        for (int index = 0; index < COUNT(ESCAPES); index++) {
            Process process;
            start_escape(&process, index, mark);
            if (write(ends[1], &process.keeper, sizeof process.keeper) < 0) {
                _exit(1);
            }
        }
        pause();
        _exit(1);
    }
    for (int index = 0; index < COUNT(ESCAPES); index++) {
        ck_assert_int_eq(read(ends[0], &keepers[index], sizeof keepers[index]), sizeof keepers[index]);
        marked += ESCAPES[index].marked;
    }
    await_marked(mark, marked, PATIENCE);
    for (int index = 0; index < COUNT(ESCAPES) && _i == 1; index++) {
        kill(keepers[index], SIGSTOP);
    }
    kill(match, SIGKILL);
    waitpid(match, NULL, 0);
    int64_t end = now() + 1000;
    await_marked(mark, 0, 1000);
    for (int index = 0; index < COUNT(ESCAPES); index++) {
        while (is_alive(keepers[index]) && now() < end) {
            usleep(1000);
        }
        ck_assert_msg(!is_alive(keepers[index]), "the keeper of %d", index);
    }
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(a_keeper_cannot_be_asked_to_end) {
    Process process;
    char text[8];

    start(&process, (const char *const[]){"cat", NULL});
    kill(process.keeper, SIGTERM);
    kill(process.keeper, SIGINT);
    kill(process.keeper, SIGHUP);
    ck_assert_int_eq(process_write(&process, "\n", 1, PATIENCE), 0);
    read_line(&process, text, sizeof text);
    process_stop(&process, PATIENCE, NULL);
    expect_end(&process, "exit status 0");
}
END_TEST

/* With all of its process group, which may hold its output open. */
START_TEST(killing_a_keeper_ends_its_engine) {
    static const int escapes[] = {0, 1, 6};
    char mark[64];
    Process process;

    mark_make(mark);
    start_escape(&process, escapes[_i], mark);
    await_marked(mark, ESCAPES[escapes[_i]].marked, PATIENCE);
    kill(process.keeper, SIGKILL);
    int64_t begin = now();
    ck_assert(process_ended(&process, PATIENCE));
    process_stop(&process, 0, NULL);
    ck_assert_int_lt(now() - begin, 2000);
    await_marked(mark, 0, 1000);
    expect_end(&process, "its keeper was killed");
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

START_TEST(a_stopped_keeper_is_woken) {
    Process process;
    bool gracefully = false;

    start(&process, (const char *const[]){"cat", NULL});
    kill(process.keeper, SIGSTOP);
    int64_t begin = now();
    process_stop(&process, PATIENCE, &gracefully);
    ck_assert_int_lt(now() - begin, 2000);
    ck_assert(gracefully);
    expect_end(&process, "exit status 0");
}
END_TEST

/* Stops a process again and again until it is gone. */
static void *stop_on_and_on(void *pid) {
    while (kill(*(pid_t *)pid, SIGSTOP) == 0) {
        usleep(100);
    }
    return NULL;
}

START_TEST(a_keeper_that_does_not_run_is_not_waited_for) {
    char mark[64];
    Process process;
    pthread_t thread;

    mark_make(mark);
    start_escape(&process, 1, mark);
    await_marked(mark, ESCAPES[1].marked, PATIENCE);
    pid_t keeper = process.keeper;
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_on_and_on, &keeper), 0);
    int64_t begin = now();
    process_stop(&process, 0, NULL);
    ck_assert_int_lt(now() - begin, 10000);
    pthread_join(thread, NULL);
    await_marked(mark, 0, 1000);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("process");
    TCase *talking = tcase_create("talking");
    TCase *starts = tcase_create("starts that fail");
    TCase *ends = tcase_create("ends");
    TCase *descriptors = tcase_create("descriptors");
    TCase *survivors = tcase_create("nothing survives");
    TCase *const cases[] = {talking, starts, ends, descriptors, survivors};

    tcase_add_test(talking, lines_go_there_and_back);
    tcase_add_test(talking, it_runs_in_its_directory);
    tcase_add_test(talking, its_errors_are_appended_to_a_file);
    tcase_add_test(talking, signals_are_as_in_a_new_process);
    tcase_add_test(talking, its_group_and_session_are_not_ours);
    tcase_add_test(talking, who_does_not_read_is_not_waited_for);
    tcase_add_test(talking, who_reads_slowly_is_waited_for);
    tcase_add_test(talking, who_is_gone_is_not_written_to);
    tcase_add_loop_test(starts, bad_starts_are_told, 0, COUNT(BAD_STARTS));
    tcase_add_test(starts, a_fifo_for_errors_needs_a_reader);
    tcase_add_test(starts, wants_of_the_host_are_told);
    tcase_add_test(starts, an_engine_has_its_own_limit_of_descriptors);
    tcase_add_loop_test(ends, ends_are_told, 0, COUNT(ENDS));
    tcase_add_test(ends, an_end_that_nobody_knows);
    tcase_add_loop_test(ends, who_does_not_end_is_ended, 0, 4);
    tcase_add_test(ends, last_words_do_not_stand_in_the_way);
    tcase_add_test(descriptors, nothing_leaks_over_many_starts);
    tcase_add_test(descriptors, many_threads_start_at_once);
    tcase_add_test(descriptors, closed_standard_descriptors_do_no_harm);
    tcase_add_loop_test(survivors, stopping_leaves_nothing, 0, COUNT(ESCAPES));
    tcase_add_test(survivors, crashing_leaves_nothing);
    tcase_add_loop_test(survivors, killing_the_match_leaves_nothing, 0, 2);
    tcase_add_test(survivors, a_keeper_cannot_be_asked_to_end);
    tcase_add_loop_test(survivors, killing_a_keeper_ends_its_engine, 0, 3);
    tcase_add_test(survivors, a_stopped_keeper_is_woken);
    tcase_add_test(survivors, a_keeper_that_does_not_run_is_not_waited_for);
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
