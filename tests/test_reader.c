/* The bounded line reader, over a pipe fed from a process of its own. */
#include "protocol/reader.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A reader over bytes that arrive in pieces of the given size. */
typedef struct {
    Reader reader;
    pid_t writer;
    int fd;
} Feed;

static void feed_open(Feed *feed, const char *bytes, size_t length, size_t piece) {
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    feed->writer = fork();
    ck_assert_int_ge(feed->writer, 0);
    if (feed->writer == 0) {
        close(ends[0]);
        for (size_t at = 0; at < length; at += piece) {
            size_t size = length - at < piece ? length - at : piece;
            if (write(ends[1], bytes + at, size) != (ssize_t)size) {
                _exit(1);
            }
        }
        _exit(0);
    }
    close(ends[1]);
    feed->fd = ends[0];
    ck_assert_int_eq(reader_init(&feed->reader, feed->fd), 0);
}

static void feed_close(Feed *feed) {
    int status;

    close(feed->fd);
    reader_deinit(&feed->reader);
    waitpid(feed->writer, &status, 0);
    ck_assert_int_eq(status, 0);
}

static ReaderStatus feed_next(Feed *feed, View *line) {
    ReaderStatus status;

    while ((status = reader_next(&feed->reader, line)) == READER_EMPTY) {
        reader_fill(&feed->reader);
    }
    return status;
}

static void expect_line(Feed *feed, const char *expected) {
    View line;

    ck_assert_int_eq(feed_next(feed, &line), READER_LINE);
    ck_assert_msg(view_equals(line, expected), "'%.*s' is not '%s'", (int)line.length, line.start, expected);
}

static void expect_status(Feed *feed, ReaderStatus expected) {
    View line;
    ck_assert_int_eq(feed_next(feed, &line), expected);
}

static const size_t PIECES[] = {1, 2, 7, 4096};

START_TEST(lines_and_their_ends) {
    static const char bytes[] = "uci\nisready\r\n\n  go \r\r\n\r\nlast";
    Feed feed;

    feed_open(&feed, bytes, sizeof bytes - 1, PIECES[_i]);
    expect_line(&feed, "uci");
    expect_line(&feed, "isready");
    expect_line(&feed, "");
    expect_line(&feed, "  go \r");
    expect_line(&feed, "");
    expect_line(&feed, "last");
    expect_status(&feed, READER_END);
    expect_status(&feed, READER_END);
    feed_close(&feed);
}
END_TEST

START_TEST(nul_bytes_spoil_their_line_only) {
    static const char bytes[] = "a\nb\0c\nd\n\0\ne\n\0";
    Feed feed;

    feed_open(&feed, bytes, sizeof bytes - 1, PIECES[_i]);
    expect_line(&feed, "a");
    expect_status(&feed, READER_NUL);
    expect_line(&feed, "d");
    expect_status(&feed, READER_NUL);
    expect_line(&feed, "e");
    expect_status(&feed, READER_NUL);
    expect_status(&feed, READER_END);
    feed_close(&feed);
}
END_TEST

/* Lengths around the bound, each with the end of line that it has. */
static const struct {
    size_t length;
    const char *end;
    bool fits;
} BOUNDS[] = {
    {READER_LINE_MAX - 1, "\n", true},
    {READER_LINE_MAX, "\n", true},
    {READER_LINE_MAX, "\r\n", true},
    {READER_LINE_MAX, "", true},
    {READER_LINE_MAX + 1, "\n", false},
    {READER_LINE_MAX + 1, "\r\n", false},
    {READER_LINE_MAX + 2, "\n", false},
    {READER_LINE_MAX + 3, "\n", false},
    {READER_LINE_MAX + 4, "\r\n", false},
    {READER_LINE_MAX + 1, "", false},
    {5 * (size_t)READER_LINE_MAX, "\n", false},
    {5 * (size_t)READER_LINE_MAX, "", false},
};

START_TEST(a_line_has_a_bound) {
    size_t length = BOUNDS[_i].length;
    const char *end = BOUNDS[_i].end;
    const char *next = end[0] != '\0' ? "next\n" : "";
    size_t size = length + 20;
    char *text = malloc(size);
    char *filling = malloc(length + 1);
    View line;
    Feed feed;

    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(filling);
    memset(filling, 'x', length);
    filling[length] = '\0';
    int total = snprintf(text, size, "first\n%s%s%s", filling, end, next);
    feed_open(&feed, text, (size_t)total, 65536);
    expect_line(&feed, "first");
    if (BOUNDS[_i].fits) {
        ck_assert_int_eq(feed_next(&feed, &line), READER_LINE);
        ck_assert_uint_eq(line.length, length);
    } else {
        ck_assert_int_eq(feed_next(&feed, &line), READER_TOO_LONG);
        ck_assert_uint_gt(line.length, READER_LINE_MAX);
        ck_assert_uint_le(line.length, length);
        ck_assert_int_eq(memcmp(line.start, filling, line.length), 0);
    }
    if (end[0] != '\0') {
        expect_line(&feed, "next");
    }
    expect_status(&feed, READER_END);
    feed_close(&feed);
    free(filling);
    free(text);
}
END_TEST

START_TEST(what_cannot_be_read_is_an_end) {
    Reader reader;
    View line;

    ck_assert_int_eq(reader_init(&reader, -1), 0);
    ck_assert_int_eq(reader_next(&reader, &line), READER_EMPTY);
    reader_fill(&reader);
    ck_assert_int_eq(reader_next(&reader, &line), READER_END);
    reader_deinit(&reader);
    reader_deinit(&reader);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void) {
    Suite *suite = suite_create("reader");
    TCase *lines = tcase_create("lines");

    tcase_set_timeout(lines, 60);
    tcase_add_loop_test(lines, lines_and_their_ends, 0, COUNT(PIECES));
    tcase_add_loop_test(lines, nul_bytes_spoil_their_line_only, 0, COUNT(PIECES));
    tcase_add_loop_test(lines, a_line_has_a_bound, 0, COUNT(BOUNDS));
    tcase_add_test(lines, what_cannot_be_read_is_an_end);
    suite_add_tcase(suite, lines);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
