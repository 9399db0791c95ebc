/*
 * Principal variation search (T. Marsland and M. Campbell, Parallel Search of Strongly Ordered Game Trees,
 * 1982), fail soft, with a quiescence search over forced captures.
 */
#include "engine/key.h"
#include "engine/movegen.h"
#include "search/known.h"
#include "search/limit.h"
#include "search/network.h"
#include "search/worker.h"

#include <stdlib.h>

enum {
    CURRENT_MS = 3000,     /* before root moves are told one by one */
    DRAW_NEAR = 6,         /* plies before a draw limit from where the count belongs to the position */
    QUIETS_TRIED_MAX = 32, /* remembered for their history */
    REDUCTION_FREE = 3,    /* moves of a node that are never reduced */
    PROBCUT_DEPTH = 5,     /* plies */
    PROBCUT_MARGIN = 10,   /* centi-men a ply */
    PROBCUT_SHARE = 40,    /* percent of the depth that the shallow search has */
    FUTILITY_DEPTH = 4,    /* plies */
    FUTILITY_MARGIN = 45,  /* centi-men a ply */
    SUMS_BACK = 4,         /* plies from which sums are fetched move by move */
    FULL_WIDTH_PIECES =
        4, /* with so few the table holds all there is to search: nothing is reduced or pruned */
};

/* 32 ln n */
static const uint8_t LOGARITHMS[64] = {0,   0,   22,  35,  44,  52,  57,  62,  67,  70,  74,  77,  80,
                                       82,  84,  87,  89,  91,  92,  94,  96,  97,  99,  100, 102, 103,
                                       104, 105, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 116,
                                       117, 118, 119, 120, 120, 121, 122, 123, 123, 124, 125, 125, 126,
                                       126, 127, 128, 128, 129, 129, 130, 130, 131, 132, 132, 133};

static int logarithm(int n) {
    return LOGARITHMS[n < 64 ? n : 63];
}

/* ---- Draws ---- */

/*
 * Whether the position of a node stood on the board before: once below the root, where whoever could repeat
 * once can do it again, or twice in the game.
 */
static bool is_repetition(const Worker *worker, int ply) {
    const Node *node = &worker->path[ply];
    size_t nearest = 0;
    int count = key_repetitions(node->key, worker->keys, (size_t)(worker->root_key + ply),
                                node->draw.since[SINCE_PROGRESS], &nearest);
    return count >= DRAW_REPETITIONS - 1 || (count > 0 && nearest < (size_t)ply);
}

