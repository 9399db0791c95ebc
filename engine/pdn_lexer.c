#include "engine/pdn_lexer.h"

#include "engine/pdn_scan.h"

#include <string.h>
#include <strings.h>

enum { SETUP_MAX = 1024 }; /* a FEN is shorter, and two far strokes are no setup */

static const char *line_end(const PdnLexer *lexer, const char *at) {
    while (at != lexer->end && !is_newline(*at)) {
        at++;
    }
    return at;
}

static bool at_line_start(const PdnLexer *lexer, const char *at) {
    return at == lexer->start || is_newline(at[-1]);
}

/* ---- Tags and comments --------------------------------------------------------------------------------- */

/* Where the quotes of a tag's value open, if a tag begins here; else NULL. */
static const char *tag_quotes(const PdnLexer *lexer, const char *at, View *name) {
    if (at == lexer->end || *at != '[') {
        return NULL;
    }
    const char *start = after_blanks(lexer, at + 1);
    const char *end = start;
    while (end != lexer->end && (is_letter(*end) || *end == '_' || (end != start && is_digit(*end)))) {
        end++;
    }
    *name = view_between(start, end);
    const char *quotes = after_blanks(lexer, end);
    return end != start && character_at(lexer, quotes).code == '"' ? quotes : NULL;
}

/* The closing quotes of a value and, behind them, the end of its tag; NULL if the line ends before. */
static const char *quotes_close(PdnLexer *lexer, const char *start, const char **tag_end) {
    const char *at = start;

    if (start < lexer->no_quotes) {
        return NULL;
    }
    while (at != lexer->end && !is_newline(*at)) {
        PdnCharacter character = character_at(lexer, at);
        if (character.code == '"') {
            const char *bracket = after_blanks(lexer, at + character.size);
            if (bracket != lexer->end && *bracket == ']') {
                *tag_end = bracket + 1;
                return at;
            }
        }
        at += character.size;
        if (character.code == '\\' && at != lexer->end && !is_newline(*at)) {
            at += character_at(lexer, at).size;
        }
    }
    lexer->no_quotes = at;
    return NULL;
}

/* The next closing bracket of the line, NULL if there is none. */
static const char *bracket_close(PdnLexer *lexer, const char *start) {
    const char *at = start;

    if (start < lexer->no_bracket) {
        return NULL;
    }
    while (at != lexer->end && !is_newline(*at)) {
        if (*at == ']') {
            return at;
        }
        at++;
    }
    lexer->no_bracket = at;
    return NULL;
}

/*
 * Finds the end of a value and of its tag. Quotes within a value should be escaped; where they are not, those
 * before the bracket end it. Without any, the bracket does, or else the line.
 */
static const char *value_end(PdnLexer *lexer, const char *start, PdnToken *token) {
    const char *tag_end;
    const char *end = quotes_close(lexer, start, &tag_end);

    if (end != NULL) {
        token->value = view_between(start, end);
        return tag_end;
    }
    token->broken = true;
    end = bracket_close(lexer, start);
    tag_end = end != NULL ? end + 1 : line_end(lexer, start);
    token->value = view_trim(view_between(start, end != NULL ? end : tag_end));
    while (token->value.length > 0 && token->value.start[token->value.length - 1] == '"') {
        token->value.length--;
    }
    return tag_end;
}

static bool lex_tag(PdnLexer *lexer, PdnToken *token) {
    const char *quotes = tag_quotes(lexer, lexer->at, &token->name);

    if (quotes == NULL) {
        return false;
    }
    token->kind = PDN_TAG;
    advance(lexer, value_end(lexer, quotes + character_at(lexer, quotes).size, token));
    return true;
}

/*
 * Reads over a comment. Braces do not nest, so a second one tells nothing, but when there is a tag at the
 * start of a line before it, then the first was never closed and the games between are no comment.
 */
static bool skip_comment(PdnLexer *lexer) {
    const char *tag = NULL;
    View name;

    for (const char *at = lexer->at + 1; at != lexer->end; at++) {
        if (*at == '}') {
            advance(lexer, at + 1);
            return true;
        }
        if (*at == '{' && tag != NULL) {
            break;
        }
        if (*at == '[' && tag == NULL && at_line_start(lexer, at) && tag_quotes(lexer, at, &name) != NULL) {
            tag = at;
        }
    }
    advance(lexer, tag != NULL ? tag : lexer->end);
    return false;
}

/* A bracket that begins no tag, with all that is in it. */
static void lex_bracket(PdnLexer *lexer, PdnToken *token) {
    const char *end = bracket_close(lexer, lexer->at);

    token->kind = PDN_JUNK;
    advance(lexer, end != NULL ? end + 1 : word_end(lexer, lexer->at + 1));
}

