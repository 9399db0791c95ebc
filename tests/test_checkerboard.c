/* The CheckerBoard library, loaded and called as CheckerBoard does it. */
#include "checkerboard/board.h"
#include "checkerboard/gametype.h"
#include "checkerboard/library.h"
#include "engine/fen.h"
#include "random_play.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static CbLibrary load(void) {
    const char *path = getenv("CROWNHEAD_TEST_LIBRARY");
    CbLibrary library;
    ParseError error;

    ck_assert_msg(path != NULL, "CROWNHEAD_TEST_LIBRARY is the library to test");
    ck_assert_msg(cb_library_open(&library, path, &error), "%s", error.text);
    ck_assert(library.islegal != NULL);
    return library;
}

static void set_variant(const CbLibrary *library, Variant variant) {
    char command[CB_COMMAND_SIZE], reply[CB_REPLY_SIZE], number[8];

    snprintf(number, sizeof number, "%d", gametype_of(variant));
    snprintf(command, sizeof command, "set gametype %s", number);
    ck_assert_int_eq(library->enginecommand(command, reply), 1);
    ck_assert_int_eq(library->enginecommand("get gametype", reply), 1);
    ck_assert_str_eq(reply, number);
}

static Position position_of(const char *fen) {
    FenRecord record;
    ParseError error;

    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s", error.text);
    return record.position;
}

/* The place of a square as the description of the interface has it. */
static int *place(int board[8][8], int number) {
    int row = (number - 1) / 4, column = (number - 1) % 4;

    return &board[2 * (3 - column) + row % 2][row];
}

/* ---- Boards -------------------------------------------------------------------------------------------- */

static int piece_of(const Position *position, int number) {
    Bitboard bit = BITBOARD_BIT(square_from_number(number));
    int color = (position->pieces[WHITE] & bit) != 0 ? 1 : (position->pieces[BLACK] & bit) != 0 ? 2 : 0;

    return color == 0 ? 0 : color + ((position->kings & bit) != 0 ? 8 : 4);
}

START_TEST(boards_there_and_back) {
    uint64_t state = 7;

    for (int round = 0; round < 2000; round++) {
        Position position = random_position(24, &state), again;
        int board[8][8], other[8][8] = {{0}};
        board_write(&position, board);
        for (int number = 1; number <= SQUARES; number++) {
            *place(other, number) = piece_of(&position, number);
        }
        CHECK_QUICKLY(memcmp(board, other, sizeof board) == 0, "round %d", round);
        CHECK_QUICKLY(board_read(board, position.turn == WHITE ? 1 : 2, &again), "round %d", round);
        CHECK_QUICKLY(position_equal(&position, &again), "round %d", round);
    }
}
END_TEST

START_TEST(bad_boards_are_refused) {
    CbLibrary library = load();
    Position start = position_start(rules_of(VARIANT_ENGLISH)), unused;
    char status[CB_STATUS_SIZE];
    int playnow = 0;
    int board[8][8], before[8][8];
    CbMove move;

    for (int fault = 0; fault < 5; fault++) {
        board_write(&start, board);
        int color = fault == 0 ? 0 : fault == 1 ? 3 : 2;
        *place(board, 18) = fault == 2 ? 13 : fault == 3 ? 7 : 0;
        board[0][1] = fault == 4 ? 5 : 0;
        memcpy(before, board, sizeof board);
        ck_assert(!board_read(board, color, &unused));
        ck_assert_int_eq(library.getmove(board, color, 0.01, status, &playnow, 0, 0, &move), CB_UNKNOWN);
        ck_assert_mem_eq(board, before, sizeof board);
        ck_assert_str_eq(status, "that is no position");
        ck_assert_int_eq(library.islegal(board, color, 11, 15, &move), 0);
    }
}
END_TEST

/* ---- Lists of moves ------------------------------------------------------------------------------------ */

/* A move of a list, read by the description of the interface. */
typedef struct {
    int jumps, oldpiece, newpiece, from, to;
    Bitboard captured;
} Listed;

static int take_number(const char **text) {
    char *end;
    long number = strtol(*text, &end, 10);

    CHECK_QUICKLY(end != *text, "no number at '%.40s'", *text);
    *text = end;
    return (int)number;
}

