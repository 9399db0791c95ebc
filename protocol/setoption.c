#include "protocol/setoption.h"

#include <stdio.h>

bool setoption_read(View text, SetOption *option, ParseError *error) {
    View rest = text;
    View word = view_token(&rest);

    if (!view_equals(word, "name")) {
        char quote[VIEW_QUOTE_SIZE];
        view_quote(word, quote);
        snprintf(error->text, sizeof error->text, "setoption: 'name' expected, not %s", quote);
        return false;
    }
    View name = {rest.start, 0};
    *option = (SetOption){.value = {rest.start, 0}};
    while ((word = view_token(&rest)).length > 0) {
        if (view_equals(word, "value")) {
            option->value = view_trim(rest);
            option->given = true;
            break;
        }
        name.length = (size_t)(word.start + word.length - name.start);
    }
    option->name = view_trim(name);
    return true;
}

bool setoption_name_is(View text, const char *name) {
    View rest = view_of(name);

    for (;;) {
        View word = view_token(&text);
        View expected = view_token(&rest);
        if (!views_equal_nocase(word, expected)) {
            return false;
        }
        if (word.length == 0) {
            return true;
        }
    }
}
