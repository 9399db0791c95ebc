/* Command lines in the manner of cutechess-cli: options with one dash, then words, many of them key=value. */
#ifndef CROWNHEAD_MATCH_WORDS_H
#define CROWNHEAD_MATCH_WORDS_H

#include "engine/types.h"
#include "engine/view.h"

/* One option and the words after it. */
typedef struct {
    const char *option; /* with its dash, for error lines */
    char **words;
    int count;
} Words;

/* Fills error with "OPTION: WHAT 'WORD'" (word may be NULL) and returns false. */
bool words_refuse(ParseError *error, const char *option, const char *what, const char *word);

/* The value of a word of the form key=value, NULL if the key is another. */
const char *words_value(const char *word, const char *key);

/* Whole numbers of digits alone, within min..max; finite real numbers. */
bool words_int(const char *text, int min, int max, int *number);
bool words_int64(const char *text, int64_t min, int64_t max, int64_t *number);
bool words_real(const char *text, double *number);

/* The only word, of which there must be exactly one. */
bool words_single(const Words *words, const char **word, ParseError *error);

/* A setting of the form key=value; exactly one of the targets is set. */
typedef struct {
    const char *key; /* NULL = the value stands alone */
    int *integer;
    int64_t *whole;
    double *real;
    bool *flag;
    const char **text;
    double min, max;      /* of a number, both allowed */
    const char *yes, *no; /* the values of a flag */
} Setting;

/* Sets a setting of an option, or refuses the value. */
bool words_set(const char *option, const Setting *setting, const char *value, ParseError *error);

/* Reads every word as one of the settings. */
bool words_settings(const Words *words, const Setting *settings, int count, ParseError *error);

#endif