static void take(const char **text, char expected) {
    CHECK_QUICKLY(**text == expected, "no '%c' at '%.40s'", expected, *text);
    ++*text;
}

static Listed take_move(const char **text, const Position *position) {
    Listed listed = {.captured = 0};
    int *const fields[] = {&listed.jumps, &listed.oldpiece, &listed.newpiece, &listed.from, &listed.to};
    int at;

    for (int i = 0; i < COUNT(fields); i++) {
        if (i > 0) {
            take(text, ',');
        }
        *fields[i] = take_number(text);
    }
    at = listed.from;
    for (int i = 0; i < listed.jumps; i++) {
        take(text, ',');
        int landed = take_number(text);
        take(text, ',');
        int captured = take_number(text);
        take(text, ',');
        CHECK_QUICKLY(take_number(text) == piece_of(position, captured), "the piece on %d", captured);
        /* It lies on the straight way. */
        int columns = square_column(square_from_number(landed)) - square_column(square_from_number(at));
        int rows = square_row(square_from_number(landed)) - square_row(square_from_number(at));
        int part = square_column(square_from_number(captured)) - square_column(square_from_number(at));
        int rise = square_row(square_from_number(captured)) - square_row(square_from_number(at));
        CHECK_QUICKLY(abs(columns) == abs(rows) && abs(part) == abs(rise) && part * columns > 0 &&
                          rise * rows > 0 && abs(part) < abs(columns),
                      "%d over %d to %d", at, captured, landed);
        listed.captured |= BITBOARD_BIT(square_from_number(captured));
        at = landed;
    }
    CHECK_QUICKLY(listed.jumps == 0 || at == listed.to, "a capture ends on %d, not %d", at, listed.to);
    take(text, ';');
    return listed;
}

/* Asks for the moves of a position and holds them against the generator's. False if there was no room. */
static bool check_list(const CbLibrary *library, Variant variant, const Position *position) {
    const Rules numeric = {.naming = NAMING_NUMERIC};
    FenRecord record = {*position, 0, 1};
    char fen[FEN_SIZE], command[CB_COMMAND_SIZE];
    char reply[CB_REPLY_SIZE + 16];
    MoveList legal;

    fen_write(&record, &numeric, fen);
    CHECK_QUICKLY((size_t)snprintf(command, sizeof command, "get movelist %s", fen) < sizeof command, "%s",
                  fen);
    memset(reply, '#', sizeof reply);
    int done = library->enginecommand(command, reply);
    CHECK_QUICKLY(memchr(reply, '\0', CB_REPLY_SIZE) != NULL && reply[CB_REPLY_SIZE] == '#', "%s: too long",
                  fen);
    if (done == 0) {
        CHECK_QUICKLY(reply[0] == '?', "%s: %s", fen, reply);
        return false;
    }
    movegen_generate(variant, position, &legal);
    const char *text = reply;
    CHECK_QUICKLY(strncmp(text, "movelist ", 9) == 0, "%s: %s", fen, reply);
    text += 9;
    CHECK_QUICKLY(take_number(&text) == legal.count, "%s: %s", fen, reply);
    for (int i = 0; i < legal.count; i++) {
        Position after = position_after(position, legal.moves[i]);
        if (i == 0) {
            take(&text, ',');
        }
        Listed listed = take_move(&text, position);
        CHECK_QUICKLY(listed.from == square_number(move_from(legal.moves[i])) &&
                          listed.to == square_number(move_to(legal.moves[i])) &&
                          listed.captured == move_captured(legal.moves[i]) &&
                          listed.jumps == bitboard_count(listed.captured) &&
                          listed.oldpiece == piece_of(position, listed.from) &&
                          listed.newpiece == piece_of(&after, listed.to),
                      "%s: move %d of %s", fen, i + 1, reply);
    }
    CHECK_QUICKLY(*text == '\0', "%s: %s", fen, reply);
    return true;
}

