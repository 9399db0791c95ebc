#include "protocol/go.h"

#include "bench/perft.h"
#include "engine/notation.h"

#include <stdio.h>
#include <string.h>

typedef enum {
    WORD_DEPTH,
    WORD_NODES,
    WORD_MOVETIME,
    WORD_BTIME,
    WORD_WTIME,
    WORD_BINC,
    WORD_WINC,
    WORD_MOVESTOGO,
    WORD_MATE,
    WORD_NUMBERS, /* the words before take a number, those after do not */
    WORD_INFINITE = WORD_NUMBERS,
    WORD_PONDER,
    WORD_SEARCHMOVES,
    WORD_PERFT,
    WORD_UNKNOWN
} Word;

static const char *const WORDS[] = {
    [WORD_DEPTH] = "depth",       [WORD_NODES] = "nodes",         [WORD_MOVETIME] = "movetime",
    [WORD_BTIME] = "btime",       [WORD_WTIME] = "wtime",         [WORD_BINC] = "binc",
    [WORD_WINC] = "winc",         [WORD_MOVESTOGO] = "movestogo", [WORD_MATE] = "mate",
    [WORD_INFINITE] = "infinite", [WORD_PONDER] = "ponder",       [WORD_SEARCHMOVES] = "searchmoves",
    [WORD_PERFT] = "perft",
};

/* Beyond any clock, and small enough to be added up without care. */
static const int64_t TIME_MAX = (int64_t)1 << 40;
enum { MOVESTOGO_MAX = 10000 };

typedef struct {
    GoComplaint complain;
    void *user;
    Variant variant;
    const Position *position;
    GoRequest request;
    bool given_time[2]; /* by Color */
    bool unknown;       /* a word that is none of ours was met, and told */
    bool understood;
} GoReader;

static Word word_find(View text) {
    for (Word word = 0; word < WORD_UNKNOWN; word++) {
        if (view_equals(text, WORDS[word])) {
            return word;
        }
    }
    return WORD_UNKNOWN;
}

static int64_t clamp(int64_t number, int64_t least, int64_t most) {
    return number < least ? least : number > most ? most : number;
}

/* Takes the number behind a word; another of our words in its place is left where it is. */
static int64_t go_number(const GoReader *reader, Word word, View *rest) {
    char line[160];
    char quote[VIEW_QUOTE_SIZE];
    View after = *rest;
    View token = view_token(&after);
    int64_t number = 0;

    if (token.length == 0 || word_find(token) != WORD_UNKNOWN) {
        snprintf(line, sizeof line, "go: %s: a number is missing", WORDS[word]);
        reader->complain(reader->user, line);
        return 0;
    }
    *rest = after;
    if (!view_number(token, &number)) {
        view_quote(token, quote);
        snprintf(line, sizeof line, "go: %s: %s is not a number", WORDS[word], quote);
        reader->complain(reader->user, line);
        return 0;
    }
    return number;
}

static void go_set(GoReader *reader, Word word, int64_t number) {
    SearchLimits *limits = &reader->request.limits;

    switch (word) {
    case WORD_DEPTH:
        limits->has_depth = true;
        limits->depth = (int)clamp(number, 1, DEPTH_MAX);
        break;
    case WORD_NODES:
        limits->has_nodes = true;
        limits->nodes = (uint64_t)clamp(number, 1, INT64_MAX);
        break;
    case WORD_MOVETIME:
        limits->has_movetime = true;
        limits->movetime = clamp(number, 0, TIME_MAX);
        break;
    case WORD_MATE:
        limits->has_mate = true;
        limits->mate = (int)clamp(number, 1, DEPTH_MAX);
        break;
    case WORD_MOVESTOGO:
        limits->has_clock = true;
        limits->movestogo = (int)clamp(number, 0, MOVESTOGO_MAX);
        break;
    case WORD_BINC:
    case WORD_WINC:
        limits->has_clock = true;
        limits->increment[word == WORD_BINC ? BLACK : WHITE] = clamp(number, 0, TIME_MAX);
        break;
    default:
        limits->has_clock = true;
        limits->time[word == WORD_BTIME ? BLACK : WHITE] = clamp(number, 0, TIME_MAX);
        reader->given_time[word == WORD_BTIME ? BLACK : WHITE] = true;
        break;
    }
}

static void go_add_move(MoveList *list, Move move) {
    for (int index = 0; index < list->count; index++) {
        if (list->moves[index] == move) {
            return;
        }
    }
    list->moves[list->count++] = move;
}

/* Takes moves up to one of our words or the end. */
static void go_searchmoves(GoReader *reader, View *rest) {
    for (;;) {
        View after = *rest;
        View token = view_token(&after);
        ParseError error;
        Move move;
        if (token.length == 0 || word_find(token) != WORD_UNKNOWN) {
            return;
        }
        *rest = after;
        if (move_read(reader->variant, reader->position, token.start, token.length, &move, &error)) {
            go_add_move(&reader->request.limits.searchmoves, move);
        } else {
            char line[sizeof error + 40];
            snprintf(line, sizeof line, "go: searchmoves: %s", error.text);
            reader->complain(reader->user, line);
        }
    }
}

/* One side's clock alone is taken to be both sides'; with increments alone there is no time left. */
static void go_complete(GoReader *reader) {
    SearchLimits *limits = &reader->request.limits;

    for (Color color = WHITE; color <= BLACK; color++) {
        if (!reader->given_time[color]) {
            limits->time[color] = limits->time[color_opponent(color)];
        }
    }
    if (!limits->has_depth && !limits->has_nodes && !limits->has_movetime && !limits->has_clock &&
        !limits->has_mate) {
        limits->infinite = true;
    }
}

bool go_read_perft(View text, int *depth, GoComplaint complain, void *user) {
    char line[160];
    char quote[VIEW_QUOTE_SIZE];
    View token = view_token(&text);
    int64_t number;

    if (!view_number(token, &number) || number < 0) {
        view_quote(token, quote);
        snprintf(line, sizeof line, "perft: %s is not a depth", quote);
        complain(user, line);
        return false;
    }
    *depth = (int)clamp(number, 0, PERFT_DEPTH_MAX);
    return true;
}

GoRequest go_read(View text, Variant variant, const Position *position, GoComplaint complain, void *user) {
    GoReader reader = {.complain = complain, .user = user, .variant = variant, .position = position};
    SearchLimits *limits = &reader.request.limits;
    View token;

    while ((token = view_token(&text)).length > 0) {
        Word word = word_find(token);
        reader.understood = reader.understood || word != WORD_UNKNOWN;
        if (word < WORD_NUMBERS) {
            go_set(&reader, word, go_number(&reader, word, &text));
        } else if (word == WORD_INFINITE) {
            limits->infinite = true;
        } else if (word == WORD_PONDER) {
            limits->ponder = true;
        } else if (word == WORD_SEARCHMOVES) {
            go_searchmoves(&reader, &text);
        } else if (word == WORD_PERFT) {
            bool good = go_read_perft(text, &reader.request.perft_depth, complain, user);
            reader.request.kind = good ? GO_PERFT : GO_REFUSED;
            return reader.request;
        } else if (!reader.unknown) {
            char line[160];
            char quote[VIEW_QUOTE_SIZE];
            view_quote(token, quote);
            snprintf(line, sizeof line, "go: unknown word %s", quote);
            complain(user, line);
            reader.unknown = true;
        }
    }
    reader.request.kind = reader.unknown && !reader.understood ? GO_REFUSED : GO_SEARCH;
    go_complete(&reader);
    return reader.request;
}
