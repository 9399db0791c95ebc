#include "search/evaluate.h"

#include "engine/attack.h"
#include "engine/bitboard.h"
#include "search/score.h"

/*
 * Two weights in one number, so that one addition adds both: the first counts with all men on the board, the
 * second with none, and in between they are blended.
 */
#define PHASED(opening, ending) ((opening) + (ending)*65536)

static int blend(int phased, int phase) {
    int opening = (int16_t)(phased & 0xFFFF);
    int ending = (phased - opening) >> 16;
    return (opening * phase + ending * (24 - phase)) / 24;
}

/* Weights in centi-men. */
typedef struct {
    int man, king;
    int advance[8];   /* phased; of a man, by rows from its back row */
    int centre_man;   /* phased; of a man on the eight squares in the middle */
    int edge_man;     /* phased; of a man at the side */
    int back_man;     /* phased; of each man on its back row while the opponent has men */
    int bridge;       /* phased; for holding the two squares that alone keep men from crowning */
    int tempo;        /* of being to move */
    int opposition;   /* of having the move with equal forces and few pieces */
    int centre_king;  /* of a short king off the edge, of a flying king on the main road */
    int trapped_king; /* of a king without a safe square to go to */
    int king_step;    /* of each safe square that the kings can go to */
    int runaway;      /* of a man that nobody can stop, less a part for each row it still has to go */
    int runaway_row;
    int exchange; /* for the side with more material: of each piece that is gone */
} Weights;

static const Weights SHORT_KINGS = {
    .man = 100,
    .king = 132,
    .advance = {0, PHASED(1, 3), PHASED(2, 6), PHASED(3, 10), PHASED(4, 15), PHASED(8, 21), PHASED(14, 28),
                0},
    .centre_man = PHASED(4, 4),
    .edge_man = PHASED(-3, -3),
    .back_man = PHASED(6, 1),
    .bridge = PHASED(10, 3),
    .tempo = 2,
    .opposition = 8,
    .centre_king = 10,
    .trapped_king = -28,
    .king_step = 2,
    .runaway = 40,
    .runaway_row = 6,
    .exchange = 2,
};

static const Weights FLYING_KINGS = {
    .man = 100,
    .king = 290,
    .advance = {0, PHASED(1, 6), PHASED(2, 12), PHASED(4, 20), PHASED(6, 30), PHASED(8, 44), PHASED(12, 64),
                0},
    .centre_man = PHASED(5, 5),
    .edge_man = PHASED(-4, -4),
    .back_man = PHASED(4, 0),
    .bridge = PHASED(6, 0),
    .tempo = 3,
    .opposition = 4,
    .centre_king = 40,
    .trapped_king = -60,
    .king_step = 3,
    .runaway = 120,
    .runaway_row = 18,
    .exchange = 3,
};

/* c3 e3 d4 f4 c5 e5 d6 f6 */
static const Bitboard CENTRE = BITBOARD_AT(2, 2) | BITBOARD_AT(4, 2) | BITBOARD_AT(3, 3) | BITBOARD_AT(5, 3) |
                               BITBOARD_AT(2, 4) | BITBOARD_AT(4, 4) | BITBOARD_AT(3, 5) | BITBOARD_AT(5, 5);
static const Bitboard EDGES = BITBOARD_AT(0, 0) | BITBOARD_AT(0, 2) | BITBOARD_AT(0, 4) | BITBOARD_AT(0, 6) |
                              BITBOARD_AT(7, 1) | BITBOARD_AT(7, 3) | BITBOARD_AT(7, 5) | BITBOARD_AT(7, 7);
static const Bitboard RIM = BITBOARD_ROW(0) | BITBOARD_ROW(7) | EDGES;
/* The squares that hold the back row with two men: c1 and g1, f8 and b8. */
static const Bitboard BRIDGES[2] = {BITBOARD_AT(2, 0) | BITBOARD_AT(6, 0),
                                    BITBOARD_AT(1, 7) | BITBOARD_AT(5, 7)};
/* With equal forces, an odd count of pieces here gives the move (the opposition) to whose turn it is. */
static const Bitboard MOVE_SYSTEM = BITBOARD_ROW(0) | BITBOARD_ROW(2) | BITBOARD_ROW(4) | BITBOARD_ROW(6);

