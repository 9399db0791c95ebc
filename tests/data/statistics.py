"""Makes statistics.tsv: what tables of results say, computed in another way than match/statistics.c does.

usage: statistics.py > statistics.tsv      (needs numpy, scipy and mpmath)

Mean and variance are taken over exact fractions, Elo and its errors with 40 digits. For the log likelihood ratio
the multinomial likelihood is maximized under each hypothesis as it stands, with a general optimizer and from
many beginnings; the best end is then carried to 40 digits by Newton's method for Lagrange's conditions.
"""
from fractions import Fraction

import mpmath
import numpy
import scipy.optimize

mpmath.mp.dps = 40
Z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf("0.95"))
NELO = 800 / mpmath.log(10)
SCORES = [Fraction(i, 4) for i in range(5)]

# wins, losses, draws; pairs; hypotheses
TABLES = [
    ("none", (0, 0, 0), (0, 0, 0, 0, 0), [(0, 5)]),
    ("balanced", (300, 292, 408), (31, 110, 209, 120, 30), [(0, 5), (-3, 3), (10, 20), (-40, -5)]),
    ("lopsided", (150, 12, 38), (1, 3, 12, 25, 59), [(0, 5), (100, 200), (0, 50)]),
    ("nine draws of ten", (62, 46, 892), (3, 37, 406, 49, 5), [(0, 5), (0, 40), (-30, 0), (0, 150)]),
    ("long", (1200, 1132, 43668), (38, 980, 20900, 1040, 42), [(0, 2), (-1.75, 0.25), (0, 100)]),
    ("no double win", (9, 4, 107), (0, 4, 47, 9, 0), [(0, 5), (0, 40), (-10, 10)]),
    ("one half point", (1, 0, 1), (0, 0, 0, 1, 0), [(0, 5), (0, 40)]),
    ("few", (3, 1, 4), (0, 1, 1, 1, 1), [(0, 5), (0, 60)]),
    ("draws", (0, 0, 200), (0, 0, 100, 0, 0), [(0, 5), (-5, 0), (-10, 10)]),
    ("won", (20, 0, 0), (0, 0, 0, 0, 10), [(0, 5), (0, 100)]),
    ("lost and drawn", (0, 30, 30), (0, 30, 0, 0, 0), [(0, 5), (-100, -20)]),
    ("a point each, wins too", (5, 5, 10), (0, 0, 10, 0, 0), [(0, 5)]),
    ("near the edge", (19, 0, 1), (0, 0, 0, 1, 9), [(0, 20)]),
    ("a pair unfinished", (63, 46, 892), (3, 37, 406, 49, 5), [(0, 5)]),
    ("games alone", (50, 30, 120), (0, 0, 0, 0, 0), [(0, 5)]),
    ("draws alone", (0, 0, 7), (0, 0, 0, 0, 0), [(0, 5)]),
    ("one win", (1, 0, 0), (0, 0, 0, 0, 0), [(0, 5)]),
    ("two ways to a high t", (24, 22, 792), (4, 14, 381, 16, 4), [(0, 150), (-120, -60)]),
    ("two ways, no double result", (5, 16, 433), (0, 16, 206, 5, 0), [(0, 70), (0, 50)]),
    ("wide", (560, 1632, 18992), (328, 705, 9281, 267, 11), [(-200, 300)]),
]


def elo(score):
    if score in (0, 1):
        return mpmath.inf if score else -mpmath.inf
    return 400 * mpmath.log10(mpmath.mpf(score.numerator) / (score.denominator - score.numerator))


def estimate(games, pairs):
    """Score, Elo, its error, normalized Elo, its error, likelihood of superiority."""
    wins, losses, draws = games
    half = Fraction(1, 2)
    score = Fraction(2 * wins + draws, 2 * sum(games)) if sum(games) else half
    los = (1 + mpmath.erf((wins - losses) / mpmath.sqrt(2 * (wins + losses)))) / 2 if wins + losses else half
    kinds = pairs if sum(pairs) else (losses, draws, wins)
    each = 2 if sum(pairs) else 1
    listed = [Fraction(i, len(kinds) - 1) for i, count in enumerate(kinds) for _ in range(count)]
    if not listed:
        return score, 0, mpmath.nan, 0, mpmath.nan, los
    mean = sum(listed) / len(listed)
    assert mean == score or sum(games) > each * len(listed), (games, pairs)
    variance = sum(x * x for x in listed) / len(listed) - mean * mean
    if variance == 0:
        return score, elo(mean), mpmath.nan, 0 if mean == half else elo(Fraction(mean > half)), mpmath.nan, los
    exact = mpmath.mpf(mean.numerator) / mean.denominator
    sigma = mpmath.sqrt(mpmath.mpf(variance.numerator) / variance.denominator)
    error = sigma / mpmath.sqrt(len(listed))
    edge = mpmath.mpf(1) / (4 * each * len(listed))
    low, high = max(exact - Z * error, edge), min(exact + Z * error, 1 - edge)
    elo_error = 200 * mpmath.log10(high * (1 - low) / low / (1 - high))
    if sum(pairs):
        los = mpmath.ncdf((exact - half) / error)
    return (score, elo(mean), elo_error, (exact - half) / (sigma * mpmath.sqrt(each)) * NELO,
            Z * NELO / mpmath.sqrt(each * len(listed)), los)


