/* Writing games safely, and reading them again. */
#include "match/journal.h"

#include "engine/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(ParseError *error, const char *file, const char *what, int number) {
    snprintf(error->text, sizeof error->text, "%s: %s%s%s", file, what, number != 0 ? ": " : "",
             number != 0 ? strerror(number) : "");
    return false;
}

/* The whole of a file from its start. NULL with errno. */
static char *read_all(int fd, size_t *size) {
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);
    ssize_t count = 0;

    *size = 0;
    while (text != NULL && (count = read(fd, text + *size, capacity - *size)) > 0) {
        *size += (size_t)count;
        if (*size == capacity) {
            char *larger = realloc(text, capacity *= 2);
            if (larger == NULL) {
                free(text);
            }
            text = larger;
        }
    }
    if (count < 0) {
        int number = errno;
        free(text);
        errno = number;
        return NULL;
    }
    return text;
}

bool journal_read(int fd, const char *file, const JournalVisitor *visitor, size_t *length,
                  ParseError *error) {
    size_t size;
    char *text = read_all(fd, &size);
    bool fine = text != NULL || fail(error, file, "cannot be read", errno);
    json_t *header = NULL;
    HeaderLine parsed;

    *length = 0;
    for (size_t number = 1; fine && *length < size; number++) {
        char *start = text + *length;
        char *end = memchr(start, '\n', size - *length);
        if (end == NULL) {
            break;
        }
        json_t *object = json_loadb(start, (size_t)(end - start), JSON_REJECT_DUPLICATES, NULL);
        const char *fault = "not a JSON object";
        ParseError inner = {{0}};
        GameLine line;
        if (!json_is_object(object)) {
            fine = false;
        } else if (header == NULL) {
            fault = inner.text;
            header = json_incref(object);
            if (!record_read_header(object, &parsed)) {
                fault = "not the first line of a match";
                fine = false;
            } else {
                fine = visitor->begin(visitor->user, header, &parsed, &inner);
            }
        } else if (!record_read_game(object, parsed.variant, &line)) {
            fault = "not the line of a game";
            fine = false;
        } else {
            fault = inner.text;
            fine = visitor->game(visitor->user, &line, &inner);
        }
        if (!fine) {
            snprintf(error->text, sizeof error->text, "%s:%zu: %s", file, number, fault);
        }
        json_decref(object);
        *length += (size_t)(end - start) + 1;
    }
    json_decref(header);
    free(text);
    return fine;
}

bool journal_count(Standings *standings, const char *const *names, const GameLine *line, ParseError *error) {
    if (line->index >= standings->games) {
        snprintf(error->text, sizeof error->text, "game %" PRId64 " is not one of this match's %" PRId64,
                 line->index + 1, standings->games);
        return false;
    }
    ScheduledGame game = schedule_game(standings->schedule, line->index);
    if (strcmp(names[game.first], line->first_name) != 0 ||
        strcmp(names[game.second], line->second_name) != 0) {
        snprintf(error->text, sizeof error->text, "game %" PRId64 " has other players in this match",
                 line->index + 1);
        return false;
    }
    standings_add(standings, line->index, line->half_points);
    return true;
}

/* What happens to the lines of a file that is resumed. */
typedef struct {
    const json_t *header;
    Standings *standings;
    const char *names[MATCH_ENGINES_MAX];
    int64_t pdn_end;
} Resumption;

static bool resume_begin(void *user, const json_t *header, const HeaderLine *parsed, ParseError *error) {
    Resumption *resumption = user;
    const char *difference = record_header_difference(resumption->header, header);

    (void)parsed;
    if (difference == NULL &&
        !json_equal(json_object_get(resumption->header, "shard"), json_object_get(header, "shard"))) {
        difference = "shard";
    }
    if (difference != NULL) {
        snprintf(error->text, sizeof error->text, "another match, it differs in %s", difference);
    }
    return difference == NULL;
}

static bool resume_game(void *user, const GameLine *line, ParseError *error) {
    Resumption *resumption = user;

    if (line->pdn_end >= 0) {
        resumption->pdn_end = line->pdn_end;
    }
    return journal_count(resumption->standings, resumption->names, line, error);
}

static bool write_all(int fd, const char *text, size_t size) {
    while (size > 0) {
        ssize_t count = write(fd, text, size);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        text += count;
        size -= (size_t)count;
    }
    return true;
}

