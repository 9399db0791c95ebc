/* replace.h by POSIX; under Windows nothing writes files. */
#include "system/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_file(const char *path, int (*write)(void *user, FILE *stream), void *user) {
    FILE *stream = fopen(path, "w+be");

    if (stream == NULL) {
        return -errno;
    }
    errno = 0;
    int error = write(user, stream);
    bool fine = fflush(stream) == 0 && !ferror(stream) && fsync(fileno(stream)) == 0;
    fine = fclose(stream) == 0 && fine;
    return error != 0 || fine ? error : errno != 0 ? -errno : -EIO;
}

/* Makes a new name last; cuts the path off to that of the directory. */
static int sync_directory(char *path) {
    char *slash = strrchr(path, '/');

    if (slash != NULL) {
        slash[slash == path ? 1 : 0] = '\0';
    }
    int fd = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    /* Not every file system can. */
    int error = fsync(fd) != 0 && errno != EINVAL ? -errno : 0;
    close(fd);
    return error;
}

int file_replace(const char *path, int (*write)(void *user, FILE *stream), void *user) {
    char *temporary;

    if (asprintf(&temporary, "%s.tmp", path) < 0) {
        return -ENOMEM;
    }
    int error = write_file(temporary, write, user);
    if (error == 0 && rename(temporary, path) != 0) {
        error = -errno;
    }
    if (error != 0) {
        unlink(temporary);
    } else {
        error = sync_directory(temporary);
    }
    free(temporary);
    return error;
}
