/*
 * The move generator, written once for all games. What every position goes through is inlined with the rules
 * and the colour as constants, so that each game's generator holds only its own rules; what few positions
 * need (second jumps, captures of flying kings) is shared and looks at the rules as it runs. Only movegen.c
 * and the perft counter include this file.
 *
 * A jumped piece stays on the board till the move ends: it leaves the targets and does not become empty. The
 * origin is empty from the start.
 */
#ifndef CROWNHEAD_ENGINE_GENERATOR_H
#define CROWNHEAD_ENGINE_GENERATOR_H

#include "engine/bitboard.h"
#include "engine/move.h"
#include "engine/rules.h"

/* The recursive functions: inlined into themselves they would grow beyond measure. */
#define GENERATOR_RECURSIVE static __attribute__((noinline))

enum { NO_DIRECTION = -1 };

/* A position as the side to move sees it. */
typedef struct {
    Bitboard own, opponent, kings, empty;
} Board;

BITBOARD_INLINE Board board_make(Bitboard own, Bitboard opponent, Bitboard kings) {
    return (Board){own, opponent, kings, BITBOARD_ALL & ~(own | opponent)};
}

/* How many of the relative directions (direction_of) a piece may capture in. */
BITBOARD_INLINE int capture_directions(const Rules *rules, bool man) {
    return man && !rules->men_capture_backward ? 2 : 4;
}

/* The squares next to which a target stands in this direction with an empty square behind it. */
BITBOARD_INLINE Bitboard jump_origins(Bitboard targets, Bitboard empty, Direction direction) {
    Direction back = direction_opposite(direction);
    return bitboard_step(bitboard_step(empty, back) & targets, back);
}

/* The targets that kings of the set can take in this direction from afar. */
BITBOARD_INLINE Bitboard slide_victims(Bitboard set, Bitboard targets, Bitboard empty, Direction direction) {
    return bitboard_step(bitboard_slide(set, direction, empty), direction) & targets &
           bitboard_step(empty, direction_opposite(direction));
}

BITBOARD_INLINE bool can_capture(const Rules *rules, Color us, Board board) {
    Bitboard kings = board.own & board.kings;
    Bitboard men = board.own & ~kings;
    Bitboard found = 0;

    BITBOARD_UNROLL
    for (int relative = 0; relative < 4; relative++) {
        Direction direction = direction_of(us, relative);
        Bitboard jumpers = 0;
        if (relative < capture_directions(rules, true)) {
            jumpers |= men;
        }
        if (!rules->flying_kings) {
            jumpers |= kings;
        }
        found |= jumpers & jump_origins(board.opponent, board.empty, direction);
    }
    if (rules->flying_kings && kings != 0) {
        BITBOARD_UNROLL
        for (int relative = 0; relative < 4; relative++) {
            found |= slide_victims(kings, board.opponent, board.empty, direction_of(us, relative));
        }
    }
    return found != 0;
}

/* The squares from which short pieces can jump, by relative direction. */
typedef struct {
    Bitboard origins[4];
} JumpMap;

/* The map for men, or for pieces that capture in all directions. */
BITBOARD_INLINE JumpMap jump_map(const Rules *rules, Color us, Board board, bool men) {
    JumpMap map = {0};

    BITBOARD_UNROLL
    for (int relative = 0; relative < capture_directions(rules, men); relative++) {
        map.origins[relative] = jump_origins(board.opponent, board.empty, direction_of(us, relative));
    }
    return map;
}

/* Every square from which a jump is possible. */
BITBOARD_INLINE Bitboard jump_map_all(const JumpMap *map) {
    return map->origins[0] | map->origins[1] | map->origins[2] | map->origins[3];
}

/*
 * The landing squares where a man that came in a relative direction may have to go on. A second jump cannot
 * meet the piece just taken but backwards, nor need the origin: on all other squares the capture ends.
 */
BITBOARD_INLINE Bitboard jump_map_on(const Rules *rules, Color us, const JumpMap *map, int relative) {
    Bitboard on = rules->promotion == PROMOTION_CONTINUES ? bitboard_crownhead(us) : 0;

    BITBOARD_UNROLL
    for (int next = 0; next < capture_directions(rules, true); next++) {
        on |= next != 3 - relative ? map->origins[next] : 0;
    }
    return rules->promotion == PROMOTION_ENDS_MOVE ? on & ~bitboard_crownhead(us) : on;
}

/* ---- Lists ---- */

