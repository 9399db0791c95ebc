/*
 * Openings: the decks against the positions published with them, files of every format, faults that files
 * can have, shuffling.
 */
#include "engine/movegen.h"
#include "match/opening.h"
#include "tests/random_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START "W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

/*
 * The hash is FNV-1a over the published FENs of a deck, each with a line feed; another program, which knows
 * no rules, took it from the FENs in the sources of the decks.
 */
static const struct {
    const char *name;
    Variant variant;
    int count;
    uint64_t hash;
} DECKS[] = {
    {"ballots2", VARIANT_ENGLISH, 43, 0xbf4fd6f97a17d35d},
    {"ballots3", VARIANT_ENGLISH, 156, 0x98945d5a85d5c1c9},
    {"ballots11", VARIANT_ENGLISH, 2253, 0x3437a3a0f32bc6c4},
    {"russian", VARIANT_RUSSIAN, 843, 0xe9ebbee168fae104},
};

enum { DECKS_COUNT = sizeof DECKS / sizeof DECKS[0] };

/* Plays the moves of an opening, each of which must be legal, and writes the FEN with numbers. */
static void play(Variant variant, const Opening *opening, char fen[static FEN_SIZE]) {
    FenRecord record = opening->start;
    MoveList list;

    for (int ply = 0; ply < opening->plies; ply++) {
        bool legal = false;
        movegen_generate(variant, &record.position, &list);
        for (int i = 0; i < list.count; i++) {
            legal |= list.moves[i] == opening->moves[ply];
        }
        CHECK_QUICKLY(legal, "%s: move %d", opening->label, ply);
        record.position = position_after(&record.position, opening->moves[ply]);
    }
    CHECK_QUICKLY(movegen_has_move(variant, &record.position), "%s: the game is over", opening->label);
    fen_write(&record, rules_of(VARIANT_ENGLISH), fen);
}

static bool load(OpeningBook *book, Variant variant, const char *name, OpeningFormat format, int plies,
                 ParseError *error) {
    const OpeningSource source = {variant, &rules_of(variant)->draws, name, format, plies};

    return opening_book_load(book, &source, error);
}

static void assert_load(OpeningBook *book, Variant variant, const char *name, OpeningFormat format,
                        int plies) {
    ParseError error = {{0}};
    bool good = load(book, variant, name, format, plies, &error);

    ck_assert_msg(good, "%s: %s", name, error.text);
}

/* ---- Decks --------------------------------------------------------------------------------------------- */

START_TEST(decks_are_those_published) {
    OpeningBook book;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    assert_load(&book, DECKS[_i].variant, DECKS[_i].name, OPENINGS_BALLOTS, -1);
    ck_assert_int_eq(book.count, DECKS[_i].count);
    for (int i = 0; i < book.count; i++) {
        char fen[FEN_SIZE];
        play(DECKS[_i].variant, &book.openings[i], fen);
        for (const char *at = strcat(fen, "\n"); *at != '\0'; at++) {
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
        }
    }
    ck_assert_msg(hash == DECKS[_i].hash, "%s: hash %llx", DECKS[_i].name, (unsigned long long)hash);
    opening_book_deinit(&book);
}
END_TEST

/* The rows of data/ballots.tsv, by label. */
START_TEST(ballots_have_their_positions) {
    const char *data = getenv("CROWNHEAD_TEST_DATA");
    OpeningBook books[DECKS_COUNT];
    int rows = 0;
    char line[512];

    for (int i = 0; i < DECKS_COUNT; i++) {
        assert_load(&books[i], DECKS[i].variant, DECKS[i].name, OPENINGS_BALLOTS, -1);
    }
    snprintf(line, sizeof line, "%s/ballots.tsv", data != NULL ? data : "tests/data");
    FILE *file = fopen(line, "r");
    ck_assert_msg(file != NULL, "cannot open %s", line);
    while (fgets(line, sizeof line, file) != NULL) {
        char name[32];
        char label[64];
        char published[FEN_SIZE];
        char fen[FEN_SIZE];
        int deck = 0;
        int at = 0;
        if (line[0] == '#' || sscanf(line, "%31[^\t]\t%63[^\t]\t%255s", name, label, published) != 3) {
            continue;
        }
        while (deck < DECKS_COUNT && strcmp(DECKS[deck].name, name) != 0) {
            deck++;
        }
        CHECK_QUICKLY(deck < DECKS_COUNT, "no deck %s", name);
        while (at < books[deck].count && strcmp(books[deck].openings[at].label, label) != 0) {
            at++;
        }
        CHECK_QUICKLY(at < books[deck].count, "no ballot %s", label);
        play(DECKS[deck].variant, &books[deck].openings[at], fen);
        CHECK_QUICKLY(strcmp(fen, published) == 0, "%s: %s, published %s", label, fen, published);
        CHECK_QUICKLY(books[deck].openings[at].from_start, "%s begins elsewhere", label);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 43 + 156 + 446);
    for (int i = 0; i < DECKS_COUNT; i++) {
        opening_book_deinit(&books[i]);
    }
}
END_TEST

