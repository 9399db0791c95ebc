/* The subcommand of the program that makes and reads opening books. */
#ifndef CROWNHEAD_BOOK_COMMANDS_H
#define CROWNHEAD_BOOK_COMMANDS_H

/* argv[0] is the name of the subcommand, its arguments follow. Returns the exit status. */
int command_book(int argc, char **argv);

#endif
