/* The words of -engine and -each. */
#include "match/spec.h"

#include "match/dialect.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Less was meant to be seconds, as in other programs. */
enum { MOVETIME_MIN = 10 }; /* ms */

/* Seconds, or minutes and seconds "1:30", to ms. */
static bool read_seconds(const char *text, int64_t *milliseconds) {
    char buffer[32];
    const char *colon = strchr(text, ':');
    int64_t minutes = 0;
    double seconds;

    if (colon != NULL) {
        size_t length = (size_t)(colon - text);
        if (length == 0 || length >= sizeof buffer) {
            return false;
        }
        memcpy(buffer, text, length);
        buffer[length] = '\0';
        if (!words_int64(buffer, 0, 100000, &minutes)) {
            return false;
        }
        text = colon + 1;
    }
    if (!view_is_digit(text[0]) && text[0] != '.') {
        return false;
    }
    if (!words_real(text, &seconds) || seconds < 0 || seconds > 1e6) {
        return false;
    }
    *milliseconds = minutes * 60000 + llround(seconds * 1000);
    return true;
}

/* "[MOVES/]TIME[+INC]" or "inf". */
static bool read_time_control(const char *text, TimeControl *control) {
    char buffer[64];
    char *time = buffer;

    if (strcmp(text, "inf") == 0 || strcmp(text, "infinite") == 0) {
        control->time = control->increment = control->moves = 0;
        return true;
    }
    if (strlen(text) >= sizeof buffer) {
        return false;
    }
    memcpy(buffer, text, strlen(text) + 1);

    int moves = 0;
    int64_t increment = 0;
    char *slash = strchr(time, '/');
    if (slash != NULL) {
        *slash = '\0';
        if (!words_int(time, 1, 10000, &moves)) {
            return false;
        }
        time = slash + 1;
    }
    char *plus = strchr(time, '+');
    if (plus != NULL) {
        *plus = '\0';
        if (!read_seconds(plus + 1, &increment)) {
            return false;
        }
    }
    int64_t total;
    if (!read_seconds(time, &total) || total == 0) {
        return false;
    }
    control->time = total;
    control->increment = increment;
    control->moves = moves;
    return true;
}

/* Limits as words: tc=, st=, nodes=, depth=, timemargin=. *known tells whether the word was one of them. */
static bool read_limit(const char *word, TimeControl *control, bool *known) {
    const char *value;
    int64_t number;

    *known = true;
    if ((value = words_value(word, "tc")) != NULL) {
        return read_time_control(value, control);
    }
    if ((value = words_value(word, "st")) != NULL) {
        return words_int64(value, MOVETIME_MIN, 1000000000, &control->movetime);
    }
    if ((value = words_value(word, "timemargin")) != NULL) {
        return words_int64(value, 0, 1000000000, &control->margin);
    }
    if ((value = words_value(word, "nodes")) != NULL) {
        if (!words_int64(value, 1, INT64_MAX, &number)) {
            return false;
        }
        control->nodes = (uint64_t)number;
        return true;
    }
    if ((value = words_value(word, "depth")) != NULL) {
        return words_int(value, 1, 1000, &control->depth);
    }
    *known = false;
    return true;
}

static bool add_argument(ParseError *error, EngineSpec *spec, const char *option, const char *text,
                         size_t length) {
    if (spec->arguments_count > ENGINE_ARGUMENTS_MAX) {
        return words_refuse(error, option, "too many arguments for", spec->arguments[0]);
    }
    char *copy = strndup(text, length);
    if (copy == NULL) {
        return words_refuse(error, option, strerror(ENOMEM), NULL);
    }
    spec->arguments[spec->arguments_count++] = copy;
    return true;
}

/* Cuts a text at blanks, those in quotes aside. */
static bool add_arguments(ParseError *error, EngineSpec *spec, const char *option, const char *text) {
    char *word = malloc(strlen(text) + 1);
    bool fine = word != NULL || words_refuse(error, option, strerror(ENOMEM), NULL);

    for (const char *at = text; fine && *at != '\0';) {
        size_t length = 0;
        char quote = '\0';
        bool any = false;
        while (*at == ' ') {
            at++;
        }
        for (; *at != '\0' && (quote != '\0' || *at != ' '); at++) {
            any = true;
            if (quote != '\0' ? *at == quote : *at == '"' || *at == '\'') {
                quote = quote != '\0' ? '\0' : *at;
            } else {
                word[length++] = *at;
            }
        }
        if (quote != '\0') {
            fine = words_refuse(error, option, "a quote is not closed in", text);
        } else if (any) {
            fine = add_argument(error, spec, option, word, length);
        }
    }
    free(word);
    return fine;
}

/* A command that is the name of a file is taken whole, whatever blanks are in it. */
static bool set_command(ParseError *error, EngineSpec *spec, const char *option, const char *text) {
    spec_deinit(spec);
    if (access(text, F_OK) == 0) {
        return add_argument(error, spec, option, text, strlen(text));
    }
    return add_arguments(error, spec, option, text) &&
           (spec->arguments_count > 0 || words_refuse(error, option, "no command in", text));
}

