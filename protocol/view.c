#include "protocol/view.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool view_is_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

View view_of(const char *string) {
    return (View){string, strlen(string)};
}

View view_trim(View text) {
    while (text.length > 0 && view_is_blank(text.start[0])) {
        text.start++;
        text.length--;
    }
    while (text.length > 0 && view_is_blank(text.start[text.length - 1])) {
        text.length--;
    }
    return text;
}

View view_token(View *rest) {
    while (rest->length > 0 && view_is_blank(rest->start[0])) {
        rest->start++;
        rest->length--;
    }
    View token = {rest->start, 0};
    while (token.length < rest->length && !view_is_blank(rest->start[token.length])) {
        token.length++;
    }
    rest->start += token.length;
    rest->length -= token.length;
    return token;
}

bool view_equals(View text, const char *string) {
    return text.length == strlen(string) && memcmp(text.start, string, text.length) == 0;
}

bool view_equals_nocase(View text, const char *string) {
    return text.length == strlen(string) && strncasecmp(text.start, string, text.length) == 0;
}

bool view_number(View text, int64_t *number) {
    bool negative = text.length > 0 && text.start[0] == '-';
    size_t at = negative || (text.length > 0 && text.start[0] == '+') ? 1 : 0;
    int64_t value = 0;

    if (at == text.length) {
        return false;
    }
    for (; at < text.length; at++) {
        if (text.start[at] < '0' || text.start[at] > '9') {
            return false;
        }
        int digit = text.start[at] - '0';
        value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    *number = negative ? -value : value;
    return true;
}

void view_quote(View text, char quote[static VIEW_QUOTE_SIZE]) {
    static const char cut[] = "...'";
    size_t room = VIEW_QUOTE_SIZE - sizeof cut; /* for the text and its first quote */
    size_t length = 0;

    quote[length++] = '\'';
    for (size_t at = 0; at < text.length; at++) {
        unsigned char byte = (unsigned char)text.start[at];
        bool printable = byte >= ' ' && byte <= '~';
        size_t size = printable ? 1 : 4;
        if (length + size > room) {
            memcpy(quote + length, cut, sizeof cut);
            return;
        }
        if (printable) {
            quote[length] = (char)byte;
        } else {
            snprintf(quote + length, 5, "\\x%02x", byte);
        }
        length += size;
    }
    quote[length++] = '\'';
    quote[length] = '\0';
}