START_TEST(decks_have_names) {
    char wanted[128] = "";
    char names[128];
    Text out = text_init(names, sizeof names);

    for (int i = 0; i < DECKS_COUNT; i++) {
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s", i > 0 ? ", " : "",
                 DECKS[i].name);
    }
    opening_add_deck_names(&out);
    ck_assert_str_eq(names, wanted);
}
END_TEST

START_TEST(a_deck_is_of_one_game) {
    OpeningBook book;
    ParseError error;

    ck_assert(!load(&book, VARIANT_RUSSIAN, "ballots3", OPENINGS_BALLOTS, -1, &error));
    ck_assert_str_eq(error.text, "the openings 'ballots3' are for english, not russian");
    ck_assert_int_eq(book.count, 0);
    ck_assert_ptr_null(book.openings);
}
END_TEST

START_TEST(men_are_away_in_11_man_ballots) {
    OpeningBook book;
    char fen[FEN_SIZE];

    assert_load(&book, VARIANT_ENGLISH, "ballots11", OPENINGS_BALLOTS, -1);
    ck_assert_str_eq(book.openings[0].label, "11-man 1");
    ck_assert(!book.openings[0].from_start);
    fen_write(&book.openings[0].start, rules_of(VARIANT_ENGLISH), fen);
    ck_assert_str_eq(fen, "B:W21,22,23,24,25,26,27,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12");
    ck_assert_int_eq(book.openings[0].plies, 2);
    opening_book_deinit(&book);
}
END_TEST

START_TEST(the_first_position_is_an_opening) {
    OpeningBook book;

    assert_load(&book, (Variant)_i, NULL, OPENINGS_BALLOTS, -1);
    ck_assert_int_eq(book.count, 1);
    ck_assert(book.openings[0].from_start);
    ck_assert_int_eq(book.openings[0].plies, 0);
    ck_assert_int_eq(book.openings[0].start.fullmove, 1);
    Position start = position_start(rules_of((Variant)_i));
    ck_assert(position_equal(&book.openings[0].start.position, &start));
    opening_book_deinit(&book);
}
END_TEST

/* ---- Files --------------------------------------------------------------------------------------------- */

typedef struct {
    char name[32];
} TemporaryFile;

static TemporaryFile file_of(const char *bytes, size_t length) {
    TemporaryFile file = {"/tmp/openings-XXXXXX"};
    int descriptor = mkstemp(file.name);

    ck_assert_int_ge(descriptor, 0);
    FILE *stream = fdopen(descriptor, "wb");
    ck_assert_uint_eq(fwrite(bytes, 1, length, stream), length);
    ck_assert_int_eq(fclose(stream), 0);
    return file;
}

/* Loads a text as a file; false with the error. */
static bool load_text(OpeningBook *book, Variant variant, OpeningFormat format, int plies, const char *text,
                      ParseError *error) {
    TemporaryFile file = file_of(text, strlen(text));
    bool good = load(book, variant, file.name, format, plies, error);

    unlink(file.name);
    return good;
}

