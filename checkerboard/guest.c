#include "checkerboard/guest.h"

#include "checkerboard/board.h"
#include "checkerboard/gametype.h"
#include "engine/fen.h"
#include "engine/hub_notation.h"
#include "engine/text.h"
#include "protocol/place.h"
#include "search/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a search without end is given. */
static const double SECONDS_ENDLESS = 1e6;

/* ---- Words --------------------------------------------------------------------------------------------- */

/* Copies a text that may have no end as one line of printable characters, without blanks at its ends. */
static void copy_line(const char *text, char line[static GUEST_TEXT_SIZE]) {
    size_t length = 0;

    for (size_t i = 0; i < GUEST_TEXT_SIZE - 1 && text[i] != '\0'; i++) {
        bool printable = text[i] > ' ' && text[i] <= '~';
        if (printable || (length > 0 && line[length - 1] != ' ')) {
            line[length++] = printable ? text[i] : ' ';
        }
    }
    line[length > 0 && line[length - 1] == ' ' ? length - 1 : length] = '\0';
}

static bool guest_command(Guest *guest, const char *command, char reply[static GUEST_TEXT_SIZE]) {
    char copy[CB_COMMAND_SIZE] = {0}; /* engines are known to write to it */
    char *raw = calloc(1, GUEST_TEXT_SIZE);

    reply[0] = '\0';
    if (raw == NULL || strlen(command) >= sizeof copy) {
        free(raw);
        return false;
    }
    memcpy(copy, command, strlen(command) + 1);
    bool done = guest->library.enginecommand(copy, raw) != 0;
    raw[GUEST_TEXT_SIZE - 1] = '\0';
    copy_line(raw, reply);
    free(raw);
    return done;
}

bool guest_set(Guest *guest, const char *name, View value, char reply[static GUEST_TEXT_SIZE]) {
    char command[CB_COMMAND_SIZE];
    Text text = text_init(command, sizeof command);

    text_add(&text, "set ");
    text_add(&text, name);
    text_add_char(&text, ' ');
    if (text.length + value.length >= sizeof command) {
        snprintf(reply, GUEST_TEXT_SIZE, "the interface has no room for so long a text");
        return false;
    }
    for (size_t i = 0; i < value.length; i++) {
        text_add_char(&text, value.start[i]);
    }
    return guest_command(guest, command, reply);
}

bool guest_get(Guest *guest, const char *name, char reply[static GUEST_TEXT_SIZE]) {
    char command[CB_COMMAND_SIZE];

    snprintf(command, sizeof command, "get %s", name);
    return guest_command(guest, command, reply);
}

/* ---- Games --------------------------------------------------------------------------------------------- */

/* The number of the game that it plays; those that do not tell play English checkers. */
static int ask_gametype(Guest *guest) {
    char reply[GUEST_TEXT_SIZE];
    uint64_t number;

    if (guest_get(guest, "gametype", reply) && view_digits(view_of(reply), &number) && number < 100) {
        return (int)number;
    }
    return gametype_of(VARIANT_ENGLISH);
}

static bool ask_to_play(Guest *guest, Variant variant) {
    char number[12], reply[GUEST_TEXT_SIZE];

    snprintf(number, sizeof number, "%d", gametype_of(variant));
    return ask_gametype(guest) == gametype_of(variant) ||
           (guest_set(guest, "gametype", view_of(number), reply) &&
            ask_gametype(guest) == gametype_of(variant));
}

static void take_game(Guest *guest, const Game *game, const GuestTail *tail) {
    game_deinit(&guest->game);
    guest->game = *game;
    guest->tail = *tail;
}

static void start_game(Guest *guest) {
    ParseError error;

    (void)guest_set_position(guest, view_of("startpos"), &error);
}

