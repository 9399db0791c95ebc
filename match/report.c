/* Results as text, in the words of cutechess-cli and fastchess. */
#include "match/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static uint64_t games_of(const Tally *tally) {
    return tally->wins + tally->losses + tally->draws;
}

static double points_of(const Tally *tally) {
    return (double)tally->wins + (double)tally->draws / 2;
}

/* "12.3 +/- 4.5"; an error that cannot be told is a dash. */
static void print_elo(FILE *stream, double elo, double error) {
    fprintf(stream, "%.2f +/- ", elo);
    if (isnan(error)) {
        fputs("-", stream);
    } else {
        fprintf(stream, "%.2f", error);
    }
}

static const char *verdict_text(SprtVerdict verdict) {
    switch (verdict) {
    case SPRT_H0:
        return " - H0 was accepted";
    case SPRT_H1:
        return " - H1 was accepted";
    default:
        return "";
    }
}

static void print_pair(FILE *stream, const ReportContext *context, const Standings *standings) {
    const Tally *tally = &standings->tallies[0];
    Estimate estimate = estimate_of(tally);

    fprintf(stream, "Score of %s vs %s: %" PRIu64 " - %" PRIu64 " - %" PRIu64 "  [%.3f] %" PRIu64 "\n",
            context->names[0], context->names[1], tally->wins, tally->losses, tally->draws, estimate.score,
            games_of(tally));
    fputs("Elo difference: ", stream);
    print_elo(stream, estimate.elo, estimate.elo_error);
    fputs(", nElo: ", stream);
    print_elo(stream, estimate.nelo, estimate.nelo_error);
    fprintf(stream, ", LOS: %.1f %%, DrawRatio: %.1f %%\n", estimate.los * 100, estimate.draw_ratio * 100);
    fprintf(stream,
            "Ptnml(0-2): [%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64
            "], PairDrawRatio: %.1f %%\n",
            tally->pairs[0], tally->pairs[1], tally->pairs[2], tally->pairs[3], tally->pairs[4],
            estimate.pair_draw_ratio * 100);
    if (context->sprt != NULL) {
        const Sprt *sprt = context->sprt;
        double llr = sprt_llr(sprt, tally);
        double bound = llr < 0 ? sprt_lower(sprt) : sprt_upper(sprt);
        fprintf(stream, "SPRT: llr %.2f (%.1f %%), lbound %.2f, ubound %.2f, [%g, %g] %s%s\n", llr,
                fabs(llr / bound) * 100, sprt_lower(sprt), sprt_upper(sprt), sprt->elo0, sprt->elo1,
                sprt->model == SPRT_NORMALIZED ? "normalized" : "logistic",
                verdict_text(sprt_verdict(sprt, tally)));
    }
}

typedef struct {
    int engine;
    Tally tally;
    double score;
} Row;

static int by_score(const void *a, const void *b) {
    const Row *left = a;
    const Row *right = b;

    if (left->score != right->score) {
        return left->score < right->score ? 1 : -1;
    }
    return left->engine - right->engine;
}

static void print_table(FILE *stream, const ReportContext *context, const Standings *standings) {
    Row rows[MATCH_ENGINES_MAX];
    int count = standings->schedule->engines;
    int shown = standings->schedule->gauntlet ? 1 : 0;

    for (int engine = 0; engine < count; engine++) {
        rows[engine] = (Row){.engine = engine, .tally = standings_of(standings, engine)};
        rows[engine].score = estimate_of(&rows[engine].tally).score;
    }
    /* The one who runs the gauntlet stays above the others, who have met nobody else. */
    qsort(rows + shown, (size_t)(count - shown), sizeof *rows, by_score);
    fprintf(stream, "%4s %-24s %9s %9s %7s %8s %7s %6s %6s %6s\n", "Rank", "Name", "Elo", "+/-", "Games",
            "Points", "Score", "Wins", "Losses", "Draws");
    for (int index = 0; index < count; index++) {
        const Tally *tally = &rows[index].tally;
        Estimate estimate = estimate_of(tally);
        fprintf(stream, "%4d %-24s %9.2f ", index + !standings->schedule->gauntlet,
                context->names[rows[index].engine], estimate.elo);
        if (isnan(estimate.elo_error)) {
            fprintf(stream, "%9s", "-");
        } else {
            fprintf(stream, "%9.2f", estimate.elo_error);
        }
        fprintf(stream, " %7" PRIu64 " %8.1f %5.1f %% %6" PRIu64 " %6" PRIu64 " %6" PRIu64 "\n",
                games_of(tally), points_of(tally), estimate.score * 100, tally->wins, tally->losses,
                tally->draws);
    }
}

void report_standings(FILE *stream, const ReportContext *context, const Standings *standings) {
    if (standings->schedule->engines == 2) {
        print_pair(stream, context, standings);
    } else {
        print_table(stream, context, standings);
    }
}

void report_faults(FILE *stream, const ReportContext *context, const Standings *standings) {
    for (int engine = 0; engine < standings->schedule->engines; engine++) {
        const uint32_t *counts = standings->faults[engine];
        bool any = false;
        for (FaultKind kind = FAULT_NONE; kind < FAULT_KINDS; kind++) {
            if (counts[kind] == 0) {
                continue;
            }
            if (!any) {
                fprintf(stream, "Games that %s lost by faults:", context->names[engine]);
            }
            fprintf(stream, "%s %" PRIu32 " %s", any ? "," : "", counts[kind], fault_name(kind));
            any = true;
        }
        if (any) {
            fputc('\n', stream);
        }
    }
}

void report_progress(FILE *stream, const ReportContext *context, const Standings *standings, int64_t wanted,
                     double rate) {
    fprintf(stream, "%" PRId64 "/%" PRId64 " games", standings->finished, wanted);
    if (standings->schedule->engines == 2) {
        const Tally *tally = &standings->tallies[0];
        Estimate estimate = estimate_of(tally);
        fprintf(stream, ", +%" PRIu64 " -%" PRIu64 " =%" PRIu64 ", Elo ", tally->wins, tally->losses,
                tally->draws);
        print_elo(stream, estimate.elo, estimate.elo_error);
        if (context->sprt != NULL) {
            fprintf(stream, ", llr %.2f (%.2f, %.2f)", sprt_llr(context->sprt, tally),
                    sprt_lower(context->sprt), sprt_upper(context->sprt));
        }
    }
    if (rate > 0) {
        int64_t left = (int64_t)((double)(wanted - standings->finished) / rate);
        fprintf(stream, ", %.1f games/s, %" PRId64 ":%02" PRId64 ":%02" PRId64 " left", rate, left / 3600,
                left / 60 % 60, left % 60);
    }
}