/* What a file of one opening must give. */
static const struct {
    OpeningFormat format;
    Variant variant;
    const char *text;
    const char *label;
    const char *fen; /* behind the moves */
    int plies;
    bool from_start;
} READ[] = {
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "Old Faithful\t11-15 23-19 8-11\n", "Old Faithful",
     "W:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15", 3, true},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "11-15", "line 1",
     "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15", 1, true},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "\xEF\xBB\xBF# comment\r\n\r\n  \t\r\n  # another\n \t 11-15  \r\n",
     "line 5", "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15", 1, true},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "  a  b \t \t-12 -21\t9-13 22-17  13x22 ", "a  b",
     "W:W23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,22", 3, false},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "-1\t-2 -3", "-1",
     "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,4,5,6,7,8,9,10,11,12", 0, false},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "-1 -2", "line 1",
     "B:W21,22,23,24,25,26,27,28,29,30,31,32:B3,4,5,6,7,8,9,10,11,12", 0, false},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "x\tW:W18,K32:B3,14 18x9", "x", "B:W9,K32:B3", 1, false},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "W:W18,K32:B3,14 -32 18x9", "line 1", "B:W9:B3", 1, false},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "W:W18,K32:B3,14:H3:F9", "line 1", "W:W18,K32:B3,14:H3:F9", 0, false},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "the start\tB:" START " 11-15", "the start",
     "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15", 1, true},
    {OPENINGS_BALLOTS, VARIANT_RUSSIAN, "short\tc3b4 b6a5 g3f4 a5:c3 b2:d4", "short",
     "B:W18,19,21,23,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12", 5, true},
    {OPENINGS_BALLOTS, VARIANT_RUSSIAN, "W:Wc3,e1:Bb4,h8 c3:a5", "line 1", "B:W13,31:B4", 1, false},
    {OPENINGS_BALLOTS, VARIANT_RUSSIAN, "-a7 -h2 a3-b4", "line 1",
     "B:W17,22,23,24,25,26,27,29,30,31,32:B1,2,3,4,6,7,8,9,10,11,12", 1, false},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "d\xC3\xA9j\xC3\xA0\x01vu\t11-15", "d\xC3\xA9j\xC3\xA0 vu",
     "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15", 1, true},
    {OPENINGS_BALLOTS, VARIANT_ENGLISH, "d\xE9j\xE0\x7Fvu\t11-15", "d?j? vu",
     "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15", 1, true},
    {OPENINGS_FEN, VARIANT_ENGLISH, "W:W18,24:B12", "line 1", "W:W18,24:B12", 0, false},
    {OPENINGS_FEN, VARIANT_ENGLISH, "# all\n\nW:W 18, 24 :B 12 \r\n", "line 3", "W:W18,24:B12", 0, false},
    {OPENINGS_FEN, VARIANT_ENGLISH, "[FEN \"W:W18,24:B12.\"]", "line 1", "W:W18,24:B12", 0, false},
    {OPENINGS_FEN, VARIANT_ENGLISH, "W:W18,24:B12\tB: the label", "B: the label", "W:W18,24:B12", 0, false},
    {OPENINGS_FEN, VARIANT_ENGLISH, "W:W18,24:B12 B:the label", "B:the label", "W:W18,24:B12", 0, false},
    {OPENINGS_FEN, VARIANT_ENGLISH, "the label W:W18,24:B12", "the label", "W:W18,24:B12", 0, false},
    {OPENINGS_FEN, VARIANT_ENGLISH, "B:label\tW:W18,24:B12:H7:F8", "B:label", "W:W18,24:B12:H7:F8", 0, false},
    {OPENINGS_FEN, VARIANT_ENGLISH, "B:" START, "line 1", "B:" START, 0, true},
    {OPENINGS_FEN, VARIANT_ENGLISH, "B:" START ":H1:F1", "line 1", "B:" START ":H1:F1", 0, false},
    {OPENINGS_FEN, VARIANT_RUSSIAN, "W:Wa1,Kc3:Bh8", "line 1", "W:WK22,29:B4", 0, false},
    {OPENINGS_PDN, VARIANT_ENGLISH,
     "[Event \"x\"]\n[Result \"1-0\"]\n\n1. 9-13 22-17 2. 13x22 {good} (2. 9-14) 1-0\n", "game 1",
     "W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,22", 3, true},
    {OPENINGS_PDN, VARIANT_ENGLISH, "[Opening \"Dundee\"]\r\n[FEN \"W:W18,K32:B3,14.\"]\r\n1. 18x9 *\r\n",
     "Dundee", "B:W9,K32:B3", 1, false},
    {OPENINGS_PDN, VARIANT_ENGLISH, "[Opening \"the \\\"Edge\\\\\"]\n1. 9-13 *\n", "the \"Edge\\",
     "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13", 1, true},
    {OPENINGS_PDN, VARIANT_ENGLISH, "[Opening \"\"]\n*", "game 1", "B:" START, 0, true},
    {OPENINGS_PDN, VARIANT_RUSSIAN, "[GameType \"25\"]\n1. c3-b4 b6-a5 2. g3-f4 a5:c3 *", "game 1",
     "W:W19,21,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,22", 4, true},
};