START_TEST(lists_of_random_positions) {
    Variant variant = (Variant)_i;
    const char *wanted = getenv("CROWNHEAD_TEST_MOVELISTS");
    int rounds = wanted != NULL ? atoi(wanted) : 2000;
    CbLibrary library = load();
    Position position = position_start(rules_of(variant));
    uint64_t state = (uint64_t)variant + 11;
    int plies = 0, refused = 0;

    set_variant(&library, variant);
    for (int round = 0; round < rounds; round++) {
        position = random_play(variant, &position, &plies, &state);
        refused += !check_list(&library, variant, &position);
        Position odd = random_position(24, &state);
        (void)check_list(&library, variant, &odd);
    }
    /* Games have no positions with so many moves. */
    ck_assert_int_eq(refused, 0);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen, *list;
} LISTS[] = {
    /* What CheckerBoard asks when it loads an engine: a side without pieces. */
    {VARIANT_ENGLISH, "B:W1:B", "movelist 0"},
    {VARIANT_RUSSIAN, "B:W1:B", "movelist 0"},
    {VARIANT_ENGLISH, "B:W32:B12", "movelist 1,0,6,6,12,16;"},
    {VARIANT_RUSSIAN, "W:W21:B1", "movelist 1,0,5,5,21,17;"},
    {VARIANT_ENGLISH, "W:W11:B8", "movelist 1,1,5,9,11,4,4,8,6;"},
    {VARIANT_ENGLISH, "W:WK11:B8", "movelist 1,1,9,9,11,4,4,8,6;"},
    /* Ranges, and colours in the other order. */
    {VARIANT_ENGLISH, "W:B1-4:W13", "movelist 1,0,5,5,13,9;"},
};

START_TEST(lists_of_known_positions) {
    CbLibrary library = load();
    char command[CB_COMMAND_SIZE], reply[CB_REPLY_SIZE];

    set_variant(&library, LISTS[_i].variant);
    snprintf(command, sizeof command, "get movelist %s", LISTS[_i].fen);
    ck_assert_int_eq(library.enginecommand(command, reply), 1);
    ck_assert_str_eq(reply, LISTS[_i].list);
}
END_TEST

/* ---- Captures ------------------------------------------------------------------------------------------ */

/* Captures of special kinds, each one of so many legal moves. */
static const struct {
    Variant variant;
    const char *fen;
    int legal, from, to, captured[CAPTURES_MAX];
} CAPTURES[] = {
    /* In a circle. */
    {VARIANT_ENGLISH, "B:W6,7,14,15:BK2", 1, 2, 2, {6, 7, 14, 15}},
    {VARIANT_RUSSIAN, "W:W12,32:B6,8,9,10,K19,20,22", 3, 12, 12, {8, 10, 19, 22}},
    {VARIANT_RUSSIAN, "W:WK30:B8,10,19,25", 3, 30, 30, {8, 10, 19, 25}},
    /* Nine jumps, as many as there can be by a king that does not fly. */
    {VARIANT_ENGLISH, "W:WK25:B6,7,8,14,15,16,22,23,24", 4, 25, 4, {6, 7, 8, 14, 15, 16, 22, 23, 24}},
    /* The same ends, and different pieces that are taken. */
    {VARIANT_ENGLISH, "B:W6,7,14,15:B2", 2, 2, 18, {6, 14}},
    {VARIANT_ENGLISH, "B:W6,7,14,15:B2", 2, 2, 18, {7, 15}},
    {VARIANT_RUSSIAN, "W:WK3,13,20,21,23,24,25,28:B4,8,14,15,16", 3, 3, 17, {14}},
    {VARIANT_RUSSIAN, "W:WK3,13,20,21,23,24,25,28:B4,8,14,15,16", 3, 3, 17, {8, 14, 15, 16}},
    {VARIANT_RUSSIAN, "W:WK3,13,20,21,23,24,25,28:B4,8,14,15,16", 3, 20, 9, {14, 15, 16}},
    /* A man that goes on as a king. */
    {VARIANT_RUSSIAN, "W:W11:B7,9", 1, 11, 13, {7, 9}},
};

static Bitboard captured_of(int index) {
    Bitboard captured = 0;

    for (int i = 0; i < CAPTURES_MAX && CAPTURES[index].captured[i] != 0; i++) {
        captured |= BITBOARD_BIT(square_from_number(CAPTURES[index].captured[i]));
    }
    return captured;
}

