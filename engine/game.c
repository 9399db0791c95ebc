/* The history of a game and what follows from it: repetition and the result. */
#include "engine/game.h"

#include "engine/key.h"
#include "engine/movegen.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY_FIRST_CAPACITY = 64 }; /* most games fit without growing more than once */

void game_init(Game *game, Variant variant, const DrawRules *draws, const Position *position, DrawState draw,
               int fullmove) {
    *game = (Game){
        .variant = variant,
        .draws = draws,
        .position = *position,
        .draw = draw,
        .key = key_of(position),
        .fullmove = fullmove,
    };
}

void game_deinit(Game *game) {
    free(game->history);
    game->history = NULL;
    game->length = 0;
    game->capacity = 0;
}

int game_copy(Game *copy, const Game *game) {
    Key *history = NULL;

    if (game->length > 0) {
        history = malloc(game->length * sizeof *history);
        if (history == NULL) {
            return -ENOMEM;
        }
        memcpy(history, game->history, game->length * sizeof *history);
    }
    *copy = *game;
    copy->history = history;
    copy->capacity = game->length;
    return 0;
}

static int history_grow(Game *game) {
    size_t capacity = game->capacity < HISTORY_FIRST_CAPACITY ? HISTORY_FIRST_CAPACITY : game->capacity * 2;

    if (game->capacity > SIZE_MAX / sizeof *game->history / 2) {
        return -ENOMEM;
    }

    Key *history = realloc(game->history, capacity * sizeof *history);
    if (history == NULL) {
        return -ENOMEM;
    }
    game->history = history;
    game->capacity = capacity;
    return 0;
}

int game_play(Game *game, Move move) {
    if (game->length == game->capacity) {
        int error = history_grow(game);
        if (error < 0) {
            return error;
        }
    }

    Position before = game->position;
    game->history[game->length++] = game->key;
    game->key = key_after(game->key, &before, move);
    game->position = position_after(&before, move);
    game->draw = draw_state_after(game->draws, game->draw, &before, move, &game->position);
    if (game->position.turn == rules_of(game->variant)->first && game->fullmove < INT_MAX) {
        game->fullmove++;
    }
    return 0;
}

int game_repetitions(const Game *game) {
    size_t plies = game->draw.since[SINCE_PROGRESS];
    size_t nearest;

    /*
     * A counter that stopped says nothing; to look too far back is only slow, for no older position can come
     * again.
     */
    return 1 + key_repetitions(game->key, game->history, game->length,
                               plies == UINT16_MAX ? game->length : plies, &nearest);
}

Result game_result(const Game *game, const char **reason) {
    const char *why = "";
    Result result = RESULT_OPEN;

    if (!movegen_has_move(game->variant, &game->position)) {
        why = position_own(&game->position) == 0 ? "no piece left" : "no legal move";
        result = result_won_by(color_opponent((Color)game->position.turn));
    } else if (game_repetitions(game) >= DRAW_REPETITIONS) {
        why = "threefold repetition";
        result = RESULT_DRAW;
    } else if (draw_plies_left(game->draws, game->draw) == 0) {
        why = game->draws->rules[game->draw.rule].reason;
        result = RESULT_DRAW;
    }
    if (reason != NULL) {
        *reason = why;
    }
    return result;
}
