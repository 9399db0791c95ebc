/*
 * Text put together piece by piece in a buffer of fixed size. What does not fit is left out and the end of
 * the string is always there, so that no caller has to count.
 */
#ifndef CROWNHEAD_ENGINE_TEXT_H
#define CROWNHEAD_ENGINE_TEXT_H

#include "engine/view.h"

typedef struct {
    char *start;
    size_t size; /* of the buffer, at least 1 */
    size_t length;
} Text;

static inline Text text_init(char *buffer, size_t size) {
    buffer[0] = '\0';
    return (Text){.start = buffer, .size = size, .length = 0};
}

static inline void text_add_char(Text *text, char character) {
    if (text->length + 1 < text->size) {
        text->start[text->length++] = character;
        text->start[text->length] = '\0';
    }
}

static inline void text_add(Text *text, const char *string) {
    for (; *string != '\0'; string++) {
        text_add_char(text, *string);
    }
}

static inline void text_add_number(Text *text, unsigned number) {
    char digits[10];
    int count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (count > 0) {
        text_add_char(text, digits[--count]);
    }
}

/* Adds a foreign text in quotes, as view_quote writes it. */
static inline void text_add_quoted(Text *text, View token) {
    char quote[VIEW_QUOTE_SIZE];

    view_quote(token, quote);
    text_add(text, quote);
}

#endif
