#include "engine/movegen.h"

#include "engine/generator.h"

static Board board_of(const Position *position, Color side) {
    return board_make(position->pieces[side], position->pieces[1 - side], position->kings);
}

/* One function a game and colour, so that the compiler folds the row of rules into each. */
#define GAME(id, ...) \
    static void generate_##id(const Position *position, bool quiets, MoveList *list, uint16_t *ways) { \
        if (position->turn == WHITE) { \
            generate(&RULES[VARIANT_##id], WHITE, board_of(position, WHITE), quiets, list, ways); \
        } else { \
            generate(&RULES[VARIANT_##id], BLACK, board_of(position, BLACK), quiets, list, ways); \
        } \
    } \
    static bool can_capture_##id(const Position *position, Color side) { \
        return side == WHITE ? can_capture(&RULES[VARIANT_##id], WHITE, board_of(position, WHITE)) \
                             : can_capture(&RULES[VARIANT_##id], BLACK, board_of(position, BLACK)); \
    }
#include "engine/rules.def"
#undef GAME

static void generate_any(Variant variant, const Position *position, bool quiets, MoveList *list,
                         uint16_t *ways) {
    switch (variant) {
#define GAME(id, ...) \
    case VARIANT_##id: \
        generate_##id(position, quiets, list, ways); \
        return;
#include "engine/rules.def"
#undef GAME
    case VARIANT_COUNT:
        break;
    }
    list->count = 0;
}

void movegen_generate(Variant variant, const Position *position, MoveList *list) {
    generate_any(variant, position, true, list, NULL);
}

void movegen_generate_captures(Variant variant, const Position *position, MoveList *list) {
    generate_any(variant, position, false, list, NULL);
}

void movegen_generate_with_ways(Variant variant, const Position *position, MoveList *list, uint16_t *ways) {
    generate_any(variant, position, true, list, ways);
    for (int i = 0; i < list->count && !move_is_capture(list->moves[0]); i++) {
        ways[i] = 1;
    }
}

bool movegen_can_capture(Variant variant, const Position *position, Color side) {
    switch (variant) {
#define GAME(id, ...) \
    case VARIANT_##id: \
        return can_capture_##id(position, side);
#include "engine/rules.def"
#undef GAME
    case VARIANT_COUNT:
        break;
    }
    return false;
}

bool movegen_has_move(Variant variant, const Position *position) {
    Color us = (Color)position->turn;
    Bitboard empty = position_empty(position);
    Bitboard own = position_own(position);
    Bitboard kings = own & position->kings;

    for (int relative = 0; relative < 4; relative++) {
        if ((bitboard_step(relative < 2 ? own : kings, direction_of(us, relative)) & empty) != 0) {
            return true;
        }
    }
    return movegen_can_capture(variant, position, us);
}

/* ---- Paths ---- */

/* The search for the ways of one capture. */
typedef struct {
    const Rules *rules;
    Color us;
    Bitboard empty;
    Bitboard others; /* enemy pieces that the move does not take */
    Move move;
    Path path;
    bool (*visit)(void *user, const Path *path);
    void *user;
} PathWalk;

/*
 * Whether a flying king that may land on any of these squares can take a piece that the move does not take.
 */
static bool leads_elsewhere(const PathWalk *walk, Bitboard landings, Direction came) {
    Bitboard victims = 0;

    for (int d = 0; d < DIRECTIONS; d++) {
        if (d != (int)direction_opposite(came)) {
            victims |= slide_victims(landings, walk->others, walk->empty, (Direction)d);
        }
    }
    return victims != 0;
}

/* Walks on from at over the pieces of the move that are still left. True once visit said so. */
static bool walk_path(PathWalk *walk, bool king, Bitboard at, Bitboard left) {
    const Rules *rules = walk->rules;

    if (left == 0) {
        return bitboard_first(at) == move_to(walk->move) && walk->visit(walk->user, &walk->path);
    }
    for (int relative = 0; relative < capture_directions(rules, !king); relative++) {
        Direction direction = direction_of(walk->us, relative);
        bool flies = king && rules->flying_kings;
        Bitboard reach = flies ? bitboard_slide(at, direction, walk->empty) : at;
        Bitboard victim = bitboard_step(reach, direction) & left;
        Bitboard landings = flies ? bitboard_slide(victim, direction, walk->empty) & ~victim
                                  : bitboard_step(victim, direction) & walk->empty;
        /*
         * Where one landing square allows a further capture, the others are not legal: such a leg ends no
         * move.
         */
        if (flies && !rules->majority && left == victim && leads_elsewhere(walk, landings, direction)) {
            continue;
        }
        while (landings != 0) {
            Bitboard landing = landings & -landings;
            landings &= landings - 1;
            bool crowned =
                rules->promotion == PROMOTION_CONTINUES && (landing & bitboard_crownhead(walk->us)) != 0;
            walk->path.squares[walk->path.count++] = bitboard_first(landing);
            bool done = walk_path(walk, king || crowned, landing, left & ~victim);
            walk->path.count--;
            if (done) {
                return true;
            }
        }
    }
    return false;
}

bool movegen_visit_paths(Variant variant, const Position *position, Move move,
                         bool (*visit)(void *user, const Path *path), void *user) {
    Bitboard from = BITBOARD_BIT(move_from(move));
    PathWalk walk = {
        .rules = rules_of(variant),
        .us = (Color)position->turn,
        .empty = position_empty(position) | from,
        .others = position_opponent(position) & ~move_captured(move),
        .move = move,
        .path = {.count = 1, .squares = {move_from(move)}},
        .visit = visit,
        .user = user,
    };
    return walk_path(&walk, (position->kings & from) != 0, from, move_captured(move));
}
