#include "bench/perft.h"

#include "bench/perft_count.h"
#include "bench/perft_table.h"
#include "bench/stopwatch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PROGRESS_NS = 200000000,
    STOP_DEPTH = 7,      /* from this depth on a node looks at the stop flag */
    JOBS_A_THREAD = 200, /* jobs wanted for each thread, so that none waits long for the last */
};

/* What the nodes of a run share. */
typedef struct {
    const atomic_bool *stop;
    PerftTable table;
    bool unique;
} Tree;

typedef uint64_t Count(const Tree *tree, Bitboard own, Bitboard opponent, Bitboard kings, int depth);

static bool is_stopped(const Tree *tree) {
    return tree->stop != NULL && atomic_load_explicit(tree->stop, memory_order_relaxed);
}

/* Sums and products that stay at UINT64_MAX once they are too large. */
static inline uint64_t count_sum(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static inline uint64_t count_product(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* ---- The tree ------------------------------------------------------------------------------------------ */

/*
 * Leaves below the position after a move, as the side that moved sees it; next counts for the side to reply.
 * Only its own kings matter to the last reply, so that kings may then miss a change of ours.
 */
BITBOARD_INLINE uint64_t count_child(const Rules *rules, Color us, const Tree *tree, Count *next,
                                     bool by_path, Bitboard own, Bitboard opponent, Bitboard kings_before,
                                     Bitboard kings, int depth) {
    if (by_path && depth == 2 && !rules->majority) {
        return count_moves(rules, color_opponent(us), board_make(opponent, own, kings_before));
    }
    return next(tree, opponent, own, kings, depth - 1);
}

/*
 * Leaves below the captures that take a list to find: those of kings, and those of men that go on after
 * landing on a set of squares, by the relative direction of the first jump. Few nodes have one, so this is
 * compiled once for all games.
 */
static __attribute__((noinline)) uint64_t count_below_list(const Rules *rules, Color us, const Tree *tree,
                                                           Count *next, bool by_path, const Board *board,
                                                           const Bitboard landings[4], int depth) {
    MoveList list;
    uint16_t ways[MOVES_MAX];
    uint64_t count = 0;

    list.count = 0;
    for (int relative = 0; relative < 4; relative++) {
        Direction direction = direction_of(us, relative);
        Direction back = direction_opposite(direction);
        Bitboard on = landings[relative];
        while (on != 0) {
            Bitboard at = on & -on;
            Bitboard victim = bitboard_step(at, back);
            Bitboard from = bitboard_step(victim, back);
            on &= on - 1;
            Capture capture = {rules, &list, ways, us, bitboard_first(from), false, board->empty | from};
            capture_land(&capture, true, direction, at, board->opponent & ~victim, victim);
        }
    }
    generate_captures_of(rules, us, *board, 0, &list, ways);
    if (rules->majority && list.count > 1) {
        capture_keep_majority(&list, ways);
    }
    for (int i = 0; i < list.count; i++) {
        Move move = list.moves[i];
        const Position position = {.pieces = {[WHITE] = us == WHITE ? board->own : board->opponent,
                                              [BLACK] = us == WHITE ? board->opponent : board->own},
                                   .kings = board->kings,
                                   .turn = (uint8_t)us};
        const Position after = position_after(&position, move);
        uint64_t below = next(tree, position_own(&after), position_opponent(&after), after.kings, depth - 1);
        count = count_sum(count, by_path ? count_product(below, ways[i]) : below);
    }
    return count;
}

BITBOARD_INLINE uint64_t count_below_captures(const Rules *rules, Color us, const Tree *tree, Count *next,
                                              bool by_path, Board board, int depth) {
    Bitboard own_kings = board.own & board.kings;
    JumpMap map = jump_map(rules, us, board, true);
    Bitboard landings[4] = {0};
    Bitboard listed = own_kings;
    uint64_t count = 0;

    BITBOARD_UNROLL
    for (int relative = 0; relative < capture_directions(rules, true); relative++) {
        Direction direction = direction_of(us, relative);
        Direction back = direction_opposite(direction);
        landings[relative] = bitboard_step_by(board.own & ~own_kings & map.origins[relative], direction, 2);
        if (!rules->majority) {
            /* Most captures end here, and need no list. */
            Bitboard ends = landings[relative] & ~jump_map_on(rules, us, &map, relative);
            landings[relative] &= ~ends;
            while (ends != 0) {
                Bitboard to = ends & -ends;
                Bitboard victim = bitboard_step(to, back);
                Bitboard from = bitboard_step(victim, back);
                ends &= ends - 1;
                count = count_sum(count, count_child(rules, us, tree, next, by_path, board.own ^ from ^ to,
                                                     board.opponent ^ victim, board.kings & ~victim,
                                                     (board.kings & ~victim) | (to & bitboard_crownhead(us)),
                                                     depth));
            }
        }
        listed |= landings[relative];
    }
    if (listed != 0) {
        count = count_sum(count, count_below_list(rules, us, tree, next, by_path, &board, landings, depth));
    }
    return count;
}

/* What is known of the replies to a move. */
typedef enum { REPLIES_UNKNOWN, REPLIES_CAPTURE } Replies;

/* Leaves below the steps to a set of destinations. */
BITBOARD_INLINE uint64_t count_below_steps(const Rules *rules, Color us, const Tree *tree, Count *next,
                                           bool by_path, Board board, Direction direction, Bitboard reach,
                                           Replies replies, int depth) {
    uint64_t count = 0;

    while (reach != 0) {
        Bitboard to = reach & -reach;
        Bitboard from = bitboard_step(to, direction_opposite(direction));
        Bitboard own = board.own ^ from ^ to;
        reach &= reach - 1;
        if (replies == REPLIES_CAPTURE) {
            count += count_captures(rules, color_opponent(us), board_make(board.opponent, own, board.kings));
        } else {
            Bitboard kings = (board.kings & from) != 0 ? board.kings ^ from ^ to
                                                       : board.kings | (to & bitboard_crownhead(us));
            count = count_sum(count, count_child(rules, us, tree, next, by_path, own, board.opponent,
                                                 board.kings, kings, depth));
        }
    }
    return count;
}

BITBOARD_INLINE uint64_t count_below_all_steps(const Rules *rules, Color us, const Tree *tree, Count *next,
                                               bool by_path, Board board, const Bitboard steps[4],
                                               Replies replies, int depth) {
    int directions = rules->flying_kings || board.kings == 0 ? 2 : 4;
    uint64_t count = 0;

    BITBOARD_UNROLL
    for (int relative = 0; relative < directions; relative++) {
        count =
            count_sum(count, count_below_steps(rules, us, tree, next, by_path, board,
                                               direction_of(us, relative), steps[relative], replies, depth));
    }
    return count;
}

/* Leaves below the moves of our flying kings. */
BITBOARD_INLINE uint64_t count_below_flights(const Rules *rules, Color us, const Tree *tree, Count *next,
                                             bool by_path, Board board, int depth) {
    Bitboard own_kings = board.own & board.kings;
    uint64_t count = 0;

    while (own_kings != 0) {
        Bitboard from = own_kings & -own_kings;
        Bitboard reach = 0;
        own_kings &= own_kings - 1;
        for (int d = 0; d < DIRECTIONS; d++) {
            reach |= bitboard_slide(from, (Direction)d, board.empty);
        }
        reach &= board.empty;
        while (reach != 0) {
            Bitboard to = reach & -reach;
            reach &= reach - 1;
            count =
                count_sum(count, count_child(rules, us, tree, next, by_path, board.own ^ from ^ to,
                                             board.opponent, board.kings, board.kings ^ from ^ to, depth));
        }
    }
    return count;
}

BITBOARD_INLINE uint64_t count_below_quiets(const Rules *rules, Color us, const Tree *tree, Count *next,
                                            bool by_path, Board board, int depth) {
    Bitboard own_kings = board.own & board.kings;
    Bitboard steppers = rules->flying_kings ? board.own & ~own_kings : board.own;
    Bitboard steps[4];
    uint64_t count = 0;

    BITBOARD_UNROLL
    for (int relative = 0; relative < 4; relative++) {
        steps[relative] = board.empty & bitboard_step(relative < 2          ? steppers
                                                      : rules->flying_kings ? 0
                                                                            : own_kings,
                                                      direction_of(us, relative));
    }
    if (rules->flying_kings) {
        count = count_sum(count, count_below_flights(rules, us, tree, next, by_path, board, depth));
    }
    if (by_path && depth == 2 && !rules->majority) {
        Threats threats = threats_of(rules, us, board);
        if (threats.calm) {
            count += count_replies_to_safe_steps(us, board, &threats, steps);
            return count_sum(count, count_below_all_steps(rules, us, tree, next, by_path, board, steps,
                                                          REPLIES_CAPTURE, depth));
        }
    }
    return count +
           count_below_all_steps(rules, us, tree, next, by_path, board, steps, REPLIES_UNKNOWN, depth);
}

BITBOARD_INLINE uint64_t count_below(const Rules *rules, Color us, const Tree *tree, Count *next,
                                     bool by_path, Board board, int depth) {
    return can_capture(rules, us, board) ? count_below_captures(rules, us, tree, next, by_path, board, depth)
                                         : count_below_quiets(rules, us, tree, next, by_path, board, depth);
}

/* Moves of a position, or capture paths under a majority rule. */
BITBOARD_INLINE uint64_t count_list(const Rules *rules, Color us, bool by_path, Board board) {
    MoveList list;
    uint16_t ways[MOVES_MAX];
    uint64_t count = 0;

    generate(rules, us, board, true, &list, ways);
    if (!by_path || list.count == 0 || !move_is_capture(list.moves[0])) {
        return (uint64_t)list.count;
    }
    for (int i = 0; i < list.count; i++) {
        count += ways[i];
    }
    return count;
}

/* Leaves below a node of depth 1 or more. Most nodes hold no king: their code is compiled without kings. */
BITBOARD_INLINE uint64_t count_node(const Rules *rules, Color us, const Tree *tree, Count *next, bool by_path,
                                    Bitboard own, Bitboard opponent, Bitboard kings, int depth) {
    Board board = board_make(own, opponent, kings);
    Key key = 0;
    uint64_t count;

    if (depth == 1) {
        return by_path && !rules->majority ? count_moves(rules, us, board)
                                           : count_list(rules, us, by_path, board);
    }
    bool hashed = depth >= PERFT_TABLE_DEPTH && tree->table.count != 0;
    if (hashed) {
        key = perft_table_key(own, opponent, kings, us, depth);
        if (perft_table_probe(&tree->table, key, &count)) {
            return count;
        }
    }
    if (depth >= STOP_DEPTH && is_stopped(tree)) {
        return 0;
    }
    if (kings == 0) {
        board.kings = 0;
        count = count_below(rules, us, tree, next, by_path, board, depth);
    } else {
        count = count_below(rules, us, tree, next, by_path, board, depth);
    }
    if (hashed) {
        perft_table_store(&tree->table, key, count);
    }
    return count;
}

/*
 * The counters of each game, by paths and by moves, for each colour; a game with a majority rule counts paths
 * by list.
 */
#define COUNTER(id, mode, by_path, us, them) \
    static Count count_##id##_##mode##_##them; \
    static __attribute__((noinline)) uint64_t count_##id##_##mode##_##us( \
        const Tree *tree, Bitboard own, Bitboard opponent, Bitboard kings, int depth) { \
        return count_node(&RULES[VARIANT_##id], us, tree, count_##id##_##mode##_##them, by_path, own, \
                          opponent, kings, depth); \
    }
#define GAME(id, ...) \
    COUNTER(id, paths, true, WHITE, BLACK) \
    COUNTER(id, paths, true, BLACK, WHITE) \
    COUNTER(id, moves, false, WHITE, BLACK) \
    COUNTER(id, moves, false, BLACK, WHITE)
#include "engine/rules.def"
#undef GAME

/* By variant, whether moves and not paths are counted, and colour. */
static Count *const COUNTERS[VARIANT_COUNT][2][2] = {
#define GAME(id, ...) \
    {{count_##id##_paths_WHITE, count_##id##_paths_BLACK}, \
     {count_##id##_moves_WHITE, count_##id##_moves_BLACK}},
#include "engine/rules.def"
#undef GAME
};

/* ---- Runs ---------------------------------------------------------------------------------------------- */

/* A part of the tree: a position below a root move, reached so many times. */
typedef struct {
    Position position;
    uint64_t weight;
    int root_move;
} Job;

typedef struct {
    Job *jobs;
    size_t count;
    int depth; /* of the tree below each job */
} JobList;

/* What the threads of a run share. */
typedef struct {
    Tree tree;
    Variant variant;
    JobList list;
    uint64_t *counts; /* by job */
    atomic_size_t next;
    atomic_size_t done;
    pthread_mutex_t mutex;
    pthread_cond_t finished; /* a thread has run out of jobs */
    int running;             /* threads started that have not, under the mutex */
} Run;

/* Replaces the jobs by those one ply further down, once for each move. 0 or -ENOMEM. */
static int expand_jobs(Variant variant, bool unique, JobList *list) {
    JobList next = {.depth = list->depth - 1};
    size_t capacity = 0;

    for (size_t i = 0; i < list->count; i++) {
        const Job *job = &list->jobs[i];
        MoveList moves;
        uint16_t ways[MOVES_MAX];
        movegen_generate_with_ways(variant, &job->position, &moves, ways);
        if (next.count + (size_t)moves.count > capacity) {
            capacity = (next.count + (size_t)moves.count) * 2;
            Job *jobs = realloc(next.jobs, capacity * sizeof *jobs);
            if (jobs == NULL) {
                free(next.jobs);
                return -ENOMEM;
            }
            next.jobs = jobs;
        }
        for (int m = 0; m < moves.count; m++) {
            next.jobs[next.count++] = (Job){
                .position = position_after(&job->position, moves.moves[m]),
                .weight = job->weight * (unique ? 1 : ways[m]),
                .root_move = job->root_move == -1 ? m : job->root_move,
            };
        }
    }
    free(list->jobs);
    *list = next;
    return 0;
}

static void run_jobs(Run *run) {
    size_t i;

    while (!is_stopped(&run->tree) && (i = atomic_fetch_add(&run->next, 1)) < run->list.count) {
        const Position *position = &run->list.jobs[i].position;
        run->counts[i] = run->list.depth == 0
                             ? 1
                             : COUNTERS[run->variant][run->tree.unique][position->turn](
                                   &run->tree, position_own(position), position_opponent(position),
                                   position->kings, run->list.depth);
        atomic_fetch_add(&run->done, 1);
    }
}

static void *run_thread(void *argument) {
    Run *run = argument;

    run_jobs(run);
    pthread_mutex_lock(&run->mutex);
    run->running--;
    pthread_cond_signal(&run->finished);
    pthread_mutex_unlock(&run->mutex);
    return NULL;
}

/* Calls progress now and then until no thread runs jobs. */
static void report(Run *run, void (*progress)(void *user, int permille), void *user) {
    pthread_mutex_lock(&run->mutex);
    while (run->running > 0) {
        struct timespec wake;
        clock_gettime(CLOCK_REALTIME, &wake);
        wake.tv_nsec += PROGRESS_NS;
        wake.tv_sec += wake.tv_nsec / 1000000000;
        wake.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&run->finished, &run->mutex, &wake);
        progress(user, (int)(atomic_load(&run->done) * 1000 / run->list.count));
    }
    pthread_mutex_unlock(&run->mutex);
}

int perft_run(Variant variant, const Position *position, const PerftOptions *options, const atomic_bool *stop,
              void (*progress)(void *user, int permille), void *user, PerftResult *result) {
    Run run = {.tree = {.stop = stop, .unique = options->unique},
               .variant = variant,
               .mutex = PTHREAD_MUTEX_INITIALIZER,
               .finished = PTHREAD_COND_INITIALIZER};
    pthread_t *threads = NULL;
    int started = 0;
    int wanted;
    int64_t begin;
    int error = -ENOMEM;

    if (options->table != NULL) {
        run.tree.table = *options->table;
    }
    run.list = (JobList){.jobs = malloc(sizeof(Job)), .count = 1, .depth = options->depth};
    if (run.list.jobs == NULL) {
        goto out;
    }
    run.list.jobs[0] = (Job){.position = *position, .weight = 1, .root_move = -1};
    while (run.list.depth > 0 &&
           (run.list.depth == options->depth ||
            (run.list.depth > 4 && run.list.count < JOBS_A_THREAD * (size_t)options->threads))) {
        error = expand_jobs(variant, options->unique, &run.list);
        if (error != 0) {
            goto out;
        }
    }
    error = -ENOMEM;
    run.counts = calloc(run.list.count + 1, sizeof *run.counts);
    threads = calloc((size_t)options->threads, sizeof *threads);
    if (run.counts == NULL || threads == NULL ||
        (options->table == NULL && options->megabytes > 0 &&
         perft_table_init(&run.tree.table, options->megabytes) != 0)) {
        goto out;
    }
    begin = stopwatch_now();
    error = 0;
    /* With progress asked for, this thread only reports, unless no other can be had. */
    wanted = options->threads - (progress == NULL ? 1 : 0);
    pthread_mutex_lock(&run.mutex);
    while (started < wanted && pthread_create(&threads[started], NULL, run_thread, &run) == 0) {
        started++;
    }
    run.running = started;
    pthread_mutex_unlock(&run.mutex);
    if (progress == NULL || started == 0) {
        run_jobs(&run);
    } else {
        report(&run, progress, user);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    if (stop != NULL && atomic_load(stop)) {
        error = -ECANCELED;
    }
    if (error == 0) {
        MoveList moves;
        movegen_generate(variant, position, &moves);
        memset(result, 0, sizeof *result);
        result->nanoseconds = stopwatch_now() - begin;
        result->moves_count = options->depth == 0 ? 0 : moves.count;
        for (int i = 0; i < result->moves_count; i++) {
            result->moves[i].move = moves.moves[i];
        }
        for (size_t i = 0; i < run.list.count; i++) {
            uint64_t count = count_product(run.counts[i], run.list.jobs[i].weight);
            result->count = count_sum(result->count, count);
            if (options->depth > 0) {
                uint64_t *below = &result->moves[run.list.jobs[i].root_move].count;
                *below = count_sum(*below, count);
            }
        }
        if (result->count > INT64_MAX) {
            error = -EOVERFLOW;
        }
    }
out:
    if (options->table == NULL) {
        perft_table_deinit(&run.tree.table);
    }
    free(threads);
    free(run.counts);
    free(run.list.jobs);
    return error;
}
