/* The counters behind the draw rules; a value that follows the position from move to move. */
#ifndef CROWNHEAD_ENGINE_DRAW_H
#define CROWNHEAD_ENGINE_DRAW_H

#include "engine/position.h"
#include "engine/rules.h"

#include <limits.h>

typedef struct {
    uint16_t since[4]; /* plies, by DrawCounter; they stop at UINT16_MAX */
    uint8_t rule;      /* index of the rule in force, DRAW_RULES_MAX if none */
} DrawState;

/*
 * The state at the start of a count; plies without a capture or a move of a man as a FEN may tell them,
 * else 0.
 */
DrawState draw_state_init(const DrawRules *draws, const Position *position, int plies_without_progress);

/*
 * The state of the same game under other rules. What happened under the old ones stays counted; only since
 * when the material has been there is asked anew, and answered with the least that is certain.
 */
DrawState draw_state_under(const DrawRules *draws, DrawState state, const Position *position);

/* The index of the first rule whose material is on the board, DRAW_RULES_MAX if there is none. */
uint8_t draw_rule_find(const DrawRules *draws, const Position *position);

/* As draw_rule_find; inline because a game with a single rule for any material need not look at the board. */
static inline uint8_t draw_rule_of(const DrawRules *draws, const Position *position) {
    if (draws->rules[0].material == MATERIAL_ANY && draws->rules[0].limit != 0) {
        return 0;
    }
    return draw_rule_find(draws, position);
}

static inline uint16_t draw_count_up(uint16_t count) {
    return (uint16_t)(count + (count != UINT16_MAX));
}

/* The state after a move that leads from before to after. */
static inline DrawState draw_state_after(const DrawRules *draws, DrawState state, const Position *before,
                                         Move move, const Position *after) {
    bool capture = move_is_capture(move);
    bool man = (before->kings & BITBOARD_BIT(move_from(move))) == 0;
    uint8_t rule = draw_rule_of(draws, after);

    return (DrawState){
        .since =
            {
                [SINCE_CAPTURE] = capture ? 0 : draw_count_up(state.since[SINCE_CAPTURE]),
                [SINCE_BALANCE] =
                    capture || move_crowns(move) ? 0 : draw_count_up(state.since[SINCE_BALANCE]),
                [SINCE_PROGRESS] = capture || man ? 0 : draw_count_up(state.since[SINCE_PROGRESS]),
                [SINCE_MATERIAL] = rule != state.rule ? 0 : draw_count_up(state.since[SINCE_MATERIAL]),
            },
        .rule = rule,
    };
}

/*
 * Plies left till the rule in force draws the game: 0 = drawn now, unless the side to move has no move;
 * INT_MAX = no rule is in force.
 */
static inline int draw_plies_left(const DrawRules *draws, DrawState state) {
    if (state.rule >= DRAW_RULES_MAX) {
        return INT_MAX;
    }

    const DrawRule *rule = &draws->rules[state.rule];
    int left = rule->limit - state.since[rule->counter];
    if (rule->balance_limit != 0 && rule->balance_limit - state.since[SINCE_BALANCE] < left) {
        left = rule->balance_limit - state.since[SINCE_BALANCE];
    }
    return left > 0 ? left : 0;
}

#endif
