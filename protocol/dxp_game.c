/* The game behind DXP. Texts of moves and boards go through the Hub notation, which reads them with care. */
#include "protocol/dxp_game.h"

#include "engine/hub_notation.h"
#include "engine/text.h"
#include "search/clock.h"

#include <string.h>

/* The letters of DXP's boards and the Hub protocol's, each at the other's place. */
static const char DXP_LETTERS[] = "wzWZe";
static const char HUB_LETTERS[] = "wbWBe";

static char letter_of(char letter, const char *letters, const char *others) {
    return others[strchr(letters, letter) - letters];
}

static bool position_of(const DxpRequest *request, Variant variant, Position *position, ParseError *error) {
    char text[HUB_POSITION_SIZE];
    Text out = text_init(text, sizeof text);

    if (request->squares == 0) {
        *position = position_start(rules_of(variant));
        return true;
    }
    if (request->squares != SQUARES) {
        out = text_init(error->text, sizeof error->text);
        text_add(&out, "a board of ");
        text_add_number(&out, (unsigned)request->squares);
        text_add(&out, " squares");
        return false;
    }
    text_add_char(&out, request->turn == WHITE ? 'W' : 'B');
    for (int i = 0; i < SQUARES; i++) {
        text_add_char(&out, letter_of(request->board[i], DXP_LETTERS, HUB_LETTERS));
    }
    return hub_position_read(view_of(text), position, error);
}

bool dxp_game_begin(DxpGame *game, Variant variant, const DrawRules *draws, const DxpRequest *request,
                    Color own, ParseError *error) {
    int64_t time = (int64_t)request->minutes * 60000;
    Position position;

    if (!position_of(request, variant, &position, error)) {
        return false;
    }
    *game = (DxpGame){
        .own = own,
        .clocked = time > 0,
        .moves = request->moves,
        .left = {time, time},
        .turn_began = clock_now(),
    };
    game_init(&game->game, variant, draws, &position, draw_state_init(draws, &position, 0), 1);
    return true;
}

void dxp_game_deinit(DxpGame *game) {
    game_deinit(&game->game);
}

void dxp_game_write_board(const Position *position, DxpRequest *request) {
    char text[HUB_POSITION_SIZE];

    hub_position_write(position, text);
    request->turn = (Color)position->turn;
    request->squares = SQUARES;
    for (int i = 0; i < SQUARES; i++) {
        request->board[i] = letter_of(text[i + 1], HUB_LETTERS, DXP_LETTERS);
    }
    request->board[SQUARES] = '\0';
}

bool dxp_game_read_move(const DxpGame *game, const DxpMove *given, Move *move, ParseError *error) {
    char text[HUB_MOVE_SIZE + 1];
    Text out = text_init(text, sizeof text);
    const Position *position = &game->game.position;
    Move found;

    text_add_number(&out, (unsigned)given->from);
    text_add_char(&out, given->count > 0 ? 'x' : '-');
    text_add_number(&out, (unsigned)given->to);
    for (int i = 0; i < given->count; i++) {
        text_add_char(&out, 'x');
        text_add_number(&out, given->captured[i]);
    }
    if (!hub_move_read(game->game.variant, position, view_of(text), &found, error)) {
        return false;
    }
    /* The Hub notation lets captured squares be left out, DXP does not. */
    if (bitboard_count(move_captured(found)) != given->count) {
        out = text_init(error->text, sizeof error->text);
        text_add(&out, "illegal move '");
        text_add(&out, text);
        text_add(&out, "': the squares that it captures are missing");
        return false;
    }
    *move = found;
    return true;
}

DxpMove dxp_game_write_move(Move move, int seconds) {
    DxpMove written = {
        .seconds = seconds,
        .from = square_number(move_from(move)),
        .to = square_number(move_to(move)),
    };

    for (int number = 1; number <= SQUARES; number++) {
        if ((move_captured(move) & BITBOARD_BIT(square_from_number(number))) != 0) {
            written.captured[written.count++] = (uint8_t)number;
        }
    }
    return written;
}

int dxp_game_play(DxpGame *game, Move move) {
    Color side = (Color)game->game.position.turn;
    int64_t now = clock_now();
    int error = game_play(&game->game, move);

    if (error == 0) {
        game->left[side] -= now - game->turn_began;
        game->played[side]++;
        game->turn_began = now;
    }
    return error;
}

SearchLimits dxp_game_limits(const DxpGame *game, int64_t movetime) {
    int to_go = game->moves - game->played[game->own];
    SearchLimits limits = {
        .has_clock = game->clocked,
        .movestogo = to_go > 0 ? to_go : 0, /* what is left after them has to do for the rest */
        .has_movetime = movetime > 0 || !game->clocked,
        .movetime = movetime > 0 ? movetime : DXP_MOVETIME,
    };

    limits.time[game->own] = game->left[game->own];
    return limits;
}
