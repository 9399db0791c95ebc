#!/usr/bin/env python3
"""The way from games to a network, in small; prints TAP.

usage: run.py path/to/crownhead path/to/crownhead-train
"""

import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap
from tap import check

GAMES = ['english', 'russian']


class Folder:
    """The two programs."""

    def __init__(self, program, trainer):
        self.notes = threading.local()
        self.program, self.trainer = program, trainer

    def note(self, text):
        self.notes.lines.append(text)

    def run(self, *command, status=0, stdin=None):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False,
                              input=stdin)
        check(done.returncode == status, command, 'ended with', done.returncode, done.stderr[-500:])
        return done.stdout.splitlines(), done.stderr.splitlines()

    def selfplay(self, out, *words, status=0):
        return self.run(self.program, 'selfplay', '--nodes', 60, '--out', out, *words, status=status)


def test_training_lowers_the_loss(folder):
    for game in GAMES:
        with tempfile.TemporaryDirectory() as path:
            samples, network = pathlib.Path(path) / 'samples', pathlib.Path(path) / 'network'
            folder.selfplay(samples, '--variant', game, '--games', 6400, '--threads', 2)
            output, _ = folder.run(folder.trainer, '--variant', game, '--out', network, '--epochs', 4, samples)
            losses = [tuple(map(float, re.search(r'loss (\S+) validation (\S+)', line).groups())) for line in output[1:]]
            check(len(losses) == 4, output)
            check(losses[0][0] > losses[1][0] > losses[3][0] and losses[0][1] > losses[3][1], losses)
            again, _ = folder.run(folder.trainer, '--variant', game, '--out', f'{network}2', '--epochs', 4, '--threads',
                                  3, samples)
            check(again == output and network.read_bytes() == pathlib.Path(f'{network}2').read_bytes(), 'not the same')
            other = GAMES[1 - GAMES.index(game)]
            answer, errors = folder.run(folder.program, stdin=f'setoption name UCI_Variant value {game}\n'
                                        f'setoption name EvalFile value {network}\ngo depth 5\n')
            check(errors == [] and answer[-1].startswith('bestmove') and 'error' not in '\n'.join(answer), answer)
            answer, _ = folder.run(folder.program, stdin=f'setoption name UCI_Variant value {other}\n'
                                   f'setoption name EvalFile value {network}\ngo depth 5\n')
            check(any('another game' in line for line in answer), answer)


def test_known_wins_are_learned_by_their_distance(folder):
    """Two kings against one: what they are worth comes from databases of three pieces, and a near win is worth more."""
    near, far = 'W:WK15,K18:BK29', 'W:WK15,K18:BK1'  # won in 3 and in 19 plies
    with tempfile.TemporaryDirectory() as path:
        samples, databases = pathlib.Path(path) / 'samples', pathlib.Path(path) / 'databases'
        network = pathlib.Path(path) / 'network'
        databases.mkdir()
        for kind in ('wld', 'dtw'):
            folder.run(folder.program, 'egdb', 'build', '--variant', 'english', '--kind', kind, '--pieces', 3, '--out',
                       databases)
        folder.selfplay(samples, '--games', 640, '--threads', 2)
        train = [folder.trainer, '--variant', 'english', '--out', network, '--epochs', 4, '--scale', 300]
        odds = []
        for words in ([], ['--egdb', databases, '--endings', 50000]):
            folder.run(*train, *words, samples)
            answer, _ = folder.run(folder.program, stdin=f'setoption name EvalFile value {network}\n' +
                                   ''.join(f'position fen {fen}\neval\n' for fen in (near, far)))
            values = [int(number) for number in re.findall(r'Evaluation: (\S+)', '\n'.join(answer))]
            check(len(values) == 2, answer)
            odds.append([value / 300 for value in values])
        check(max(odds[0]) < 1.5 < odds[1][1] < odds[1][0] - 0.2 < 7, odds)
        for path_of, line in (('/nowhere', 'No such file'), (path, 'no databases (dtw)')):
            _, errors = folder.run(*train, '--egdb', path_of, samples, status=1)
            check(line in errors[0] and path_of in errors[-1], errors)
        _, errors = folder.run(*train, '--endings', 10, samples, status=1)
        check(len(errors) == 1 and '--egdb' in errors[0], errors)


