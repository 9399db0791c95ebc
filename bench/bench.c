/* The bench: fixed positions searched to a fixed depth. */
#include "bench/bench.h"

#include "bench/stopwatch.h"
#include "engine/fen.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    Variant variant;
    const char *fen;
} BenchPosition;

static const BenchPosition POSITIONS[] = {
#define POSITION(variant, fen) {VARIANT_##variant, fen},
#include "bench/positions.def"
#undef POSITION
};

enum { POSITIONS_COUNT = sizeof(POSITIONS) / sizeof(POSITIONS[0]) };

static bool is_wanted(const BenchOptions *options, const BenchPosition *position) {
    return options->variant == VARIANT_COUNT || options->variant == position->variant;
}

/* Fills what a search tells of the line; the rest is the caller's. */
static int search_position(const BenchPosition *position, const SearchLimits *limits, TranspositionTable *tt,
                           SearchControl *control, BenchLine *line) {
    const SearchReport silent = {0};
    const DrawRules *draws = &rules_of(position->variant)->draws;
    FenRecord record;
    ParseError error;
    Game game;
    SearchResult result;
    int status;

    if (!fen_read(position->fen, strlen(position->fen), &record, &error)) {
        return -EINVAL;
    }
    game_init(&game, position->variant, draws, &record.position,
              draw_state_init(draws, &record.position, record.plies_without_progress), record.fullmove);
    tt_clear(tt);

    int64_t begin = stopwatch_now();
    status = search_run(&game, limits, tt, control, &silent, &result);
    line->nanoseconds = stopwatch_now() - begin;
    if (status == 0) {
        line->nodes = result.nodes;
        line->score = result.score;
        if (result.best == MOVE_NONE) {
            snprintf(line->best, sizeof(line->best), "(none)");
        } else {
            move_write(position->variant, &record.position, result.best, line->best);
        }
    }
    game_deinit(&game);
    return status;
}

int bench_run(const BenchOptions *options, SearchControl *control,
              void (*on_position)(void *user, const BenchLine *line), void *user, BenchResult *result) {
    TranspositionTable tt = {0};
    SearchControl never = {0};
    BenchLine line = {0};
    int status;

    if (control == NULL) {
        control = &never;
    }
    *result = (BenchResult){0};
    for (size_t i = 0; i < POSITIONS_COUNT; i++) {
        line.count += is_wanted(options, &POSITIONS[i]);
    }

    if (line.count == 0) {
        return -EINVAL;
    }
    status = tt_init(&tt, options->megabytes > 0 ? options->megabytes : BENCH_MEGABYTES);
    for (size_t i = 0; i < POSITIONS_COUNT && status == 0; i++) {
        const BenchPosition *position = &POSITIONS[i];
        if (!is_wanted(options, position)) {
            continue;
        }
        line.number++;
        line.variant = position->variant;
        line.fen = position->fen;
        line.depth = options->depth > 0 ? options->depth : BENCH_DEPTH;
        SearchLimits limits = {.has_depth = true, .depth = line.depth, .threads = options->threads};

        status = search_position(position, &limits, &tt, control, &line);
        if (status == 0 && atomic_load(&control->stop)) {
            status = -ECANCELED;
        }
        if (status == 0) {
            result->positions++;
            result->nodes += line.nodes;
            result->nanoseconds += line.nanoseconds;
            if (on_position != NULL) {
                on_position(user, &line);
            }
        }
    }
    tt_deinit(&tt);
    return status;
}

void bench_write_line(const BenchLine *line, char text[static BENCH_TEXT_SIZE]) {
    snprintf(text, BENCH_TEXT_SIZE, "%2d/%d %s depth %d nodes %" PRIu64 " score %d move %s %s", line->number,
             line->count, rules_of(line->variant)->name, line->depth, line->nodes, line->score, line->best,
             line->fen);
}

void bench_write_result(const BenchResult *result, char text[static BENCH_TEXT_SIZE]) {
    snprintf(text, BENCH_TEXT_SIZE, "%" PRIu64 " nodes %" PRIu64 " nps", result->nodes,
             stopwatch_rate(result->nodes, result->nanoseconds));
}
