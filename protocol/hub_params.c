#include "protocol/hub_params.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Scan counts entries of 16 bytes, as a power of two: 1 MiB is 2 to the 16th. */
enum { HASH_MAX = 65536, TT_SIZE_MEBIBYTE = 16, TT_SIZE_INITIAL = 22, BOOK_PLY_MAX = 1000 };

_Static_assert(1 << (TT_SIZE_INITIAL - TT_SIZE_MEBIBYTE) == SESSION_MEGABYTES, "both say the same at first");

static const char PATH_DEFAULT[] = "<default>"; /* what came with the program */

static const OptionDomain PARAMS[HUB_PARAMS] = {
    [HUB_PARAM_VARIANT] = {"variant", OPTION_COMBO, 0, 0, 0, option_choice_variant},
    [HUB_PARAM_FRAME] = {"frame", OPTION_COMBO, 0, 0, 0, hub_frame_name},
    [HUB_PARAM_THREADS] = {"threads", OPTION_SPIN, 1, 1, THREADS_MAX, NULL},
    [HUB_PARAM_HASH] = {"hash", OPTION_SPIN, SESSION_MEGABYTES, 1, HASH_MAX, NULL},
    [HUB_PARAM_TT_SIZE] = {"tt-size", OPTION_SPIN, TT_SIZE_INITIAL, 10, 32, NULL},
    [HUB_PARAM_PONDER] = {"ponder", OPTION_CHECK, 0, 0, 1, NULL},
    [HUB_PARAM_DRAW_RULES] = {"draw-rules", OPTION_COMBO, 0, 0, 0, option_choice_draws},
    [HUB_PARAM_LIMIT_STRENGTH] = {"limit-strength", OPTION_CHECK, 0, 0, 1, NULL},
    [HUB_PARAM_ELO] = {"elo", OPTION_SPIN, LEVEL_ELO_MAX, LEVEL_ELO_MIN, LEVEL_ELO_MAX, NULL},
    [HUB_PARAM_BB_SIZE] = {"bb-size", OPTION_SPIN, SLICE_PIECES_MAX, 0, SLICE_PIECES_MAX, NULL},
    [HUB_PARAM_BB_PATH] = {"bb-path", OPTION_STRING, 1, 0, 0, NULL},
    [HUB_PARAM_BOOK] = {"book", OPTION_CHECK, 0, 0, 1, NULL},
    [HUB_PARAM_BOOK_PLY] = {"book-ply", OPTION_SPIN, 0, 0, BOOK_PLY_MAX, NULL},
    [HUB_PARAM_BOOK_MARGIN] = {"book-margin", OPTION_SPIN, 0, 0, SESSION_BOOK_MARGIN_MAX, NULL},
};

void hub_params_init(HubParams *params) {
    for (HubParam param = 0; param < HUB_PARAMS; param++) {
        params->values[param] = PARAMS[param].initial;
    }
    params->megabytes = SESSION_MEGABYTES;
    snprintf(params->bb_path, sizeof params->bb_path, "%s", PATH_DEFAULT);
}

/* Some clients look for the type behind the name, and take the values to be what is behind the last '='. */
void hub_params_write(Lines *lines) {
    for (HubParam param = 0; param < HUB_PARAMS; param++) {
        const OptionDomain *domain = &PARAMS[param];
        lines_add(lines, "param name=%s value=", domain->name);
        switch (domain->kind) {
        case OPTION_CHECK:
            lines_add(lines, "%s type=bool", domain->initial != 0 ? "true" : "false");
            break;
        case OPTION_SPIN:
            lines_add(lines, "%" PRId64 " type=int min=%" PRId64 " max=%" PRId64, domain->initial,
                      domain->minimum, domain->maximum);
            break;
        case OPTION_COMBO:
            lines_add(lines, "%s type=enum values=\"", domain->choice((int)domain->initial));
            for (int at = 0; domain->choice(at) != NULL; at++) {
                lines_add(lines, "%s%s", at > 0 ? " " : "", domain->choice(at));
            }
            lines_add(lines, "\"");
            break;
        default:
            lines_add(lines, "\"%s\" type=string", PATH_DEFAULT);
            break;
        }
        lines_add(lines, "\n");
    }
}

