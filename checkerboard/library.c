#include "checkerboard/library.h"

#include "system/library.h"

#include <stdio.h>
#include <string.h>

/* C has no conversion between what a system finds and a function. */
#define FIND(library, function) \
    do { \
        void *found = library_find((library)->handle, #function); \
        memcpy(&(library)->function, &found, sizeof found); \
    } while (0)

bool cb_library_open(CbLibrary *library, const char *path, ParseError *error) {
    *library = (CbLibrary){.handle = library_open(path, error->text, sizeof error->text)};
    if (library->handle == NULL) {
        return false;
    }
    FIND(library, getmove);
    FIND(library, enginecommand);
    FIND(library, islegal);
    if (library->getmove == NULL || library->enginecommand == NULL) {
        snprintf(error->text, sizeof error->text, "%.100s: no CheckerBoard engine: it has no function %s",
                 path, library->getmove == NULL ? "getmove" : "enginecommand");
        cb_library_close(library);
        return false;
    }
    return true;
}

void cb_library_close(CbLibrary *library) {
    library_close(library->handle);
    *library = (CbLibrary){0};
}
