"""Levels of strength over the wire."""

from client import Engine, check

LEVEL = 'setoption name UCI_LimitStrength value true'
FORCED = 'position fen W:W26,30:B23'  # one capture and nothing else
WON = 'position fen B:WK32:BK1,K2,K3'


def elo(value):
    return f'setoption name UCI_Elo value {value}'


def test_a_level_limits_every_go_that_plays(suite):
    with Engine(suite, LEVEL, elo(1200)) as engine:
        for line in ('go nodes 100000', 'go depth 30', 'go movetime 20000', 'go wtime 900000 btime 900000', 'go mate 9'):
            check(engine.go(line).last(bounds=True).nodes < 1000, line)
        # The stricter limit binds.
        check(engine.go('go depth 1').last().depth == 1)
        engine.quiet(elo(2330))
        check(engine.go('go nodes 500').last(bounds=True).nodes <= 501)


def test_who_analyses_gets_everything(suite):
    with Engine(suite, 'ucinewgame') as engine:
        full = engine.go('go nodes 20000').last(bounds=True).nodes
        engine.quiet(LEVEL, elo(1000), 'setoption name UCI_AnalyseMode value true', 'ucinewgame')
        check(engine.go('go nodes 20000').last(bounds=True).nodes == full)
        engine.quiet('setoption name UCI_AnalyseMode value false')
        check(engine.go('go nodes 20000').last(bounds=True).nodes < 1000)
        engine.send('go infinite')
        engine.until('info depth 12')
        engine.send('stop')
        engine.until('bestmove')


def test_a_level_is_weak_in_the_time_of_the_other_side_too(suite):
    with Engine(suite, LEVEL, elo(1200)) as engine:
        engine.sync()
        engine.send('go ponder wtime 60000 btime 60000')
        engine.sync()
        engine.send('ponderhit')
        lines = engine.until('bestmove')
        nodes = [int(line.split(' nodes ')[1].split()[0]) for line in lines if ' nodes ' in line]
        check(all(count < 1000 for count in nodes), lines)


def test_seeds(suite):
    def moves(*lines):
        with Engine(suite, LEVEL, elo(800), *lines) as engine:
            return [engine.go('go movetime 10000').best for _ in range(12)]
    first = moves('setoption name Level Seed value 5')
    check(len(set(first)) > 1, first)
    check(first == moves('setoption name Level Seed value 5'))
    check(first == moves('setoption name Level Seed value 5', 'setoption name Threads value 4',
                         'setoption name Hash value 1'))
    check(first != moves('setoption name Level Seed value 6'))
    check(len({tuple(moves()) for _ in range(3)}) > 1, 'the clock gives no seed')


def test_a_forced_move_is_played_at_once(suite):
    with Engine(suite, FORCED, LEVEL, elo(2330)) as engine:
        check(engine.go('go movetime 20000').last().depth == 1)


def test_a_low_level_does_not_know_the_databases(suite):
    with Engine(suite, WON, LEVEL, elo(1000)) as engine:
        check(' tbhits 0 ' in engine.go('go nodes 1000').lines[-2])
        engine.quiet(elo(2330))
        answer = engine.go('go nodes 1000')
        check(' tbhits 0 ' not in answer.lines[-2] and answer.last().kind == 'mate', answer.lines)
