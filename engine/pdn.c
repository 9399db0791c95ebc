/* The PDN reader: from words to games. */
#include "engine/pdn.h"

#include "engine/movegen.h"
#include "engine/pdn_fault.h"
#include "engine/pdn_lexer.h"
#include "engine/pdn_line.h"
#include "engine/pdn_start.h"

#include <stdlib.h>
#include <string.h>

struct PdnReader {
    PdnLexer lexer;
    PdnToken token; /* the next one, not used yet */
    Variant variant;
    PdnSink sink;
    bool failed;
    bool in_junk;       /* what cannot be read is reported once, however long it is */
    bool after_outcome; /* a result was read, and no '*' or game after it */
    Move *moves;
    size_t plies, capacity;
    PdnLine line;
};

/* The game that is being read. */
typedef struct {
    PdnGame *game;
    bool moves_begun; /* no more tags */
    bool ready;       /* which game, and from where, is known */
    bool broken;      /* there was an error: nothing but the end of the game is looked for */
    bool passed;      /* there was a dash in the place of a move */
    bool aside;       /* a setup has left the line; moves are only checked */
    bool tags_full;
    size_t ply;      /* moves read */
    size_t depth;    /* of variations */
    size_t opened;   /* line of the outermost variation */
    PdnToken setup;  /* before the moves; PDN_END if there is none */
    PdnToken ending; /* the terminator; PDN_END if there is none */
} Reading;

static void refuse(PdnReader *reader, Reading *reading, size_t line, size_t ply, const ParseError *error) {
    reading->game->sound = false;
    reading->broken = true;
    pdn_report(&reader->sink, false, line, ply, error);
}

/* ---- Moves --------------------------------------------------------------------------------------------- */

static void game_begin(PdnReader *reader, Reading *reading, const PdnToken *move) {
    const PdnToken *setup = reading->setup.kind != PDN_END ? &reading->setup : NULL;
    PdnGame *game = reading->game;
    ParseError error;
    size_t line;

    reading->ready = true;
    if (pdn_start_read(&reader->sink, game, reader->variant, setup, move, &error, &line)) {
        pdn_line_init(&reader->line, game->variant, &game->start.position);
    } else {
        refuse(reader, reading, line, 0, &error);
    }
}

/* Adds the moves that became certain. */
static void moves_add(PdnReader *reader, Reading *reading, const Move *moves, int count) {
    if (reading->aside) {
        return;
    }
    for (int index = 0; index < count; index++) {
        if (reader->plies == reader->capacity) {
            size_t capacity = reader->capacity == 0 ? 256 : reader->capacity * 2;
            Move *grown =
                capacity > SIZE_MAX / sizeof *moves ? NULL : realloc(reader->moves, capacity * sizeof *moves);
            if (grown == NULL) {
                reader->failed = true;
                return;
            }
            reader->moves = grown;
            reader->capacity = capacity;
        }
        reader->moves[reader->plies++] = moves[index];
    }
}

/* Makes all moves certain: those of the first branch where later moves did not tell which. */
static void moves_settle(PdnReader *reader, Reading *reading) {
    PdnLine *line = &reader->line;
    Move moves[PDN_UNSETTLED_MAX];

    if (line->plies_count == 0) {
        return;
    }
    View source = line->plies[0].text;
    size_t number = line->plies[0].line;
    size_t ply = reading->ply - (size_t)line->plies_count + 1;
    Position before = line->settled;
    char written[MOVE_TEXT_SIZE];
    ParseError error;
    int count = pdn_line_settle(line, moves);
    Text out = pdn_describe(&error, "ambiguous move", source);
    move_write(line->variant, &before, moves[0], written);
    text_add(&out, ": no later move tells which, read as ");
    text_add(&out, written);
    pdn_report(&reader->sink, true, number, ply, &error);
    moves_add(reader, reading, moves, count);
}

