/* Squares under attack, for whoever weighs moves; the generator decides what is legal. */
#ifndef CROWNHEAD_ENGINE_ATTACK_H
#define CROWNHEAD_ENGINE_ATTACK_H

#include "engine/bitboard.h"
#include "engine/rules.h"

/*
 * The squares of open, which counts as empty, where a piece would be jumped by pieces of a colour: those with
 * an empty square behind next to a piece that captures in that direction, or to which a flying king has a
 * free way.
 */
BITBOARD_INLINE Bitboard attacked_squares(const Rules *rules, Color color, Bitboard pieces, Bitboard kings,
                                          Bitboard open) {
    Bitboard attacked = 0;

    BITBOARD_UNROLL
    for (int relative = 0; relative < 4; relative++) {
        Direction direction = direction_of(color, relative);
        Bitboard attackers = relative < 2 || rules->men_capture_backward ? pieces : pieces & kings;
        if (rules->flying_kings) {
            attackers |= bitboard_slide(pieces & kings, direction, open);
        }
        attacked |=
            bitboard_step(attackers, direction) & open & bitboard_step(open, direction_opposite(direction));
    }
    return attacked;
}

#endif
