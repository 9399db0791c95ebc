/* replace.h by POSIX; under Windows nothing writes files. */
#include "system/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Opens a file to write, empty, once nobody else writes it: who does holds a lock till it has another name. A
 * descriptor or a negative errno.
 */
static int open_alone(const char *path) {
    for (;;) {
        struct stat opened, named;
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) {
            return -errno;
        }
        (void)flock(fd, LOCK_EX); /* not every file system can */
        bool same = fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
                    opened.st_ino == named.st_ino;
        int error = same && ftruncate(fd, 0) != 0 ? -errno : 0;
        if (same && error == 0) {
            return fd;
        }
        close(fd);
        if (error != 0) {
            return error;
        }
    }
}

/* Fills the stream till all of it is on the disk. */
static int write_all(FILE *stream, int (*write)(void *user, FILE *stream), void *user) {
    errno = 0;
    int error = write(user, stream);
    bool fine = fflush(stream) == 0 && !ferror(stream) && fsync(fileno(stream)) == 0;
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
    int fd = open_alone(temporary);
    FILE *stream = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    int error = fd < 0 ? fd : stream == NULL ? -ENOMEM : write_all(stream, write, user);
    if (error == 0 && rename(temporary, path) != 0) {
        error = -errno;
    }
    if (error != 0 && fd >= 0) {
        unlink(temporary);
    }
    if (stream != NULL) {
        fclose(stream);
    } else if (fd >= 0) {
        close(fd);
    }
    if (error == 0) {
        error = sync_directory(temporary);
    }
    free(temporary);
    return error;
}
