#include "checkerboard/board.h"

#include <string.h>

static CbCoordinates coordinates_of(Square square) {
    return (CbCoordinates){7 - square_column(square), 7 - square_row(square)};
}

int board_color(Color color) {
    return color == WHITE ? CB_WHITE : CB_BLACK;
}

/* What stands on a square, CB_FREE if nothing. */
static int piece_at(const Position *position, Square square) {
    Bitboard bit = BITBOARD_BIT(square);

    if ((position_occupied(position) & bit) == 0) {
        return CB_FREE;
    }
    return board_color((position->pieces[WHITE] & bit) != 0 ? WHITE : BLACK) |
           ((position->kings & bit) != 0 ? CB_KING : CB_MAN);
}

static bool read_piece(int piece, Bitboard square, Position *position) {
    int color = piece & (CB_WHITE | CB_BLACK);
    int kind = piece & (CB_MAN | CB_KING);

    /* Some leave other bits on squares that are free or off the board. */
    if (color == 0 || kind == 0) {
        return true;
    }
    if ((square & BITBOARD_ALL) == 0 || color == (CB_WHITE | CB_BLACK) || kind == (CB_MAN | CB_KING)) {
        return false;
    }
    position->pieces[color == CB_WHITE ? WHITE : BLACK] |= square;
    position->kings |= kind == CB_KING ? square : 0;
    return true;
}

bool board_read(int board[8][8], int color, Position *position) {
    Position read = {.turn = color == CB_WHITE ? WHITE : BLACK};

    if (color != CB_WHITE && color != CB_BLACK) {
        return false;
    }
    for (int x = 0; x < 8; x++) {
        for (int y = 0; y < 8; y++) {
            Bitboard square = (x + y) % 2 == 0 ? BITBOARD_AT(7 - x, 7 - y) : 0;
            if (!read_piece(board[x][y], square, &read)) {
                return false;
            }
        }
    }
    if (bitboard_count(read.pieces[WHITE]) > SIDE_PIECES ||
        bitboard_count(read.pieces[BLACK]) > SIDE_PIECES) {
        return false;
    }
    *position = read;
    return true;
}

void board_write(const Position *position, int board[8][8]) {
    memset(board, 0, 64 * sizeof(int));
    for (int number = 1; number <= SQUARES; number++) {
        Square square = square_from_number(number);
        CbCoordinates at = coordinates_of(square);
        board[at.x][at.y] = piece_at(position, square);
    }
}

static bool take_first(void *user, const Path *path) {
    *(Path *)user = *path;
    return true;
}

/* The captured piece that a step of a path jumps over. */
static Square jumped(Bitboard captured, Square from, Square to) {
    int column = square_column(from), row = square_row(from);
    int right = square_column(to) > column ? 1 : -1;
    int up = square_row(to) > row ? 1 : -1;
    Bitboard between = 0;

    for (column += right, row += up; column != square_column(to); column += right, row += up) {
        between |= BITBOARD_AT(column, row);
    }
    return bitboard_first(captured & between);
}

void board_write_move(Variant variant, const Position *position, Move move, CbMove *out) {
    Position after = position_after(position, move);
    Path path = {.count = 0};

    *out = (CbMove){
        .jumps = bitboard_count(move_captured(move)),
        .oldpiece = piece_at(position, move_from(move)),
        .newpiece = piece_at(&after, move_to(move)),
        .from = coordinates_of(move_from(move)),
        .to = coordinates_of(move_to(move)),
        .path = {coordinates_of(move_from(move)), coordinates_of(move_to(move))},
    };
    if (!move_is_capture(move)) {
        return;
    }
    movegen_visit_paths(variant, position, move, take_first, &path);
    for (int step = 1; step < path.count; step++) {
        Square square = jumped(move_captured(move), path.squares[step - 1], path.squares[step]);
        out->del[step - 1] = coordinates_of(square);
        out->delpiece[step - 1] = piece_at(position, square);
        /* The end of twelve jumps has no place in the list; it is out->to. */
        if (step < CB_STEPS) {
            out->path[step] = coordinates_of(path.squares[step]);
        }
    }
}

Move board_find(const MoveList *legal, const Position *position, int board[8][8]) {
    for (int i = 0; i < legal->count; i++) {
        Position after = position_after(position, legal->moves[i]);
        Position found;
        if (board_read(board, board_color((Color)after.turn), &found) && position_equal(&found, &after)) {
            return legal->moves[i];
        }
    }
    return MOVE_NONE;
}

static Bitboard bit_at(CbCoordinates at) {
    bool dark = at.x >= 0 && at.x < 8 && at.y >= 0 && at.y < 8 && (at.x + at.y) % 2 == 0;

    return dark ? BITBOARD_AT(7 - at.x, 7 - at.y) : 0;
}

Move board_find_move(const MoveList *legal, const CbMove *move) {
    Bitboard captured = 0;

    if (move->jumps < 0 || move->jumps > CB_STEPS) {
        return MOVE_NONE;
    }
    for (int i = 0; i < move->jumps; i++) {
        captured |= bit_at(move->del[i]);
    }
    for (int i = 0; i < legal->count; i++) {
        Move candidate = legal->moves[i];
        if (BITBOARD_BIT(move_from(candidate)) == bit_at(move->from) &&
            BITBOARD_BIT(move_to(candidate)) == bit_at(move->to) && move_captured(candidate) == captured) {
            return candidate;
        }
    }
    return MOVE_NONE;
}
