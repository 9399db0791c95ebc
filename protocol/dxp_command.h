/* The subcommand of the program that plays by DXP. */
#ifndef CROWNHEAD_PROTOCOL_DXP_COMMAND_H
#define CROWNHEAD_PROTOCOL_DXP_COMMAND_H

/* argv[0] is the name of the subcommand, its arguments follow. Returns the exit status. */
int command_dxp(int argc, char **argv);

#endif
