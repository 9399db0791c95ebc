"""Whole games through the HubEngine of two versions of pydraughts, which says whether each move is legal."""

import json
import os
import pathlib
import subprocess
import sys

from tap import check

GAMES = 100  # of each pair when the run is long; else a few
SECONDS = 0.02


def games(suite, version, game, frame):
    number, seconds = (GAMES, SECONDS) if suite.long else (2, 0.003)
    script = pathlib.Path(__file__).with_name('pydraughts_games.py')
    done = subprocess.run([sys.executable, script, suite.program, game, frame, str(number), str(seconds)],
                          env={**os.environ, 'PYTHONPATH': str(suite.client(f'pydraughts-{version}'))},
                          capture_output=True, text=True, timeout=7200, check=False)
    check(done.returncode == 0, done.returncode, done.stderr[-800:])
    played = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{')]
    check(len(played) == number, 'games', len(played))
    for one in played:
        check(one['winner'] in (0, 1, 2), 'a game broken off:', one)
        check(one['scores'] == one['plies'] > 0, 'a move without a score:', one)
    winners = [one['winner'] for one in played]
    suite.note(f'{number} games, {sum(one["plies"] for one in played)} plies, '
               f'{winners.count(2)} won by White, {winners.count(1)} by Black, {winners.count(0)} drawn; '
               f'a reply expected at {sum(one["ponders"] for one in played)} plies')


def test_pydraughts_0_5_7_russian(suite):
    games(suite, '0.5.7', 'russian', 'plain')


def test_pydraughts_0_5_7_english(suite):
    games(suite, '0.5.7', 'english', 'white-first')


def test_pydraughts_0_6_7_russian(suite):
    games(suite, '0.6.7', 'russian', 'pydraughts')


def test_pydraughts_0_6_7_english(suite):
    games(suite, '0.6.7', 'english', 'pydraughts')