static bool set_option(ParseError *error, EngineSpec *spec, const char *option, const char *word) {
    const char *name = word + strlen("option.");
    const char *equals = strchr(name, '=');

    if (equals == NULL || equals == name) {
        return words_refuse(error, option, "option.NAME=VALUE is wanted, not", word);
    }
    EngineOption set = {{name, (size_t)(equals - name)}, view_of(equals + 1)};
    for (int index = 0; index < spec->options_count; index++) {
        EngineOption *old = &spec->options[index];
        if (views_equal_nocase(old->name, set.name)) {
            *old = set; /* the engine's own settings come after those of -each */
            return true;
        }
    }
    if (spec->options_count == ENGINE_OPTIONS_MAX) {
        return words_refuse(error, option, "too many options, the first too many is", word);
    }
    spec->options[spec->options_count++] = set;
    return true;
}

static bool read_command(ParseError *error, EngineSpec *spec, const Words *words) {
    for (int index = 0; index < words->count; index++) {
        const char *value = words_value(words->words[index], "cmd");
        if (value != NULL && !set_command(error, spec, words->option, value)) {
            return false;
        }
    }
    return true;
}

static bool read_word(ParseError *error, EngineSpec *spec, const char *option, const char *word) {
    const char *value;
    bool known;

    if (words_value(word, "cmd") != NULL) {
        return true;
    }
    if ((value = words_value(word, "name")) != NULL) {
        spec->name = value;
        return value[0] != '\0' || words_refuse(error, option, "an engine needs a name in", word);
    }
    if ((value = words_value(word, "dir")) != NULL) {
        spec->directory = value;
        return true;
    }
    if ((value = words_value(word, "stderr")) != NULL) {
        spec->error_file = value;
        return true;
    }
    if ((value = words_value(word, "arg")) != NULL) {
        return add_argument(error, spec, option, value, strlen(value));
    }
    if ((value = words_value(word, "args")) != NULL) {
        return add_arguments(error, spec, option, value);
    }
    if ((value = words_value(word, "proto")) != NULL) {
        spec->dialect = dialect_find(value);
        if (spec->dialect == NULL) {
            char what[128];
            Text out = text_init(what, sizeof what);
            text_add(&out, "proto is one of ");
            dialect_add_names(&out);
            text_add(&out, ", not");
            return words_refuse(error, option, what, value);
        }
        return true;
    }
    if ((value = words_value(word, "restart")) != NULL) {
        spec->restart = strcmp(value, "on") == 0;
        return spec->restart || strcmp(value, "off") == 0 || strcmp(value, "auto") == 0 ||
               words_refuse(error, option, "restart is on, off or auto, not", value);
    }
    if (strncmp(word, "option.", strlen("option.")) == 0) {
        return set_option(error, spec, option, word);
    }
    if (!read_limit(word, &spec->control, &known)) {
        bool movetime = words_value(word, "st") != NULL;
        return words_refuse(error, option, movetime ? "st is in milliseconds, 10 or more, not" : "bad limit",
                            word);
    }
    return known || words_refuse(error, option, "unknown setting", word);
}

/* The file name of the command, for an engine without a name. */
static const char *command_name(const char *command) {
    const char *slash = strrchr(command, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : command;
}

static bool limited(const TimeControl *control) {
    return control->time != 0 || control->movetime != 0 || control->nodes != 0 || control->depth != 0;
}

/* JSON is UTF-8, and what a match plays goes there. */
static bool is_utf8(View text) {
    json_t *string = json_stringn(text.start, text.length);

    json_decref(string);
    return string != NULL;
}

static bool check_option(ParseError *error, const EngineSpec *spec, const char *option,
                         const EngineOption *set) {
    char name[VIEW_QUOTE_SIZE];

    snprintf(name, sizeof name, "option.%.*s", (int)set->name.length, set->name.start);
    if (view_equals_nocase(set->name, spec->dialect->variant)) {
        return words_refuse(error, option, "the game is set by -variant, not by", name);
    }
    if (view_equals_nocase(set->name, spec->dialect->draws)) {
        return words_refuse(error, option, "the draw rules are set by -drawrules, not by", name);
    }
    return (is_utf8(set->name) && is_utf8(set->value)) ||
           words_refuse(error, option, "UTF-8 is wanted in", name);
}

/* What can only be told when all words are read. */
static bool check(ParseError *error, EngineSpec *spec, const char *option) {
    if (spec->name == NULL) {
        spec->name = command_name(spec->arguments[0]);
    }
    if (!is_utf8(view_of(spec->name))) {
        return words_refuse(error, option, "UTF-8 is wanted in the name", spec->name);
    }
    for (int index = 0; index < spec->options_count; index++) {
        if (!check_option(error, spec, option, &spec->options[index])) {
            return false;
        }
    }
    return limited(&spec->control) ||
           words_refuse(error, option,
                        "one of tc=, st=, nodes= and depth= is missing (tc=inf is no limit) for", spec->name);
}

bool spec_read(EngineSpec *spec, const Words *parts, int count, ParseError *error) {
    const char *option = parts[count - 1].option;

    *spec = (EngineSpec){.dialect = dialect_find("uci")};
    /* Commands first, for arguments go behind them wherever they stand. */
    for (int part = 0; part < count; part++) {
        if (!read_command(error, spec, &parts[part])) {
            return false;
        }
    }
    if (spec->arguments_count == 0) {
        return words_refuse(error, option, "cmd=COMMAND is missing", NULL);
    }
    for (int part = 0; part < count; part++) {
        for (int word = 0; word < parts[part].count; word++) {
            if (!read_word(error, spec, parts[part].option, parts[part].words[word])) {
                return false;
            }
        }
    }
    return check(error, spec, option);
}

void spec_deinit(EngineSpec *spec) {
    while (spec->arguments_count > 0) {
        free(spec->arguments[--spec->arguments_count]);
        spec->arguments[spec->arguments_count] = NULL;
    }
}
