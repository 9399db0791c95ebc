/* The subcommands of the program that play matches and read their games. */
#ifndef CROWNHEAD_MATCH_COMMANDS_H
#define CROWNHEAD_MATCH_COMMANDS_H

/* argv[0] is the name of the subcommand, its arguments follow. Each returns the exit status. */
int command_match(int argc, char **argv);
int command_pdn(int argc, char **argv);

#endif