/* Adds the legal moves to an error, dots for those that find no room. */
static void add_legal(ParseError *error, size_t length, Variant variant, const Position *position) {
    static const char MORE[] = ", ...";
    Text out = {error->text, sizeof error->text, length};
    MoveList list;

    movegen_generate(variant, position, &list);
    for (int index = 0; index < list.count; index++) {
        char written[MOVE_TEXT_SIZE];
        const char *before = index == 0 ? "; legal: " : ", ";
        pdn_move_write(variant, position, list.moves[index], written);
        if (out.length + strlen(before) + strlen(written) + sizeof MORE > out.size) {
            if (index > 0) {
                text_add(&out, MORE);
            }
            return;
        }
        text_add(&out, before);
        text_add(&out, written);
    }
}

/* Reads a move of the main line. */
static void move_take(PdnReader *reader, Reading *reading, const PdnToken *token) {
    PdnLine *line = &reader->line;
    size_t ply = reading->ply + 1;
    View text = {token->move, token->move_length};
    Move moves[PDN_UNSETTLED_MAX];
    ParseError error;

    if (!reading->ready) {
        game_begin(reader, reading, token);
    }
    if (reading->broken) {
        return;
    }
    if (reading->passed || token->kind == PDN_BAD_MOVE) {
        pdn_describe(&error,
                     reading->passed ? "after a pass there can be no move:" : "not a move:", token->text);
        refuse(reader, reading, token->line, ply, &error);
        return;
    }
    if (pdn_line_is_full(line)) {
        moves_settle(reader, reading);
    }
    int count = pdn_line_read(line, text, token->text, token->line, moves, &error);
    if (count < 0) {
        moves_settle(reader, reading);
        add_legal(&error, strlen(error.text), line->variant, &line->branches[0]);
        refuse(reader, reading, token->line, ply, &error);
        return;
    }
    reading->ply = ply;
    moves_add(reader, reading, moves, count);
    if (token->glued.length > 0) {
        Text out = pdn_describe(&error, "no blank between", token->text);
        text_add(&out, " and ");
        text_add_quoted(&out, token->glued);
        pdn_report(&reader->sink, true, token->line, ply, &error);
    }
}

static void setup_take(PdnReader *reader, Reading *reading, const PdnToken *setup) {
    FenRecord record;
    ParseError error;

    if (!reading->ready) {
        reading->setup = *setup;
        return;
    }
    if (reading->broken) {
        return;
    }
    moves_settle(reader, reading);
    if (!pdn_position_read(&reader->sink, reading->game->variant, setup->value, setup->line, &record,
                           &error)) {
        refuse(reader, reading, setup->line, reading->ply, &error);
        return;
    }
    if (!reading->aside) {
        pdn_warn(&reader->sink, setup->line, reading->ply, "the line of the game ends with the setup",
                 setup->value);
    }
    reading->aside = true;
    reading->passed = false;
    pdn_line_init(&reader->line, reading->game->variant, &record.position);
}

/* ---- Games --------------------------------------------------------------------------------------------- */

static void junk_take(PdnReader *reader, const PdnToken *token, size_t ply) {
    if (!reader->in_junk) {
        pdn_warn(&reader->sink, token->line, ply, "cannot read", token->text);
    }
}

static void tag_take(PdnReader *reader, Reading *reading, const PdnToken *token) {
    PdnGame *game = reading->game;

    if (token->broken) {
        pdn_warn(&reader->sink, token->line, 0, "no end of the tag", token->name);
    }
    for (int index = 0; index < game->tags_count; index++) {
        if (views_equal_nocase(token->name, game->tags[index].name)) {
            pdn_warn(&reader->sink, token->line, 0, "a second tag", token->name);
            return;
        }
    }
    if (game->tags_count < PDN_TAGS_MAX) {
        game->tags[game->tags_count++] = (PdnTag){token->name, token->value, token->line};
    } else if (!reading->tags_full) {
        reading->tags_full = true;
        pdn_warn(&reader->sink, token->line, 0, "too many tags, left out from", token->name);
    }
}

/* Whether a tag begins another game. Without moves between them, that is when the first tag comes again. */
static bool tag_is_next(const Reading *reading, const PdnToken *token) {
    const PdnGame *game = reading->game;

    return reading->moves_begun ||
           (game->tags_count > 0 && views_equal_nocase(token->name, game->tags[0].name));
}

