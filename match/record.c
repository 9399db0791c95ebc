/* Games as JSON and as PDN. */
#include "match/record.h"

#include "engine/notation.h"
#include "engine/pdn.h"
#include "match/dialect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_VERSION = 1 };

static json_t *control_object(const TimeControl *control) {
    return json_pack("{s:I, s:I, s:i, s:I, s:I, s:I, s:i}", "time", (json_int_t)control->time, "increment",
                     (json_int_t)control->increment, "moves", control->moves, "movetime",
                     (json_int_t)control->movetime, "margin", (json_int_t)control->margin, "nodes",
                     (json_int_t)control->nodes, "depth", control->depth);
}

/* NULL if a name or value is no UTF-8 either. */
static json_t *settings_object(const EngineSpec *spec) {
    json_t *settings = json_object();
    int error = 0;

    for (int index = 0; index < spec->options_count; index++) {
        const EngineOption *option = &spec->options[index];
        error |= json_object_setn_new(settings, option->name.start, option->name.length,
                                      json_stringn(option->value.start, option->value.length));
    }
    if (error != 0) {
        json_decref(settings);
        return NULL;
    }
    return settings;
}

/* Not where the engine lies: that differs between machines which share a match. */
static json_t *engine_object(const EngineSpec *spec) {
    return json_pack("{s:s, s:s, s:o, s:o}", "name", spec->name, "proto", spec->dialect->name, "options",
                     settings_object(spec), "limit", control_object(&spec->control));
}

/* The command and its arguments as one text; what JSON cannot hold becomes a question mark. */
static json_t *command_text(const EngineSpec *spec) {
    json_t *text = NULL;
    char *memory = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&memory, &size);

    if (stream == NULL) {
        return NULL;
    }
    for (int index = 0; index < spec->arguments_count; index++) {
        const char *argument = spec->arguments[index];
        bool plain = argument[0] != '\0' && strchr(argument, ' ') == NULL;
        fprintf(stream, plain ? "%s%s" : "%s\"%s\"", index > 0 ? " " : "", argument);
    }
    if (fclose(stream) == 0) {
        text = json_string(memory);
        for (char *at = memory; text == NULL && *at != '\0'; at++) {
            *at = *at < 0 ? '?' : *at;
        }
        text = text != NULL ? text : json_string(memory);
    }
    free(memory);
    return text;
}

static json_t *openings_object(const MatchOptions *options, const OpeningBook *book) {
    char fingerprint[20];

    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, opening_book_fingerprint(book));
    return json_pack("{s:i, s:s, s:i}", "count", book->count, "fingerprint", fingerprint, "start",
                     options->schedule.start);
}

static json_t *arbitration_object(const Arbitration *arbitration) {
    const DrawAdjudication *draw = &arbitration->draw;
    const ResignAdjudication *resign = &arbitration->resign;

    return json_pack("{s:s, s:b, s:[iii], s:[iib], s:i}", "drawrules",
                     arbitration->web_draws ? "web" : "official", "tiebreak", arbitration->material_tiebreak,
                     "draw", draw->move_number, draw->move_count, draw->score, "resign", resign->move_count,
                     resign->score, resign->two_sided, "maxmoves", arbitration->moves_max);
}

static json_t *sprt_object(const Sprt *sprt) {
    return json_pack("{s:f, s:f, s:f, s:f, s:s}", "elo0", sprt->elo0, "elo1", sprt->elo1, "alpha",
                     sprt->alpha, "beta", sprt->beta, "model",
                     sprt->model == SPRT_NORMALIZED ? "normalized" : "logistic");
}

