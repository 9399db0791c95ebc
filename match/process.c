#include "match/process.h"

#include "bench/stopwatch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum { STEP_KEEPER, STEP_DIRECTORY, STEP_COMMAND } StartStep;

/* What went wrong before the engine ran, as it goes through a pipe to whoever starts it. */
typedef struct {
    int error;
    StartStep step;
} StartFault;

static const char *const STEPS[] = {
    [STEP_KEEPER] = "its keeper",
    [STEP_DIRECTORY] = "the directory",
    [STEP_COMMAND] = "the command",
};

/* Where the keeper has its descriptors, so that the engine finds its own in their places. */
enum { KEEPER_LIFELINE = STDERR_FILENO + 1, KEEPER_REPORT, KEEPER_START, KEEPER_DESCRIPTORS };

/*
 * How long a keeper tries to end what it keeps. A process that survives it hangs in the kernel or belongs to
 * another user.
 */
static const int64_t KEEPER_PATIENCE = 2000000000; /* ns */

enum {
    START_PATIENCE = 30000, /* ms for a keeper to have the engine running */
    END_PATIENCE = 5000     /* ms for a keeper to end, longer than its own patience */
};

/* ---- The keeper and, before it becomes another program, the engine ------------------------------------- */

/*
 * These functions run in a copy of a process that may have had other threads, whose locks nobody will ever
 * open: they call nothing that a signal handler may not call. The one that POSIX does not
 * list is execvp; that of glibc takes neither a lock nor memory.
 */

static _Noreturn void start_fail(int fd, int error, StartStep step) {
    StartFault fault = {.error = error, .step = step};

    (void)!write(fd, &fault, sizeof fault);
    _exit(127);
}

