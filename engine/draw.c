/* Which draw rule is in force, told from the material on the board. */
#include "engine/draw.h"

/*
 * What the rules ask about a board on which both sides have a king. A side with one piece is then a lone
 * king; of two lone kings either may be taken for the strong side.
 */
typedef struct {
    int total;
    int against; /* pieces against the lone king, 0 if no side is one */
    bool men;    /* there are men on the board */
    bool road;   /* the lone king stands on the main road */
} Balance;

static Balance balance_of(const Position *position) {
    Bitboard white = position->pieces[WHITE];
    Bitboard black = position->pieces[BLACK];
    Bitboard lone = !bitboard_several(black) ? black : !bitboard_several(white) ? white : 0;
    int total = bitboard_count(white | black);

    return (Balance){
        .total = total,
        .against = lone != 0 ? total - 1 : 0,
        .men = ((white | black) & ~position->kings) != 0,
        .road = (lone & BITBOARD_MAIN_ROAD) != 0,
    };
}

static bool material_fits(Material material, Balance balance) {
    switch (material) {
    case MATERIAL_ANY:
    case MATERIAL_BOTH_KINGS:
        return true;
    case MATERIAL_LONE_KING_AGAINST_AT_MOST_2:
        return balance.against == 1 || balance.against == 2;
    case MATERIAL_LONE_KING_ON_ROAD_AGAINST_3:
        return balance.against == 3 && balance.road;
    case MATERIAL_LONE_KING_AGAINST_3_KINGS:
        return balance.against >= 3 && !balance.men;
    case MATERIAL_BOTH_KINGS_4_OR_5:
        return balance.total == 4 || balance.total == 5;
    case MATERIAL_BOTH_KINGS_6_OR_7:
        return balance.total == 6 || balance.total == 7;
    }
    return false;
}

uint8_t draw_rule_find(const DrawRules *draws, const Position *position) {
    bool both_kings =
        (position->pieces[WHITE] & position->kings) != 0 && (position->pieces[BLACK] & position->kings) != 0;
    Balance balance = {0};

    /* Most positions lack a king on a side, and each material but "any" needs one: do not count those. */
    if (both_kings) {
        balance = balance_of(position);
    }
    for (uint8_t rule = 0; rule < DRAW_RULES_MAX && draws->rules[rule].limit != 0; rule++) {
        Material material = draws->rules[rule].material;
        if (material == MATERIAL_ANY || (both_kings && material_fits(material, balance))) {
            return rule;
        }
    }
    return DRAW_RULES_MAX;
}

DrawState draw_state_under(const DrawRules *draws, DrawState state, const Position *position) {
    uint8_t rule = draw_rule_of(draws, position);
    /* Material changes by captures and promotions alone, but kings come to the road and leave. */
    bool road = rule < DRAW_RULES_MAX && draws->rules[rule].material == MATERIAL_LONE_KING_ON_ROAD_AGAINST_3;

    state.since[SINCE_MATERIAL] = road ? 0 : state.since[SINCE_BALANCE];
    state.rule = rule;
    return state;
}

DrawState draw_state_init(const DrawRules *draws, const Position *position, int plies_without_progress) {
    int plies = plies_without_progress < 0 ? 0 : plies_without_progress;
    uint16_t since = plies > UINT16_MAX ? UINT16_MAX : (uint16_t)plies;
    DrawState state = {
        .since = {[SINCE_CAPTURE] = since, [SINCE_BALANCE] = since, [SINCE_PROGRESS] = since},
    };

    return draw_state_under(draws, state, position);
}
