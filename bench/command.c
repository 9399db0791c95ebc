/* What the measuring commands share. */
#include "bench/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool command_number(const char *command, const char *argument, const char *text, uint64_t min, uint64_t max,
                    uint64_t *number) {
    uint64_t value = 0;
    bool good = text[0] != '\0';

    for (const char *digit = text; *digit != '\0' && good; digit++) {
        good = *digit >= '0' && *digit <= '9' && value <= (max - (uint64_t)(*digit - '0')) / 10;
        if (good) {
            value = value * 10 + (uint64_t)(*digit - '0');
        }
    }
    if (!good || value < min) {
        fprintf(stderr, "%s: %s must be a number from %" PRIu64 " to %" PRIu64 ", not '%s'\n", command,
                argument, min, max, text);
        return false;
    }
    *number = value;
    return true;
}

bool command_variant(const char *command, const char *text, Variant *variant) {
    Variant found = variant_from_name(text);

    if (found == VARIANT_COUNT) {
        fprintf(stderr, "%s: unknown game '%s', known are", command, text);
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
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: cannot write the output: %s\n", command, strerror(errno != 0 ? errno : EIO));
        return COMMAND_FAILED;
    }
    return COMMAND_DONE;
}
