#include "protocol/data_path.h"

#include "engine/text.h"

#include <stdio.h>
#include <string.h>

void data_path(const char *kind, char path[static DATA_PATH_SIZE]) {
    /* The first two are where programs and libraries are installed, the third is beside a plug-in. */
    static const char *const places[] = {"../share/crownhead", "../../share/crownhead", "crownhead", "."};
    Text text = text_init(path, DATA_PATH_SIZE);
    char program[PATH_SIZE];

    if (!path_of_program(program)) {
        return;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char place[PATH_SIZE + 64];
        snprintf(place, sizeof place, "%s/%s/%s", program, places[i], kind);
        if (path_is_directory(place) && strchr(place, PATH_LIST_SEPARATOR) == NULL) {
            if (text.length > 0) {
                text_add_char(&text, PATH_LIST_SEPARATOR);
            }
            text_add(&text, place);
        }
    }
}
