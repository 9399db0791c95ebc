/* Moves and squares as text. */
#include "engine/notation.h"

#include "engine/movegen.h"
#include "engine/text.h"

#include <string.h>

/* The file a letter names, 0..7, or -1. */
static int file_of(char character) {
    if (character >= 'a' && character <= 'h') {
        return character - 'a';
    }
    return character >= 'A' && character <= 'H' ? character - 'A' : -1;
}

static void add_square(Text *text, Square square, Naming naming) {
    if (naming == NAMING_NUMERIC) {
        text_add_number(text, (unsigned)square_number(square));
    } else {
        text_add_char(text, (char)('a' + square_column(square)));
        text_add_char(text, (char)('1' + square_row(square)));
    }
}

static void add_path(Text *text, const Path *path, Naming naming) {
    for (int i = 0; i < path->count; i++) {
        if (i > 0) {
            text_add_char(text, 'x');
        }
        add_square(text, path->squares[i], naming);
    }
}

void square_write(Square square, Naming naming, char text[static SQUARE_TEXT_SIZE]) {
    Text out = text_init(text, SQUARE_TEXT_SIZE);
    add_square(&out, square, naming);
}

static bool number_read(const char *text, size_t length, Square *square) {
    uint64_t number;

    if (!view_digits((View){text, length}, &number) || number < 1 || number > SQUARES) {
        return false;
    }
    *square = square_from_number((int)number);
    return true;
}

static bool algebraic_read(const char *text, size_t length, Square *square) {
    if (length != 2 || text[1] < '1' || text[1] > '8') {
        return false;
    }

    int column = file_of(text[0]);
    int row = text[1] - '1';
    if (column < 0 || (column + row) % 2 != 0) {
        return false;
    }
    *square = square_from_number((7 - row) * 4 + column / 2 + 1);
    return true;
}

bool square_read(const char *text, size_t length, Square *square) {
    return number_read(text, length, square) || algebraic_read(text, length, square);
}

static bool path_keep(void *user, const Path *path) {
    *(Path *)user = *path;
    return true;
}

void move_write(Variant variant, const Position *position, Move move, char text[static MOVE_TEXT_SIZE]) {
    Text out = text_init(text, MOVE_TEXT_SIZE);
    Naming naming = rules_of(variant)->naming;

    if (move_is_capture(move)) {
        Path path = {0};
        movegen_visit_paths(variant, position, move, path_keep, &path);
        add_path(&out, &path, naming);
    } else {
        add_square(&out, move_from(move), naming);
        text_add_char(&out, '-');
        add_square(&out, move_to(move), naming);
    }
}

/* A move's text taken apart: the squares that it names, or what is wrong with it. */
typedef struct {
    Path path;
    bool malformed;
    View unknown; /* the first token that looks like a square and is none, else without a start */
} MoveText;

/* Length of what looks like a square at the start: a row of digits, or a letter and a digit; else 0. */
static size_t square_span(const char *text, size_t length) {
    size_t span = 0;

    if (length >= 2 && file_of(text[0]) >= 0) {
        return view_is_digit(text[1]) ? 2 : 0;
    }
    while (span < length && view_is_digit(text[span])) {
        span++;
    }
    return span;
}

static bool is_separator(char character) {
    return character == '-' || character == 'x' || character == 'X' || character == ':';
}

static MoveText move_text_parse(const char *text, size_t length) {
    MoveText result = {.malformed = true};
    Path *path = &result.path;
    size_t at = 0;

    while (at < length) {
        size_t span = square_span(text + at, length - at);
        if (span == 0 || path->count > CAPTURES_MAX) {
            break;
        }
        Square square = 0;
        if (!square_read(text + at, span, &square) && result.unknown.start == NULL) {
            result.unknown = (View){text + at, span};
        }
        path->squares[path->count++] = square;

        bool algebraic = !view_is_digit(text[at]);
        at += span;
        if (at == length) {
            result.malformed = path->count < 2;
        } else if (is_separator(text[at])) {
            at++;
        } else if (!algebraic || file_of(text[at]) < 0) {
            break;
        }
    }
    return result;
}

/* Whether the path visits these squares in this order, with the same first and last. */
static bool path_passes(const Path *path, const Path *squares) {
    int seen = 1;

    for (int i = 1; i < path->count - 1 && seen < squares->count - 1; i++) {
        seen += path->squares[i] == squares->squares[seen];
    }
    return path->squares[0] == squares->squares[0] && seen == squares->count - 1 &&
           path->squares[path->count - 1] == squares->squares[squares->count - 1];
}

/* What a search among the paths looks for and where it leaves the path that it found. */
typedef struct {
    const Path *squares;
    Path found;
} PathQuery;

static bool query_passing(void *user, const Path *path) {
    PathQuery *query = user;

    if (path_passes(path, query->squares)) {
        query->found = *path;
        return true;
    }
    return false;
}

/* Finds a path that goes on where the squares end. */
static bool query_longer(void *user, const Path *path) {
    PathQuery *query = user;

    for (int count = query->squares->count; count < path->count; count++) {
        Path start = *path;
        start.count = count;
        if (path_passes(&start, query->squares)) {
            query->found = *path;
            return true;
        }
    }
    return false;
}

