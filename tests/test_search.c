/*
 * Tests of the search as its callers see it: limits, reports, reproducibility, draws. Whether it finds the
 * wins that it should is tested in test_endings.c, which takes longer.
 */
#include "tests/random_play.h"
#include "tests/search_play.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

static const char *const START_FENS[VARIANT_COUNT] = {
    [VARIANT_ENGLISH] = "B:W21-32:B1-12",
    [VARIANT_RUSSIAN] = "W:W21-32:B1-12",
};

static const struct {
    Variant variant;
    const char *fen;
} positions[] = {
    {VARIANT_ENGLISH, "B:W21-32:B1-12"},
    {VARIANT_ENGLISH, "W:W14,20,21,24,25,26,27,28,29,31:B1,3,4,5,7,11,13,15,18,19"},
    {VARIANT_ENGLISH, "B:W32,31,25,20,13,K9:B28,23,19,16,15,11,2"},
    {VARIANT_ENGLISH, "B:WK19,K23:B12,K28"},
    {VARIANT_RUSSIAN, "W:W21-32:B1-12"},
    {VARIANT_RUSSIAN, "W:Wa3,c3,e3,g3,b2,d2,f2:Bb6,d6,f6,h6,c7,e7,g7"},
    {VARIANT_RUSSIAN, "W:WKc3,d2,e3:BKh8,a7,b6"},
};

/* What a search told, checked as it was told. */
typedef struct {
    const Game *game;
    SearchControl *control;
    int lines_max;     /* lines that may be told */
    int stop_at_depth; /* then the search is told to stop; 0 = never */
    int ponderhit_at_depth;

    int reports;
    uint64_t nodes;
    int depth; /* of the last exact first line */
    int lines; /* told exact at that depth */
    Move best; /* of the first line told last, exact or not */
    int score;
    SearchInfo last[MULTIPV_MAX];
    Move moves[MULTIPV_MAX];
    int length; /* of the first line's pv */
    Move pv[PLY_MAX];
} Recorder;

static void record(void *user, const SearchInfo *info) {
    Recorder *recorder = user;
    Position position = recorder->game->position;

    recorder->reports++;
    ck_assert_int_ge(info->depth, 1);
    ck_assert_int_le(info->depth, DEPTH_MAX);
    ck_assert_int_ge(info->seldepth, info->depth);
    ck_assert_int_ge(info->multipv, 1);
    ck_assert_int_le(info->multipv, recorder->lines_max);
    ck_assert_int_ge(info->score, -SCORE_WIN);
    ck_assert_int_le(info->score, SCORE_WIN);
    ck_assert_int_ne(info->bound, BOUND_NONE);
    ck_assert_uint_ge(info->nodes, recorder->nodes);
    ck_assert_int_ge(info->time, 0);
    ck_assert_int_ge(info->hashfull, 0);
    ck_assert_int_le(info->hashfull, 1000);
    ck_assert_int_ge(info->length, 1);
    recorder->nodes = info->nodes;
    for (int i = 0; i < info->length; i++) {
        ck_assert_msg(is_legal(recorder->game->variant, &position, info->pv[i]), "move %d of a line", i);
        position = position_after(&position, info->pv[i]);
    }
    if (info->multipv == 1) {
        recorder->best = info->pv[0];
        recorder->score = info->score;
    }
    if (info->bound == BOUND_EXACT) {
        if (info->multipv == 1) {
            recorder->depth = info->depth;
            recorder->length = info->length < PLY_MAX ? info->length : PLY_MAX;
            for (int i = 0; i < recorder->length; i++) {
                recorder->pv[i] = info->pv[i];
            }
        }
        recorder->lines = info->multipv;
        recorder->last[info->multipv - 1] = *info;
        recorder->moves[info->multipv - 1] = info->pv[0];
    }
    if (recorder->stop_at_depth != 0 && info->depth >= recorder->stop_at_depth) {
        atomic_store(&recorder->control->stop, true);
    }
    if (recorder->ponderhit_at_depth != 0 && info->depth >= recorder->ponderhit_at_depth) {
        atomic_store(&recorder->control->ponderhit, true);
    }
}

