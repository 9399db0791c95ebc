/* Which slices to build, in which order, and what of others is needed for it. */
#include "endgame/build.h"

#include "endgame/solve.h"
#include "endgame/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const BuildOptions *options;
    Store store;
    BuildProgress progress;
    ParseError *error;
} Build;

static bool fail(Build *build, const char *what, int error) {
    snprintf(build->error->text, sizeof build->error->text, "%s%s%s", what, error != 0 ? ": " : "",
             error != 0 ? strerror(error) : "");
    return false;
}

/* Whether the file of a slice is there, whole as far as its header tells. */
static bool is_built(const Build *build, Slice slice) {
    char name[EGDB_NAME_SIZE];
    EgdbFile file;
    ParseError ignored;

    egdb_file_name(build->options->variant, build->options->kind, slice, name);
    if (!egdb_file_open(&file, build->options->directory, name, &ignored)) {
        return false;
    }
    egdb_file_close(&file);
    return true;
}

/* A slice and its turned one are built together, when the first of them comes up. */
static bool is_second(Slice slice) {
    Slice turned = slice_turned(slice);

    return memcmp(&slice, &turned, sizeof slice) > 0;
}

/* Bytes that solving a slice takes besides the tables: the states of its largest unit. */
static uint64_t work_size(const Build *build, Slice slice) {
    uint64_t each = build->options->kind == EGDB_DTW ? 3 : 1;

    return solve_unit_size(slice) * each + store_table_size(&build->store, slice) +
           store_table_size(&build->store, slice_turned(slice));
}

/* Has all tables in memory that the moves of a slice and its turned one lead to. */
static bool gather(Build *build, Slice slice) {
    Slice needed[2 * STORE_SUCCESSORS_MAX];
    int count = store_successors(slice, false, needed);
    uint64_t work = work_size(build, slice);

    count += store_successors(slice_turned(slice), false, needed + count);
    uint64_t missing = 0;
    for (int i = 0; i < count; i++) {
        missing += tableset_find(&build->store.set, needed[i]) == NULL
                       ? store_table_size(&build->store, needed[i])
                       : 0;
    }
    store_shrink(&build->store, needed, count, missing + work);
    for (int i = 0; i < count; i++) {
        if (!store_need(&build->store, needed[i], build->error)) {
            return false;
        }
    }
    store_shrink(&build->store, needed, count, work);
    if (build->store.used + work > build->store.limit) {
        snprintf(build->error->text, sizeof build->error->text,
                 "a slice of %d pieces takes %llu MiB, more than allowed", slice_pieces(slice),
                 (unsigned long long)((build->store.used + work) >> 20) + 1);
        return false;
    }
    return true;
}

static bool write_slice(Build *build, Slice slice) {
    char name[EGDB_NAME_SIZE];
    uint64_t bytes;
    int error = egdb_file_write(build->options->directory, build->options->variant, build->options->kind,
                                tableset_find(&build->store.set, slice), build->store.workers, &bytes);

    build->progress.bytes += error == 0 ? bytes : 0;
    egdb_file_name(build->options->variant, build->options->kind, slice, name);
    return error == 0 || fail(build, name, -error);
}

static bool build_slice(void *user, Slice slice) {
    Build *build = user;
    const BuildOptions *options = build->options;
    Slice turned = slice_turned(slice);
    bool symmetric = slice_equal(slice, turned);

    if (is_second(slice) || (is_built(build, slice) && is_built(build, turned))) {
        return true;
    }
    build->progress.slice = slice;
    build->progress.pieces = slice_pieces(slice);
    if (options->progress != NULL) {
        options->progress(options->user, &build->progress);
    }
    if (!gather(build, slice)) {
        return false;
    }
    if (store_add(&build->store, slice) == NULL || (!symmetric && store_add(&build->store, turned) == NULL)) {
        return fail(build, strerror(ENOMEM), 0);
    }
    int error = solve_slice(options->variant, &build->store.set, slice, options->kind == EGDB_DTW,
                            build->store.workers);
    if (error != 0) {
        return fail(build, strerror(-error), 0);
    }
    if (!write_slice(build, slice) || (!symmetric && !write_slice(build, turned))) {
        return false;
    }
    build->progress.done += slice_size(slice) + (symmetric ? 0 : slice_size(turned));
    return true;
}

static bool count_slice(void *user, Slice slice) {
    Build *build = user;
    Slice turned = slice_turned(slice);

    if (!is_second(slice) && !(is_built(build, slice) && is_built(build, turned))) {
        build->progress.total += slice_size(slice) + (slice_equal(slice, turned) ? 0 : slice_size(turned));
    }
    return true;
}

/* Files that a killed build has left half written. */
static void remove_remains(const Build *build) {
    DIR *directory = opendir(build->options->directory);
    const struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (egdb_file_is_temporary(entry->d_name)) {
            unlinkat(dirfd(directory), entry->d_name, 0);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
}

/* Makes the directory and keeps other builds out of it; the descriptor holds the lock. */
static int lock_directory(Build *build) {
    const char *path = build->options->directory;

    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        fail(build, path, errno);
        return -1;
    }
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        fail(build, path, errno);
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        snprintf(build->error->text, sizeof build->error->text, "%s: another build works there", path);
        close(fd);
        return -1;
    }
    return fd;
}

bool egdb_build(const BuildOptions *options, ParseError *error) {
    Build build = {.options = options, .error = error};
    Workers *workers = workers_new(options->threads);
    bool fine = workers != NULL || fail(&build, strerror(ENOMEM), 0);
    int lock = fine ? lock_directory(&build) : -1;

    fine = lock >= 0;
    if (fine) {
        remove_remains(&build);
        store_init(&build.store, options->variant, options->kind, options->directory, workers,
                   options->memory);
        for (int pieces = 2; pieces <= options->pieces; pieces++) {
            store_slices(pieces, count_slice, &build);
        }
        for (int pieces = 2; pieces <= options->pieces && fine; pieces++) {
            fine = store_slices(pieces, build_slice, &build);
        }
        if (fine && options->progress != NULL) {
            options->progress(options->user, &build.progress);
        }
        store_deinit(&build.store);
        close(lock);
    }
    workers_free(workers);
    return fine;
}
