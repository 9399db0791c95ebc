/* The messages of DXP: reading, writing, and splitting a stream of bytes. */
#include "protocol/dxp_frame.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME32 "DXP Client                      "
#define BOARD32 "zzzzzzzzzzzzeeeeeeeewwwwwwwwwwww"
#define BOARD50 "zzzzzzzzzzzzzzzzzzzzeeeeeeeeeewwwwwwwwwwwwwwwwwwww"

static DxpMessage read_good(const char *text) {
    DxpMessage message;
    ParseError error;

    ck_assert_msg(dxp_read(view_of(text), &message, &error), "%s: %s", text, error.text);
    return message;
}

static void expect_bad(const char *text, const char *named) {
    DxpMessage message;
    ParseError error;

    ck_assert_msg(!dxp_read(view_of(text), &message, &error), "read: %s", text);
    ck_assert_msg(strstr(error.text, named) != NULL, "%s: no word of %s in: %s", text, named, error.text);
}

/* Reads a message and writes the same again. */
static DxpMessage expect_same(const char *text) {
    char bytes[DXP_MESSAGE_MAX + 1];
    DxpMessage message = read_good(text);

    ck_assert_uint_eq(dxp_write(&message, bytes), strlen(text) + 1);
    ck_assert_str_eq(bytes, text);
    return message;
}

START_TEST(test_gamereq) {
    DxpMessage message = expect_same("R01" NAME32 "Z005075BZ" BOARD32);

    ck_assert_int_eq(message.kind, DXP_GAMEREQ);
    ck_assert_int_eq(message.request.version, 1);
    ck_assert_str_eq(message.request.name, "DXP Client");
    ck_assert_int_eq(message.request.follower, BLACK);
    ck_assert_int_eq(message.request.minutes, 5);
    ck_assert_int_eq(message.request.moves, 75);
    ck_assert_int_eq(message.request.squares, 32);
    ck_assert_int_eq(message.request.turn, BLACK);
    ck_assert_str_eq(message.request.board, BOARD32);

    message = expect_same("R01" NAME32 "W120000A");
    ck_assert_int_eq(message.request.follower, WHITE);
    ck_assert_int_eq(message.request.squares, 0);
    ck_assert_int_eq(expect_same("R01" NAME32 "W120000BW" BOARD50).request.squares, 50);
    ck_assert_int_eq(read_good("R01" NAME32 "W 90  0AW" BOARD50).request.minutes, 90);
    ck_assert_int_eq(read_good("R01" NAME32 "W090000BW" BOARD32 "  \r\n").request.squares, 32);
}
END_TEST

