#include "protocol/options.h"

#include "engine/text.h"

#include "protocol/option_value.h"
#include "protocol/setoption.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    OptionDomain domain;
    const char *alias; /* another name that is understood, NULL if none */
    bool (*apply)(const OptionTarget *target, const OptionValue *value, ParseError *error);
    size_t setting; /* without apply: offset of the bool of a check or the int of a spin in SessionSettings */
} Option;

/* For what a client tells of itself: each go says all that the engine needs to know of it. */
static bool apply_nothing(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    (void)target;
    (void)value;
    (void)error;
    return true;
}

static bool apply_hash(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    Session *session = target->session;

    if ((size_t)value->number == session->megabytes ||
        session_set_hash(session, (size_t)value->number) == 0) {
        return true;
    }
    snprintf(error->text, sizeof error->text, "Hash: no memory for %" PRId64 " MiB, it stays at %zu",
             value->number, session->megabytes);
    return false;
}

static bool apply_clear_hash(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    (void)value;
    (void)error;
    session_clear_hash(target->session);
    return true;
}

static bool apply_seed(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    (void)error;
    session_set_seed(target->session, (uint64_t)value->number);
    return true;
}

/* Endgame databases that are not as they should be: play goes on without them. */
static void tell_egdb(const OptionTarget *target) {
    const char *warning = target->session->egdb_warning.text;

    if (warning[0] != '\0') {
        output_line(target->output, "info string EndgamePath: %s", warning);
    }
}

static bool apply_variant(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    (void)error;
    if ((Variant)value->number != target->session->game.variant) {
        session_set_variant(target->session, (Variant)value->number);
        tell_egdb(target);
    }
    return true;
}

/* "<default>" = what came with the program, "<empty>" or nothing = none; quotes around it are taken off. */
static bool apply_egdb(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    View text = value->text;
    char quote[VIEW_QUOTE_SIZE];
    char path[OPTION_PATH_SIZE];

    if (text.length >= 2 && text.start[0] == '"' && text.start[text.length - 1] == '"') {
        text = (View){text.start + 1, text.length - 2};
    }
    view_quote(text, quote);
    if (text.length >= sizeof path) {
        snprintf(error->text, sizeof error->text, "EndgamePath: the path %s is too long", quote);
        return false;
    }
    memcpy(path, text.start, text.length);
    path[view_equals(text, "<empty>") ? 0 : text.length] = '\0';
    if (session_set_egdb(target->session, view_equals(text, "<default>") ? NULL : path) != 0) {
        snprintf(error->text, sizeof error->text, "EndgamePath: %s", strerror(ENOMEM));
        return false;
    }
    tell_egdb(target);
    return true;
}

/*
 * Sets what is read from a file, "<default>" or nothing = the one built in. False with one line in error that
 * names the option and the file.
 */
static bool apply_file(const char *option, bool (*set)(Session *session, const char *path, ParseError *error),
                       const OptionTarget *target, View name, ParseError *error) {
    ParseError reason = {""};
    char path[OPTION_PATH_SIZE];
    char quote[VIEW_QUOTE_SIZE];
    bool own = name.length == 0 || view_equals(name, "<default>");

    view_quote(name, quote);
    if (name.length >= sizeof path) {
        snprintf(error->text, sizeof error->text, "%s: the name %s is too long", option, quote);
        return false;
    }
    memcpy(path, name.start, name.length);
    path[name.length] = '\0';
    if (set(target->session, own ? NULL : path, &reason)) {
        return true;
    }
    Text out = text_init(error->text, sizeof error->text);
    text_add(&out, option);
    text_add(&out, ": ");
    text_add(&out, quote);
    text_add(&out, ": ");
    text_add(&out, reason.text);
    return false;
}

/* A change of the game goes back to those built in. */
static bool apply_network(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    return apply_file("EvalFile", session_set_network, target, value->text, error);
}

static bool apply_book(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    return apply_file("BookFile", session_set_book, target, value->text, error);
}

static bool apply_draws(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    (void)error;
    session_set_web_draws(target->session, value->number != 0);
    return true;
}

static bool apply_log(const OptionTarget *target, const OptionValue *value, ParseError *error) {
    char path[OPTION_PATH_SIZE];
    char quote[VIEW_QUOTE_SIZE];
    bool none = value->text.length == 0 || view_equals(value->text, "<empty>");

    view_quote(value->text, quote);
    if (value->text.length >= sizeof path) {
        snprintf(error->text, sizeof error->text, "Log File: the name %s is too long", quote);
        return false;
    }
    memcpy(path, value->text.start, value->text.length);
    path[value->text.length] = '\0';
    int fault = output_set_log(target->output, none ? NULL : path);
    if (fault != 0) {
        snprintf(error->text, sizeof error->text, "Log File: cannot open %s: %s", quote, strerror(-fault));
        return false;
    }
    return true;
}

#define SETTING(field) .setting = offsetof(SessionSettings, field)