static _Noreturn void engine_run(const ProcessCommand *command, pid_t keeper) {
    struct sigaction normal = {.sa_handler = SIG_DFL};
    struct rlimit limit;
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper) {
        _exit(127);
    }
    for (int number = 1; number < NSIG; number++) {
        sigaction(number, &normal, NULL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (command->descriptors > 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = command->descriptors < limit.rlim_max ? command->descriptors : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (command->directory != NULL && chdir(command->directory) != 0) {
        start_fail(KEEPER_START, errno, STEP_DIRECTORY);
    }
    execvp(command->arguments[0], command->arguments);
    start_fail(KEEPER_START, errno, STEP_COMMAND);
}

/* Closes whatever else the match had open: a copy of another engine's lifeline would keep that one alive. */
static void descriptors_close(void) {
    struct rlimit limit;

    if (close_range(KEEPER_DESCRIPTORS, UINT_MAX, 0) == 0) {
        return;
    }
    int most =
        getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < INT_MAX ? (int)limit.rlim_cur : INT_MAX;
    for (int fd = KEEPER_DESCRIPTORS; fd < most; fd++) {
        close(fd);
    }
}

/* Brings the keeper's descriptors to their places, sources in the order of the places. */
static void descriptors_place(const int sources[static KEEPER_DESCRIPTORS]) {
    int start = sources[KEEPER_START];
    int copies[KEEPER_DESCRIPTORS];

    for (int place = 0; place < KEEPER_DESCRIPTORS; place++) {
        copies[place] = fcntl(sources[place], F_DUPFD_CLOEXEC, KEEPER_DESCRIPTORS);
        if (copies[place] < 0) {
            start_fail(start, errno, STEP_KEEPER);
        }
    }
    for (int place = 0; place < KEEPER_DESCRIPTORS; place++) {
        dup3(copies[place], place, place <= STDERR_FILENO ? 0 : O_CLOEXEC);
    }
    descriptors_close();
}

/* Kills the children, those too that came to us when their parents died. False if they cannot be listed. */
static bool children_kill(void) {
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    char bytes[4096];
    ssize_t count;
    pid_t child = 0;

    if (fd < 0) {
        return false;
    }
    while ((count = read(fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t at = 0; at < count; at++) {
            if (bytes[at] >= '0' && bytes[at] <= '9') {
                child = child * 10 + (bytes[at] - '0');
            } else if (child > 0) {
                kill(child, SIGKILL);
                child = 0;
            }
        }
    }
    if (child > 0) {
        kill(child, SIGKILL);
    }
    close(fd);
    return true;
}

/* Waits so many milliseconds, -1 = for ever, for a child to end or the match to let go; true if it did. */
static bool keeper_wait(int signals, int milliseconds) {
    struct pollfd descriptors[2] = {
        {.fd = signals, .events = POLLIN},
        {.fd = milliseconds < 0 ? KEEPER_LIFELINE : -1, .events = POLLIN},
    };
    struct signalfd_siginfo info;

    if (poll(descriptors, 2, milliseconds) > 0 && descriptors[0].revents != 0) {
        (void)!read(signals, &info, sizeof info);
    }
    return descriptors[1].revents != 0;
}

/*
 * Whether the engine has ended. Its remains are left, so that its number and its group's stay its own; those
 * of others are taken up.
 */
static bool engine_ended(pid_t engine) {
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
            return false;
        }
        if (info.si_pid == engine) {
            return true;
        }
        waitpid(info.si_pid, NULL, 0);
    }
}

/* Ends the engine's group, then whoever else is left: each that dies hands its own children to us. */
static void keeper_end(pid_t engine, int signals) {
    int64_t deadline = stopwatch_now() + KEEPER_PATIENCE;
    bool gone = false;

    kill(-engine, SIGKILL);
    for (;;) {
        bool listed = children_kill();
        bool some = false;
        int status;
        pid_t child;
        while ((child = waitpid(-1, &status, WNOHANG)) > 0) {
            some = true;
            if (child == engine) {
                (void)!write(KEEPER_REPORT, &status, sizeof status);
                gone = true;
            }
        }
        if (child < 0 || (gone && !listed) || stopwatch_now() > deadline) {
            return;
        }
        if (!some) {
            keeper_wait(signals, 10);
        }
    }
}

static _Noreturn void keeper_run(const int sources[static KEEPER_DESCRIPTORS],
                                 const ProcessCommand *command) {
    struct sigaction normal = {.sa_handler = SIG_DFL};
    pid_t keeper = getpid();
    sigset_t child;

    descriptors_place(sources);
    /* Should the match go while the keeper is stopped, the end of the lifeline lets it run again. */
    fcntl(KEEPER_LIFELINE, F_SETOWN, keeper);
    fcntl(KEEPER_LIFELINE, F_SETSIG, SIGCONT);
    fcntl(KEEPER_LIFELINE, F_SETFL, O_ASYNC);
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* Another name than the match's, for those who end the match by name: the keeper must see it go. */
    prctl(PR_SET_NAME, "engine-keeper");
    sigaction(SIGCHLD, &normal, NULL);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    pid_t engine = signals < 0 ? -1 : _Fork();
    if (engine < 0) {
        start_fail(KEEPER_START, errno, STEP_KEEPER);
    }
    if (engine == 0) {
        engine_run(command, keeper);
    }
    /* The engine does so too: whoever comes first, both may rely on it. */
    setpgid(engine, engine);
    (void)!write(KEEPER_REPORT, &engine, sizeof engine);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    close(KEEPER_START);
    while (!keeper_wait(signals, -1) && !engine_ended(engine)) {
    }
    keeper_end(engine, signals);
    _exit(0);
}

/* ---- The match ----------------------------------------------------------------------------------------- */

enum { READ_END, WRITE_END };

typedef struct {
    int input[2], output[2], lifeline[2], report[2];
    int start[2]; /* a StartFault, or nothing once the engine runs */
    int errors;   /* the engine's stderr */
} Channels;

static void fd_close(int *fd) {
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

static void channels_close(Channels *channels) {
    int *const pipes[] = {channels->input, channels->output, channels->lifeline, channels->report,
                          channels->start};

    for (size_t index = 0; index < sizeof pipes / sizeof pipes[0]; index++) {
        fd_close(&pipes[index][READ_END]);
        fd_close(&pipes[index][WRITE_END]);
    }
    fd_close(&channels->errors);
}

static int channels_open(Channels *channels, const ProcessCommand *command, const char **failed) {
    const char *path = command->error_file != NULL ? command->error_file : "/dev/null";

    *channels = (Channels){{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, -1};
    *failed = "its pipes";
    if (pipe2(channels->input, O_CLOEXEC) != 0 || pipe2(channels->output, O_CLOEXEC) != 0 ||
        pipe2(channels->lifeline, O_CLOEXEC) != 0 || pipe2(channels->report, O_CLOEXEC) != 0 ||
        pipe2(channels->start, O_CLOEXEC) != 0 ||
        fcntl(channels->input[WRITE_END], F_SETFL, O_NONBLOCK) != 0) {
        return -errno;
    }
    *failed = "the file for its errors";
    /* A FIFO that nobody reads would keep the match waiting; the engine finds its stderr as it knows it. */
    channels->errors = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (channels->errors >= 0 && fcntl(channels->errors, F_SETFL, O_APPEND) == 0) {
        return 0;
    }
    if (errno == ENXIO) {
        *failed = "the file for its errors, perhaps a FIFO that nobody reads";
    }
    return -errno;
}

static pid_t keeper_start(const Channels *channels, const ProcessCommand *command) {
    const int sources[KEEPER_DESCRIPTORS] = {
        [STDIN_FILENO] = channels->input[READ_END],
        [STDOUT_FILENO] = channels->output[WRITE_END],
        [STDERR_FILENO] = channels->errors,
        [KEEPER_LIFELINE] = channels->lifeline[READ_END],
        [KEEPER_REPORT] = channels->report[WRITE_END],
        [KEEPER_START] = channels->start[WRITE_END],
    };
    sigset_t all, mask;

    /* No handler of the match may run in the keeper, and no signal but SIGKILL end it. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    pid_t keeper = fork();
    if (keeper == 0) {
        keeper_run(sources, command);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return keeper < 0 ? -error : keeper;
}

/* Milliseconds to a time of the stopwatch, rounded up, as poll wants them. */
static int milliseconds_to(int64_t deadline) {
    int64_t left = (deadline - stopwatch_now() + 999999) / 1000000;
    return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* Waits so many milliseconds for something to read, or for the end of what there is. */
static bool readable(int fd, int64_t milliseconds) {
    int64_t deadline = stopwatch_now() + milliseconds * 1000000;
    struct pollfd descriptor = {.fd = fd, .events = POLLIN};
    int ready;

    while ((ready = poll(&descriptor, 1, milliseconds_to(deadline))) < 0 && errno == EINTR) {
    }
    return ready > 0;
}

/* Reads a message from a keeper; false if it left without one. */
static bool message_read(int fd, void *message, size_t size) {
    ssize_t count;

    while ((count = read(fd, message, size)) < 0 && errno == EINTR) {
    }
    return count == (ssize_t)size;
}

/* Takes up how the engine ended, which the keeper must have told; false if it is gone. */
static bool report_take(Process *process) {
    int status;

    if (message_read(process->report, &status, sizeof status)) {
        process->end = (ProcessEnd){.known = true, .status = status};
        return true;
    }
    process->end.lost = !process->end.known;
    return false;
}

/* Waits so many milliseconds for the keeper to be gone. */
static bool keeper_ended(Process *process, int64_t milliseconds) {
    int64_t deadline = stopwatch_now() + milliseconds * 1000000;

    while (readable(process->report, milliseconds_to(deadline))) {
        if (!report_take(process)) {
            return true;
        }
    }
    return false;
}

/*
 * Ends what is left of an engine whose keeper was killed: the kernel has killed the engine itself, but not
 * its children. Its number may by now be another's, but hardly that of a group without its leader.
 */
static void orphans_end(const Process *process) {
    pid_t session = getsid(process->engine);

    if (process->engine > 0 && (session < 0 || session == process->keeper)) {
        kill(-process->engine, SIGKILL);
    }
}

/* Closes the lifeline and takes up the keeper's remains, however it fares. */
static void keeper_end_and_reap(Process *process) {
    close(process->lifeline);
    kill(process->keeper, SIGCONT);
    if (!keeper_ended(process, END_PATIENCE)) {
        kill(process->keeper, SIGKILL);
        keeper_ended(process, END_PATIENCE);
    }
    while (waitpid(process->keeper, NULL, 0) < 0 && errno == EINTR) {
    }
    if (process->end.lost) {
        orphans_end(process);
    }
}

/* Waits till the engine runs; what kept it from that. */
static StartFault start_await(Process *process, int start) {
    StartFault fault = {.error = 0};

    if (!readable(start, START_PATIENCE)) {
        return (StartFault){ETIMEDOUT, STEP_KEEPER};
    }
    if (message_read(start, &fault, sizeof fault)) {
        return fault;
    }
    if (!message_read(process->report, &process->engine, sizeof process->engine)) {
        return (StartFault){ESRCH, STEP_KEEPER};
    }
    return (StartFault){.error = 0};
}

int process_start(Process *process, const ProcessCommand *command) {
    Channels channels;
    const char *failed;

    *process = (Process){0};
    int error = channels_open(&channels, command, &failed);
    if (error != 0) {
        goto out;
    }
    pid_t keeper = keeper_start(&channels, command);
    if (keeper < 0) {
        failed = STEPS[STEP_KEEPER];
        error = (int)keeper;
        goto out;
    }
    Process started = {
        .keeper = keeper,
        .input = channels.input[WRITE_END],
        .output = channels.output[READ_END],
        .lifeline = channels.lifeline[WRITE_END],
        .report = channels.report[READ_END],
    };
    /* Where these are open, nobody sees that the keeper has closed them. */
    fd_close(&channels.start[WRITE_END]);
    fd_close(&channels.report[WRITE_END]);
    channels.lifeline[WRITE_END] = -1;
    StartFault fault = start_await(&started, channels.start[READ_END]);
    if (fault.error != 0) {
        keeper_end_and_reap(&started);
        failed = STEPS[fault.step];
        error = -fault.error;
        goto out;
    }
    *process = started;
    channels.input[WRITE_END] = channels.output[READ_END] = channels.report[READ_END] = -1;
out:
    channels_close(&channels);
    if (error != 0) {
        process->failed = failed;
    }
    return error;
}

bool process_error_is_of_host(int error) {
    switch (-error) {
    case EAGAIN: /* no more processes */
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOSPC:
        return true;
    default:
        return false;
    }
}

int process_write(Process *process, const char *bytes, size_t count, int64_t milliseconds) {
    int64_t deadline = stopwatch_now() + milliseconds * 1000000;

    while (count > 0) {
        ssize_t written = write(process->input, bytes, count);
        if (written >= 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno == EAGAIN) {
            int left = milliseconds_to(deadline);
            if (left == 0) {
                return -ETIMEDOUT;
            }
            poll(&(struct pollfd){.fd = process->input, .events = POLLOUT}, 1, left);
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

bool process_ended(Process *process, int64_t milliseconds) {
    if (process->keeper == 0 || process->end.known || process->end.lost) {
        return true;
    }
    if (!readable(process->report, milliseconds)) {
        return false;
    }
    report_take(process);
    return true;
}

/* Waits for the end and meanwhile reads what the engine says, lest it wait for us. */
static bool process_drain(Process *process, int64_t milliseconds) {
    int64_t deadline = stopwatch_now() + milliseconds * 1000000;
    struct pollfd descriptors[2] = {
        {.fd = process->report, .events = POLLIN},
        {.fd = process->output, .events = POLLIN},
    };
    char bytes[4096];

    for (;;) {
        int left = milliseconds_to(deadline);
        if (process_ended(process, 0)) {
            return true;
        }
        if (left == 0) {
            return false;
        }
        if (poll(descriptors, 2, left) > 0 && descriptors[1].revents != 0 &&
            read(process->output, bytes, sizeof bytes) == 0) {
            descriptors[1].fd = -1;
        }
    }
}

void process_stop(Process *process, int64_t milliseconds, bool *gracefully) {
    bool ended = true;

    if (process->keeper != 0) {
        close(process->input);
        kill(process->keeper, SIGCONT); /* or it would not tell of the end */
        ended = process_drain(process, milliseconds);
        keeper_end_and_reap(process);
        close(process->output);
        close(process->report);
    }
    if (gracefully != NULL) {
        *gracefully = ended;
    }
    *process = (Process){.end = process->end};
}

void process_end_write(const ProcessEnd *end, char text[static PROCESS_END_TEXT_SIZE]) {
    if (end->lost) {
        snprintf(text, PROCESS_END_TEXT_SIZE, "its keeper was killed");
    } else if (!end->known) {
        snprintf(text, PROCESS_END_TEXT_SIZE, "it closed its output");
    } else if (WIFSIGNALED(end->status)) {
        const char *name = sigdescr_np(WTERMSIG(end->status));
        snprintf(text, PROCESS_END_TEXT_SIZE, "signal %d (%s)", WTERMSIG(end->status),
                 name != NULL ? name : "unknown");
    } else {
        snprintf(text, PROCESS_END_TEXT_SIZE, "exit status %d", WEXITSTATUS(end->status));
    }
}
