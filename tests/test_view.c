/* Views into a text: its words, its numbers, and how errors quote it. */
#include "engine/view.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(tokens_are_divided_by_blanks) {
    View rest = view_of(" \t go   depth\v5\f\r");

    ck_assert(view_equals(view_token(&rest), "go"));
    ck_assert(view_equals(view_token(&rest), "depth"));
    ck_assert(view_equals(view_token(&rest), "5"));
    ck_assert_uint_eq(view_token(&rest).length, 0);
    ck_assert_uint_eq(view_token(&rest).length, 0);
    ck_assert(view_equals(view_trim(view_of("\t a  b \r")), "a  b"));
    ck_assert_uint_eq(view_trim(view_of("  ")).length, 0);
    ck_assert(view_equals_nocase(view_of("HaSh"), "hash"));
    ck_assert(!view_equals_nocase(view_of("Hashes"), "hash"));
    ck_assert(!view_equals(view_of("has"), "hash"));
}
END_TEST

static const struct {
    const char *text;
    bool good;
    uint64_t number;
} DIGITS[] = {
    {"0", true, 0},
    {"007", true, 7},
    {"18446744073709551614", true, UINT64_MAX - 1},
    {"18446744073709551615", true, UINT64_MAX},
    {"18446744073709551616", true, UINT64_MAX},
    {"99999999999999999999999999999999", true, UINT64_MAX},
    {"999999999999999999999999999999990", true, UINT64_MAX},
    {"", false, 0},
    {"-1", false, 0},
    {"+1", false, 0},
    {"1 ", false, 0},
    {"99999999999999999999999999999999x", false, 0},
};

START_TEST(digits_are_digits_alone) {
    uint64_t number = 0;

    ck_assert_msg(view_digits(view_of(DIGITS[_i].text), &number) == DIGITS[_i].good, "%s", DIGITS[_i].text);
    ck_assert_msg(number == DIGITS[_i].number, "%s", DIGITS[_i].text);
}
END_TEST

static const struct {
    const char *text;
    bool good;
    int64_t number;
} NUMBERS[] = {
    {"0", true, 0},
    {"17", true, 17},
    {"-17", true, -17},
    {"+17", true, 17},
    {"007", true, 7},
    {"9223372036854775807", true, INT64_MAX},
    {"9223372036854775808", true, INT64_MAX},
    {"18446744073709551616", true, INT64_MAX},
    {"99999999999999999999999999999999", true, INT64_MAX},
    {"-99999999999999999999999999999999", true, -INT64_MAX},
    {"", false, 0},
    {"-", false, 0},
    {"+", false, 0},
    {"--1", false, 0},
    {"1e3", false, 0},
    {"0x10", false, 0},
    {"1.5", false, 0},
    {"abc", false, 0},
    {" 1", false, 0},
};

START_TEST(numbers_are_read_whole) {
    int64_t number = 0;

    ck_assert_msg(view_number(view_of(NUMBERS[_i].text), &number) == NUMBERS[_i].good, "%s",
                  NUMBERS[_i].text);
    ck_assert_msg(number == NUMBERS[_i].number, "%s", NUMBERS[_i].text);
}
END_TEST

START_TEST(digits_at_the_start_are_taken) {
    ck_assert(view_equals(view_leading_digits(view_of("25,W,8,8")), "25"));
    ck_assert(view_equals(view_leading_digits(view_of("007")), "007"));
    ck_assert_uint_eq(view_leading_digits(view_of("-1")).length, 0);
    ck_assert_uint_eq(view_leading_digits(view_of("")).length, 0);
}
END_TEST

START_TEST(letters_of_either_case_are_equal) {
    ck_assert(views_equal_nocase(view_of("Hash"), view_of("hASH")));
    ck_assert(!views_equal_nocase(view_of("Hash"), view_of("Hashes")));
    ck_assert(!views_equal_nocase(view_of("Hash"), view_of("Hast")));
    ck_assert(view_equals_nocase(view_of("UCI_Variant"), "uci_variant"));
    ck_assert(!view_equals(view_of("UCI_Variant"), "uci_variant"));
}
END_TEST

static const struct {
    const char *text;
    const char *quote;
} QUOTES[] = {
    {"", "''"},
    {"xyzzy", "'xyzzy'"},
    {"a\tb\x7f\xff", "'a\\x09b\\x7f\\xff'"},
    {"0123456789012345678901234567890123456789012345678901234567890",
     "'012345678901234567890123456789012345678901234567890123...'"},
    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
     "'\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff...'"},
};

START_TEST(quotes_are_printable_and_short) {
    char quote[VIEW_QUOTE_SIZE];

    view_quote(view_of(QUOTES[_i].text), quote);
    ck_assert_str_eq(quote, QUOTES[_i].quote);
    ck_assert_uint_lt(strlen(quote), sizeof quote);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void) {
    Suite *suite = suite_create("view");
    TCase *views = tcase_create("views");

    tcase_add_test(views, tokens_are_divided_by_blanks);
    tcase_add_loop_test(views, digits_are_digits_alone, 0, COUNT(DIGITS));
    tcase_add_loop_test(views, numbers_are_read_whole, 0, COUNT(NUMBERS));
    tcase_add_test(views, digits_at_the_start_are_taken);
    tcase_add_test(views, letters_of_either_case_are_equal);
    tcase_add_loop_test(views, quotes_are_printable_and_short, 0, COUNT(QUOTES));
    suite_add_tcase(suite, views);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