/* The key for the transposition table: near a draw limit the plies left are part of the position. */
static Key table_key(const Worker *worker, const Node *node, int left) {
    Key key = node->key ^ worker->table_salt;

    return left > DRAW_NEAR ? key : key ^ (Key)(left + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Wins and losses are stored as distances from the node and used as distances from the root. */
static int score_to_table(int score, int ply) {
    return score >= SCORE_EGDB_BOUND ? score + ply : score <= -SCORE_EGDB_BOUND ? score - ply : score;
}

static int score_from_table(int score, int ply) {
    return score >= SCORE_EGDB_BOUND ? score - ply : score <= -SCORE_EGDB_BOUND ? score + ply : score;
}

/*
 * Whether a win or loss at a distance comes before the draw limit, which may be nearer than when it was
 * found.
 */
static bool is_in_time(const Worker *worker, const Node *node, int score) {
    return !(score_is_win(score) || score_is_loss(score)) ||
           SCORE_WIN - abs(score) <= draw_plies_left(worker->draws, node->draw);
}

/* Whether a stored win or loss stands whatever the depth at which it was found. */
static bool is_proven(const TTData *stored) {
    return (score_is_win(stored->score) && stored->bound != BOUND_UPPER) ||
           (score_is_loss(stored->score) && stored->bound != BOUND_LOWER);
}

/* Makes the sums of a node: move by move from the nearest ones above that are made, or else from scratch. */
static void make_sums(Worker *worker, int ply) {
    int known = ply;

    while (known > 0 && known > ply - SUMS_BACK && !worker->path[known].summed) {
        known--;
    }
    if (!worker->path[known].summed) {
        /* The node before: its other children will want its sums too. */
        known = ply > 0 ? ply - 1 : 0;
        network_begin(worker->network, &worker->path[known].position, &worker->path[known].sums);
        worker->path[known].summed = true;
    }
    for (; known < ply; known++) {
        Node *before = &worker->path[known];
        Node *node = before + 1;
        network_move(worker->network, &before->position, node->move, &before->sums, &node->sums);
        node->summed = true;
    }
}

/* The static value of a node. */
static int value_of(Worker *worker, int ply) {
    Node *node = &worker->path[ply];

    make_sums(worker, ply);
    int value = network_value(worker->network, &node->position, &node->sums);
    return worker->level == NULL ? value : value + level_misjudgement(worker->level, &node->position);
}

/* Takes the moves away that a level overlooks. True if none is left: then it sees a position at rest. */
static bool overlooks_all(const Worker *worker, const Node *node, MoveList *list) {
    if (worker->level != NULL) {
        level_overlook(worker->level, worker->variant, &node->position, node->move, list);
    }
    return list->count == 0;
}

/* ---- The tree ---- */

/* Makes the node after a move as far as a leaf needs it. */
static void make_leaf(Worker *worker, int ply, Move move) {
    Node *child = &worker->path[ply + 1];

    child->position = position_after(&worker->path[ply].position, move);
    child->move = move;
    child->summed = false;
}

/* Makes the node after a move, which will be searched to a depth. */
static void make_child(Worker *worker, int ply, Move move, int depth) {
    const Node *node = &worker->path[ply];
    Node *child = &worker->path[ply + 1];

    if (depth <= 0 && !node->draw_near) {
        make_leaf(worker, ply, move);
        return;
    }
    /* The key first, so that its bucket is on its way while the rest is made. */
    child->key = key_after(node->key, &node->position, move);
    tt_prefetch(worker->shared->tt, child->key ^ worker->table_salt);
    make_leaf(worker, ply, move);
    child->draw = draw_state_after(worker->draws, node->draw, &node->position, move, &child->position);
    worker->keys[worker->root_key + ply + 1] = child->key;
}

static void line_extend(Line *line, Move move, const Line *rest) {
    int length = rest->length < PV_MAX - 1 ? rest->length : PV_MAX - 1;

    line->moves[0] = move;
    for (int i = 0; i < length; i++) {
        line->moves[i + 1] = rest->moves[i];
    }
    line->length = length + 1;
}

/*
 * The value of a node once captures have been played out. A capture at hand is compulsory, so nobody stands
 * pat before it. Where the opponent has one, the quiet moves are looked at once (verify) to see what they do
 * about it, as Scan does.
 */
static int quiesce(Worker *worker, int ply, int alpha, int beta, bool verify) {
    Node *node = &worker->path[ply];
    const Position *position = &node->position;
    MoveList list;
    int known;

    limits_count_node(worker, ply);
    node->pv.length = 0;
    if (worker->stopped || ply >= PLY_MAX - 1) {
        return worker->stopped ? SCORE_DRAW : value_of(worker, ply);
    }
    if (score_win_in(ply + 1) < beta) {
        beta = score_win_in(ply + 1);
        if (alpha >= beta) {
            return beta;
        }
    }
    movegen_generate_captures(worker->variant, position, &list);
    if (list.count == 0) {
        if (!movegen_has_move(worker->variant, position)) {
            return score_loss_in(ply);
        }
        if (bitboard_count(position_occupied(position)) <= worker->known_pieces &&
            known_node(worker, position, ply, &known)) {
            return known;
        }
        if (!verify ||
            !movegen_can_capture(worker->variant, position, color_opponent((Color)position->turn))) {
            return value_of(worker, ply);
        }
        movegen_generate(worker->variant, position, &list);
    }
    if (overlooks_all(worker, node, &list)) {
        return value_of(worker, ply);
    }
    int best = -SCORE_INFINITE;
    for (int i = 0; i < list.count; i++) {
        make_leaf(worker, ply, list.moves[i]);
        int score = -quiesce(worker, ply + 1, -beta, -alpha, move_is_capture(list.moves[i]) && verify);
        if (worker->stopped) {
            return SCORE_DRAW;
        }
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                line_extend(&node->pv, list.moves[i], &worker->path[ply + 1].pv);
                if (score >= beta) {
                    break;
                }
            }
        }
    }
    return best;
}

/* Brings the move with a code to the front of the list. False if it is not there. */
static bool put_first(MoveList *list, uint16_t code) {
    for (int i = 0; i < list->count; i++) {
        if (move_code(list->moves[i]) == code) {
            Move move = list->moves[i];
            list->moves[i] = list->moves[0];
            list->moves[0] = move;
            return true;
        }
    }
    return false;
}

/* Plies by which a late quiet move is searched less deep. */
static int reduction(int depth, int index, bool pv) {
    if (depth < 3 || index < REDUCTION_FREE) {
        return 0;
    }
    int plies = (512 + logarithm(depth) * logarithm(index)) / 1100;
    return pv && plies > 0 ? plies - 1 : plies;
}

static int search(Worker *worker, int ply, int alpha, int beta, int depth);

/*
 * Searches the node after a move to a depth. Below 1 it is a leaf, of which only the position has been made.
 */