json_t *record_header(const MatchOptions *options, const OpeningBook *book) {
    const Schedule *schedule = &options->schedule;
    json_t *engines = json_array();
    json_t *run = json_array();
    int error = 0;

    for (int index = 0; index < options->engines_count; index++) {
        const EngineSpec *spec = &options->engines[index];
        error |= json_array_append_new(engines, engine_object(spec));
        error |= json_array_append_new(run, json_pack("{s:o}", "command", command_text(spec)));
    }
    json_t *match = json_pack(
        "{s:i, s:s, s:o, s:o, s:o, s:i, s:i, s:s}", "version", RECORD_VERSION, "variant",
        rules_of(options->variant)->name, "engines", engines, "openings", openings_object(options, book),
        "arbitration", arbitration_object(&options->arbitration), "games", schedule->games, "rounds",
        schedule->rounds, "tournament", schedule->gauntlet ? "gauntlet" : "round-robin");
    json_t *header = json_pack("{s:o, s:{s:i, s:i}, s:o}", "match", match, "shard", "part",
                               schedule->shard + 1, "parts", schedule->shards, "run", run);
    const Egdb *egdb = options->arbitration.egdb;
    if (egdb != NULL) {
        json_t *arbitration = json_object_get(match, "arbitration");
        error |= json_object_set_new(
            arbitration, "egdb",
            json_pack("{s:i, s:i}", "wld", egdb_pieces(egdb, EGDB_WLD), "dtw", egdb_pieces(egdb, EGDB_DTW)));
    }
    if (options->sprt_wanted) {
        error |= json_object_set_new(header, "sprt", sprt_object(&options->sprt));
    }
    if (error != 0) {
        json_decref(header);
        return NULL;
    }
    return header;
}

static json_t *run_of(const json_t *header, int engine) {
    return json_array_get(json_object_get(header, "run"), (size_t)engine);
}

bool record_name_engine(json_t *header, int engine, const char *id) {
    return json_object_set_new(run_of(header, engine), "id", json_string(id)) == 0;
}

const char *record_command(const json_t *header, int engine) {
    return json_string_value(json_object_get(run_of(header, engine), "command"));
}

bool record_read_header(const json_t *object, HeaderLine *line) {
    json_t *constant = (json_t *)(uintptr_t)object; /* jansson's reading takes no const */
    const char *variant, *tournament, *model = NULL;
    json_t *engines;
    json_int_t pdn_begin = -1;
    int version, part, parts, openings, start, games, rounds;

    *line = (HeaderLine){0};
    if (json_unpack(constant, "{s:{s:i, s:s, s:o, s:{s:i, s:i}, s:i, s:i, s:s}, s:{s:i, s:i}, s?I}", "match",
                    "version", &version, "variant", &variant, "engines", &engines, "openings", "count",
                    &openings, "start", &start, "games", &games, "rounds", &rounds, "tournament", &tournament,
                    "shard", "part", &part, "parts", &parts, "pdn_begin", &pdn_begin) != 0) {
        return false;
    }
    line->variant = variant_from_name(variant);
    line->engines_count = (int)json_array_size(engines);
    if (version != RECORD_VERSION || line->variant == VARIANT_COUNT || line->engines_count < 2 ||
        line->engines_count > MATCH_ENGINES_MAX || games < 1 || rounds < 1 || openings < 1 || start < 0 ||
        start >= openings || part < 1 || part > parts) {
        return false;
    }
    for (int index = 0; index < line->engines_count; index++) {
        line->names[index] =
            json_string_value(json_object_get(json_array_get(engines, (size_t)index), "name"));
        if (line->names[index] == NULL) {
            return false;
        }
    }
    line->schedule = (Schedule){
        .engines = line->engines_count,
        .gauntlet = strcmp(tournament, "gauntlet") == 0,
        .games = games,
        .rounds = rounds,
        .openings = openings,
        .start = start,
        .shard = part - 1,
        .shards = parts,
    };
    line->pdn_begin = pdn_begin;
    line->sprt_wanted = json_object_get(object, "sprt") != NULL;
    if (line->sprt_wanted) {
        Sprt *sprt = &line->sprt;
        if (json_unpack(constant, "{s:{s:F, s:F, s:F, s:F, s:s}}", "sprt", "elo0", &sprt->elo0, "elo1",
                        &sprt->elo1, "alpha", &sprt->alpha, "beta", &sprt->beta, "model", &model) != 0) {
            return false;
        }
        sprt->model = strcmp(model, "logistic") == 0 ? SPRT_LOGISTIC : SPRT_NORMALIZED;
    }
    return schedule_games(&line->schedule) <= SCHEDULE_GAMES_MAX;
}

