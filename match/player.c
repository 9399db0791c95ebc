#include "match/player.h"

#include "match/dialect.h"
#include "match/talk.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUIT_PATIENCE = 1000 }; /* ms for an engine to quit */

static void add_line(Text *out, const char *line) {
    text_add(out, line);
    text_add_char(out, '\n');
}

/* ---- The handshake ------------------------------------------------------------------------------------- */

/* What the engine offers of what it has to be told. */
typedef struct {
    bool variant, game; /* the option, and the match's game among its values */
    bool draws, ponder;
    bool own[ENGINE_OPTIONS_MAX]; /* by option of the spec */
} Offer;

static bool has_word(View text, const char *word) {
    View token;

    while ((token = view_token(&text)).length > 0) {
        if (view_equals_nocase(token, word)) {
            return true;
        }
    }
    return false;
}

static const char *draws_value(const Player *player) {
    return player->web_draws ? player->spec->dialect->draws_web : player->spec->dialect->draws_official;
}

static void add_printable(Text *out, View text) {
    for (size_t at = 0; at < text.length; at++) {
        char byte = text.start[at];
        if (byte < ' ' || byte > '~') {
            byte = '?';
        }
        text_add_char(out, byte);
    }
}

static void take_introduction(Player *player, View line, Offer *offer) {
    const Dialect *dialect = player->spec->dialect;
    Introduction introduction = dialect->introduce(line);
    View option = introduction.option;

    if (introduction.name.length > 0) {
        Text name = text_init(player->name, sizeof player->name);
        add_printable(&name, introduction.name);
        if (introduction.version.length > 0) {
            text_add_char(&name, ' ');
            add_printable(&name, introduction.version);
        }
    }
    if (option.length == 0) {
        return;
    }
    if (view_equals_nocase(option, dialect->variant)) {
        offer->variant = true;
        offer->game = has_word(introduction.values, rules_of(player->variant)->name);
    } else if (view_equals_nocase(option, dialect->draws)) {
        offer->draws = has_word(introduction.values, draws_value(player));
    } else if (view_equals_nocase(option, dialect->ponder)) {
        offer->ponder = true;
    }
    for (int index = 0; index < player->spec->options_count; index++) {
        offer->own[index] =
            offer->own[index] || views_equal_nocase(player->spec->options[index].name, option);
    }
}

/* Names the options of the spec that the engine does not offer. */
static void warn(Player *player, const Offer *offer) {
    Text out = text_init(player->warning, sizeof player->warning);

    for (int index = 0; index < player->spec->options_count; index++) {
        if (!offer->own[index]) {
            text_add(&out, out.length == 0 ? "it offers no option " : ", ");
            text_add_quoted(&out, player->spec->options[index].name);
        }
    }
}

/* After the settings, a line with this word complains of one of them, in whatever form engines do so. */
static void take_complaint(Player *player, View line, Offer *offer) {
    Text out = {player->warning, sizeof player->warning, strlen(player->warning)};
    const View word = view_of("error");

    (void)offer;
    for (size_t at = 0; at + word.length <= line.length; at++) {
        if (views_equal_nocase((View){line.start + at, word.length}, word)) {
            text_add(&out, out.length == 0 ? "it says: " : "; it says: ");
            add_printable(&out, line);
            return;
        }
    }
}

static bool check_game(Player *player, const Offer *offer, Fault *fault) {
    const char *game = rules_of(player->variant)->name;
    const char *option = player->spec->dialect->variant;

    if (offer->variant && !offer->game) {
        return talk_fail(player, fault, FAULT_START, "it does not play %s: '%s' has no such value", game,
                         option);
    }
    if (!offer->variant && player->variant != VARIANT_DEFAULT) {
        return talk_fail(player, fault, FAULT_START, "it does not play %s: it offers no option '%s'", game,
                         option);
    }
    return true;
}

/* The match's own settings first, so that those of the spec have the last word. */
static bool send_options(Player *player, const Offer *offer, Fault *fault) {
    const Dialect *dialect = player->spec->dialect;
    Text out = text_init(player->text, PLAYER_TEXT_SIZE);

    if (offer->variant) {
        dialect->write_option(&out, view_of(dialect->variant), view_of(rules_of(player->variant)->name));
    }
    if (offer->draws) {
        dialect->write_option(&out, view_of(dialect->draws), view_of(draws_value(player)));
    }
    if (offer->ponder) {
        dialect->write_option(&out, view_of(dialect->ponder), view_of("false"));
    }
    for (int index = 0; index < player->spec->options_count; index++) {
        dialect->write_option(&out, player->spec->options[index].name, player->spec->options[index].value);
    }
    add_line(&out, dialect->prepare);
    return talk_say(player, &out, fault);
}

