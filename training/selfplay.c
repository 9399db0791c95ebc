/* One game of self-play. */
#include "training/selfplay.h"

#include "engine/game.h"
#include "engine/movegen.h"
#include "engine/random.h"
#include "search/search.h"

#include <errno.h>
#include <stdlib.h>

enum {
    OPENING_PLIES_MIN = 4,
    OPENING_PLIES_SPAN = 8,
    ENDINGS = 4,             /* every so many games */
    ENDING_PIECES_MAX = 4,   /* of each side */
    OPENING_SCORE_MAX = 250, /* centi-men: beyond, the opening has decided the game */
    DECIDED_SCORE = 800,     /* centi-men, for so many plies on end: nobody loses that */
    DECIDED_PLIES = 6,
    IDLE_PLIES = 30,       /* without a capture or a man's move: drawn */
    KNOWN_PLIES = 24,      /* that are played on where the databases know the result */
    KNOWN_NODES_PART = 10, /* with so much less thought */
    PLIES_MAX = 400
};

/* Takes a man of a side off the board. */
static void remove_man(Position *position, Color color, uint64_t *random) {
    Bitboard men = position->pieces[color];

    for (int skip = random_below(random, bitboard_count(men)); skip > 0; skip--) {
        men &= men - 1;
    }
    position->pieces[color] &= ~(men & -men);
}

bool selfplay_place(Position *position, Color color, uint64_t *random) {
    Bitboard bit = BITBOARD_BIT(square_from_number(1 + random_below(random, SQUARES)));
    bool king = random_below(random, 2) != 0 || (bit & bitboard_crownhead(color)) != 0;

    if ((position_occupied(position) & bit) != 0) {
        return false;
    }
    position->pieces[color] |= bit;
    position->kings |= king ? bit : 0;
    return true;
}

/* A few men and kings anywhere. */
static Position open_ending(uint64_t *random) {
    Position position = {.turn = (uint8_t)random_below(random, 2)};

    for (Color color = WHITE; color <= BLACK; color++) {
        for (int left = 1 + random_below(random, ENDING_PIECES_MAX); left > 0; left--) {
            selfplay_place(&position, color, random);
        }
    }
    return position;
}

/* Some plies by chance, in half of the games with eleven or ten men each; false if that ended the game. */
static bool open_by_chance(Variant variant, uint64_t *random, Position *position) {
    int missing = random_below(random, 4);
    int plies = OPENING_PLIES_MIN + random_below(random, OPENING_PLIES_SPAN);

    *position = position_start(rules_of(variant));
    for (int i = 1; i < missing; i++) {
        remove_man(position, WHITE, random);
        remove_man(position, BLACK, random);
    }
    for (; plies > 0; plies--) {
        MoveList list;
        movegen_generate(variant, position, &list);
        if (list.count == 0) {
            return false;
        }
        *position = position_after(position, list.moves[random_below(random, list.count)]);
    }
    return true;
}

/* A position to begin at, for every fourth game an ending. */
static bool open_game(Variant variant, bool ending, uint64_t *random, Game *game) {
    const Rules *rules = rules_of(variant);
    Position position;

    if (ending) {
        position = open_ending(random);
    } else if (!open_by_chance(variant, random, &position)) {
        return false;
    }
    game_init(game, variant, &rules->draws, &position, draw_state_init(&rules->draws, &position, 0), 1);
    return movegen_has_move(variant, &position);
}

int selfplay_result(Value value) {
    return value == VALUE_WIN ? 2 : value == VALUE_DRAW ? 1 : 0;
}

/* How a game ends, seen by the side that moves at the end; -1 while it is open. */
static int ended(const SelfplayOptions *options, const Game *game, int ply) {
    const Egdb *egdb = options->egdb;
    const Position *position = &game->position;
    Value value;

    switch (game_result(game, NULL)) {
    case RESULT_OPEN:
        break;
    case RESULT_DRAW:
        return 1;
    default:
        return 0; /* who is to move has no move */
    }
    if (egdb != NULL && bitboard_count(position_occupied(position)) <= egdb_pieces(egdb, EGDB_WLD) &&
        egdb_value(options->egdb, position, &value)) {
        return selfplay_result(value);
    }
    return ply >= PLIES_MAX || game->draw.since[SINCE_PROGRESS] >= IDLE_PLIES ? 1 : -1;
}