/* A value as text, "" if it is a long one. */
static void value_text(const json_t *value, char *text, size_t size) {
    if (value == NULL) {
        snprintf(text, size, "unset");
        return;
    }
    size_t length = json_dumpb(value, text, size, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));

    text[length < size ? length : 0] = '\0';
}

static void add_place(Text *place, const char *name) {
    text_add(place, place->length > 0 ? ", " : "");
    text_add(place, name);
}

static bool values_differ(const json_t *one, const json_t *other, const char *except, Text *place,
                          HeaderDifference *difference);

/* An element is known by its name where it has one. */
static bool arrays_differ(const json_t *one, const json_t *other, Text *place, HeaderDifference *difference) {
    for (size_t index = 0; index < json_array_size(one); index++) {
        const json_t *left = json_array_get(one, index);
        const json_t *right = json_array_get(other, index);
        const char *name = json_string_value(json_object_get(left, "name"));
        size_t before = place->length;
        if (name != NULL) {
            add_place(place, name);
        }
        if (values_differ(left, right, NULL, place, difference)) {
            return true;
        }
        place->start[place->length = before] = '\0';
    }
    return false;
}

static bool objects_differ(const json_t *one, const json_t *other, const char *except, Text *place,
                           HeaderDifference *difference) {
    const json_t *sides[2] = {one, other};

    /* A key may be missing on either side. */
    for (int side = 0; side < 2; side++) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)sides[side], key, value) {
            size_t before = place->length;
            if (except != NULL && strcmp(except, key) == 0) {
                continue;
            }
            add_place(place, key);
            if (values_differ(json_object_get(one, key), json_object_get(other, key), NULL, place,
                              difference)) {
                return true;
            }
            place->start[place->length = before] = '\0';
        }
    }
    return false;
}

/* Finds the innermost values that differ. */
static bool values_differ(const json_t *one, const json_t *other, const char *except, Text *place,
                          HeaderDifference *difference) {
    if (json_is_object(one) && json_is_object(other)) {
        return objects_differ(one, other, except, place, difference);
    }
    if (json_is_object(json_array_get(one, 0)) && json_array_size(one) == json_array_size(other)) {
        return arrays_differ(one, other, place, difference);
    }
    if (json_equal(one, other)) {
        return false;
    }
    value_text(one, difference->one, sizeof difference->one);
    value_text(other, difference->other, sizeof difference->other);
    return true;
}

bool record_header_differs(const json_t *one, const json_t *other, const char *except,
                           HeaderDifference *difference) {
    Text place = text_init(difference->place, sizeof difference->place);

    return values_differ(json_object_get(one, "match"), json_object_get(other, "match"), except, &place,
                         difference);
}

static json_t *score_value(const PlayerReport *report) {
    char text[32];

    if (!report->has_score) {
        return json_null();
    }
    if (!report->exact_win) {
        return json_integer(report->score);
    }
    snprintf(text, sizeof text, "%s %d", report->score > 0 ? "win" : "loss", abs(report->score));
    return json_string(text);
}

static json_t *move_array(const GameMove *move, const char *text) {
    if (move->from_opening) {
        return json_pack("[s]", text);
    }
    return json_pack("[s, o, i, f, I]", text, score_value(&move->report), move->report.depth,
                     (double)move->elapsed / 1000, (json_int_t)move->report.nodes);
}