static const Option OPTIONS[] = {
    {{"Hash", OPTION_SPIN, SESSION_MEGABYTES, 1, TT_MEGABYTES_MAX, NULL}, .apply = apply_hash},
    {{"Clear Hash", OPTION_BUTTON, 0, 0, 0, NULL}, .apply = apply_clear_hash},
    {{"Threads", OPTION_SPIN, 1, 1, THREADS_MAX, NULL}, SETTING(threads)},
    {{"MultiPV", OPTION_SPIN, 1, 1, MULTIPV_MAX, NULL}, SETTING(multipv)},
    {{"Ponder", OPTION_CHECK, 0, 0, 1, NULL}, .apply = apply_nothing},
    {{"Move Overhead", OPTION_SPIN, SESSION_OVERHEAD, 0, 10000, NULL}, SETTING(overhead)},
    {{"UCI_Variant", OPTION_COMBO, 0, 0, 0, option_choice_variant},
     .alias = "Variant",
     .apply = apply_variant},
    {{"UCI_AnalyseMode", OPTION_CHECK, 0, 0, 1, NULL}, SETTING(analysing)},
    {{"UCI_LimitStrength", OPTION_CHECK, 0, 0, 1, NULL}, SETTING(limited)},
    {{"UCI_Elo", OPTION_SPIN, LEVEL_ELO_MAX, LEVEL_ELO_MIN, LEVEL_ELO_MAX, NULL}, SETTING(elo)},
    {{"Level Seed", OPTION_SPIN, 0, 0, INT32_MAX, NULL}, .apply = apply_seed},
    {{"DrawRules", OPTION_COMBO, 0, 0, 0, option_choice_draws}, .apply = apply_draws},
    {{"EndgamePath", OPTION_STRING, 1, 0, 0, NULL}, .apply = apply_egdb},
    {{"EvalFile", OPTION_STRING, 1, 0, 0, NULL}, .apply = apply_network},
    {{"OwnBook", OPTION_CHECK, 0, 0, 1, NULL}, SETTING(own_book)},
    {{"BookFile", OPTION_STRING, 1, 0, 0, NULL}, .apply = apply_book},
    {{"BookVariety", OPTION_SPIN, 0, 0, SESSION_BOOK_MARGIN_MAX, NULL}, SETTING(book_margin)},
    {{"Log File", OPTION_STRING, 0, 0, 0, NULL}, .apply = apply_log},
};

enum { OPTIONS_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

void options_write(Lines *lines) {
    for (int index = 0; index < OPTIONS_COUNT; index++) {
        const OptionDomain *option = &OPTIONS[index].domain;
        lines_add(lines, "option name %s type ", option->name);
        switch (option->kind) {
        case OPTION_BUTTON:
            lines_add(lines, "button");
            break;
        case OPTION_CHECK:
            lines_add(lines, "check default %s", option->initial != 0 ? "true" : "false");
            break;
        case OPTION_SPIN:
            lines_add(lines, "spin default %" PRId64 " min %" PRId64 " max %" PRId64, option->initial,
                      option->minimum, option->maximum);
            break;
        case OPTION_COMBO:
            lines_add(lines, "combo default %s", option->choice((int)option->initial));
            for (int at = 0; option->choice(at) != NULL; at++) {
                lines_add(lines, " var %s", option->choice(at));
            }
            break;
        case OPTION_STRING:
            lines_add(lines, "string default %s", option->initial != 0 ? "<default>" : "<empty>");
            break;
        }
        lines_add(lines, "\n");
    }
}

static const Option *option_find(View name) {
    for (int index = 0; index < OPTIONS_COUNT; index++) {
        const Option *option = &OPTIONS[index];
        if (setoption_name_is(name, option->domain.name) ||
            (option->alias != NULL && setoption_name_is(name, option->alias))) {
            return option;
        }
    }
    return NULL;
}

static void copy_setting(const Option *option, SessionSettings *settings, int64_t number) {
    void *field = (char *)settings + option->setting;

    if (option->domain.kind == OPTION_CHECK) {
        *(bool *)field = number != 0;
    } else {
        *(int *)field = (int)number;
    }
}

bool options_set(const OptionTarget *target, View text, ParseError *error) {
    char quote[VIEW_QUOTE_SIZE];
    SetOption words;

    if (!setoption_read(text, &words, error)) {
        return false;
    }
    OptionValue value;
    const Option *option = option_find(words.name);
    if (option == NULL) {
        view_quote(words.name, quote);
        snprintf(error->text, sizeof error->text, "setoption: unknown option %s", quote);
        return false;
    }
    if (!words.given && option->domain.kind != OPTION_BUTTON && option->domain.kind != OPTION_STRING) {
        snprintf(error->text, sizeof error->text, "%s: 'value' is missing", option->domain.name);
        return false;
    }
    if (!option_value_read(&option->domain, words.value, &value, error)) {
        return false;
    }
    if (option->apply != NULL) {
        return option->apply(target, &value, error);
    }
    copy_setting(option, &target->session->settings, value.number);
    return true;
}
