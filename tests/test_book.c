/* Opening books: their bytes, what they say, how they grow, and those that are built in. */
#include "book/build.h"
#include "book/play.h"
#include "book/verify.h"
#include "engine/notation.h"
#include "match/opening.h"
#include "tests/naive.h"
#include "tests/random_play.h"
#include "tests/search_play.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- A small book -------------------------------------------------------------------------------------- */

enum { SMALL_MAX = 16, SMALL_BYTES = BOOK_HEADER_BYTES + SMALL_MAX * BOOK_ENTRY_BYTES };

static const char FIRST[] = "W:W31:B1";

static int compare(const void *one, const void *other) {
    return memcmp(one, other, BOOK_KEY_BYTES);
}

/* The bytes of a book of these entries, as book.h describes them. Returns their size. */
static size_t write_book(Variant variant, const BookEntry *entries, uint32_t count,
                         uint8_t bytes[static SMALL_BYTES]) {
    Book book = {.variant = variant, .nodes = 7, .count = count, .entries = bytes + BOOK_HEADER_BYTES};

    for (uint32_t i = 0; i < count; i++) {
        book_pack(&entries[i], bytes + BOOK_HEADER_BYTES + i * BOOK_ENTRY_BYTES);
    }
    qsort(bytes + BOOK_HEADER_BYTES, count, BOOK_ENTRY_BYTES, compare);
    book_write_header(&book, bytes);
    return BOOK_HEADER_BYTES + count * BOOK_ENTRY_BYTES;
}

/* A position with a score and all positions after it, whose scores are given in the order of the moves. */
static uint32_t family(const Game *game, const int *scores, int value, BookEntry entries[static SMALL_MAX]) {
    MoveList moves, after;

    movegen_generate(game->variant, &game->position, &moves);
    ck_assert_int_lt(moves.count, SMALL_MAX);
    entries[0] = (BookEntry){game->position, true, 5, 1, value, move_code(moves.moves[0])};
    for (int i = 0; i < moves.count; i++) {
        Position next = position_after(&game->position, moves.moves[i]);
        movegen_generate(game->variant, &next, &after);
        entries[i + 1] =
            (BookEntry){next, false, 9, scores[i], scores[i], move_code(after.moves[after.count - 1])};
    }
    return (uint32_t)moves.count + 1;
}

START_TEST(bytes_are_as_described) {
    static const uint8_t entry[BOOK_ENTRY_BYTES] = {0, 0, 0, 0x40, 1,    0,    0, 0,    0,    0,
                                                    0, 0, 0, 0x8C, 0xFE, 0xFF, 0, 0x01, 0x34, 0x12};
    uint8_t bytes[SMALL_BYTES];
    Game game = game_from(VARIANT_ENGLISH, FIRST);
    BookEntry given = {game.position, true, 12, -2, 256, 0x1234};
    ParseError error;
    Book book;

    size_t size = write_book(VARIANT_ENGLISH, &given, 1, bytes);
    ck_assert_mem_eq(bytes, "CrownBok\1\0\0\0\1\0\0\0english\0\0\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0", 40);
    ck_assert_mem_eq(bytes + BOOK_HEADER_BYTES, entry, sizeof entry);
    ck_assert_msg(book_read(&book, VARIANT_ENGLISH, bytes, size, &error), "%s", error.text);
    ck_assert_uint_eq(book.nodes, 7);
    BookEntry read = book_entry(&book, 0);
    ck_assert(position_equal(&read.position, &given.position));
    ck_assert(read.opening && read.depth == 12 && read.score == -2 && read.value == 256);
    ck_assert_uint_eq(read.move, 0x1234);
}
END_TEST

