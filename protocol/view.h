/* Views into a line of text: nothing is copied, nothing ends in a NUL byte. */
#ifndef CROWNHEAD_PROTOCOL_VIEW_H
#define CROWNHEAD_PROTOCOL_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *start;
    size_t length;
} View;

enum { VIEW_QUOTE_SIZE = 60 }; /* holds anything that view_quote writes, with its end */

View view_of(const char *string);

/* Without the blanks at both ends; a carriage return is a blank. */
View view_trim(View text);

/* Takes the first token off the text. Empty at the end of the text. */
View view_token(View *rest);

bool view_equals(View text, const char *string);
bool view_equals_nocase(View text, const char *string);

/*
 * Reads a whole number in decimal with an optional sign; what does not fit is cut to the nearest that does.
 */
bool view_number(View text, int64_t *number);

/* Writes the text in single quotes, unprintable bytes escaped and a long text cut, as error lines name it. */
void view_quote(View text, char quote[static VIEW_QUOTE_SIZE]);

#endif