START_TEST(files_are_read) {
    OpeningBook book;
    ParseError error = {{0}};
    char fen[FEN_SIZE];
    char wanted[FEN_SIZE];
    FenRecord record;

    bool good = load_text(&book, READ[_i].variant, READ[_i].format, -1, READ[_i].text, &error);
    ck_assert_msg(good, "'%s': %s", READ[_i].text, error.text);
    ck_assert_int_eq(book.count, 1);
    ck_assert_str_eq(book.openings[0].label, READ[_i].label);
    ck_assert_int_eq(book.openings[0].plies, READ[_i].plies);
    ck_assert_int_eq(book.openings[0].from_start, READ[_i].from_start);
    ck_assert(fen_read(READ[_i].fen, strlen(READ[_i].fen), &record, &error));
    fen_write(&record, rules_of(VARIANT_ENGLISH), wanted);
    play(READ[_i].variant, &book.openings[0], fen);
    ck_assert_str_eq(fen, wanted);
    opening_book_deinit(&book);
}
END_TEST

static const struct {
    OpeningFormat format;
    const char *text;
    const char *error; /* behind the name of the file */
} REFUSED[] = {
    {OPENINGS_BALLOTS, "", ": no opening in it"},
    {OPENINGS_FEN, "", ": no opening in it"},
    {OPENINGS_BALLOTS, "\n# nothing\n\r\n", ": no opening in it"},
    {OPENINGS_FEN, "\xEF\xBB\xBF", ": no opening in it"},
    {OPENINGS_BALLOTS, "9-13\n\n9-14 15-11\n", ", line 3: illegal move '15-11': "},
    {OPENINGS_BALLOTS, "9-13\nlabel 9-13\n", ", line 2: "},
    {OPENINGS_BALLOTS, "label\t", ", line 1: "},
    {OPENINGS_BALLOTS, "a\t9-13 22-17 6-9", ", line 1: illegal move '6-9': "},
    {OPENINGS_BALLOTS, "a\t-13 9-14", ", line 1: no man to take away: '-13'"},
    {OPENINGS_BALLOTS, "a\t-12 -12 9-14", ", line 1: no man to take away: '-12'"},
    {OPENINGS_BALLOTS, "a\t-33", ", line 1: no such square: '-33'"},
    {OPENINGS_BALLOTS, "a\t-", ", line 1: no such square: '-'"},
    {OPENINGS_BALLOTS, "a\tW:W18:B18 9-14", ", line 1: bad FEN: a square is named twice at '18'"},
    {OPENINGS_BALLOTS, "a\tW:W18 :B12", ", line 1: "},
    {OPENINGS_BALLOTS, "9-13\nB:WK32:BK1 1-6 32-28 6-1 28-32 1-6 32-28 6-1 28-32 1-5",
     ", line 2: the game is over after these moves"},
    {OPENINGS_BALLOTS, "a\tW:W18:B14 18x9", ", line 1: the game is over after these moves"},
    {OPENINGS_BALLOTS, "a\tB:W18:B29", ", line 1: the game is over in this position"},
    {OPENINGS_FEN, "W:W18:B12\nW:W18:B13,13\n", ", line 2: bad FEN: a square is named twice at '13'"},
    {OPENINGS_FEN, "W:W18:B12\nnothing", ", line 2: bad FEN: "},
    {OPENINGS_FEN, "the label W:W18:B18", ", line 1: bad FEN: a square is named twice at '18'"},
    {OPENINGS_FEN, "W:W18:B18\tlabel", ", line 1: bad FEN: "},
    {OPENINGS_FEN, "B:W18:B", ", line 1: the game is over in this position"},
    {OPENINGS_FEN, "W:WK18:BK1:H80:F90", ", line 1: the game is over in this position"},
    {OPENINGS_PDN, "", ": no opening in it"},
    {OPENINGS_PDN, "1. 9-13 *\n\n[Event \"?\"]\n1. 9-14\n22-18 8-9 *\n", ", line 5: illegal move '8-9'"},
    {OPENINGS_PDN, "1. 9-13 *\n[FEN \"B:W18:B18\"]\n1. 9-14 *\n", ", line 2: bad FEN: "},
    {OPENINGS_PDN, "1. 9-13 *\n[GameType \"25\"]\n1. a3-b4 *\n",
     ", line 2: a game of russian among openings of english"},
    {OPENINGS_PDN, "1. 9-13 *\n[GameType \"20\"]\n1. 32-28 *\n", ", line 2: "},
    {OPENINGS_PDN, "[FEN \"W:W18:B14\"]\n1. 18x9 1-0\n", ", line 1: the game is over after these moves"},
    {OPENINGS_PDN, "1. 9-13 {", ", line 1: a comment without an end"},
};

