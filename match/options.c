/* Options in the manner of cutechess-cli: one dash, then words, many of them key=value. */
#include "match/options.h"

#include "engine/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    MatchOptions *options;
    Words each;
    Words engines[MATCH_ENGINES_MAX];
    int engines_count;
    ParseError *error;
} Parse;

static bool number(Parse *parse, const Words *words, int min, int max, int *target) {
    const char *word;
    char what[64];

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    if (!words_int(word, min, max, target)) {
        snprintf(what, sizeof what, "a number from %d to %d is wanted, not", min, max);
        return words_refuse(parse->error, words->option, what, word);
    }
    return true;
}

static bool milliseconds(Parse *parse, const Words *words, int64_t *target) {
    int value;

    if (!number(parse, words, 1, INT32_MAX, &value)) {
        return false;
    }
    *target = value;
    return true;
}

static bool option_variant(Parse *parse, const Words *words) {
    const char *word;

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    parse->options->variant = variant_from_name(word);
    return parse->options->variant != VARIANT_COUNT ||
           words_refuse(parse->error, words->option, "unknown game", word);
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

/* A deck's name may stand alone in the first place. */
static bool option_openings(Parse *parse, const Words *words) {
    MatchOptions *options = parse->options;
    const char *file = NULL;
    const char *format = "ballots";
    int start = 1;
    const Setting settings[] = {
        {.key = "file", .text = &file},
        {.key = "format", .text = &format},
        {.key = "order", .flag = &options->openings_random, .yes = "random", .no = "sequential"},
        {.key = "plies", .integer = &options->openings_plies, .min = 0, .max = 1000},
        {.key = "start", .integer = &start, .min = 1, .max = INT32_MAX},
    };
    Words rest = *words;

    if (rest.count > 0 && strchr(rest.words[0], '=') == NULL) {
        file = rest.words[0];
        rest.words++;
        rest.count--;
    }
    if (!words_settings(&rest, settings, sizeof settings / sizeof settings[0], parse->error)) {
        return false;
    }
    if (!read_format(format, &options->openings_format)) {
        return words_refuse(parse->error, words->option, "format is ballots, fen or pdn, not", format);
    }
    options->openings = file;
    options->schedule.start = start - 1;
    return file != NULL ||
           words_refuse(parse->error, words->option, "file=FILE or the name of a deck is missing", NULL);
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

static bool option_tiebreak(Parse *parse, const Words *words) {
    const char *word;

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    parse->options->arbitration.material_tiebreak = true;
    return strcmp(word, "material") == 0 ||
           words_refuse(parse->error, words->option, "material is wanted, not", word);
}

static bool option_drawrules(Parse *parse, const Words *words) {
    const char *word;

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    parse->options->arbitration.draws = strcmp(word, "web") == 0 ? &DRAW_RULES_WEB : NULL;
    return parse->options->arbitration.draws != NULL || strcmp(word, "official") == 0 ||
           words_refuse(parse->error, words->option, "official or web is wanted, not", word);
}

static bool option_tournament(Parse *parse, const Words *words) {
    const char *word;

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    parse->options->schedule.gauntlet = strcmp(word, "gauntlet") == 0;
    return parse->options->schedule.gauntlet || strcmp(word, "round-robin") == 0 ||
           words_refuse(parse->error, words->option, "gauntlet or round-robin is wanted, not", word);
}

static bool option_games(Parse *parse, const Words *words) {
    return number(parse, words, 1, 10000000, &parse->options->schedule.games);
}

static bool option_rounds(Parse *parse, const Words *words) {
    return number(parse, words, 1, 10000000, &parse->options->schedule.rounds);
}

static bool option_maxmoves(Parse *parse, const Words *words) {
    return number(parse, words, 1, 100000, &parse->options->arbitration.moves_max);
}

static bool option_concurrency(Parse *parse, const Words *words) {
    return number(parse, words, 1, MATCH_CONCURRENCY_MAX, &parse->options->concurrency);
}

static bool option_ratinginterval(Parse *parse, const Words *words) {
    return number(parse, words, 0, INT32_MAX, &parse->options->rating_interval);
}

static bool option_seed(Parse *parse, const Words *words) {
    const char *word;
    int64_t value;

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    if (!words_int64(word, 0, INT64_MAX, &value)) {
        return words_refuse(parse->error, words->option, "a whole number is wanted, not", word);
    }
    parse->options->seed = (uint64_t)value;
    return true;
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

static bool option_pdnout(Parse *parse, const Words *words) {
    return words_single(words, &parse->options->pdn_file, parse->error);
}

static bool option_json(Parse *parse, const Words *words) {
    return words_single(words, &parse->options->json_file, parse->error);
}

static bool option_resume(Parse *parse, const Words *words) {
    const char *word;

    if (!words_single(words, &word, parse->error)) {
        return false;
    }
    if (parse->options->json_file != NULL && strcmp(parse->options->json_file, word) != 0) {
        return words_refuse(parse->error, words->option,
                            "-json names another file:", parse->options->json_file);
    }
    parse->options->json_file = word;
    parse->options->resume = true;
    return true;
}

static bool option_event(Parse *parse, const Words *words) {
    return words_single(words, &parse->options->event, parse->error);
}

static bool option_site(Parse *parse, const Words *words) {
    return words_single(words, &parse->options->site, parse->error);
}

static bool option_startup(Parse *parse, const Words *words) {
    return milliseconds(parse, words, &parse->options->patience.startup);
}

static bool option_new_game(Parse *parse, const Words *words) {
    return milliseconds(parse, words, &parse->options->patience.new_game);
}

static bool option_ping(Parse *parse, const Words *words) {
    return milliseconds(parse, words, &parse->options->patience.ping);
}

static bool option_move(Parse *parse, const Words *words) {
    return milliseconds(parse, words, &parse->options->patience.move);
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
    if (parse->each.words != NULL) {
        return words_refuse(parse->error, words->option, "is given twice", NULL);
    }
    parse->each = *words;
    return true;
}

static bool option_reduce(Parse *parse, const Words *words) {
    parse->options->reduce = words->words;
    parse->options->reduce_count = words->count;
    return words->count > 0 ||
           words_refuse(parse->error, words->option, "the files to merge are missing", NULL);
}

static const struct {
    const char *name;
    bool (*read)(Parse *parse, const Words *words);
} OPTIONS[] = {
    {"-engine", option_engine},
    {"-each", option_each},
    {"-variant", option_variant},
    {"-drawrules", option_drawrules},
    {"-openings", option_openings},
    {"-games", option_games},
    {"-rounds", option_rounds},
    {"-repeat", option_understood},
    {"-recover", option_understood},
    {"-concurrency", option_concurrency},
    {"-sprt", option_sprt},
    {"-draw", option_draw},
    {"-resign", option_resign},
    {"-maxmoves", option_maxmoves},
    {"-tiebreak", option_tiebreak},
    {"-tournament", option_tournament},
    {"-pdnout", option_pdnout},
    {"-pgnout", option_pdnout},
    {"-json", option_json},
    {"-resume", option_resume},
    {"-ratinginterval", option_ratinginterval},
    {"-srand", option_seed},
    {"-seed", option_seed},
    {"-shard", option_shard},
    {"-reduce", option_reduce},
    {"-event", option_event},
    {"-site", option_site},
    {"-startup-ms", option_startup},
    {"-ucinewgame-ms", option_new_game},
    {"-ping-ms", option_ping},
    {"-move-ms", option_move},
    {"-help", option_help},
    {"--help", option_help},
    {"-h", option_help},
};

enum { OPTIONS_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

/* A word that begins an option; a dash before a digit belongs to a number. */
static bool begins_option(const char *word) {
    return word[0] == '-' && word[1] != '\0' && !view_is_digit(word[1]) && word[1] != '.';
}

static bool read_option(Parse *parse, const Words *words) {
    for (int index = 0; index < OPTIONS_COUNT; index++) {
        if (strcmp(OPTIONS[index].name, words->option) == 0) {
            return OPTIONS[index].read(parse, words);
        }
    }
    Text text = text_init(parse->error->text, sizeof parse->error->text);
    text_add(&text, "unknown option ");
    text_add_quoted(&text, view_of(words->option));
    return false;
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
        EngineSpec *spec = &options->engines[index];
        options->engines_count = index + 1;
        if (!spec_read(spec, &parse->each, &parse->engines[index], parse->error)) {
            return false;
        }
        for (int other = 0; other < index; other++) {
            if (strcmp(options->engines[other].name, spec->name) == 0) {
                return words_refuse(parse->error, "-engine",
                                    "two engines have one name, set name= of one:", spec->name);
            }
        }
    }
    options->schedule.engines = options->engines_count;
    return true;
}

bool match_options_read(MatchOptions *options, int argc, char **argv, ParseError *error) {
    *options = (MatchOptions){
        .patience = {.startup = 10000, .new_game = 60000, .ping = 60000, .move = 60000},
        .variant = VARIANT_DEFAULT,
        .openings_plies = -1,
        .seed = 1,
        .schedule = {.games = 2, .rounds = 1, .openings = 1, .shards = 1},
        .concurrency = 1,
        .rating_interval = 10,
        .event = "Engine match",
        .site = "?",
    };
    Parse parse = {.options = options, .error = error, .each = {.option = "-each"}};

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
    if (options->help || options->reduce != NULL) {
        return true;
    }
    if (!read_engines(&parse)) {
        return false;
    }
    if (options->arbitration.draws == NULL) {
        options->arbitration.draws = &rules_of(options->variant)->draws;
    }
    if (options->sprt_wanted && options->engines_count != 2) {
        return words_refuse(error, "-sprt", "two engines are wanted", NULL);
    }
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