/* What a word between variations means; false if it ends the game. */
static bool main_line_take(PdnReader *reader, Reading *reading, const PdnToken *token) {
    switch (token->kind) {
    case PDN_MOVE:
    case PDN_BAD_MOVE:
        move_take(reader, reading, token);
        return true;
    case PDN_NO_MOVE:
        if (!reading->passed && !reading->broken) {
            pdn_warn(&reader->sink, token->line, reading->ply + 1,
                     "a pass in the place of a move:", token->text);
        }
        reading->passed = true;
        return true;
    case PDN_SETUP:
        setup_take(reader, reading, token);
        return true;
    case PDN_OUTCOME:
        return false;
    case PDN_CLOSE:
    case PDN_JUNK:
        if (!reading->broken) {
            junk_take(reader, token, reading->ply);
        }
        return true;
    default:
        return true;
    }
}

/* What a word of a game means; false if the game is over. A word that begins another game is not used up. */
static bool game_take(PdnReader *reader, Reading *reading) {
    PdnToken *token = &reader->token;
    bool more = true;
    ParseError error;

    if (token->kind == PDN_END || (token->kind == PDN_TAG && tag_is_next(reading, token))) {
        return false;
    }
    if (token->kind == PDN_TAG) {
        tag_take(reader, reading, token);
    } else if (token->kind == PDN_BAD_COMMENT) {
        error = (ParseError){"a comment without an end"};
        refuse(reader, reading, token->line, reading->ply, &error);
    } else if (token->kind == PDN_OPEN) {
        reading->opened = reading->depth == 0 ? token->line : reading->opened;
        reading->depth++;
    } else if (token->kind == PDN_CLOSE && reading->depth > 0) {
        reading->depth--;
    } else if (reading->depth == 0) {
        more = main_line_take(reader, reading, token);
        if (!more) {
            reading->ending = *token;
        }
    }
    reading->moves_begun = reading->moves_begun || (token->kind != PDN_TAG && token->kind != PDN_JUNK);
    reader->in_junk = token->kind == PDN_JUNK || token->kind == PDN_CLOSE;
    pdn_lexer_next(&reader->lexer, token);
    return more;
}

static Result result_of(PdnOutcome outcome, Color first) {
    switch (outcome) {
    case OUTCOME_FIRST_WINS:
        return result_won_by(first);
    case OUTCOME_SECOND_WINS:
        return result_won_by(color_opponent(first));
    case OUTCOME_DRAW:
        return RESULT_DRAW;
    default:
        return RESULT_OPEN;
    }
}

static bool is_decided(PdnOutcome outcome) {
    return outcome != OUTCOME_NONE && outcome != OUTCOME_OPEN;
}

/* Finds out how the game ended, and doubts it where there is reason to. */
static void result_take(PdnReader *reader, Reading *reading) {
    PdnGame *game = reading->game;
    const PdnTag *tag = pdn_tag_find(game, "Result");
    PdnOutcome told = tag != NULL ? pdn_outcome_read(tag->value) : OUTCOME_NONE;
    PdnOutcome ended = reading->ending.outcome;
    ParseError error;

    if (is_decided(told) && is_decided(ended) && told != ended) {
        Text out = pdn_describe(&error, "the tag Result is", tag->value);
        text_add(&out, ", but the game ends with ");
        text_add_quoted(&out, reading->ending.text);
        pdn_report(&reader->sink, true, reading->ending.line, 0, &error);
    }
    PdnOutcome outcome = is_decided(told) ? told : ended;
    if (game->variant == VARIANT_COUNT) {
        return;
    }
    game->result = result_of(outcome, rules_of(game->variant)->first);
    game->both_lost = outcome == OUTCOME_BOTH_LOSE;

    const Position *last = &reader->line.branches[0];
    if (reading->broken || reading->aside || reading->passed || game->result == RESULT_OPEN ||
        movegen_has_move(game->variant, last)) {
        return;
    }
    if (game->result != result_won_by(color_opponent((Color)last->turn))) {
        Text out =
            pdn_describe(&error, "the result is", view_of(pdn_result_text(game->variant, game->result)));
        text_add(&out, last->turn == WHITE ? ", but White has no move left" : ", but Black has no move left");
        pdn_report(&reader->sink, true, tag != NULL ? tag->line : reading->ending.line, 0, &error);
    }
}