START_TEST(faults_are_named) {
    TemporaryFile file = file_of(REFUSED[_i].text, strlen(REFUSED[_i].text));
    char wanted[160];
    OpeningBook book = {.count = 99};
    ParseError error = {{0}};

    snprintf(wanted, sizeof wanted, "'%s'%s", file.name, REFUSED[_i].error);
    ck_assert(!load(&book, VARIANT_ENGLISH, file.name, REFUSED[_i].format, -1, &error));
    unlink(file.name);
    ck_assert_msg(strncmp(error.text, wanted, strlen(wanted)) == 0, "'%s' and not '%s'", error.text, wanted);
    ck_assert_ptr_null(strchr(error.text, '\n'));
    ck_assert_int_eq(book.count, 0);
    ck_assert_ptr_null(book.openings);
}
END_TEST

START_TEST(files_that_cannot_be_read) {
    OpeningBook book;
    ParseError error;

    for (OpeningFormat format = OPENINGS_BALLOTS; format <= OPENINGS_PDN; format++) {
        ck_assert(!load(&book, VARIANT_ENGLISH, "no/such/file", format, -1, &error));
        ck_assert_str_eq(error.text,
                         "'no/such/file': cannot be read: No such file or directory; the decks are ballots2, "
                         "ballots3, ballots11, russian");
        ck_assert(!load(&book, VARIANT_ENGLISH, "/tmp", format, -1, &error));
        ck_assert_str_eq(error.text, "'/tmp': cannot be read: Is a directory");
    }
}
END_TEST

START_TEST(draw_rules_are_those_of_the_match) {
    TemporaryFile file = file_of("W:WK18:BK1:H90:F90\n", 19);
    OpeningSource source = {VARIANT_ENGLISH, &DRAW_RULES_WEB, file.name, OPENINGS_FEN, -1};
    OpeningBook book;
    ParseError error;

    ck_assert(opening_book_load(&book, &source, &error));
    opening_book_deinit(&book);
    source.draws = &rules_of(VARIANT_ENGLISH)->draws;
    ck_assert(!opening_book_load(&book, &source, &error));
    unlink(file.name);
}
END_TEST

START_TEST(bytes_of_any_kind) {
    static const char text[] = "a\0b\t9-13\nc\t9-14\0 9-13\n";
    TemporaryFile file = file_of(text, sizeof text - 1);
    OpeningBook book;
    ParseError error;

    ck_assert(!load(&book, VARIANT_ENGLISH, file.name, OPENINGS_BALLOTS, -1, &error));
    ck_assert_msg(strstr(error.text, "', line 2: ") != NULL && strstr(error.text, "'9-14\\x00'") != NULL,
                  "%s", error.text);
    unlink(file.name);
}
END_TEST

START_TEST(plies_cut_openings) {
    static const char text[] = "a\t9-13 22-17 13x22\nb\t9-13\nc\tW:W18,32:B14 18x9\n";
    static const int wanted[5][3] = {{0, 0, 0}, {1, 1, 0}, {2, 1, 0}, {3, 1, 0}, {3, 1, 0}};
    OpeningBook book;
    ParseError error;

    /* Whole, the third is over; so it is of one ply, but not of none. */
    ck_assert(load_text(&book, VARIANT_ENGLISH, OPENINGS_BALLOTS, 0, text, &error));
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(book.openings[i].plies, wanted[0][i]);
    }
    opening_book_deinit(&book);
    ck_assert(!load_text(&book, VARIANT_ENGLISH, OPENINGS_BALLOTS, 1, text, &error));
    ck_assert_msg(strstr(error.text, "', line 3: the game is over after these moves") != NULL, "%s",
                  error.text);
    for (int plies = 0; plies < 5; plies++) {
        ck_assert(load_text(&book, VARIANT_ENGLISH, OPENINGS_BALLOTS, plies,
                            "a\t9-13 22-17 13x22\nb\t9-13\nc\tW:W18,32:B14\n", &error));
        ck_assert_int_eq(book.count, 3);
        for (int i = 0; i < 3; i++) {
            ck_assert_int_eq(book.openings[i].plies, wanted[plies][i]);
        }
        opening_book_deinit(&book);
    }
    /* What is cut off must be right all the same. */
    ck_assert(!load_text(&book, VARIANT_ENGLISH, OPENINGS_BALLOTS, 1, "9-13 9-14", &error));
    ck_assert(strstr(error.text, "'9-14'") != NULL);
}
END_TEST

