#include "match/commands.h"

int command_pdn(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return 1;
}
