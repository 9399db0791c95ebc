/* Reading the words of an option. */
#include "match/words.h"

#include "engine/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool words_refuse(ParseError *error, const char *option, const char *what, const char *word) {
    Text text = text_init(error->text, sizeof error->text);

    text_add(&text, option);
    text_add(&text, ": ");
    text_add(&text, what);
    if (word != NULL) {
        text_add_char(&text, ' ');
        text_add_quoted(&text, view_of(word));
    }
    return false;
}

const char *words_value(const char *word, const char *key) {
    size_t length = strlen(key);

    return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

bool words_int64(const char *text, int64_t min, int64_t max, int64_t *number) {
    uint64_t value;

    if (!view_digits(view_of(text), &value) || value > INT64_MAX || (int64_t)value < min ||
        (int64_t)value > max) {
        return false;
    }
    *number = (int64_t)value;
    return true;
}

bool words_int(const char *text, int min, int max, int *number) {
    int64_t value;

    if (!words_int64(text, min, max, &value)) {
        return false;
    }
    *number = (int)value;
    return true;
}

bool words_real(const char *text, double *number) {
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(value)) {
        return false;
    }
    *number = value;
    return true;
}

bool words_single(const Words *words, const char **word, ParseError *error) {
    if (words->count != 1) {
        return words_refuse(error, words->option,
                            words->count == 0 ? "an argument is missing"
                                              : "one argument is enough, too many is",
                            words->count == 0 ? NULL : words->words[1]);
    }
    *word = words->words[0];
    return true;
}

static bool set(const Setting *setting, const char *value) {
    double number;

    if (setting->integer != NULL) {
        return words_int(value, (int)setting->min, (int)setting->max, setting->integer);
    }
    if (setting->whole != NULL) {
        return words_int64(value, (int64_t)setting->min, (int64_t)setting->max, setting->whole);
    }
    if (setting->real != NULL) {
        if (!words_real(value, &number) || number < setting->min || number > setting->max) {
            return false;
        }
        *setting->real = number;
        return true;
    }
    if (setting->text != NULL) {
        *setting->text = value;
        return true;
    }
    *setting->flag = strcmp(value, setting->yes) == 0;
    return *setting->flag || strcmp(value, setting->no) == 0;
}

bool words_set(const char *option, const Setting *setting, const char *value, ParseError *error) {
    char what[96];
    bool keyed = setting->key != NULL;

    if (set(setting, value)) {
        return true;
    }
    if (setting->flag != NULL) {
        snprintf(what, sizeof what, "%s%s%s or %s is wanted, not", keyed ? setting->key : "",
                 keyed ? ": " : "", setting->yes, setting->no);
    } else {
        snprintf(what, sizeof what, "%s%sa number from %.10g to %.10g is wanted, not",
                 keyed ? setting->key : "", keyed ? ": " : "", setting->min, setting->max);
    }
    return words_refuse(error, option, what, value);
}

bool words_settings(const Words *words, const Setting *settings, int count, ParseError *error) {
    for (int at = 0; at < words->count; at++) {
        const char *value = NULL;
        int index = 0;
        while (index < count && (value = words_value(words->words[at], settings[index].key)) == NULL) {
            index++;
        }
        if (value == NULL) {
            return words_refuse(error, words->option, "unknown setting", words->words[at]);
        }
        if (!words_set(words->option, &settings[index], value, error)) {
            return false;
        }
    }
    return true;
}
