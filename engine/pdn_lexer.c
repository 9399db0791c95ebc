#include "engine/pdn_lexer.h"

#include "engine/pdn_character.h"

#include <string.h>
#include <strings.h>

/*
 * How far to look for the end of what may not have one: else a text of nothing but beginnings would be read
 * over and over.
 */
enum { SPAN_MAX = 1024 };

static PdnCharacter character_at(const PdnLexer *lexer, const char *at) {
    return pdn_character_at(at, lexer->end);
}

static View view_between(const char *start, const char *end) {
    return (View){start, (size_t)(end - start)};
}

static const char *after_blanks(const PdnLexer *lexer, const char *at) {
    PdnCharacter character = character_at(lexer, at);

    while (is_blank(character.code)) {
        at += character.size;
        character = character_at(lexer, at);
    }
    return at;
}

static const char *word_end(const PdnLexer *lexer, const char *at) {
    PdnCharacter character = character_at(lexer, at);

    while (!is_break(character.code)) {
        at += character.size;
        character = character_at(lexer, at);
    }
    return at;
}

static const char *line_end(const PdnLexer *lexer, const char *at) {
    while (at != lexer->end && !is_newline(*at)) {
        at++;
    }
    return at;
}

/* Where at most so many further bytes end. */
static const char *limit_after(const PdnLexer *lexer, const char *at) {
    return lexer->end - at > SPAN_MAX ? at + SPAN_MAX : lexer->end;
}

/* Goes on to a place further on; a line ends with LF, CR or both. */
static void advance(PdnLexer *lexer, const char *to) {
    for (; lexer->at != to; lexer->at++) {
        if (*lexer->at == '\n' ||
            (*lexer->at == '\r' && (lexer->at + 1 == lexer->end || lexer->at[1] != '\n'))) {
            lexer->line++;
        }
    }
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

/*
 * Finds the end of a value and of its tag. Quotes within a value should be escaped; where they are not, those
 * before the bracket end it. Without any, the bracket does, or else the line.
 */
static const char *value_end(const PdnLexer *lexer, const char *start, PdnToken *token) {
    const char *limit = limit_after(lexer, start);
    const char *bracket = NULL;
    const char *at = start;

    while (at < limit && !is_newline(*at)) {
        PdnCharacter character = character_at(lexer, at);
        if (character.code == '"') {
            const char *close = after_blanks(lexer, at + character.size);
            if (close != lexer->end && *close == ']') {
                token->value = view_between(start, at);
                return close + 1;
            }
        }
        if (character.code == ']' && bracket == NULL) {
            bracket = at;
        }
        at += character.size;
        if (character.code == '\\' && at < limit && !is_newline(*at)) {
            at += character_at(lexer, at).size;
        }
    }
    token->broken = true;
    if (bracket != NULL) {
        at = bracket;
    }
    token->value = view_trim(view_between(start, at));
    while (token->value.length > 0 && token->value.start[token->value.length - 1] == '"') {
        token->value.length--;
    }
    return bracket != NULL ? bracket + 1 : at;
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

/* A bracket that begins no tag, with all that is in it if that is not much. */
static void lex_bracket(PdnLexer *lexer, PdnToken *token) {
    const char *limit = limit_after(lexer, lexer->at);
    const char *at = lexer->at;

    while (at != limit && *at != ']' && !is_newline(*at)) {
        at++;
    }
    token->kind = PDN_JUNK;
    advance(lexer, at != limit && *at == ']' ? at + 1 : word_end(lexer, lexer->at + 1));
}

static bool lex_setup(PdnLexer *lexer, PdnToken *token) {
    const char *start = lexer->at + 1;
    const char *end = memchr(start, '/', (size_t)(limit_after(lexer, start) - start));
    View inside = view_trim(view_between(start, end != NULL ? end : start));

    if (inside.length < 3 || strncasecmp(inside.start, "FEN", 3) != 0) {
        return false;
    }
    token->kind = PDN_SETUP;
    token->value = view_trim(view_skip(inside, 3));
    advance(lexer, end + 1);
    return true;
}

/* ---- Moves, numbers and results ------------------------------------------------------------------------ */

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
    bool joins = character.code == '*' ? count == 1 && !before && !behind
                 : count == 1          ? true
                                       : before == behind && (!before || character.code != '-');
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

/* Marks and the stops of a sentence that may follow a move. */
static const char *after_marks(const PdnLexer *lexer, const char *at) {
    PdnCharacter character = character_at(lexer, at);

    while (character.code == '!' || character.code == '?' || character.code == '.' || character.code == ',') {
        at += character.size;
        character = character_at(lexer, at);
    }
    return at;
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

/* Reads a word of which all that is known is where it ends. */
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

/* ---- Everything ---------------------------------------------------------------------------------------- */

PdnLexer pdn_lexer_init(View text) {
    PdnLexer lexer = {.start = text.start, .end = text.start + text.length, .line = 1};

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

/* Reads over what means nothing; false at a word, or at a comment without an end behind which the lexer is. */
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
    case '/':
        if (!lex_setup(lexer, token)) {
            lex_word(lexer, token);
        }
        return true;
    default:
        if (lex_path(lexer, token) || lex_draw(lexer, token)) {
            return true;
        }
        if (skip_number(lexer)) {
            return false;
        }
        lex_word(lexer, token);
        return true;
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
