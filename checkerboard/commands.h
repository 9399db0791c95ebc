/* The subcommand of the program that runs CheckerBoard engines. */
#ifndef CROWNHEAD_CHECKERBOARD_COMMANDS_H
#define CROWNHEAD_CHECKERBOARD_COMMANDS_H

/* argv[0] is the name of the subcommand, its arguments follow. Returns the exit status. */
int command_cb_host(int argc, char **argv);

#endif
