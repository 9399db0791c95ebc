/*
 * The commands of the UCI dialect: each line of input is one. All that they act upon is in one struct, which
 * uci.c sets up.
 */
#ifndef CROWNHEAD_PROTOCOL_UCI_COMMANDS_H
#define CROWNHEAD_PROTOCOL_UCI_COMMANDS_H

#include "bench/bench.h"
#include "bench/perft.h"
#include "protocol/output.h"
#include "protocol/reader.h"
#include "protocol/session.h"

/* Work of the session's thread that is not a search. */
typedef struct {
    int depth;
    int error;
    PerftResult perft;
    BenchResult bench;
} Task;

typedef struct {
    Session session;
    Reader reader;
    Output output;
    int wake[2]; /* a pipe: a byte in it says that there is something new besides input */
    Task task;
    bool quit;
} Uci;

/*
 * Carries out one line, given without its end; a search or other long work only begins. What is wrong with
 * the line is told to the client, and so is what could not be done for lack of memory or threads.
 */
void uci_execute(Uci *uci, View line);

#endif