START_TEST(captures_of_all_kinds) {
    Variant variant = CAPTURES[_i].variant;
    CbLibrary library = load();
    Position position = position_of(CAPTURES[_i].fen);
    int board[8][8], color = position.turn == WHITE ? 1 : 2;
    int found = 0;
    CbMove told;
    MoveList legal;

    set_variant(&library, variant);
    movegen_generate(variant, &position, &legal);
    ck_assert_int_eq(legal.count, CAPTURES[_i].legal);
    ck_assert(check_list(&library, variant, &position));
    for (int i = 0; i < legal.count; i++) {
        Move move = legal.moves[i];
        Position after = position_after(&position, move);
        found += move_captured(move) == captured_of(_i) &&
                 square_number(move_from(move)) == CAPTURES[_i].from &&
                 square_number(move_to(move)) == CAPTURES[_i].to;
        board_write(&after, board);
        ck_assert_uint_eq(board_find(&legal, &position, board), move);
        board_write_move(variant, &position, move, &told);
        ck_assert_int_eq(told.jumps, bitboard_count(move_captured(move)));
        ck_assert_uint_eq(board_find_move(&legal, &told), move);
    }
    ck_assert_int_eq(found, 1);
    board_write(&position, board);
    ck_assert_int_eq(library.islegal(board, color, CAPTURES[_i].from, CAPTURES[_i].to, &told), 1);
    ck_assert_int_eq(library.islegal(board, color, CAPTURES[_i].from, 29, &told), 0);
    ck_assert_int_eq(library.islegal(board, color, 0, 33, NULL), 0);
}
END_TEST

/* The engine makes one of the legal moves on the board, and tells the same one. */
static Move play_move(const CbLibrary *library, Variant variant, const Position *position, double seconds,
                      int info, int moreinfo, int expected) {
    char status[CB_STATUS_SIZE];
    int board[8][8], playnow = 0;
    MoveList legal;
    CbMove told;

    movegen_generate(variant, position, &legal);
    board_write(position, board);
    int result = library->getmove(board, position->turn == WHITE ? 1 : 2, seconds, status, &playnow, info,
                                  moreinfo, &told);
    Move move = board_find(&legal, position, board);
    ck_assert_msg(move != MOVE_NONE, "no legal move: %s", status);
    ck_assert_uint_eq(board_find_move(&legal, &told), move);
    ck_assert_int_eq(result, expected);
    ck_assert_ptr_nonnull(memchr(status, '\0', sizeof status));
    return move;
}

START_TEST(captures_are_played) {
    Variant variant = CAPTURES[_i].variant;
    CbLibrary library = load();
    Position position = position_of(CAPTURES[_i].fen);
    bool all = bitboard_count(captured_of(_i)) == bitboard_count(position_opponent(&position));

    set_variant(&library, variant);
    Move move = play_move(&library, variant, &position, 0.02, 0, 0, all ? CB_WIN : CB_UNKNOWN);
    if (all) {
        ck_assert_uint_eq(move_captured(move), captured_of(_i));
    }
}
END_TEST

/* ---- Moves --------------------------------------------------------------------------------------------- */

START_TEST(a_game_by_every_kind_of_time) {
    Variant variant = (Variant)_i;
    CbLibrary library = load();
    Position position = position_start(rules_of(variant));
    uint64_t state = 3;
    MoveList legal;

    set_variant(&library, variant);
    for (int ply = 0; ply < 40; ply++) {
        movegen_generate(variant, &position, &legal);
        if (legal.count == 0) {
            break;
        }
        Move move = legal.moves[random_below(&state, legal.count)];
        if (ply % 2 == 0) {
            int mode = ply / 2 % 5;
            int info = mode == 4 ? CB_EXACT_TIME : mode << CB_INCREMENT_SHIFT;
            int moreinfo = mode == 1 ? 100 << 16 | 10 : mode == 2 ? 10 << 16 | 1 : mode == 3 ? 1 << 16 : 0;
            char status[CB_STATUS_SIZE];
            int board[8][8], playnow = 0;
            CbMove told;
            board_write(&position, board);
            library.getmove(board, position.turn == WHITE ? 1 : 2, 0.01, status, &playnow, info, moreinfo,
                            &told);
            move = board_find(&legal, &position, board);
            ck_assert_msg(move != MOVE_NONE, "no legal move at ply %d: %s", ply, status);
        }
        position = position_after(&position, move);
    }
}
END_TEST