START_TEST(test_gamereq_faults) {
    expect_bad("R", "version");
    expect_bad("Rx1" NAME32 "Z005075A", "version");
    expect_bad("R01DXP Client", "name");
    expect_bad("R01" NAME32 "B005075A", "colour");
    expect_bad("R01" NAME32 "Z-05075A", "time");
    expect_bad("R01" NAME32 "Z   075A", "time");
    expect_bad("R01" NAME32 "Z00507", "number of moves");
    expect_bad("R01" NAME32 "Z005075", "position");
    expect_bad("R01" NAME32 "Z005075C", "position");
    expect_bad("R01" NAME32 "Z005075BB" BOARD32, "side to move");
    expect_bad("R01" NAME32 "Z005075BZ", "board");
    expect_bad("R01" NAME32 "Z005075BZ" BOARD32 "e", "board");
    expect_bad("R01" NAME32 "Z005075BZbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "board");
}
END_TEST

START_TEST(test_gameacc) {
    DxpMessage message = expect_same("A" NAME32 "3");

    ck_assert_int_eq(message.kind, DXP_GAMEACC);
    ck_assert_str_eq(message.acceptance.name, "DXP Client");
    ck_assert_int_eq(message.acceptance.answer, DXP_NO_GAMES);
    ck_assert_int_eq(expect_same("A" NAME32 "0").acceptance.answer, DXP_ACCEPTED);
    expect_bad("A" NAME32, "code");
    expect_bad("A" NAME32 "4", "code");
    expect_bad("A0", "name");
}
END_TEST

START_TEST(test_move) {
    DxpMessage message = expect_same("M0012052503221218");

    ck_assert_int_eq(message.kind, DXP_MOVE);
    ck_assert_int_eq(message.move.seconds, 12);
    ck_assert_int_eq(message.move.from, 5);
    ck_assert_int_eq(message.move.to, 25);
    ck_assert_int_eq(message.move.count, 3);
    ck_assert_int_eq(message.move.captured[0], 22);
    ck_assert_int_eq(message.move.captured[2], 18);
    ck_assert_int_eq(expect_same("M9999111500").move.count, 0);
    ck_assert_int_eq(expect_same("M0000010212010203040506070809101112").move.count, 12);
    expect_bad("M00001115", "number of captures");
    expect_bad("M0000111513" BOARD32, "number of captures");
    expect_bad("M0000111502", "captured square");
    expect_bad("M00001115021", "captured square");
    expect_bad("M000011150112x", "end");
    expect_bad("M0000 x1500", "from");
    expect_bad("M00001", "from");
}
END_TEST

START_TEST(test_gameend) {
    DxpMessage message = expect_same("E21");

    ck_assert_int_eq(message.kind, DXP_GAMEEND);
    ck_assert_int_eq(message.end.reason, DXP_DRAWN);
    ck_assert(message.end.stop);
    ck_assert(!expect_same("E30").end.stop);
    expect_bad("E", "reason");
    expect_bad("E40", "reason");
    expect_bad("E1", "stop code");
    expect_bad("E12", "stop code");
    expect_bad("E100", "end");
}
END_TEST

START_TEST(test_chat) {
    char text[DXP_MESSAGE_MAX + 2];

    ck_assert_str_eq(expect_same("CWhat do you think about move 35?").chat,
                     "What do you think about move 35?");
    memset(text, 'C', sizeof text);
    text[DXP_MESSAGE_MAX] = '\0';
    ck_assert_uint_eq(strlen(expect_same(text).chat), DXP_CHAT_MAX);
    text[DXP_MESSAGE_MAX] = 'C';
    text[DXP_MESSAGE_MAX + 1] = '\0';
    expect_bad(text, "no message of DXP");
}
END_TEST

START_TEST(test_back) {
    DxpMessage message = expect_same("B005Z");

    ck_assert_int_eq(message.kind, DXP_BACKREQ);
    ck_assert_int_eq(message.back.number, 5);
    ck_assert_int_eq(message.back.turn, BLACK);
    message = expect_same("K1");
    ck_assert_int_eq(message.kind, DXP_BACKACC);
    ck_assert_int_eq(message.back_answer, DXP_NOT_BACK);
    expect_bad("B05Z", "number of the move");
    expect_bad("B005", "side to move");
    expect_bad("K", "code");
    expect_bad("K3", "code");
}
END_TEST

START_TEST(test_no_message) {
    expect_bad("", "no message of DXP: ''");
    expect_bad("Hello", "no message of DXP: 'Hello'");
    expect_bad("m0000111500", "no message of DXP");
}
END_TEST

/* What does not fit in its field is cut, and nothing else is harmed. */
START_TEST(test_written_limits) {
    char bytes[DXP_MESSAGE_MAX + 1];
    DxpMessage message = {.kind = DXP_MOVE, .move = {.seconds = 123456, .from = 1, .to = 5}};

    dxp_write(&message, bytes);
    ck_assert_str_eq(bytes, "M9999010500");
    message.move.seconds = -1;
    dxp_write(&message, bytes);
    ck_assert_str_eq(bytes, "M0000010500");
    message = (DxpMessage){.kind = DXP_GAMEREQ, .request = {.version = 1, .minutes = 5000, .moves = 1000}};
    dxp_write(&message, bytes);
    ck_assert_str_eq(bytes + 35, "W999999A");
}
END_TEST

/* The texts that a buffer gives when a stream comes in pieces, each behind a bar. */
static void split(const char *stream, size_t length, size_t piece, char *found) {
    DxpBuffer buffer = {0};
    size_t at = 0;
    View text;

    found[0] = '\0';
    for (;;) {
        DxpBufferStatus status = dxp_buffer_next(&buffer, &text);
        if (status == DXP_WHOLE) {
            found += snprintf(found, text.length + 2, "%.*s|", (int)text.length, text.start);
            continue;
        }
        ck_assert_int_eq(status, DXP_PARTIAL);
        if (at == length) {
            return;
        }
        size_t room;
        char *bytes = dxp_buffer_room(&buffer, &room);
        size_t count = length - at < piece ? length - at : piece;
        count = count < room ? count : room;
        ck_assert_uint_gt(count, 0);
        memcpy(bytes, stream + at, count);
        dxp_buffer_add(&buffer, count);
        at += count;
    }
}

START_TEST(test_split) {
    static const char stream[] = "E00\0CHello\0\0M0000111500\0Cno end";
    char found[200];

    for (size_t piece = 1; piece <= sizeof stream; piece++) {
        split(stream, sizeof stream - 1, piece, found);
        ck_assert_str_eq(found, "E00|CHello||M0000111500|");
    }
}
END_TEST

/* Many of the longest messages, so that the buffer wraps at every place. */
START_TEST(test_split_long) {
    static char stream[100 * (DXP_MESSAGE_MAX + 1)], expected[sizeof stream], found[sizeof stream + 1];

    for (size_t i = 0; i < sizeof stream; i++) {
        bool end = i % (DXP_MESSAGE_MAX + 1) == DXP_MESSAGE_MAX;
        stream[i] = end ? '\0' : (char)('a' + i % 26);
        expected[i] = end ? '|' : stream[i];
    }
    for (size_t piece = 1; piece <= 1100; piece += piece < 140 ? 1 : 61) {
        split(stream, sizeof stream, piece, found);
        ck_assert_uint_eq(strlen(found), sizeof stream);
        ck_assert(memcmp(found, expected, sizeof expected) == 0);
    }
}
END_TEST

START_TEST(test_too_long) {
    DxpBuffer buffer = {0};
    size_t room;
    View text;

    memset(dxp_buffer_room(&buffer, &room), 'x', DXP_MESSAGE_MAX + 1);
    dxp_buffer_add(&buffer, DXP_MESSAGE_MAX);
    ck_assert_int_eq(dxp_buffer_next(&buffer, &text), DXP_PARTIAL);
    dxp_buffer_add(&buffer, 1);
    ck_assert_int_eq(dxp_buffer_next(&buffer, &text), DXP_TOO_LONG);
}
END_TEST

/* Random bytes, often beginning like a message: what is read can be written, and is then read as the same. */
START_TEST(test_random) {
    static const char letters[] = "RAMECBK0123456789WZwze  ABx\xff";

    srand(1);
    for (int i = 0; i < 100000; i++) {
        char text[DXP_MESSAGE_MAX + 2], first[DXP_MESSAGE_MAX + 1], second[DXP_MESSAGE_MAX + 1];
        int seeds = rand() % 4;
        size_t length = (size_t)rand() % sizeof text;
        DxpMessage message;
        ParseError error;
        length = seeds == 0 ? length : length % 16;
        for (size_t at = 0; at < length; at++) {
            text[at] = letters[at == 0 ? rand() % 7 : seeds == 1 ? 7 + rand() % 4 : rand() % 28];
        }
        if (dxp_read((View){text, length}, &message, &error)) {
            size_t size = dxp_write(&message, first);
            ck_assert(dxp_read((View){first, size - 1}, &message, &error));
            ck_assert_uint_eq(dxp_write(&message, second), size);
            ck_assert_str_eq(first, second);
        } else {
            ck_assert_uint_gt(strlen(error.text), 0);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("dxp_frame");
    TCase *messages = tcase_create("messages");
    TCase *stream = tcase_create("stream");

    tcase_add_test(messages, test_gamereq);
    tcase_add_test(messages, test_gamereq_faults);
    tcase_add_test(messages, test_gameacc);
    tcase_add_test(messages, test_move);
    tcase_add_test(messages, test_gameend);
    tcase_add_test(messages, test_chat);
    tcase_add_test(messages, test_back);
    tcase_add_test(messages, test_no_message);
    tcase_add_test(messages, test_written_limits);
    tcase_add_test(messages, test_random);
    tcase_add_test(stream, test_split);
    tcase_add_test(stream, test_split_long);
    tcase_add_test(stream, test_too_long);
    suite_add_tcase(suite, messages);
    suite_add_tcase(suite, stream);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
