/* The commands of the CheckerBoard interface: one table of what can be asked for and what can be set. */
#include "checkerboard/engine.h"
#include "checkerboard/gametype.h"
#include "checkerboard/movelist.h"
#include "engine/fen.h"
#include "engine/notation.h"
#include "engine/view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* MiB; more than any machine has, and its bytes still fit where size_t has 32 bits. */
enum { DB_MEGABYTES_MAX = 4095 };

/* CB_REPLY_SIZE bytes for the answer. */
typedef struct {
    char *text;
} Reply;

__attribute__((format(printf, 2, 3))) static void answer(const Reply *reply, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reply->text, CB_REPLY_SIZE, format, arguments);
    va_end(arguments);
}

/* ---- What can be asked for ----------------------------------------------------------------------------- */

static bool get_protocol(const CbEngine *engine, View argument, const Reply *reply) {
    (void)engine;
    (void)argument;
    answer(reply, "2");
    return true;
}

static bool get_gametype(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%d", gametype_of((Variant)atomic_load(&engine->variant)));
    return true;
}

static bool get_movelist(const CbEngine *engine, View fen, const Reply *reply) {
    FenRecord record;
    ParseError error;

    if (!fen_read(fen.start, fen.length, &record, &error)) {
        answer(reply, "? %s", error.text);
        return false;
    }
    if (!movelist_write((Variant)atomic_load(&engine->variant), &record.position, reply->text)) {
        answer(reply, "? too many moves for %d bytes", CB_REPLY_SIZE);
        return false;
    }
    return true;
}

static bool get_hashsize(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%u", (unsigned)engine->session.megabytes);
    return true;
}

static bool get_threads(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%d", engine->session.settings.threads);
    return true;
}

static bool get_book(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%d", engine->book);
    return true;
}

static bool get_book_file(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%s", engine->book_file);
    return true;
}

static bool get_db_path(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%s", engine->db_path);
    return true;
}

static bool get_db_megabytes(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%u", (unsigned)(engine->session.egdb_cache >> 20));
    return true;
}

static bool get_db_pieces(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%d", engine->session.egdb_limit);
    return true;
}

static bool get_wld(const CbEngine *engine, View argument, const Reply *reply) {
    (void)argument;
    answer(reply, "%d", engine->wld);
    return true;
}

/* ---- What can be set ----------------------------------------------------------------------------------- */

/* Reads a number within bounds. False with an answer that says so. */
static bool read_number(View text, int64_t least, int64_t most, int64_t *number, const Reply *reply) {
    char quote[VIEW_QUOTE_SIZE];

    if (!view_number(text, number) || *number < least || *number > most) {
        view_quote(text, quote);
        answer(reply, "? %s is not a number from %d to %d", quote, (int)least, (int)most);
        return false;
    }
    return true;
}

/* Copies a path. False with an answer if it is too long. */
static bool read_path(View text, char path[static PATH_SIZE], const Reply *reply) {
    if (text.length >= PATH_SIZE) {
        answer(reply, "? the path is too long");
        return false;
    }
    memcpy(path, text.start, text.length);
    path[text.length] = '\0';
    return true;
}

/* Opens the databases that the settings name. False with an answer if there was something wrong. */
static bool open_databases(CbEngine *engine, const Reply *reply) {
    const char *path = !engine->wld ? "" : engine->db_path[0] != '\0' ? engine->db_path : NULL;
    int error = session_set_egdb(&engine->session, path);
    const char *warning = error != 0 ? strerror(-error) : engine->session.egdb_warning.text;

    if (warning[0] != '\0') {
        answer(reply, "? %s", warning);
    }
    return warning[0] == '\0';
}

static bool set_gametype(CbEngine *engine, View value, const Reply *reply) {
    int64_t number = 0;
    bool read = read_number(value, 0, 99, &number, reply);
    Variant variant = gametype_variant((int)number);

    if (!read || variant == VARIANT_COUNT) {
        return false;
    }
    if (variant != engine->session.game.variant) {
        engine->book_file[0] = '\0'; /* a book is of one game: the session goes back to the one built in */
    }
    session_set_variant(&engine->session, variant);
    atomic_store(&engine->variant, (int)variant);
    return true;
}

static bool set_hashsize(CbEngine *engine, View value, const Reply *reply) {
    int64_t number;

    if (!read_number(value, 1, TT_MEGABYTES_MAX, &number, reply)) {
        return false;
    }
    if ((size_t)number != engine->session.megabytes &&
        session_set_hash(&engine->session, (size_t)number) != 0) {
        answer(reply, "? no memory for %d MiB, it stays at %u", (int)number,
               (unsigned)engine->session.megabytes);
        return false;
    }
    return true;
}

static bool set_threads(CbEngine *engine, View value, const Reply *reply) {
    int64_t number;
    bool read = read_number(value, 1, THREADS_MAX, &number, reply);

    engine->session.settings.threads = read ? (int)number : engine->session.settings.threads;
    return read;
}

/* None, all good moves, those hardly worse than the best, the best. */
static bool set_book(CbEngine *engine, View value, const Reply *reply) {
    static const int margins[] = {0, 20, 10, 0}; /* centi-men */
    int64_t number;

    if (!read_number(value, 0, 3, &number, reply)) {
        return false;
    }
    engine->book = (int)number;
    engine->session.settings.own_book = number > 0;
    engine->session.settings.book_margin = margins[number];
    return true;
}

