"""Levels of strength are what they say; docs/levels.md has the long measurements."""

import re

from arena import line_with
from tap import check

ROUNDS = 20


def score(match, variant, deck, high, low):
    """Share of the points of a level against another; seeds make every game the same each time."""
    level = 'option.UCI_LimitStrength=true'
    output, errors = match.run(*match.uci('high', f'option.UCI_Elo={high}', 'option.Level Seed=1'),
                               *match.uci('low', f'option.UCI_Elo={low}', 'option.Level Seed=2'),
                               '-each', level, 'nodes=100000', '-variant', variant, '-openings', deck, 'order=random',
                               '-rounds', ROUNDS)
    check(errors == [], errors)
    return float(re.search(r'\[([\d.]+)\]', line_with(output, 'Score of high vs low'))[1])


def test_a_level_beats_those_400_below(arena):
    with arena.match() as match:
        for variant, deck in (('english', 'ballots11'), ('russian', 'russian')):
            for low in (900, 1300):
                points = score(match, variant, deck, low + 400, low)
                check(points > 0.75, variant, low, points)  # 0.91 is what the scale says


def test_seeds_make_a_match_reproducible(arena):
    with arena.match() as match:
        check(len({score(match, 'english', 'ballots11', 1100, 1000) for _ in range(2)}) == 1)
