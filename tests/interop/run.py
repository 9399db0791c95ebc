#!/usr/bin/env python3
"""Plays with foreign programs, which install.sh fetches, and prints TAP. CROWNHEAD_TEST_INTEROP=long plays more.

usage: run.py path/to/crownhead [part of a test's name]
"""

import os
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / 'protocol')]

import client
import tap
import test_pydraughts
import test_pydraughts_dxp
import test_rapid_draughts

# One module for each client.
MODULES = [test_pydraughts, test_pydraughts_dxp, test_rapid_draughts]


class Suite(client.Suite):
    """The program under test, and where its clients are."""

    def __init__(self, program):
        super().__init__(program)
        self.folder = pathlib.Path(os.environ.get('CROWNHEAD_INTEROP') or
                                   pathlib.Path(self.program).parent / 'interop').absolute()
        self.long = os.environ.get('CROWNHEAD_TEST_INTEROP') == 'long'

    def client(self, name):
        """The folder of a client; skips the test if it is not installed."""
        if not (self.folder / name).is_dir():
            raise tap.Skip(f'{name} is not installed, see tests/interop/install.sh')
        return self.folder / name


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: run.py path/to/crownhead [part of a name]')
    sys.exit(tap.main(MODULES, Suite(sys.argv[1]), *sys.argv[2:]))