/* Looks at a game that has been read to its end. */
static void game_end(PdnReader *reader, Reading *reading) {
    PdnGame *game = reading->game;
    ParseError error;

    if (reading->depth > 0 && !reading->broken) {
        error = (ParseError){"a variation without an end"};
        refuse(reader, reading, reading->opened, reading->ply, &error);
    }
    if (!reading->ready) {
        game_begin(reader, reading, NULL);
    }
    moves_settle(reader, reading);
    if (reading->ending.kind == PDN_END && !reading->broken) {
        error = (ParseError){"no result or '*' at the end of the game"};
        pdn_report(&reader->sink, true, reader->token.line, 0, &error);
    }
    result_take(reader, reading);
    game->moves = reader->moves;
    game->plies = reader->plies;
}

/* Goes on to where a game begins; false at the end of the text. */
static bool game_find(PdnReader *reader) {
    PdnToken *token = &reader->token;
    ParseError error;

    for (;;) {
        switch (token->kind) {
        case PDN_END:
            return false;
        case PDN_OUTCOME:
            /* In PDN 3.0 only '*' separates games, and a result may stand before it. */
            if (token->outcome != OUTCOME_OPEN || !reader->after_outcome) {
                pdn_warn(&reader->sink, token->line, 0, "a result without a game:", token->text);
            }
            reader->after_outcome = false;
            break;
        case PDN_CLOSE:
        case PDN_JUNK:
            junk_take(reader, token, 0);
            break;
        case PDN_BAD_COMMENT:
            error = (ParseError){"a comment without an end"};
            pdn_report(&reader->sink, false, token->line, 0, &error);
            break;
        default:
            return true;
        }
        reader->in_junk = token->kind == PDN_JUNK || token->kind == PDN_CLOSE;
        pdn_lexer_next(&reader->lexer, token);
    }
}

PdnReader *pdn_reader_new(View text, Variant variant, PdnReport report, void *user) {
    PdnReader *reader = calloc(1, sizeof *reader);

    if (reader != NULL) {
        reader->lexer = pdn_lexer_init(text);
        reader->variant = variant;
        reader->sink = (PdnSink){report, user};
        pdn_lexer_next(&reader->lexer, &reader->token);
    }
    return reader;
}

void pdn_reader_free(PdnReader *reader) {
    if (reader != NULL) {
        free(reader->moves);
        free(reader);
    }
}

bool pdn_reader_next(PdnReader *reader, PdnGame *game) {
    Reading reading = {.game = game};

    if (reader->failed || !game_find(reader)) {
        return false;
    }
    *game = (PdnGame){.line = reader->token.line, .variant = VARIANT_COUNT, .sound = true};
    reader->plies = 0;
    reader->line.plies_count = 0;
    reader->in_junk = false;
    while (!reader->failed && game_take(reader, &reading)) {
    }
    game_end(reader, &reading);
    reader->after_outcome = is_decided(reading.ending.outcome);
    return !reader->failed;
}

bool pdn_reader_failed(const PdnReader *reader) {
    return reader->failed;
}

size_t pdn_unescape(View value, char *text) {
    size_t length = 0;

    for (size_t at = 0; at < value.length; at++) {
        bool escape = value.start[at] == '\\' && at + 1 < value.length &&
                      (value.start[at + 1] == '"' || value.start[at + 1] == '\\');
        at += escape;
        text[length++] = value.start[at];
    }
    return length;
}

View pdn_tag(const PdnGame *game, const char *name) {
    const PdnTag *tag = pdn_tag_find(game, name);
    return tag != NULL ? tag->value : (View){NULL, 0};
}
