/* One game, move by move, with its clocks. */
#include "match/referee.h"

#include "engine/movegen.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of a game that is being played. */
typedef struct {
    const Arbitration *arbitration;
    Player *const *players;
    Game game;
    Move *moves; /* those of the record, as the players want them */
    PlayedGame *record;
    int64_t left[2]; /* us on the clocks, by Color */
    int to_go[2];    /* moves to the next time control */
} Sitting;

static const char *color_name(Color color) {
    return color == WHITE ? "White" : "Black";
}

static __attribute__((format(printf, 4, 5))) void finish(PlayedGame *record, Result result, Cause cause,
                                                         const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(record->reason, sizeof record->reason, format, arguments);
    va_end(arguments);
    record->result = result;
    record->cause = cause;
}

static void lose_by_fault(PlayedGame *record, Color loser) {
    const Fault *fault = &record->faults[loser];
    Color winner = color_opponent(loser);

    finish(record, result_won_by(winner), CAUSE_FAULT, "%s wins: %s lost by %s: %s", color_name(winner),
           color_name(loser), fault_name(fault->kind), fault->text);
}

static int grow(Sitting *sitting) {
    PlayedGame *record = sitting->record;
    size_t capacity = record->capacity == 0 ? 128 : record->capacity * 2;

    GameMove *played = realloc(record->moves, capacity * sizeof *played);
    if (played == NULL) {
        return -ENOMEM;
    }
    record->moves = played;
    Move *moves = realloc(sitting->moves, capacity * sizeof *moves);
    if (moves == NULL) {
        return -ENOMEM;
    }
    sitting->moves = moves;
    record->capacity = capacity;
    return 0;
}

static int play(Sitting *sitting, const GameMove *move) {
    PlayedGame *record = sitting->record;
    int error = record->plies == record->capacity ? grow(sitting) : 0;

    if (error == 0) {
        error = game_play(&sitting->game, move->move);
    }
    if (error == 0) {
        sitting->moves[record->plies] = move->move;
        record->moves[record->plies++] = *move;
    }
    return error;
}

/* At the limit of a draw rule some web sites count what is left: more pieces win, then more kings. */
static void finish_by_material(PlayedGame *record, const Position *position, const char *reason) {
    int pieces = bitboard_count(position->pieces[WHITE]) - bitboard_count(position->pieces[BLACK]);
    int kings = bitboard_count(position->pieces[WHITE] & position->kings) -
                bitboard_count(position->pieces[BLACK] & position->kings);
    int ahead = pieces != 0 ? pieces : kings;

    if (ahead == 0) {
        finish(record, RESULT_DRAW, CAUSE_TIEBREAK, "%s, with equal material", reason);
    } else {
        Color winner = ahead > 0 ? WHITE : BLACK;
        finish(record, result_won_by(winner), CAUSE_TIEBREAK, "%s wins: %s, and more %s", color_name(winner),
               reason, pieces != 0 ? "pieces" : "kings");
    }
}

/* Whether the rules have ended the game. */
static bool finished_by_rules(Sitting *sitting) {
    const char *reason;
    Result result = game_result(&sitting->game, &reason);

    if (result == RESULT_OPEN) {
        return false;
    }
    if (result == RESULT_DRAW && sitting->arbitration->material_tiebreak &&
        draw_plies_left(sitting->game.draws, sitting->game.draw) == 0) {
        finish_by_material(sitting->record, &sitting->game.position, reason);
    } else if (result == RESULT_DRAW) {
        finish(sitting->record, result, CAUSE_RULES, "%s", reason);
    } else {
        Color loser = (Color)sitting->game.position.turn;
        finish(sitting->record, result, CAUSE_RULES, "%s wins: %s has %s", color_name(color_opponent(loser)),
               color_name(loser), reason);
    }
    return true;
}

/* A score in centi-men, with a game's end beyond any other. */
static int score_of(const PlayerReport *report) {
    if (report->exact_win) {
        return report->score > 0 ? 100000 : -100000;
    }
    return report->score;
}

