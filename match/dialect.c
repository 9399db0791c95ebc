/* The dialects there are, and what they share. */
#include "match/dialect.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const Dialect *const DIALECTS[] = {&DIALECT_UCI, &DIALECT_HUB};

enum { DIALECTS_COUNT = sizeof DIALECTS / sizeof DIALECTS[0] };

const Dialect *dialect_find(const char *name) {
    for (size_t index = 0; index < DIALECTS_COUNT; index++) {
        if (strcmp(DIALECTS[index]->name, name) == 0) {
            return DIALECTS[index];
        }
    }
    return NULL;
}

void dialect_add_names(Text *out) {
    for (size_t index = 0; index < DIALECTS_COUNT; index++) {
        text_add(out, index > 0 ? ", " : "");
        text_add(out, DIALECTS[index]->name);
    }
}

void dialect_add(Text *out, const char *format, ...) {
    char piece[101];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    text_add(out, piece);
}

void dialect_add_view(Text *out, View text) {
    for (size_t at = 0; at < text.length; at++) {
        text_add_char(out, text.start[at]);
    }
}

void dialect_note(PlayerReport *report, const InfoLine *line) {
    const PlayerReport *said = &line->report;

    if (line->secondary) {
        return;
    }
    if (said->nodes != 0) {
        report->nodes = said->nodes;
    }
    bool counts = said->has_score && (!said->bound || !report->has_score || report->bound);
    if (counts) {
        report->has_score = true;
        report->exact_win = said->exact_win;
        report->bound = said->bound;
        report->score = said->score;
    }
    /* A depth belongs to its score; alone it is told only where no score is. */
    if (said->depth != 0 && (counts || !report->has_score)) {
        report->depth = said->depth;
    }
}
