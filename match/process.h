/*
 * An engine's process. Between the match and each engine stands a keeper, a process that does nothing but
 * end the engine with all its descendants when the match asks for it or is gone itself, even by kill -9: the
 * kernel then closes the lifeline on which the keeper waits, and wakes a keeper that was stopped. Only kill
 * -9 of a keeper lets something escape: the match then ends the engine's process group, but descendants that
 * left the group live on.
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
    bool lost; /* it never will be: the keeper that had to see it is gone */
    int status;
} ProcessEnd;

typedef struct {
    pid_t keeper; /* 0 = no process */
    pid_t engine; /* the leader of its group */
    int input;    /* written to the engine; does not block */
    int output;   /* read from it */
    int lifeline; /* closing it ends the engine */
    int report;   /* readable once the engine has ended or the keeper is gone */
    ProcessEnd end;
    const char *failed; /* what could not be had when the start failed, a constant as "the directory" */
} Process;

typedef struct {
    char *const *arguments; /* the command first, NULL last; without a slash it is looked for in PATH */
    const char *directory;  /* where it runs, NULL = here; a command with a slash is relative to it */
    const char *error_file; /* appended with its stderr, NULL = thrown away */
    size_t descriptors;     /* its soft limit of open files, 0 = that of the match */
} ProcessCommand;

/*
 * Starts a command in a process group of its own. 0, or a negative errno, -ENOENT for a command that does not
 * exist among them, with *process zeroed but for failed. May be called from any thread.
 */
int process_start(Process *process, const ProcessCommand *command);

/* Whether a start failed with this error for a want of the machine's, which is no fault of the command. */
bool process_error_is_of_host(int error);

/*
 * Writes all bytes; SIGPIPE has to be ignored. 0; -EPIPE if the process does not read any more; -ETIMEDOUT if
 * it did not within milliseconds.
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

/*
 * "exit status 3", "signal 11 (Segmentation fault)"; "it closed its output" where the end is not known, "its
 * keeper was killed" where it is lost.
 */
void process_end_write(const ProcessEnd *end, char text[static PROCESS_END_TEXT_SIZE]);

#endif