START_TEST(damage_is_found) {
    static const int scores[] = {3, -20, 9, 0, 0, 0, 0};
    uint8_t bytes[SMALL_BYTES];
    BookEntry entries[SMALL_MAX];
    Game game = game_from(VARIANT_RUSSIAN,
                          "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6");
    ParseError error;
    Book book;

    size_t size = write_book(VARIANT_RUSSIAN, entries, family(&game, scores, 20, entries), bytes);
    ck_assert(book_read(&book, VARIANT_RUSSIAN, bytes, size, &error));
    ck_assert_uint_eq(book.count, 8);
    for (size_t cut = 0; cut < size; cut++) {
        ck_assert(!book_read(&book, VARIANT_RUSSIAN, bytes, cut, &error));
        ck_assert(book.count == 0 && error.text[0] != '\0');
    }
    for (size_t bit = 0; bit < size * 8; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        bool zeros = bit / 8 >= 44 && bit / 8 < BOOK_HEADER_BYTES;
        ck_assert_msg(book_read(&book, VARIANT_RUSSIAN, bytes, size, &error) == zeros, "bit %zu", bit);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    ck_assert(!book_read(&book, VARIANT_ENGLISH, bytes, size, &error));
    ck_assert_str_eq(error.text, "an opening book of another game");
}
END_TEST

START_TEST(files_that_are_none) {
    ParseError error;
    Book book;

    ck_assert(!book_open(&book, VARIANT_ENGLISH, "/nowhere", &error));
    ck_assert_str_eq(error.text, "No such file or directory");
    ck_assert(!book_open(&book, VARIANT_ENGLISH, "/tmp", &error));
    ck_assert_str_eq(error.text, "not an opening book");
    ck_assert(!book_open(&book, VARIANT_ENGLISH, "/dev/zero", &error));
    ck_assert(!book_open(&book, VARIANT_ENGLISH, "/dev/null", &error));
    ck_assert_uint_eq(book.count, 0);
    book_close(&book);
}
END_TEST

/* ---- What it says -------------------------------------------------------------------------------------- */

START_TEST(moves_are_worth_what_comes_after) {
    static const int scores[] = {30, -40, 5, -35, 31999, -35, 50};
    static const int values[] = {40, 35, 35, -5, -30, -50, -31998};
    uint8_t bytes[SMALL_BYTES];
    BookEntry entries[SMALL_MAX];
    BookMove moves[MOVES_MAX];
    Position start = position_start(rules_of(VARIANT_ENGLISH));
    BookCounts counts;
    ParseError error;
    Game game;
    Book book;

    game_init(&game, VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, &start, (DrawState){0}, 1);
    uint32_t count = family(&game, scores, 40, entries);
    ck_assert(
        book_read(&book, VARIANT_ENGLISH, bytes, write_book(VARIANT_ENGLISH, entries, count, bytes), &error));
    ck_assert_int_eq(book_moves(&book, &start, moves), 7);
    for (int i = 0; i < 7; i++) {
        ck_assert_int_eq(moves[i].value, values[i]);
    }
    ck_assert_int_eq(book_moves(&book, &entries[1].position, moves), 0);
    ck_assert_msg(book_verify(&book, &counts, &error), "%s", error.text);
    ck_assert(counts.inner == 1 && counts.leaves == 7 && counts.openings == 1);

    /* A move without its position makes a leaf of it, which has the move that was found. */
    ck_assert(book_read(&book, VARIANT_ENGLISH, bytes, write_book(VARIANT_ENGLISH, entries, count - 1, bytes),
                        &error));
    ck_assert_int_eq(book_moves(&book, &start, moves), 1);
    ck_assert_uint_eq(move_code(moves[0].move), entries[0].move);
    ck_assert_int_eq(moves[0].value, 1);
    ck_assert(!book_verify(&book, &counts, &error));
}
END_TEST

START_TEST(a_margin_gives_variety) {
    static const int scores[] = {30, -40, 5, -35, 60, -35, 50};
    uint8_t bytes[SMALL_BYTES];
    BookEntry entries[SMALL_MAX];
    Position start = position_start(rules_of(VARIANT_ENGLISH));
    ParseError error;
    Game game;
    Book book;

    game_init(&game, VARIANT_ENGLISH, &rules_of(VARIANT_ENGLISH)->draws, &start, (DrawState){0}, 1);
    uint32_t count = family(&game, scores, 40, entries);
    ck_assert(
        book_read(&book, VARIANT_ENGLISH, bytes, write_book(VARIANT_ENGLISH, entries, count, bytes), &error));
    static const int margins[] = {0, 4, 5, 45, 1000};
    static const int different[] = {1, 1, 3, 4, 7};
    for (int i = 0; i < 5; i++) {
        Move seen[MOVES_MAX];
        int kinds = 0;
        uint64_t random = 1;
        for (int turn = 0; turn < 300; turn++) {
            BookAnswer answer;
            ck_assert(book_answer(&book, &game, margins[i], &random, &answer));
            ck_assert_int_ge(answer.value, 40 - margins[i]);
            ck_assert_int_eq(answer.depth, 10);
            ck_assert_int_eq(answer.length, 2);
            int at = 0;
            while (at < kinds && seen[at] != answer.line[0]) {
                at++;
            }
            seen[at] = answer.line[0];
            kinds = at == kinds ? kinds + 1 : kinds;
        }
        ck_assert_int_eq(kinds, different[i]);
    }
}
END_TEST

/* A king has moved: what stands on the board may come again, and the search knows how to deal with that. */
START_TEST(nothing_is_said_where_positions_could_come_again) {
    uint8_t bytes[SMALL_BYTES];
    Game game = game_from(VARIANT_ENGLISH, "W:WK31,K5:BK1");
    MoveList moves;
    BookAnswer answer;
    uint64_t random = 1;
    ParseError error;
    Book book;

    movegen_generate(VARIANT_ENGLISH, &game.position, &moves);
    BookEntry entry = {game.position, true, 5, 1, 1, move_code(moves.moves[0])};
    ck_assert(
        book_read(&book, VARIANT_ENGLISH, bytes, write_book(VARIANT_ENGLISH, &entry, 1, bytes), &error));
    ck_assert(book_answer(&book, &game, 0, &random, &answer));
    ck_assert_uint_eq(answer.line[0], moves.moves[0]);
    play_moves(&game, "31-26 1-6 26-31 6-1");
    ck_assert(position_equal(&game.position, &entry.position));
    ck_assert(!book_answer(&book, &game, 0, &random, &answer));
    game_deinit(&game);

    /* Nor in another game, or one that is over. */
    game = game_from(VARIANT_RUSSIAN, "W:WK31,K5:BK1");
    ck_assert(!book_answer(&book, &game, 0, &random, &answer));
    ck_assert(!book_answer(&(Book){0}, &game, 0, &random, &answer));
}
END_TEST

/* ---- How it grows -------------------------------------------------------------------------------------- */

/* The way with the least given away, found by trying all ways up to a depth. */
static int least_loss(const Book *book, const Position *position, const Position *target, int depth) {
    BookMove moves[MOVES_MAX];
    int count, least = INT32_MAX;

    if (position_equal(position, target)) {
        return 0;
    }
    count = depth > 0 ? book_moves(book, position, moves) : 0;
    for (int i = 0; i < count; i++) {
        Position next = position_after(position, moves[i].move);
        int rest = least_loss(book, &next, target, depth - 1);
        if (rest != INT32_MAX && rest + moves[0].value - moves[i].value < least) {
            least = rest + moves[0].value - moves[i].value;
        }
    }
    return least;
}

/* Moves are added where little was given away: among positions three plies down the inner ones are better. */
START_TEST(good_moves_are_followed) {
    Variant variant = (Variant)_i;
    BookOpening start = {position_start(rules_of(variant)), 0};
    char path[] = "/tmp/crownhead-book-XXXXXX";
    int fd = mkstemp(path);
    BookBuild build = {.variant = variant,
                       .nodes = 500,
                       .positions = 400,
                       .threads = 2,
                       .openings = &start,
                       .openings_count = 1,
                       .path = path};
    int64_t sums[2] = {0}, counts[2] = {0};
    uint32_t after[MOVES_MAX];
    BookCounts sizes;
    MoveList moves;
    ParseError error;
    Book book;

    close(fd);
    unlink(path);
    ck_assert_msg(book_build(&build, &error), "%s", error.text);
    ck_assert_msg(book_open(&book, variant, path, &error), "%s", error.text);
    ck_assert_msg(book_verify(&book, &sizes, &error), "%s", error.text);
    ck_assert_uint_ge(book.count, 400);
    ck_assert_uint_le(book.count, 500);
    for (uint32_t i = 0; i < book.count; i++) {
        BookEntry entry = book_entry(&book, i);
        int loss = least_loss(&book, &start.position, &entry.position, 3);
        if (loss != INT32_MAX) {
            bool inner = book_is_inner(&book, &entry.position, &moves, after);
            sums[inner] += loss;
            counts[inner]++;
        }
    }
    ck_assert(counts[0] > 10 && counts[1] > 10);
    ck_assert_int_lt(sums[1] * counts[0] * 2, sums[0] * counts[1]);
    book_close(&book);
    unlink(path);
}
END_TEST

static void keep_count(void *user, uint32_t count) {
    uint32_t *kept = user;

    ck_assert_uint_gt(count, *kept);
    *kept = count;
}

/* Two men that pass each other: no line goes on behind a king. */
START_TEST(a_book_without_leaves_to_add_to_is_done) {
    Game game = game_from(VARIANT_ENGLISH, "W:W21:B9");
    BookOpening start = {game.position, 0};
    char path[] = "/tmp/crownhead-book-XXXXXX";
    int fd = mkstemp(path);
    uint32_t count = 0;
    BookBuild build = {.variant = VARIANT_ENGLISH,
                       .nodes = 100,
                       .positions = 1000,
                       .threads = 1,
                       .openings = &start,
                       .openings_count = 1,
                       .path = path,
                       .on_progress = keep_count,
                       .user = &count};
    ParseError error;

    close(fd);
    unlink(path);
    ck_assert_msg(book_build(&build, &error), "%s", error.text);
    ck_assert_uint_gt(count, 10);
    ck_assert_uint_lt(count, build.positions);
    count = 0;
    ck_assert_msg(book_build(&build, &error), "%s", error.text);
    ck_assert_uint_eq(count, 0);
    unlink(path);
    game_deinit(&game);
}
END_TEST

/* ---- Built in ------------------------------------------------------------------------------------------ */

/* The opening has a move, and the slow generator knows all that it has. */
static void check_opening(const Book *book, const Opening *opening) {
    static NaiveList list;
    Position position = opening->start.position;
    BookMove moves[MOVES_MAX];

    for (int ply = 0; ply < opening->plies; ply++) {
        position = position_after(&position, opening->moves[ply]);
    }
    int count = book_moves(book, &position, moves);
    CHECK_QUICKLY(count > 0, "%s is not in the book", opening->label);
    NaiveBoard board = naive_from_position(&position);
    naive_routes(naive_rules_of(rules_of(book->variant)->name), &board, &list);
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < list.count && naive_to_move(&list.route[at]) != moves[i].move) {
            at++;
        }
        CHECK_QUICKLY(at < list.count, "%s: no legal move", opening->label);
    }
}

