"""Whole games of English checkers through the DXPEngine of pydraughts, with the program as the follower."""

import json
import os
import pathlib
import re
import subprocess
import sys

from client import Engine
from tap import check

GAMES = 20  # when the run is long; else one with each colour


def play(suite, port, plays_first, seed):
    script = pathlib.Path(__file__).with_name('pydraughts_dxp.py')
    done = subprocess.run([sys.executable, script, port, str(plays_first), str(seed)],
                          env={**os.environ, 'PYTHONPATH': str(suite.client('pydraughts-0.6.7'))},
                          capture_output=True, text=True, timeout=600, check=False)
    check(done.returncode == 0, done.returncode, done.stderr[-800:])
    return json.loads(done.stdout)


def test_pydraughts_0_6_7_dxp(suite):
    games = GAMES if suite.long else 2
    suite.client('pydraughts-0.6.7')
    command = [suite.program, 'dxp', '--listen', '0', '--movetime', '20', '--games', str(games)]
    engine = Engine(suite, command=command)
    try:
        port = engine.until('listening on ')[0].rsplit(':', 1)[1]
        played = [play(suite, port, number % 2, number) for number in range(games)]
        said = [line for line in engine.rest() if ' after ' in line]
        engine.wait_end()
    finally:
        engine.process.kill()
    check(len(said) == games, said)
    for one, line in zip(played, said):
        result, plies = re.match(r'game \d+: (won|lost|drawn) after (\d+) plies', line).groups()
        check(one['name'] == 'Crownhead 0.1.0' and int(plies) == one['plies'] > 20, one, line)
        check((result == 'drawn') == (one['moves_left'] > 0), 'what is the result?', one, line)
    suite.note(f'{games} games, {sum(one["plies"] for one in played)} plies; {said}')
