#include "protocol/option_value.h"

#include <inttypes.h>
#include <stdio.h>

const char *option_choice_variant(int index) {
    return index < VARIANT_COUNT ? RULES[index].name : NULL;
}

const char *option_choice_draws(int index) {
    static const char *const names[] = {"official", "web", NULL};
    return names[index];
}

bool option_value_read(const OptionDomain *option, View given, OptionValue *value, ParseError *error) {
    char quote[VIEW_QUOTE_SIZE];
    char *text = error->text;
    size_t size = sizeof error->text;

    view_quote(given, quote);
    *value = (OptionValue){.text = given};
    switch (option->kind) {
    case OPTION_CHECK:
        value->number = view_equals_nocase(given, "true");
        if (value->number == 0 && !view_equals_nocase(given, "false")) {
            snprintf(text, size, "%s: %s is neither 'true' nor 'false'", option->name, quote);
            return false;
        }
        return true;
    case OPTION_SPIN:
        if (!view_number(given, &value->number)) {
            snprintf(text, size, "%s: %s is not a number", option->name, quote);
            return false;
        }
        if (value->number < option->minimum || value->number > option->maximum) {
            snprintf(text, size, "%s: %s is not within %" PRId64 " and %" PRId64, option->name, quote,
                     option->minimum, option->maximum);
            return false;
        }
        return true;
    case OPTION_COMBO:
        for (int index = 0; option->choice(index) != NULL; index++) {
            if (view_equals_nocase(given, option->choice(index))) {
                value->number = index;
                return true;
            }
        }
        snprintf(text, size, "%s: %s is none of the choices", option->name, quote);
        return false;
    default:
        return true;
    }
}
