#include "protocol/hub_line.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REAL_SIZE = 400 /* no double needs more digits */ };

/* Control characters are no part of a name either. */
static bool is_blank(char byte) {
    return (unsigned char)byte <= ' ';
}

static void skip_blanks(View *rest) {
    while (rest->length > 0 && is_blank(rest->start[0])) {
        *rest = view_skip(*rest, 1);
    }
}

/* Takes everything up to a blank or, of a name, one of the two characters of the syntax. */
static View take_word(View *rest, bool name) {
    View word = {rest->start, 0};

    while (word.length < rest->length && !is_blank(rest->start[word.length]) &&
           !(name && (rest->start[word.length] == '=' || rest->start[word.length] == '"'))) {
        word.length++;
    }
    *rest = view_skip(*rest, word.length);
    return word;
}

static View take_quoted(View *rest) {
    *rest = view_skip(*rest, 1);
    View value = {rest->start, 0};
    while (value.length < rest->length && rest->start[value.length] != '"') {
        value.length++;
    }
    *rest = view_skip(*rest, value.length < rest->length ? value.length + 1 : value.length);
    return value;
}

View hub_line_command(View *rest) {
    skip_blanks(rest);
    return take_word(rest, true);
}

bool hub_line_item(View *rest, View *name, View *value) {
    do {
        skip_blanks(rest);
        if (rest->length == 0) {
            return false;
        }
        *name = take_word(rest, true);
        if (name->length == 0) {
            *rest = view_skip(*rest, 1);
        }
    } while (name->length == 0);

    View after = *rest;
    *value = (View){rest->start, 0};
    skip_blanks(&after);
    if (after.length > 0 && after.start[0] == '=') {
        after = view_skip(after, 1);
        skip_blanks(&after);
        *value = after.length > 0 && after.start[0] == '"' ? take_quoted(&after) : take_word(&after, false);
        *rest = after;
    }
    return true;
}

bool hub_line_is_word(View value) {
    View rest = value;
    return value.length > 0 && take_word(&rest, true).length == value.length;
}

bool hub_line_real(View text, double *number) {
    char copy[REAL_SIZE];
    char *end;

    if (text.length == 0 || text.length >= sizeof copy) {
        return false;
    }
    for (size_t at = 0; at < text.length; at++) {
        char byte = text.start[at] == ',' ? '.' : text.start[at];
        /* Nothing of what else strtod reads: blanks, hexadecimal numbers, "nan". */
        if (byte == '\0' || strchr("0123456789+-.eE", byte) == NULL) {
            return false;
        }
        copy[at] = byte;
    }
    copy[text.length] = '\0';
    double value = strtod(copy, &end);
    if (end == copy || *end != '\0' || !(fabs(value) <= DBL_MAX)) {
        return false;
    }
    *number = value;
    return true;
}