/* NULL without memory. */
static json_t *moves_array(Variant variant, const PlayedGame *played) {
    Position position = played->start.position;
    json_t *moves = json_array();
    int error = 0;

    for (size_t ply = 0; ply < played->plies; ply++) {
        const GameMove *move = &played->moves[ply];
        char text[MOVE_TEXT_SIZE];
        move_write(variant, &position, move->move, text);
        error |= json_array_append_new(moves, move_array(move, text));
        position = position_after(&position, move->move);
    }
    if (error != 0) {
        json_decref(moves);
        return NULL;
    }
    return moves;
}

static const char *cause_name(Cause cause) {
    static const char *const names[] = {
        [CAUSE_RULES] = "rules",
        [CAUSE_TIEBREAK] = "tiebreak",
        [CAUSE_ADJUDICATION] = "adjudication",
        [CAUSE_FAULT] = "fault",
    };

    return names[cause];
}

static void write_time(time_t time, const char *format, char *text, size_t size) {
    struct tm parts;

    gmtime_r(&time, &parts);
    if (strftime(text, size, format, &parts) == 0) {
        text[0] = '\0';
    }
}

json_t *record_game(const MatchOptions *options, const GameRecord *record) {
    const PlayedGame *played = record->played;
    char fen[FEN_SIZE];
    char time[32];
    const char *winner = played->result == RESULT_WHITE_WINS   ? "white"
                         : played->result == RESULT_BLACK_WINS ? "black"
                                                               : NULL;

    fen_write(&played->start, rules_of(options->variant), fen);
    write_time(record->begin, "%Y-%m-%dT%H:%M:%SZ", time, sizeof time);
    return json_pack(
        "{s:I, s:i, s:i, s:s, s:s, s:s, s:s, s:s?, s:s, s:s?, s:s, s:s, s:I, s:o}", "game",
        (json_int_t)record->index + 1, "round", record->scheduled.round + 1, "pair",
        record->scheduled.pair + 1, "opening", record->opening, "white", record->names[WHITE], "black",
        record->names[BLACK], "fen", fen, "winner", winner, "cause", cause_name(played->cause), "fault",
        played->cause == CAUSE_FAULT ? fault_name(played_game_fault(played)) : NULL, "reason", played->reason,
        "begin", time, "ms", (json_int_t)record->duration, "moves", moves_array(options->variant, played));
}

bool record_read_game(const json_t *object, Variant variant, GameLine *line) {
    const char *names[2];
    const json_t *fault = NULL;
    const json_t *winner;
    json_int_t number;
    json_int_t pdn_end = -1;

    if (json_unpack((json_t *)(uintptr_t)object, "{s:I, s:s, s:s, s:o, s?o, s?I}", "game", &number, "white",
                    &names[WHITE], "black", &names[BLACK], "winner", &winner, "fault", &fault, "pdn_end",
                    &pdn_end) != 0) {
        return false;
    }
    const char *side = json_string_value(winner);
    bool white = side != NULL && strcmp(side, "white") == 0;
    bool black = side != NULL && strcmp(side, "black") == 0;
    if (number < 1 || (!white && !black && !json_is_null(winner))) {
        return false;
    }
    Color first = rules_of(variant)->first;
    *line = (GameLine){
        .index = number - 1,
        .first_name = names[first],
        .second_name = names[color_opponent(first)],
        .half_points = json_is_null(winner)        ? 1
                       : white == (first == WHITE) ? 2
                                                   : 0,
        .fault = json_is_string(fault) ? fault_find(json_string_value(fault)) : FAULT_NONE,
        .pdn_end = pdn_end,
    };
    return true;
}

/* A tag's value; a quote or backslash in it is escaped. */
static void write_tag(FILE *stream, const char *name, const char *value) {
    fprintf(stream, "[%s \"", name);
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\') {
            fputc('\\', stream);
        }
        fputc((unsigned char)*value < ' ' ? ' ' : *value, stream);
    }
    fputs("\"]\n", stream);
}