def test_selfplay_goes_on_after_a_kill(folder):
    """With other numbers of threads the samples are the same, and in shards they are parts of the whole."""
    with tempfile.TemporaryDirectory() as path:
        whole, killed = pathlib.Path(path) / 'whole', pathlib.Path(path) / 'killed'
        folder.selfplay(whole, '--games', 640)
        for _ in range(4):
            process = subprocess.Popen([folder.program, 'selfplay', '--nodes', '60', '--out', str(killed), '--games',
                                        '640', '--threads', '2'], stdout=subprocess.DEVNULL)
            time.sleep(0.1)
            process.send_signal(signal.SIGKILL)
            process.wait()
        folder.selfplay(killed, '--games', 640)
        check(whole.read_bytes() == killed.read_bytes(), 'differs')
        parts = []
        for part in (1, 2):
            folder.selfplay(pathlib.Path(path) / f'part{part}', '--games', 320, '--shard', f'{part}/2')
            parts.append((pathlib.Path(path) / f'part{part}').read_bytes())
        check(sum(map(len, parts)) == len(whole.read_bytes()) + 64, 'shards')


def test_a_limit_of_file_sizes(folder):
    """It is told, and what is there is gone on with."""
    with tempfile.TemporaryDirectory() as path:
        file = pathlib.Path(path) / 'samples'
        limit = resource.RLIMIT_FSIZE
        hard = resource.getrlimit(limit)[1]
        done = subprocess.run([folder.program, 'selfplay', '--nodes', '60', '--games', '64', '--out', str(file)],
                              capture_output=True, text=True, timeout=600, check=False,
                              preexec_fn=lambda: resource.setrlimit(limit, (4096, hard)))
        check(done.returncode == 1 and 'File too large' in done.stderr, done.returncode, done.stderr)
        folder.selfplay(file, '--games', 64)
        good = file.read_bytes()
        folder.selfplay(pathlib.Path(path) / 'other', '--games', 64)
        check(good == (pathlib.Path(path) / 'other').read_bytes(), 'differs')
        file.write_bytes(good[:70] + bytes([good[70] ^ 1]) + good[71:])
        _, errors = folder.run(folder.trainer, '--variant', 'english', '--out', f'{file}.net', file, status=1)
        check(len(errors) == 1 and 'no samples' in errors[0], errors)
        check(not pathlib.Path(f'{file}.net').exists(), 'a network of nothing')


def test_bad_words(folder):
    with tempfile.TemporaryDirectory() as path:
        file = pathlib.Path(path) / 'samples'
        for words in (['--nodes', '0'], ['--games', 'x'], ['--shard', '3/2'], ['--shard', '1'], ['--variant', 'chess'],
                      ['more']):
            _, errors = folder.selfplay(file, *words, status=2)
            check(len(errors) == 1, words, errors)
        _, errors = folder.selfplay(file, '--eval', '/nowhere', status=1)
        check(len(errors) == 1 and '/nowhere' in errors[0], errors)
        file.write_bytes(b'something else')
        for words in ([], ['--variant', 'russian']):
            _, errors = folder.selfplay(file, *words, status=1)
            check(len(errors) == 1 and 'not a file of samples' in errors[0], errors)
        _, errors = folder.run(folder.trainer, '--variant', 'english', '--out', f'{file}.net', file, status=1)
        check(len(errors) == 1 and 'not a file of samples' in errors[0], errors)


if __name__ == '__main__':
    if len(sys.argv) not in (3, 4):
        sys.exit('usage: run.py path/to/crownhead path/to/crownhead-train [part of a name]')
    sys.exit(tap.main([sys.modules['__main__']], Folder(*sys.argv[1:3]), *sys.argv[3:], workers=1))
