/* Writing games safely, and reading them again. */
#include "match/journal.h"

#include "engine/text.h"
#include "match/file.h"
#include "system/replace.h"

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

/* What a file that is being read has told so far. */
typedef struct {
    json_t *header; /* which parsed points into, NULL before the first line */
    HeaderLine parsed;
} Reading;

static bool refuse_line(ParseError *error, const char *reason) {
    snprintf(error->text, sizeof error->text, "%s", reason);
    return false;
}

static bool take_object(Reading *reading, const JournalVisitor *visitor, json_t *object, ParseError *error) {
    GameLine line;

    if (!json_is_object(object)) {
        return refuse_line(error, "not a JSON object");
    }
    if (reading->header == NULL) {
        reading->header = json_incref(object);
        return record_read_header(object, &reading->parsed)
                   ? visitor->begin(visitor->user, object, &reading->parsed, error)
                   : refuse_line(error, "not the first line of a match");
    }
    return record_read_game(object, reading->parsed.variant, &line)
               ? visitor->game(visitor->user, &line, error)
               : refuse_line(error, "not the line of a game");
}

bool journal_read(int fd, const char *file, const JournalVisitor *visitor, JournalExtent *extent,
                  ParseError *error) {
    Reading reading = {0};
    char *text = NULL;
    size_t size = 0;
    size_t at = 0;
    char *end;
    int status = file_read(fd, &text, &size);
    bool fine = status == 0 || fail(error, file, "cannot be read", -status);

    for (unsigned number = 1; fine && (end = memchr(text + at, '\n', size - at)) != NULL; number++) {
        json_t *object = json_loadb(text + at, (size_t)(end - text) - at, JSON_REJECT_DUPLICATES, NULL);
        ParseError inner;
        fine = take_object(&reading, visitor, object, &inner);
        if (!fine) {
            Text out = text_init(error->text, sizeof error->text);
            text_add(&out, file);
            text_add_char(&out, ':');
            text_add_number(&out, number);
            text_add(&out, ": ");
            text_add(&out, inner.text);
        }
        json_decref(object);
        at = (size_t)(end - text) + 1;
    }
    *extent = (JournalExtent){at, at < size};
    json_decref(reading.header);
    free(text);
    return fine;
}

bool journal_count(Standings *standings, const char *const *names, const Schedule *part, const GameLine *line,
                   ParseError *error) {
    const char *fault = NULL;

    if (line->index >= standings->games) {
        snprintf(error->text, sizeof error->text, "game %" PRId64 " is not one of this match's %" PRId64,
                 line->index + 1, standings->games);
        return false;
    }
    ScheduledGame game = schedule_game(standings->schedule, line->index);
    if (strcmp(names[game.first], line->first_name) != 0 ||
        strcmp(names[game.second], line->second_name) != 0) {
        fault = "has other players in this match";
    } else if (!schedule_mine(part, line->index)) {
        fault = "is of another shard than the file";
    } else if (standings_add(standings, line->index, line->half_points, line->fault) ==
               STANDINGS_CONTRADICTED) {
        fault = "had another result before";
    }
    if (fault != NULL) {
        snprintf(error->text, sizeof error->text, "game %" PRId64 " %s", line->index + 1, fault);
    }
    return fault == NULL;
}

/* What happens to the lines of a file that is resumed. */
typedef struct {
    Journal *journal;
    const MatchOptions *options;
    const json_t *header;
    Standings *standings;
    const char *names[MATCH_ENGINES_MAX];
} Resumption;

