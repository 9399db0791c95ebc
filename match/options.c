/* Options in the manner of cutechess-cli: one dash, then words, many of them key=value. */
#include "match/options.h"

#include "engine/text.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH_MAX = 64 };

typedef struct {
    MatchOptions *options;
    Words each[EACH_MAX + 1]; /* one place is left for those of an engine */
    int each_count;
    Words engines[MATCH_ENGINES_MAX];
    int engines_count;
    const char *playing; /* the first option that says how to play, NULL = none */
    ParseError *error;
} Parse;

static bool option_variant(Parse *parse, const Words *words) {
    char what[64];
    Text out = text_init(what, sizeof what);
    const char *word;

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    parse->options->variant = variant_from_name(word);
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        text_add(&out, variant > 0 ? ", " : "one of ");
        text_add(&out, rules_of(variant)->name);
    }
    text_add(&out, " is wanted, not");
    return parse->options->variant != VARIANT_COUNT || words_refuse(parse->error, words->option, what, word);
}

static bool read_format(const char *text, OpeningFormat *format) {
    static const char *const names[] = {
        [OPENINGS_BALLOTS] = "ballots", [OPENINGS_FEN] = "fen", [OPENINGS_PDN] = "pdn"};

    for (int index = 0; index < (int)(sizeof names / sizeof names[0]); index++) {
        if (strcmp(names[index], text) == 0) {
            *format = (OpeningFormat)index;
            return true;
        }
    }
    return false;
}

/* What a file is by its name. */
static OpeningFormat format_of(const char *name) {
    const char *dot = strrchr(name, '.');
    View ending = view_of(dot != NULL ? dot : "");

    if (view_equals_nocase(ending, ".pdn") || view_equals_nocase(ending, ".pgn")) {
        return OPENINGS_PDN;
    }
    return view_equals_nocase(ending, ".fen") ? OPENINGS_FEN : OPENINGS_BALLOTS;
}

/* A deck's name may stand alone in the first place. */
static bool option_openings(Parse *parse, const Words *words) {
    MatchOptions *options = parse->options;
    OpeningSource *source = &options->openings;
    const char *format = NULL;
    int start = 1;
    const Setting settings[] = {
        {.key = "file", .text = &source->name},
        {.key = "format", .text = &format},
        {.key = "order", .flag = &options->openings_random, .yes = "random", .no = "sequential"},
        {.key = "plies", .integer = &source->plies, .min = 0, .max = 1000},
        {.key = "start", .integer = &start, .min = 1, .max = INT32_MAX},
    };
    Words rest = *words;

    if (rest.count > 0 && strchr(rest.words[0], '=') == NULL) {
        source->name = rest.words[0];
        rest.words++;
        rest.count--;
    }
    if (!words_settings(&rest, settings, sizeof settings / sizeof settings[0], parse->error)) {
        return false;
    }
    if (source->name == NULL) {
        return words_refuse(parse->error, words->option, "file=FILE or the name of a deck is missing", NULL);
    }
    source->format = format_of(source->name);
    options->schedule.start = start - 1;
    return format == NULL || read_format(format, &source->format) ||
           words_refuse(parse->error, words->option, "format is ballots, fen or pdn, not", format);
}

