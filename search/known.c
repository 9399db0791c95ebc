/* What the databases say of the root's moves. */
#include "search/known.h"

#include "engine/movegen.h"
#include "search/clock.h"
#include "search/limit.h"

#include <stdlib.h>

typedef struct {
    Move move;
    int score;
} KnownMove;

/* Up to how many pieces the level knows what the databases say. */
static int allowed_pieces(const SharedSearch *shared) {
    const Level *level = &shared->limits->level;
    return level->nodes > 0 ? level->pieces : LEVEL_PIECES_ALL;
}

/* Whether the databases can know anything of it: a capture may lead to them from a board that is fuller. */
static bool is_near(const SharedSearch *shared) {
    const Egdb *egdb = shared->limits->egdb;
    const Position *position = &shared->game->position;

    if (egdb == NULL) {
        return false;
    }
    int wld = egdb_pieces(egdb, EGDB_WLD);
    int dtw = egdb_pieces(egdb, EGDB_DTW);
    int pieces = bitboard_count(position_occupied(position));
    if (pieces > allowed_pieces(shared)) {
        return false;
    }
    return pieces <= (wld > dtw ? wld : dtw) ||
           movegen_can_capture(shared->game->variant, position, (Color)position->turn);
}

/* The score of a position by its distance, for the side to move there. */
static bool score_by_distance(Egdb *egdb, const Position *position, int plies_before, int *score) {
    Value value;
    int plies;

    if (!egdb_distance(egdb, position, &value, &plies)) {
        return false;
    }
    *score = value == VALUE_WIN    ? score_win_in(plies_before + plies)
             : value == VALUE_LOSS ? score_loss_in(plies_before + plies)
                                   : SCORE_DRAW;
    return true;
}

/*
 * The best move of a position that is won or lost in so many plies: the first that leaves one less. MOVE_NONE
 * if none is known to.
 */
static Move best_by_distance(Egdb *egdb, Variant variant, const Position *position, int left) {
    MoveList list;

    movegen_generate(variant, position, &list);
    if (list.count == 1) {
        return list.moves[0];
    }
    for (int i = 0; i < list.count; i++) {
        Position next = position_after(position, list.moves[i]);
        Value value;
        int plies;
        if (!egdb_distance(egdb, &next, &value, &plies)) {
            return MOVE_NONE;
        }
        if (value != VALUE_DRAW && plies == left - 1) {
            return list.moves[i];
        }
    }
    return MOVE_NONE;
}

/* Whether a move should be out: what is looked up then costs more than it is worth. */
static bool is_late(const SharedSearch *shared) {
    const SearchLimits *limits = shared->limits;

    return shared->budget.timed && !limits->ponder && !limits->infinite &&
           clock_now() - shared->started >= shared->budget.optimum;
}

/*
 * The line of best play after a root move by which the game is won or lost in so many plies, or as much of it
 * as there is time for. False if a draw rule ends the game on the way: the databases do not count moves.
 */
static bool play_out(const SharedSearch *shared, Move first, int plies, Line *line) {
    const Game *game = shared->game;
    Position position = game->position;
    DrawState draw = game->draw;

    line->length = 0;
    for (Move move = first; move != MOVE_NONE;) {
        Position next = position_after(&position, move);
        draw = draw_state_after(game->draws, draw, &position, move, &next);
        position = next;
        if (line->length < PV_MAX) {
            line->moves[line->length++] = move;
        }
        if (--plies <= 0 || !movegen_has_move(game->variant, &position)) {
            return true;
        }
        if (draw_plies_left(game->draws, draw) == 0) {
            return false;
        }
        if (is_late(shared)) {
            return true;
        }
        move = best_by_distance(shared->limits->egdb, game->variant, &position, plies);
    }
    return true;
}

/* The plies to the end of the game. */
static int plies_of(const KnownMove *move) {
    return SCORE_WIN - abs(move->score);
}

static void sort_known(KnownMove *moves, int count) {
    for (int i = 1; i < count; i++) {
        KnownMove move = moves[i];
        int k = i;
        for (; k > 0 && moves[k - 1].score < move.score; k--) {
            moves[k] = moves[k - 1];
        }
        moves[k] = move;
    }
}

