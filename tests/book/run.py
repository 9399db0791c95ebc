#!/usr/bin/env python3
"""The command that makes books, and how each protocol plays from them; prints TAP.

usage: run.py path/to/crownhead [part of a test's name]
"""

import pathlib
import signal
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / 'protocol'), str(TESTS / 'hub')]

import client
import hub_client
import tap
from client import Engine
from hub_client import Hub
from tap import check

NODES = 300
HUB_START = {'english': hub_client.ENGLISH, 'russian': hub_client.RUSSIAN}


class Folder(client.Suite):
    """The program, and what its command says."""

    def book(self, *words, status=0):
        done = subprocess.run([self.program, 'book', *map(str, words)], capture_output=True, text=True, timeout=120,
                              check=False)
        check(done.returncode == status, words, 'ended with', done.returncode, done.stderr[-500:])
        return done.stdout.splitlines(), done.stderr.splitlines()

    def build(self, out, *words, nodes=NODES):
        return self.book('build', '--nodes', nodes, '--openings', 'ballots3', '--out', out, *words)

    def complaint(self, *words, status=1):
        """The one line that a command says instead of doing something."""
        output, errors = self.book(*words, status=status)
        check(not output and len(errors) == 1, words, output, errors)
        return errors[0]


def test_a_killed_build_goes_on(folder):
    """However often it is killed, with any number of threads, and in steps."""
    with tempfile.TemporaryDirectory() as path:
        whole, killed, steps = (pathlib.Path(path) / name for name in ('whole', 'killed', 'steps'))
        folder.build(whole, '--positions', 600)
        kills = 0
        while kills < 5:
            process = subprocess.Popen([folder.program, 'book', 'build', '--nodes', str(NODES), '--openings', 'ballots3',
                                        '--out', str(killed), '--positions', '600', '--threads', '2'],
                                       stdout=subprocess.DEVNULL)
            time.sleep(0.05 * (kills + 1))
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        folder.build(killed, '--positions', 600, '--threads', 3)
        check(whole.read_bytes() == killed.read_bytes(), 'differs after kills')
        folder.build(steps, '--positions', 1)
        begun = steps.read_bytes()
        output, _ = folder.build(steps, '--positions', 600)
        check(len(output) == 1, 'it has grown', output)
        check(begun != steps.read_bytes() == whole.read_bytes(), 'differs when made in steps')
        output, _ = folder.build(whole, '--positions', 600)
        check(output[0] == 'nothing more to add' and len(output) == 2, output)
        check(whole.read_bytes() == steps.read_bytes(), 'a book that is done changes')


def test_builds_side_by_side(folder):
    """Several into one file make the same book as one."""
    with tempfile.TemporaryDirectory() as path:
        alone, shared = pathlib.Path(path) / 'alone', pathlib.Path(path) / 'shared'
        folder.build(alone, '--positions', 400, nodes=20)
        command = [folder.program, 'book', 'build', '--nodes', '20', '--openings', 'ballots3', '--positions', '400',
                   '--out', str(shared)]
        builds = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                  for _ in range(4)]
        for build in builds:
            _, errors = build.communicate(timeout=120)
            check(build.returncode == 0, errors)
        check(alone.read_bytes() == shared.read_bytes(), 'differs')
        check(sorted(file.name for file in pathlib.Path(path).iterdir()) == ['alone', 'shared'], 'something is left')


def test_bad_words_and_files(folder):
    with tempfile.TemporaryDirectory() as path:
        file = pathlib.Path(path) / 'book'
        folder.build(file, '--positions', 10, nodes=20)
        good = file.read_bytes()
        for words in (['build'], ['build', '--out', file, 'more'], ['build', '--out', file, '--nodes', '0'], ['show', '1-32'],
                      ['build', '--out', file, '--variant', 'chess'], ['show', '--fen', 'x'], ['verify', 'a', 'b'], [],
                      ['foo'], ['build', '--out', file, '--foo'], ['build', '--out', file, '--book', file],
                      ['show', '--nodes', 5], ['show', '--out', file], ['verify', '--book', file], ['verify', '--fen', 'x']):
            folder.complaint(*words, status=2)
        for words, wanted in ((['build', '--out', file], 'another number of nodes'),
                              (['build', '--out', file, '--openings', 'none'], 'none'),
                              (['build', '--out', file, '--variant', 'russian'], 'another game'),
                              (['build', '--out', f'{path}/no/book', '--nodes', 20], 'No such file'),
                              (['verify', '--variant', 'russian', file], 'another game'),
                              (['verify', path], 'not an opening book'), (['verify', '/nowhere'], 'No such file'),
                              (['show', '--book', '/nowhere'], 'No such file')):
            check(wanted in folder.complaint(*words), words, wanted)
        check(file.read_bytes() == good, 'a refused book was changed')
        folder.book('verify', file)
        for bad in (good[:-1], good[:50], b'', good + b'x', good[:100] + bytes([good[100] ^ 4]) + good[101:]):
            file.write_bytes(bad)
            folder.complaint('verify', file)
            folder.complaint('build', '--out', file, '--nodes', 20)
            check(file.read_bytes() == bad, 'a bad book was changed')
            with Engine(folder, 'setoption name OwnBook value true') as engine:
                check('BookFile' in engine.error(f'setoption name BookFile value {file}'))
                check(engine.go('go depth 3').last().nodes == 0, 'a bad file took the book away')


