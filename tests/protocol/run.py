#!/usr/bin/env python3
"""Runs the scripted sessions against an engine and prints TAP.

usage: run.py path/to/crownhead [part of a test's name]
"""

import concurrent.futures
import sys
import time
import traceback

import client
import test_go
import test_lines
import test_options
import test_position
import test_search

WORKERS = 2

MODULES = [test_search, test_lines, test_position, test_options, test_go]


def tests(wanted):
    for module in MODULES:
        for name, function in vars(module).items():
            if name.startswith('test_') and callable(function) and wanted in name:
                yield name[len('test_'):], function


def run(suite, function):
    """The verdict and the notes of a test."""
    suite.notes.lines = []
    begin = time.monotonic()
    try:
        function(suite)
        verdict = 'ok', ''
    except client.Skip as skip:
        verdict = 'ok', f' # SKIP {skip}'
    except client.Failure as failure:
        where = traceback.extract_tb(failure.__traceback__)
        line = next(frame.lineno for frame in reversed(where) if not frame.filename.endswith('/client.py'))
        suite.note(f'line {line}: {failure}')
        verdict = 'not ok', ''
    except Exception:  # pylint: disable=broad-except
        for line in traceback.format_exc().splitlines():
            suite.note(line)
        verdict = 'not ok', ''
    return *verdict, suite.notes.lines, time.monotonic() - begin


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: run.py path/to/crownhead [part of a name]')
    suite = client.Suite(sys.argv[1])
    chosen = list(tests(sys.argv[2] if len(sys.argv) > 2 else ''))
    failed = 0

    print(f'1..{len(chosen)}')
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        futures = [pool.submit(run, suite, function) for _, function in chosen]
        for number, ((name, _), future) in enumerate(zip(chosen, futures), 1):
            verdict, skip, notes, seconds = future.result()
            failed += verdict != 'ok'
            print(f'{verdict} {number} - {name}{skip}')
            for note in notes + [f'{seconds:.2f} s']:
                print('#', note[:1000].replace('\n', ' '), flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