/* The move so many plies before the last, NULL if there is none or its mover told no score. */
static const GameMove *scored(const PlayedGame *record, size_t back) {
    if (back >= record->plies) {
        return NULL;
    }
    const GameMove *move = &record->moves[record->plies - 1 - back];
    return !move->from_opening && move->report.has_score ? move : NULL;
}

static bool agreed_draw(const DrawAdjudication *rule, const PlayedGame *record, int fullmove) {
    if (rule->move_count == 0 || fullmove < rule->move_number) {
        return false;
    }
    for (size_t back = 0; back < (size_t)rule->move_count * 2; back++) {
        const GameMove *move = scored(record, back);
        if (move == NULL || abs(score_of(&move->report)) > rule->score) {
            return false;
        }
    }
    return true;
}

/* Whether the side that has just moved gives up. */
static bool resigned(const ResignAdjudication *rule, const PlayedGame *record) {
    if (rule->move_count == 0) {
        return false;
    }
    for (size_t back = 0; back < (size_t)rule->move_count * 2; back++) {
        bool own = back % 2 == 0;
        const GameMove *move = scored(record, back);
        if (!own && !rule->two_sided) {
            continue;
        }
        if (move == NULL || (own ? -score_of(&move->report) : score_of(&move->report)) < rule->score) {
            return false;
        }
    }
    return true;
}

/*
 * Whether the databases know how the game ends. They do not count moves: a win that a draw rule might
 * forestall is played on, if they tell how far off it is.
 */
static bool known_result(const Sitting *sitting, Result *result) {
    Egdb *egdb = sitting->arbitration->egdb;
    const Position *position = &sitting->game.position;
    Color turn = (Color)position->turn;
    Value value;
    int plies;

    if (egdb == NULL) {
        return false;
    }
    if (egdb_distance(egdb, position, &value, &plies)) {
        if (value != VALUE_DRAW && plies > draw_plies_left(sitting->game.draws, sitting->game.draw)) {
            return false;
        }
    } else if (!egdb_value(egdb, position, &value)) {
        return false;
    }
    *result = value == VALUE_DRAW  ? RESULT_DRAW
              : value == VALUE_WIN ? result_won_by(turn)
                                   : result_won_by(color_opponent(turn));
    return true;
}

/* The full moves played since the opening's first position. */
static int full_moves(const PlayedGame *record) {
    return (int)(record->plies / 2) + 1;
}

static bool finished_by_adjudication(Sitting *sitting) {
    const Arbitration *arbitration = sitting->arbitration;
    PlayedGame *record = sitting->record;
    Color moved = color_opponent((Color)sitting->game.position.turn);
    Result known;

    if (known_result(sitting, &known)) {
        Color winner = known == RESULT_WHITE_WINS ? WHITE : BLACK;
        finish(record, known, CAUSE_ADJUDICATION,
               known == RESULT_DRAW ? "draw by the endgame databases" : "%s wins by the endgame databases",
               color_name(winner));
    } else if (resigned(&arbitration->resign, record)) {
        finish(record, result_won_by(color_opponent(moved)), CAUSE_ADJUDICATION, "%s wins: %s resigns",
               color_name(color_opponent(moved)), color_name(moved));
    } else if (agreed_draw(&arbitration->draw, record, full_moves(record))) {
        finish(record, RESULT_DRAW, CAUSE_ADJUDICATION, "draw by agreement of the scores");
    } else if (arbitration->moves_max != 0 && record->plies >= (size_t)arbitration->moves_max * 2) {
        finish(record, RESULT_DRAW, CAUSE_ADJUDICATION, "%d moves each", arbitration->moves_max);
    }
    return record->result != RESULT_OPEN;
}

static void set_clock(Sitting *sitting, Color color) {
    const TimeControl *control = &sitting->players[color]->spec->control;

    sitting->left[color] = control->time * 1000;
    sitting->to_go[color] = control->moves;
}

static void press_clock(Sitting *sitting, Color color, int64_t elapsed) {
    const TimeControl *control = &sitting->players[color]->spec->control;

    if (control->time == 0) {
        return;
    }
    sitting->left[color] += control->increment * 1000 - elapsed;
    if (sitting->left[color] < 0) {
        sitting->left[color] = 0; /* the margin was used */
    }
    if (control->moves != 0 && --sitting->to_go[color] == 0) {
        sitting->to_go[color] = control->moves;
        sitting->left[color] += control->time * 1000;
    }
}