/* Puts words on lines of at most 80 columns. */
typedef struct {
    FILE *stream;
    size_t column;
} Wrap;

static void wrap_word(Wrap *wrap, const char *word) {
    size_t length = strlen(word);

    if (wrap->column > 0) {
        bool fits = wrap->column + 1 + length <= 80;
        fputc(fits ? ' ' : '\n', wrap->stream);
        wrap->column = fits ? wrap->column + 1 : 0;
    }
    fputs(word, wrap->stream);
    wrap->column += length;
}

/* "{+0.34/14 0.523s}" as cutechess-cli writes it; "+W13" is a win in 13 plies. */
static void write_comment(Wrap *wrap, const GameMove *move) {
    const PlayerReport *report = &move->report;
    char score[32] = "?";
    char comment[96];

    if (report->has_score && report->exact_win) {
        snprintf(score, sizeof score, "%cW%d", report->score > 0 ? '+' : '-', abs(report->score));
    } else if (report->has_score) {
        snprintf(score, sizeof score, "%+.2f", report->score / 100.0);
    }
    snprintf(comment, sizeof comment, "{%s/%d %.3fs}", score, report->depth, (double)move->elapsed / 1e6);
    wrap_word(wrap, comment);
}

static void write_moves(FILE *stream, Variant variant, const PlayedGame *played) {
    Position position = played->start.position;
    Color first = (Color)position.turn;
    Wrap wrap = {.stream = stream};

    for (size_t ply = 0; ply < played->plies; ply++) {
        const GameMove *move = &played->moves[ply];
        char text[MOVE_TEXT_SIZE];
        if ((Color)position.turn == first) {
            char number[24];
            snprintf(number, sizeof number, "%zu.", ply / 2 + 1);
            wrap_word(&wrap, number);
        }
        pdn_move_write(variant, &position, move->move, text);
        wrap_word(&wrap, text);
        if (!move->from_opening) {
            write_comment(&wrap, move);
        }
        position = position_after(&position, move->move);
    }
    /* Why it ended; braces would end the comment. */
    char reason[GAME_REASON_SIZE];
    snprintf(reason, sizeof reason, "%s", played->reason);
    for (char *at = reason; *at != '\0'; at++) {
        *at = *at == '{' || *at == '}' ? '\'' : *at;
    }
    wrap_word(&wrap, "{");
    wrap_word(&wrap, reason);
    wrap_word(&wrap, "}");
    /* The one end of a game that cannot be taken for a move; the result is in the tag. */
    wrap_word(&wrap, "*");
    fputs("\n\n", stream);
}

void record_write_pdn(FILE *stream, const MatchOptions *options, const GameRecord *record) {
    const PlayedGame *played = record->played;
    const Rules *rules = rules_of(options->variant);
    char text[FEN_SIZE];

    write_tag(stream, "Event", options->event);
    write_tag(stream, "Site", options->site);
    write_time(record->begin, "%Y.%m.%d", text, sizeof text);
    write_tag(stream, "Date", text);
    snprintf(text, sizeof text, "%d.%" PRId64, record->scheduled.round + 1, record->index + 1);
    write_tag(stream, "Round", text);
    write_tag(stream, "White", record->names[WHITE]);
    write_tag(stream, "Black", record->names[BLACK]);
    write_tag(stream, "Result", pdn_result_text(options->variant, played->result));
    write_tag(stream, "GameType", rules->pdn_gametype);
    if (!played->from_start) {
        fen_write(&played->start, rules, text);
        write_tag(stream, "FEN", text);
    }
    write_tag(stream, "Opening", record->opening);
    write_tag(stream, "Termination",
              played->cause == CAUSE_FAULT ? fault_name(played_game_fault(played))
                                           : cause_name(played->cause));
    write_moves(stream, options->variant, played);
}
