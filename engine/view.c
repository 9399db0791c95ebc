#include "engine/view.h"

#include <string.h>
#include <strings.h>

static bool view_is_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

View view_of(const char *string) {
    return (View){string, strlen(string)};
}

View view_skip(View text, size_t count) {
    return (View){text.start + count, text.length - count};
}

View view_trim(View text) {
    while (text.length > 0 && view_is_blank(text.start[0])) {
        text = view_skip(text, 1);
    }
    while (text.length > 0 && view_is_blank(text.start[text.length - 1])) {
        text.length--;
    }
    return text;
}

View view_token(View *rest) {
    while (rest->length > 0 && view_is_blank(rest->start[0])) {
        *rest = view_skip(*rest, 1);
    }
    View token = {rest->start, 0};
    while (token.length < rest->length && !view_is_blank(rest->start[token.length])) {
        token.length++;
    }
    *rest = view_skip(*rest, token.length);
    return token;
}

View view_leading_digits(View text) {
    size_t length = 0;

    while (length < text.length && view_is_digit(text.start[length])) {
        length++;
    }
    return (View){text.start, length};
}

bool view_equals(View text, const char *string) {
    return text.length == strlen(string) && memcmp(text.start, string, text.length) == 0;
}

bool view_equals_nocase(View text, const char *string) {
    return views_equal_nocase(text, view_of(string));
}

bool views_equal_nocase(View one, View other) {
    return one.length == other.length && strncasecmp(one.start, other.start, one.length) == 0;
}

bool view_digits(View text, uint64_t *number) {
    uint64_t value = 0;

    for (size_t at = 0; at < text.length; at++) {
        if (!view_is_digit(text.start[at])) {
            return false;
        }
        uint64_t digit = (uint64_t)(text.start[at] - '0');
        value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
    }
    if (text.length == 0) {
        return false;
    }
    *number = value;
    return true;
}

bool view_number(View text, int64_t *number) {
    bool negative = text.length > 0 && text.start[0] == '-';
    bool positive = text.length > 0 && text.start[0] == '+';
    uint64_t value;

    if (!view_digits(negative || positive ? view_skip(text, 1) : text, &value)) {
        return false;
    }
    int64_t magnitude = value > INT64_MAX ? INT64_MAX : (int64_t)value;
    *number = negative ? -magnitude : magnitude;
    return true;
}

void view_quote(View text, char quote[static VIEW_QUOTE_SIZE]) {
    static const char digits[] = "0123456789abcdef";
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
            memcpy(quote + length, (char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, size);
        }
        length += size;
    }
    quote[length++] = '\'';
    quote[length] = '\0';
}
