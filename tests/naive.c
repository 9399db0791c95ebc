/* The slow move generator, as close to the words of the rules as C allows. */
#include "tests/naive.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const NaiveRules NAIVE_RULES[NAIVE_GAMES] = {
    {"english", 'b', false, false, NAIVE_CROWNED_AND_STOPS, false},
    {"russian", 'w', true, true, NAIVE_CROWNED_AND_GOES_ON, false},
    {"brazilian", 'w', true, true, NAIVE_CROWNED_IF_IT_ENDS_THERE, true},
    {"pool", 'b', true, true, NAIVE_CROWNED_IF_IT_ENDS_THERE, false},
};

const NaiveRules *naive_rules_of(const char *name) {
    for (int i = 0; i < NAIVE_GAMES; i++) {
        if (strcmp(NAIVE_RULES[i].name, name) == 0) {
            return &NAIVE_RULES[i];
        }
    }
    return NULL;
}

/* Numbers run row by row from b8, the top left square of the board as White sees it. */
static int number_at(int row, int column) {
    return (7 - row) * 4 + column / 2 + 1;
}

static int row_of(int number) {
    return 7 - (number - 1) / 4;
}

static int column_of(int number) {
    return (number - 1) % 4 * 2 + row_of(number) % 2;
}

static bool on_board(int row, int column) {
    return row >= 0 && row < 8 && column >= 0 && column < 8;
}

static int forward(char side) {
    return side == 'w' ? 1 : -1;
}

static bool last_row(char side, int row) {
    return row == (side == 'w' ? 7 : 0);
}

static char man_of(char side) {
    return side;
}

static char king_of(char side) {
    return side == 'w' ? 'W' : 'B';
}

static char other(char side) {
    return side == 'w' ? 'b' : 'w';
}

static bool belongs(char cell, char side) {
    return cell == man_of(side) || cell == king_of(side);
}

/* A piece that is taken stays on the board till the capture ends: it blocks and cannot be taken again. */
static const char TAKEN = 'x';

/* A capture in the making. list may be NULL, to learn only whether there is a capture. */
typedef struct {
    const NaiveRules *rules;
    NaiveBoard board;
    char side;
    NaiveRoute route;
    NaiveList *list;
} Capture;

static void append(NaiveList *list, const NaiveRoute *route) {
    assert(list->count < NAIVE_ROUTES_MAX);
    list->route[list->count++] = *route;
}

static bool capture_from(Capture *capture, int row, int column, bool king);

/* Takes the piece at (row, column), jumping in the given direction, and lands wherever that is allowed. */
static void capture_piece(Capture *capture, int row, int column, int up, int right, bool king) {
    const NaiveRules *rules = capture->rules;
    NaiveRoute *route = &capture->route;
    char victim = capture->board.cell[row][column];
    int reach = king && rules->flying_kings ? 7 : 1;
    uint32_t bit = (uint32_t)1 << (number_at(row, column) - 1);

    capture->board.cell[row][column] = TAKEN;
    route->taken[route->captures] = (uint8_t)number_at(row, column);
    route->taken_set |= bit;
    route->captures++;

    /* While a landing square offers a further capture, none of those that do not may be chosen. */
    bool further = false;
    for (int pass = 0; pass < 2 && !further; pass++) {
        for (int step = 1; step <= reach; step++) {
            int to_row = row + up * step;
            int to_column = column + right * step;
            if (!on_board(to_row, to_column) || capture->board.cell[to_row][to_column] != '.') {
                break;
            }
            bool reached = !king && last_row(capture->side, to_row);
            bool stops = reached && rules->crowning == NAIVE_CROWNED_AND_STOPS;
            bool crowned_now = reached && rules->crowning != NAIVE_CROWNED_IF_IT_ENDS_THERE;
            bool crowned_before = route->crowned;

            route->square[route->captures] = (uint8_t)number_at(to_row, to_column);
            route->crowned = crowned_before || crowned_now;
            if (pass == 0 && !stops) {
                further |= capture_from(capture, to_row, to_column, king || crowned_now);
            } else if (pass == 1) {
                route->crowned = crowned_before || reached;
                append(capture->list, route);
            }
            route->crowned = crowned_before;
        }
    }

    route->captures--;
    route->taken_set &= ~bit;
    capture->board.cell[row][column] = victim;
}

