/* path.h by the Windows API. */
#include "system/path.h"

#include <string.h>
#include <windows.h>

bool path_of_program(char directory[static PATH_SIZE]) {
    static const char here = 0;
    HMODULE module;

    if (!GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            &here, &module)) {
        return false;
    }
    DWORD length = GetModuleFileNameA(module, directory, PATH_SIZE);
    char *slash = length > 0 && length < PATH_SIZE ? strrchr(directory, '\\') : NULL;
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    return true;
}

bool path_is_directory(const char *path) {
    DWORD attributes = GetFileAttributesA(path);

    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}
