/*
 * The lines of the Hub protocol: a command, then name=value, name="value" or name alone. A name ends at a
 * blank, a '=' or a '"'; blanks may stand around '='; nothing escapes a '"'. (Scan, protocol.txt, version 2.)
 */
#ifndef CROWNHEAD_PROTOCOL_HUB_LINE_H
#define CROWNHEAD_PROTOCOL_HUB_LINE_H

#include "engine/view.h"

/* Takes the command off the line; empty if it begins with none. */
View hub_line_command(View *rest);

/* Takes an argument off the line, value being empty for a name alone. False at the line's end. */
bool hub_line_item(View *rest, View *name, View *value);

/* Whether a value may be written without quotes. */
bool hub_line_is_word(View value);

/*
 * Reads a decimal number as programs of any language write it: with a sign, a point or a comma, an exponent.
 * False if it is none, or beyond all bounds.
 */
bool hub_line_real(View text, double *number);

#endif