static bool set_book_file(CbEngine *engine, View value, const Reply *reply) {
    char path[PATH_SIZE];
    ParseError error;

    if (!read_path(value, path, reply)) {
        return false;
    }
    if (!session_set_book(&engine->session, path[0] != '\0' ? path : NULL, &error)) {
        answer(reply, "? %s", error.text);
        return false;
    }
    memcpy(engine->book_file, path, strlen(path) + 1);
    return true;
}

static bool set_db_path(CbEngine *engine, View value, const Reply *reply) {
    return read_path(value, engine->db_path, reply) && open_databases(engine, reply);
}

static bool set_db_megabytes(CbEngine *engine, View value, const Reply *reply) {
    int64_t number;

    if (!read_number(value, 1, DB_MEGABYTES_MAX, &number, reply)) {
        return false;
    }
    engine->session.egdb_cache = (size_t)number << 20;
    return open_databases(engine, reply);
}

static bool set_db_pieces(CbEngine *engine, View value, const Reply *reply) {
    int64_t number;

    if (!read_number(value, 0, SLICE_PIECES_MAX, &number, reply)) {
        return false;
    }
    session_set_egdb_limit(&engine->session, (int)number);
    return true;
}

static bool set_wld(CbEngine *engine, View value, const Reply *reply) {
    int64_t number;

    if (!read_number(value, 0, 1, &number, reply)) {
        return false;
    }
    engine->wld = number != 0;
    return open_databases(engine, reply);
}

/* A position and the moves since, for repetitions. What cannot be read is forgotten with all before it. */
static bool set_history(CbEngine *engine, View value, const Reply *reply) {
    const DrawRules *draws = session_draws(&engine->session);
    Variant variant = engine->session.game.variant;
    FenRecord record;
    ParseError error;
    View fen = view_token(&value);
    View token;

    if (engine->has_history) {
        game_deinit(&engine->history);
        engine->has_history = false;
    }
    if (!fen_read(fen.start, fen.length, &record, &error)) {
        answer(reply, "? %s", error.text);
        return false;
    }
    Game *game = &engine->history;
    game_init(game, variant, draws, &record.position,
              draw_state_init(draws, &record.position, record.plies_without_progress), record.fullmove);
    while ((token = view_token(&value)).length > 0) {
        Move move;
        if (!move_read(variant, &game->position, token.start, token.length, &move, &error) ||
            game_play(game, move) != 0) {
            game_deinit(game);
            answer(reply, "? %s", error.text);
            return false;
        }
    }
    engine->has_history = true;
    return true;
}

/* ---- Commands ------------------------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    bool (*get)(const CbEngine *engine, View argument, const Reply *reply); /* or NULL */
    bool (*set)(CbEngine *engine, View value, const Reply *reply);          /* or NULL */
    bool fixed; /* it can be asked for at any time */
} Setting;

static const Setting SETTINGS[] = {
    {"protocolversion", get_protocol, NULL, true},
    {"gametype", get_gametype, set_gametype, true},
    {"movelist", get_movelist, NULL, true},
    {"gamehist", NULL, set_history, false},
    {"hashsize", get_hashsize, set_hashsize, false},
    {"searchthreads", get_threads, set_threads, false},
    {"book", get_book, set_book, false},
    {"bookfile", get_book_file, set_book_file, false},
    {"dbpath", get_db_path, set_db_path, false},
    {"dbmbytes", get_db_megabytes, set_db_megabytes, false},
    {"max_dbpieces", get_db_pieces, set_db_pieces, false},
    {"enable_wld", get_wld, set_wld, false},
};

static bool setting_run(CbEngine *engine, bool set, View rest, const Reply *reply) {
    View name = view_token(&rest);
    View value = view_trim(rest);
    const Setting *setting = NULL;

    for (size_t i = 0; i < sizeof SETTINGS / sizeof SETTINGS[0] && setting == NULL; i++) {
        bool known = set ? SETTINGS[i].set != NULL : SETTINGS[i].get != NULL;
        setting = known && view_equals_nocase(name, SETTINGS[i].name) ? &SETTINGS[i] : NULL;
    }
    if (setting == NULL) {
        return false;
    }
    if (!set && setting->fixed) {
        return setting->get(engine, value, reply);
    }
    if (pthread_mutex_trylock(&engine->using) != 0) {
        answer(reply, "? the engine is thinking");
        return false;
    }
    bool done = set ? setting->set(engine, value, reply) : setting->get(engine, value, reply);
    if (set && done && setting->get != NULL) {
        setting->get(engine, value, reply);
    }
    pthread_mutex_unlock(&engine->using);
    return done;
}

bool cb_engine_command(CbEngine *engine, const char *command, char reply[static CB_REPLY_SIZE]) {
    Reply out = {reply};
    View rest = view_of(command);
    View word = view_token(&rest);

    answer(&out, "?");
    if (view_equals_nocase(word, "name")) {
        answer(&out, "Crownhead " CROWNHEAD_VERSION);
        return true;
    }
    if (view_equals_nocase(word, "about")) {
        answer(&out,
               "Crownhead " CROWNHEAD_VERSION "\n\nAn engine for English checkers and Russian draughts, "
               "free software under the MIT license.");
        return true;
    }
    bool set = view_equals_nocase(word, "set");
    return (set || view_equals_nocase(word, "get")) && setting_run(engine, set, rest, &out);
}
