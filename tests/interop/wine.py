#!/usr/bin/env python3
"""Runs programs and libraries for Windows under wine and prints TAP.

usage: wine.py EGDB_FOLDER cb_play.exe crownhead-cb-host.exe GAMETYPE=LIBRARY...
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap
from tap import Skip, check

PATIENCE = 120.0


class Suite:
    """The programs, and a wine of their own."""

    def __init__(self, databases, play, host, libraries, folder):
        self.databases, self.play, self.host = pathlib.Path(databases), play, host
        self.libraries = [text.split('=', 1) for text in libraries]
        self.environment = os.environ | {'WINEPREFIX': folder, 'WINEDEBUG': '-all', 'WINEDLLOVERRIDES': 'mscoree,mshtml='}
        self.notes = threading.local()
        self.machine = '64' if is_64_bit(play) else '32'
        self.wine = find_wine(self.machine)

    def note(self, text):
        self.notes.lines.append(text)

    def run(self, *command, text=''):
        if self.wine is None:
            raise Skip(f'there is no wine for {self.machine}-bit programs')
        done = subprocess.run([self.wine, *command], input=text, capture_output=True, text=True, timeout=PATIENCE,
                              env=self.environment, check=False)
        return done.stdout.splitlines(), done.returncode

    def close(self):
        if self.wine is not None:
            server = shutil.which('wineserver') or str(pathlib.Path(self.wine).with_name('wineserver'))
            subprocess.run([server, '-k', '-w'], env=self.environment, check=False, timeout=PATIENCE)


def is_64_bit(program):
    """By the machine that the header names."""
    data = pathlib.Path(program).read_bytes()
    header = int.from_bytes(data[60:64], 'little')
    return data[header + 4:header + 6] == b'\x64\x86'


def find_wine(bits):
    names = ['wine64'] if bits == '64' else ['wine32', 'wine']
    for name in names:
        for path in (shutil.which(name), f'/usr/lib/wine/{name}'):
            if path and os.access(path, os.X_OK):
                return path
    return None


def test_checkerboard_calls_the_library(suite):
    """What cb_play checks: replies, a game, times."""
    for gametype, library in suite.libraries:
        lines, status = suite.run(suite.play, library, gametype)
        for line in lines:
            suite.note(line)
        results = [line for line in lines if line.startswith(('ok ', 'not ok '))]
        check(status == 0 and len(results) == 9 and lines[0] == '1..9', library, status, results)
        check(not [line for line in results if line.startswith('not ok')], library, results)


def test_the_host_plays(suite):
    for gametype, library in suite.libraries:
        game = {'21': 'english', '25': 'russian'}[gametype]
        lines, status = suite.run(suite.host, library, text='uci\nposition startpos\ngo movetime 200\n')
        check(status == 0 and 'uciok' in lines, status, lines)
        check(any(line.startswith(f'option name UCI_Variant type combo default {game} ') for line in lines), lines)
        check(lines[-1].startswith('bestmove ') and '(none)' not in lines[-1], lines)


def test_databases_beside_the_library(suite):
    """As the package has them."""
    databases = sorted(suite.databases.glob('*.wld'))
    if not databases:
        raise Skip(f'there are no databases in {suite.databases}')
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / 'crownhead' / 'egdb'
        place.mkdir(parents=True)
        for path in databases:
            shutil.copy(path, place)
        library = shutil.copy(suite.libraries[0][1], folder)
        lines, _ = suite.run(suite.host, library, text='position fen W:WK19,K23,32:B12,K28\ngo movetime 200\n')
        check(any(re.search(r' db [1-9]', line) for line in lines), lines)


def test_a_library_that_is_none(suite):
    lines, status = suite.run(suite.host, suite.play)
    check(status == 1 and not lines, status, lines)


def main():
    if len(sys.argv) < 5:
        sys.exit('usage: wine.py EGDB_FOLDER cb_play.exe crownhead-cb-host.exe GAMETYPE=LIBRARY...')
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        suite = Suite(*sys.argv[1:4], sys.argv[4:], folder)
        try:
            return tap.main([sys.modules[__name__]], suite, workers=1)
        finally:
            suite.close()


if __name__ == '__main__':
    sys.exit(main())