/* The terms of one side; its advancement and back row phased. */
BITBOARD_INLINE Evaluation evaluate_side(const Weights *weights, const Rules *rules, bool flying,
                                         const Position *position, Color us) {
    Color them = color_opponent(us);
    Bitboard own = position->pieces[us];
    Bitboard opponent = position->pieces[them];
    Bitboard kings = own & position->kings;
    Bitboard men = own & ~kings;
    Bitboard their_men = opponent & ~position->kings;
    Bitboard empty = position_empty(position);
    Evaluation terms = {0};
    int advancement = 0;

    terms.material = weights->man * bitboard_count(men) + weights->king * bitboard_count(kings);

    BITBOARD_UNROLL
    for (int row = 1; row < 7; row++) {
        int count = bitboard_count(men & (us == WHITE ? BITBOARD_ROW(row) : BITBOARD_ROW(7 - row)));
        advancement += weights->advance[row] * count;
    }
    terms.advancement = advancement + weights->centre_man * bitboard_count(men & CENTRE) +
                        weights->edge_man * bitboard_count(men & EDGES);

    if (their_men != 0) {
        terms.back_row = weights->back_man * bitboard_count(men & bitboard_crownhead(them)) +
                         ((BRIDGES[us] & ~men) == 0 ? weights->bridge : 0);
    }

    if (kings != 0) {
        Bitboard open = empty | kings;
        Bitboard unsafe = attacked_squares(rules, them, opponent, position->kings, open);
        Bitboard reach = 0;
        Bitboard from = 0;
        BITBOARD_UNROLL
        for (int d = 0; d < DIRECTIONS; d++) {
            Direction direction = (Direction)d;
            Bitboard to = flying ? bitboard_slide(kings, direction, empty) : bitboard_step(kings, direction);
            to &= empty & ~unsafe;
            reach |= to;
            from |= flying ? bitboard_slide(to, direction_opposite(direction), open)
                           : bitboard_step(to, direction_opposite(direction));
        }
        terms.kings =
            weights->king_step * bitboard_count(reach) +
            weights->trapped_king * bitboard_count(kings & ~from) +
            weights->centre_king * bitboard_count(flying ? kings & BITBOARD_MAIN_ROAD : kings & ~RIM);
    }

    /*
     * Men in the last three rows whose whole way lies free; an enemy king or a man ahead may still stop it.
     */
    Bitboard runners = men & (us == WHITE ? BITBOARD_ROW(4) | BITBOARD_ROW(5) | BITBOARD_ROW(6)
                                          : BITBOARD_ROW(3) | BITBOARD_ROW(2) | BITBOARD_ROW(1));
    while (runners != 0) {
        Bitboard cone = runners & -runners;
        Bitboard guard = 0;
        int rows = 0;
        runners &= runners - 1;
        while ((cone & bitboard_crownhead(us)) == 0) {
            cone = (bitboard_step(cone, direction_of(us, 0)) | bitboard_step(cone, direction_of(us, 1))) &
                   BITBOARD_ALL;
            guard |= cone;
            rows++;
        }
        if ((guard & position_occupied(position)) == 0) {
            terms.runaways += weights->runaway - weights->runaway_row * rows;
        }
    }
    return terms;
}

/* With a lone flying king against few, or on the main road, material tells next to nothing. */
static bool is_drawish(const Position *position) {
    for (int lone = WHITE; lone <= BLACK; lone++) {
        Bitboard king = position->pieces[lone];
        int others = bitboard_count(position->pieces[1 - lone]);
        if (king != 0 && !bitboard_several(king) && (king & position->kings) != 0 &&
            (position->pieces[1 - lone] & position->kings) != 0 &&
            (others <= 2 || (others == 3 && (king & BITBOARD_MAIN_ROAD) != 0))) {
            return true;
        }
    }
    return false;
}

BITBOARD_INLINE int evaluate_all(const Weights *weights, const Rules *rules, bool flying,
                                 const Position *position, Evaluation *terms) {
    Color us = (Color)position->turn;
    Bitboard occupied = position_occupied(position);
    int pieces = bitboard_count(occupied);
    int phase = bitboard_count(occupied & ~position->kings);
    phase = phase > 24 ? 24 : phase;
    Evaluation white = evaluate_side(weights, rules, flying, position, WHITE);
    Evaluation black = evaluate_side(weights, rules, flying, position, BLACK);
    int sign = us == WHITE ? 1 : -1;
    int sum = 0;

    white.advancement = blend(white.advancement - black.advancement, phase);
    white.back_row = blend(white.back_row - black.back_row, phase);
    black.advancement = black.back_row = 0;
#define TERM(name) terms->name = sign * (white.name - black.name);
    EVALUATION_TERMS(TERM)
#undef TERM
    if (terms->material != 0) {
        /* Exchanges help the side ahead. */
        terms->material += (terms->material > 0 ? 1 : -1) * weights->exchange * (24 - pieces);
    }
    if (flying && pieces <= 4 && is_drawish(position)) {
#define TERM(name) terms->name /= 8;
        EVALUATION_TERMS(TERM)
#undef TERM
    }
    terms->tempo = weights->tempo;
    if (pieces <= 12 && bitboard_count(position->pieces[WHITE]) == bitboard_count(position->pieces[BLACK])) {
        bool odd = (bitboard_count(occupied & MOVE_SYSTEM) & 1) != 0;
        terms->tempo += odd ? weights->opposition : -weights->opposition;
    }
#define TERM(name) sum += terms->name;
    EVALUATION_TERMS(TERM)
#undef TERM
    return sum > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : sum < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : sum;
}

int evaluate_terms(const Rules *rules, const Position *position, Evaluation *terms) {
    return rules->flying_kings ? evaluate_all(&FLYING_KINGS, rules, true, position, terms)
                               : evaluate_all(&SHORT_KINGS, rules, false, position, terms);
}

int evaluate(const Rules *rules, const Position *position) {
    Evaluation terms;
    return evaluate_terms(rules, position, &terms);
}
