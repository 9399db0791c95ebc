/* PDN FEN: reading and writing positions as text. */
#include "engine/fen.h"

#include "engine/notation.h"
#include "engine/text.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

/* Takes the part before the separator, trimmed, off the rest; false after the last part. */
static bool split(View *rest, char separator, View *part) {
    if (rest->start == NULL) {
        return false;
    }

    const char *end = memchr(rest->start, separator, rest->length);
    if (end == NULL) {
        *part = view_trim(*rest);
        *rest = (View){NULL, 0};
    } else {
        size_t length = (size_t)(end - rest->start);
        *part = view_trim((View){rest->start, length});
        *rest = view_skip(*rest, length + 1);
    }
    return true;
}

static bool refuse(ParseError *error, const char *reason, View token) {
    Text out = text_init(error->text, sizeof error->text);
    text_add(&out, "bad FEN: ");
    text_add(&out, reason);
    text_add_char(&out, ' ');
    text_add_quoted(&out, token);
    return false;
}

/* Takes off a [FEN "..."] wrapper, quotes, and the full stop that may end a FEN. */
static bool unwrap(View *text, ParseError *error) {
    View inner = view_trim(*text);

    if (inner.length > 0 && inner.start[0] == '[') {
        View whole = inner;
        if (inner.start[inner.length - 1] != ']') {
            return refuse(error, "no ']' at the end of", whole);
        }
        inner = view_trim((View){inner.start + 1, inner.length - 2});
        if (inner.length < 3 || strncasecmp(inner.start, "FEN", 3) != 0) {
            return refuse(error, "no FEN tag:", whole);
        }
        inner = view_trim(view_skip(inner, 3));
        if (inner.length == 0 || inner.start[0] != '"') {
            return refuse(error, "no quotes in the tag", whole);
        }
    }
    if (inner.length > 0 && (inner.start[0] == '"' || inner.start[0] == '\'')) {
        if (inner.length == 1 || inner.start[inner.length - 1] != inner.start[0]) {
            return refuse(error, "no closing quote at the end of", inner);
        }
        inner = view_trim((View){inner.start + 1, inner.length - 2});
    }
    if (inner.length > 0 && inner.start[inner.length - 1] == '.') {
        inner.length--;
        inner = view_trim(inner);
    }
    *text = inner;
    return true;
}

/* What the letter W or B says; in lower case only where asked, for b is a file too. */
static bool color_read(char letter, bool lower, Color *color) {
    if (letter == 'W' || (lower && letter == 'w')) {
        *color = WHITE;
        return true;
    }
    if (letter == 'B' || (lower && letter == 'b')) {
        *color = BLACK;
        return true;
    }
    return false;
}

static bool piece_place(Position *position, Color color, bool king, Square square, View token,
                        ParseError *error) {
    Bitboard bit = BITBOARD_BIT(square);

    if ((position_occupied(position) & bit) != 0) {
        return refuse(error, "a square is named twice at", token);
    }
    position->pieces[color] |= bit;
    position->kings |= king ? bit : 0;
    if (bitboard_count(position->pieces[color]) > SIDE_PIECES) {
        return refuse(error, color == WHITE ? "more than 12 white pieces at" : "more than 12 black pieces at",
                      token);
    }
    return true;
}

/*
 * Reads "24", "K15", "K1-3", "c3" or "Kf8". A range is one of numbers: what "a1-h8" should hold is anyone's
 * guess.
 */
static bool pieces_read(Position *position, Color color, View token, ParseError *error) {
    View rest = token;
    bool king = rest.length > 0 && (rest.start[0] == 'K' || rest.start[0] == 'k');
    View part = {0};
    Square first;
    Square last;

    if (king) {
        rest = view_skip(rest, 1);
    }
    split(&rest, '-', &part);
    if (!square_read(part.start, part.length, &first)) {
        return refuse(error, "no such square:", token);
    }
    last = first;
    if (rest.start != NULL) {
        bool numeric = view_is_digit(part.start[0]);
        part = view_trim(rest);
        if (!square_read(part.start, part.length, &last)) {
            return refuse(error, "no such square:", token);
        }
        if (!numeric || !view_is_digit(part.start[0])) {
            return refuse(error, "a range needs numbers:", token);
        }
        if (square_number(last) < square_number(first)) {
            return refuse(error, "a range runs backwards:", token);
        }
    }
    for (int number = square_number(first); number <= square_number(last); number++) {
        if (!piece_place(position, color, king, square_from_number(number), token, error)) {
            return false;
        }
    }
    return true;
}

/* Reads the list of squares behind the letter of a section; an empty one is a side without pieces. */
static bool section_read(Position *position, Color color, View list, ParseError *error) {
    View token;

    if (list.length == 0) {
        return true;
    }
    while (split(&list, ',', &token)) {
        if (!pieces_read(position, color, token, error)) {
            return false;
        }
    }
    return true;
}

