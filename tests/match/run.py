#!/usr/bin/env python3
"""Runs whole matches and prints TAP.

usage: run.py path/to/crownhead [part of a test's name]
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import arena
import tap
import test_faults
import test_host
import test_levels
import test_match
import test_resume

MODULES = [test_match, test_resume, test_faults, test_host, test_levels]

if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: run.py path/to/crownhead [part of a name]')
    sys.exit(tap.main(MODULES, arena.Arena(sys.argv[1]), *sys.argv[2:]))
