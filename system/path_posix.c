/* path.h by Linux and glibc. */
#include "system/path.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)PATH_SIZE >= PATH_MAX, "realpath writes up to PATH_MAX");

/* The program's own path; it may have been replaced meanwhile, but its directory is still the same. */
static bool path_of_process(char path[static PATH_SIZE]) {
    ssize_t count = readlink("/proc/self/exe", path, PATH_SIZE - 1);

    path[count > 0 ? count : 0] = '\0';
    return count > 0;
}

bool path_of_program(char directory[static PATH_SIZE]) {
    static const char here = 0;
    struct link_map *object = NULL;
    Dl_info info;

    if (dladdr1(&here, &info, (void **)&object, RTLD_DL_LINKMAP) == 0 || object == NULL) {
        return false;
    }
    /* The program itself has no name there. */
    bool found =
        object->l_name[0] != '\0' ? realpath(object->l_name, directory) != NULL : path_of_process(directory);
    char *slash = found ? strrchr(directory, '/') : NULL;
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    return true;
}

bool path_is_directory(const char *path) {
    return access(path, R_OK | X_OK) == 0;
}
