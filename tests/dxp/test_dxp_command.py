"""The command line."""

import subprocess

from client import PATIENCE
from dxp_peer import Listener
from tap import check

USAGE = [
    [],
    ['--listen', '0', '--connect', 'localhost:1'],
    ['--listen', '0', 'more'],
    ['--listen', '0', '--unknown'],
    ['--listen', '0', '--variant', 'chess'],
    ['--listen', '0', '--games', '0'],
    ['--listen', '0', '--hash', '-1'],
    ['--listen', '0', '--threads', 'many'],
    ['--listen', '0', '--patience', '0'],
    ['--listen', '0', '--movetime', '1s'],
    ['--listen', '0', '--variety', '1001'],
    ['--listen', '0', '--elo', '1'],
    ['--listen', '0', '--initiator', '--follower'],
    ['--listen', '0', '--time', '5'],
    ['--listen', '0', '--fen', 'B:W32:B1'],
    ['--connect', 'localhost:1', '--time', '1000'],
    ['--connect', 'localhost:1', '--moves', '1000'],
    ['--connect', 'localhost:1', '--fen', 'nonsense'],
]

FAILS = [
    ['--listen', ''],
    ['--listen', 'port'],
    ['--listen', '65536'],
    ['--listen', ':1'],
    ['--connect', '1'],
    ['--connect', 'localhost'],
    ['--connect', '127.0.0.1:1'],
    ['--listen', '0', '--book-file', '/nowhere'],
]


def run(suite, arguments):
    done = subprocess.run([suite.program, 'dxp', *arguments], capture_output=True, text=True, timeout=PATIENCE,
                          check=False)
    return done.returncode, done.stdout, done.stderr.splitlines()


def test_bad_arguments(suite):
    for status, cases in ((2, USAGE), (1, FAILS)):
        for arguments in cases:
            found, out, errors = run(suite, arguments)
            check(found == status and len(errors) == 1 and not out, arguments, found, errors, out)


def test_port_in_use(suite):
    with Listener(suite) as program:
        status, _, errors = run(suite, ['--listen', str(program.port)])
        check(status == 1 and len(errors) == 1 and 'in use' in errors[0], status, errors)
        program.still_plays()


def test_help(suite):
    status, out, errors = run(suite, ['--help'])
    check(status == 0 and '--listen' in out and not errors, status, errors)