/* Keeps a position with the score that was found; the result comes when the game is over. */
static int keep(SampleList *list, Variant variant, const Position *position, int score, int ply) {
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity == 0 ? 1024 : list->capacity * 2;
        Sample *samples = realloc(list->samples, capacity * sizeof *samples);
        if (samples == NULL) {
            return -ENOMEM;
        }
        list->samples = samples;
        list->capacity = capacity;
    }
    list->samples[list->count++] = (Sample){
        .position = *position,
        .score = score,
        .threatened = movegen_can_capture(variant, position, color_opponent((Color)position->turn)),
        .plies_left = ply, /* for now */
    };
    return 0;
}

static void set_results(SampleList *list, uint32_t first, Color turn, int result, int plies) {
    for (uint32_t i = first; i < list->count; i++) {
        Sample *sample = &list->samples[i];
        sample->result = sample->position.turn == turn ? result : 2 - result;
        sample->plies_left = plies - sample->plies_left < 255 ? plies - sample->plies_left : 255;
    }
}

/* Plays on to the end. *result is as ended tells it, -1 if the opening was no good. */
static int play(const SelfplayOptions *options, Game *game, TranspositionTable *tt, SampleList *list,
                int *plies, int *result) {
    const SearchReport silent = {0};
    int decided = 0;
    int error = 0;

    *plies = 0;
    while ((*result = ended(options, game, *plies)) < 0 && error == 0) {
        SearchLimits limits = {
            .has_nodes = true, .nodes = options->nodes, .egdb = options->egdb, .network = options->network};
        SearchControl control = {0};
        SearchResult found;
        error = search_run(game, &limits, tt, &control, &silent, &found);
        if (error != 0) {
            return error;
        }
        if (*plies == 0 && abs(found.score) > OPENING_SCORE_MAX) {
            return error;
        }
        decided = abs(found.score) >= DECIDED_SCORE ? decided + 1 : 0;
        if (decided >= DECIDED_PLIES) {
            *result = found.score > 0 ? 2 : 0;
            return error;
        }
        if (!move_is_capture(found.best) && abs(found.score) < SCORE_EGDB_BOUND) {
            error = keep(list, game->variant, &game->position, found.score, *plies);
        }
        error = error == 0 ? game_play(game, found.best) : error;
        ++*plies;
    }
    return error;
}

/* Plays on a little once the databases know the result: each position has its own, which is exact. */
static int play_known(const SelfplayOptions *options, Game *game, TranspositionTable *tt, SampleList *list) {
    const SearchReport silent = {0};
    int error = 0;

    for (int ply = 0; ply < KNOWN_PLIES && error == 0; ply++) {
        SearchLimits limits = {
            .has_nodes = true, .nodes = options->nodes / KNOWN_NODES_PART + 1, .network = options->network};
        SearchControl control = {0};
        SearchResult found;
        Value value;
        uint32_t kept = list->count;
        if (game_result(game, NULL) != RESULT_OPEN || !egdb_value(options->egdb, &game->position, &value)) {
            return 0;
        }
        error = search_run(game, &limits, tt, &control, &silent, &found);
        if (error == 0 && !move_is_capture(found.best) && abs(found.score) < SCORE_EGDB_BOUND) {
            error = keep(list, game->variant, &game->position, found.score, 0);
        }
        if (error == 0 && list->count > kept) {
            list->samples[kept].result = selfplay_result(value);
        }
        error = error == 0 ? game_play(game, found.best) : error;
    }
    return error;
}

int selfplay_game(const SelfplayOptions *options, uint64_t number, TranspositionTable *tt, SampleList *list) {
    uint64_t random = options->seed * 0x9E3779B97F4A7C15 + number;
    uint32_t first = list->count;
    int result = -1;
    int error = 0;

    random = random_next(&random);
    while (result < 0 && error == 0) {
        Game game;
        int plies;
        if (!open_game(options->variant, number % ENDINGS == 0, &random, &game)) {
            continue;
        }
        tt_clear(tt);
        error = play(options, &game, tt, list, &plies, &result);
        set_results(list, first, (Color)game.position.turn, result, plies);
        if (result >= 0 && error == 0 && options->egdb != NULL) {
            error = play_known(options, &game, tt, list);
        }
        game_deinit(&game);
    }
    return error;
}
