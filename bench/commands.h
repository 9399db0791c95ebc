/* The subcommands of the program that measure it, and how any subcommand ends. */
#ifndef CROWNHEAD_BENCH_COMMANDS_H
#define CROWNHEAD_BENCH_COMMANDS_H

/* Exit statuses. */
enum { COMMAND_DONE = 0, COMMAND_FAILED = 1, COMMAND_USAGE = 2 /* the arguments make no sense */ };

/* Flushes stdout: COMMAND_DONE, or COMMAND_FAILED and a line on stderr if something was not written. */
int command_finish(const char *command);

/* argv[0] is the name of the subcommand, its arguments follow. Each returns the exit status. */
int command_perft(int argc, char **argv);
int command_bench(int argc, char **argv);

#endif
