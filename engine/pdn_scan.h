/* What the parts of the PDN lexer share. Places are pointers into its text, up to its end. */
#ifndef CROWNHEAD_ENGINE_PDN_SCAN_H
#define CROWNHEAD_ENGINE_PDN_SCAN_H

#include "engine/pdn_character.h"
#include "engine/pdn_lexer.h"

static inline PdnCharacter character_at(const PdnLexer *lexer, const char *at) {
    return pdn_character_at(at, lexer->end);
}

static inline View view_between(const char *start, const char *end) {
    return (View){start, (size_t)(end - start)};
}

static inline const char *after_blanks(const PdnLexer *lexer, const char *at) {
    PdnCharacter character = character_at(lexer, at);

    while (is_blank(character.code)) {
        at += character.size;
        character = character_at(lexer, at);
    }
    return at;
}

static inline const char *word_end(const PdnLexer *lexer, const char *at) {
    PdnCharacter character = character_at(lexer, at);

    while (!is_break(character.code)) {
        at += character.size;
        character = character_at(lexer, at);
    }
    return at;
}

/* Goes on to a place further on; a line ends with LF, CR or both. */
static inline void advance(PdnLexer *lexer, const char *to) {
    for (; lexer->at != to; lexer->at++) {
        if (*lexer->at == '\n' ||
            (*lexer->at == '\r' && (lexer->at + 1 == lexer->end || lexer->at[1] != '\n'))) {
            lexer->line++;
        }
    }
}

/* Behind the marks and the stops of a sentence that may follow a move. */
static inline const char *after_marks(const PdnLexer *lexer, const char *at) {
    PdnCharacter character = character_at(lexer, at);

    while (character.code == '!' || character.code == '?' || character.code == '.' || character.code == ',') {
        at += character.size;
        character = character_at(lexer, at);
    }
    return at;
}

/*
 * Takes a word of the moves off the text: a move, a pass, a result, or what is none of them. False if it was
 * the number of a move.
 */
bool pdn_lex_move(PdnLexer *lexer, PdnToken *token);

#endif
