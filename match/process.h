/*
 * An engine's process. Between the match and each engine stands a keeper, a process that does nothing but
 * end the engine with all its descendants when the match asks for it or is gone itself, even by kill -9: the
 * kernel then closes the lifeline on which the keeper waits.
 */
#ifndef CROWNHEAD_MATCH_PROCESS_H
#define CROWNHEAD_MATCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How a process ended, as waitpid tells it. */
typedef struct {
    bool known;
    int status;
} ProcessEnd;

typedef struct {
    pid_t keeper; /* 0 = no process */
    int input;    /* written to the engine; does not block */
    int output;   /* read from it */
    int lifeline; /* closing it ends the engine */
    int report;   /* the keeper tells here how the engine ended */
    ProcessEnd end;
    const char *failed; /* what could not be had when the start failed, a constant as "the directory" */
} Process;

typedef struct {
    char *const *arguments; /* the command first, NULL last; without a slash it is looked for in PATH */
    const char *directory;  /* where it runs, NULL = here; a command with a slash is relative to it */
    const char *error_file; /* appended with its stderr, NULL = thrown away */
} ProcessCommand;

/*
 * Starts a command in a process group of its own. 0, or a negative errno, -ENOENT for a command that does not
 * exist among them, with *process zeroed but for failed. May be called from any thread.
 */
int process_start(Process *process, const ProcessCommand *command);

/*
 * Writes all bytes; SIGPIPE has to be ignored. 0; -EPIPE if the process does not read any more; -ETIMEDOUT if it did not within
 * milliseconds.
 */
int process_write(Process *process, const char *bytes, size_t count, int64_t milliseconds);

/*
 * Closes the process's input, waits so many milliseconds for it to end by itself, ends it and everything it
 * started, and takes up its remains. *gracefully (may be NULL) tells whether it went by itself. Leaves a
 * zeroed process but for its end; a zeroed process is fine, and has gone by itself.
 */
void process_stop(Process *process, int64_t milliseconds, bool *gracefully);

/* Looks, without waiting for longer than milliseconds, whether the process has ended; fills process->end. */
bool process_ended(Process *process, int64_t milliseconds);

enum { PROCESS_END_TEXT_SIZE = 48 };

/* "exit status 3", "signal 11 (Segmentation fault)"; "it closed its output" where the end is not known. */
void process_end_write(const ProcessEnd *end, char text[static PROCESS_END_TEXT_SIZE]);

#endif
