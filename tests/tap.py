"""Runs the test_* functions of Python modules, each with a suite as its argument, and prints TAP."""

import concurrent.futures
import time
import traceback

WORKERS = 2


class Failure(Exception):
    """What a test found wrong."""


class Skip(Exception):
    """Why a test cannot be run here."""


def check(condition, *what):
    if not condition:
        raise Failure(' '.join(str(part) for part in what))


def tests(modules, wanted):
    for module in modules:
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
    except Skip as skip:
        verdict = 'ok', f' # SKIP {skip}'
    except Failure as failure:
        where = traceback.extract_tb(failure.__traceback__)
        line = next(frame.lineno for frame in reversed(where)
                    if not frame.filename.endswith(('/arena.py', 'client.py', '/tap.py')))
        suite.note(f'line {line}: {failure}')
        verdict = 'not ok', ''
    except Exception:  # pylint: disable=broad-except
        for line in traceback.format_exc().splitlines():
            suite.note(line)
        verdict = 'not ok', ''
    return *verdict, suite.notes.lines, time.monotonic() - begin


def main(modules, suite, wanted='', workers=WORKERS):
    """Runs the tests whose names contain the wanted text; the exit status. The suite keeps notes by thread."""
    chosen = list(tests(modules, wanted))
    failed = 0

    print(f'1..{len(chosen)}')
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(run, suite, function) for _, function in chosen]
        for number, ((name, _), future) in enumerate(zip(chosen, futures), 1):
            verdict, skip, notes, seconds = future.result()
            failed += verdict != 'ok'
            print(f'{verdict} {number} - {name}{skip}')
            for note in notes + [f'{seconds:.2f} s']:
                print('#', note[:1000].replace('\n', ' '), flush=True)
    return 1 if failed else 0
