#include "match/commands.h"

int command_match(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return 1;
}