/* A search with its report; the recorder's wishes are the caller's, the rest is filled here. */
static SearchResult search_recorded(const Game *game, const SearchLimits *limits, TranspositionTable *tt,
                                    Recorder *recorder) {
    SearchControl control = {0};
    SearchReport report = {.user = recorder, .on_info = record};
    SearchResult result;

    recorder->game = game;
    recorder->control = &control;
    recorder->lines_max = limits->multipv < 1 ? 1 : limits->multipv;
    ck_assert_int_eq(search_run(game, limits, tt, &control, &report, &result), 0);
    ck_assert(is_legal(game->variant, &game->position, result.best));
    if (result.ponder != MOVE_NONE) {
        Position next = position_after(&game->position, result.best);
        ck_assert(is_legal(game->variant, &next, result.ponder));
    }
    ck_assert_int_ge(recorder->reports, 1);
    ck_assert(recorder->best == result.best);
    ck_assert_int_eq(recorder->score, result.score);
    ck_assert_uint_ge(result.nodes, recorder->nodes);
    return result;
}

/* ---- Reproducible ------------------------------------------------------------ */

static const uint64_t node_limits[] = {1,    2,    100,  500,   1000,  1023,  1024,  1025,  2000,  2047,
                                       2048, 3000, 5000, 10000, 20000, 30000, 50000, 70000, 99999, 150000};

START_TEST(equal_input_gives_equal_output) {
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(2);

    for (int i = 0; i < ROWS(node_limits); i++) {
        SearchLimits limits = {.has_nodes = true, .nodes = node_limits[i]};
        Recorder first = {0};
        Recorder second = {0};
        SearchResult a = search_recorded(&game, &limits, &tt, &first);
        tt_clear(&tt);
        SearchResult b = search_recorded(&game, &limits, &tt, &second);
        tt_clear(&tt);
        ck_assert_msg(a.nodes == b.nodes, "%s: %llu and %llu nodes", positions[_i].fen,
                      (unsigned long long)a.nodes, (unsigned long long)b.nodes);
        ck_assert(a.best == b.best && a.ponder == b.ponder && a.score == b.score);
        ck_assert_int_eq(first.depth, second.depth);
        ck_assert_int_eq(first.reports, second.reports);
        ck_assert_int_eq(first.length, second.length);
        ck_assert_int_eq(memcmp(first.pv, second.pv, (size_t)first.length * sizeof first.pv[0]), 0);
    }
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

typedef struct {
    Variant variant;
    SearchResult result;
} Job;

static void *search_job(void *argument) {
    Job *job = argument;
    Game game = game_from(job->variant, START_FENS[job->variant]);
    SearchLimits limits = {.has_depth = true, .depth = 9};
    TranspositionTable tt = table_of(2);

    job->result = search_game(&game, &limits, &tt);
    tt_deinit(&tt);
    game_deinit(&game);
    return NULL;
}

START_TEST(searches_side_by_side_do_not_meet) {
    Job alone[VARIANT_COUNT];
    Job together[2 * VARIANT_COUNT];
    pthread_t threads[2 * VARIANT_COUNT];

    for (Variant variant = 0; variant < VARIANT_COUNT; variant++) {
        alone[variant].variant = variant;
        search_job(&alone[variant]);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < ROWS(together); i++) {
            together[i].variant = (Variant)(i % VARIANT_COUNT);
            ck_assert_int_eq(pthread_create(&threads[i], NULL, search_job, &together[i]), 0);
        }
        for (int i = 0; i < ROWS(together); i++) {
            const SearchResult *expected = &alone[i % VARIANT_COUNT].result;
            pthread_join(threads[i], NULL);
            ck_assert_uint_eq(together[i].result.nodes, expected->nodes);
            ck_assert(together[i].result.best == expected->best);
            ck_assert_int_eq(together[i].result.score, expected->score);
        }
    }
}
END_TEST

/* ---- Limits ------------------------------------------------------------------ */

