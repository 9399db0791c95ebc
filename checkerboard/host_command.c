/* The command that runs a CheckerBoard engine. */
#include "bench/commands.h"
#include "checkerboard/commands.h"
#include "checkerboard/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <signal.h>
#endif

#define USAGE "usage: crownhead cb-host LIBRARY"

enum { INPUT = 0 };

/* Lines end in LF alone, and a client that is gone ends the process, whatever it has inherited. */
static void prepare_streams(void) {
#ifdef _WIN32
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#else
    signal(SIGPIPE, SIG_DFL);
#endif
}

static int help(void) {
    puts(USAGE "\n"
               "Runs the CheckerBoard engine in a shared library as an engine of the UCI dialect or, if its "
               "first line\n"
               "is 'hub', of the Hub protocol.");
    return COMMAND_DONE;
}

int command_cb_host(int argc, char **argv) {
    ParseError error;
    Guest guest;

    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        return help();
    }
    if (argc != 2) {
        fprintf(stderr, USAGE "\n");
        return COMMAND_USAGE;
    }
    prepare_streams();
    if (!guest_init(&guest, argv[1], &error)) {
        fprintf(stderr, "crownhead cb-host: %s\n", error.text);
        return COMMAND_FAILED;
    }
    Host *host = malloc(sizeof *host);
    int fault = host == NULL ? -1 : host_init(host, &guest, INPUT);
    if (fault != 0) {
        fprintf(stderr, "crownhead cb-host: out of memory or threads\n");
        guest_deinit(&guest);
        free(host);
        return COMMAND_FAILED;
    }
    /* An engine that does not stop is left alone with what it uses; the process ends all the same. */
    if (host_run(host)) {
        host_deinit(host);
        free(host);
    }
    return COMMAND_DONE;
}