static bool option_sprt(Parse *parse, const Words *words) {
    Sprt *sprt = &parse->options->sprt;
    bool normalized = true;
    const Setting settings[] = {
        {.key = "elo0", .real = &sprt->elo0, .min = -1000, .max = 1000},
        {.key = "elo1", .real = &sprt->elo1, .min = -1000, .max = 1000},
        {.key = "alpha", .real = &sprt->alpha, .min = 1e-9, .max = 0.5},
        {.key = "beta", .real = &sprt->beta, .min = 1e-9, .max = 0.5},
        {.key = "model", .flag = &normalized, .yes = "normalized", .no = "logistic"},
    };

    *sprt = (Sprt){.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
    if (!words_settings(words, settings, sizeof settings / sizeof settings[0], parse->error)) {
        return false;
    }
    sprt->model = normalized ? SPRT_NORMALIZED : SPRT_LOGISTIC;
    parse->options->sprt_wanted = true;
    if (sprt->alpha + sprt->beta >= 1) {
        return words_refuse(parse->error, words->option, "alpha and beta together must be below 1", NULL);
    }
    return sprt->elo0 < sprt->elo1 ||
           words_refuse(parse->error, words->option, "elo0 must be below elo1", NULL);
}

static bool option_draw(Parse *parse, const Words *words) {
    DrawAdjudication *draw = &parse->options->arbitration.draw;
    const Setting settings[] = {
        {.key = "movenumber", .integer = &draw->move_number, .min = 0, .max = 100000},
        {.key = "movecount", .integer = &draw->move_count, .min = 1, .max = 100000},
        {.key = "score", .integer = &draw->score, .min = 0, .max = 100000},
    };

    *draw = (DrawAdjudication){.move_number = 1, .move_count = 8, .score = 10};
    return words_settings(words, settings, sizeof settings / sizeof settings[0], parse->error);
}

static bool option_resign(Parse *parse, const Words *words) {
    ResignAdjudication *resign = &parse->options->arbitration.resign;
    const Setting settings[] = {
        {.key = "movecount", .integer = &resign->move_count, .min = 1, .max = 100000},
        {.key = "score", .integer = &resign->score, .min = 1, .max = 100000},
        {.key = "twosided", .flag = &resign->two_sided, .yes = "true", .no = "false"},
    };

    *resign = (ResignAdjudication){.move_count = 3, .score = 600};
    return words_settings(words, settings, sizeof settings / sizeof settings[0], parse->error);
}

static bool option_shard(Parse *parse, const Words *words) {
    Schedule *schedule = &parse->options->schedule;
    const char *word;
    int part, parts;
    char rest;

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    if (!view_is_digit(word[0]) || sscanf(word, "%9d/%9d%c", &part, &parts, &rest) != 2 || part < 1 ||
        part > parts) {
        return words_refuse(parse->error, words->option, "PART/PARTS is wanted, as 1/4, not", word);
    }
    schedule->shard = part - 1;
    schedule->shards = parts;
    return true;
}

static bool option_json(Parse *parse, const Words *words) {
    const char *before = parse->options->json_file;

    if (!words_single(words, &parse->options->json_file, parse->error)) {
        return false;
    }
    return before == NULL || strcmp(before, parse->options->json_file) == 0 ||
           words_refuse(parse->error, words->option, "another file is named before:", before);
}

static bool option_resume(Parse *parse, const Words *words) {
    parse->options->resume = true;
    return option_json(parse, words);
}

/* What is always so here, and can be said all the same. */
static bool option_understood(Parse *parse, const Words *words) {
    (void)parse;
    (void)words;
    return true;
}

static bool option_help(Parse *parse, const Words *words) {
    (void)words;
    parse->options->help = true;
    return true;
}

static bool option_engine(Parse *parse, const Words *words) {
    if (parse->engines_count == MATCH_ENGINES_MAX) {
        return words_refuse(parse->error, words->option, "too many engines", NULL);
    }
    parse->engines[parse->engines_count++] = *words;
    return true;
}

static bool option_each(Parse *parse, const Words *words) {
    if (parse->each_count == EACH_MAX) {
        return words_refuse(parse->error, words->option, "is given too often", NULL);
    }
    parse->each[parse->each_count++] = *words;
    return true;
}

static bool option_reduce(Parse *parse, const Words *words) {
    parse->options->reduce = words->words;
    parse->options->reduce_count = words->count;
    return words->count > 0 ||
           words_refuse(parse->error, words->option, "the files to merge are missing", NULL);
}

/* What the one argument of an option becomes. */
typedef enum { WORD, INTEGER, LONG, CHOICE } Kind;

typedef struct {
    const char *name;
    bool (*read)(Parse *parse, const Words *words); /* NULL = as the rest of the row says */
    bool merging;                                   /* it means something with -reduce, too */
    Kind kind;
    size_t target; /* in the MatchOptions */
    double min, max;
    const char *yes, *no;
} Option;

#define WORD_OF(field) .kind = WORD, .target = offsetof(MatchOptions, field)
#define NUMBER(type, field, least, most) \
    .kind = (type), .target = offsetof(MatchOptions, field), .min = (least), .max = (most)
#define CHOICE_OF(field, true_word, false_word) \
    .kind = CHOICE, .target = offsetof(MatchOptions, field), .yes = (true_word), .no = (false_word)

static const Option OPTIONS[] = {
    {"-engine", .read = option_engine},
    {"-each", .read = option_each},
    {"-variant", .read = option_variant},
    {"-drawrules", CHOICE_OF(arbitration.web_draws, "web", "official")},
    {"-openings", .read = option_openings},
    {"-games", NUMBER(INTEGER, schedule.games, 1, 10000000)},
    {"-rounds", NUMBER(INTEGER, schedule.rounds, 1, 10000000)},
    {"-repeat", .read = option_understood},
    {"-recover", .read = option_understood},
    {"-concurrency", NUMBER(INTEGER, concurrency, 1, MATCH_CONCURRENCY_MAX)},
    {"-sprt", .read = option_sprt, .merging = true},
    {"-draw", .read = option_draw},
    {"-resign", .read = option_resign},
    {"-egdb", WORD_OF(egdb_path)},
    {"-maxmoves", NUMBER(INTEGER, arbitration.moves_max, 1, 100000)},
    {"-tiebreak", CHOICE_OF(arbitration.material_tiebreak, "material", "none")},
    {"-tournament", CHOICE_OF(schedule.gauntlet, "gauntlet", "round-robin")},
    {"-pdnout", WORD_OF(pdn_file)},
    {"-pgnout", WORD_OF(pdn_file)},
    {"-json", .read = option_json},
    {"-resume", .read = option_resume},
    {"-log", WORD_OF(log_file)},
    {"-ratinginterval", NUMBER(INTEGER, rating_interval, 0, INT32_MAX)},
    {"-srand", NUMBER(LONG, seed, 0, 1e18)},
    {"-seed", NUMBER(LONG, seed, 0, 1e18)},
    {"-shard", .read = option_shard},
    {"-reduce", .read = option_reduce, .merging = true},
    {"-event", WORD_OF(event)},
    {"-site", WORD_OF(site)},
    {"-startup-ms", NUMBER(LONG, patience.startup, 1, INT32_MAX)},
    {"-ucinewgame-ms", NUMBER(LONG, patience.new_game, 1, INT32_MAX)},
    {"-ping-ms", NUMBER(LONG, patience.ping, 1, INT32_MAX)},
    {"-move-ms", NUMBER(LONG, patience.move, 1, INT32_MAX)},
    {"-help", .read = option_help, .merging = true},
    {"--help", .read = option_help, .merging = true},
    {"-h", .read = option_help, .merging = true},
};

enum { OPTIONS_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

static bool set_target(Parse *parse, const Option *option, const Words *words) {
    void *target = (char *)parse->options + option->target;
    Setting setting = {.min = option->min, .max = option->max, .yes = option->yes, .no = option->no};
    const char *word;

    switch (option->kind) {
    case WORD:
        setting.text = target;
        break;
    case INTEGER:
        setting.integer = target;
        break;
    case LONG:
        setting.whole = target;
        break;
    case CHOICE:
        setting.flag = target;
        break;
    }
    return words_single(words, &word, parse->error) && words_set(words->option, &setting, word, parse->error);
}

/* A word that begins an option; a dash before a digit belongs to a number. */
static bool begins_option(const char *word) {
    return word[0] == '-' && word[1] != '\0' && !view_is_digit(word[1]) && word[1] != '.';
}

static bool read_option(Parse *parse, const Words *words) {
    for (int index = 0; index < OPTIONS_COUNT; index++) {
        const Option *option = &OPTIONS[index];
        if (strcmp(option->name, words->option) != 0) {
            continue;
        }
        if (!option->merging && parse->playing == NULL) {
            parse->playing = words->option;
        }
        return option->read != NULL ? option->read(parse, words) : set_target(parse, option, words);
    }
    Text text = text_init(parse->error->text, sizeof parse->error->text);
    text_add(&text, "unknown option ");
    text_add_quoted(&text, view_of(words->option));
    return false;
}

static bool read_engine(Parse *parse, int index) {
    MatchOptions *options = parse->options;
    EngineSpec *spec = &options->engines[index];
    const char *option = parse->engines[index].option;

    parse->each[parse->each_count] = parse->engines[index];
    options->engines_count = index + 1;
    if (!spec_read(spec, parse->each, parse->each_count + 1, parse->error)) {
        return false;
    }
    for (int other = 0; other < index; other++) {
        if (strcmp(options->engines[other].name, spec->name) == 0) {
            return words_refuse(parse->error, option,
                                "two engines have one name, set name= of one:", spec->name);
        }
    }
    return true;
}

static bool read_engines(Parse *parse) {
    MatchOptions *options = parse->options;

    if (parse->engines_count < 2) {
        return words_refuse(parse->error, "-engine", "a match needs two engines or more", NULL);
    }
    options->engines = calloc((size_t)parse->engines_count, sizeof *options->engines);
    if (options->engines == NULL) {
        return words_refuse(parse->error, "-engine", strerror(ENOMEM), NULL);
    }
    for (int index = 0; index < parse->engines_count; index++) {
        if (!read_engine(parse, index)) {
            return false;
        }
    }
    options->schedule.engines = options->engines_count;
    return true;
}

/* What does not go together, or not with what is played. */
static bool check_options(const Parse *parse) {
    MatchOptions *options = parse->options;

    if (options->sprt_wanted && options->engines_count != 2) {
        return words_refuse(parse->error, "-sprt", "two engines are wanted", NULL);
    }
    if (options->sprt_wanted && options->schedule.games % 2 != 0) {
        return words_refuse(parse->error, "-sprt", "the test is of pairs of games, but -games is odd", NULL);
    }
    return true;
}

bool match_options_read(MatchOptions *options, int argc, char **argv, ParseError *error) {
    *options = (MatchOptions){
        .patience = {.startup = 10000, .new_game = 60000, .ping = 60000, .move = 60000},
        .variant = VARIANT_DEFAULT,
        .openings = {.plies = -1},
        .seed = 1,
        .schedule = {.games = 2, .rounds = 1, .openings = 1, .shards = 1},
        .concurrency = 1,
        .rating_interval = 10,
        .event = "Engine match",
        .site = "?",
    };
    Parse parse = {.options = options, .error = error};

    for (int at = 1; at < argc;) {
        Words words = {.option = argv[at], .words = argv + at + 1};
        if (!begins_option(argv[at])) {
            Text text = text_init(error->text, sizeof error->text);
            text_add(&text, "an option is wanted, not ");
            text_add_quoted(&text, view_of(argv[at]));
            return false;
        }
        for (at++; at < argc && !begins_option(argv[at]); at++) {
            words.count++;
        }
        if (!read_option(&parse, &words)) {
            return false;
        }
    }
    if (options->help) {
        return true;
    }
    if (options->reduce != NULL) {
        return parse.playing == NULL ||
               words_refuse(error, parse.playing, "has no meaning with -reduce", NULL);
    }
    if (!read_engines(&parse) || !check_options(&parse)) {
        return false;
    }
    options->openings.variant = options->variant;
    options->openings.draws = arbitration_draws(&options->arbitration, options->variant);
    return true;
}

void match_options_deinit(MatchOptions *options) {
    for (int index = 0; index < options->engines_count; index++) {
        spec_deinit(&options->engines[index]);
    }
    free(options->engines);
    options->engines = NULL;
    options->engines_count = 0;
}