static bool lex_setup(PdnLexer *lexer, PdnToken *token) {
    const char *start = lexer->at + 1;
    size_t room = (size_t)(lexer->end - start);
    const char *end = memchr(start, '/', room < SETUP_MAX ? room : SETUP_MAX);
    View inside = view_trim(view_between(start, end != NULL ? end : start));

    if (inside.length < 3 || strncasecmp(inside.start, "FEN", 3) != 0) {
        return false;
    }
    token->kind = PDN_SETUP;
    token->value = view_trim(view_skip(inside, 3));
    advance(lexer, end + 1);
    return true;
}

/* ---- Words --------------------------------------------------------------------------------------------- */

PdnLexer pdn_lexer_init(View text) {
    PdnLexer lexer = {
        .start = text.start,
        .end = text.start + text.length,
        .line = 1,
        .no_quotes = text.start,
        .no_bracket = text.start,
    };

    if (text.length >= 3 && memcmp(text.start, "\xEF\xBB\xBF", 3) == 0) {
        lexer.start += 3; /* what follows the byte order mark begins a line */
    }
    lexer.at = lexer.start;
    return lexer;
}

/* Reads over "(?)", a mark that is no variation. */
static bool skip_bracketed_mark(PdnLexer *lexer) {
    const char *at = lexer->at + 1;

    while (at != lexer->end && (*at == '!' || *at == '?')) {
        at++;
    }
    if (at == lexer->at + 1 || at == lexer->end || *at != ')') {
        return false;
    }
    advance(lexer, at + 1);
    return true;
}

/* Reads over what means nothing; false at a word, or behind a comment without an end. */
static bool skip_void(PdnLexer *lexer, PdnToken *token) {
    PdnCharacter character = character_at(lexer, lexer->at);

    switch (character.code) {
    case '{':
        if (skip_comment(lexer)) {
            return true;
        }
        token->kind = PDN_BAD_COMMENT;
        return false;
    case ';':
        advance(lexer, line_end(lexer, lexer->at));
        return true;
    case '%':
        if (!at_line_start(lexer, lexer->at)) {
            return false;
        }
        advance(lexer, line_end(lexer, lexer->at));
        return true;
    case '$':
        do {
            advance(lexer, lexer->at + 1);
        } while (lexer->at != lexer->end && is_digit(*lexer->at));
        return true;
    case '(':
        return skip_bracketed_mark(lexer);
    case '!':
    case '?':
    case '.':
    case ',':
        advance(lexer, after_marks(lexer, lexer->at));
        return true;
    default:
        if (!is_blank(character.code)) {
            return false;
        }
        advance(lexer, lexer->at + character.size);
        return true;
    }
}

/* Reads the word that begins here; false if it was the number of a move. */
static bool lex(PdnLexer *lexer, PdnToken *token) {
    int code = character_at(lexer, lexer->at).code;

    switch (code) {
    case CHAR_END:
        token->kind = PDN_END;
        return true;
    case '[':
        if (!lex_tag(lexer, token)) {
            lex_bracket(lexer, token);
        }
        return true;
    case '(':
    case ')':
        token->kind = code == '(' ? PDN_OPEN : PDN_CLOSE;
        advance(lexer, lexer->at + 1);
        return true;
    case '*':
        token->kind = PDN_OUTCOME;
        token->outcome = OUTCOME_OPEN;
        advance(lexer, lexer->at + 1);
        return true;
    default:
        return (code == '/' && lex_setup(lexer, token)) || pdn_lex_move(lexer, token);
    }
}

void pdn_lexer_next(PdnLexer *lexer, PdnToken *token) {
    const char *start;
    bool found;

    do {
        start = lexer->at;
        token->kind = PDN_END;
        token->line = lexer->line;
        token->text = (View){start, 0};
        token->name = token->value = token->glued = (View){NULL, 0};
        token->broken = token->letters = false;
        token->outcome = OUTCOME_NONE;
        token->move_length = 0;
        found = !skip_void(lexer, token) && (token->kind == PDN_BAD_COMMENT || lex(lexer, token));
    } while (!found);
    if (token->text.length == 0) {
        token->text = view_between(start, lexer->at);
    }
}

PdnOutcome pdn_outcome_read(View text) {
    PdnLexer lexer = pdn_lexer_init(text);
    PdnToken token;
    PdnToken more;

    pdn_lexer_next(&lexer, &token);
    pdn_lexer_next(&lexer, &more);
    return more.kind == PDN_END && token.glued.length == 0 ? token.outcome : OUTCOME_NONE;
}
