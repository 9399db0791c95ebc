/* The subcommands of the program that measure it. Each returns the exit status: 0, 1 failure, 2 bad arguments. */
#ifndef CROWNHEAD_BENCH_COMMANDS_H
#define CROWNHEAD_BENCH_COMMANDS_H

/* argv[0] is the name of the subcommand, its arguments follow. */
int command_perft(int argc, char **argv);
int command_bench(int argc, char **argv);

#endif
