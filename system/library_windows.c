/* library.h by the Windows API. */
#include "system/library.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

void *library_open(const char *path, char *error, size_t size) {
    /* Without a box on the screen when it is none. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);
    HMODULE library = LoadLibraryA(path);
    if (library == NULL) {
        DWORD fault = GetLastError();
        const char *reason = fault == ERROR_MOD_NOT_FOUND    ? "it or a library that it needs is not there"
                             : fault == ERROR_BAD_EXE_FORMAT ? "not a library for this kind of Windows"
                                                             : "cannot be loaded";
        snprintf(error, size, "%s: %s (%lu)", path, reason, fault);
    }
    return library;
}

void *library_find(void *library, const char *name) {
    FARPROC function = GetProcAddress(library, name);
    void *found;

    memcpy(&found, &function, sizeof found); /* C has no conversion */
    return found;
}

void library_close(void *library) {
    FreeLibrary(library);
}
