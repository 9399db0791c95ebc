"""Games of English checkers by the engine against itself: rapid-draughts knows the same legal moves at every ply."""

import json
import pathlib
import random
import shutil
import subprocess

from client import Engine
from tap import Skip, check

GAMES = 500  # when the run is long; else a few
RANDOM_PLIES = 8  # at the start of each game
PLIES_MAX = 300


def game(engine, rng):
    """The legal moves at each ply, and which was played."""
    plies, played = [], []
    while len(plies) < PLIES_MAX:
        engine.send('position startpos' + (' moves ' + ' '.join(played) if played else ''))
        shown = engine.show()
        if not shown['Moves'] or shown['Result'] != '*':
            return plies + [[shown['Moves'], None]]
        move = rng.choice(shown['Moves']) if len(plies) < RANDOM_PLIES else engine.go('go nodes 300').best
        plies.append([shown['Moves'], move])
        played.append(move)
    return plies


def test_rapid_draughts_english(suite):
    folder = suite.client('rapid-draughts')
    if not shutil.which('node'):
        raise Skip('node is not installed')
    rng = random.Random(1)
    with Engine(suite) as engine:
        games = [game(engine, rng) for _ in range(GAMES if suite.long else 20)]
    done = subprocess.run(['node', pathlib.Path(__file__).with_name('rapid_draughts.mjs'), folder],
                          input=''.join(json.dumps(one) + '\n' for one in games), capture_output=True, text=True,
                          timeout=3600, check=False)
    check(done.returncode == 0, done.stdout[-800:], done.stderr[-800:])
    positions = sum(len(one) for one in games)
    check(done.stdout == f'{positions} positions\n' and positions > 20 * len(games), done.stdout)
    suite.note(f'{len(games)} games, {positions} positions')
