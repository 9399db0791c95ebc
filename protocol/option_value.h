/* What an option may be set to, whatever the protocol: its kind, bounds and choices, and reading a value. */
#ifndef CROWNHEAD_PROTOCOL_OPTION_VALUE_H
#define CROWNHEAD_PROTOCOL_OPTION_VALUE_H

#include "engine/rules.h"
#include "engine/view.h"

enum { OPTION_PATH_SIZE = 4096 /* holds the name of a file or of directories, with its end */ };

typedef enum { OPTION_BUTTON, OPTION_CHECK, OPTION_SPIN, OPTION_COMBO, OPTION_STRING } OptionKind;

typedef struct {
    const char *name;
    OptionKind kind;
    int64_t initial, minimum, maximum; /* a string is initially empty, or 1 = its own default */
    const char *(*choice)(int index);  /* of a combo; NULL after the last */
} OptionDomain;

/* A checked value: a number of a spin, 0 or 1 of a check, the index of a combo's choice; else a text. */
typedef struct {
    int64_t number;
    View text;
} OptionValue;

/* The choices of all protocols: a Variant; 0 = official draw rules, 1 = those of web sites. */
const char *option_choice_variant(int index);
const char *option_choice_draws(int index);

/* Reads a value of an option. False and an error that names the option if it is none of its values. */
bool option_value_read(const OptionDomain *option, View given, OptionValue *value, ParseError *error);

#endif