/* Takes the lines up to the one that begins with a word, which must come within the patience for a start. */
static bool take_lines(Player *player, const char *word, int64_t begin, Offer *offer,
                       void (*take)(Player *player, View line, Offer *offer), Fault *fault) {
    int64_t patience = player->patience->startup;
    View line;

    for (;;) {
        switch (talk_hear(player, begin + patience * 1000, &line, fault)) {
        case HEARD_FAULT:
            return false;
        case HEARD_NOTHING:
            return talk_fail_late(player, fault, word, patience);
        case HEARD_BROKEN:
            continue;
        case HEARD_LINE:
            break;
        }
        if (talk_line_is(line, word)) {
            return true;
        }
        take(player, line, offer);
    }
}

static bool shake_hands(Player *player, Fault *fault) {
    const Dialect *dialect = player->spec->dialect;
    int64_t begin = talk_now(player);
    Text out = text_init(player->text, PLAYER_TEXT_SIZE);
    Offer offer = {0};

    add_line(&out, dialect->hello);
    if (!talk_say(player, &out, fault) ||
        !take_lines(player, dialect->welcome, begin, &offer, take_introduction, fault)) {
        return false;
    }
    warn(player, &offer);
    return check_game(player, &offer, fault) && send_options(player, &offer, fault) &&
           take_lines(player, dialect->prepared, begin, &offer, take_complaint, fault);
}

/* ---- The player ---------------------------------------------------------------------------------------- */

int player_init(Player *player, const EngineSpec *spec, const Patience *patience, Variant variant,
                bool web_draws, int stop_fd) {
    *player = (Player){
        .spec = spec,
        .patience = patience,
        .web_draws = web_draws,
        .variant = variant,
        .stop_fd = stop_fd,
        .reader = {.fd = -1},
        .text = malloc(PLAYER_TEXT_SIZE),
    };
    return player->text != NULL ? 0 : -ENOMEM;
}

bool player_start(Player *player, Fault *fault) {
    const EngineSpec *spec = player->spec;
    ProcessCommand command = {spec->arguments, spec->directory, spec->error_file, player->descriptors};
    char quote[VIEW_QUOTE_SIZE];

    *fault = (Fault){FAULT_NONE, ""};
    if (player->running) {
        return true;
    }
    player_stop(player, false, NULL);
    player->last_length = 0;
    view_quote(view_of(spec->arguments[0]), quote);
    int error = process_start(&player->process, &command);
    if (error != 0) {
        return talk_fail(player, fault, process_error_is_of_host(error) ? FAULT_HOST : FAULT_START,
                         "cannot start %s: %s: %s", quote, player->process.failed, strerror(-error));
    }
    error = reader_init(&player->reader, player->process.output);
    if (error != 0) {
        return talk_fail(player, fault, FAULT_HOST, "cannot start %s: %s", quote, strerror(-error));
    }
    if (!shake_hands(player, fault)) {
        if (fault->kind != FAULT_STOPPED) {
            fault->kind = FAULT_START;
        }
        return false;
    }
    player->running = true;
    return true;
}

bool player_new_game(Player *player, Fault *fault) {
    const Dialect *dialect = player->spec->dialect;
    int64_t begin = talk_now(player);
    Text out = text_init(player->text, PLAYER_TEXT_SIZE);

    assert(player->running);
    *fault = (Fault){FAULT_NONE, ""};
    add_line(&out, dialect->new_game);
    add_line(&out, dialect->ping);
    return talk_say(player, &out, fault) &&
           talk_await(player, dialect->pong, begin, player->patience->new_game, fault);
}

/* How long the move may take, us; false without a clock. */
static bool time_allowed(const TimeControl *control, int64_t left, int64_t *allowed) {
    if (control->time <= 0 && control->movetime <= 0) {
        return false;
    }
    int64_t time = control->time > 0 ? left : control->movetime;
    if (control->movetime > 0 && control->movetime < time) {
        time = control->movetime;
    }
    *allowed = (time + control->margin) * 1000;
    return true;
}

