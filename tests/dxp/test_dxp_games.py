"""Whole games of the program against itself, either side as the initiator."""

import re
import signal

from dxp_peer import QUICK, Listener, Program, environment
from tap import check

OPPOSITE = {'won': 'lost', 'lost': 'won', 'drawn': 'drawn'}


def results(lines):
    return [re.match(r'game (\d+): (won|lost|drawn|ended) after (\d+) plies: (.+)', line).groups()
            for line in lines if ' after ' in line]


def play(suite, games, variant, listener=(), caller=()):
    with Listener(suite, '--variant', variant, '--games', games, *listener) as one, \
            Program(suite, '--connect', f'127.0.0.1:{one.port}', *QUICK, '--variant', variant, '--games', games,
                    *caller) as other:
        said = other.rest()
        one.ends(0)
        other.ends(0)
        check(not one.stray and not other.stray, one.stray, other.stray)
        told, heard = results(one.rest()), results(said)
    check(len(told) == games and len(heard) == games, told, heard)
    for ours, theirs in zip(told, heard):
        check(ours[0] == theirs[0] and ours[1] == OPPOSITE.get(theirs[1]) and ours[2:] == theirs[2:], ours, theirs)
    plies = sum(int(game[2]) for game in told)
    check(plies > 20 * games, plies)
    suite.note(f'{variant}: {games} games, {plies} plies; of the listener '
               f'{", ".join(f"{sum(game[1] == how for game in told)} {how}" for how in OPPOSITE)}')


def test_games_of_two(suite):
    games = environment('CROWNHEAD_TEST_DXP_GAMES', 2)
    play(suite, games, 'english', caller=('--time', '1'))
    play(suite, games, 'russian', listener=('--initiator', '--time', '0'), caller=('--follower',))


def test_killed_in_a_game(suite):
    with Listener(suite) as program:
        with Program(suite, '--connect', f'127.0.0.1:{program.port}', '--movetime', '600000', '--hash', '1') as other:
            program.until('game 1')
            other.kill(signal.SIGKILL)
        program.complaints(1)
        program.still_plays()
