/* The UCI dialect for checkers: that of chess with the moves and positions of notation.h and fen.h. */
#include "engine/notation.h"
#include "match/dialect.h"

#include <inttypes.h>

/* Beyond any score, and small enough to be reckoned with. */
enum { SCORE_MAX = 1000000, DEPTH_TOLD_MAX = 1000000 };

static int64_t clamp(int64_t number, int64_t least, int64_t most) {
    return number < least ? least : number > most ? most : number;
}

static View span(View first, View last) {
    return (View){first.start, (size_t)(last.start + last.length - first.start)};
}

static Introduction uci_introduce(View line) {
    View nothing = {line.start, 0};
    Introduction introduction = {nothing, nothing, nothing, nothing};
    View rest = line;
    View word = view_token(&rest);
    View kind = view_token(&rest);

    if (!view_equals(kind, "name")) {
        return introduction;
    }
    if (view_equals(word, "id")) {
        introduction.name = view_trim(rest);
    } else if (view_equals(word, "option")) {
        View first = {rest.start, 0};
        while ((word = view_token(&rest)).length > 0 && !view_equals(word, "type")) {
            if (first.length == 0) {
                first = word;
            }
            introduction.option = span(first, word);
        }
        introduction.values = rest;
    }
    return introduction;
}

/* A button has no value, and an empty text needs none. */
static void uci_write_option(Text *out, View name, View value) {
    text_add(out, "setoption name ");
    dialect_add_view(out, name);
    if (value.length > 0) {
        text_add(out, " value ");
        dialect_add_view(out, value);
    }
    text_add_char(out, '\n');
}

static void uci_write_position(Text *out, Variant variant, const FenRecord *start, bool from_start,
                               const Move *moves, size_t plies) {
    Position position = start->position;

    if (from_start) {
        text_add(out, "position startpos");
    } else {
        char fen[FEN_SIZE];
        fen_write(start, rules_of(variant), fen);
        text_add(out, "position fen ");
        text_add(out, fen);
    }
    for (size_t ply = 0; ply < plies; ply++) {
        char text[MOVE_TEXT_SIZE];
        move_write(variant, &position, moves[ply], text);
        text_add(out, ply == 0 ? " moves " : " ");
        text_add(out, text);
        position = position_after(&position, moves[ply]);
    }
    text_add_char(out, '\n');
}

/* Engines exist that take a clock without time for no clock at all. */
static int64_t clock_told(int64_t milliseconds) {
    return milliseconds > 0 ? milliseconds : 1;
}

static void uci_write_go(Text *out, Color mover, const TimeControl *control, const PlayerClocks *clocks) {
    text_add(out, "go");
    if (control->time > 0) {
        /* An opponent without a clock has none that could be told. */
        bool alone = clocks->left[color_opponent(mover)] <= 0;
        Color white = alone ? mover : WHITE;
        Color black = alone ? mover : BLACK;
        dialect_add(out, " wtime %" PRId64 " btime %" PRId64, clock_told(clocks->left[white]),
                    clock_told(clocks->left[black]));
        dialect_add(out, " winc %" PRId64 " binc %" PRId64, clocks->increment[white],
                    clocks->increment[black]);
        if (clocks->moves_to_go > 0) {
            dialect_add(out, " movestogo %d", clocks->moves_to_go);
        }
    }
    if (control->movetime > 0) {
        dialect_add(out, " movetime %" PRId64, control->movetime);
    }
    if (control->nodes > 0) {
        dialect_add(out, " nodes %" PRIu64, control->nodes);
    }
    if (control->depth > 0) {
        dialect_add(out, " depth %d", control->depth);
    }
    text_add_char(out, '\n');
}

/* Takes a number off the text if there is one. */
static bool take_number(View *rest, int64_t *number) {
    View after = *rest;

    if (!view_number(view_token(&after), number)) {
        return false;
    }
    *rest = after;
    return true;
}

static void read_score(View *rest, PlayerReport *report) {
    View kind = view_token(rest);
    int64_t number;

    if (!take_number(rest, &number)) {
        return;
    }
    number = clamp(number, -SCORE_MAX, SCORE_MAX);
    if (view_equals(kind, "cp")) {
        report->has_score = true;
        report->score = (int)number;
    } else if (view_equals(kind, "mate") && number != 0) {
        report->has_score = true;
        report->exact_win = true;
        report->score = (int)(number > 0 ? 2 * number - 1 : 2 * number);
    }
}

static InfoLine read_info(View rest) {
    InfoLine info = {0};
    PlayerReport *report = &info.report;
    int64_t number;
    View word;

    while ((word = view_token(&rest)).length > 0 && !view_equals(word, "string")) {
        if (view_equals(word, "depth") && take_number(&rest, &number)) {
            report->depth = (int)clamp(number, 0, DEPTH_TOLD_MAX);
        } else if (view_equals(word, "nodes") && take_number(&rest, &number)) {
            report->nodes = (uint64_t)clamp(number, 0, INT64_MAX);
        } else if (view_equals(word, "multipv") && take_number(&rest, &number)) {
            info.secondary = number != 1;
        } else if (view_equals(word, "score")) {
            read_score(&rest, report);
        } else if (view_equals(word, "lowerbound") || view_equals(word, "upperbound")) {
            report->bound = true;
        }
    }
    return info;
}

static Reply uci_read(View line, Variant variant, const Position *position, PlayerReport *report, Move *move,
                      ParseError *error) {
    View rest = line;
    View word = view_token(&rest);

    if (view_equals(word, "info")) {
        InfoLine info = read_info(rest);
        dialect_note(report, &info);
        return REPLY_NOTHING;
    }
    if (!view_equals(word, "bestmove")) {
        return REPLY_NOTHING;
    }
    View text = view_token(&rest);
    if (text.length == 0 || view_equals(text, "(none)")) {
        Text out = text_init(error->text, sizeof error->text);
        text_add(&out, "no move, though there are legal ones");
        return REPLY_BAD_MOVE;
    }
    return move_read(variant, position, text.start, text.length, move, error) ? REPLY_MOVE : REPLY_BAD_MOVE;
}

const Dialect DIALECT_UCI = {
    .name = "uci",
    .hello = "uci",
    .welcome = "uciok",
    .prepare = "isready",
    .prepared = "readyok",
    .ping = "isready",
    .pong = "readyok",
    .new_game = "ucinewgame",
    .answer = "bestmove",
    .variant = "UCI_Variant",
    .draws = "DrawRules",
    .ponder = "Ponder",
    .draws_official = "official",
    .draws_web = "web",
    .introduce = uci_introduce,
    .write_option = uci_write_option,
    .write_position = uci_write_position,
    .write_go = uci_write_go,
    .read = uci_read,
};
