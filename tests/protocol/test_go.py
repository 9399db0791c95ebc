"""go, its limits, and what may happen while it runs."""

import time

from client import ERROR, Answer, Engine, check


def test_isready_and_others_in_a_search(suite):
    with Engine(suite) as engine:
        worst = 0.0
        engine.sync()
        engine.send('go infinite')
        for _ in range(20):
            begin = time.monotonic()
            engine.send('isready')
            engine.until('readyok$')
            worst = max(worst, time.monotonic() - begin)
            time.sleep(0.01)
        suite.note(f'isready in a search: {worst * 1000:.2f} ms at worst')
        check(worst < 5, worst)
        check(any(line.startswith('Fen: ') for line in engine.ask('d')))
        check(any(line.startswith('Evaluation: ') for line in engine.ask('eval')))
        check('uciok' in engine.ask('uci'))
        engine.send('stop')
        engine.until('bestmove')


def test_stop_is_answered_at_once(suite):
    worst = 0.0
    with Engine(suite) as engine:
        engine.sync()
        for _ in range(20):
            engine.send('go infinite')
            time.sleep(0.02)
            begin = time.monotonic()
            engine.send('stop')
            engine.until('bestmove')
            worst = max(worst, time.monotonic() - begin)
    suite.note(f'stop: {worst * 1000:.2f} ms at worst')
    check(worst < 5, worst)


def test_P04_nothing_to_stop(suite):
    with Engine(suite) as engine:
        check('uciok' in engine.ask('uci'))
        engine.quiet('stop', 'stop', 'ponderhit', 'ponderhit')
        engine.go('go depth 3')
        engine.quiet('stop', 'ponderhit', 'stop')


def test_P05_commands_in_a_search(suite):
    with Engine(suite, 'position startpos') as engine:
        for _ in range(1000):
            engine.send('go infinite', 'position fen W:WK29:BK25', 'go depth 4', 'isready', 'stop')
            lines = engine.until('bestmove')
            check(sum(line.startswith(ERROR) for line in lines) == 2 and lines.count('readyok') == 1, lines)
            check('bestmove' not in ' '.join(lines[:-1]), lines)
            check(Answer([line for line in lines if line != 'readyok']).best.split('-')[0] in
                  ('9', '10', '11', '12'), lines)
        engine.quiet('position fen W:WK29:BK25')
        check(engine.go('go depth 4').best == '29x22')


def test_an_answered_search_is_over(suite):
    with Engine(suite) as engine:
        for round_ in range(500):
            engine.send('go depth 1' if round_ % 2 else 'go nodes 1')
            lines = engine.until('bestmove')
            check(not any(line.startswith(ERROR) for line in lines), round_, lines)
            engine.send('position startpos' if round_ % 4 else 'ucinewgame')
        for round_ in range(200):
            engine.send('perft 2')
            lines = engine.until('Nodes searched: 49$')
            check(not any(line.startswith(ERROR) for line in lines), round_, lines)


def test_what_follows_stop_finds_the_engine_idle(suite):
    with Engine(suite) as engine:
        for _ in range(200):
            engine.send('go infinite', 'stop', 'position startpos moves 11-15', 'go infinite', 'stop',
                        'position startpos', 'perft 30', 'stop', 'setoption name Clear Hash')
            lines = engine.sync()
            check(sum(line.startswith('bestmove') for line in lines) == 2, lines)
            check(not any(line.startswith(ERROR) for line in lines), lines)


def test_each_go_has_one_bestmove(suite):
    with Engine(suite) as engine:
        for limits in ('depth 2', 'nodes 500', 'movetime 5', 'depth 3 nodes 100 movetime 100',
                       'wtime 100 btime 100', 'btime 50 wtime 50 binc 5 winc 5 movestogo 3',
                       'searchmoves 9-13 depth 2', 'mate 1 depth 3'):
            engine.go(f'go {limits}')
            check(not engine.sync(), limits)
            engine.quiet('stop')


def test_P12_odd_limits(suite):
    with Engine(suite, 'position startpos') as engine:
        moves = engine.moves()
        for limits, errors in (('movetime 0', 0), ('movetime -5', 0), ('depth 0', 0), ('depth -1', 0),
                               ('nodes 0', 0), ('nodes -1', 0), ('wtime -5 btime 0 winc 20 binc 20', 0),
                               ('movestogo 0 wtime 100', 0), ('movestogo 0 wtime 100 btime 100', 0),
                               ('wtime abc', 1), ('depth abc', 1), ('depth', 1), ('depth nodes 100', 1),
                               ('movetime', 1), ('nodes 1e3', 1), ('btime 0 wtime 0', 0),
                               ('binc 10 winc 10', 0), ('movestogo 5', 0),
                               ('btime 10 wtime 10 binc -5 winc -5 movestogo -1', 0),
                               ('foo depth 2', 1), ('depth 2 foo bar', 1),
                               ('depth 1 nodes 99999999999999999999999999', 0)):
            begin = time.monotonic()
            answer = engine.go(f'go {limits}')
            check(answer.best in moves and len(answer.errors) == errors, limits, answer.lines)
            check(time.monotonic() - begin < 10, limits)
        check(len(engine.go('go depth 0').infos) >= 1)
        # The bound on the depth is far beyond reach here.
        for limits in ('depth 99999', 'depth 99999999999999999999', 'movetime 99999999999999999999',
                       'btime 99999999999999999999 wtime 99999999999999999999 binc 99999999999999999999'):
            engine.send(f'go {limits}')
            time.sleep(0.1)
            engine.send('stop')
            check(Answer(engine.until('bestmove')).best in moves, limits)