START_TEST(times_that_make_no_sense_end) {
    static const double times[] = {-1, 0, 1e-300, (double)NAN, -(double)INFINITY};
    CbLibrary library = load();
    Position position = position_start(rules_of(VARIANT_ENGLISH));

    for (int info = 0; info <= CB_EXACT_TIME; info += CB_EXACT_TIME) {
        for (int i = 0; i < COUNT(times); i++) {
            (void)play_move(&library, VARIANT_ENGLISH, &position, times[i], info, 0, CB_UNKNOWN);
        }
    }
    /* A clock that has run out. */
    (void)play_move(&library, VARIANT_ENGLISH, &position, 1000, CB_INCREMENT_100_MS << CB_INCREMENT_SHIFT, 0,
                    CB_UNKNOWN);
}
END_TEST

/* They are found beside the library, wherever the process was started. */
START_TEST(databases_are_asked) {
    CbLibrary library = load();
    char status[CB_STATUS_SIZE], reply[CB_REPLY_SIZE];

    for (int wld = 1; wld >= 0; wld--) {
        Position position = position_of("W:WK19,K23,32:B12,K28");
        int board[8][8], playnow = 0;
        CbMove told;
        ck_assert_int_eq(library.enginecommand(wld != 0 ? "set enable_wld 1" : "set enable_wld 0", reply), 1);
        board_write(&position, board);
        library.getmove(board, CB_WHITE, 0.1, status, &playnow, CB_EXACT_TIME, 0, &told);
        ck_assert_msg((strstr(status, " db 0 ") != NULL) == (wld == 0), "%s", status);
    }
}
END_TEST

START_TEST(without_a_move_the_game_is_lost) {
    static const char *const fens[] = {"W:W:B1-12", "B:W1:B", "W:W32:B27,28,23,24,18,19,20", "W:W5:B1"};
    CbLibrary library = load();
    char status[CB_STATUS_SIZE];
    int playnow = 0;

    for (int i = 0; i < COUNT(fens); i++) {
        Position position = position_of(fens[i]);
        bool lost = !movegen_has_move(VARIANT_ENGLISH, &position);
        int board[8][8], before[8][8];
        CbMove told;
        board_write(&position, board);
        memcpy(before, board, sizeof board);
        int result =
            library.getmove(board, position.turn == WHITE ? 1 : 2, 0.01, status, &playnow, 0, 0, &told);
        ck_assert_int_eq(lost, result == CB_LOSS);
        ck_assert_int_eq(lost, memcmp(board, before, sizeof board) == 0);
    }
}
END_TEST

static void *press_play(void *argument) {
    usleep(100 * 1000);
    *(volatile int *)argument = 1;
    return NULL;
}

/* Else it would think for weeks: the test ends by its time. */
START_TEST(play_now_ends_it) {
    CbLibrary library = load();
    char status[CB_STATUS_SIZE];

    for (int round = 0; round < 3; round++) {
        Position position = position_start(rules_of(VARIANT_ENGLISH));
        int board[8][8], playnow = 0;
        pthread_t thread;
        CbMove told;
        board_write(&position, board);
        ck_assert_int_eq(pthread_create(&thread, NULL, press_play, &playnow), 0);
        int info = round == 0 ? 0 : round == 1 ? CB_EXACT_TIME : CB_INCREMENT_100_MS << CB_INCREMENT_SHIFT;
        library.getmove(board, CB_BLACK, 1e30, status, &playnow, info, -1, &told);
        pthread_join(thread, NULL);
        Position after;
        ck_assert(board_read(board, CB_WHITE, &after) && !position_equal(&after, &position));
        ck_assert_msg(strstr(status, "depth ") != NULL && strstr(status, "pv ") != NULL, "%s", status);
    }
}
END_TEST

