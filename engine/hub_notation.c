/* The Hub protocol's positions and moves as text. */
#include "engine/hub_notation.h"

#include "engine/movegen.h"
#include "engine/text.h"

#include <string.h>

/* ---- Positions ---- */

static char piece_letter(const Position *position, Bitboard square) {
    if ((position_occupied(position) & square) == 0) {
        return 'e';
    }
    bool white = (position->pieces[WHITE] & square) != 0;
    if ((position->kings & square) != 0) {
        return white ? 'W' : 'B';
    }
    return white ? 'w' : 'b';
}

void hub_position_write(const Position *position, char text[static HUB_POSITION_SIZE]) {
    Text out = text_init(text, HUB_POSITION_SIZE);

    text_add_char(&out, position->turn == WHITE ? 'W' : 'B');
    for (int number = 1; number <= SQUARES; number++) {
        text_add_char(&out, piece_letter(position, BITBOARD_BIT(square_from_number(number))));
    }
}

static bool position_refuse(ParseError *error, View text, const char *reason) {
    Text out = text_init(error->text, sizeof error->text);

    text_add(&out, "bad position: ");
    text_add_quoted(&out, text);
    text_add(&out, ": ");
    text_add(&out, reason);
    return false;
}

bool hub_position_read(View text, Position *position, ParseError *error) {
    Position result = {0};

    if (text.length != SQUARES + 1) {
        return position_refuse(error, text, "33 characters are expected, the side to move and 32 squares");
    }
    if (text.start[0] != 'W' && text.start[0] != 'B') {
        return position_refuse(error, text, "the side to move is neither 'W' nor 'B'");
    }
    result.turn = text.start[0] == 'W' ? WHITE : BLACK;
    for (int number = 1; number <= SQUARES; number++) {
        Bitboard square = BITBOARD_BIT(square_from_number(number));
        char letter = text.start[number];
        if (letter == '\0' || strchr("ewWbB", letter) == NULL) {
            return position_refuse(error, text, "a square is none of 'e', 'w', 'W', 'b' and 'B'");
        }
        if (letter == 'w' || letter == 'W') {
            result.pieces[WHITE] |= square;
        } else if (letter != 'e') {
            result.pieces[BLACK] |= square;
        }
        result.kings |= letter == 'W' || letter == 'B' ? square : 0;
    }
    if (bitboard_count(result.pieces[WHITE]) > SIDE_PIECES ||
        bitboard_count(result.pieces[BLACK]) > SIDE_PIECES) {
        return position_refuse(error, text, "a side has more than 12 pieces");
    }
    *position = result;
    return true;
}

/* ---- Moves ---- */

/* Each numbering is its own inverse. */
static int renumber(HubNumbering numbering, int number) {
    switch (numbering) {
    case HUB_MIRRORED:
        return (7 - (number - 1) / 4) * 4 + (number - 1) % 4 + 1;
    case HUB_TURNED:
        return SQUARES + 1 - number;
    default:
        return number;
    }
}

void hub_move_write_as(Move move, HubNumbering numbering, char text[static HUB_MOVE_SIZE]) {
    Text out = text_init(text, HUB_MOVE_SIZE);

    text_add_number(&out, (unsigned)renumber(numbering, square_number(move_from(move))));
    text_add_char(&out, move_is_capture(move) ? 'x' : '-');
    text_add_number(&out, (unsigned)renumber(numbering, square_number(move_to(move))));
    for (int number = 1; number <= SQUARES; number++) {
        Square square = square_from_number(renumber(numbering, number));
        if ((move_captured(move) & BITBOARD_BIT(square)) != 0) {
            text_add_char(&out, 'x');
            text_add_number(&out, (unsigned)number);
        }
    }
}

void hub_move_write(Move move, char text[static HUB_MOVE_SIZE]) {
    hub_move_write_as(move, HUB_PLAIN, text);
}

/* What a move's text names. */
typedef struct {
    int squares; /* from and to included */
    Square from, to;
    Bitboard captured;
} HubMove;