/* More rounds make a match longer and leave all games where they are. */
static bool resume_begin(void *user, const json_t *header, const HeaderLine *parsed, ParseError *error) {
    Resumption *resumption = user;
    Journal *journal = resumption->journal;
    const Schedule *schedule = &resumption->options->schedule;
    HeaderDifference difference;

    if (record_header_differs(resumption->header, header, "rounds", &difference)) {
        bool told = difference.one[0] != '\0' && difference.other[0] != '\0';
        snprintf(error->text, sizeof error->text,
                 told ? "another match: %s is %s and not %s" : "another match: %s differs", difference.place,
                 difference.one, difference.other);
        return false;
    }
    if (parsed->schedule.shard != schedule->shard || parsed->schedule.shards != schedule->shards) {
        snprintf(error->text, sizeof error->text, "another shard: -shard %d/%d and not %d/%d",
                 schedule->shard + 1, schedule->shards, parsed->schedule.shard + 1, parsed->schedule.shards);
        return false;
    }
    if (parsed->schedule.rounds > schedule->rounds) {
        snprintf(error->text, sizeof error->text, "the match has %d rounds, -rounds %d is fewer",
                 parsed->schedule.rounds, schedule->rounds);
        return false;
    }
    if (parsed->pdn_begin < 0 && journal->pdn_file != NULL) {
        snprintf(error->text, sizeof error->text, "the match began without -pdnout and goes on so");
        return false;
    }
    if (parsed->pdn_begin >= 0 && journal->pdn_file == NULL) {
        snprintf(error->text, sizeof error->text, "the match has a PDN file, -pdnout FILE is missing");
        return false;
    }
    journal->pdn_end = parsed->pdn_begin;
    journal->header = json_deep_copy(header);
    journal->header_old =
        parsed->schedule.rounds != schedule->rounds ||
        !json_equal(json_object_get(header, "sprt"), json_object_get(resumption->header, "sprt"));
    return journal->header != NULL || fail(error, journal->json_file, "cannot be read", ENOMEM);
}

static bool resume_game(void *user, const GameLine *line, ParseError *error) {
    Resumption *resumption = user;

    if (line->pdn_end >= 0) {
        resumption->journal->pdn_end = line->pdn_end;
    }
    return journal_count(resumption->standings, resumption->names, &resumption->options->schedule, line,
                         error);
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

static int lock(int fd) {
    return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? -EWOULDBLOCK : 0;
}

/* Opens for appending, with a lock that keeps a second match off the file. */
static int open_locked(const char *file, bool *made, ParseError *error) {
    int flags = O_RDWR | O_APPEND | O_CLOEXEC;
    int fd = open(file, flags);
    struct stat status;

    *made = fd < 0 && errno == ENOENT;
    if (*made) {
        fd = open(file, flags | O_CREAT | O_EXCL, 0666);
    }
    if (fd < 0) {
        *made = false;
        fail(error, file, "cannot be opened", errno);
        return -1;
    }
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        fail(error, file, "is not a file", 0);
    } else if (lock(fd) != 0) {
        fail(error, file, "another match writes to it", 0);
    } else {
        return fd;
    }
    close(fd);
    return -1;
}

static bool open_json(Journal *journal, Resumption *resumption, ParseError *error) {
    const JournalVisitor visitor = {resume_begin, resume_game, resumption};
    const char *file = journal->json_file;
    JournalExtent extent;
    struct stat before;

    journal->json = open_locked(file, &journal->json_made, error);
    if (journal->json < 0) {
        return false;
    }
    if (!resumption->options->resume && fstat(journal->json, &before) == 0 && before.st_size > 0) {
        return fail(error, file, "exists; -resume goes on with it", 0);
    }
    bool fine = journal_read(journal->json, file, &visitor, &extent, error);
    journal->json_end = extent.length;
    return fine;
}

/* pdn_end is not yet known where the match is new. */
static bool open_pdn(Journal *journal, ParseError *error) {
    const char *file = journal->pdn_file;
    struct stat before;

    journal->pdn = open_locked(file, &journal->pdn_made, error);
    if (journal->pdn < 0) {
        return false;
    }
    if (fstat(journal->pdn, &before) != 0) {
        return fail(error, file, "cannot be read", errno);
    }
    if (journal->header == NULL) {
        journal->pdn_end = before.st_size;
    }
    return before.st_size >= journal->pdn_end ||
           fail(error, file, "is shorter than this match has left it", 0);
}

bool journal_open(Journal *journal, const MatchOptions *options, const json_t *header, Standings *standings,
                  ParseError *error) {
    Resumption resumption = {
        .journal = journal, .options = options, .header = header, .standings = standings};

    *journal = (Journal){
        .json = -1, .pdn = -1, .json_file = options->json_file, .pdn_file = options->pdn_file, .pdn_end = -1};
    for (int index = 0; index < options->engines_count; index++) {
        resumption.names[index] = options->engines[index].name;
    }
    if ((journal->json_file != NULL && !open_json(journal, &resumption, error)) ||
        (journal->pdn_file != NULL && !open_pdn(journal, error))) {
        journal_close(journal);
        return false;
    }
    return true;
}

