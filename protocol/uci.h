/* The UCI dialect for checkers, spoken over two file descriptors. */
#ifndef CROWNHEAD_PROTOCOL_UCI_H
#define CROWNHEAD_PROTOCOL_UCI_H

/*
 * Serves a client till it quits, its input ends, or it no longer reads the output. SIGPIPE should be ignored.
 * Returns 0 after the first two, 1 after the third, a negative errno if there was not enough of something to
 * begin.
 */
int uci_run(int input, int output);

#endif
