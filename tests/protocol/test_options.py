"""Options over the wire; what each text is answered is the business of the unit test."""

import os
import re
import tempfile
import time

from client import ERROR, Engine, Skip, check


def test_P14_values_out_of_range(suite):
    with Engine(suite) as engine:
        for value in ('99999999', '99999999999', '0', '-1', '1e3', '18446744073709551616', 'abc', ''):
            check('Hash' in engine.error(f'setoption name Hash value {value}'), value)
        for value in ('0', '257', '100000', 'x'):
            check('Threads' in engine.error(f'setoption name Threads value {value}'), value)
        for line in ('setoption', 'setoption Hash 5', 'setoption name', 'setoption name Foo',
                     'setoption name Hash', 'setoption name Foo Bar value 3',
                     'setoption name Ponder value yes',
                     'setoption name UCI_Variant value chess'):
            engine.error(line)
        engine.quiet('setoption name Threads value 256', 'setoption name Threads value 2',
                     'setoption   name  hash\tvalue  8 ', 'setoption name CLEAR HASH')
        check(engine.go('go depth 4').best in engine.moves())


def test_P15_options_in_a_search(suite):
    with Engine(suite, 'go infinite') as engine:
        time.sleep(0.05)
        engine.send('setoption name Hash value 64', 'setoption name Threads value 2',
                    'setoption name Clear Hash', 'ucinewgame', 'stop')
        lines = engine.until('bestmove')
        check(sum(line.startswith(ERROR) for line in lines) == 4, lines)
        engine.quiet('setoption name Hash value 16', 'setoption name Threads value 2')
        check(engine.go('go depth 4').best in engine.moves())


def test_P22_another_game(suite):
    with Engine(suite) as engine:
        for _ in range(2):
            engine.quiet('setoption name Variant value russian', 'position fen B:W26,27:B24')
            answer = engine.go('go depth 8')
            check(answer.best in engine.moves() and answer.best.count('x') == 2, answer.lines)
            engine.quiet('setoption name UCI_Variant value english')
            check(engine.show()['Fen'].startswith('B:W21'), 'the other game does not begin at its start')
            engine.quiet('position fen B:W26,27:B24')
            answer = engine.go('go depth 8')
            check(answer.best == '24x31', answer.lines)


def test_draw_rules(suite):
    with Engine(suite) as engine:
        engine.quiet('position fen W:WK1:BK32:H80:F60')
        check(engine.show()['Result'].startswith('1/2-1/2'))
        engine.quiet('setoption name DrawRules value web')
        check(engine.show()['Result'] == '*')
        engine.quiet('position fen W:WK1:BK32:H100:F60')
        check(engine.show()['Result'].startswith('1/2-1/2'))
        engine.quiet('position fen W:WK1:BK32:H80:F60', 'setoption name DrawRules value official')
        check(engine.show()['Result'].startswith('1/2-1/2'))


def test_draw_rules_go_by_what_was_counted(suite):
    rules = 'setoption name DrawRules value'
    web = '1/2-1/2 (50 moves each without a capture)'
    with Engine(suite) as engine:
        # A man's move begins the official count anew, not that of the plies without a capture.
        for plies, result in ((97, '*'), (98, web)):
            for _ in range(2):
                engine.quiet(f'{rules} official',
                             f'position fen W:WK1,21:BK32:H{plies}:F60 moves 21-17 32-27')
                shown = engine.show()
                check(shown['Result'] == '*' and ':H1:' in shown['Fen'], shown)
                engine.quiet(f'{rules} web')
                check(engine.show()['Result'] == result, plies, engine.show())
                check(engine.show()['Fen'] == shown['Fen'], shown)
        # A capture in the game does, wherever the rules change.
        engine.quiet('position fen W:WK1,21:B17,K32:H99:F60 moves 21x14 32-27')
        check(engine.show()['Result'] == '*')
        engine.quiet(f'{rules} official')
        check(engine.show()['Result'] == '*')
        # Two against one: 5 moves each since the promotion, though the man had moved under other rules.
        engine.quiet('setoption name UCI_Variant value russian', f'{rules} web',
                     'position fen W:WKb8,a3:BKg1:H8:F60 moves a3b4 g1h2', f'{rules} official')
        shown = engine.show()
        check(shown['Result'].startswith('1/2-1/2 (5 moves each') and ':H1:' in shown['Fen'], shown)


def test_log_file(suite):
    with tempfile.TemporaryDirectory() as folder, Engine(suite) as engine:
        path = os.path.join(folder, 'a log')
        engine.quiet(f'setoption name Log File value {path}')
        engine.go('go depth 2')
        for bad in (folder, os.path.join(folder, 'no', 'log')):
            check('Log File' in engine.error(f'setoption name Log File value {bad}'))
        engine.quiet('setoption name Log File value <empty>')
        engine.ask('uci')
        with open(path, encoding='ascii') as file:
            lines = file.read().splitlines()
        for line in lines:
            check(re.match(r'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [<>] ', line), line)
        texts = [line[24:] for line in lines]
        check(texts[:3] == ['> isready', '< readyok', '> go depth 2'], texts)
        check(any(text.startswith('< bestmove') for text in texts), texts)
        check(not any('uciok' in text for text in texts), texts)


def test_log_that_cannot_be_written(suite):
    if not os.path.exists('/dev/full'):
        raise Skip('there is no /dev/full')
    with Engine(suite) as engine:
        answer = engine.ask('setoption name Log File value /dev/full')
        check(len(answer) == 1 and answer[0].startswith(ERROR) and 'Log File' in answer[0], answer)
        check(engine.go('go depth 3').errors == [])


def test_log_into_a_pipe_that_nobody_reads(suite):
    with tempfile.TemporaryDirectory() as folder, Engine(suite) as engine:
        path = os.path.join(folder, 'pipe')
        os.mkfifo(path)
        check('Log File' in engine.error(f'setoption name Log File value {path}'))
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        engine.quiet(f'setoption name Log File value {path}')
        os.close(reader)
        answer = engine.sync()
        check(sum(line.startswith(ERROR) for line in answer) == 1, answer)
        check(engine.go('go depth 3').errors == [])


def test_B07_little_memory(suite):
    if suite.sanitized:
        raise Skip('sanitizers need all of the address space')
    command = ['sh', '-c', 'ulimit -v 200000 && exec "$0"', suite.program]
    with Engine(suite, command=command) as engine:
        for _ in range(2):
            check('Hash' in engine.error('setoption name Hash value 4096'))
            check(engine.go('go depth 5').best in engine.moves())
        engine.quiet('setoption name Hash value 8')
        check(engine.go('go depth 5').best in engine.moves())


def test_F01_a_large_table_is_ready_when_it_says_so(suite):
    megabytes = 64 if suite.sanitized else 1024
    with Engine(suite, f'setoption name Hash value {megabytes}', 'ucinewgame') as engine:
        engine.quiet('position startpos')
        for _ in range(2):
            begin = time.monotonic()
            engine.go('go wtime 100 btime 100')
            seconds = time.monotonic() - begin
            suite.note(f'100 ms on the clock: move after {seconds * 1000:.0f} ms')
            check(seconds < 5, seconds)
            begin = time.monotonic()
            engine.quiet('ucinewgame')
            suite.note(f'ucinewgame after a search: {(time.monotonic() - begin) * 1000:.0f} ms')
        begin = time.monotonic()
        engine.quiet(*['ucinewgame'] * 200)
        seconds = time.monotonic() - begin
        suite.note(f'200 times ucinewgame without use: {seconds * 1000:.0f} ms')
        check(seconds < 10, seconds)