/* White has one move. For the third time the same position is a draw, else Black's kings win. */
START_TEST(a_history_counts_repetitions) {
    static const char *const histories[] = {
        "set gamehist W:WK29:BK3,K4,K12",
        "set gamehist W:WK29:BK3,K4,K12 29-25 4-8 25-29 8-4 29-25 4-8 25-29 8-4",
    };
    CbLibrary library = load();
    char status[CB_STATUS_SIZE], reply[CB_REPLY_SIZE];

    ck_assert_int_eq(library.enginecommand("set enable_wld 0", reply), 1);
    for (int i = 0; i < 2; i++) {
        Position position = position_of("W:WK29:BK3,K4,K12");
        int board[8][8], playnow = 0;
        CbMove told;
        board_write(&position, board);
        ck_assert_int_eq(library.enginecommand(histories[i], reply), 1);
        library.getmove(board, CB_WHITE, 0.02, status, &playnow, CB_EXACT_TIME, 0, &told);
        ck_assert_msg(strstr(status, i == 0 ? "value -" : "value +0.00 ") != NULL, "%s", status);
    }
}
END_TEST

START_TEST(a_history_may_be_anything) {
    CbLibrary library = load();
    char reply[CB_REPLY_SIZE];
    char *text = malloc(20000);
    Position position = position_of("W:WK19,K23:B12,K28");

    ck_assert_int_eq(library.enginecommand("set gamehist W:WK19,K23:B12,K28 19-15 28-24 15-28", reply), 0);
    ck_assert_int_eq(library.enginecommand("set gamehist W:WK15,K23:BK28,12", reply), 1);
    ck_assert_int_eq(library.enginecommand("set gamehist", reply), 0);
    ck_assert_int_eq(library.enginecommand("set gamehist rubbish 1-2", reply), 0);
    (void)play_move(&library, VARIANT_ENGLISH, &position, 0.02, 0, 0, CB_UNKNOWN);
    /* Ten kilobytes, all of it moves. */
    strcpy(text, "set gamehist B:WK32:BK1");
    for (int i = 0; strlen(text) < 10000; i++) {
        strcat(text, i % 2 == 0 ? " 1-6 32-27" : " 6-1 27-32");
    }
    ck_assert_int_eq(library.enginecommand(text, reply), 1);
    position = position_of("B:WK32:BK1");
    (void)play_move(&library, VARIANT_ENGLISH, &position, 0.02, 0, 0, CB_UNKNOWN);
    /* And all of it one word. */
    memset(text + 13, '9', 10000);
    ck_assert_int_eq(library.enginecommand(text, reply), 0);
    memcpy(text, "get movelist", 12);
    ck_assert_int_eq(library.enginecommand(text, reply), 0);
    memcpy(text, "set dbpath  ", 12);
    ck_assert_int_eq(library.enginecommand(text, reply), 0);
    free(text);
}
END_TEST

/* The first position is in the book: nothing is searched then, but in analysis. */
START_TEST(the_book_is_asked) {
    static const struct {
        Variant variant;
        const char *mode;
        double seconds;
        bool known;
    } rows[] = {
        {VARIANT_ENGLISH, "set book 0", 0.05, false}, {VARIANT_ENGLISH, "set book 1", 1000, true},
        {VARIANT_ENGLISH, "set book 2", 1000, true},  {VARIANT_ENGLISH, "set book 3", 1000, true},
        {VARIANT_ENGLISH, "set book 3", 3599, true},  {VARIANT_ENGLISH, "set book 3", 3600, false},
        {VARIANT_RUSSIAN, "set book 3", 1000, true},  {VARIANT_RUSSIAN, "set book 0", 0.05, false},
    };
    CbLibrary library = load();

    for (size_t i = 0; i < COUNT(rows); i++) {
        Position position = position_start(rules_of(rows[i].variant));
        char reply[CB_REPLY_SIZE], status[CB_STATUS_SIZE];
        int board[8][8];
        int playnow = rows[i].seconds >= 3600; /* analysis would have no end */
        MoveList legal;
        set_variant(&library, rows[i].variant);
        ck_assert_int_eq(library.enginecommand(rows[i].mode, reply), 1);
        movegen_generate(rows[i].variant, &position, &legal);
        board_write(&position, board);
        library.getmove(board, position.turn == WHITE ? 1 : 2, rows[i].seconds, status, &playnow,
                        CB_EXACT_TIME, 0, NULL);
        ck_assert_uint_ne(board_find(&legal, &position, board), MOVE_NONE);
        ck_assert_msg((strstr(status, "nodes 0 ") != NULL) == rows[i].known, "%s: %s", rows[i].mode, status);
    }
}
END_TEST

