/*
 * Openings. Decks and files of ballots are lines of one syntax:
 *
 *     [label TAB] [FEN] [-SQUARE ...] [move ...]
 *
 * The FEN, instead of the game's first position, has no blanks in it; "-11 -28" takes what stands there away.
 * A file of FENs has one a line, with a label before or after it. In both, empty lines and those that begin
 * with '#' mean nothing. A file of games is PDN.
 */
#include "match/opening.h"

#include "engine/game.h"
#include "engine/notation.h"
#include "engine/pdn.h"
#include "engine/random.h"
#include "match/file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Decks --------------------------------------------------------------------------------------------- */

static const char *const BALLOTS2[] = {
#include "match/decks/ballots2.def"
};

static const char *const BALLOTS3[] = {
#include "match/decks/ballots3.def"
};

static const char *const BALLOTS11[] = {
#include "match/decks/ballots11.def"
};

static const char *const RUSSIAN[] = {
#include "match/decks/russian.def"
};

typedef struct {
    const char *name;
    Variant variant;
    const char *const *lines;
    size_t count;
} Deck;

#define LINES(array) array, sizeof(array) / sizeof((array)[0])

static const Deck DECKS[] = {
    {"ballots2", VARIANT_ENGLISH, LINES(BALLOTS2)},
    {"ballots3", VARIANT_ENGLISH, LINES(BALLOTS3)},
    {"ballots11", VARIANT_ENGLISH, LINES(BALLOTS11)},
    {"russian", VARIANT_RUSSIAN, LINES(RUSSIAN)},
};

enum { DECKS_COUNT = sizeof(DECKS) / sizeof(DECKS[0]) };

static const Deck *deck_of(const char *name) {
    for (size_t i = 0; i < DECKS_COUNT; i++) {
        if (strcmp(DECKS[i].name, name) == 0) {
            return &DECKS[i];
        }
    }
    return NULL;
}

const char *opening_deck_name(Variant variant, int index) {
    for (size_t i = 0; i < DECKS_COUNT; i++) {
        if (DECKS[i].variant == variant && index-- == 0) {
            return DECKS[i].name;
        }
    }
    return NULL;
}

void opening_add_deck_names(Text *out) {
    for (size_t i = 0; i < DECKS_COUNT; i++) {
        text_add(out, i > 0 ? ", " : "");
        text_add(out, DECKS[i].name);
    }
}

/* ---- Openings ------------------------------------------------------------------------------------------ */

typedef struct {
    OpeningBook *book;
    int capacity; /* of the book */
    const OpeningSource *source;
    bool in_file;
    size_t line; /* of the file, 0 = none in particular */
    Move *moves; /* of the opening that is being read */
    size_t moves_count;
    size_t moves_capacity;
    ParseError *error;
} Loader;

/* Makes the line of error, which begins with the place where it can be told. */
static bool refuse(const Loader *loader, const char *reason) {
    Text out = text_init(loader->error->text, sizeof(loader->error->text));

    if (loader->in_file) {
        text_add_quoted(&out, view_of(loader->source->name));
        if (loader->line > 0) {
            text_add(&out, ", line ");
            text_add_number(&out, (unsigned)loader->line);
        }
        text_add(&out, ": ");
    }
    text_add(&out, reason);
    return false;
}

static bool refuse_token(const Loader *loader, const char *reason, View token) {
    char text[sizeof loader->error->text];
    Text out = text_init(text, sizeof(text));

    text_add(&out, reason);
    text_add_char(&out, ' ');
    text_add_quoted(&out, token);
    return refuse(loader, text);
}

static bool fail_memory(const Loader *loader) {
    return refuse(loader, "not enough memory");
}

static bool moves_add(Loader *loader, Move move) {
    if (loader->moves_count == loader->moves_capacity) {
        size_t capacity = loader->moves_capacity * 2 + 16;
        Move *moves = realloc(loader->moves, capacity * sizeof(*moves));
        if (moves == NULL) {
            return fail_memory(loader);
        }
        loader->moves = moves;
        loader->moves_capacity = capacity;
    }
    loader->moves[loader->moves_count++] = move;
    return true;
}

/* Copies a label so that no line of a record is spoiled by it, nor JSON, which must be UTF-8. */
static void label_copy(char *label, View text) {
    json_t *valid = json_stringn(text.start, text.length);

    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.start[i];
        label[i] = byte < ' ' || byte == 0x7F ? ' ' : byte >= 0x80 && valid == NULL ? '?' : text.start[i];
    }
    label[text.length] = '\0';
    json_decref(valid);
}

