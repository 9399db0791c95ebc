#include "protocol/data_path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void data_path(const char *kind, char path[static DATA_PATH_SIZE]) {
    static const char *const places[] = {"../share/crownhead", "."};
    char program[PATH_MAX];
    size_t length = 0;
    ssize_t count = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = count > 0 ? memrchr(program, '/', (size_t)count) : NULL;

    path[0] = '\0';
    if (slash == NULL) {
        return;
    }
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char place[PATH_MAX + 64];
        snprintf(place, sizeof place, "%s/%s/%s", program, places[i], kind);
        if (access(place, R_OK | X_OK) == 0 && strchr(place, ':') == NULL) {
            length += (size_t)snprintf(path + length, DATA_PATH_SIZE - length, "%s%s", length > 0 ? ":" : "",
                                       place);
        }
    }
}