/* ---- Commands ------------------------------------------------------------------------------------------ */

static const struct {
    const char *command;
    int handled;
    const char *reply; /* its begin */
} COMMANDS[] = {
    {"name", 1, "Crownhead "},
    {"about", 1, "Crownhead "},
    {"help", 0, "?"},
    {"get protocolversion", 1, "2"},
    {"get gametype", 1, "21"},
    {"set gametype 25", 1, "25"},
    {"set gametype 22", 0, "?"},
    {"set gametype", 0, "?"},
    {"get hashsize", 1, "64"},
    {"set hashsize 8", 1, "8"},
    {"SET HashSize 8", 1, "8"},
    {"set hashsize 0", 0, "? '0' is not a number from 1 to"},
    {"set hashsize many", 0, "? 'many'"},
    {"get searchthreads", 1, "1"},
    {"set searchthreads 2", 1, "2"},
    {"set searchthreads 1000000", 0, "?"},
    {"set book 3", 1, "3"},
    {"set book 4", 0, "?"},
    {"get bookfile", 1, ""},
    {"set bookfile a b.bin", 0, "? No such file"},
    {"set bookfile", 1, ""},
    {"set dbmbytes 32", 1, "32"},
    {"set dbmbytes 100000000", 0, "?"},
    {"set dbpath /nowhere at all", 0, "? /nowhere at all: "},
    {"set dbpath", 1, ""},
    {"set enable_wld 0", 1, "0"},
    {"set enable_wld 2", 0, "?"},
    {"get movelist", 0, "?"},
    {"get movelist B:W1,1", 0, "?"},
    {"set movelist B:W1:B", 0, "?"},
    {"get gamehist", 0, "?"},
    {"set max_dbpieces 4", 1, "4"},
    {"set max_dbpieces 99", 0, "?"},
    {"get enable_mtc", 0, "?"},
    {"set allscores 1", 0, "?"},
    {"get", 0, "?"},
    {"set", 0, "?"},
    {"", 0, "?"},
    {"solve", 0, "?"},
    {"make tea", 0, "?"},
};

START_TEST(commands_are_answered) {
    CbLibrary library = load();
    char reply[CB_REPLY_SIZE];

    int handled = library.enginecommand(COMMANDS[_i].command, reply);
    ck_assert_msg(handled == COMMANDS[_i].handled, "%s: %s", COMMANDS[_i].command, reply);
    ck_assert_msg(strncmp(reply, COMMANDS[_i].reply, strlen(COMMANDS[_i].reply)) == 0, "%s: %s",
                  COMMANDS[_i].command, reply);
}
END_TEST

START_TEST(nothing_instead_of_something) {
    CbLibrary library = load();
    Position position = position_start(rules_of(VARIANT_ENGLISH));
    char reply[CB_REPLY_SIZE];
    int board[8][8];

    ck_assert_int_eq(library.enginecommand(NULL, reply), 0);
    ck_assert_int_eq(library.enginecommand(NULL, NULL), 0);
    ck_assert_int_eq(library.enginecommand("name", NULL), 1);
    board_write(&position, board);
    ck_assert_int_eq(library.getmove(board, CB_BLACK, 0.01, NULL, NULL, 0, 0, NULL), CB_UNKNOWN);
    ck_assert_int_eq(library.getmove(NULL, CB_BLACK, 0.01, NULL, NULL, 0, 0, NULL), CB_UNKNOWN);
    ck_assert_int_eq(library.islegal(NULL, CB_BLACK, 1, 2, NULL), 0);
}
END_TEST

static void *play_on(void *argument) {
    CbLibrary *library = argument;
    Position position = position_start(rules_of(VARIANT_ENGLISH));

    for (int i = 0; i < 20; i++) {
        int board[8][8], playnow = 0;
        char status[CB_STATUS_SIZE];
        CbMove told;
        board_write(&position, board);
        library->getmove(board, CB_BLACK, 0.02, status, &playnow, CB_EXACT_TIME, 0, &told);
    }
    return NULL;
}

