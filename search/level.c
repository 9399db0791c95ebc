#include "search/level.h"

#include "engine/movegen.h"
#include "engine/random.h"

#include <math.h>

typedef struct {
    int elo; /* measured: docs/levels.md */
    Level level;
} Rung;

/* Between two rungs everything is interpolated. */
static const Rung RUNGS[] = {
    {790, {.nodes = 20, .misjudge = 200, .overlook = 1000}},
    {895, {.nodes = 20, .misjudge = 100, .overlook = 900}},
    {1008, {.nodes = 20, .misjudge = 55, .overlook = 650}},
    {1152, {.nodes = 110, .misjudge = 33, .overlook = 400}},
    {1325, {.nodes = 300, .misjudge = 22, .overlook = 230, .pieces = 2}},
    {1525, {.nodes = 800, .misjudge = 14, .overlook = 120, .pieces = 3}},
    {1724, {.nodes = 2200, .misjudge = 9, .overlook = 60, .pieces = 3}},
    {1962, {.nodes = 8500, .misjudge = 6, .overlook = 28, .pieces = 4}},
    {2150, {.nodes = 35000, .misjudge = 3, .overlook = 10, .pieces = 4}},
    {2330, {.nodes = 150000, .pieces = LEVEL_PIECES_ALL}},
};

enum { RUNGS_COUNT = sizeof RUNGS / sizeof RUNGS[0] };

/* A value at a share of the way between two, which is 0 to 1. */
static int between(int low, int high, double share) {
    return (int)lround(low + (high - low) * share);
}

Level level_of(int elo, uint64_t seed) {
    const Rung *high = &RUNGS[1];

    while (high < &RUNGS[RUNGS_COUNT - 1] && elo > high->elo) {
        high++;
    }
    const Rung *low = high - 1;
    double share = (double)(elo - low->elo) / (high->elo - low->elo);
    double growth = (double)high->level.nodes / (double)low->level.nodes;
    return (Level){
        .nodes = (uint64_t)llround((double)low->level.nodes * pow(growth, share)),
        .misjudge = between(low->level.misjudge, high->level.misjudge, share),
        .overlook = between(low->level.overlook, high->level.overlook, share),
        .pieces = share < 1 ? low->level.pieces : high->level.pieces,
        .seed = seed,
    };
}

/* A random number that goes by the seed, the position and one thing more. */
static uint64_t chance(const Level *level, const Position *position, uint64_t salt) {
    uint64_t state = level->seed ^ salt;

    state = random_next(&state) ^ position->pieces[WHITE] ^ (uint64_t)position->turn << 63;
    state = random_next(&state) ^ position->pieces[BLACK];
    state = random_next(&state) ^ position->kings;
    return random_next(&state);
}

/* The difference of two even chances, so that small mistakes are the frequent ones. */
int level_misjudgement(const Level *level, const Position *position) {
    uint64_t number = chance(level, position, 0);

    return random_below(&number, level->misjudge + 1) - random_below(&number, level->misjudge + 1);
}

/* A move towards the own side of the board; White moves up it. */
static bool goes_back(const Position *position, Move move) {
    return (position->turn == WHITE) != (move_to(move) > move_from(move));
}

/*
 * How hard a move is to see after the one before it, in percent of the hardest. Nobody overlooks that the
 * piece that has just moved can be taken, or a king made; many do what a move leaves behind, that more than
 * one piece can be taken, that one can be offered, and that kings go back.
 */
static int difficulty(Variant variant, const Position *position, Move before, Move move) {
    if (move_is_capture(move)) {
        bool moved = before != MOVE_NONE && (move_captured(move) & BITBOARD_BIT(move_to(before))) != 0;
        int taken = bitboard_count(move_captured(move));
        return taken > 2 ? 100 : taken == 2 ? 70 : moved ? 0 : 40;
    }
    if (move_crowns(move)) {
        return 0;
    }
    Position next = position_after(position, move);
    if (movegen_can_capture(variant, &next, (Color)next.turn)) {
        return 100;
    }
    bool king = (position->kings & BITBOARD_BIT(move_from(move))) != 0;
    return king && goes_back(position, move) ? 60 : 0;
}

void level_overlook(const Level *level, Variant variant, const Position *position, Move before,
                    MoveList *list) {
    int seen = 0;

    for (int i = 0; i < list->count; i++) {
        Move move = list->moves[i];
        int percent = difficulty(variant, position, before, move);
        if (percent == 0 || (int)(chance(level, position, move) % 100000) >= level->overlook * percent) {
            list->moves[seen++] = move;
        }
    }
    list->count = seen;
}