static int descend(Worker *worker, int ply, int alpha, int beta, int depth) {
    return depth > 0 || worker->path[ply].draw_near ? -search(worker, ply + 1, -beta, -alpha, depth)
                                                    : -quiesce(worker, ply + 1, -beta, -alpha, true);
}

/*
 * The same with a null window, unless it is the first move or proves better, and less deep at first by a
 * reduction.
 */
static int search_child(Worker *worker, int ply, int alpha, int beta, int depth, bool first, int reduced) {
    if (!first) {
        int score = descend(worker, ply, alpha, alpha + 1, depth - reduced);
        if (reduced > 0 && score > alpha && !worker->stopped) {
            score = descend(worker, ply, alpha, alpha + 1, depth);
        }
        if (score <= alpha || score >= beta) {
            return score;
        }
    }
    return descend(worker, ply, alpha, beta, depth);
}

/*
 * Whether a quiet node is so good that a full search would only show it: then *score is its value, or a bound
 * of it.
 */
static bool prune(Worker *worker, int ply, int beta, int depth, int eval, int *score) {
    const Position *position = &worker->path[ply].position;

    if (depth <= FUTILITY_DEPTH && eval - FUTILITY_MARGIN * depth >= beta &&
        !movegen_can_capture(worker->variant, position, color_opponent((Color)position->turn))) {
        *score = eval;
        return true;
    }
    /*
     * ProbCut (M. Buro, 1995), as Scan applies it: a shallow search well above beta foretells the deep one.
     */
    if (depth >= PROBCUT_DEPTH && eval >= beta) {
        int bound = beta + PROBCUT_MARGIN * depth;
        *score = search(worker, ply, bound - 1, bound, depth * PROBCUT_SHARE / 100);
        return worker->stopped || *score >= bound;
    }
    return false;
}

/* The value of a node by search to a depth; below 1 only a draw by count is looked for before quiescence. */
static int search(Worker *worker, int ply, int alpha, int beta, int depth) {
    Node *node = &worker->path[ply];
    const Position *position = &node->position;
    bool pv = beta - alpha > 1;

    limits_count_node(worker, ply);
    node->pv.length = 0;
    if (worker->stopped || is_repetition(worker, ply)) {
        return SCORE_DRAW;
    }
    int left = draw_plies_left(worker->draws, node->draw);
    node->draw_near = left <= 1;
    if (left == 0) {
        return movegen_has_move(worker->variant, position) ? SCORE_DRAW : score_loss_in(ply);
    }
    if (depth <= 0) {
        return quiesce(worker, ply, alpha, beta, true);
    }
    if (ply >= PLY_MAX - 1) {
        return value_of(worker, ply);
    }
    /* No line from here is better than a win at the next ply, nor worse than a loss now. */
    alpha = alpha > score_loss_in(ply) ? alpha : score_loss_in(ply);
    beta = beta < score_win_in(ply + 1) ? beta : score_win_in(ply + 1);
    if (alpha >= beta) {
        return alpha;
    }

    /* Before the table is asked, whose entry is still on its way from memory. */
    MoveOrder order;
    MoveList list;
    movegen_generate(worker->variant, position, &list);
    if (list.count == 0) {
        return score_loss_in(ply);
    }
    if (overlooks_all(worker, node, &list)) {
        return value_of(worker, ply);
    }

    TranspositionTable *tt = worker->shared->tt;
    Key key = table_key(worker, node, left);
    TTData stored = {.eval = SCORE_NONE};
    bool hit = tt_probe(tt, key, &stored);
    if (hit && !pv) {
        int score = score_from_table(stored.score, ply);
        bool cuts = (stored.bound & (score >= beta ? BOUND_LOWER : BOUND_UPPER)) != 0;
        if (cuts && is_in_time(worker, node, stored.score) && (stored.depth >= depth || is_proven(&stored))) {
            return score;
        }
    }

    bool capture = move_is_capture(list.moves[0]);
    int eval = stored.eval;
    int pieces = bitboard_count(position_occupied(position));

    /* The databases do not count moves: they are asked when all counts begin anew. */
    if (pieces <= worker->known_pieces && !capture && node->draw.since[SINCE_PROGRESS] == 0) {
        int score;
        if (known_node(worker, position, ply, &score)) {
            tt_store(tt, key,
                     &(TTData){.score = score_to_table(score, ply),
                               .eval = eval,
                               .depth = DEPTH_MAX,
                               .bound = BOUND_EXACT});
            return score;
        }
    }

    bool full_width = pieces <= FULL_WIDTH_PIECES;
    if (!capture && !pv && !full_width && !score_is_win(beta) && !score_is_loss(beta)) {
        int score;
        if (eval == SCORE_NONE) {
            eval = value_of(worker, ply);
        }
        if (prune(worker, ply, beta, depth, eval, &score)) {
            return score;
        }
        hit = hit || tt_probe(tt, key, &stored);
    }

    if (list.count == 1 && ply < 2 * worker->root_depth) {
        depth++;
    } else if (!hit && depth >= 4 && !capture) {
        depth--;
    }

    order.list = &list;
    bool first_known = hit && stored.move != 0 && put_first(&list, stored.move);
    bool scored = false;
    int alpha_before = alpha;
    int best = -SCORE_INFINITE;
    Move best_move = MOVE_NONE;
    Move tried[QUIETS_TRIED_MAX];
    int tried_count = 0;

    worker->path[ply + 1].killers[0] = worker->path[ply + 1].killers[1] = MOVE_NONE;
    for (int i = 0; i < list.count; i++) {
        if (i > 0 || !first_known) {
            if (!scored) {
                order_score(&order, &worker->memory, worker->rules, position, node->killers, node->move);
                scored = true;
            }
            order_pick(&order, i);
        }
        Move move = list.moves[i];
        make_child(worker, ply, move, depth - 1);
        int reduced = capture || full_width || move_crowns(move) ? 0 : reduction(depth, i, pv);
        int score = search_child(worker, ply, alpha, beta, depth - 1, i == 0, reduced);
        if (worker->stopped) {
            return SCORE_DRAW;
        }
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                best_move = move;
                if (pv) {
                    line_extend(&node->pv, move, &worker->path[ply + 1].pv);
                }
                if (score >= beta) {
                    break;
                }
            }
        }
        if (tried_count < QUIETS_TRIED_MAX) {
            tried[tried_count++] = move;
        }
    }

    if (best >= beta && !capture) {
        if (node->killers[0] != best_move) {
            node->killers[1] = node->killers[0];
            node->killers[0] = best_move;
        }
        order_reward(&worker->memory, (Color)position->turn, best_move, node->move, tried, tried_count,
                     depth);
    }
    tt_store(tt, key,
             &(TTData){
                 .score = score_to_table(best, ply),
                 .eval = eval,
                 .depth = depth,
                 .bound = best >= beta          ? BOUND_LOWER
                          : best > alpha_before ? BOUND_EXACT
                                                : BOUND_UPPER,
                 .move = best_move == MOVE_NONE ? 0 : move_code(best_move),
             });
    return best;
}

