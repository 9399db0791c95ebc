/* Views into a text: nothing is copied, nothing ends in a NUL byte. Their letters and digits are ASCII. */
#ifndef CROWNHEAD_ENGINE_VIEW_H
#define CROWNHEAD_ENGINE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *start;
    size_t length;
} View;

enum { VIEW_QUOTE_SIZE = 60 }; /* holds anything that view_quote writes, with its end */

static inline bool view_is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* The whole of a string, which has to outlive the view. */
View view_of(const char *string);

/* Without the first count bytes, of which there must be so many. */
View view_skip(View text, size_t count);

/* Without the blanks at both ends; a carriage return is a blank. */
View view_trim(View text);

/* Takes the first token off the text. Empty at the end of the text. */
View view_token(View *rest);

/* Without anything behind the digits at its start; empty if it does not begin with one. */
View view_leading_digits(View text);

/* Whether the text is the string, all of it; the others take letters of either case as equal. */
bool view_equals(View text, const char *string);
bool view_equals_nocase(View text, const char *string);
bool views_equal_nocase(View one, View other);

/* Reads a decimal number of nothing but digits, at least one. What does not fit becomes UINT64_MAX. */
bool view_digits(View text, uint64_t *number);

/* As view_digits, with an optional sign; what does not fit is cut to the nearest that does. */
bool view_number(View text, int64_t *number);

/*
 * Writes the text in single quotes as error lines name it: a long one is cut, and bytes that are not
 * printable ASCII, which could spoil the reader's line, are escaped.
 */
void view_quote(View text, char quote[static VIEW_QUOTE_SIZE]);

#endif