START_TEST(all_openings_are_built_in) {
    Variant variant = (Variant)_i;
    const DrawRules *draws = &rules_of(variant)->draws;
    Book book = book_builtin(variant);
    int openings = 0;
    const char *name = NULL;

    for (int deck = -1; deck < 0 || (name = opening_deck_name(variant, deck)) != NULL; deck++) {
        OpeningSource source = {variant, draws, name, OPENINGS_BALLOTS, -1};
        OpeningBook list;
        ParseError error;
        ck_assert_msg(opening_book_load(&list, &source, &error), "%s", error.text);
        for (int i = 0; i < list.count; i++) {
            check_opening(&book, &list.openings[i]);
        }
        openings += list.count;
        opening_book_deinit(&list);
    }
    ck_assert_int_gt(openings, 800);
}
END_TEST

START_TEST(what_is_built_in_is_sound) {
    Book book = book_builtin((Variant)_i);
    BookCounts counts;
    ParseError error;

    ck_assert_msg(book_verify(&book, &counts, &error), "%s", error.text);
    ck_assert_uint_gt(counts.inner, 100);
    ck_assert_uint_gt(counts.openings, 800);
    for (uint32_t i = 1; i < book.count; i++) {
        CHECK_QUICKLY(
            compare(book.entries + (i - 1) * BOOK_ENTRY_BYTES, book.entries + i * BOOK_ENTRY_BYTES) < 0,
            "entry %u", i);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("book");
    TCase *files = tcase_create("files");
    TCase *builtin = tcase_create("built in");

    tcase_set_timeout(files, 120);
    tcase_add_test(files, bytes_are_as_described);
    tcase_add_test(files, damage_is_found);
    tcase_add_test(files, files_that_are_none);
    tcase_add_test(files, moves_are_worth_what_comes_after);
    tcase_add_test(files, a_margin_gives_variety);
    tcase_add_test(files, nothing_is_said_where_positions_could_come_again);
    tcase_add_loop_test(files, good_moves_are_followed, 0, VARIANT_COUNT);
    tcase_add_test(files, a_book_without_leaves_to_add_to_is_done);
    suite_add_tcase(suite, files);
    tcase_set_timeout(builtin, 120);
    tcase_add_loop_test(builtin, all_openings_are_built_in, 0, VARIANT_COUNT);
    tcase_add_loop_test(builtin, what_is_built_in_is_sound, 0, VARIANT_COUNT);
    suite_add_tcase(suite, builtin);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
