"""Whole games from the first position through the DXPEngine of pydraughts, with the program as the follower."""

import json
import os
import pathlib
import re
import subprocess
import sys

from client import Engine
from tap import check

GAMES = 20  # when the run is long; else one with each colour


def play(suite, version, *arguments):
    script = pathlib.Path(__file__).with_name('pydraughts_dxp.py')
    done = subprocess.run([sys.executable, script, *map(str, arguments)],
                          env={**os.environ, 'PYTHONPATH': str(suite.client(f'pydraughts-{version}'))},
                          capture_output=True, text=True, timeout=600, check=False)
    check(done.returncode == 0, done.returncode, done.stderr[-800:])
    return json.loads(done.stdout)


def games(suite, version, game):
    number = GAMES if suite.long else 2
    suite.client(f'pydraughts-{version}')
    command = [suite.program, 'dxp', '--variant', game, '--listen', '0', '--movetime', '20', '--games', str(number)]
    engine = Engine(suite, command=command)
    try:
        port = engine.until('listening on ')[0].rsplit(':', 1)[1]
        played = [play(suite, version, port, game, index % 2, index) for index in range(number)]
        said = [line for line in engine.rest() if ' after ' in line]
        engine.wait_end()
    finally:
        engine.process.kill()
    check(len(said) == number, said)
    for one, line in zip(played, said):
        result, plies = re.match(r'game \d+: (won|lost|drawn) after (\d+) plies', line).groups()
        check(one['name'] == 'Crownhead 0.1.0' and int(plies) == one['plies'] > 20, one, line)
        check((result == 'drawn') == (one['moves_left'] > 0), 'what is the result?', one, line)
    suite.note(f'{number} games, {sum(one["plies"] for one in played)} plies; {said}')


def test_pydraughts_0_6_7_dxp(suite):
    games(suite, '0.6.7', 'english')


def test_pydraughts_0_5_7_dxp(suite):
    games(suite, '0.5.7', 'english')


def test_pydraughts_0_5_7_dxp_russian(suite):
    games(suite, '0.5.7', 'russian')
