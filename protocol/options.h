/* The options of the engine: one table, from which the client's lines, the checks and their errors come. */
#ifndef CROWNHEAD_PROTOCOL_OPTIONS_H
#define CROWNHEAD_PROTOCOL_OPTIONS_H

#include "protocol/output.h"
#include "protocol/session.h"

/* What the options act upon. */
typedef struct {
    Session *session;
    Output *output;
} OptionTarget;

/* Appends a line for each option, as the answer to "uci" has them: name, type, default, bounds or choices. */
void options_write(Lines *lines);

/*
 * Sets an option of an idle session from the text behind "setoption": name N [value V]. On failure returns
 * false, fills error with one line that names the option and the reason, and has changed nothing.
 */
bool options_set(const OptionTarget *target, View text, ParseError *error);

#endif
