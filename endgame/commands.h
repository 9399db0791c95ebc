/* The subcommand of the program that builds and reads endgame databases. */
#ifndef CROWNHEAD_ENDGAME_COMMANDS_H
#define CROWNHEAD_ENDGAME_COMMANDS_H

/* argv[0] is the name of the subcommand, its arguments follow. Returns the exit status. */
int command_egdb(int argc, char **argv);

#endif
