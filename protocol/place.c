#include "protocol/place.h"

#include "engine/fen.h"
#include "engine/notation.h"

#include <stdio.h>
#include <string.h>

/* Everything before a token "moves" or the end; rest is left behind the token. */
static View take_fen(View *rest) {
    View fen = {rest->start, rest->length};
    View token;

    while ((token = view_token(rest)).length > 0) {
        if (view_equals(token, "moves")) {
            fen.length = (size_t)(token.start - fen.start);
            break;
        }
    }
    return view_trim(fen);
}

static bool refuse_word(View word, const char *expected, ParseError *error) {
    char quote[VIEW_QUOTE_SIZE];

    view_quote(word, quote);
    snprintf(error->text, sizeof error->text, "%s expected, not %s", expected, quote);
    return false;
}

/* Reads what comes before the moves. */
static bool read_start(View *rest, FenRecord *record, ParseError *error) {
    View kind = view_token(rest);

    if (view_equals(kind, "fen")) {
        View fen = take_fen(rest);
        return fen_read(fen.start, fen.length, record, error);
    }
    if (!view_equals(kind, "startpos")) {
        return refuse_word(kind, "'startpos' or 'fen'", error);
    }
    View token = view_token(rest);
    return token.length == 0 || view_equals(token, "moves") || refuse_word(token, "'moves'", error);
}

static bool play_moves(View moves, const PlacePlayed *played, Game *game, ParseError *error) {
    View token;

    while ((token = view_token(&moves)).length > 0) {
        Position before = game->position;
        Move move;
        if (!move_read(game->variant, &before, token.start, token.length, &move, error)) {
            return false;
        }
        int fault = game_play(game, move);
        if (fault != 0) {
            snprintf(error->text, sizeof error->text, "%s", strerror(-fault));
            return false;
        }
        if (played != NULL) {
            played->run(played->user, &before, move);
        }
    }
    return true;
}

bool place_read(View text, Variant variant, const DrawRules *draws, const PlacePlayed *played, Game *game,
                ParseError *error) {
    FenRecord record = {position_start(rules_of(variant)), 0, 1};

    if (!read_start(&text, &record, error)) {
        return false;
    }
    game_init(game, variant, draws, &record.position,
              draw_state_init(draws, &record.position, record.plies_without_progress), record.fullmove);
    if (!play_moves(text, played, game, error)) {
        game_deinit(game);
        return false;
    }
    return true;
}
