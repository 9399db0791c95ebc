#!/usr/bin/env python3
"""Builds endgame databases, reads them, breaks them, and prints TAP.

usage: run.py path/to/crownhead [part of a test's name]

CROWNHEAD_TEST_PIECES is up to how many pieces they are built (4), CROWNHEAD_TEST_FLIPS how many bytes are
changed, one at a time (500), CROWNHEAD_TEST_KILLS how often a build is killed (20).
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'protocol'))

import tap
import test_egdb

if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: run.py path/to/crownhead [part of a name]')
    with test_egdb.Databases(sys.argv[1]) as databases:
        sys.exit(tap.main([test_egdb], databases, *sys.argv[2:], workers=1))
