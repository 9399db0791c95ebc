#!/usr/bin/env python3
"""Plays by DXP against scripted peers and against itself, and prints TAP.

usage: run.py path/to/crownhead [part of a test's name]

CROWNHEAD_TEST_DXP_GAMES is how many games the program plays against itself, CROWNHEAD_TEST_DXP_FRAMES how many
random messages it is sent.
"""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / 'protocol')]

import client
import tap
import test_dxp_command
import test_dxp_exchange
import test_dxp_faults
import test_dxp_games

MODULES = [test_dxp_games, test_dxp_exchange, test_dxp_faults, test_dxp_command]

if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: run.py path/to/crownhead [part of a name]')
    sys.exit(tap.main(MODULES, client.Suite(sys.argv[1]), *sys.argv[2:]))