bool guest_init(Guest *guest, const char *path, ParseError *error) {
    char reply[GUEST_TEXT_SIZE];

    *guest = (Guest){.reset = true};
    if (!cb_library_open(&guest->library, path, error)) {
        return false;
    }
    bool named = guest_command(guest, "name", reply) && reply[0] != '\0';
    snprintf(guest->name, sizeof guest->name, "%.60s", named ? reply : "a CheckerBoard engine");
    int number = ask_gametype(guest);
    guest->variant = gametype_variant(number);
    if (guest->variant == VARIANT_COUNT) {
        const char *game = gametype_name(number);
        snprintf(error->text, sizeof error->text, "%s plays %s (%d), which is none of our games", guest->name,
                 game != NULL ? game : "a game of its own", number);
        cb_library_close(&guest->library);
        return false;
    }
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        guest->plays[variant] = ask_to_play(guest, variant);
    }
    (void)ask_to_play(guest, guest->variant);
    start_game(guest);
    return true;
}

void guest_deinit(Guest *guest) {
    game_deinit(&guest->game);
}

bool guest_set_variant(Guest *guest, Variant variant) {
    if (!guest->plays[variant] || !ask_to_play(guest, variant)) {
        return false;
    }
    if (variant != guest->variant) {
        guest->variant = variant;
        guest->reset = true;
        start_game(guest);
    }
    return true;
}

/* ---- Positions ----------------------------------------------------------------------------------------- */

static void drop_oldest(GuestTail *tail) {
    tail->start = position_after(&tail->start, tail->moves[0]);
    tail->count--;
    memmove(tail->moves, tail->moves + 1, (size_t)tail->count * sizeof tail->moves[0]);
}

static void note_played(void *user, const Position *before, Move move) {
    GuestTail *tail = user;

    if (move_is_capture(move) || (before->kings & BITBOARD_BIT(move_from(move))) == 0) {
        tail->count = 0;
        return;
    }
    if (tail->count == 0) {
        tail->start = *before;
    } else if (tail->count == GUEST_TAIL_MAX) {
        drop_oldest(tail);
    }
    tail->moves[tail->count++] = move;
}

bool guest_set_position(Guest *guest, View text, ParseError *error) {
    GuestTail tail = {.count = 0};
    PlacePlayed played = {&tail, note_played};
    Game game;

    if (!place_read(text, guest->variant, &rules_of(guest->variant)->draws, &played, &game, error)) {
        return false;
    }
    take_game(guest, &game, &tail);
    return true;
}

/* Plays moves as far as that is possible. */
static bool play_hub_moves(View moves, Game *game, GuestTail *tail, ParseError *error) {
    View token;

    while ((token = view_token(&moves)).length > 0) {
        Position before = game->position;
        Move move;
        if (!hub_move_read(game->variant, &before, token, &move, error)) {
            return false;
        }
        if (game_play(game, move) != 0) {
            snprintf(error->text, sizeof error->text, "out of memory");
            return false;
        }
        note_played(tail, &before, move);
    }
    return true;
}

bool guest_set_hub_position(Guest *guest, View position, View moves, ParseError *error) {
    const Rules *rules = rules_of(guest->variant);
    Position start = position_start(rules);
    GuestTail tail = {.count = 0};
    Game game;

    if (position.length > 0 && !hub_position_read(position, &start, error)) {
        return false;
    }
    game_init(&game, guest->variant, &rules->draws, &start, draw_state_init(&rules->draws, &start, 0), 1);
    bool done = play_hub_moves(moves, &game, &tail, error);
    take_game(guest, &game, &tail);
    return done;
}

/* "FEN moves...", squares as numbers in every game. */
static void write_history(const GuestTail *tail, Text *text) {
    const Rules numeric = {.naming = NAMING_NUMERIC};
    FenRecord record = {tail->start, 0, 1};
    char fen[FEN_SIZE];

    fen_write(&record, &numeric, fen);
    text_add(text, fen);
    for (int i = 0; i < tail->count; i++) {
        text_add_char(text, ' ');
        text_add_number(text, (unsigned)square_number(move_from(tail->moves[i])));
        text_add_char(text, '-');
        text_add_number(text, (unsigned)square_number(move_to(tail->moves[i])));
    }
}