/* The move, if there is one, came too late. */
static bool fail_time(Player *player, const View *line, const PlayerMove *move, int64_t allowed,
                      Fault *fault) {
    double seconds = (double)allowed / 1e6;
    char quote[VIEW_QUOTE_SIZE];

    if (line == NULL) {
        return talk_fail(player, fault, FAULT_TIME, "no move within %.3f s", seconds);
    }
    view_quote(*line, quote);
    return talk_fail(player, fault, FAULT_TIME, "%s came after %.3f s, %.3f s were allowed", quote,
                     (double)move->elapsed / 1e6, seconds);
}

/* Listens to the search to its end; allowed is NULL without a clock. */
static bool player_listen(Player *player, const Game *game, int64_t begin, const int64_t *allowed,
                          PlayerMove *move, Fault *fault) {
    const Dialect *dialect = player->spec->dialect;
    int64_t patience = player->patience->move;
    int64_t deadline = begin + (allowed != NULL ? *allowed : patience * 1000);
    Reply reply = REPLY_NOTHING;
    ParseError error = {""};
    char quote[VIEW_QUOTE_SIZE];
    View line;

    while (reply == REPLY_NOTHING) {
        Heard heard = talk_hear(player, deadline, &line, fault);
        move->elapsed = talk_now(player) - begin;
        if (heard == HEARD_FAULT) {
            return false;
        }
        if (heard == HEARD_NOTHING) {
            return allowed != NULL ? fail_time(player, NULL, move, *allowed, fault)
                                   : talk_fail_late(player, fault, dialect->answer, patience);
        }
        if (heard == HEARD_BROKEN) {
            snprintf(error.text, sizeof error.text, "%s",
                     line.length > READER_LINE_MAX ? "a line too long" : "NUL bytes");
            reply = REPLY_BAD_MOVE;
        } else {
            reply = dialect->read(line, game->variant, &game->position, &move->report, &move->move, &error);
        }
    }
    move->elapsed = player->arrival - begin;
    view_quote(line, quote);
    if (move->elapsed < 0) {
        return talk_fail(player, fault, FAULT_TWICE, "%s without being asked", quote);
    }
    if (allowed != NULL && move->elapsed > *allowed) {
        return fail_time(player, &line, move, *allowed, fault);
    }
    if (reply == REPLY_BAD_MOVE) {
        return talk_fail(player, fault, FAULT_ILLEGAL, "%s, in %s", error.text, quote);
    }
    return true;
}

bool player_move(Player *player, const FenRecord *start, bool from_start, const Move *moves, size_t plies,
                 const Game *game, const PlayerClocks *clocks, PlayerMove *move, Fault *fault) {
    const Dialect *dialect = player->spec->dialect;
    const TimeControl *control = &player->spec->control;
    Color mover = (Color)game->position.turn;
    Text out = text_init(player->text, PLAYER_TEXT_SIZE);
    int64_t allowed;

    assert(player->running);
    *fault = (Fault){FAULT_NONE, ""};
    *move = (PlayerMove){.move = MOVE_NONE};
    dialect->write_position(&out, game->variant, start, from_start, moves, plies);
    add_line(&out, dialect->ping);
    if (!talk_say(player, &out, fault) ||
        !talk_await(player, dialect->pong, talk_now(player), player->patience->ping, fault)) {
        return false;
    }
    out = text_init(player->text, PLAYER_TEXT_SIZE);
    dialect->write_go(&out, mover, control, clocks);
    bool timed = time_allowed(control, clocks->left[mover], &allowed);
    int64_t begin = talk_now(player);
    return talk_say(player, &out, fault) &&
           player_listen(player, game, begin, timed ? &allowed : NULL, move, fault);
}

bool player_rest(Player *player, Fault *fault) {
    const Dialect *dialect = player->spec->dialect;
    Text out = text_init(player->text, PLAYER_TEXT_SIZE);

    assert(player->running);
    *fault = (Fault){FAULT_NONE, ""};
    add_line(&out, dialect->ping);
    return talk_say(player, &out, fault) &&
           talk_await(player, dialect->pong, talk_now(player), player->patience->ping, fault);
}

void player_stop(Player *player, bool politely, bool *ignored_quit) {
    bool gracefully = true;

    if (politely && player->running) {
        talk_quit(player);
        process_stop(&player->process, QUIT_PATIENCE, &gracefully);
    }
    talk_end(player);
    if (ignored_quit != NULL) {
        *ignored_quit = !gracefully;
    }
}

void player_deinit(Player *player) {
    player_stop(player, false, NULL);
    free(player->text);
    player->text = NULL;
}