/*
 * Leaves the root in the middle of a move: with moves unsearched the best score is only a lower bound, and
 * where it is a loss, a move that has not been refuted yet is the better answer.
 */
static void leave_root(Worker *worker, int index, int best) {
    for (int i = worker->pv_index; i < index; i++) {
        if (worker->roots[i].bound == BOUND_EXACT) {
            worker->roots[i].bound = BOUND_LOWER;
        }
    }
    if (index > worker->pv_index && score_is_loss(best)) {
        RootMove *root = &worker->roots[index];
        root->score = best + 1;
        root->bound = BOUND_LOWER;
        root->pv = (Line){.length = 1, .moves = {root->move}};
    }
}

int search_root(Worker *worker, int alpha, int beta, int depth) {
    const SearchReport *report = worker->shared->report;
    int best = -SCORE_INFINITE;

    worker->path[0].draw_near = draw_plies_left(worker->draws, worker->path[0].draw) <= 1;
    worker->path[0].killers[0] = worker->path[0].killers[1] = MOVE_NONE;
    worker->path[1].killers[0] = worker->path[1].killers[1] = MOVE_NONE;
    for (int i = worker->pv_index; i < worker->root_count; i++) {
        RootMove *root = &worker->roots[i];
        bool first = i == worker->pv_index;
        if (worker->id == 0 && report->on_current != NULL &&
            clock_now() - worker->shared->started >= CURRENT_MS) {
            report->on_current(report->user, root->move, i + 1);
        }
        make_child(worker, 0, root->move, depth - 1);
        worker->seldepth = 0;
        int reduced = move_is_capture(root->move) || move_crowns(root->move)
                          ? 0
                          : reduction(depth, i - worker->pv_index, true);
        int score = search_child(worker, 0, alpha, beta, depth - 1, first, reduced);
        if (worker->stopped) {
            leave_root(worker, i, best);
            return best;
        }
        root->score = -SCORE_INFINITE;
        if (score > best) {
            best = score;
            root->score = score;
            root->bound = score <= alpha ? BOUND_UPPER : score >= beta ? BOUND_LOWER : BOUND_EXACT;
            root->seldepth = worker->seldepth;
            line_extend(&root->pv, root->move, &worker->path[1].pv);
            if (score > alpha) {
                alpha = score;
                if (score >= beta) {
                    break;
                }
            }
        }
    }
    return best;
}
