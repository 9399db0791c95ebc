/* Static evaluation of a quiet position. */
#ifndef CROWNHEAD_SEARCH_EVALUATE_H
#define CROWNHEAD_SEARCH_EVALUATE_H

#include "engine/position.h"
#include "engine/rules.h"

/* The terms of the evaluation, for people who ask why. */
#define EVALUATION_TERMS(TERM) \
    TERM(material) \
    TERM(advancement) \
    TERM(back_row) \
    TERM(tempo) \
    TERM(kings) \
    TERM(runaways)

/* Each term in centi-men, side to move's view; the evaluation is their sum, bounded. */
typedef struct {
#define TERM(name) int name;
    EVALUATION_TERMS(TERM)
#undef TERM
} Evaluation;

/* Value of a position for the side to move, in centi-men, within +/- SCORE_EVAL_MAX. */
int evaluate(const Rules *rules, const Position *position);

/* The same with its terms. */
int evaluate_terms(const Rules *rules, const Position *position, Evaluation *terms);

#endif