def conditions(normalized, hypothesis):
    """The function of the shares that is 0 under a hypothesis, and its gradient."""
    t = hypothesis / NELO * mpmath.sqrt(2)
    score = 1 / (1 + mpmath.mpf(10) ** (-mpmath.mpf(hypothesis) / 400))

    def value(shares):
        mean = sum(p * a for p, a in zip(shares, SCORES))
        if not normalized:
            return mean - score
        return mean - 0.5 - t * mpmath.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(shares, SCORES)))

    def gradient(shares):
        if not normalized:
            return list(SCORES)
        mean = sum(p * a for p, a in zip(shares, SCORES))
        deviation = mpmath.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(shares, SCORES)))
        return [a - t * (a - mean) ** 2 / (2 * deviation) for a in SCORES]

    return value, gradient


def log_likelihood(observed, normalized, hypothesis, generator):
    """Of one pair, at the best distribution under a hypothesis; the unknowns are logarithms of the shares."""
    weights = numpy.array([float(p) for p in observed])
    a = numpy.array([float(s) for s in SCORES])
    t = float(hypothesis / NELO * mpmath.sqrt(2))
    score = 1 / (1 + 10 ** (-hypothesis / 400))

    def broken(z):
        p = numpy.exp(z)
        mean = p @ a
        if not normalized:
            return numpy.array([p.sum() - 1, mean - score])
        return numpy.array([p.sum() - 1, mean - 0.5 - t * numpy.sqrt(p @ (a - mean) ** 2)])

    best = None
    for attempt in range(20):
        shape = weights * 5 + 0.1 if attempt % 2 else numpy.ones(5)
        begin = numpy.log(generator.dirichlet(shape) + 1e-6)
        end = scipy.optimize.minimize(lambda z: -(weights @ z), begin, jac=lambda z: -weights, method="SLSQP",
                                      constraints={"type": "eq", "fun": broken}, bounds=[(-40, 0)] * 5,
                                      options={"maxiter": 2000, "ftol": 1e-15})
        if numpy.abs(broken(end.x)).max() < 1e-9 and (best is None or end.fun < best.fun):
            best = end
    value, gradient = conditions(normalized, hypothesis)

    def lagrange(*unknowns):
        shares = [mpmath.exp(z) for z in unknowns[:5]]
        slopes = gradient(shares)
        return [1 - p / w * (unknowns[5] + unknowns[6] * s) for w, p, s in zip(observed, shares, slopes)] + [
            sum(shares) - 1, value(shares)]

    # Two multipliers that fit the conditions best, and the shares that fit the multipliers.
    p = numpy.exp(best.x)
    slopes = numpy.array([float(s) for s in gradient([mpmath.mpf(float(x)) for x in p])])
    multipliers = numpy.linalg.lstsq(numpy.stack([p, p * slopes], axis=1), weights, rcond=None)[0]
    denominators = numpy.stack([numpy.ones(5), slopes], axis=1) @ multipliers
    begin = numpy.where(denominators > 0, numpy.log(weights / numpy.abs(denominators)), best.x)
    root = mpmath.findroot(lagrange, [*map(float, begin), *map(float, multipliers)], tol=1e-60, maxsteps=100)
    polished = sum(w * z for w, z in zip(observed, root[:5]))
    assert abs(polished + best.fun) < 1e-6 * (1 + abs(best.fun)), (observed, hypothesis, polished, best.fun)
    return polished


def ratio(pairs, normalized, hypotheses):
    if not sum(pairs):
        return mpmath.mpf(0)
    generator = numpy.random.default_rng(1)
    counts = [mpmath.mpf(n) if n else mpmath.mpf("0.001") for n in pairs]
    observed = [n / sum(counts) for n in counts]
    h0, h1 = (log_likelihood(observed, normalized, h, generator) for h in hypotheses)
    return sum(counts) * (h1 - h0)


def number(x):
    return mpmath.nstr(mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x), 17)


def main():
    print("# Made by statistics.py, which says how. Errors of 95 %; nan = there is none.")
    print("name\twins\tlosses\tdraws\tpairs\tscore\telo\telo_error\tnelo\tnelo_error\tlos"
          "\telo0\telo1\tllr_normalized\tllr_logistic")
    for name, games, pairs, tests in TABLES:
        for hypotheses in tests:
            ratios = (ratio(pairs, normalized, hypotheses) for normalized in (True, False))
            print(name, *games, ",".join(map(str, pairs)), *map(number, estimate(games, pairs)),
                  *map(str, hypotheses), *map(number, ratios), sep="\t")


main()
