/* Random numbers, positions and games for tests, the same ones every time for a seed. */
#ifndef CROWNHEAD_TESTS_RANDOM_PLAY_H
#define CROWNHEAD_TESTS_RANDOM_PLAY_H

#include "engine/movegen.h"
#include "engine/random.h"

#include <check.h>

/* For tests of many rounds: ck_assert_msg reports each success to the parent process, and that takes long. */
#define CHECK_QUICKLY(condition, ...) \
    do { \
        if (!(condition)) { \
            ck_abort_msg(__VA_ARGS__); \
        } \
    } while (0)

/* The position after one more move; the start of a new game when the old one is over or has become long. */
static inline Position random_play(Variant variant, const Position *position, int *plies, uint64_t *state) {
    MoveList list;

    movegen_generate(variant, position, &list);
    if (list.count == 0 || *plies >= 200) {
        *plies = 0;
        return position_start(rules_of(variant));
    }
    ++*plies;
    return position_after(position, list.moves[random_below(state, list.count)]);
}

/* At most so many pieces of random kinds on random squares: many kings, few men. */
static inline Position random_position(int most, uint64_t *state) {
    Position position = {.turn = (uint8_t)random_below(state, 2)};
    int count = 1 + random_below(state, most);

    for (int i = 0; i < count; i++) {
        Bitboard bit = BITBOARD_BIT(square_from_number(1 + random_below(state, SQUARES)));
        Color color = (Color)random_below(state, 2);
        if ((position_occupied(&position) & bit) == 0 &&
            bitboard_count(position.pieces[color]) < SIDE_PIECES) {
            position.pieces[color] |= bit;
            position.kings |= random_below(state, 2) != 0 ? bit : 0;
        }
    }
    return position;
}

#endif
