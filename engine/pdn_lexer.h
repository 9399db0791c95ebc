/*
 * The words of a PDN text. What means nothing to a reader (comments, move numbers, marks of strength, blanks)
 * is read over; what stands between the words in other scripts or code pages is taken for what it looks like.
 */
#ifndef CROWNHEAD_ENGINE_PDN_LEXER_H
#define CROWNHEAD_ENGINE_PDN_LEXER_H

#include "engine/notation.h"
#include "engine/view.h"

typedef enum {
    PDN_END,
    PDN_TAG,         /* [Name "value"] */
    PDN_MOVE,        /* squares and what is between them; whether it is legal is not the lexer's business */
    PDN_NO_MOVE,     /* a dash in the place of a move */
    PDN_BAD_MOVE,    /* looks like a move and is none */
    PDN_OUTCOME,     /* a result, which ends the game */
    PDN_SETUP,       /* /FEN "..."/ */
    PDN_OPEN,        /* ( */
    PDN_CLOSE,       /* ) */
    PDN_BAD_COMMENT, /* a { without an end; the lexer goes on at the next tag */
    PDN_JUNK         /* anything else */
} PdnKind;

/* A result in the terms of PDN, by who moves first. */
typedef enum {
    OUTCOME_NONE, /* none, or words that say nothing to us */
    OUTCOME_OPEN,
    OUTCOME_FIRST_WINS,
    OUTCOME_SECOND_WINS,
    OUTCOME_DRAW,
    OUTCOME_BOTH_LOSE
} PdnOutcome;

enum { PDN_MOVE_SIZE = 2 * MOVE_TEXT_SIZE }; /* the longest move, every square padded with a zero */

typedef struct {
    PdnKind kind;
    size_t line;  /* on which it begins, from 1 */
    View text;    /* all of it */
    View name;    /* of a tag */
    View value;   /* of a tag without its quotes, the FEN of a setup with them */
    bool broken;  /* the value of a tag has no proper end */
    View glued;   /* what follows a move without a blank and is no part of it, mostly empty */
    bool letters; /* a move names its first square by letter and digit */
    PdnOutcome outcome;
    size_t move_length;
    char move[PDN_MOVE_SIZE]; /* a move in ASCII, without blanks; not ended by a NUL byte */
} PdnToken;

typedef struct {
    const char *start, *at, *end;
    size_t line; /* of at */
    /* What was looked for in vain up to the end of a line is not looked for again from within that line. */
    const char *no_quotes, *no_bracket;
} PdnLexer;

PdnLexer pdn_lexer_init(View text);

/* Takes the next word off the text. */
void pdn_lexer_next(PdnLexer *lexer, PdnToken *token);

/* What a text like that of the tag Result says. */
PdnOutcome pdn_outcome_read(View text);

#endif
