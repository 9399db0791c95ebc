/*
 * Counting moves and replies without making them, for the last two plies of a perft. Captures are counted by
 * paths: once for every order in which their pieces can be taken.
 */
#ifndef CROWNHEAD_BENCH_PERFT_COUNT_H
#define CROWNHEAD_BENCH_PERFT_COUNT_H

#include "engine/generator.h"

/* ---- Captures ------------------------------------------------------------------------------------------ */

/* Ways in which a flying king's capture goes on from any square of at; as capture_on_flying. */
GENERATOR_RECURSIVE uint64_t count_on_flying(Bitboard at, int came, Bitboard targets, Bitboard empty) {
    uint64_t count = 0;

    for (int d = 0; d < DIRECTIONS; d++) {
        Direction direction = (Direction)d;
        if (came != NO_DIRECTION && direction == direction_opposite((Direction)came)) {
            continue;
        }
        Bitboard victims = slide_victims(at, targets, empty, direction);
        while (victims != 0) {
            Bitboard victim = victims & -victims;
            victims &= victims - 1;
            Bitboard landings = bitboard_slide(victim, direction, empty) & ~victim;
            uint64_t more = count_on_flying(landings, d, targets & ~victim, empty);
            count += more != 0 ? more : (uint64_t)bitboard_count(landings);
        }
    }
    return count;
}

GENERATOR_RECURSIVE uint64_t count_on_short(const Rules *rules, Color us, bool man, Bitboard at,
                                            Bitboard targets, Bitboard empty);

/* Ways to end a short piece's capture that has just landed at a square; at least 1. As capture_land. */
GENERATOR_RECURSIVE uint64_t count_land(const Rules *rules, Color us, bool man, Direction came, Bitboard at,
                                        Bitboard targets, Bitboard empty) {
    uint64_t more;

    if (man && rules->promotion != PROMOTION_ONLY_AT_END && (at & bitboard_crownhead(us)) != 0) {
        more = rules->promotion == PROMOTION_ENDS_MOVE ? 0
               : rules->flying_kings                   ? count_on_flying(at, (int)came, targets, empty)
                                                       : count_on_short(rules, us, false, at, targets, empty);
    } else {
        more = count_on_short(rules, us, man, at, targets, empty);
    }
    return more != 0 ? more : 1;
}

GENERATOR_RECURSIVE uint64_t count_on_short(const Rules *rules, Color us, bool man, Bitboard at,
                                            Bitboard targets, Bitboard empty) {
    uint64_t count = 0;

    for (int relative = 0; relative < capture_directions(rules, man); relative++) {
        Direction direction = direction_of(us, relative);
        Bitboard victim = bitboard_step(at, direction) & targets;
        Bitboard landing = bitboard_step(victim, direction) & empty;
        if (landing != 0) {
            count += count_land(rules, us, man, direction, landing, targets & ~victim, empty);
        }
    }
    return count;
}

/*
 * Ways to end the captures of men that stand on a set of squares after their first jump and go on, given the
 * squares from which a man can jump to the left and to the right. For games in which men capture forward
 * only: nothing behind a man matters to it, so all go on at once, and no man jumps more than three times.
 */
BITBOARD_INLINE uint64_t count_on_forward(Color us, Bitboard at, Bitboard left, Bitboard right) {
    Bitboard second[2] = {bitboard_step_by(at & left, direction_of(us, 0), 2),
                          bitboard_step_by(at & right, direction_of(us, 1), 2)};
    int count = 0;

    for (int i = 0; i < 2; i++) {
        count += bitboard_count(second[i] & ~(left | right)) + bitboard_count(second[i] & left) +
                 bitboard_count(second[i] & right);
    }
    return (uint64_t)count;
}

/* Capture paths of the side to move, 0 if it has no capture; not under a majority rule. */
BITBOARD_INLINE uint64_t count_captures(const Rules *rules, Color us, Board board) {
    Bitboard kings = board.own & board.kings;
    Bitboard men = board.own & ~kings;
    JumpMap map = jump_map(rules, us, board, true);
    uint64_t count = 0;

    if ((jump_map_all(&map) & men) != 0) {
        BITBOARD_UNROLL
        for (int relative = 0; relative < capture_directions(rules, true); relative++) {
            Direction direction = direction_of(us, relative);
            Direction back = direction_opposite(direction);
            Bitboard landings = bitboard_step_by(men & map.origins[relative], direction, 2);
            Bitboard on = landings & jump_map_on(rules, us, &map, relative);
            count += (uint64_t)bitboard_count(landings & ~on);
            if (on != 0 && !rules->men_capture_backward && rules->promotion != PROMOTION_CONTINUES) {
                count += count_on_forward(us, on, map.origins[0], map.origins[1]);
                continue;
            }
            while (on != 0) {
                Bitboard at = on & -on;
                Bitboard victim = bitboard_step(at, back);
                on &= on - 1;
                count += count_land(rules, us, true, direction, at, board.opponent & ~victim,
                                    board.empty | bitboard_step(victim, back));
            }
        }
    }
    while (__builtin_expect(kings != 0, 0)) {
        Bitboard king = kings & -kings;
        kings &= kings - 1;
        count += rules->flying_kings
                     ? count_on_flying(king, NO_DIRECTION, board.opponent, board.empty | king)
                     : count_on_short(rules, us, false, king, board.opponent, board.empty | king);
    }
    return count;
}