/* The first line with the present rounds and test. */
static json_t *header_renewed(const Journal *journal, const json_t *header) {
    json_t *renewed = json_deep_copy(journal->header);
    json_t *sprt = json_object_get(header, "sprt");
    int error = json_object_set(json_object_get(renewed, "match"), "rounds",
                                json_object_get(json_object_get(header, "match"), "rounds"));

    json_object_del(renewed, "sprt");
    if (sprt != NULL) {
        error |= json_object_set(renewed, "sprt", sprt);
    }
    if (error != 0) {
        json_decref(renewed);
        return NULL;
    }
    return renewed;
}

/* Copies all lines but the first. */
static bool copy_games(const Journal *journal, int to) {
    char *text = NULL;
    size_t size;
    int status = lseek(journal->json, 0, SEEK_SET) != 0 ? -errno : file_read(journal->json, &text, &size);

    if (status != 0) {
        errno = -status;
        return false;
    }
    const char *games = (char *)memchr(text, '\n', size) + 1;
    bool fine = append(to, games, journal->json_end - (size_t)(games - text));
    int number = errno;
    free(text);
    errno = number;
    return fine;
}

typedef struct {
    const Journal *journal;
    const json_t *header;
    int fd; /* of the new file, locked */
} Renewal;

/* Writes a file with another first line, and keeps it open. */
static int write_renewed(void *user, FILE *stream) {
    Renewal *renewal = user;
    const Journal *journal = renewal->journal;
    json_t *header = header_renewed(journal, renewal->header);
    struct stat before;

    if (header == NULL) {
        return -ENOMEM;
    }
    int fd = renewal->fd = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0);
    bool fine = fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) == 0 && lock(fd) == 0 &&
                fstat(journal->json, &before) == 0 && fchmod(fd, before.st_mode) == 0 &&
                append_object(fd, header) && copy_games(journal, fd);
    int error = fine ? 0 : -errno;
    json_decref(header);
    return error;
}

static bool renew_json(Journal *journal, const json_t *header) {
    Renewal renewal = {journal, header, -1};
    char *place = realpath(journal->json_file, NULL); /* a link stays one */
    int error = place != NULL ? file_replace(place, write_renewed, &renewal) : -errno;
    int unused = error == 0 ? journal->json : renewal.fd;

    free(place);
    if (error == 0) {
        journal->json = renewal.fd;
    }
    if (unused >= 0) {
        close(unused);
    }
    errno = -error;
    return error == 0;
}

bool journal_begin(Journal *journal, json_t *header, ParseError *error) {
    bool fine = true;

    if (journal->pdn >= 0 && journal->header != NULL && ftruncate(journal->pdn, journal->pdn_end) != 0) {
        return fail(error, journal->pdn_file, "cannot be written", errno);
    }
    if (journal->json >= 0) {
        fine = ftruncate(journal->json, (off_t)journal->json_end) == 0;
        errno = fine ? ENOMEM : errno;
        if (fine && journal->header == NULL) {
            fine = (journal->pdn < 0 ||
                    json_object_set_new(header, "pdn_begin", json_integer(journal->pdn_end)) == 0) &&
                   append_object(journal->json, header);
        } else if (fine && journal->header_old) {
            fine = renew_json(journal, header);
        }
    }
    journal->begun = fine;
    return fine || fail(error, journal->json_file, "cannot be written", errno);
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
    errno = ENOMEM;
    bool fine =
        (journal->pdn < 0 || json_object_set_new(object, "pdn_end", json_integer(after.st_size)) == 0) &&
        append_object(journal->json, object);
    if (!fine) {
        fail(error, journal->json_file, "cannot be written", errno);
    }
    json_decref(object);
    if (!fine && journal->pdn >= 0 && ftruncate(journal->pdn, before.st_size) != 0) {
        /* As above: resuming cuts it off. */
    }
    return fine;
}

static void close_file(int *fd, const char *file, bool remove) {
    if (*fd >= 0 && remove) {
        unlink(file);
    }
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

void journal_close(Journal *journal) {
    close_file(&journal->json, journal->json_file, journal->json_made && !journal->begun);
    close_file(&journal->pdn, journal->pdn_file, journal->pdn_made && !journal->begun);
    json_decref(journal->header);
    journal->header = NULL;
}
