#!/usr/bin/env python3
"""Runs the scripted sessions against an engine and prints TAP.

usage: run.py path/to/crownhead [part of a test's name]
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import client
import tap
import test_go
import test_levels
import test_lines
import test_options
import test_position
import test_search

MODULES = [test_search, test_lines, test_position, test_options, test_go, test_levels]

if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: run.py path/to/crownhead [part of a name]')
    sys.exit(tap.main(MODULES, client.Suite(sys.argv[1]), *sys.argv[2:]))
