/* The Hub protocol, version 2, on 8x8. (Scan, protocol.txt.) */
#include "engine/hub_notation.h"
#include "match/dialect.h"
#include "protocol/hub_line.h"

#include <inttypes.h>
#include <math.h>

enum {
    SCORE_END = 9000,           /* scores beyond this many centi-men count the plies to the end: */
    SCORE_TOP = 10000,          /* 100.00 - plies / 100 */
    THOUSANDTHS_MAX = 10000000, /* of a man; cut off there */
    DEPTH_TOLD_MAX = 1000000,
};

static Introduction hub_introduce(View line) {
    View nothing = {line.start, 0};
    Introduction introduction = {nothing, nothing, nothing, nothing};
    View command = hub_line_command(&line);
    bool id = view_equals(command, "id");
    View name, value;

    if (!id && !view_equals(command, "param")) {
        return introduction;
    }
    while (hub_line_item(&line, &name, &value)) {
        if (view_equals(name, "name")) {
            *(id ? &introduction.name : &introduction.option) = value;
        } else if (id && view_equals(name, "version")) {
            introduction.version = value;
        } else if (!id && view_equals(name, "values")) {
            introduction.values = value;
        }
    }
    return introduction;
}

/* A value that is no plain word is put in quotes, which nothing in it can escape. */
static void add_value(Text *out, View value) {
    bool plain = hub_line_is_word(value);

    text_add(out, plain ? "" : "\"");
    dialect_add_view(out, value);
    text_add(out, plain ? "" : "\"");
}

static void hub_write_option(Text *out, View name, View value) {
    text_add(out, "set-param name=");
    add_value(out, name);
    text_add(out, " value=");
    add_value(out, value);
    text_add_char(out, '\n');
}

static void hub_write_position(Text *out, Variant variant, const FenRecord *start, bool from_start,
                               const Move *moves, size_t plies) {
    char position[HUB_POSITION_SIZE];

    (void)variant;
    (void)from_start;
    hub_position_write(&start->position, position);
    text_add(out, "pos pos=");
    text_add(out, position);
    for (size_t ply = 0; ply < plies; ply++) {
        char move[HUB_MOVE_SIZE];
        hub_move_write(moves[ply], move);
        text_add(out, ply == 0 ? " moves=\"" : " ");
        text_add(out, move);
    }
    text_add(out, plies > 0 ? "\"\n" : "\n");
}

static void add_seconds(Text *out, const char *name, int64_t milliseconds) {
    dialect_add(out, " %s=%" PRId64 ".%03d", name, milliseconds / 1000, (int)(milliseconds % 1000));
}

static void add_level(Text *out, Color mover, const TimeControl *control, const PlayerClocks *clocks) {
    text_add(out, "level");
    if (control->time > 0) {
        /*
         * An engine adds the increment before its move, while our clock has it already. Near the end it is
         * told less of an increment, for there is no negative time.
         */
        int64_t left = clocks->left[mover] > 0 ? clocks->left[mover] : 0;
        int64_t increment = clocks->increment[mover] < left ? clocks->increment[mover] : left;
        add_seconds(out, "time", left - increment);
        add_seconds(out, "inc", increment);
        if (clocks->moves_to_go > 0) {
            dialect_add(out, " moves=%d", clocks->moves_to_go);
        }
    }
    if (control->movetime > 0) {
        add_seconds(out, "move-time", control->movetime);
    }
    if (control->nodes > 0) {
        dialect_add(out, " nodes=%" PRIu64, control->nodes);
    }
    if (control->depth > 0) {
        dialect_add(out, " depth=%d", control->depth);
    }
    text_add_char(out, '\n');
}

/* Without any limit an engine takes its own. */
static void hub_write_go(Text *out, Color mover, const TimeControl *control, const PlayerClocks *clocks) {
    if (control->time > 0 || control->movetime > 0 || control->nodes > 0 || control->depth > 0) {
        add_level(out, mover, control, clocks);
    }
    text_add(out, "go think\n");
}

static void read_score(View text, PlayerReport *report) {
    double men;

    if (!hub_line_real(text, &men)) {
        return;
    }
    /* By way of thousandths: what is written as half of a hundredth counts as such. */
    long thousandths = lround(fmax(-THOUSANDTHS_MAX, fmin(men * 1000, THOUSANDTHS_MAX)));
    int score = (int)((thousandths + (thousandths < 0 ? -5 : 5)) / 10);
    report->has_score = true;
    report->score = score;
    int size = score < 0 ? -score : score;
    if (size > SCORE_END) {
        int plies = size < SCORE_TOP ? SCORE_TOP - size : 1;
        report->exact_win = true;
        report->score = score < 0 ? -plies : plies;
    }
}

static InfoLine read_info(View rest) {
    InfoLine info = {0};
    uint64_t number;
    View name, value;

    while (hub_line_item(&rest, &name, &value)) {
        if (view_equals(name, "depth") && view_digits(value, &number)) {
            info.report.depth = (int)(number < DEPTH_TOLD_MAX ? number : DEPTH_TOLD_MAX);
        } else if (view_equals(name, "nodes") && view_digits(value, &number)) {
            info.report.nodes = number;
        } else if (view_equals(name, "score")) {
            read_score(value, &info.report);
        }
    }
    return info;
}

static Reply hub_read(View line, Variant variant, const Position *position, PlayerReport *report, Move *move,
                      ParseError *error) {
    View rest = line;
    View command = hub_line_command(&rest);
    View name, value;

    if (view_equals(command, "info")) {
        InfoLine info = read_info(rest);
        dialect_note(report, &info);
        return REPLY_NOTHING;
    }
    if (!view_equals(command, "done")) {
        return REPLY_NOTHING;
    }
    while (hub_line_item(&rest, &name, &value)) {
        if (view_equals(name, "move") && value.length > 0) {
            return hub_move_read(variant, position, value, move, error) ? REPLY_MOVE : REPLY_BAD_MOVE;
        }
    }
    Text out = text_init(error->text, sizeof error->text);
    text_add(&out, "no move, though there are legal ones");
    return REPLY_BAD_MOVE;
}

const Dialect DIALECT_HUB = {
    .name = "hub",
    .hello = "hub",
    .welcome = "wait",
    .prepare = "init",
    .prepared = "ready",
    .ping = "ping",
    .pong = "pong",
    .new_game = "new-game",
    .answer = "done",
    .variant = "variant",
    .draws = "draw-rules",
    .ponder = "ponder",
    .draws_official = "official",
    .draws_web = "web",
    .introduce = hub_introduce,
    .write_option = hub_write_option,
    .write_position = hub_write_position,
    .write_go = hub_write_go,
    .read = hub_read,
};
