#include "bench/command.h"

#include "engine/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool command_number(const char *command, const char *argument, const char *text, uint64_t min, uint64_t max,
                    uint64_t *number) {
    char quote[VIEW_QUOTE_SIZE];
    uint64_t value;

    if (!view_digits(view_of(text), &value) || value < min || value > max) {
        view_quote(view_of(text), quote);
        fprintf(stderr, "%s: %s must be a number from %" PRIu64 " to %" PRIu64 ", not %s\n", command,
                argument, min, max, quote);
        return false;
    }
    *number = value;
    return true;
}

bool command_variant(const char *command, const char *text, Variant *variant) {
    char quote[VIEW_QUOTE_SIZE];
    Variant found = variant_from_name(text);

    if (found == VARIANT_COUNT) {
        view_quote(view_of(text), quote);
        fprintf(stderr, "%s: unknown game %s, known are", command, quote);
        for (Variant known = 0; known < VARIANT_COUNT; known++) {
            fprintf(stderr, "%s %s", known == 0 ? "" : ",", rules_of(known)->name);
        }
        fputc('\n', stderr);
        return false;
    }
    *variant = found;
    return true;
}

int command_fail(const char *command, int error) {
    fprintf(stderr, "%s: %s\n", command, strerror(-error));
    return COMMAND_FAILED;
}

static int fail_to_print(const char *command) {
    fprintf(stderr, "%s: cannot write the output: %s\n", command, strerror(errno != 0 ? errno : EIO));
    return COMMAND_FAILED;
}

int command_print(const char *command, const char *line) {
    errno = 0;
    return puts(line) >= 0 ? COMMAND_DONE : fail_to_print(command);
}

int command_write_json(const char *command, json_t *object) {
    if (object == NULL) {
        return command_fail(command, -ENOMEM);
    }
    /* A failed write shows up again when stdout is flushed; what is left to fail here is memory. */
    if (json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0 && !ferror(stdout)) {
        json_decref(object);
        return command_fail(command, -ENOMEM);
    }
    json_decref(object);
    putchar('\n');
    return command_finish(command);
}

int command_finish(const char *command) {
    errno = 0;
    return fflush(stdout) == 0 && !ferror(stdout) ? COMMAND_DONE : fail_to_print(command);
}
