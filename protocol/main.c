/* The program: finds the subcommand and hands over to it. */
#include "bench/commands.h"
#include "book/commands.h"
#include "checkerboard/commands.h"
#include "endgame/commands.h"
#include "match/commands.h"
#include "protocol/dxp_command.h"
#include "protocol/hub.h"
#include "protocol/uci.h"
#include "training/commands.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the name; returns the exit status */
    const char *help;
} Subcommand;

static int command_uci(int argc, char **argv);
static int command_hub(int argc, char **argv);
static int command_version(int argc, char **argv);
static int command_help(int argc, char **argv);

static const Subcommand SUBCOMMANDS[] = {
    {"uci", command_uci, "play by the UCI dialect for checkers on standard input and output (the default)"},
    {"hub", command_hub, "play by the Hub protocol of draughts programs; a first line 'hub' does the same"},
    {"dxp", command_dxp, "play over TCP by DXP, the DamExchange protocol"},
    {"perft", command_perft, "count the leaves of the game tree"},
    {"bench", command_bench, "search a fixed set of positions"},
    {"match", command_match, "play engines against each other"},
    {"egdb", command_egdb, "build and read endgame databases"},
    {"book", command_book, "make and read opening books"},
    {"cb-host", command_cb_host, "run the engine of a CheckerBoard library as a UCI or Hub engine"},
    {"selfplay", command_selfplay, "play games to train the evaluation with"},
    {"pdn", command_pdn, "check a file of recorded games"},
    {"help", command_help, "print this"},
    {"--help", command_help, NULL},
    {"-h", command_help, NULL},
    {"--version", command_version, "print the version"},
};

enum { SUBCOMMANDS_COUNT = sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0] };

static int usage_error(const char *fault, const char *argument) {
    fprintf(stderr, "crownhead: %s '%s'; see crownhead help\n", fault, argument);
    return COMMAND_USAGE;
}

/* Speaks with the client on standard input and output. */
static int serve(int argc, char **argv, const Protocol *const protocols[]) {
    if (argc > 1) {
        return usage_error("unknown argument", argv[1]);
    }
    signal(SIGPIPE, SIG_IGN);
    int status = client_run(STDIN_FILENO, STDOUT_FILENO, protocols);
    if (status < 0) {
        fprintf(stderr, "crownhead: cannot start: %s\n", strerror(-status));
        return COMMAND_FAILED;
    }
    return status == 0 ? COMMAND_DONE : COMMAND_FAILED;
}

static int command_uci(int argc, char **argv) {
    return serve(argc, argv, (const Protocol *const[]){&PROTOCOL_UCI, &PROTOCOL_HUB, NULL});
}

static int command_hub(int argc, char **argv) {
    return serve(argc, argv, (const Protocol *const[]){&PROTOCOL_HUB, NULL});
}

static int command_version(int argc, char **argv) {
    if (argc > 1) {
        return usage_error("unknown argument", argv[1]);
    }
    puts("Crownhead " CROWNHEAD_VERSION);
    return command_finish("crownhead");
}

static int command_help(int argc, char **argv) {
    if (argc > 1) {
        return usage_error("unknown argument", argv[1]);
    }
    puts("usage: crownhead [subcommand [arguments]]\n");
    for (int index = 0; index < SUBCOMMANDS_COUNT; index++) {
        if (SUBCOMMANDS[index].help != NULL) {
            printf("  %-9s  %s\n", SUBCOMMANDS[index].name, SUBCOMMANDS[index].help);
        }
    }
    return command_finish("crownhead");
}

int main(int argc, char **argv) {
    char *alone[] = {(char[]){"uci"}, NULL};

    /* Neither a transcript nor a socket must be opened in the place of a closed input or output. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) {
            return COMMAND_FAILED;
        }
    }
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is told as an error */
    if (argc < 2) {
        return command_uci(1, alone);
    }
    for (int index = 0; index < SUBCOMMANDS_COUNT; index++) {
        if (strcmp(argv[1], SUBCOMMANDS[index].name) == 0) {
            return SUBCOMMANDS[index].run(argc - 1, argv + 1);
        }
    }
    return usage_error("unknown subcommand", argv[1]);
}
