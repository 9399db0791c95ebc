"""Crownhead against itself in a CheckerBoard library, by the match command."""

import json
import os
import pathlib
import subprocess
import tempfile

from tap import check


def play(suite, game, rounds, protocol='uci'):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [suite.program, 'match', '-variant', game, '-engine', 'name=uci', f'cmd={suite.program}',
             '-engine', 'name=cb', f'cmd={suite.program}', 'arg=cb-host', f'arg={suite.library}',
             f'proto={protocol}', '-each', 'tc=0.3+0.01',
             'timemargin=2000', '-rounds', str(rounds), '-concurrency', '2', '-json', 'games.json',
             '-openings', 'ballots3' if game == 'english' else 'russian'],
            cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=7200)
        games = [json.loads(line) for line in (pathlib.Path(folder) / 'games.json').read_text().splitlines()[1:]]
    check(len(games) == 2 * rounds, len(games), 'games')
    check(not [game for game in games if game['fault']], [game for game in games if game['fault']][:3])
    suite.note(f'{game}: {len(games)} games, ' + ', '.join(
        f'{name} {sum(g[g["winner"]] == name for g in games if g["winner"])}' for name in ('uci', 'cb')))


def test_matches(suite):
    rounds = int(os.environ.get('CROWNHEAD_TEST_CB_GAMES', '2')) // 2
    for game in ('english', 'russian'):
        play(suite, game, rounds)
    play(suite, 'russian', 1, 'hub')