def test_go_that_is_not_understood(suite):
    with Engine(suite) as engine:
        for line, token in (('go foo', 'foo'), ('go think bar', 'think'), ('go perft x', 'x'), ('go 5', '5')):
            check(f"'{token}'" in engine.error(line), line)
        engine.send('go foo infinite')
        engine.until(ERROR)
        engine.send('stop')
        engine.until('bestmove')


def test_go_without_limits_is_infinite(suite):
    with Engine(suite, 'position fen B:W17:B14') as engine:
        for line in ('go', 'go infinite', 'go infinite depth 1', 'go searchmoves 14x21', 'go ponder depth 1',
                     'go ponder', 'go ponder movetime 1'):
            engine.send(line)
            time.sleep(0.1)
            check(not any(said.startswith('bestmove') for said in engine.sync()), line)
            engine.send('stop')
            check(engine.until('bestmove')[-1].split()[1] == '14x21', line)


def test_ponderhit(suite):
    with Engine(suite, 'position startpos') as engine:
        for limits in ('ponder depth 3', 'ponder nodes 1000', 'ponder movetime 50',
                       'ponder wtime 500 btime 500', 'wtime 0 btime 0 ponder'):
            engine.send(f'go {limits}')
            time.sleep(0.1)
            check(not any(line.startswith('bestmove') for line in engine.sync()), limits)
            engine.send('ponderhit')
            check(engine.until('bestmove'), limits)
        # One that was never hit, and one hit without a limit, are stopped.
        for extra in ([], ['ponderhit']):
            engine.send('go ponder', *extra)
            engine.send('stop')
            check(len([line for line in engine.sync() if line.startswith('bestmove')]) == 1)
        lines, status = suite.run('go ponder\nponderhit\n')
        check(status == 0 and lines[-1].startswith('bestmove'), lines)
        lines, status = suite.run('go ponder depth 4\nponderhit\n')
        check(status == 0 and Answer(lines).infos[-1].depth >= 4, lines)


def test_P10_no_legal_move(suite):
    with Engine(suite) as engine:
        for fen in ('W:W12:B3,8', 'W:W:B21', 'W:W:B', 'B:W17:B'):
            engine.quiet(f'position fen {fen}')
            for limits in ('depth 5', 'movetime 100', 'nodes 0', 'wtime 0 btime 0',
                           'searchmoves 9-13 mate 2'):
                answer = engine.go(f'go {limits}')
                check(answer.best == '(none)' and answer.infos[-1].kind == 'mate', fen, answer.lines)
                check(answer.infos[-1].value == 0 and answer.infos[-1].pv == [], fen, answer.lines)
            engine.send('go infinite')
            check(not any(line.startswith('bestmove') for line in engine.sync()), fen)
            engine.send('stop')
            check(engine.until('bestmove')[-1] == 'bestmove (none)', fen)
            engine.send('perft 3')
            check(engine.until('Nodes searched')[-1] == 'Nodes searched: 0', fen)
            lines, status = suite.run(f'position fen {fen}\ngo infinite\n')
            check(status == 0 and lines[-1] == 'bestmove (none)', lines)


def test_searchmoves(suite):
    with Engine(suite, 'position startpos') as engine:
        moves = engine.moves()
        for move in moves:
            check(engine.go(f'go searchmoves {move} depth 3').best == move)
        answer = engine.go('go depth 3 searchmoves 9-13 12-16')
        check(answer.best in ('9-13', '12-16') and not answer.errors, answer.lines)
        answer = engine.go('go searchmoves 9-13 1-5 foo 9-13 depth 3')
        check(answer.best == '9-13' and len(answer.errors) == 2, answer.lines)
        check('1-5' in answer.errors[0] and 'foo' in answer.errors[1], answer.errors)
        answer = engine.go('go searchmoves foo depth 3')
        check(answer.best in moves and len(answer.errors) == 1, answer.lines)
        check(engine.go('go searchmoves depth 3').best in moves)


def test_perft(suite):
    with Engine(suite) as engine:
        for variant, counts in (('english', (1, 7, 49, 302, 1469, 7361)),
                                ('russian', (1, 7, 49, 302, 1469, 7482))):
            engine.quiet(f'setoption name UCI_Variant value {variant}')
            moves = engine.moves()
            for depth, count in enumerate(counts):
                for command in ('go perft', 'perft'):
                    engine.send(f'{command} {depth}')
                    lines = engine.until('Nodes searched: ')
                    check(lines[-1] == f'Nodes searched: {count}', variant, lines)
                    rows = [line.split(': ') for line in lines[:-1]]
                    check(depth == 0 or sorted(row[0] for row in rows) == sorted(moves), rows)
                    check(depth == 0 or sum(int(row[1]) for row in rows) == count, rows)
        engine.send('go perft 40')
        time.sleep(0.1)
        engine.error('position startpos')
        begin = time.monotonic()
        engine.send('stop')
        lines = engine.sync()
        suite.note(f'perft stopped after {(time.monotonic() - begin) * 1000:.1f} ms')
        check(not any('Nodes' in line or 'bestmove' in line for line in lines), lines)
        engine.quiet('position startpos')


def test_bench_can_be_stopped(suite):
    with Engine(suite, 'bench 60') as engine:
        time.sleep(0.1)
        engine.error('go depth 1')
        engine.send('stop')
        engine.sync()
        check(engine.go('go depth 2').best in engine.moves())


def test_mate(suite):
    with Engine(suite, 'position fen B:W17:B14') as engine:
        check(engine.go('go mate 1').best == '14x21')
