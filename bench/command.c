#include "bench/command.h"

#include "engine/view.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool command_number(const char *command, const char *argument, const char *text, uint64_t min, uint64_t max,
                    uint64_t *number) {
    char quote[VIEW_QUOTE_SIZE];
    uint64_t value;

    if (!view_digits(view_of(text), &value) || value < min || value > max) {
        view_quote(view_of(text), quote);
        fprintf(stderr, "%s: %s must be a whole number from %" PRIu64 " to %" PRIu64 ", not %s\n", command,
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

static bool read_value(const char *command, const CommandOption *option, char *value) {
    char argument[64];
    uint64_t number;

    if (option->flag != NULL) {
        *option->flag = true;
    } else if (option->text != NULL) {
        *option->text = value;
    } else if (option->variant != NULL) {
        return command_variant(command, value, option->variant);
    } else if (option->read != NULL) {
        return option->read(command, option, value);
    } else {
        snprintf(argument, sizeof argument, "--%s", option->name);
        if (!command_number(command, argument, value, option->min, option->max, &number)) {
            return false;
        }
        if (option->whole != NULL) {
            *option->whole = (int)number;
        } else {
            *option->number = number;
        }
    }
    return true;
}

bool command_options(int argc, char **argv, const CommandOption *options, int count) {
    struct option known[COMMAND_OPTIONS_MAX + 1] = {0};
    int index, found;

    assert(count <= COMMAND_OPTIONS_MAX);
    for (int i = 0; i < count; i++) {
        known[i].name = options[i].name;
        known[i].has_arg = options[i].flag != NULL ? no_argument : required_argument;
    }
    while ((found = getopt_long(argc, argv, "", known, &index)) == 0) {
        if (!read_value(argv[0], &options[index], optarg)) {
            return false;
        }
    }
    return found == -1; /* else getopt_long has told what is wrong */
}

void command_warn(void *user, const char *line) {
    fprintf(stderr, "%s: %s\n", (const char *)user, line);
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