static bool is_open(const Loader *loader, const FenRecord *start, const Move *moves, size_t count) {
    const DrawRules *draws = loader->source->draws;
    Game game;
    bool open;

    game_init(&game, loader->source->variant, draws, &start->position,
              draw_state_init(draws, &start->position, start->plies_without_progress), start->fullmove);
    open = game_result(&game, NULL) == RESULT_OPEN;
    for (size_t i = 0; i < count && open; i++) {
        if (game_play(&game, moves[i]) != 0) {
            game_deinit(&game);
            return fail_memory(loader);
        }
        open = game_result(&game, NULL) == RESULT_OPEN;
    }
    game_deinit(&game);
    return open || refuse(loader, count > 0 ? "the game is over after these moves"
                                            : "the game is over in this position");
}

/* Adds an opening to the book; its moves are legal. */
static bool opening_add(Loader *loader, View label, const FenRecord *start, const Move *moves, size_t count) {
    OpeningBook *book = loader->book;
    const Position first = position_start(rules_of(loader->source->variant));
    char place[32];
    Opening opening;

    if (loader->source->plies >= 0 && count > (size_t)loader->source->plies) {
        count = (size_t)loader->source->plies;
    }
    if (count > INT_MAX || book->count == INT_MAX) {
        return refuse(loader, "too many");
    }
    if (!is_open(loader, start, moves, count)) {
        return false;
    }
    if (label.length == 0) {
        snprintf(place, sizeof(place), "line %zu", loader->line);
        label = view_of(place);
    }
    if (book->count == loader->capacity) {
        int capacity = loader->capacity > INT_MAX / 2 ? INT_MAX : loader->capacity * 2 + 64;
        Opening *openings = realloc(book->openings, (size_t)capacity * sizeof(*openings));
        if (openings == NULL) {
            return fail_memory(loader);
        }
        book->openings = openings;
        loader->capacity = capacity;
    }
    /* One piece of memory for both: a book may have millions. */
    char *memory = malloc(count * sizeof(*moves) + label.length + 1);
    if (memory == NULL) {
        return fail_memory(loader);
    }
    opening = (Opening){
        .label = memory + count * sizeof(*moves),
        .start = *start,
        .from_start = position_equal(&start->position, &first) && start->plies_without_progress == 0 &&
                      start->fullmove == 1,
        .moves = (Move *)(void *)memory,
        .plies = (int)count,
    };
    if (count > 0) {
        memcpy(opening.moves, moves, count * sizeof(*moves));
    }
    label_copy(opening.label, label);
    book->openings[book->count++] = opening;
    return true;
}

void opening_book_deinit(OpeningBook *book) {
    for (int i = 0; i < book->count; i++) {
        free(book->openings[i].moves);
    }
    free(book->openings);
    *book = (OpeningBook){0};
}

/* ---- Lines --------------------------------------------------------------------------------------------- */

/* Whether a token is meant as a FEN; no move begins like that. */
static bool looks_like_fen(View token) {
    return token.length >= 2 && strchr("WBwb", token.start[0]) != NULL && token.start[1] == ':';
}

/* Does what "-11" says. */
static bool man_remove(const Loader *loader, Position *position, View token) {
    View name = view_skip(token, 1);
    Square square;

    if (!square_read(name.start, name.length, &square)) {
        return refuse_token(loader, "no such square:", token);
    }
    if ((position_occupied(position) & BITBOARD_BIT(square)) == 0) {
        return refuse_token(loader, "no man to take away:", token);
    }
    position->pieces[WHITE] &= ~BITBOARD_BIT(square);
    position->pieces[BLACK] &= ~BITBOARD_BIT(square);
    position->kings &= ~BITBOARD_BIT(square);
    return true;
}

/* Reads what a line has behind its label. */
static bool ballot_read(Loader *loader, View label, View rest) {
    FenRecord start = {.position = position_start(rules_of(loader->source->variant)), .fullmove = 1};
    View ahead = rest;
    View token = view_token(&ahead);
    Position position;
    ParseError error;

    if (looks_like_fen(token)) {
        if (!fen_read(token.start, token.length, &start, &error)) {
            return refuse(loader, error.text);
        }
        rest = ahead;
        token = view_token(&ahead);
    }
    for (; token.length > 0 && token.start[0] == '-'; token = view_token(&ahead)) {
        if (!man_remove(loader, &start.position, token)) {
            return false;
        }
        rest = ahead;
    }
    position = start.position;
    loader->moves_count = 0;
    while ((token = view_token(&rest)).length > 0) {
        Move move;
        if (!move_read(loader->source->variant, &position, token.start, token.length, &move, &error)) {
            return refuse(loader, error.text);
        }
        if (!moves_add(loader, move)) {
            return false;
        }
        position = position_after(&position, move);
    }
    return opening_add(loader, label, &start, loader->moves, loader->moves_count);
}