/* Tells of as many moves back as the interface has room for. */
static void tell_history(Guest *guest) {
    enum { ROOM = CB_COMMAND_SIZE - sizeof "set gamehist" };
    GuestTail tail = guest->tail;
    char history[ROOM], reply[GUEST_TEXT_SIZE];

    if (tail.count == 0) {
        tail.start = guest->game.position;
    }
    for (;;) {
        Text text = text_init(history, sizeof history);
        write_history(&tail, &text);
        if (text.length + 1 < text.size) {
            (void)guest_set(guest, "gamehist", (View){history, text.length}, reply);
            return;
        }
        if (tail.count == 0) {
            return;
        }
        drop_oldest(&tail);
    }
}

/* ---- A move -------------------------------------------------------------------------------------------- */

/* The clock in the finest unit that it fits in. */
static void tell_clock(const SearchLimits *limits, Color side, int *info, int *moreinfo) {
    static const int units[] = {1, 10, 100};
    int64_t left = limits->time[side] - limits->overhead;
    int64_t increment = limits->increment[side];
    int mode = CB_INCREMENT_1_MS;

    left = left < 0 ? 0 : left;
    while (mode < CB_INCREMENT_100_MS &&
           (left > increment ? left : increment) / units[mode - 1] > CB_TIME_UNITS_MAX) {
        mode++;
    }
    left /= units[mode - 1];
    increment /= units[mode - 1];
    left = left < CB_TIME_UNITS_MAX ? left : CB_TIME_UNITS_MAX;
    increment = increment < CB_TIME_UNITS_MAX ? increment : CB_TIME_UNITS_MAX;
    *info |= mode << CB_INCREMENT_SHIFT;
    *moreinfo = (int)((uint32_t)left << 16 | (uint32_t)increment);
}

/* The seconds for a move, and what else the interface can say of time. */
static double tell_time(const SearchLimits *limits, Color side, int *info, int *moreinfo) {
    TimeBudget budget = clock_budget(limits, side);

    if (!budget.timed || limits->infinite || limits->ponder) {
        return SECONDS_ENDLESS;
    }
    if (!limits->has_clock || (limits->has_movetime && budget.optimum == limits->movetime)) {
        *info |= CB_EXACT_TIME;
    } else if (limits->movestogo == 0) {
        tell_clock(limits, side, info, moreinfo);
    }
    return (double)budget.optimum / 1000;
}

static Move find_move(const Guest *guest, const MoveList *legal, int board[8][8], const CbMove *told,
                      ParseError *error) {
    Move move = board_find(legal, &guest->game.position, board);

    if (move == MOVE_NONE) {
        move = board_find_move(legal, told);
    }
    if (move == MOVE_NONE) {
        snprintf(error->text, sizeof error->text, "%s made a board that no legal move leads to", guest->name);
    }
    return move;
}

Move guest_think(Guest *guest, const SearchLimits *limits, ParseError *error) {
    const Position *position = &guest->game.position;
    int info = guest->reset ? CB_RESET_MOVES : 0, moreinfo = 0;
    int board[8][8];
    CbMove told = {.jumps = -1};
    MoveList legal;

    movegen_generate(guest->variant, position, &legal);
    if (legal.count == 0) {
        error->text[0] = '\0';
        return MOVE_NONE;
    }
    double seconds = tell_time(limits, (Color)position->turn, &info, &moreinfo);
    tell_history(guest);
    board_write(position, board);
    guest->reset = false;
    guest->library.getmove(board, board_color((Color)position->turn), seconds, guest->status, &guest->playnow,
                           info, moreinfo, &told);
    return find_move(guest, &legal, board, &told, error);
}

void guest_play_now(Guest *guest) {
    *(volatile int *)&guest->playnow = 1;
}

void guest_status(const Guest *guest, char line[static GUEST_TEXT_SIZE]) {
    copy_line(guest->status, line);
}
