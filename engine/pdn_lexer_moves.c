/* The part of the PDN lexer that knows moves, their numbers, and results. */
#include "engine/pdn_scan.h"

#include <string.h>

/* The end of what looks like a square, digits or a letter and a digit; NULL if nothing does. */
static const char *square_end(const PdnLexer *lexer, const char *at) {
    const char *end = at;

    if (lexer->end - at >= 2 && is_file(at[0]) && is_digit(at[1])) {
        return at + 2;
    }
    while (end != lexer->end && is_digit(*end)) {
        end++;
    }
    return end != at ? end : NULL;
}

/*
 * Where the next square of a path begins, and the sign that leads to it, '\0' for none; NULL at its end.
 * Blanks are read over on either side of the first sign; further on a move is longer only if it is a capture
 * that has them on both sides.
 */
static const char *next_square(const PdnLexer *lexer, const char *at, int count, bool letters, int *sign) {
    const char *after = after_blanks(lexer, at);
    PdnCharacter character = character_at(lexer, after);

    *sign = '\0';
    if (after == at && letters && is_file(character.code)) {
        return square_end(lexer, at) != NULL ? at : NULL;
    }
    if (!is_separator(character.code)) {
        return NULL;
    }
    *sign = character.code == '*' ? 'x' : character.code;

    const char *square = after_blanks(lexer, after + character.size);
    bool before = after != at;
    bool behind = square != after + character.size;
    bool joins = count == 1 || (before == behind && (!before || character.code != '-'));
    if (character.code == '*') { /* that ends the game where it can */
        joins = count == 1 && !before && !behind;
    }
    return joins && square_end(lexer, square) != NULL ? square : NULL;
}

/*
 * What a path says that is spelled like a result. None of them is a move: there is no square 0, and from the
 * corner nothing can go round and come back to it.
 */
static PdnOutcome outcome_of_path(View path) {
    static const struct {
        const char *spelling;
        PdnOutcome outcome;
    } SPELLINGS[] = {
        {"1-0", OUTCOME_FIRST_WINS},  {"2-0", OUTCOME_FIRST_WINS}, {"0-1", OUTCOME_SECOND_WINS},
        {"0-2", OUTCOME_SECOND_WINS}, {"1-1", OUTCOME_DRAW},       {"0-0", OUTCOME_BOTH_LOSE},
    };

    for (size_t index = 0; index < sizeof SPELLINGS / sizeof SPELLINGS[0]; index++) {
        if (view_equals(path, SPELLINGS[index].spelling)) {
            return SPELLINGS[index].outcome;
        }
    }
    return OUTCOME_NONE;
}

static void move_add(PdnToken *token, const char *text, size_t length) {
    if (token->move_length + length > sizeof token->move) {
        token->kind = PDN_BAD_MOVE;
        return;
    }
    memcpy(token->move + token->move_length, text, length);
    token->move_length += length;
}

/* Reads a path of at least two squares, and what is glued to it. */
static bool lex_path(PdnLexer *lexer, PdnToken *token) {
    const char *at = lexer->at;
    const char *end = square_end(lexer, at);
    const char *next;
    char sign;
    int code;
    int count = 1;

    token->letters = end != NULL && is_file(*at);
    if (end == NULL || (next = next_square(lexer, end, count, token->letters, &code)) == NULL) {
        return false;
    }
    token->kind = PDN_MOVE;
    move_add(token, at, (size_t)(end - at));
    for (; next != NULL; next = next_square(lexer, end, count, is_file(*at), &code)) {
        sign = (char)code;
        at = next;
        end = square_end(lexer, at);
        move_add(token, &sign, sign != '\0');
        move_add(token, at, (size_t)(end - at));
        count++;
    }
    token->text = view_between(lexer->at, end);

    token->outcome = outcome_of_path((View){token->move, token->move_length});
    if (token->outcome != OUTCOME_NONE) {
        token->kind = PDN_OUTCOME;
    }
    at = after_marks(lexer, end);
    code = character_at(lexer, at).code;
    end = is_break(code) || code == '$' ? at : word_end(lexer, at);
    token->glued = view_between(at, end);
    advance(lexer, end);
    return true;
}

/* The end of a half; NULL if there is none. */
static const char *half_end(const PdnLexer *lexer, const char *at) {
    PdnCharacter character = character_at(lexer, at);

    if (character.code == CHAR_HALF) {
        return at + character.size;
    }
    return lexer->end - at >= 3 && memcmp(at, "1/2", 3) == 0 ? at + 3 : NULL;
}

/* Reads 1/2-1/2, or a half alone. */
static bool lex_draw(PdnLexer *lexer, PdnToken *token) {
    const char *end = half_end(lexer, lexer->at);

    if (end == NULL) {
        return false;
    }
    const char *at = after_blanks(lexer, end);
    PdnCharacter character = character_at(lexer, at);
    const char *second =
        character.code == '-' ? half_end(lexer, after_blanks(lexer, at + character.size)) : NULL;
    if (second != NULL) {
        end = second;
    }
    end = after_marks(lexer, end);
    if (!is_break(character_at(lexer, end).code)) {
        return false;
    }
    token->kind = PDN_OUTCOME;
    token->outcome = OUTCOME_DRAW;
    advance(lexer, end);
    return true;
}

/* Reads over the number of a move, with its dots if it has any. */
static bool skip_number(PdnLexer *lexer) {
    const char *end = lexer->at;

    while (end != lexer->end && is_digit(*end)) {
        end++;
    }
    const char *after = after_marks(lexer, end);
    if (end == lexer->at || (after == end && !is_break(character_at(lexer, end).code))) {
        return false;
    }
    advance(lexer, after);
    return true;
}

/* Takes a word of which all that is known is where it ends. */
static void lex_word(PdnLexer *lexer, PdnToken *token) {
    const char *end = word_end(lexer, lexer->at);
    bool dashes = true;
    bool digits = false;
    bool of_moves = true;

    if (end == lexer->at) {
        end += character_at(lexer, end).size;
    }
    for (const char *at = lexer->at; at != end;) {
        PdnCharacter character = character_at(lexer, at);
        dashes = dashes && character.code == '-';
        digits = digits || is_digit(character.code);
        of_moves =
            of_moves && (is_digit(character.code) || is_file(character.code) || is_separator(character.code));
        at += character.size;
    }
    token->letters = is_file(*lexer->at);
    token->kind = dashes ? PDN_NO_MOVE : digits && of_moves ? PDN_BAD_MOVE : PDN_JUNK;
    advance(lexer, end);
}

bool pdn_lex_move(PdnLexer *lexer, PdnToken *token) {
    if (lex_path(lexer, token) || lex_draw(lexer, token)) {
        return true;
    }
    if (skip_number(lexer)) {
        return false;
    }
    lex_word(lexer, token);
    return true;
}