/* A capture in the making. */
typedef struct {
    const Rules *rules;
    MoveList *list;
    uint16_t *ways; /* paths of each move of the list, or NULL if nobody asks */
    Color us;
    Square from;
    bool crowned; /* a man on its way has become a king */
    Bitboard empty;
} Capture;

static inline void capture_add(const Capture *capture, Bitboard to, Bitboard captured, bool crowns) {
    MoveList *list = capture->list;
    Move move = move_make(capture->from, bitboard_first(to), captured, crowns);

    if (bitboard_several(captured)) {
        for (int i = 0; i < list->count; i++) {
            if (list->moves[i] == move) {
                if (capture->ways != NULL) {
                    capture->ways[i]++;
                }
                return;
            }
        }
    }
    if (capture->ways != NULL) {
        capture->ways[list->count] = 1;
    }
    list->moves[list->count++] = move;
}

/*
 * Adds all ends of a flying king's capture that goes on from any square of at, the landing squares of one leg
 * that came in a direction. False if it does not go on. As the squares lie on one line, what they can take
 * sideways differs from square to square, and what lies ahead is the same for all.
 */
GENERATOR_RECURSIVE bool capture_on_flying(const Capture *capture, Bitboard at, int came, Bitboard targets,
                                           Bitboard captured) {
    bool found = false;

    for (int d = 0; d < DIRECTIONS; d++) {
        Direction direction = (Direction)d;
        if (came != NO_DIRECTION && direction == direction_opposite((Direction)came)) {
            continue;
        }
        Bitboard victims = slide_victims(at, targets, capture->empty, direction);
        while (victims != 0) {
            Bitboard victim = victims & -victims;
            victims &= victims - 1;
            Bitboard landings = bitboard_slide(victim, direction, capture->empty) & ~victim;
            found = true;
            if (!capture_on_flying(capture, landings, d, targets & ~victim, captured | victim)) {
                while (landings != 0) {
                    capture_add(capture, landings & -landings, captured | victim, capture->crowned);
                    landings &= landings - 1;
                }
            }
        }
    }
    return found;
}

GENERATOR_RECURSIVE bool capture_on_short(const Capture *capture, bool man, Bitboard at, Bitboard targets,
                                          Bitboard captured);

/* Adds all ends of a short piece's capture that has just jumped a victim and landed. */
GENERATOR_RECURSIVE void capture_land(const Capture *capture, bool man, Direction came, Bitboard at,
                                      Bitboard targets, Bitboard captured) {
    const Rules *rules = capture->rules;
    bool crowns = capture->crowned || (man && (at & bitboard_crownhead(capture->us)) != 0);
    bool goes_on;

    if (man && crowns && rules->promotion == PROMOTION_ENDS_MOVE) {
        goes_on = false;
    } else if (man && crowns && rules->promotion == PROMOTION_CONTINUES) {
        Capture king = *capture;
        king.crowned = true;
        goes_on = rules->flying_kings ? capture_on_flying(&king, at, (int)came, targets, captured)
                                      : capture_on_short(&king, false, at, targets, captured);
    } else {
        goes_on = capture_on_short(capture, man, at, targets, captured);
    }
    if (!goes_on) {
        capture_add(capture, at, captured, crowns);
    }
}

GENERATOR_RECURSIVE bool capture_on_short(const Capture *capture, bool man, Bitboard at, Bitboard targets,
                                          Bitboard captured) {
    bool found = false;

    for (int relative = 0; relative < capture_directions(capture->rules, man); relative++) {
        Direction direction = direction_of(capture->us, relative);
        Bitboard victim = bitboard_step(at, direction) & targets;
        Bitboard landing = bitboard_step(victim, direction) & capture->empty;
        if (landing != 0) {
            found = true;
            capture_land(capture, man, direction, landing, targets & ~victim, captured | victim);
        }
    }
    return found;
}

/* Keeps only the captures that take as many pieces as any. */
static inline void capture_keep_majority(MoveList *list, uint16_t *ways) {
    int most = 0;
    int kept = 0;

    for (int i = 0; i < list->count; i++) {
        int taken = bitboard_count(move_captured(list->moves[i]));
        most = taken > most ? taken : most;
    }
    for (int i = 0; i < list->count; i++) {
        if (bitboard_count(move_captured(list->moves[i])) == most) {
            if (ways != NULL) {
                ways[kept] = ways[i];
            }
            list->moves[kept++] = list->moves[i];
        }
    }
    list->count = kept;
}

