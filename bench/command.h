/* What the measuring commands share: reading arguments, and telling whether the output got through. */
#ifndef CROWNHEAD_BENCH_COMMAND_H
#define CROWNHEAD_BENCH_COMMAND_H

#include "engine/rules.h"

#include <jansson.h>

/* Exit statuses. */
enum { COMMAND_DONE = 0, COMMAND_FAILED = 1, COMMAND_USAGE = 2 };

/*
 * Reads a whole decimal number within min..max, or prints one line that names the command and the argument. Nothing
 * but digits is a number: neither signs nor blanks.
 */
bool command_number(const char *command, const char *argument, const char *text, uint64_t min, uint64_t max,
                    uint64_t *number);

/* Reads the name of a game, or prints one line with the names there are. */
bool command_variant(const char *command, const char *text, Variant *variant);

/* Prints a line about a negative errno and returns COMMAND_FAILED. */
int command_fail(const char *command, int error);

/* Writes the object to stdout; takes over the reference, NULL counts as lack of memory. */
int command_write_json(const char *command, json_t *object);

/* Flushes stdout: COMMAND_DONE, or COMMAND_FAILED and a line if something was not written. */
int command_finish(const char *command);

#endif