START_TEST(node_limit_is_obeyed) {
    enum { SLACK = PLY_MAX }; /* on its way back each node on the path may still enter one more */
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(2);
    SearchLimits one_ply = {.has_depth = true, .depth = 1};
    uint64_t least = search_game(&game, &one_ply, &tt).nodes;

    for (uint64_t nodes = 1; nodes < 200000; nodes = nodes * 3 / 2 + 1) {
        SearchLimits limits = {.has_nodes = true, .nodes = nodes};
        Recorder recorder = {0};
        tt_clear(&tt);
        SearchResult result = search_recorded(&game, &limits, &tt, &recorder);
        uint64_t expected = nodes > least ? nodes : least;
        ck_assert_msg(result.nodes >= expected && result.nodes <= expected + SLACK, "%s: %llu nodes of %llu",
                      positions[_i].fen, (unsigned long long)result.nodes, (unsigned long long)expected);
    }
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(depth_limit_is_exact) {
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(2);

    for (int depth = 1; depth <= 10; depth++) {
        SearchLimits limits = {.has_depth = true, .depth = depth};
        Recorder recorder = {0};
        search_recorded(&game, &limits, &tt, &recorder);
        ck_assert_int_eq(recorder.depth, depth);
    }
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(mate_limit_stops) {
    enum { ENOUGH = 20000000 };
    Game game = game_from(VARIANT_ENGLISH, "W:WK32:BK26"); /* won in 9 plies */
    TranspositionTable tt = table_of(4);
    SearchLimits limits = {.has_nodes = true, .nodes = ENOUGH, .has_mate = true, .mate = 5};
    Recorder recorder = {0};

    SearchResult result = search_recorded(&game, &limits, &tt, &recorder);
    ck_assert_int_eq(result.score, score_win_in(9));
    ck_assert_uint_lt(result.nodes, ENOUGH);

    /* A win in fewer moves is not there, so another limit has to end it. */
    limits = (SearchLimits){.has_depth = true, .depth = 15, .has_mate = true, .mate = 4};
    recorder = (Recorder){0};
    result = search_recorded(&game, &limits, &tt, &recorder);
    ck_assert_int_eq(result.score, score_win_in(9));
    ck_assert_int_eq(recorder.depth, limits.depth);
    game_deinit(&game);

    /* To be beaten is not to win. */
    game = game_from(VARIANT_ENGLISH, "B:WK23,K19:BK32");
    limits.mate = 100;
    recorder = (Recorder){0};
    result = search_recorded(&game, &limits, &tt, &recorder);
    ck_assert(score_is_loss(result.score));
    ck_assert_int_eq(recorder.depth, limits.depth);
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(other_moves_are_not_played) {
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(2);
    MoveList list;

    movegen_generate(game.variant, &game.position, &list);
    for (int i = 0; i < list.count; i++) {
        SearchLimits limits = {.has_depth = true, .depth = 6, .multipv = 3};
        int other = (i + 2) % list.count;
        Recorder recorder = {0};
        limits.searchmoves = (MoveList){.count = 1, .moves = {list.moves[i]}};
        ck_assert(search_recorded(&game, &limits, &tt, &recorder).best == list.moves[i]);
        ck_assert_int_eq(recorder.lines, 1);

        recorder = (Recorder){0};
        limits.searchmoves = (MoveList){.count = 2, .moves = {list.moves[i], list.moves[other]}};
        Move best = search_recorded(&game, &limits, &tt, &recorder).best;
        ck_assert(best == list.moves[i] || best == list.moves[other]);
        ck_assert_int_eq(recorder.lines, other == i ? 1 : 2);
    }
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(lines_are_distinct_and_sorted) {
    static const int wanted[] = {1, 2, 4, MULTIPV_MAX};
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(2);
    MoveList list;

    movegen_generate(game.variant, &game.position, &list);
    for (int w = 0; w < ROWS(wanted); w++) {
        SearchLimits limits = {.has_depth = true, .depth = 8, .multipv = wanted[w]};
        Recorder recorder = {0};
        search_recorded(&game, &limits, &tt, &recorder);
        ck_assert_int_eq(recorder.lines, wanted[w] < list.count ? wanted[w] : list.count);
        for (int i = 0; i < recorder.lines; i++) {
            ck_assert_int_eq(recorder.last[i].depth, limits.depth);
            ck_assert(i == 0 || recorder.last[i].score <= recorder.last[i - 1].score);
            for (int k = 0; k < i; k++) {
                ck_assert(recorder.moves[k] != recorder.moves[i]);
            }
        }
    }
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(there_is_a_move_however_short_the_search) {
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(1);
    const SearchReport silent = {0};
    SearchControl stopped = {0};
    SearchResult result;
    const SearchLimits limits[] = {
        {0},
        {.infinite = true},
        {.ponder = true, .has_clock = true, .time = {1000, 1000}},
        {.has_depth = true, .depth = 50},
        {.infinite = true, .threads = 3, .multipv = 3},
    };

    /* Told to stop before it began. */
    atomic_store(&stopped.stop, true);
    for (int i = 0; i < ROWS(limits); i++) {
        ck_assert_int_eq(search_run(&game, &limits[i], &tt, &stopped, &silent, &result), 0);
        ck_assert(is_legal(game.variant, &game.position, result.best));
    }

    const SearchLimits hurried[] = {
        {.has_movetime = true, .movetime = 0},
        {.has_clock = true, .time = {0, 0}},
        {.has_clock = true, .time = {-5, -5}, .movestogo = 1},
        {.has_clock = true, .time = {10, 10}, .overhead = 20},
        {.has_nodes = true, .nodes = 0},
        {.has_depth = true, .depth = 0},
    };
    for (int i = 0; i < ROWS(hurried); i++) {
        result = search_game(&game, &hurried[i], &tt);
        ck_assert(is_legal(game.variant, &game.position, result.best));
    }
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(stop_ends_an_endless_search) {
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(2);
    SearchLimits limits = {.infinite = true, .has_depth = true, .depth = 2, .has_nodes = true, .nodes = 10};
    Recorder recorder = {.stop_at_depth = 6};

    /* The other limits do not count. */
    search_recorded(&game, &limits, &tt, &recorder);
    ck_assert_int_ge(recorder.depth, 5);
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(limits_count_from_the_ponderhit) {
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(2);
    SearchLimits limits = {.ponder = true, .has_depth = true, .depth = 2};
    Recorder recorder = {.ponderhit_at_depth = 6};

    /* The sixth iteration may be cut short: what was asked for was there long ago. */
    search_recorded(&game, &limits, &tt, &recorder);
    ck_assert_int_ge(recorder.depth, 5);
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(threads_share_a_search) {
    Game game = game_from(positions[_i].variant, positions[_i].fen);
    TranspositionTable tt = table_of(2);

    for (int threads = 2; threads <= 4; threads++) {
        SearchLimits limits = {.has_nodes = true, .nodes = 60000, .threads = threads};
        Recorder by_nodes = {0};
        SearchResult result = search_recorded(&game, &limits, &tt, &by_nodes);
        ck_assert_uint_ge(result.nodes, limits.nodes);

        limits = (SearchLimits){.has_depth = true, .depth = 7, .threads = threads, .multipv = 2};
        Recorder by_depth = {0};
        search_recorded(&game, &limits, &tt, &by_depth);
        ck_assert_int_eq(by_depth.depth, limits.depth);
    }
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen;
} lost[] = {
    {VARIANT_ENGLISH, "W:W12:B3,8"}, /* shut in */
    {VARIANT_ENGLISH, "W:W:B21"},    {VARIANT_RUSSIAN, "W:WK29:BK25,K22"},
    {VARIANT_RUSSIAN, "B:W32:B"},    {VARIANT_RUSSIAN, "W:W:B"},
};

/* Those that begin first do not keep the others, and the answer, waiting. */
START_TEST(many_threads_come_too_late_for_a_short_search) {
    Game game = game_from(VARIANT_ENGLISH, START_FENS[VARIANT_ENGLISH]);
    SearchLimits limits = {.has_movetime = true, .movetime = 1, .threads = THREADS_MAX};
    SearchControl control = {0};
    SearchReport report = {0};
    TranspositionTable tt = {0};
    SearchResult result;

    ck_assert_int_eq(tt_init(&tt, 1), 0);
    ck_assert_int_eq(search_run(&game, &limits, &tt, &control, &report, &result), 0);
    ck_assert_uint_ne(result.best, MOVE_NONE);
    ck_assert_uint_lt(result.nodes, 500000);
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

START_TEST(without_a_legal_move_there_is_none) {
    TranspositionTable tt = table_of(1);

    for (int threads = 1; threads <= 3; threads++) {
        Game game = game_from(lost[_i].variant, lost[_i].fen);
        SearchLimits limits = {.infinite = true, .threads = threads, .multipv = 3};
        SearchResult result = search_game(&game, &limits, &tt);
        ck_assert_msg(result.best == MOVE_NONE && result.ponder == MOVE_NONE, "%s", lost[_i].fen);
        ck_assert_int_eq(result.score, score_loss_in(0));
        ck_assert_int_eq(score_mate_moves(result.score), 0);
        game_deinit(&game);
    }
    tt_deinit(&tt);
}
END_TEST

START_TEST(any_position_can_be_searched) {
    Variant variant = (Variant)_i;
    TranspositionTable tt = table_of(1);
    uint64_t state = 31;

    for (int round = 0; round < 300; round++) {
        Position position = random_position(round % 2 == 0 ? 6 : 20, &state);
        const DrawRules *draws = round % 3 == 0 ? &DRAW_RULES_WEB : &rules_of(variant)->draws;
        Game game;
        game_init(&game, variant, draws, &position,
                  draw_state_init(draws, &position, random_below(&state, 120)), 1);
        if (movegen_has_move(variant, &position)) {
            SearchLimits limits = {.has_nodes = true, .nodes = 3000, .multipv = 1 + random_below(&state, 3)};
            Recorder recorder = {0};
            search_recorded(&game, &limits, &tt, &recorder);
        }
        game_deinit(&game);
    }
    tt_deinit(&tt);
}
END_TEST

/* ---- Draws and wins ---------------------------------------------------------- */

typedef enum { IS_DRAWN, IS_OPEN, IS_WON } Verdict;

/* The score of a move, when it is the only one looked at. */
static const struct {
    const char *name;
    Variant variant;
    const char *fen;
    const char *moves; /* played before */
    const char *move;  /* NULL = any */
    Verdict verdict;
    int plies; /* to the win */
} verdicts[] = {
    /* Black is far behind, and gets away with it on the third occurrence alone. */
    {"third time", VARIANT_ENGLISH, "W:WK1,K2,K3:BK32", "1-6 32-27 6-1 27-32 1-6 32-27 6-1", "27-32",
     IS_DRAWN, 0},
    {"second time", VARIANT_ENGLISH, "W:WK1,K2,K3:BK32", "1-6 32-27 6-1", "27-32", IS_OPEN, 0},
    {"third time, Russian", VARIANT_RUSSIAN, "W:WK1,K2,K3:BK32", "1-5 32-28 5-1 28-32 1-5 32-28 5-1", "28-32",
     IS_DRAWN, 0},
    {"second time, Russian", VARIANT_RUSSIAN, "W:WK1,K2,K3:BK32", "1-5 32-28 5-1", "28-32", IS_OPEN, 0},
    {"another square", VARIANT_ENGLISH, "W:WK1,K2,K3:BK32", "1-6 32-27 6-1 27-32 1-6 32-27 6-1", "27-31",
     IS_OPEN, 0},
    {"a man's move in between", VARIANT_ENGLISH, "W:WK1,K2,K3,21:BK32",
     "1-6 32-27 6-1 27-32 21-17 32-27 1-6 27-32", "6-1", IS_OPEN, 0},
    {"the last ply", VARIANT_ENGLISH, "W:WK1,K2,K3:BK32:H79:F60", "", NULL, IS_DRAWN, 0},
    {"the last ply, Black", VARIANT_ENGLISH, "B:WK1,K2,K3:BK32:H79:F60", "", NULL, IS_DRAWN, 0},
    {"few plies", VARIANT_ENGLISH, "W:WK1,K2,K3:BK32:H74:F60", "", NULL, IS_DRAWN, 0},
    {"enough plies", VARIANT_ENGLISH, "W:WK1,K2,K3:BK32:H20:F60", "", NULL, IS_OPEN, 0},
    {"a man's move counts anew", VARIANT_ENGLISH, "W:WK1,K2,K3,22:BK32:H79:F60", "", "22-18", IS_OPEN, 0},
    {"a king's move does not", VARIANT_ENGLISH, "W:WK1,K2,K3,22:BK32:H79:F60", "", "1-5", IS_DRAWN, 0},
    {"two against one, Russian", VARIANT_RUSSIAN, "W:WK1,K2:BK32:H9:F60", "", NULL, IS_DRAWN, 0},
    {"three against one, Russian", VARIANT_RUSSIAN, "W:WKc3,Kd6,Ke3:BKh4:H29:F60", "", "c3-b2", IS_DRAWN, 0},
    /* R30: who cannot move has lost, also on the move on which the count is full. */
    {"blocked as the count ends", VARIANT_ENGLISH, "B:W12:BK4,3:H79:F60", "", NULL, IS_WON, 1},
    {"not blocked as the count ends", VARIANT_ENGLISH, "B:W12,32:BK4,3:H79:F60", "", "4-8", IS_DRAWN, 0},
    {"taken as the count ends", VARIANT_ENGLISH, "B:W17:BK14:H79:F60", "", NULL, IS_WON, 1},
    {"blocked as the count ends, Russian", VARIANT_RUSSIAN, "B:WK29:BK25,K18:H9:F60", "", "18-22", IS_WON, 1},
    /* A win of 9 plies with 9 left, and with 8. Its last move is a capture, if the count comes to it. */
    {"a win just in time", VARIANT_ENGLISH, "W:WK32:BK26:H71:F60", "", NULL, IS_WON, 9},
    {"a win too late", VARIANT_ENGLISH, "W:WK32:BK26:H72:F60", "", NULL, IS_DRAWN, 0},
    {"a win at once", VARIANT_RUSSIAN, "W:WKa1:Bd4", "", NULL, IS_WON, 1},
};

static SearchResult verdict_search(int i, int depth, TranspositionTable *tt) {
    Game game = game_from(verdicts[i].variant, verdicts[i].fen);
    SearchLimits limits = {.has_depth = true, .depth = depth};

    play_moves(&game, verdicts[i].moves);
    if (verdicts[i].move != NULL) {
        limits.searchmoves.count = 1;
        limits.searchmoves.moves[0] = move_from_text(&game, verdicts[i].move, strlen(verdicts[i].move));
    }
    SearchResult result = search_game(&game, &limits, tt);
    game_deinit(&game);
    return result;
}

START_TEST(verdict_is_known) {
    TranspositionTable tt = table_of(4);

    for (int depth = 12; depth <= 16; depth += 2) {
        int score = verdict_search(_i, depth, &tt).score;
        const char *name = verdicts[_i].name;
        switch (verdicts[_i].verdict) {
        case IS_DRAWN:
            ck_assert_msg(score == SCORE_DRAW, "%s: depth %d, score %d", name, depth, score);
            break;
        case IS_OPEN:
            ck_assert_msg(abs(score) > 30, "%s: depth %d, score %d", name, depth, score);
            break;
        case IS_WON:
            ck_assert_msg(score == score_win_in(verdicts[_i].plies), "%s: depth %d, score %d", name, depth,
                          score);
            break;
        }
    }
    tt_deinit(&tt);
}
END_TEST

START_TEST(a_won_score_in_the_table_heeds_the_count) {
    /* The same table first learns of the win with all the time in the world. */
    TranspositionTable tt = table_of(4);
    const char *const fens[] = {"W:WK32:BK26", "W:WK32:BK26:H71:F60", "W:WK32:BK26:H72:F60",
                                "W:WK32:BK26:H79:F60", "W:WK32:BK26:H60:F60"};
    const bool won[] = {true, true, false, false, true};

    for (int i = 0; i < ROWS(fens); i++) {
        Game game = game_from(VARIANT_ENGLISH, fens[i]);
        SearchLimits limits = {.has_depth = true, .depth = 14};
        int score = search_game(&game, &limits, &tt).score;
        ck_assert_msg(score == (won[i] ? score_win_in(9) : SCORE_DRAW), "%s: %d", fens[i], score);
        game_deinit(&game);
    }
    tt_deinit(&tt);
}
END_TEST

START_TEST(the_stronger_side_shuns_the_repetition) {
    Game game = game_from(VARIANT_ENGLISH, "W:WK1,K2,K3:BK32");
    TranspositionTable tt = table_of(4);
    SearchLimits limits = {.has_depth = true, .depth = 12};

    /* 6-1 would be the third time. */
    play_moves(&game, "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-31 1-6 31-27");
    Move repeating = move_from_text(&game, "6-1", 3);
    SearchResult result = search_game(&game, &limits, &tt);
    ck_assert(result.best != repeating);
    ck_assert_int_gt(result.score, 30);
    tt_deinit(&tt);
    game_deinit(&game);
}
END_TEST

static const struct {
    Variant variant;
    const char *fen;
    int depth, plies;
} wins[] = {
    {VARIANT_ENGLISH, "W:WK32:BK26", 13, 9},
    {VARIANT_ENGLISH, "W:WK23,K19:BK32", 18, 15},
    {VARIANT_ENGLISH, "B:WK25,K22:BK14,13,K2", 16, 13},
    {VARIANT_ENGLISH, "W:WK22,K23,K24:BK31,K32", 16, 15},
    {VARIANT_RUSSIAN, "W:WKc3,Kd6,Ke3:BKe1", 11, 7},
    {VARIANT_RUSSIAN, "W:WKc3,Kd6,Ke3:BKd8", 11, 9},
};

START_TEST(table_size_does_not_matter_to_a_win) {
    Game game = game_from(wins[_i].variant, wins[_i].fen);
    SearchLimits limits = {.has_depth = true, .depth = wins[_i].depth};
    static const size_t sizes[] = {1, 64};

    for (int i = 0; i < ROWS(sizes); i++) {
        TranspositionTable tt = table_of(sizes[i]);
        int score = search_game(&game, &limits, &tt).score;
        ck_assert_msg(score == score_win_in(wins[_i].plies), "%s, %zu MiB: score %d", wins[_i].fen, sizes[i],
                      score);
        tt_deinit(&tt);
    }
    game_deinit(&game);
}
END_TEST

static const struct {
    int score, moves;
} mates[] = {
    {SCORE_WIN - 1, 1},   {SCORE_WIN - 2, 1},   {SCORE_WIN - 3, 2},
    {SCORE_WIN - 9, 5},   {-SCORE_WIN, 0},      {-SCORE_WIN + 2, -1},
    {-SCORE_WIN + 4, -2}, {-SCORE_WIN + 8, -4}, {SCORE_WIN_BOUND, PLY_MAX / 2},
};

START_TEST(wins_are_told_in_moves) {
    ck_assert_int_eq(score_mate_moves(mates[_i].score), mates[_i].moves);
    ck_assert(score_is_win(mates[_i].score) == (mates[_i].score > 0));
    ck_assert(score_is_loss(mates[_i].score) == (mates[_i].score < 0));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("search");
    TCase *tcase = tcase_create("search");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, equal_input_gives_equal_output, 0, ROWS(positions));
    tcase_add_test(tcase, searches_side_by_side_do_not_meet);
    tcase_add_loop_test(tcase, node_limit_is_obeyed, 0, ROWS(positions));
    tcase_add_loop_test(tcase, depth_limit_is_exact, 0, ROWS(positions));
    tcase_add_test(tcase, mate_limit_stops);
    tcase_add_loop_test(tcase, other_moves_are_not_played, 0, ROWS(positions));
    tcase_add_loop_test(tcase, lines_are_distinct_and_sorted, 0, ROWS(positions));
    tcase_add_loop_test(tcase, there_is_a_move_however_short_the_search, 0, ROWS(positions));
    tcase_add_loop_test(tcase, stop_ends_an_endless_search, 0, ROWS(positions));
    tcase_add_loop_test(tcase, limits_count_from_the_ponderhit, 0, ROWS(positions));
    tcase_add_loop_test(tcase, threads_share_a_search, 0, ROWS(positions));
    tcase_add_test(tcase, many_threads_come_too_late_for_a_short_search);
    tcase_add_loop_test(tcase, without_a_legal_move_there_is_none, 0, ROWS(lost));
    tcase_add_loop_test(tcase, any_position_can_be_searched, 0, VARIANT_COUNT);
    tcase_add_loop_test(tcase, verdict_is_known, 0, ROWS(verdicts));
    tcase_add_test(tcase, a_won_score_in_the_table_heeds_the_count);
    tcase_add_test(tcase, the_stronger_side_shuns_the_repetition);
    tcase_add_loop_test(tcase, table_size_does_not_matter_to_a_win, 0, ROWS(wins));
    tcase_add_loop_test(tcase, wins_are_told_in_moves, 0, ROWS(mates));
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
