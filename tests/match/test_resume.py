"""A match that is killed, again and again, and gone on with."""

import random

from arena import kill_hard, wait_for
from tap import check


def results(games):
    return sorted((game['game'], game['winner'], [move[0] for move in game['moves']]) for game in games)


def test_killed_and_resumed(arena):
    """Engines that count nodes play the same games every time, so the match ends as if nobody had killed it."""
    chance = random.Random(20)
    with arena.match() as match:
        words = [*match.uci('a', 'nodes=500'), *match.uci('b', 'nodes=250'), '-openings', 'ballots3', '-rounds', 20,
                 '-concurrency', 2]
        match.run(*words, '-json', 'whole.json')
        kills = 0
        while True:
            before = len(match.games()) if (match.folder / 'games.json').exists() else 0
            process = match.start(*words, '-resume', 'games.json', '-pdnout', 'games.pdn')
            try:
                wanted = before + chance.randint(1, 5)
                wait_for(lambda: process.poll() is not None or
                         ((match.folder / 'games.json').exists() and
                          (match.folder / 'games.json').read_bytes().count(b'\n') > wanted))
            finally:
                ended = process.poll()
                kill_hard(process)
            check(match.left_over() == [], 'processes are left over', match.left_over())
            if ended is not None:
                break
            kills += 1
        check(ended == 0, 'ended with', ended)
        check(kills >= 5, 'only', kills, 'kills')
        arena.note(f'{kills} kills')
        check(results(match.games()) == results(match.games('whole.json')), 'other games than without kills')
        check(match.pdn().startswith('games 40, sound 40,'), match.pdn())


def test_torn_line(arena):
    """Whatever a kill can leave behind the last line is cut off, and that game played again."""
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), '-each', 'nodes=200', '-rounds', 4, '-pdnout', 'games.pdn']
        match.run(*words, '-json', 'games.json')
        whole = results(match.games())
        text = (match.folder / 'games.json').read_bytes()
        lines = text.splitlines(True)
        for cut in (1, len(lines[-1]) // 2, len(lines[-1]), len(lines[-1]) + 7):
            (match.folder / 'games.json').write_bytes(text[:-cut])
            match.run(*words, '-resume', 'games.json')
            check(results(match.games()) == whole, 'cut', cut)
            check(match.pdn().startswith('games 8, sound 8,'), cut, match.pdn())
            text = (match.folder / 'games.json').read_bytes()
            lines = text.splitlines(True)