static void report_known(const SharedSearch *shared, const KnownMove *move, const Line *line, int number) {
    const SearchReport *report = shared->report;

    if (report->on_info != NULL) {
        int depth = plies_of(move);
        report->on_info(report->user, &(SearchInfo){
                                          .depth = depth < DEPTH_MAX ? depth : DEPTH_MAX,
                                          .seldepth = depth < DEPTH_MAX ? depth : DEPTH_MAX,
                                          .multipv = number,
                                          .score = move->score,
                                          .bound = BOUND_EXACT,
                                          .nodes = shared->root_hits,
                                          .tbhits = shared->root_hits,
                                          .time = clock_now() - shared->started,
                                          .length = line->length,
                                          .pv = line->moves,
                                      });
    }
}

/* Reports the lines that are wanted and answers with the first; false if one cannot be trusted. */
static bool answer(const SharedSearch *shared, const KnownMove *moves, int count, SearchResult *result) {
    int wanted = shared->limits->multipv < 1 ? 1 : shared->limits->multipv;
    Line first, line;

    if (moves[0].score == SCORE_DRAW) {
        return false; /* a draw can be more or less of a trial for the opponent: that is found by search */
    }
    for (int i = 0; i < count && i < wanted; i++) {
        if (moves[i].score == SCORE_DRAW ||
            !play_out(shared, moves[i].move, plies_of(&moves[i]), i == 0 ? &first : &line)) {
            return false;
        }
    }
    for (int i = 0; i < count && i < wanted; i++) {
        if (i > 0) {
            /* Again: lines are large, and more than one seldom wanted. */
            play_out(shared, moves[i].move, plies_of(&moves[i]), &line);
        }
        report_known(shared, &moves[i], i == 0 ? &first : &line, i + 1);
    }
    *result = (SearchResult){
        .best = moves[0].move,
        .ponder = first.length > 1 ? first.moves[1] : MOVE_NONE,
        .score = moves[0].score,
        .nodes = shared->root_hits,
    };
    return true;
}

/* Scores all root moves by their distances, or if that is not possible by their values alone. */
static bool score_moves(SharedSearch *shared, const MoveList *roots, KnownMove *moves, bool distances) {
    Egdb *egdb = shared->limits->egdb;

    for (int i = 0; i < roots->count; i++) {
        Position next = position_after(&shared->game->position, roots->moves[i]);
        Value value;
        moves[i].move = roots->moves[i];
        if (distances) {
            int score;
            if (!score_by_distance(egdb, &next, 1, &score)) {
                return false;
            }
            moves[i].score = -score;
        } else {
            if (!egdb_value(egdb, &next, &value)) {
                return false;
            }
            moves[i].score = value == VALUE_LOSS  ? SCORE_EGDB_WIN
                             : value == VALUE_WIN ? -SCORE_EGDB_WIN
                                                  : SCORE_DRAW;
        }
        shared->root_hits++;
    }
    return true;
}

static int sign(int number) {
    return (number > 0) - (number < 0);
}

bool known_root(SharedSearch *shared, MoveList *roots, SearchResult *result) {
    KnownMove moves[MOVES_MAX];

    if (!is_near(shared)) {
        return false;
    }
    if (score_moves(shared, roots, moves, true)) {
        sort_known(moves, roots->count);
        if (answer(shared, moves, roots->count, result)) {
            return true;
        }
        /* A win or loss that is not answered with comes too late for a draw rule. */
        shared->root_known = moves[0].score == SCORE_DRAW ? SCORE_DRAW : SCORE_NONE;
    } else if (score_moves(shared, roots, moves, false)) {
        sort_known(moves, roots->count);
        shared->root_known = moves[0].score;
    } else {
        return false;
    }
    int kept = 0;
    for (int i = 0; i < roots->count; i++) {
        if (sign(moves[i].score) == sign(moves[0].score)) {
            roots->moves[kept++] = moves[i].move;
        }
    }
    roots->count = kept;
    return false;
}

int known_pieces(const SharedSearch *shared) {
    const Egdb *egdb = shared->limits->egdb;
    int fewer = bitboard_count(position_occupied(&shared->game->position)) - 1;

    if (egdb == NULL) {
        return 0;
    }
    int pieces = egdb_pieces(egdb, EGDB_WLD);
    int allowed = allowed_pieces(shared);
    pieces = pieces < allowed ? pieces : allowed;
    return pieces < fewer ? pieces : fewer;
}

bool known_node(Worker *worker, const Position *position, int ply, int *score) {
    Value value;

    if (position_opponent(position) == 0 || !egdb_probe(worker->shared->limits->egdb, position, &value)) {
        return false;
    }
    worker->hits++;
    limits_count_probe(worker);
    *score = value == VALUE_WIN    ? SCORE_EGDB_WIN - ply
             : value == VALUE_LOSS ? ply - SCORE_EGDB_WIN
                                   : SCORE_DRAW;
    return true;
}
