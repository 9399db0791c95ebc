#!/usr/bin/env python3
"""Runs the scripted sessions of the Hub protocol against an engine and prints TAP.

usage: run.py path/to/crownhead [part of a test's name]
"""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / 'protocol')]

import client
import tap
import test_hub_lines
import test_hub_params
import test_hub_position
import test_hub_search

MODULES = [test_hub_search, test_hub_lines, test_hub_position, test_hub_params]

if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: run.py path/to/crownhead [part of a name]')
    sys.exit(tap.main(MODULES, client.Suite(sys.argv[1]), *sys.argv[2:]))
