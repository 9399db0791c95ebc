/*
 * Estimates from a table of results, and the sequential test.
 *
 * The test is the generalized one. A hypothesis fixes one number, the expected score or the expected score in
 * units of its deviation, and leaves the rest of the distribution open; it is represented by the likeliest of
 * the distributions that it allows. See M. Van den Bergh, "A Practical Introduction to the GSPRT", "The
 * Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution" and "Comments on
 * Normalized Elo"; fishtest (LLRcalc.py) and fastchess compute the same.
 */
#include "match/statistics.h"

#include <assert.h>
#include <math.h>

enum { GAME_RESULTS = 3, PAIR_RESULTS = 5, PAIR_EVEN = 2 };

/* Of the normal distribution, for 95 %. */
static const double QUANTILE = 1.959963984540054;

/*
 * The unit of both kinds of Elo: normalized Elo counts deviations of a game, logistic Elo half the logarithm
 * of the odds.
 */
static const double ELO_UNIT = 800 / 2.302585092994045684;

/* Results of one kind, spread evenly over 0..1. Excess is what their mean is above 1/2. */
typedef struct {
    double count, excess, variance;
} Sample;

static Sample sample_of(const uint64_t *counts, int kinds) {
    Sample sample = {0};

    for (int i = 0; i < kinds; i++) {
        sample.count += (double)counts[i];
        sample.excess += (double)counts[i] * ((double)i / (kinds - 1) - 0.5);
    }
    if (sample.count == 0) {
        return sample;
    }
    sample.excess /= sample.count;
    for (int i = 0; i < kinds; i++) {
        double distance = (double)i / (kinds - 1) - 0.5 - sample.excess;
        sample.variance += (double)counts[i] * distance * distance / sample.count;
    }
    return sample;
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

static double elo_of(double excess) {
    return ELO_UNIT * atanh(2 * excess);
}

static double score_of(double elo) {
    return 0.5 + tanh(elo / ELO_UNIT) / 2;
}

/* Of a normal distribution of this mean and variance, the share above 0. */
static double share_above(double mean, double variance) {
    return 0.5 * erfc(-mean / sqrt(2 * variance));
}

/*
 * An end of the interval can lie outside of what a score can be, where there is no Elo. It then counts as
 * half the smallest distance that a score of so many games can have from 0 or 1 without being it.
 */
static double elo_error_of(const Sample *sample, double games) {
    double error = QUANTILE * sqrt(sample->variance / sample->count);
    double edge = 0.5 - 0.25 / games;
    double low = fmax(sample->excess - error, -edge);
    double high = fmin(sample->excess + error, edge);

    return (elo_of(high) - elo_of(low)) / 2;
}

Estimate estimate_of(const Tally *tally) {
    const uint64_t results[GAME_RESULTS] = {tally->losses, tally->draws, tally->wins};
    Sample games = sample_of(results, GAME_RESULTS);
    Sample pairs = sample_of(tally->pairs, PAIR_RESULTS);
    Sample sample = pairs.count > 0 ? pairs : games;
    int games_each = pairs.count > 0 ? 2 : 1;
    double decided = (double)tally->wins + (double)tally->losses;
    double surplus = (double)tally->wins - (double)tally->losses;
    Estimate estimate = {
        .score = 0.5 + games.excess,
        .elo = elo_of(sample.excess),
        .elo_error = NAN,
        .nelo = sample.excess == 0 ? 0 : copysign(INFINITY, sample.excess),
        .nelo_error = NAN,
        .los = decided > 0 ? share_above(surplus, decided) : 0.5,
        .draw_ratio = ratio((double)tally->draws, games.count),
        .pair_draw_ratio = ratio((double)tally->pairs[PAIR_EVEN], pairs.count),
    };

    if (sample.variance > 0) {
        estimate.elo_error = elo_error_of(&sample, sample.count * games_each);
        estimate.nelo = sample.excess / sqrt(games_each * sample.variance) * ELO_UNIT;
        estimate.nelo_error = QUANTILE * ELO_UNIT / sqrt(sample.count * games_each);
        if (pairs.count > 0) {
            estimate.los = share_above(pairs.excess, pairs.variance / pairs.count);
        }
    }
    return estimate;
}

/* What the pairs were, as shares, none of them 0: log likelihoods need that. */
typedef struct {
    double count, share[PAIR_RESULTS];
} Observed;

static Observed observed_of(const Tally *tally) {
    const double instead_of_none = 1e-3; /* as in fishtest */
    Observed observed = {0};

    for (int i = 0; i < PAIR_RESULTS; i++) {
        observed.share[i] = tally->pairs[i] > 0 ? (double)tally->pairs[i] : instead_of_none;
        observed.count += observed.share[i];
    }
    for (int i = 0; i < PAIR_RESULTS; i++) {
        observed.share[i] /= observed.count;
    }
    return observed;
}

static double pair_score(int result) {
    return (double)result / (PAIR_RESULTS - 1);
}

/*
 * Finds the likeliest distribution under which values, which must have both signs, have the mean 0. Returns
 * by how much the log likelihood of a pair is lower there than under the shares observed.
 *
 * Its shares are observed / (1 + x value), as in A. Owen's empirical likelihood, where x is the one root of
 * the sum of observed value / (1 + x value) between the poles -1 / least and -1 / most. A result never seen
 * can push the root so close to a pole that 1 + x value has no digits left. The unknown is therefore this 1 +
 * x value itself, for the value of the nearer pole: y, from 0 at the pole to 1 at x = 0.
 */
static double fit_mean(const double observed[static PAIR_RESULTS], const double values[static PAIR_RESULTS],
                       double fitted[static PAIR_RESULTS]) {
    enum { STEPS_MAX = 100 };
    double mean = 0;
    double least = INFINITY;
    double most = -INFINITY;
    double low = 0;
    double high = 1;
    double y = 1;
    double loss = 0;

    for (int i = 0; i < PAIR_RESULTS; i++) {
        mean += observed[i] * values[i];
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    assert(least < 0 && most > 0);
    double pole = mean > 0 ? least : most;

    /* Newton's method for y times the sum, which is nearly straight at the pole, or halving if it leaves. */
    for (int step = 0; step < STEPS_MAX; step++) {
        double sum = 0;
        double slope = 0;
        for (int i = 0; i < PAIR_RESULTS; i++) {
            double r = values[i] / pole;
            double factor = (1 - r) + y * r;
            sum += observed[i] * r * y / factor;
            slope += observed[i] * r * (1 - r) / (factor * factor);
        }
        *(sum > 0 ? &low : &high) = y;
        double next = y - sum / slope;
        if (!(next > low && next < high)) {
            next = (low + high) / 2;
        }
        bool close = fabs(next - y) <= 1e-12 * y;
        y = next;
        if (close) {
            break;
        }
    }
    for (int i = 0; i < PAIR_RESULTS; i++) {
        double r = values[i] / pole;
        double factor = (1 - r) + y * r;
        fitted[i] = observed[i] / factor;
        loss += observed[i] * log(factor);
    }
    return loss;
}

static double loss_logistic(const Observed *observed, double elo) {
    double values[PAIR_RESULTS];
    double fitted[PAIR_RESULTS];

    for (int i = 0; i < PAIR_RESULTS; i++) {
        values[i] = pair_score(i) - score_of(elo);
    }
    return fit_mean(observed->share, values, fitted);
}

/*
 * What is lost by distributions whose mean is t deviations above 1/2. This condition is not linear, but its
 * tangent at a distribution is: with that distribution's mean m and deviation d, the deviation becomes (d + E
 * (score - m)^2 / d) / 2, which is exact there and stationary in m and d. The likeliest distribution on a
 * tangent is where the next one is laid. The first one belongs to a distribution of this deviation that meets
 * the condition; on its tangent the values then have both signs, and they keep them.
 */
static double loss_from(const Observed *observed, double t, double deviation) {
    enum { TANGENTS_MAX = 100 };
    double mean = 0.5 + t * deviation;
    double loss = 0;

    for (int tangent = 0; tangent < TANGENTS_MAX; tangent++) {
        double values[PAIR_RESULTS];
        double fitted[PAIR_RESULTS];
        double before = mean;
        double deviation_before = deviation;
        double variance = 0;
        for (int i = 0; i < PAIR_RESULTS; i++) {
            double distance = (pair_score(i) - mean) / deviation;
            values[i] = pair_score(i) - 0.5 - t * deviation / 2 * (1 + distance * distance);
        }
        loss = fit_mean(observed->share, values, fitted);

        mean = 0;
        for (int i = 0; i < PAIR_RESULTS; i++) {
            mean += fitted[i] * pair_score(i);
        }
        for (int i = 0; i < PAIR_RESULTS; i++) {
            variance += fitted[i] * (pair_score(i) - mean) * (pair_score(i) - mean);
        }
        deviation = sqrt(variance);
        if (fabs(mean - before) + fabs(deviation - deviation_before) < 1e-9) {
            break;
        }
    }
    return loss;
}

/*
 * If t is further from 0 than what was observed, two distributions can each be better than all around them,
 * one with more wins and one with a smaller deviation, and the first tangent decides which is found. So two
 * are tried: of a distribution with the results 0 and 1 only, and of one with 1/2 and its neighbour. fishtest
 * begins with equal shares, which finds the same for a small t, but from some 50 normalized Elo on can miss
 * the better one if most pairs are drawn.
 */
static double loss_normalized(const Observed *observed, double nelo) {
    double t = nelo / ELO_UNIT * sqrt(2);
    double loss = loss_from(observed, t, 0.5 / sqrt(1 + t * t));

    if (t != 0) {
        loss = fmin(loss, loss_from(observed, t, 0.25 * fabs(t) / (1 + t * t)));
    }
    return loss;
}

double sprt_lower(const Sprt *sprt) {
    return log(sprt->beta / (1 - sprt->alpha));
}

double sprt_upper(const Sprt *sprt) {
    return log((1 - sprt->beta) / sprt->alpha);
}

double sprt_llr(const Sprt *sprt, const Tally *tally) {
    Observed observed = observed_of(tally);

    if (sample_of(tally->pairs, PAIR_RESULTS).count == 0) {
        return 0;
    }
    if (sprt->model == SPRT_LOGISTIC) {
        return observed.count * (loss_logistic(&observed, sprt->elo0) - loss_logistic(&observed, sprt->elo1));
    }
    return observed.count * (loss_normalized(&observed, sprt->elo0) - loss_normalized(&observed, sprt->elo1));
}

SprtVerdict sprt_verdict(const Sprt *sprt, const Tally *tally) {
    double llr = sprt_llr(sprt, tally);

    return llr >= sprt_upper(sprt) ? SPRT_H1 : llr <= sprt_lower(sprt) ? SPRT_H0 : SPRT_CONTINUE;
}