/* Adds the jumps of men or of short kings, their first jumps found for all pieces at once. */
BITBOARD_INLINE void generate_short_captures(const Rules *rules, Color us, Board board, bool man,
                                             Bitboard pieces, MoveList *list, uint16_t *ways) {
    JumpMap map = jump_map(rules, us, board, man);

    BITBOARD_UNROLL
    for (int relative = 0; relative < capture_directions(rules, man); relative++) {
        Direction direction = direction_of(us, relative);
        Bitboard jumpers = pieces & map.origins[relative];
        Bitboard on = man ? jump_map_on(rules, us, &map, relative) : BITBOARD_ALL;
        while (jumpers != 0) {
            Bitboard from = jumpers & -jumpers;
            Bitboard victim = bitboard_step(from, direction);
            Bitboard to = bitboard_step(victim, direction);
            jumpers &= jumpers - 1;
            if ((to & on) == 0) {
                if (ways != NULL) {
                    ways[list->count] = 1;
                }
                bool crowns = (to & bitboard_crownhead(us)) != 0;
                list->moves[list->count++] =
                    move_make(bitboard_first(from), bitboard_first(to), victim, crowns);
            } else {
                Capture capture = {rules, list, ways, us, bitboard_first(from), false, board.empty | from};
                capture_land(&capture, man, direction, to, board.opponent & ~victim, victim);
            }
        }
    }
}

/* Adds the captures of all kings and of the given men. */
BITBOARD_INLINE void generate_captures_of(const Rules *rules, Color us, Board board, Bitboard men,
                                          MoveList *list, uint16_t *ways) {
    Bitboard kings = board.own & board.kings;

    generate_short_captures(rules, us, board, true, men, list, ways);
    if (!rules->flying_kings) {
        if (kings != 0) {
            generate_short_captures(rules, us, board, false, kings, list, ways);
        }
    } else {
        while (kings != 0) {
            Bitboard from = kings & -kings;
            kings &= kings - 1;
            Capture capture = {rules, list, ways, us, bitboard_first(from), false, board.empty | from};
            capture_on_flying(&capture, from, NO_DIRECTION, board.opponent, 0);
        }
    }
}

/* Adds the moves of pieces by one step in each direction of the set of destinations. */
BITBOARD_INLINE void generate_steps(Color us, Board board, bool man, Bitboard pieces, MoveList *list) {
    int directions = man ? 2 : 4;

    BITBOARD_UNROLL
    for (int relative = 0; relative < directions; relative++) {
        Direction direction = direction_of(us, relative);
        Bitboard reach = bitboard_step(pieces, direction) & board.empty;
        while (reach != 0) {
            Bitboard to = reach & -reach;
            reach &= reach - 1;
            bool crowns = man && (to & bitboard_crownhead(us)) != 0;
            Square from = bitboard_first(bitboard_step(to, direction_opposite(direction)));
            list->moves[list->count++] = move_make(from, bitboard_first(to), 0, crowns);
        }
    }
}

BITBOARD_INLINE void generate_quiets(const Rules *rules, Color us, Board board, MoveList *list) {
    Bitboard kings = board.own & board.kings;

    generate_steps(us, board, true, board.own & ~kings, list);
    if (!rules->flying_kings) {
        if (kings != 0) {
            generate_steps(us, board, false, kings, list);
        }
        return;
    }
    while (kings != 0) {
        Bitboard king = kings & -kings;
        Square from = bitboard_pop(&kings);
        Bitboard reach = 0;
        BITBOARD_UNROLL
        for (int d = 0; d < DIRECTIONS; d++) {
            reach |= bitboard_slide(king, (Direction)d, board.empty);
        }
        reach &= board.empty;
        while (reach != 0) {
            list->moves[list->count++] = move_make(from, bitboard_pop(&reach), 0, false);
        }
    }
}

/*
 * Fills the list with the legal moves, each once, and ways, unless NULL, with the number of paths of each
 * capture. Without quiets the list stays empty where there is no capture.
 */
BITBOARD_INLINE void generate(const Rules *rules, Color us, Board board, bool quiets, MoveList *list,
                              uint16_t *ways) {
    list->count = 0;
    if (can_capture(rules, us, board)) {
        generate_captures_of(rules, us, board, board.own & ~board.kings, list, ways);
        if (rules->majority && list->count > 1) {
            capture_keep_majority(list, ways);
        }
    } else if (quiets) {
        generate_quiets(rules, us, board, list);
    }
}

#endif
