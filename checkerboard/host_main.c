/* The program that only runs CheckerBoard engines, for systems where the whole of Crownhead does not run. */
#include "checkerboard/commands.h"

int main(int argc, char **argv) {
    return command_cb_host(argc, argv);
}
