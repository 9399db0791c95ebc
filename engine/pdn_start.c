#include "engine/pdn_start.h"

#include <string.h>

const PdnTag *pdn_tag_find(const PdnGame *game, const char *name) {
    for (int index = 0; index < game->tags_count; index++) {
        if (view_equals_nocase(game->tags[index].name, name)) {
            return &game->tags[index];
        }
    }
    return NULL;
}

/* The number of a game type, -1 if there is none; its digits may be padded. */
static int gametype_number(View value) {
    uint64_t number;
    return view_digits(view_leading_digits(view_trim(value)), &number) && number <= INT_MAX ? (int)number
                                                                                            : -1;
}

/* Games of the standard that may not be ours, so that a refusal can name them. */
static const char *gametype_name(int number) {
    static const struct {
        int number;
        const char *name;
    } NAMES[] = {
        {20, "international draughts"}, {21, "English checkers"},  {22, "Italian draughts"},
        {23, "pool checkers"},          {24, "Spanish draughts"},  {25, "Russian draughts"},
        {26, "Brazilian draughts"},     {27, "Canadian draughts"}, {28, "Portuguese draughts"},
        {29, "Czech draughts"},         {30, "Turkish draughts"},  {31, "Thai draughts"},
        {40, "Frisian draughts"},       {41, "spantsireti"},
    };

    for (size_t index = 0; index < sizeof NAMES / sizeof NAMES[0]; index++) {
        if (NAMES[index].number == number) {
            return NAMES[index].name;
        }
    }
    return NULL;
}

/* The game that a GameType tag means; VARIANT_COUNT with an error for one that is not ours. */
static Variant gametype_read(const PdnSink *sink, const PdnTag *tag, ParseError *error) {
    View value = view_trim(tag->value);
    int number = gametype_number(value);

    for (Variant variant = 0; number >= 0 && variant < VARIANT_COUNT; variant++) {
        const char *ours = rules_of(variant)->pdn_gametype;
        if (gametype_number(view_of(ours)) != number) {
            continue;
        }
        if (view_leading_digits(value).length != value.length && !view_equals_nocase(value, ours)) {
            ParseError other;
            Text out = pdn_describe(&other, "GameType", value);
            text_add(&out, " has another board or numbering than ours, ");
            text_add(&out, ours);
            pdn_report(sink, true, tag->line, 0, &other);
        }
        return variant;
    }
    Text out = pdn_describe(error, "GameType", value);
    const char *name = gametype_name(number);
    text_add(&out, name != NULL ? ": " : "");
    text_add(&out, name != NULL ? name : "");
    text_add(&out, number < 0 ? " has no number" : " is none of our games");
    return VARIANT_COUNT;
}

static Variant variant_of_naming(Naming naming) {
    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        if (rules_of(variant)->naming == naming) {
            return variant;
        }
    }
    return VARIANT_DEFAULT;
}

/* Whether a FEN names squares by letters that mean nothing else there. */
static bool fen_has_letters(View fen) {
    static const char FILES[] = "acdegACDEG";

    for (size_t at = 0; at + 1 < fen.length; at++) {
        if (memchr(FILES, fen.start[at], sizeof FILES - 1) != NULL && view_is_digit(fen.start[at + 1])) {
            return true;
        }
    }
    return false;
}

/*
 * Men that should have become kings: English problem books have them, but among games with letters they are
 * numbers counted from the wrong end.
 */
static bool crownheads_check(const PdnSink *sink, const Rules *rules, View fen, size_t line,
                             const Position *position, ParseError *error) {
    for (Color color = WHITE; color <= BLACK; color++) {
        Bitboard men = position->pieces[color] & ~position->kings & bitboard_crownhead(color);
        if (men == 0) {
            continue;
        }
        char name[SQUARE_TEXT_SIZE];
        square_write(bitboard_first(men), rules->naming, name);
        Text out = pdn_describe(error, "FEN", fen);
        text_add(&out, color == WHITE ? " has a white man on its crownhead, "
                                      : " has a black man on its crownhead, ");
        text_add(&out, name);
        if (rules->naming == NAMING_ALGEBRAIC) {
            text_add(&out, "; numbers are counted from b8 = 1");
            return false;
        }
        pdn_report(sink, true, line, 0, error);
    }
    return true;
}

bool pdn_position_read(const PdnSink *sink, Variant variant, View fen, size_t line, FenRecord *record,
                       ParseError *error) {
    FenRecord result;

    if (!fen_read(fen.start, fen.length, &result, error) ||
        !crownheads_check(sink, rules_of(variant), fen, line, &result.position, error)) {
        return false;
    }
    *record = result;
    return true;
}

/* Whether a tag says that its value is not known. */
static bool is_unknown(View value) {
    View trimmed = view_trim(value);
    return trimmed.length == 0 || view_equals(trimmed, "?");
}

/* The game of a GameType tag, which comes before what was asked for and before what the squares tell. */
static Variant variant_read(const PdnSink *sink, const PdnTag *type, Variant asked, bool letters,
                            ParseError *error) {
    if (type == NULL || is_unknown(type->value)) {
        return asked != VARIANT_COUNT ? asked
                                      : variant_of_naming(letters ? NAMING_ALGEBRAIC : NAMING_NUMERIC);
    }
    Variant variant = gametype_read(sink, type, error);
    if (variant != VARIANT_COUNT && asked != VARIANT_COUNT && variant != asked) {
        ParseError other;
        Text out = pdn_describe(&other, "GameType", type->value);
        text_add(&out, " is not the game asked for, ");
        text_add(&out, rules_of(asked)->name);
        pdn_report(sink, true, type->line, 0, &other);
    }
    return variant;
}

bool pdn_start_read(const PdnSink *sink, PdnGame *game, Variant asked, const PdnToken *setup,
                    const PdnToken *move, ParseError *error, size_t *line) {
    const PdnTag *type = pdn_tag_find(game, "GameType");
    const PdnTag *tag = setup == NULL ? pdn_tag_find(game, "FEN") : NULL;
    View fen = setup != NULL ? setup->value : tag != NULL ? tag->value : (View){NULL, 0};
    size_t fen_line = setup != NULL ? setup->line : tag != NULL ? tag->line : 0;

    game->variant =
        variant_read(sink, type, asked, move != NULL ? move->letters : fen_has_letters(fen), error);
    if (game->variant == VARIANT_COUNT) {
        *line = type->line;
        return false;
    }
    const Rules *rules = rules_of(game->variant);
    if (move != NULL && move->letters && rules->naming == NAMING_NUMERIC) {
        ParseError other;
        Text out = pdn_describe(&other, "squares named by letters:", move->text);
        text_add(&out, " in a game of ");
        text_add(&out, rules->name);
        pdn_report(sink, true, move->line, 1, &other);
    }
    game->from_start = fen.start == NULL;
    game->start = (FenRecord){.position = position_start(rules), .fullmove = 1};
    *line = fen_line;
    return game->from_start || pdn_position_read(sink, game->variant, fen, fen_line, &game->start, error);
}