/* A fault of a game behind its opening is nothing to a match. */
START_TEST(games_are_cut_before_their_faults) {
    static const char text[] = "1. 9-13 22-18 2. 6-9 9-5 *\n[Event \"\"]\n1. 9-14 22-18 {no end";
    OpeningBook book;
    ParseError error;

    for (int plies = 0; plies <= 2; plies++) {
        ck_assert(load_text(&book, VARIANT_ENGLISH, OPENINGS_PDN, plies, text, &error));
        ck_assert_int_eq(book.count, 2);
        ck_assert_int_eq(book.openings[0].plies, plies);
        ck_assert_int_eq(book.openings[1].plies, plies);
        ck_assert_str_eq(book.openings[1].label, "game 2");
        opening_book_deinit(&book);
    }
    ck_assert(!load_text(&book, VARIANT_ENGLISH, OPENINGS_PDN, 3, text, &error));
    ck_assert_msg(strstr(error.text, "', line 3: a comment without an end") != NULL, "%s", error.text);
    ck_assert(!load_text(&book, VARIANT_ENGLISH, OPENINGS_PDN, 4, text, &error));
    ck_assert_msg(strstr(error.text, "', line 1: illegal move '9-5'") != NULL, "%s", error.text);
}
END_TEST

/* Many openings take a time and a memory that grow with their number alone. */
START_TEST(a_long_file) {
    enum { LINES = 200000 };
    TemporaryFile file = file_of("", 0);
    FILE *stream = fopen(file.name, "w");
    OpeningBook book;

    ck_assert_ptr_nonnull(stream);
    for (int i = 1; i <= LINES; i++) {
        fprintf(stream, "number %d\t9-13 22-18 10-14\r\n", i);
    }
    fclose(stream);
    assert_load(&book, VARIANT_ENGLISH, file.name, OPENINGS_BALLOTS, -1);
    unlink(file.name);
    ck_assert_int_eq(book.count, LINES);
    ck_assert_str_eq(book.openings[LINES - 1].label, "number 200000");
    ck_assert_int_eq(book.openings[LINES - 1].plies, 3);
    opening_book_deinit(&book);
}
END_TEST

/* ---- Order --------------------------------------------------------------------------------------------- */

START_TEST(shuffling_depends_on_the_seed_alone) {
    OpeningBook books[2];
    uint64_t fingerprints[3];
    bool seen[2253 + 1] = {false};
    int moved = 0;

    for (int i = 0; i < 2; i++) {
        assert_load(&books[i], VARIANT_ENGLISH, "ballots11", OPENINGS_BALLOTS, -1);
        fingerprints[i] = opening_book_fingerprint(&books[i]);
        opening_book_shuffle(&books[i], 7);
    }
    ck_assert_uint_eq(fingerprints[0], fingerprints[1]);
    ck_assert_uint_eq(opening_book_fingerprint(&books[0]), opening_book_fingerprint(&books[1]));
    ck_assert_uint_ne(opening_book_fingerprint(&books[0]), fingerprints[0]);

    /* Each is still there, and few where it was. */
    opening_book_deinit(&books[1]);
    assert_load(&books[1], VARIANT_ENGLISH, "ballots11", OPENINGS_BALLOTS, -1);
    for (int i = 0; i < books[0].count; i++) {
        int at = 0;
        while (at < books[1].count && strcmp(books[0].openings[i].label, books[1].openings[at].label) != 0) {
            at++;
        }
        CHECK_QUICKLY(at < books[1].count && !seen[at], "%s", books[0].openings[i].label);
        seen[at] = true;
        moved += at != i;
    }
    ck_assert_int_gt(moved, 2200);

    opening_book_shuffle(&books[1], 8);
    ck_assert_uint_ne(opening_book_fingerprint(&books[0]), opening_book_fingerprint(&books[1]));
    opening_book_deinit(&books[0]);
    opening_book_deinit(&books[1]);
}
END_TEST