/* Makes every capture from a square; returns whether there was one. */
static bool capture_from(Capture *capture, int row, int column, bool king) {
    bool found = false;
    for (int up = -1; up <= 1; up += 2) {
        if (!king && !capture->rules->men_capture_backward && up != forward(capture->side)) {
            continue;
        }
        for (int right = -1; right <= 1; right += 2) {
            int reach = king && capture->rules->flying_kings ? 7 : 1;
            int step = 1;
            while (step < reach && on_board(row + up * step, column + right * step) &&
                   capture->board.cell[row + up * step][column + right * step] == '.') {
                step++;
            }
            int victim_row = row + up * step;
            int victim_column = column + right * step;
            if (!on_board(victim_row + up, victim_column + right) ||
                !belongs(capture->board.cell[victim_row][victim_column], other(capture->side)) ||
                capture->board.cell[victim_row + up][victim_column + right] != '.') {
                continue;
            }
            found = true;
            if (capture->list != NULL) {
                capture_piece(capture, victim_row, victim_column, up, right, king);
            }
        }
    }
    return found;
}

static bool all_captures(const NaiveRules *rules, const NaiveBoard *board, char side, NaiveList *list) {
    Capture capture = {.rules = rules, .board = *board, .side = side, .list = list};
    bool found = false;
    for (int row = 0; row < 8; row++) {
        for (int column = row % 2; column < 8; column += 2) {
            char piece = board->cell[row][column];
            if (belongs(piece, side)) {
                capture.route.square[0] = (uint8_t)number_at(row, column);
                capture.board.cell[row][column] = '.';
                found |= capture_from(&capture, row, column, piece == king_of(side));
                capture.board.cell[row][column] = piece;
            }
        }
    }
    return found;
}

static void keep_longest(NaiveList *list) {
    int longest = 0;
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        if (list->route[i].captures > longest) {
            longest = list->route[i].captures;
        }
    }
    for (int i = 0; i < list->count; i++) {
        if (list->route[i].captures == longest) {
            list->route[kept++] = list->route[i];
        }
    }
    list->count = kept;
}

static void all_quiet(const NaiveRules *rules, const NaiveBoard *board, NaiveList *list) {
    char side = board->turn;
    for (int row = 0; row < 8; row++) {
        for (int column = row % 2; column < 8; column += 2) {
            char piece = board->cell[row][column];
            if (!belongs(piece, side)) {
                continue;
            }
            bool king = piece == king_of(side);
            int reach = king && rules->flying_kings ? 7 : 1;
            for (int up = -1; up <= 1; up += 2) {
                for (int right = -1; right <= 1; right += 2) {
                    if (!king && up != forward(side)) {
                        continue;
                    }
                    for (int step = 1; step <= reach; step++) {
                        int to_row = row + up * step;
                        int to_column = column + right * step;
                        if (!on_board(to_row, to_column) || board->cell[to_row][to_column] != '.') {
                            break;
                        }
                        NaiveRoute route = {.captures = 0, .crowned = !king && last_row(side, to_row)};
                        route.square[0] = (uint8_t)number_at(row, column);
                        route.square[1] = (uint8_t)number_at(to_row, to_column);
                        append(list, &route);
                    }
                }
            }
        }
    }
}

void naive_routes(const NaiveRules *rules, const NaiveBoard *board, NaiveList *list) {
    list->count = 0;
    if (!all_captures(rules, board, board->turn, list)) {
        all_quiet(rules, board, list);
    } else if (rules->most_pieces) {
        keep_longest(list);
    }
}

bool naive_can_capture(const NaiveRules *rules, const NaiveBoard *board, char side) {
    return all_captures(rules, board, side, NULL);
}

int naive_end(const NaiveRoute *route) {
    return route->square[route->captures == 0 ? 1 : route->captures];
}

static bool same_move(const NaiveRoute *a, const NaiveRoute *b) {
    return a->square[0] == b->square[0] && naive_end(a) == naive_end(b) && a->taken_set == b->taken_set &&
           a->crowned == b->crowned;
}

static bool same_path(const NaiveRoute *a, const NaiveRoute *b) {
    return same_move(a, b) && memcmp(a->taken, b->taken, (size_t)a->captures) == 0;
}

static void reduce(NaiveList *list, bool (*same)(const NaiveRoute *a, const NaiveRoute *b)) {
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        bool known = false;
        for (int k = 0; k < kept && !known; k++) {
            known = same(&list->route[k], &list->route[i]);
        }
        if (!known) {
            list->route[kept++] = list->route[i];
        }
    }
    list->count = kept;
}

void naive_reduce_to_paths(NaiveList *list) {
    reduce(list, same_path);
}

void naive_reduce_to_moves(NaiveList *list) {
    reduce(list, same_move);
}

void naive_play(NaiveBoard *board, const NaiveRoute *route) {
    int from = route->square[0];
    int to = naive_end(route);
    char piece = board->cell[row_of(from)][column_of(from)];

    board->cell[row_of(from)][column_of(from)] = '.';
    for (int i = 0; i < route->captures; i++) {
        board->cell[row_of(route->taken[i])][column_of(route->taken[i])] = '.';
    }
    board->cell[row_of(to)][column_of(to)] = route->crowned ? king_of(board->turn) : piece;
    board->turn = other(board->turn);
}

