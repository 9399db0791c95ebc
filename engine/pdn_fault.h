/* How the parts of the PDN reader put faults into words and report them. */
#ifndef CROWNHEAD_ENGINE_PDN_FAULT_H
#define CROWNHEAD_ENGINE_PDN_FAULT_H

#include "engine/pdn.h"
#include "engine/text.h"

#include <limits.h>

/* Where faults go. */
typedef struct {
    PdnReport report; /* NULL = nowhere */
    void *user;
} PdnSink;

static inline void pdn_report(const PdnSink *sink, bool warning, size_t line, size_t ply,
                              const ParseError *error) {
    if (sink->report != NULL) {
        PdnFault fault = {.line = line, .ply = ply > INT_MAX ? INT_MAX : (int)ply, .error = *error};
        sink->report(sink->user, warning, &fault);
    }
}

/* Begins an error text with a statement and the word that it is about; more can be added. */
static inline Text pdn_describe(ParseError *error, const char *what, View token) {
    Text out = text_init(error->text, sizeof error->text);
    text_add(&out, what);
    text_add_char(&out, ' ');
    text_add_quoted(&out, token);
    return out;
}

static inline void pdn_warn(const PdnSink *sink, size_t line, size_t ply, const char *what, View token) {
    ParseError error;
    pdn_describe(&error, what, token);
    pdn_report(sink, true, line, ply, &error);
}

#endif
