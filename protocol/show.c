#include "protocol/show.h"

#include "engine/fen.h"
#include "engine/notation.h"

#include <inttypes.h>

static void show_move(Lines *lines, const char *before, const Game *game, const Position *position,
                      Move move) {
    char text[MOVE_TEXT_SIZE];

    move_write(game->variant, position, move, text);
    lines_add(lines, "%s%s", before, text);
}

void show_info(Lines *lines, const Game *game, const SearchInfo *info) {
    bool known = score_is_win(info->score) || score_is_loss(info->score);
    const char *bound = info->bound == BOUND_LOWER   ? " lowerbound"
                        : info->bound == BOUND_UPPER ? " upperbound"
                                                     : "";
    uint64_t milliseconds = info->time > 0 ? (uint64_t)info->time : 1;
    uint64_t speed = info->nodes > UINT64_MAX / 1000 ? info->nodes / milliseconds * 1000
                                                     : info->nodes * 1000 / milliseconds;
    Position position = game->position;

    lines_add(lines, "info depth %d seldepth %d multipv %d score %s %d%s", info->depth, info->seldepth,
              info->multipv, known ? "mate" : "cp", known ? score_mate_moves(info->score) : info->score,
              bound);
    lines_add(lines, " nodes %" PRIu64 " nps %" PRIu64 " hashfull %d tbhits %" PRIu64 " time %" PRId64,
              info->nodes, speed, info->hashfull, info->tbhits, info->time);
    for (int index = 0; index < info->length; index++) {
        show_move(lines, index == 0 ? " pv " : " ", game, &position, info->pv[index]);
        position = position_after(&position, info->pv[index]);
    }
    lines_add(lines, "\n");
}

void show_best(Lines *lines, const Game *game, const SearchResult *result) {
    if (result->best == MOVE_NONE) {
        lines_add(lines, "bestmove (none)\n");
        return;
    }
    show_move(lines, "bestmove ", game, &game->position, result->best);
    if (result->ponder != MOVE_NONE) {
        Position next = position_after(&game->position, result->best);
        show_move(lines, " ponder ", game, &next, result->ponder);
    }
    lines_add(lines, "\n");
}

void show_current(Lines *lines, const Game *game, Move move, int number) {
    show_move(lines, "info currmove ", game, &game->position, move);
    lines_add(lines, " currmovenumber %d\n", number);
}

/* 'w' and 'b', kings as capitals, a blank on an empty square. */
static char piece_letter(const Position *position, Bitboard square) {
    if ((position_occupied(position) & square) == 0) {
        return ' ';
    }
    bool white = (position->pieces[WHITE] & square) != 0;
    if ((position->kings & square) != 0) {
        return white ? 'W' : 'B';
    }
    return white ? 'w' : 'b';
}

/* Games with numbered squares show the numbers, the others ranks and files. */
static void show_board(Lines *lines, const Position *position, Naming naming) {
    static const char edge[] = " +----+----+----+----+----+----+----+----+\n";

    lines_add(lines, "\n%s", edge);
    for (int row = 7; row >= 0; row--) {
        for (int column = 0; column < 8; column++) {
            if ((row + column) % 2 != 0) {
                lines_add(lines, " |   ");
                continue;
            }
            Square square = (Square)(row / 2 * 9 + row % 2 * 5 + column / 2);
            char letter = piece_letter(position, BITBOARD_BIT(square));
            if (naming == NAMING_NUMERIC) {
                lines_add(lines, " |%c%2d", letter, square_number(square));
            } else {
                lines_add(lines, " |%c  ", letter == ' ' ? '.' : letter);
            }
        }
        lines_add(lines, " |");
        if (naming == NAMING_ALGEBRAIC) {
            lines_add(lines, " %d", row + 1);
        }
        lines_add(lines, "\n%s", edge);
    }
    if (naming == NAMING_ALGEBRAIC) {
        lines_add(lines, "   a    b    c    d    e    f    g    h\n");
    }
    lines_add(lines, "\n");
}

void show_game(Lines *lines, const Game *game) {
    static const char *const results[] = {
        [RESULT_OPEN] = "*",
        [RESULT_WHITE_WINS] = "1-0",
        [RESULT_BLACK_WINS] = "0-1",
        [RESULT_DRAW] = "1/2-1/2",
    };
    FenRecord record = {game->position, game->draw.since[SINCE_PROGRESS], game->fullmove};
    char fen[FEN_SIZE];
    const char *reason = "";
    MoveList list;

    show_board(lines, &game->position, rules_of(game->variant)->naming);
    fen_write(&record, rules_of(game->variant), fen);
    lines_add(lines, "Fen: %s\nKey: %016" PRIX64 "\nMoves:", fen, game->key);
    movegen_generate(game->variant, &game->position, &list);
    for (int index = 0; index < list.count; index++) {
        show_move(lines, " ", game, &game->position, list.moves[index]);
    }
    Result result = game_result(game, &reason);
    lines_add(lines, "\nResult: %s", results[result]);
    if (reason[0] != '\0') {
        lines_add(lines, " (%s)", reason);
    }
    lines_add(lines, "\n");
}

static int value_of(const Network *network, const Position *position) {
    NetworkSums sums;

    network_begin(network, position, &sums);
    return network_value(network, position, &sums);
}

/* What each piece is worth where it stands: the value with it less the value without it. */
void show_evaluation(Lines *lines, const Game *game, const Network *network) {
    const Position *position = &game->position;
    int total = value_of(network, position);

    for (int number = 1; number <= SQUARES; number++) {
        Bitboard bit = BITBOARD_BIT(square_from_number(number));
        if ((position_occupied(position) & bit) == 0) {
            continue;
        }
        Position without = *position;
        without.pieces[WHITE] &= ~bit;
        without.pieces[BLACK] &= ~bit;
        without.kings &= ~bit;
        char square[SQUARE_TEXT_SIZE];
        square_write(square_from_number(number), rules_of(game->variant)->naming, square);
        lines_add(lines, "%-3s %s %s %+d\n", square, (position->pieces[WHITE] & bit) != 0 ? "White" : "Black",
                  (position->kings & bit) != 0 ? "king" : "man ", total - value_of(network, &without));
    }
    lines_add(lines, "Evaluation: %+d (centi-men, %s to move)\n", total,
              position->turn == WHITE ? "White" : "Black");
}

void show_perft(Lines *lines, const Game *game, const PerftResult *result) {
    for (int index = 0; index < result->moves_count; index++) {
        show_move(lines, "", game, &game->position, result->moves[index].move);
        lines_add(lines, ": %" PRIu64 "\n", result->moves[index].count);
    }
    lines_add(lines, "Nodes searched: %" PRIu64 "\n", result->count);
}