static uint64_t count_leaves(const NaiveRules *rules, const NaiveBoard *board, int depth, bool unique,
                             NaiveList lists[]) {
    NaiveList *list = &lists[depth - 1];
    naive_routes(rules, board, list);
    if (list->count > 0 && list->route[0].captures > 0) {
        reduce(list, unique ? same_move : same_path);
    }
    if (depth == 1) {
        return (uint64_t)list->count;
    }
    uint64_t leaves = 0;
    for (int i = 0; i < list->count; i++) {
        NaiveBoard next = *board;
        naive_play(&next, &list->route[i]);
        leaves += count_leaves(rules, &next, depth - 1, unique, lists);
    }
    return leaves;
}

uint64_t naive_perft(const NaiveRules *rules, const NaiveBoard *board, int depth, bool unique) {
    if (depth == 0) {
        return 1;
    }
    NaiveList *lists = malloc((size_t)depth * sizeof(*lists));
    assert(lists != NULL);
    uint64_t leaves = count_leaves(rules, board, depth, unique, lists);
    free(lists);
    return leaves;
}

static NaiveBoard empty_board(char turn) {
    NaiveBoard board = {.turn = turn};
    memset(board.cell, '.', sizeof(board.cell));
    return board;
}

NaiveBoard naive_start(const NaiveRules *rules) {
    NaiveBoard board = empty_board(rules->first);
    for (int number = 1; number <= 12; number++) {
        board.cell[row_of(number)][column_of(number)] = 'b';
        board.cell[row_of(33 - number)][column_of(33 - number)] = 'w';
    }
    return board;
}

NaiveBoard naive_read(const char *fen) {
    NaiveBoard board = empty_board((char)tolower((unsigned char)fen[0]));
    char side = 'w';
    bool king = false;
    for (const char *at = fen + 1; *at != '\0'; at++) {
        if (*at == 'W' || *at == 'B') {
            side = (char)tolower((unsigned char)*at);
        } else if (*at == 'K') {
            king = true;
        } else if (isdigit((unsigned char)*at)) {
            char *end = NULL;
            int number = (int)strtol(at, &end, 10);
            board.cell[row_of(number)][column_of(number)] = king ? king_of(side) : man_of(side);
            king = false;
            at = end - 1;
        }
    }
    return board;
}

const char *naive_write(const NaiveBoard *board, char text[static NAIVE_TEXT_SIZE]) {
    int length = snprintf(text, NAIVE_TEXT_SIZE, "%c", toupper((unsigned char)board->turn));
    for (int i = 0; i < 2; i++) {
        char side = "wb"[i];
        length +=
            snprintf(text + length, (size_t)(NAIVE_TEXT_SIZE - length), ":%c", toupper((unsigned char)side));
        const char *comma = "";
        for (int number = 1; number <= 32; number++) {
            char cell = board->cell[row_of(number)][column_of(number)];
            if (belongs(cell, side)) {
                length += snprintf(text + length, (size_t)(NAIVE_TEXT_SIZE - length), "%s%s%d", comma,
                                   cell == king_of(side) ? "K" : "", number);
                comma = ",";
            }
        }
    }
    return text;
}

NaiveBoard naive_from_position(const Position *position) {
    NaiveBoard board = empty_board(position->turn == WHITE ? 'w' : 'b');
    for (int number = 1; number <= 32; number++) {
        Bitboard bit = BITBOARD_BIT(square_from_number(number));
        bool king = (position->kings & bit) != 0;
        char *cell = &board.cell[row_of(number)][column_of(number)];
        if (position->pieces[WHITE] & bit) {
            *cell = king ? 'W' : 'w';
        } else if (position->pieces[BLACK] & bit) {
            *cell = king ? 'B' : 'b';
        }
    }
    return board;
}

Position naive_to_position(const NaiveBoard *board) {
    Position position = {.turn = board->turn == 'w' ? WHITE : BLACK};
    for (int number = 1; number <= 32; number++) {
        Bitboard bit = BITBOARD_BIT(square_from_number(number));
        char cell = board->cell[row_of(number)][column_of(number)];
        if (belongs(cell, 'w')) {
            position.pieces[WHITE] |= bit;
        } else if (belongs(cell, 'b')) {
            position.pieces[BLACK] |= bit;
        }
        if (cell == 'W' || cell == 'B') {
            position.kings |= bit;
        }
    }
    return position;
}

Move naive_to_move(const NaiveRoute *route) {
    Bitboard captured = 0;
    for (int i = 0; i < route->captures; i++) {
        captured |= BITBOARD_BIT(square_from_number(route->taken[i]));
    }
    return move_make(square_from_number(route->square[0]), square_from_number(naive_end(route)), captured,
                     route->crowned);
}