/* Writes at the end of a file, or leaves it as long as it was. */
static bool append(int fd, const char *text, size_t size) {
    struct stat before;

    if (fstat(fd, &before) != 0) {
        return false;
    }
    if (write_all(fd, text, size)) {
        return true;
    }
    int number = errno;
    if (ftruncate(fd, before.st_size) != 0) {
        /* What is left over is cut off when the match is resumed. */
    }
    errno = number;
    return false;
}

static bool append_object(int fd, const json_t *object) {
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));

    if (text == NULL) {
        errno = ENOMEM;
        return false;
    }
    size_t length = strlen(text);
    text[length] = '\n';
    bool fine = append(fd, text, length + 1);
    int number = errno;
    free(text);
    errno = number;
    return fine;
}

/* Opens for appending, with a lock that keeps a second match off the file. */
static int open_locked(const char *file, ParseError *error) {
    int fd = open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

    if (fd < 0) {
        fail(error, file, "cannot be opened", errno);
        return -1;
    }
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        fail(error, file, "is not a file", 0);
        close(fd);
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        fail(error, file, "another match writes to it", 0);
        close(fd);
        return -1;
    }
    return fd;
}

static bool open_json(Journal *journal, const MatchOptions *options, Resumption *resumption,
                      ParseError *error) {
    const JournalVisitor visitor = {resume_begin, resume_game, resumption};
    struct stat before;
    size_t length;
    const char *file = options->json_file;

    journal->json = open_locked(file, error);
    if (journal->json < 0) {
        return false;
    }
    if (!options->resume && fstat(journal->json, &before) == 0 && before.st_size > 0) {
        return fail(error, file, "exists; -resume goes on with it", 0);
    }
    if (!journal_read(journal->json, file, &visitor, &length, error)) {
        return false;
    }
    if (ftruncate(journal->json, (off_t)length) != 0 ||
        (length == 0 && !append_object(journal->json, resumption->header))) {
        return fail(error, file, "cannot be written", errno);
    }
    return true;
}

static bool open_pdn(Journal *journal, const MatchOptions *options, int64_t end, ParseError *error) {
    struct stat before;
    const char *file = options->pdn_file;

    journal->pdn = open_locked(file, error);
    if (journal->pdn < 0) {
        return false;
    }
    if (end < 0) {
        return true;
    }
    if (fstat(journal->pdn, &before) != 0 || before.st_size < end) {
        return fail(error, file, "is shorter than this match has left it", 0);
    }
    return ftruncate(journal->pdn, (off_t)end) == 0 || fail(error, file, "cannot be written", errno);
}

bool journal_open(Journal *journal, const MatchOptions *options, const json_t *header, Standings *standings,
                  ParseError *error) {
    Resumption resumption = {.header = header, .standings = standings, .pdn_end = -1};

    *journal = (Journal){-1, -1, options->json_file, options->pdn_file};
    for (int index = 0; index < options->engines_count; index++) {
        resumption.names[index] = options->engines[index].name;
    }
    if ((options->json_file != NULL && !open_json(journal, options, &resumption, error)) ||
        (options->pdn_file != NULL && !open_pdn(journal, options, resumption.pdn_end, error))) {
        journal_close(journal);
        return false;
    }
    return true;
}

static bool add_pdn(Journal *journal, const MatchOptions *options, const GameRecord *record) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    if (stream == NULL) {
        return false;
    }
    record_write_pdn(stream, options, record);
    bool fine = fclose(stream) == 0 && append(journal->pdn, text, size);
    int number = errno;
    free(text);
    errno = number;
    return fine;
}

bool journal_add(Journal *journal, const MatchOptions *options, const GameRecord *record, ParseError *error) {
    struct stat before = {0};
    struct stat after = {0};

    if (journal->pdn >= 0 && (fstat(journal->pdn, &before) != 0 || !add_pdn(journal, options, record) ||
                              fstat(journal->pdn, &after) != 0)) {
        return fail(error, journal->pdn_file, "cannot be written", errno);
    }
    if (journal->json < 0) {
        return true;
    }
    json_t *object = record_game(options, record);
    if (journal->pdn >= 0) {
        json_object_set_new(object, "pdn_end", json_integer(after.st_size));
    }
    bool fine =
        append_object(journal->json, object) || fail(error, journal->json_file, "cannot be written", errno);
    json_decref(object);
    if (!fine && journal->pdn >= 0 && ftruncate(journal->pdn, before.st_size) != 0) {
        /* As above: resuming cuts it off. */
    }
    return fine;
}

void journal_close(Journal *journal) {
    if (journal->json >= 0) {
        close(journal->json);
    }
    if (journal->pdn >= 0) {
        close(journal->pdn);
    }
    journal->json = journal->pdn = -1;
}
