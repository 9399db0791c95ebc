#include "engine/position.h"

Position position_start(const Rules *rules) {
    return (Position){
        .pieces = {[WHITE] = BITBOARD_ROW(0) | BITBOARD_ROW(1) | BITBOARD_ROW(2),
                   [BLACK] = BITBOARD_ROW(5) | BITBOARD_ROW(6) | BITBOARD_ROW(7)},
        .kings = 0,
        .turn = (uint8_t)rules->first,
    };
}