/* Reads the number of a tail field such as H12, at most max. */
static bool tail_read(View field, int max, int *value, ParseError *error) {
    uint64_t number;

    if (!view_digits(view_skip(field, 1), &number) || number > (uint64_t)max) {
        return refuse(error, "no such count:", field);
    }
    *value = (int)number;
    return true;
}

/* How many fields start with the letter of a colour. */
static int sections_count(View rest, bool lower) {
    View field;
    Color color;
    int count = 0;

    while (split(&rest, ':', &field)) {
        count += field.length > 0 && color_read(field.start[0], lower, &color);
    }
    return count;
}

static bool side_read(View field, Color *color, bool *lower, ParseError *error) {
    if (field.length != 1 || !color_read(field.start[0], true, color)) {
        return refuse(error, "no side to move, W or B, but", field);
    }
    *lower = field.start[0] == 'w' || field.start[0] == 'b';
    return true;
}

/* Reads what is between the wrapping. */
static bool fields_read(View rest, FenRecord *record, ParseError *error) {
    Position *position = &record->position;
    bool seen[2] = {false, false};
    bool plies = false;
    bool fullmove = false;
    View field = {0};
    Color side = WHITE;
    bool lower = false;

    if (rest.length == 0) {
        return refuse(error, "it is empty:", rest);
    }
    split(&rest, ':', &field);
    if (!side_read(field, &side, &lower, error)) {
        return false;
    }
    /* A position has but two sections, so a third means that the first of them is the side once more. */
    if (sections_count(rest, lower) == 3) {
        View doubled = rest;
        split(&doubled, ':', &field);
        if (field.length == 1) {
            rest = doubled;
            if (!side_read(field, &side, &lower, error)) {
                return false;
            }
        }
    }
    position->turn = (uint8_t)side;

    while (split(&rest, ':', &field)) {
        char letter = field.length > 0 ? field.start[0] : '\0';
        Color color;

        if (!plies && !fullmove && color_read(letter, lower, &color)) {
            if (seen[color]) {
                return refuse(error, "a second section of one side:", field);
            }
            seen[color] = true;
            if (!section_read(position, color, view_trim(view_skip(field, 1)), error)) {
                return false;
            }
        } else if ((letter == 'H' || letter == 'h') && (seen[WHITE] || seen[BLACK]) && !plies && !fullmove) {
            plies = true;
            if (!tail_read(field, UINT16_MAX, &record->plies_without_progress, error)) {
                return false;
            }
        } else if ((letter == 'F' || letter == 'f') && (seen[WHITE] || seen[BLACK]) && !fullmove) {
            fullmove = true;
            if (!tail_read(field, INT_MAX, &record->fullmove, error)) {
                return false;
            }
            /* Moves count from 1, but programs that count from 0 exist. */
            record->fullmove += record->fullmove == 0;
        } else {
            return refuse(error, "cannot read", field);
        }
    }
    if (!seen[WHITE] && !seen[BLACK]) {
        return refuse(error, "no pieces after the side", field);
    }
    return true;
}

bool fen_read(const char *text, size_t length, FenRecord *record, ParseError *error) {
    FenRecord result = {.fullmove = 1};
    View fields = {text, length};

    if (!unwrap(&fields, error) || !fields_read(fields, &result, error)) {
        return false;
    }
    *record = result;
    return true;
}

static void add_section(Text *text, const Position *position, Color color, Naming naming) {
    bool first = true;

    text_add(text, color == WHITE ? ":W" : ":B");
    for (int number = 1; number <= SQUARES; number++) {
        Square square = square_from_number(number);
        char name[SQUARE_TEXT_SIZE];

        if ((position->pieces[color] & BITBOARD_BIT(square)) == 0) {
            continue;
        }
        if (!first) {
            text_add_char(text, ',');
        }
        if ((position->kings & BITBOARD_BIT(square)) != 0) {
            text_add_char(text, 'K');
        }
        square_write(square, naming, name);
        text_add(text, name);
        first = false;
    }
}

void fen_write(const FenRecord *record, const Rules *rules, char text[static FEN_SIZE]) {
    const Position *position = &record->position;
    Text out = text_init(text, FEN_SIZE);

    text_add_char(&out, position->turn == WHITE ? 'W' : 'B');
    add_section(&out, position, WHITE, rules->naming);
    add_section(&out, position, BLACK, rules->naming);
    if (record->plies_without_progress != 0 || record->fullmove != 1) {
        text_add(&out, ":H");
        text_add_number(&out, (unsigned)record->plies_without_progress);
        text_add(&out, ":F");
        text_add_number(&out, (unsigned)record->fullmove);
    }
}