/* Has the side to move play; false when that ended the game. */
static bool ask(Sitting *sitting, int *error) {
    PlayedGame *record = sitting->record;
    Color mover = (Color)sitting->game.position.turn;
    PlayerClocks clocks = {.moves_to_go = sitting->to_go[mover]};
    PlayerMove answer;
    Fault *fault = &record->faults[mover];

    for (Color color = WHITE; color <= BLACK; color++) {
        clocks.left[color] = sitting->left[color] / 1000;
        clocks.increment[color] = sitting->players[color]->spec->control.increment;
    }
    if (!player_move(sitting->players[mover], &record->start, record->from_start, sitting->moves,
                     record->plies, &sitting->game, &clocks, &answer, fault)) {
        if (fault->kind == FAULT_STOPPED) {
            *error = -ECANCELED;
        } else {
            lose_by_fault(record, mover);
        }
        return false;
    }
    press_clock(sitting, mover, answer.elapsed);
    *error =
        play(sitting, &(GameMove){.move = answer.move, .elapsed = answer.elapsed, .report = answer.report});
    return *error == 0;
}

/* Starts a player if need be and tells it that a game begins. */
static bool seat_player(Player *player, bool *started, Fault *fault) {
    bool running = player->running;

    if (!player_start(player, fault)) {
        return false;
    }
    *started = !running;
    return player_new_game(player, fault);
}

/* Seats both players, whatever becomes of the first; false if the game is over before it begins. */
static bool seat(Sitting *sitting, int *error) {
    PlayedGame *record = sitting->record;
    bool seated[2];

    for (Color color = WHITE; color <= BLACK; color++) {
        Fault *fault = &record->faults[color];
        seated[color] = seat_player(sitting->players[color], &record->started[color], fault);
        if (fault->kind == FAULT_STOPPED) {
            *error = -ECANCELED;
            return false;
        }
        set_clock(sitting, color);
    }
    if (record->faults[WHITE].kind == FAULT_HOST || record->faults[BLACK].kind == FAULT_HOST) {
        finish(record, RESULT_OPEN, CAUSE_FAULT, "the machine is at its limits");
    } else if (!seated[WHITE] && !seated[BLACK]) {
        finish(record, RESULT_OPEN, CAUSE_FAULT, "neither player came to the board");
    } else if (!seated[WHITE] || !seated[BLACK]) {
        lose_by_fault(record, seated[WHITE] ? BLACK : WHITE);
    }
    return seated[WHITE] && seated[BLACK];
}

/* A player that does not keep still after the game starts anew before the next. */
static void dismiss(Sitting *sitting) {
    for (Color color = WHITE; color <= BLACK; color++) {
        if (sitting->players[color]->running) {
            player_rest(sitting->players[color], &sitting->record->afterwards[color]);
        }
    }
}

int referee_play(const Arbitration *arbitration, Variant variant, const Opening *opening, Player *players[2],
                 PlayedGame *game) {
    *game = (PlayedGame){.start = opening->start, .from_start = opening->from_start};
    Sitting sitting = {.arbitration = arbitration, .players = players, .record = game};
    const DrawRules *draws = arbitration_draws(arbitration, variant);
    int error = 0;

    game_init(&sitting.game, variant, draws, &opening->start.position,
              draw_state_init(draws, &opening->start.position, opening->start.plies_without_progress),
              opening->start.fullmove);
    for (int ply = 0; ply < opening->plies && error == 0; ply++) {
        error = play(&sitting, &(GameMove){.move = opening->moves[ply], .from_opening = true});
    }
    if (error == 0 && seat(&sitting, &error)) {
        while (!finished_by_rules(&sitting) && !finished_by_adjudication(&sitting) && ask(&sitting, &error)) {
        }
    }
    if (error == 0) {
        dismiss(&sitting);
    }
    free(sitting.moves);
    game_deinit(&sitting.game);
    if (error != 0) {
        played_game_deinit(game);
    }
    return error;
}

void played_game_deinit(PlayedGame *game) {
    free(game->moves);
    game->moves = NULL;
}