static bool ballot_line_read(Loader *loader, View line) {
    const char *tab = memchr(line.start, '\t', line.length);
    size_t length = tab == NULL ? 0 : (size_t)(tab - line.start);

    return ballot_read(loader, view_trim((View){line.start, length}), view_skip(line, length));
}

/* Splits the last token off a line. */
static View last_token(View *line) {
    size_t length = line->length;

    while (length > 0 && line->start[length - 1] != ' ' && line->start[length - 1] != '\t') {
        length--;
    }
    View token = view_skip(*line, length);
    line->length = length;
    return token;
}

static bool fen_line_read(Loader *loader, View line) {
    View before = line;
    View behind = line;
    View last = last_token(&before);
    View first = view_token(&behind);
    FenRecord record;
    ParseError whole;
    ParseError error;
    View label = {line.start, 0};

    /* Some write blanks into a FEN, so it may be all of the line although it looks like two tokens. */
    if (!fen_read(line.start, line.length, &record, &whole)) {
        if (looks_like_fen(first) && fen_read(first.start, first.length, &record, &error)) {
            label = view_trim(behind);
        } else if (looks_like_fen(last) && before.length > 0) {
            if (!fen_read(last.start, last.length, &record, &error)) {
                return refuse(loader, error.text);
            }
            label = view_trim(before);
        } else {
            return refuse(loader, whole.text);
        }
    }
    return opening_add(loader, label, &record, NULL, 0);
}

static bool lines_read(Loader *loader, View text, bool (*read)(Loader *loader, View line)) {
    while (text.length > 0) {
        const char *end = memchr(text.start, '\n', text.length);
        size_t length = end == NULL ? text.length : (size_t)(end - text.start);
        View line = {text.start, length};

        text = view_skip(text, length + (end != NULL));
        line = view_trim(line);
        loader->line++;
        if (line.length > 0 && line.start[0] != '#' && !read(loader, line)) {
            return false;
        }
    }
    return true;
}

/* ---- Games --------------------------------------------------------------------------------------------- */

/* The first fault of a game. */
typedef struct {
    bool found;
    PdnFault fault;
} GameFault;

static void take_fault(void *user, bool warning, const PdnFault *fault) {
    GameFault *first = user;

    if (!warning && !first->found) {
        *first = (GameFault){true, *fault};
    }
}

/* Adds the opening of a game. Faults behind the part that is wanted do not matter. */
static bool game_add(Loader *loader, const PdnGame *game, const GameFault *first) {
    const OpeningSource *source = loader->source;
    bool enough = source->plies >= 0 && game->plies >= (size_t)source->plies;
    View tag = pdn_tag(game, "Opening");
    char text[sizeof loader->error->text];

    loader->line = game->line;
    if (!game->sound && !(enough && first->found && first->fault.ply > 0)) {
        loader->line = first->found ? first->fault.line : game->line;
        return refuse(loader, first->found ? first->fault.error.text : "the game has a fault");
    }
    if (game->variant != loader->source->variant) {
        snprintf(text, sizeof(text), "a game of %s among openings of %s", rules_of(game->variant)->name,
                 rules_of(loader->source->variant)->name);
        return refuse(loader, text);
    }
    if (tag.length == 0) {
        snprintf(text, sizeof(text), "game %d", loader->book->count + 1);
        return opening_add(loader, view_of(text), &game->start, game->moves, game->plies);
    }
    char *label = malloc(tag.length);
    if (label == NULL) {
        return fail_memory(loader);
    }
    bool good =
        opening_add(loader, (View){label, pdn_unescape(tag, label)}, &game->start, game->moves, game->plies);
    free(label);
    return good;
}

static bool games_read(Loader *loader, View text) {
    GameFault first = {0};
    PdnReader *reader = pdn_reader_new(text, loader->source->variant, take_fault, &first);
    PdnGame game;
    bool good = true;

    if (reader == NULL) {
        return fail_memory(loader);
    }
    while (good && pdn_reader_next(reader, &game)) {
        good = game_add(loader, &game, &first);
        first = (GameFault){0};
    }
    if (good && pdn_reader_failed(reader)) {
        good = fail_memory(loader);
    } else if (good && first.found) {
        loader->line = first.fault.line;
        good = refuse(loader, first.fault.error.text);
    }
    pdn_reader_free(reader);
    return good;
}

