/* library.h by POSIX. */
#include "system/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *library_open(const char *path, char *error, size_t size) {
    char here[4096];
    const char *name = path;

    /* A name without a directory would be looked for among the system's libraries. */
    if (strchr(path, '/') == NULL && (size_t)snprintf(here, sizeof here, "./%s", path) < sizeof here) {
        name = here;
    }
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *fault = dlerror();
        snprintf(error, size, "%s", fault != NULL ? fault : "cannot be loaded");
    }
    return library;
}

void *library_find(void *library, const char *name) {
    return dlsym(library, name);
}

void library_close(void *library) {
    dlclose(library);
}