/* Every order of four is as likely as any other, so far as 24000 seeds tell. */
START_TEST(shuffling_is_fair) {
    int counts[256] = {0};
    OpeningBook book;
    ParseError error;

    for (uint64_t seed = 0; seed < 24000; seed++) {
        int order = 0;
        if (seed == 0) {
            ck_assert(load_text(&book, VARIANT_ENGLISH, OPENINGS_BALLOTS, -1,
                                "0\t9-13\n1\t9-14\n2\t10-14\n3\t10-15\n", &error));
        }
        Opening saved[4];
        memcpy(saved, book.openings, sizeof saved);
        opening_book_shuffle(&book, seed);
        for (int i = 0; i < 4; i++) {
            order = order * 4 + book.openings[i].label[0] - '0';
        }
        counts[order]++;
        memcpy(book.openings, saved, sizeof saved);
    }
    int orders = 0;
    for (int i = 0; i < 256; i++) {
        orders += counts[i] > 0;
        CHECK_QUICKLY(counts[i] == 0 || (counts[i] > 850 && counts[i] < 1150), "%d times", counts[i]);
    }
    ck_assert_int_eq(orders, 24);
    opening_book_deinit(&book);
}
END_TEST

START_TEST(fingerprints_differ) {
    static const char *const texts[] = {
        "a\t9-13\n",
        "a\t9-14\n",
        "a\t9-13\nb\t9-13\n",
        "a\t9-13\nb\t9-14\n",
        "a\t9-14\nb\t9-13\n",
        "a\t9-13 22-18\n",
        "a\tB:" START "\n",
        "a\tW:" START "\n",
        "a\tB:" START ":H1:F1\n",
        "a\tB:" START ":H0:F2\n",
        "a\t-1\n",
        "a\tB:WK18:B2,3\n",
        "a\tB:W18:B2,3\n",
    };
    uint64_t found[sizeof texts / sizeof texts[0]];
    OpeningBook book;
    ParseError error;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert(load_text(&book, VARIANT_ENGLISH, OPENINGS_BALLOTS, -1, texts[i], &error));
        found[i] = opening_book_fingerprint(&book);
        for (size_t k = 0; k < i; k++) {
            ck_assert_uint_ne(found[i], found[k]);
        }
        opening_book_deinit(&book);
    }
    /* Labels are no part of it, and it is the same on every machine. */
    ck_assert(load_text(&book, VARIANT_ENGLISH, OPENINGS_BALLOTS, -1, "another\t9-13\n", &error));
    ck_assert_uint_eq(opening_book_fingerprint(&book), found[0]);
    ck_assert_uint_eq(found[0], UINT64_C(0x6ac532c4bc6d114f));
    opening_book_deinit(&book);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("opening");
    TCase *tcase = tcase_create("opening");

    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, decks_are_those_published, 0, DECKS_COUNT);
    tcase_add_test(tcase, ballots_have_their_positions);
    tcase_add_test(tcase, decks_have_names);
    tcase_add_test(tcase, a_deck_is_of_one_game);
    tcase_add_test(tcase, men_are_away_in_11_man_ballots);
    tcase_add_loop_test(tcase, the_first_position_is_an_opening, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, files_are_read, 0, sizeof READ / sizeof READ[0]);
    tcase_add_loop_test(tcase, faults_are_named, 0, sizeof REFUSED / sizeof REFUSED[0]);
    tcase_add_test(tcase, files_that_cannot_be_read);
    tcase_add_test(tcase, draw_rules_are_those_of_the_match);
    tcase_add_test(tcase, bytes_of_any_kind);
    tcase_add_test(tcase, plies_cut_openings);
    tcase_add_test(tcase, games_are_cut_before_their_faults);
    tcase_add_test(tcase, a_long_file);
    tcase_add_test(tcase, shuffling_depends_on_the_seed_alone);
    tcase_add_test(tcase, shuffling_is_fair);
    tcase_add_test(tcase, fingerprints_differ);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