/* ---- Books --------------------------------------------------------------------------------------------- */

/* A name without a file may be that of a deck, misspelt. */
static bool refuse_file(const Loader *loader, int error) {
    char text[sizeof loader->error->text];
    Text out = text_init(text, sizeof(text));

    text_add(&out, "cannot be read: ");
    text_add(&out, strerror(error));
    if (error == ENOENT) {
        text_add(&out, "; the decks are ");
        opening_add_deck_names(&out);
    }
    return refuse(loader, text);
}

static bool text_load(Loader *loader, View text) {
    if (text.length >= 3 && memcmp(text.start, "\xEF\xBB\xBF", 3) == 0) {
        text = view_skip(text, 3);
    }
    switch (loader->source->format) {
    case OPENINGS_PDN:
        return games_read(loader, text);
    case OPENINGS_FEN:
        return lines_read(loader, text, fen_line_read);
    default:
        return lines_read(loader, text, ballot_line_read);
    }
}

static bool file_load(Loader *loader) {
    int fd = open(loader->source->name, O_RDONLY | O_CLOEXEC);
    int status = fd < 0 ? -errno : 0;
    char *bytes = NULL;
    size_t length = 0;

    loader->in_file = true;
    if (fd >= 0) {
        status = file_read(fd, &bytes, &length);
        close(fd);
    }
    if (status != 0) {
        return refuse_file(loader, -status);
    }
    bool good = text_load(loader, (View){bytes, length});
    free(bytes);
    loader->line = 0;
    return good && (loader->book->count > 0 || refuse(loader, "no opening in it"));
}

static bool deck_load(Loader *loader, const Deck *deck) {
    if (deck->variant != loader->source->variant) {
        char text[sizeof loader->error->text];
        snprintf(text, sizeof(text), "the openings '%s' are for %s, not %s", deck->name,
                 rules_of(deck->variant)->name, rules_of(loader->source->variant)->name);
        return refuse(loader, text);
    }
    for (size_t i = 0; i < deck->count; i++) {
        if (!ballot_line_read(loader, view_of(deck->lines[i]))) {
            return false;
        }
    }
    return true;
}

static bool first_position_load(Loader *loader) {
    const FenRecord start = {.position = position_start(rules_of(loader->source->variant)), .fullmove = 1};

    return opening_add(loader, view_of("start"), &start, NULL, 0);
}

bool opening_book_load(OpeningBook *book, const OpeningSource *source, ParseError *error) {
    const Deck *deck = source->name != NULL ? deck_of(source->name) : NULL;
    Loader loader = {.book = book, .source = source, .error = error};

    *book = (OpeningBook){0};
    bool good = source->name == NULL ? first_position_load(&loader)
                : deck != NULL       ? deck_load(&loader, deck)
                                     : file_load(&loader);
    free(loader.moves);
    if (!good) {
        opening_book_deinit(book);
    }
    return good;
}

void opening_book_shuffle(OpeningBook *book, uint64_t seed) {
    for (int left = book->count; left > 1; left--) {
        size_t chosen = key_index(random_next(&seed), (size_t)left);
        Opening opening = book->openings[chosen];
        book->openings[chosen] = book->openings[left - 1];
        book->openings[left - 1] = opening;
    }
}

/* G. Fowler, L. Noll and K.-P. Vo's hash, over the bytes of a number from the lowest on. */
static uint64_t hash_number(uint64_t hash, uint64_t number) {
    for (int byte = 0; byte < 8; byte++) {
        hash = (hash ^ (number >> 8 * byte & 0xFF)) * UINT64_C(0x100000001B3);
    }
    return hash;
}

uint64_t opening_book_fingerprint(const OpeningBook *book) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (int i = 0; i < book->count; i++) {
        const Opening *opening = &book->openings[i];
        const Position *position = &opening->start.position;

        hash = hash_number(hash, position->pieces[WHITE]);
        hash = hash_number(hash, position->pieces[BLACK]);
        hash = hash_number(hash, position->kings);
        hash = hash_number(hash, position->turn);
        hash = hash_number(hash, (uint64_t)opening->start.plies_without_progress);
        hash = hash_number(hash, (uint64_t)opening->start.fullmove);
        hash = hash_number(hash, (uint64_t)opening->plies);
        for (int ply = 0; ply < opening->plies; ply++) {
            hash = hash_number(hash, opening->moves[ply]);
        }
    }
    return hash;
}
