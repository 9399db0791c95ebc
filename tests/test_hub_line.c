/* The parser of lines of the Hub protocol. */
#include "protocol/hub_line.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A line, and what it is taken for: command{name:value}... */
static const struct {
    const char *line, *taken;
} LINES[] = {
    {"", ""},
    {"  \t\x01 ", ""},
    {"go", "go"},
    {"  go think", "go{think:}"},
    {"level depth=3 move-time=0.1 infinite", "level{depth:3}{move-time:0.1}{infinite:}"},
    {"level depth = 3\tnodes =4 time= 5", "level{depth:3}{nodes:4}{time:5}"},
    {"pos pos=Bbe moves=\"11-15 23-19\"", "pos{pos:Bbe}{moves:11-15 23-19}"},
    {"pos moves = \" 11-15\"pos=W", "pos{moves: 11-15}{pos:W}"},
    {"pos moves=\"11-15", "pos{moves:11-15}"},
    {"pos moves=\"", "pos{moves:}"},
    {"set-param name=a value=\"b=c d\"", "set-param{name:a}{value:b=c d}"},
    {"set-param name=\"\" value=", "set-param{name:}{value:}"},
    {"set-param value=b=c", "set-param{value:b=c}"},
    {"param =x \"y\" = z", "param{x:}{y:}{z:}"},
    {"=go", "{go:}"},
    {"\"go\"", "{go:}"},
    {"go=1 a", "go{1:}{a:}"},
    {"info score=-0.5 pv=\"a=b\"", "info{score:-0.5}{pv:a=b}"},
};

START_TEST(lines_are_taken_apart) {
    char taken[200];
    View rest = view_of(LINES[_i].line);
    View command = hub_line_command(&rest);
    View name, value;
    size_t length = (size_t)snprintf(taken, sizeof taken, "%.*s", (int)command.length, command.start);

    while (hub_line_item(&rest, &name, &value)) {
        length += (size_t)snprintf(taken + length, sizeof taken - length, "{%.*s:%.*s}", (int)name.length,
                                   name.start, (int)value.length, value.start);
    }
    ck_assert_str_eq(taken, LINES[_i].taken);
    ck_assert_uint_eq(rest.length, 0);
}
END_TEST

START_TEST(words_need_no_quotes) {
    ck_assert(hub_line_is_word(view_of("11-15")));
    ck_assert(!hub_line_is_word(view_of("")));
    ck_assert(!hub_line_is_word(view_of("a b")));
    ck_assert(!hub_line_is_word(view_of("a=b")));
    ck_assert(!hub_line_is_word(view_of("a\"b")));
}
END_TEST

static const struct {
    const char *text;
    double number; /* NAN = none */
} REALS[] = {
    {"0", 0},         {"1.5", 1.5}, {"179,500", 179.5}, {"-0.05", -0.05},
    {"+.5", 0.5},     {"3.", 3},    {"1e-05", 1e-5},    {"-5.5E-17", -5.5e-17},
    {"1e300", 1e300}, {"", NAN},    {".", NAN},         {"-", NAN},
    {"x", NAN},       {"1x", NAN},  {"1 ", NAN},        {" 1", NAN},
    {"0x10", NAN},    {"nan", NAN}, {"inf", NAN},       {"1e999", NAN},
    {"1,000.5", NAN}, {"1e", NAN},  {"--1", NAN},
};

START_TEST(numbers) {
    double number = 7;
    bool good = hub_line_real(view_of(REALS[_i].text), &number);

    ck_assert_int_eq(good, !isnan(REALS[_i].number));
    ck_assert_double_eq(number, good ? REALS[_i].number : 7);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hub_line");
    TCase *lines = tcase_create("lines");

    tcase_add_loop_test(lines, lines_are_taken_apart, 0, COUNT(LINES));
    tcase_add_test(lines, words_need_no_quotes);
    tcase_add_loop_test(lines, numbers, 0, COUNT(REALS));
    suite_add_tcase(suite, lines);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
