/* What commands share: reading arguments, and JSON. */
#ifndef CROWNHEAD_BENCH_COMMAND_H
#define CROWNHEAD_BENCH_COMMAND_H

#include "bench/commands.h"
#include "engine/rules.h"

#include <jansson.h>

/*
 * Reads a whole decimal number within min..max, or prints one line that names the command and the argument.
 * Nothing but digits is a number: neither signs nor blanks.
 */
bool command_number(const char *command, const char *argument, const char *text, uint64_t min, uint64_t max,
                    uint64_t *number);

/* Reads the name of a game, or prints one line with the names there are. */
bool command_variant(const char *command, const char *text, Variant *variant);

/* An option --NAME of a command, and the one place that its value goes to. */
typedef struct CommandOption CommandOption;

struct CommandOption {
    const char *name;
    bool *flag; /* becomes true; there is no value */
    int *whole;
    uint64_t *number;
    const char **text;
    Variant *variant;
    /* Puts a value of its own kind where to points, or prints one line about it and returns false. */
    bool (*read)(const char *command, const CommandOption *option, char *value);
    void *to;
    uint64_t min, max; /* of whole and number */
};

enum { COMMAND_OPTIONS_MAX = 32 };

/* Reads options, or prints one line about the first that is wrong. Operands are left at optind. */
bool command_options(int argc, char **argv, const CommandOption *options, int count);

/* Prints a line that something warns of, as a callback; user is the command's name. */
void command_warn(void *user, const char *line);

/* Prints a line about a negative errno and returns COMMAND_FAILED. */
int command_fail(const char *command, int error);

/* Prints a line. COMMAND_FAILED after one line about why it could not be. */
int command_print(const char *command, const char *line);

/* Writes the object to stdout; takes over the reference, NULL counts as lack of memory. */
int command_write_json(const char *command, json_t *object);

#endif