/* Other names of the games: their numbers in PDN, and what people call them. */
static View variant_name(View text) {
    static const struct {
        const char *alias;
        Variant variant;
    } aliases[] = {
        {"american", VARIANT_ENGLISH}, {"checkers", VARIANT_ENGLISH}, {"shashki", VARIANT_RUSSIAN}};

    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (view_equals_nocase(text, aliases[i].alias)) {
            return view_of(rules_of(aliases[i].variant)->name);
        }
    }
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        const Rules *rules = rules_of(variant);
        if (views_equal_nocase(text, view_leading_digits(view_of(rules->pdn_gametype)))) {
            return view_of(rules->name);
        }
    }
    return text;
}

static bool set_path(HubParams *params, View value, ParseError *error) {
    char quote[VIEW_QUOTE_SIZE];

    if (value.length >= sizeof params->bb_path) {
        view_quote(value, quote);
        snprintf(error->text, sizeof error->text, "bb-path: the path %s is too long", quote);
        return false;
    }
    bool none = view_equals_nocase(value, "<empty>");
    memcpy(params->bb_path, value.start, value.length);
    params->bb_path[none ? 0 : value.length] = '\0';
    return true;
}

bool hub_params_set(HubParams *params, View name, View value, ParseError *error) {
    HubParam param = 0;
    OptionValue read;

    while (param < HUB_PARAMS && !view_equals(name, PARAMS[param].name)) {
        param++;
    }
    if (param == HUB_PARAMS) {
        return true;
    }
    if (param == HUB_PARAM_BB_PATH) {
        return set_path(params, value, error);
    }
    if (param == HUB_PARAM_VARIANT) {
        value = variant_name(value);
    }
    if (!option_value_read(&PARAMS[param], value, &read, error)) {
        return false;
    }
    /* Clients that set everything set the other one of the two to what it was before. */
    if (read.number != params->values[param] && param == HUB_PARAM_HASH) {
        params->megabytes = read.number;
    } else if (read.number != params->values[param] && param == HUB_PARAM_TT_SIZE) {
        int64_t power = read.number - TT_SIZE_MEBIBYTE;
        params->megabytes = power < 0 ? 1 : (int64_t)1 << power;
    }
    params->values[param] = read.number;
    return true;
}

/* Opens other databases if they are meant to be others. True if they were opened. */
static bool apply_path(const HubParams *params, Session *session,
                       void (*complain)(void *user, const char *fault), void *user) {
    const char *path = strcmp(params->bb_path, PATH_DEFAULT) == 0 ? NULL : params->bb_path;
    const char *now = session->egdb_path;

    if (path == now || (path != NULL && now != NULL && strcmp(path, now) == 0)) {
        return false;
    }
    if (session_set_egdb(session, path) != 0) {
        complain(user, "bb-path: there is no memory");
        return false;
    }
    return true;
}

void hub_params_apply(HubParams *params, Session *session, void (*complain)(void *user, const char *fault),
                      void *user) {
    char fault[sizeof(ParseError) + 40];
    Variant variant = (Variant)params->values[HUB_PARAM_VARIANT];
    bool opened = variant != session->game.variant;

    session->settings.threads = (int)params->values[HUB_PARAM_THREADS];
    session->settings.limited = params->values[HUB_PARAM_LIMIT_STRENGTH] != 0;
    session->settings.elo = (int)params->values[HUB_PARAM_ELO];
    session->settings.own_book = params->values[HUB_PARAM_BOOK] != 0;
    session->settings.book_margin = (int)params->values[HUB_PARAM_BOOK_MARGIN];
    session->settings.book_plies = (int)params->values[HUB_PARAM_BOOK_PLY];
    session_set_variant(session, variant);
    session_set_web_draws(session, params->values[HUB_PARAM_DRAW_RULES] != 0);
    session_set_egdb_limit(session, (int)params->values[HUB_PARAM_BB_SIZE]);
    opened = apply_path(params, session, complain, user) || opened;
    if (opened && session->egdb_warning.text[0] != '\0') {
        snprintf(fault, sizeof fault, "bb-path: %s", session->egdb_warning.text);
        complain(user, fault);
    }
    if ((size_t)params->megabytes != session->megabytes &&
        session_set_hash(session, (size_t)params->megabytes) != 0) {
        snprintf(fault, sizeof fault, "hash: no memory for %" PRId64 " MiB, it stays at %zu",
                 params->megabytes, session->megabytes);
        complain(user, fault);
        params->megabytes = (int64_t)session->megabytes;
    }
}