static Text refusal(ParseError *error, const char *what, View text) {
    Text out = text_init(error->text, sizeof error->text);
    text_add(&out, what);
    text_add_char(&out, ' ');
    text_add_quoted(&out, text);
    return out;
}

/* Lists the paths as far as there is room, dots for the others. */
static void add_paths(Text *text, const Path *paths, int count, Naming naming) {
    static const char more[] = ", ...";

    for (int i = 0; i < count; i++) {
        char item[MOVE_TEXT_SIZE];
        Text item_text = text_init(item, sizeof item);
        size_t reserve = i + 1 < count ? sizeof more : 1;

        add_path(&item_text, &paths[i], naming);
        if (text->length + strlen(", ") + item_text.length + reserve > text->size) {
            text_add(text, more);
            return;
        }
        text_add(text, i == 0 ? ": " : ", ");
        text_add(text, item);
    }
}

/* Names the reason why no legal move fits the squares. */
static void explain(Variant variant, const Position *position, const MoveList *list, const Path *squares,
                    Text *out) {
    Naming naming = rules_of(variant)->naming;
    Square from = squares->squares[0];
    Square to = squares->squares[squares->count - 1];
    bool own = (position_own(position) & BITBOARD_BIT(from)) != 0;
    bool from_captures = false;

    text_add(out, ": ");
    if (!own) {
        text_add(out, "no piece of the side to move on ");
        add_square(out, from, naming);
        return;
    }
    if (list->count == 0) {
        text_add(out, "the side to move has no legal move");
        return;
    }
    if (!move_is_capture(list->moves[0])) {
        if (squares->count > 2) {
            text_add(out, "there is nothing to capture");
        } else {
            text_add(out, "the piece on ");
            add_square(out, from, naming);
            text_add(out, " cannot go to ");
            add_square(out, to, naming);
        }
        return;
    }
    for (int i = 0; i < list->count; i++) {
        PathQuery query = {.squares = squares};
        if (move_from(list->moves[i]) != from) {
            continue;
        }
        from_captures = true;
        if (movegen_visit_paths(variant, position, list->moves[i], query_longer, &query)) {
            text_add(out, "the capture goes on: ");
            add_path(out, &query.found, naming);
            return;
        }
    }
    text_add(out, from_captures ? "no such capture, and a capture is compulsory" : "a capture is compulsory");
}

/* The moves that fit a text, each with a path that does. */
typedef struct {
    int count;
    Move moves[MOVES_MAX];
    Path paths[MOVES_MAX];
    bool ambiguous; /* they take different pieces */
} Fits;

/* Finds the move whose whole path the squares are, else those that pass them. */
static void fits_find(Variant variant, const Position *position, const MoveList *list, const Path *squares,
                      Fits *fits) {
    fits->count = 0;
    fits->ambiguous = false;
    for (int i = 0; i < list->count; i++) {
        Move move = list->moves[i];
        PathQuery query = {.squares = squares};

        if (move_from(move) != squares->squares[0] || move_to(move) != squares->squares[squares->count - 1]) {
            continue;
        }
        if (!move_is_capture(move)) {
            fits->moves[0] = move;
            fits->count = squares->count == 2;
            return;
        }
        if (movegen_visit_paths(variant, position, move, query_passing, &query)) {
            if (query.found.count == squares->count) {
                fits->moves[0] = move;
                fits->count = 1;
                fits->ambiguous = false;
                return;
            }
            fits->moves[fits->count] = move;
            fits->paths[fits->count++] = query.found;
            fits->ambiguous = fits->ambiguous || move_captured(move) != move_captured(fits->moves[0]);
        }
    }
}

/* Finds at least one move, or fills error. */
static bool text_find(Variant variant, const Position *position, View text, Fits *fits, ParseError *error) {
    MoveText parsed = move_text_parse(text.start, text.length);
    MoveList list;

    if (parsed.malformed) {
        refusal(error, "not a move:", text);
        return false;
    }
    if (parsed.unknown.start != NULL) {
        Text out = refusal(error, "illegal move", text);
        text_add(&out, ": no square ");
        text_add_quoted(&out, parsed.unknown);
        return false;
    }
    movegen_generate(variant, position, &list);
    fits_find(variant, position, &list, &parsed.path, fits);
    if (fits->count == 0) {
        Text out = refusal(error, "illegal move", text);
        explain(variant, position, &list, &parsed.path, &out);
        return false;
    }
    return true;
}

bool move_read(Variant variant, const Position *position, const char *text, size_t length, Move *move,
               ParseError *error) {
    View whole = {text, length};
    Fits fits;

    if (!text_find(variant, position, whole, &fits, error)) {
        return false;
    }
    if (fits.ambiguous) {
        Text out = refusal(error, "ambiguous move", whole);
        add_paths(&out, fits.paths, fits.count, rules_of(variant)->naming);
        return false;
    }
    *move = fits.moves[0];
    return true;
}

bool move_read_all(Variant variant, const Position *position, const char *text, size_t length,
                   MoveList *moves, ParseError *error) {
    View whole = {text, length};
    Fits fits;

    if (!text_find(variant, position, whole, &fits, error)) {
        return false;
    }
    moves->count = fits.ambiguous ? fits.count : 1;
    for (int i = 0; i < moves->count; i++) {
        moves->moves[i] = fits.moves[i];
    }
    return true;
}