/* CheckerBoard's window goes on while the engine thinks: what it asks for is answered or refused at once. */
START_TEST(commands_while_it_thinks) {
    CbLibrary library = load();
    char reply[CB_REPLY_SIZE];
    pthread_t thread;
    int refused = 0;

    ck_assert_int_eq(pthread_create(&thread, NULL, play_on, &library), 0);
    for (int i = 0; i < 100; i++) {
        CHECK_QUICKLY(library.enginecommand("get movelist B:W32:B12", reply) == 1, "%s", reply);
        CHECK_QUICKLY(library.enginecommand("name", reply) == 1, "%s", reply);
        refused += library.enginecommand(i % 2 == 0 ? "set hashsize 2" : "set hashsize 4", reply) == 0;
        usleep(3000);
    }
    pthread_join(thread, NULL);
    ck_assert_int_gt(refused, 0);
    ck_assert_int_eq(library.enginecommand("set hashsize 3", reply), 1);
}
END_TEST

START_TEST(a_library_is_loaded_again) {
    for (int round = 0; round < 3; round++) {
        CbLibrary library = load();
        Position position = position_start(rules_of(VARIANT_ENGLISH));
        (void)play_move(&library, VARIANT_ENGLISH, &position, 0.01, 0, 0, CB_UNKNOWN);
        cb_library_close(&library);
    }
}
END_TEST

START_TEST(what_is_no_engine_is_refused) {
    CbLibrary library;
    ParseError error;

    ck_assert(!cb_library_open(&library, "/nowhere/engine.so", &error));
    ck_assert_msg(strstr(error.text, "/nowhere/engine.so") != NULL, "%s", error.text);
    ck_assert(!cb_library_open(&library, "libm.so.6", &error));
    ck_assert(!cb_library_open(&library, __FILE__, &error));
}
END_TEST

START_TEST(numbers_of_games) {
    ck_assert_int_eq(gametype_of(VARIANT_ENGLISH), 21);
    ck_assert_int_eq(gametype_of(VARIANT_RUSSIAN), 25);
    ck_assert_int_eq(gametype_variant(25), VARIANT_RUSSIAN);
    ck_assert_int_eq(gametype_variant(22), VARIANT_COUNT);
    ck_assert_str_eq(gametype_name(22), "Italian draughts");
    ck_assert_ptr_null(gametype_name(27));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("checkerboard");
    TCase *boards = tcase_create("boards");
    TCase *moves = tcase_create("moves");
    TCase *commands = tcase_create("commands");

    tcase_set_timeout(boards, 300);
    tcase_add_test(boards, boards_there_and_back);
    tcase_add_test(boards, bad_boards_are_refused);
    tcase_add_loop_test(boards, lists_of_random_positions, 0, VARIANT_COUNT);
    tcase_add_loop_test(boards, lists_of_known_positions, 0, COUNT(LISTS));
    tcase_add_loop_test(boards, captures_of_all_kinds, 0, COUNT(CAPTURES));
    tcase_add_test(boards, numbers_of_games);
    suite_add_tcase(suite, boards);
    tcase_set_timeout(moves, 120);
    tcase_add_loop_test(moves, captures_are_played, 0, COUNT(CAPTURES));
    tcase_add_loop_test(moves, a_game_by_every_kind_of_time, 0, VARIANT_COUNT);
    tcase_add_test(moves, times_that_make_no_sense_end);
    tcase_add_test(moves, without_a_move_the_game_is_lost);
    tcase_add_test(moves, databases_are_asked);
    tcase_add_test(moves, the_book_is_asked);
    tcase_add_test(moves, play_now_ends_it);
    tcase_add_test(moves, a_history_counts_repetitions);
    tcase_add_test(moves, a_history_may_be_anything);
    suite_add_tcase(suite, moves);
    tcase_set_timeout(commands, 120);
    tcase_add_loop_test(commands, commands_are_answered, 0, COUNT(COMMANDS));
    tcase_add_test(commands, nothing_instead_of_something);
    tcase_add_test(commands, commands_while_it_thinks);
    tcase_add_test(commands, a_library_is_loaded_again);
    tcase_add_test(commands, what_is_no_engine_is_refused);
    suite_add_tcase(suite, commands);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
