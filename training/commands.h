/* The subcommand of the program that makes what the evaluation is trained on. */
#ifndef CROWNHEAD_TRAINING_COMMANDS_H
#define CROWNHEAD_TRAINING_COMMANDS_H

/* argv[0] is the name of the subcommand, its arguments follow. Returns the exit status. */
int command_selfplay(int argc, char **argv);

#endif
