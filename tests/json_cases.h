/* Cases from a file of the test data, a JSON object a line. */
#ifndef CROWNHEAD_TESTS_JSON_CASES_H
#define CROWNHEAD_TESTS_JSON_CASES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES_MAX = 128 };

/* Read once before the tests fork and only looked at from then on. */
static json_t *cases[CASES_MAX];
static int cases_count;

static inline const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* Check's assertions do not work outside a test, so the reason of a failure goes to stderr. */
static inline bool cases_load(const char *name) {
    const char *folder = getenv("CROWNHEAD_TEST_DATA");
    char path[4096];
    char line[16384];
    json_error_t error = {0};

    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "", name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot open %s; CROWNHEAD_TEST_DATA is its folder\n", path);
        return false;
    }
    while (cases_count < CASES_MAX && fgets(line, sizeof line, file) != NULL) {
        json_t *item = json_loads(line, 0, &error);
        if (item == NULL) {
            break;
        }
        cases[cases_count++] = item;
    }
    bool complete = feof(file) != 0;
    fclose(file);
    if (!complete) {
        fprintf(stderr, "%s: cannot read the line after case %d: %s\n", path, cases_count, error.text);
    }
    return complete;
}

static inline void cases_free(void) {
    while (cases_count > 0) {
        json_decref(cases[--cases_count]);
    }
}

#endif