def test_a_book_of_ones_own(folder):
    """Its first position is a leaf with one move, that of the book built in has seven."""
    with tempfile.TemporaryDirectory() as path:
        file = pathlib.Path(path) / 'book'
        folder.build(file, '--positions', 1)
        shown, _ = folder.book('show', '--book', file)
        with Engine(folder, 'setoption name OwnBook value true', 'setoption name BookVariety value 1000') as engine:
            engine.quiet(f'setoption name BookFile value {file}')
            check(len(shown) == 2 and {engine.go('go depth 1').best for _ in range(30)} == {shown[1].split()[0]}, shown)
            engine.quiet('setoption name BookFile value <default>')
            check(len({engine.go('go depth 1').best for _ in range(200)}) == 7, 'the one built in is not back')


def test_show_tells_what_is_played(folder):
    for game in HUB_START:
        shown, _ = folder.book('show', '--variant', game)
        moves = [line.split() for line in shown[1:]]
        check(shown[0].startswith(f'value {moves[0][1]}, searched ') and len(moves) == 7, shown)
        check([int(value) for _, value in moves] == sorted((int(value) for _, value in moves), reverse=True), shown)
        with Engine(folder, f'setoption name UCI_Variant value {game}', 'setoption name OwnBook value true') as engine:
            answer = engine.go('go movetime 20000')
            info = answer.last()
            check(answer.best == moves[0][0] == info.pv[0] and info.value == int(moves[0][1]), answer.lines)
            check(info.nodes == 0 and info.depth > len(info.pv) > 1 and answer.ponder == info.pv[1], answer.lines)
            engine.quiet(f'position startpos moves {answer.best}')
            check(engine.go('go movetime 20000').best == info.pv[1])
            # The line is one of legal moves.
            engine.quiet(f'position startpos moves {" ".join(info.pv)}')
    check(folder.book('show', '--fen', 'W:WK32:BK1')[0] == ['not in the book'])
    check(folder.book('show', '--variant', 'russian', 'a3-b4')[0][0].startswith('value'))


def test_uci_asks_for_a_search(folder):
    with Engine(folder, 'setoption name OwnBook value true') as engine:
        for line in ('go depth 4 searchmoves 9-13', 'go mate 1 depth 2'):
            check(engine.go(line).last().nodes > 0, line)
        engine.send('go infinite')
        engine.until('info depth [1-9].* nodes [1-9]')
        check(engine.go('stop').best)
        for option, value, usual in (('MultiPV', 2, 1), ('UCI_AnalyseMode', 'true', 'false'), ('OwnBook', 'false', 'true')):
            engine.quiet(f'setoption name {option} value {value}')
            check(engine.go('go depth 3').last().nodes > 0, option)
            engine.quiet(f'setoption name {option} value {usual}')
            check(engine.go('go depth 3').last().nodes == 0, option)
        engine.quiet('position fen W:WK5,K31:BK1')
        check(engine.go('go depth 3').last().nodes > 0)


def test_a_ponder_hit_is_answered_at_once(folder):
    """Neither earlier nor after a search, as the limits would have it."""
    with Engine(folder, 'setoption name OwnBook value true') as engine, Hub(folder, {'book': 'true'}) as hub:
        played = engine.go('go movetime 60000').best
        hub.send(f'pos pos={HUB_START["english"]}', 'level move-time=60')
        for end in ('ponderhit', 'stop'):
            engine.send('go ponder movetime 60000')
            before = engine.sync()
            check(not any(line.startswith('bestmove') for line in before), before)
            answer = engine.go(end)
            check(answer.best == played and client.Answer(before + answer.lines).last().nodes == 0, end, answer.lines)
            hub.send('go ponder')
            before = hub.sync()
            check(not any(line.startswith('done') for line in before), before)
            hub.send('ponder-hit' if end == 'ponderhit' else end)
            after = hub.until('done')
            check(hub_client.Answer(before + after).nodes == 0, end, after)


def test_variety(folder):
    with Engine(folder, 'setoption name OwnBook value true') as engine:
        check(len({engine.go('go depth 1').best for _ in range(20)}) == 1)
        engine.quiet('setoption name BookVariety value 1000')
        check(len({engine.go('go depth 1').best for _ in range(200)}) == 7)


def test_hub_plays_from_it(folder):
    for game, start in HUB_START.items():
        with Hub(folder, {'variant': game, 'book': 'true'}) as hub:
            answer = hub.search(start, 'move-time=20')
            check(answer.nodes == 0 and answer.move and answer.ponder, answer.lines)
            check(len({hub.search(start).move for _ in range(20)}) == 1)
            check(hub.search(start, 'depth=3', how='analyze').nodes > 0)
            check(hub.search(start).nodes == 0)
            # The margin is for so many first plies.
            hub.quiet('set-param name=book-margin value=1000')
            check(len({hub.search(start).move for _ in range(20)}) == 1)
            hub.quiet('set-param name=book-ply value=1')
            check(len({hub.search(start).move for _ in range(200)}) == 7)
            check(len({hub.search(start, moves=answer.move).move for _ in range(20)}) == 1)
            hub.quiet('set-param name=book value=false')
            check(hub.search(start, 'depth=3').nodes > 0)


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: run.py path/to/crownhead [part of a name]')
    sys.exit(tap.main([sys.modules['__main__']], Folder(sys.argv[1]), *sys.argv[2:]))
