/* The commands of the UCI dialect: each line of input is one. */
#ifndef CROWNHEAD_PROTOCOL_UCI_COMMANDS_H
#define CROWNHEAD_PROTOCOL_UCI_COMMANDS_H

#include "bench/bench.h"
#include "bench/perft.h"
#include "protocol/client.h"

/* What the protocol keeps about a client: work of the session's thread that is not a search. */
typedef struct {
    int depth;
    int error;
    PerftResult perft;
    BenchResult bench;
} Task;

/*
 * Carries out one line, given without its end; a search or other long work only begins. What is wrong with
 * the line is told to the client, and so is what could not be done for lack of memory or threads.
 */
void uci_execute(Client *client, View line);

#endif
