/* file.h by POSIX. */
#include "system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int file_open(const char *path, uint64_t *size) {
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0) {
        return -errno;
    }
    if (fstat(fd, &status) != 0) {
        int error = -errno;
        close(fd);
        return error;
    }
    *size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return fd;
}

void file_close(int fd) {
    close(fd);
}

bool file_read_at(int fd, uint64_t offset, uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t got = pread(fd, bytes, count, (off_t)offset);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            return false;
        }
        if (got > 0) {
            bytes += got;
            offset += (uint64_t)got;
            count -= (size_t)got;
        }
    }
    return true;
}