static Text move_refusal(ParseError *error, const char *what, View text) {
    Text out = text_init(error->text, sizeof error->text);

    text_add(&out, what);
    text_add_char(&out, ' ');
    text_add_quoted(&out, text);
    return out;
}

static bool is_separator(char character) {
    return character == '-' || character == 'x' || character == 'X' || character == ':';
}

static bool hub_move_parse(View text, HubNumbering numbering, HubMove *parsed, ParseError *error) {
    View rest = text;

    *parsed = (HubMove){0};
    for (;;) {
        View digits = view_leading_digits(rest);
        uint64_t number;
        rest = view_skip(rest, digits.length);
        if (!view_digits(digits, &number) || parsed->squares == CAPTURES_MAX + 2) {
            break;
        }
        if (number < 1 || number > SQUARES) {
            Text out = move_refusal(error, "illegal move", text);
            text_add(&out, ": no square ");
            text_add_quoted(&out, digits);
            return false;
        }
        Square square = square_from_number(renumber(numbering, (int)number));
        if (parsed->squares == 0) {
            parsed->from = square;
        } else if (parsed->squares == 1) {
            parsed->to = square;
        } else if ((parsed->captured & BITBOARD_BIT(square)) != 0) {
            Text out = move_refusal(error, "illegal move", text);
            text_add(&out, ": it takes twice on ");
            text_add_number(&out, (unsigned)number);
            return false;
        } else {
            parsed->captured |= BITBOARD_BIT(square);
        }
        parsed->squares++;
        if (rest.length == 0 && parsed->squares >= 2) {
            return true;
        }
        if (rest.length == 0 || !is_separator(rest.start[0])) {
            break;
        }
        rest = view_skip(rest, 1);
    }
    move_refusal(error, "not a move:", text);
    return false;
}

/* Why no legal move has these squares. */
static const char *reason_of(const Position *position, const MoveList *list, const HubMove *parsed) {
    bool from_has_move = false;
    bool captures = list->count > 0 && move_is_capture(list->moves[0]);

    for (int i = 0; i < list->count; i++) {
        from_has_move = from_has_move || move_from(list->moves[i]) == parsed->from;
        if (move_from(list->moves[i]) == parsed->from && move_to(list->moves[i]) == parsed->to) {
            return captures ? "it takes other pieces" : "there is nothing to capture";
        }
    }
    if ((position_own(position) & BITBOARD_BIT(parsed->from)) == 0) {
        return "no piece of the side to move stands there";
    }
    if (list->count == 0) {
        return "the side to move has no legal move";
    }
    if (captures) {
        return from_has_move ? "no such capture, and a capture is compulsory" : "a capture is compulsory";
    }
    return "the piece cannot go there";
}

bool hub_move_read_as(Variant variant, const Position *position, HubNumbering numbering, View text,
                      Move *move, ParseError *error) {
    HubMove parsed;
    MoveList list;
    Move found = MOVE_NONE;
    Text out;

    if (!hub_move_parse(text, numbering, &parsed, error)) {
        return false;
    }
    movegen_generate(variant, position, &list);
    for (int i = 0; i < list.count; i++) {
        Move candidate = list.moves[i];
        if (move_from(candidate) != parsed.from || move_to(candidate) != parsed.to ||
            (parsed.captured != 0 && move_captured(candidate) != parsed.captured)) {
            continue;
        }
        if (found != MOVE_NONE) {
            char texts[2][HUB_MOVE_SIZE];
            hub_move_write_as(found, numbering, texts[0]);
            hub_move_write_as(candidate, numbering, texts[1]);
            out = move_refusal(error, "ambiguous move", text);
            text_add(&out, ": ");
            text_add(&out, texts[0]);
            text_add(&out, " or ");
            text_add(&out, texts[1]);
            return false;
        }
        found = candidate;
    }
    if (found == MOVE_NONE) {
        out = move_refusal(error, "illegal move", text);
        text_add(&out, ": ");
        text_add(&out, reason_of(position, &list, &parsed));
        return false;
    }
    *move = found;
    return true;
}

bool hub_move_read(Variant variant, const Position *position, View text, Move *move, ParseError *error) {
    return hub_move_read_as(variant, position, HUB_PLAIN, text, move, error);
}
