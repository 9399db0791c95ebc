/* Games, and searches of them, for the tests of the search. */
#ifndef CROWNHEAD_TESTS_SEARCH_PLAY_H
#define CROWNHEAD_TESTS_SEARCH_PLAY_H

#include "engine/fen.h"
#include "engine/game.h"
#include "engine/movegen.h"
#include "engine/notation.h"
#include "search/search.h"

#include <check.h>
#include <string.h>

/* A game under its own draw rules; game_deinit frees it. */
static inline Game game_from(Variant variant, const char *fen) {
    const DrawRules *draws = &rules_of(variant)->draws;
    FenRecord record;
    ParseError error;
    Game game;

    ck_assert_msg(fen_read(fen, strlen(fen), &record, &error), "%s: %s", fen, error.text);
    game_init(&game, variant, draws, &record.position,
              draw_state_init(draws, &record.position, record.plies_without_progress), record.fullmove);
    return game;
}

static inline Move move_from_text(const Game *game, const char *text, size_t length) {
    Move move = MOVE_NONE;
    ParseError error;

    ck_assert_msg(move_read(game->variant, &game->position, text, length, &move, &error), "%s", error.text);
    return move;
}

/* Plays moves given as texts with blanks between them. */
static inline void play_moves(Game *game, const char *moves) {
    for (const char *text = moves; *text != '\0'; text += text[0] == ' ') {
        size_t length = strcspn(text, " ");
        ck_assert_int_eq(game_play(game, move_from_text(game, text, length)), 0);
        text += length;
    }
}

static inline bool is_legal(Variant variant, const Position *position, Move move) {
    MoveList list;

    movegen_generate(variant, position, &list);
    for (int i = 0; i < list.count; i++) {
        if (list.moves[i] == move) {
            return true;
        }
    }
    return false;
}

static inline TranspositionTable table_of(size_t megabytes) {
    TranspositionTable tt;

    ck_assert_int_eq(tt_init(&tt, megabytes), 0);
    return tt;
}

/* A search that nobody stops and that tells nothing. */
static inline SearchResult search_game(const Game *game, const SearchLimits *limits, TranspositionTable *tt) {
    SearchControl control = {0};
    const SearchReport silent = {0};
    SearchResult result;

    ck_assert_int_eq(search_run(game, limits, tt, &control, &silent, &result), 0);
    return result;
}

#endif
