/* file.h by the Windows API. */
#include "system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <windows.h>

int file_open(const char *path, uint64_t *size) {
    LARGE_INTEGER length;
    int fd = _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);

    if (fd < 0) {
        return -errno;
    }
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    bool regular = GetFileType(handle) == FILE_TYPE_DISK && GetFileSizeEx(handle, &length);
    *size = regular ? (uint64_t)length.QuadPart : 0;
    return fd;
}

void file_close(int fd) {
    _close(fd);
}

bool file_read_at(int fd, uint64_t offset, uint8_t *bytes, size_t count) {
    HANDLE handle = (HANDLE)_get_osfhandle(fd);

    while (count > 0) {
        OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
        DWORD got = 0;
        DWORD part = count < 1 << 30 ? (DWORD)count : 1 << 30;
        if (!ReadFile(handle, bytes, part, &got, &at) || got == 0) {
            return false;
        }
        bytes += got;
        offset += got;
        count -= got;
    }
    return true;
}
