"""What befalls the match itself and its machine costs no engine a game."""

import os
import signal
import time

from arena import keepers_of, kill_hard, wait_for
from tap import check


def begun(match, games=0):
    """Whether so many games are over."""
    return (match.folder / 'games.json').exists() and len(match.games()) >= games


def send(pids, number):
    for pid in pids:
        os.kill(pid, number)


def test_a_stopped_match_goes_on(arena):
    """As after Ctrl-Z and fg: engines that answered meanwhile have answered in time."""
    with arena.match() as match:
        engines = [word for name in 'ab' for word in match.fake(name, '--think=0.1', '--nodes=20')]
        process = match.start(*engines, '-each', 'tc=2+0.3', 'timemargin=500', '-maxmoves', 8, '-rounds', 3,
                              '-concurrency', 2, '-json', 'games.json')
        for games in (0, 2):
            wait_for(lambda games=games: begun(match, games))
            time.sleep(0.7)
            process.send_signal(signal.SIGSTOP)
            time.sleep(3)
            process.send_signal(signal.SIGCONT)
        output, errors = process.communicate(timeout=120)
        check(process.returncode == 0 and output.endswith('Finished match\n'), output[-300:], errors)
        check([(game['fault'], len(game['moves'])) for game in match.games()] == [(None, 16)] * 6, errors)


def test_stopped_keepers_are_woken(arena):
    with arena.match() as match:
        process = match.start(*match.uci('a'), *match.uci('b'), '-each', 'nodes=300', '-rounds', 1000, '-concurrency', 2,
                              '-json', 'games.json')
        wait_for(lambda: begun(match, 2) and len(keepers_of(process)) == 4)
        send(keepers_of(process), signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=20)
        check(process.returncode == 1 and output.endswith('Match not finished\n'), output[-300:], errors)
        check('did not obey' not in errors, errors)
        check(match.left_over() == [], match.left_over())


def test_stopped_keepers_see_their_match_die(arena):
    with arena.match() as match:
        process = match.start(*match.uci('a'), *match.uci('b'), '-each', 'nodes=300', '-rounds', 1000, '-concurrency', 2,
                              '-json', 'games.json')
        wait_for(lambda: begun(match, 2))
        send(keepers_of(process), signal.SIGSTOP)
        kill_hard(process)
        check(match.left_over() == [], match.left_over())


def test_a_killed_keeper_is_a_crash(arena):
    """At once, though a child of the engine holds its output open, and that child ends too."""
    with arena.match() as match:
        _, name, proto, command, *rest = match.fake('a', 'hang', '--log=told')
        script = f'sh -c "sleep 1000; :" {match.engine.name} & exec "$@"'
        process = match.start('-engine', name, proto, 'cmd=sh', 'arg=-c', f'arg={script}', 'arg=sh',
                              command.replace('cmd=', 'arg='), *rest, *match.uci('b'), '-each', 'depth=1', '-json',
                              'games.json')
        told = match.folder / 'told'
        wait_for(lambda: told.exists() and 'go depth' in told.read_text())
        begin = time.monotonic()
        send(keepers_of(process), signal.SIGKILL)
        wait_for(lambda: begun(match, 1))
        check(time.monotonic() - begin < 10, time.monotonic() - begin)
        game = match.games()[0]
        check(game['fault'] == 'crash' and 'Black lost by crash: its keeper was killed;' in game['reason'], game)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        check(match.left_over() == [], match.left_over())


def test_nobody_reads_the_errors(arena):
    with arena.match() as match:
        os.mkfifo(match.folder / 'errors')
        _, errors = match.run(*match.uci('a', 'stderr=errors'), *match.uci('b'), '-each', 'nodes=100', status=1,
                              timeout=30)
        check('perhaps a FIFO that nobody reads: No such device or address' in errors[0], errors)


def test_too_few_descriptors_are_no_fault(arena):
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), '-each', 'nodes=100', '-rounds', 10, '-concurrency', 8]
        output, errors = match.run(*words, '-json', 'games.json', status=1, descriptors=(30, 30))
        check(output[-1] == 'Match not finished', output[-3:])
        check(any(' did not come: cannot start ' in line and 'Too many open files' in line for line in errors), errors)
        check(any(line.endswith(': the machine is at its limits, the match ends here') for line in errors), errors)
        check(all(game['fault'] is None for game in match.games()), errors)
        match.run(*words, '-resume', 'games.json', descriptors=(200, 200))
        check(len(match.games()) == 20 and all(game['fault'] is None for game in match.games()), match.games())


def test_a_match_opens_what_it_may(arena):
    """The soft limit is for the engines only."""
    with arena.match() as match:
        script = f'ulimit -n >>limits; exec "{match.engine}"'
        match.run('-engine', 'name=a', 'cmd=sh', 'arg=-c', f'arg={script}', *match.uci('b'), '-each', 'nodes=100',
                  '-rounds', 10, '-concurrency', 8, '-json', 'games.json', descriptors=(30, 300))
        check([game['fault'] for game in match.games()] == [None] * 20, match.games())
        check(set((match.folder / 'limits').read_text().split()) == {'30'}, (match.folder / 'limits').read_text())