/* ---- Quiet moves --------------------------------------------------------------------------------------- */

BITBOARD_INLINE uint64_t count_quiets(const Rules *rules, Color us, Board board) {
    Bitboard kings = board.own & board.kings;
    Bitboard steppers = rules->flying_kings ? board.own & ~kings : board.own;
    int count = bitboard_count(bitboard_step(steppers, direction_of(us, 0)) & board.empty) +
                bitboard_count(bitboard_step(steppers, direction_of(us, 1)) & board.empty);

    if (__builtin_expect(kings != 0, 0)) {
        if (!rules->flying_kings) {
            count += bitboard_count(bitboard_step(kings, direction_of(us, 2)) & board.empty) +
                     bitboard_count(bitboard_step(kings, direction_of(us, 3)) & board.empty);
        }
        while (rules->flying_kings && kings != 0) {
            Bitboard king = kings & -kings;
            Bitboard reach = 0;
            kings &= kings - 1;
            BITBOARD_UNROLL
            for (int d = 0; d < DIRECTIONS; d++) {
                reach |= bitboard_slide(king, (Direction)d, board.empty);
            }
            count += bitboard_count(reach & board.empty);
        }
    }
    return (uint64_t)count;
}

/* Legal moves of the side to move. */
BITBOARD_INLINE uint64_t count_moves(const Rules *rules, Color us, Board board) {
    uint64_t captures = count_captures(rules, us, board);
    return captures != 0 ? captures : count_quiets(rules, us, board);
}

/* ---- Two plies at once --------------------------------------------------------------------------------- */

/*
 * What the opponent could do with the pieces of the side to move, before that moves. Directions are the
 * opponent's.
 */
typedef struct {
    Bitboard beside[4]; /* next to a piece, by the direction in which it steps */
    Bitboard attack[4]; /* next to a piece, by the direction in which it jumps */
    Bitboard attacked;  /* where a piece of ours would be jumped */
    bool with_kings;    /* any king is on the board, so that all four directions count */
    bool calm;          /* the opponent has no jump now, and none of its kings flies */
} Threats;

BITBOARD_INLINE Threats threats_of(const Rules *rules, Color us, Board board) {
    Threats threats = {.with_kings = !rules->flying_kings && board.kings != 0};
    Bitboard their_kings = board.opponent & board.kings;

    BITBOARD_UNROLL
    for (int relative = 0; relative < 4; relative++) {
        Direction direction = direction_of(color_opponent(us), relative);
        threats.beside[relative] = bitboard_step(relative < 2         ? board.opponent
                                                 : threats.with_kings ? their_kings
                                                                      : 0,
                                                 direction);
        threats.attack[relative] =
            rules->men_capture_backward ? bitboard_step(board.opponent, direction) : threats.beside[relative];
        threats.attacked |=
            threats.attack[relative] & bitboard_step(board.empty, direction_opposite(direction));
    }
    threats.calm = (threats.attacked & board.own) == 0 && !(rules->flying_kings && their_kings != 0);
    return threats;
}

/*
 * Counts, in a calm position, the replies to those of our steps (sets of destinations, by relative direction)
 * after which the opponent cannot jump, and takes them out of the sets; after each step that is left it can.
 * After a step from a to b the opponent has as many steps as before, plus one for each piece next to a, less
 * one for each next to b.
 */
BITBOARD_INLINE uint64_t count_replies_to_safe_steps(Color us, Board board, const Threats *threats,
                                                     Bitboard steps[4]) {
    Bitboard sheltering = 0; /* pieces behind a piece of ours that would else be jumped */
    int directions = threats->with_kings ? 4 : 2;
    int replies = 0;
    int count = 0;

    BITBOARD_UNROLL
    for (int theirs = 0; theirs < 4; theirs++) {
        Direction direction = direction_of(color_opponent(us), theirs);
        sheltering |= bitboard_step(threats->attack[theirs] & board.own, direction);
        replies += bitboard_count(threats->beside[theirs] & board.empty);
    }
    BITBOARD_UNROLL
    for (int relative = 0; relative < directions; relative++) {
        Direction direction = direction_of(us, relative);
        /*
         * A piece straight ahead would jump over b to a; their direction opposite to ours has the same
         * number.
         */
        Bitboard safe = steps[relative] & ~(threats->attacked | bitboard_step(sheltering, direction) |
                                            threats->attack[relative]);
        Bitboard origins = bitboard_step(safe, direction_opposite(direction));
        steps[relative] &= ~safe;
        count += bitboard_count(safe) * replies;
        BITBOARD_UNROLL
        for (int theirs = 0; theirs < directions; theirs++) {
            count += bitboard_count(threats->beside[theirs] & origins) -
                     bitboard_count(threats->beside[theirs] & safe);
        }
    }
    return (uint64_t)count;
}

#endif
