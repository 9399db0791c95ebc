"""The host of CheckerBoard engines: a client's commands reach the library, and its faults reach the client."""

import signal
import time

from tap import check

def options_of(lines):
    return [line for line in lines if line.startswith('option name ')]


def test_introduction(suite):
    with suite.host() as engine:
        lines = engine.ask('uci')
        check(lines[0].startswith('id name Crownhead ') and lines[-1] == 'uciok', lines)
        options = options_of(lines)
        for option in ('Hash type spin default 64', 'Threads type spin default 1', 'EndgamePath type string',
                       'Book type spin', 'UCI_Variant type combo default english var english var russian'):
            check(any(line.startswith('option name ' + option) for line in options), option, options)


def test_options_are_passed_on(suite):
    with suite.host() as engine:
        engine.quiet('setoption name hash value 8', 'setoption name Threads value 2', 'setoption name Book value 1',
                     'setoption name EndgamePath value <empty>')
        lines = engine.ask('uci')
        check('option name Hash type spin default 8 min 1 max 65536' in lines, lines)
        check('option name Threads type spin default 2 min 1 max 256' in lines, lines)
        check('Book' in engine.error('setoption name Book value 4'))
        check('nowhere' in engine.error('setoption name EndgamePath value /nowhere'))
        check('room' in engine.error('setoption name EndgamePath value /' + 'long/' * 100))
        check('unknown option' in engine.error('setoption name MultiPV value 4'))
        check('games' in engine.error('setoption name UCI_Variant value italian'))


def test_moves_in_both_games(suite):
    with suite.host() as engine:
        for game, moves, best in (('english', '9-14 23-18', '14x23'), ('russian', 'c3-d4 f6-e5', 'd4xf6')):
            engine.quiet(f'setoption name UCI_Variant value {game}', 'ucinewgame',
                         f'position startpos moves {moves}')
            answer = engine.go('go movetime 50')
            check(best in answer.best, answer.lines)
            check(any('info string depth ' in line for line in answer.lines), answer.lines)


def test_circular_capture(suite):
    with suite.host() as engine:
        engine.quiet('position fen B:W6,7,14,15:BK2')
        best = engine.go('go movetime 20').best
        check(best in ('2x9x18x11x2', '2x11x18x9x2'), best)


def test_stop_and_commands_in_between(suite):
    with suite.host() as engine:
        engine.quiet('position startpos')
        engine.send('go infinite')
        time.sleep(0.2)
        check('refused' in ' '.join(engine.ask('position startpos')))
        check('refused' in ' '.join(engine.ask('go depth 1')))
        engine.send('stop')
        engine.until('bestmove ')
        engine.quiet('stop', 'position startpos')
        engine.send('go ponder wtime 100 btime 100')
        time.sleep(0.2)
        engine.send('ponderhit')
        engine.until('bestmove ')


def test_no_move_and_bad_positions(suite):
    with suite.host() as engine:
        engine.quiet('position fen W:W:B1')
        check(engine.go('go movetime 10').best == '(none)')
        check("illegal move '11-17'" in engine.error('position startpos moves 11-17'))
        check('fen' in engine.error('position 11-15'))
        check('99' in engine.error('position fen B:W99:B1'))
        check('count' in engine.error('go perft 3'))
        check('unknown command' in engine.error('make tea'))


def test_hub(suite):
    with suite.host() as engine:
        engine.send('hub')
        lines = engine.until('wait$')
        check(lines[0].startswith('id name="Crownhead '), lines)
        check('param name=hash value=64 type=int min=1 max=65536' in lines, lines)
        check('param name=variant value=english type=enum values="english russian"' in lines, lines)
        engine.send('set-param name=hash value=8', 'set-param name=initial-time value=300', 'init')
        check(engine.until('ready$') == ['ready'])
        engine.send('set-param name=hash value=0', 'set-param name=variant value=italian', 'set-param value=1', 'tea')
        engine.send('ping')
        lines = engine.until('pong$')
        check(len(lines) == 5 and all(line.startswith('error message="') for line in lines[:-1]), lines)
        engine.send('new-game', 'pos pos=BeBeeewweeeeeeww', 'go think', 'ping')
        check(engine.until('pong$')[0].startswith('error message='))
        engine.until('done move=')
        engine.send('pos pos=BeBeeewweeeeeeww' + 'e' * 17, 'level move-time=0.05', 'go think')
        check(engine.until('done')[-1] == 'done move=2x2x6x7x14x15')
        engine.send('pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves="11-15 23-18 1-2"')
        check('1-2' in engine.until('error')[-1])
        engine.send('level move-time=0.05', 'go think')
        check(engine.until('done')[-1].startswith('done move='))
        engine.send('set-param name=variant value=russian',
                    'pos pos=WeeWbeeebeeeewbbbeeewwewwweeweeee', 'level depth=3', 'level move-time=0.05', 'go think')
        lines = engine.until('done')
        check(lines[-1] in ('done move=3x17x14', 'done move=3x17x8x14x15x16', 'done move=20x9x14x15x16'), lines)
        check('but time' in lines[0], lines)
        engine.send('pos pos=W' + 'e' * 31 + 'b', 'go analyze')
        check(engine.until('done')[-1] == 'done')


def test_hub_does_not_wait(suite):
    with suite.host() as engine:
        engine.send('hub', 'init', 'pos', 'level time=60', 'go think', 'stop', 'pos', 'go ponder', 'stop', 'stop',
                    'pos', 'go analyze', 'pos', 'level time=-0.05 inc=0.1', 'go think')
        lines = engine.until('wait$') + engine.until('ready$')
        for _ in range(4):
            lines = engine.until('done')
            check(len(lines) == 1 and lines[0].startswith('done move='), lines)
        engine.send('go analyze')
    check(not [line for line in engine.rest() if not line.startswith('done move=')])


def test_end_of_input(suite):
    for go in ('go movetime 100', 'go infinite'):
        lines, status = suite.talk(f'position startpos\n{go}\n')
        check(status == 0 and lines[-1].startswith('bestmove '), status, lines)


def test_times_are_told(suite):
    """What reaches the function: colour, seconds, info, increment and time left in the unit of info."""
    cases = (
        ('go movetime 1500', 'getmove 2 1.500 3 0 0'),  # the first follows on nothing
        ('go wtime 10000 btime 60000 winc 100 binc 200', 'getmove 2 3.898 4 200 59980'),
        ('go btime 600000 wtime 1', 'getmove 2 37.498 8 0 59998'),
        ('go btime 6000000 wtime 1 binc 2000', 'getmove 2 376.498 12 20 59999'),
        ('go btime 1 wtime 1', 'getmove 2 0.000 4 0 0'),
        ('go btime 20020 movestogo 10', 'getmove 2 2.000 0 0 0'),
        ('go infinite', 'getmove 2 1000000.000 0 0 0'),
    )
    with suite.fake('') as engine:
        for line, _ in cases:
            engine.send('position startpos', line, 'stop')
            engine.until('bestmove ')
        said = [line for line in engine.told() if line.startswith('getmove')]
    check(said == [expected for _, expected in cases], said)


def test_history_is_told(suite):
    with suite.fake('') as engine:
        engine.ask('position startpos moves 11-15 23-19')
        engine.go('go movetime 1')
        engine.ask('position fen B:WK32:BK1 moves 1-6 32-27 6-1')
        engine.go('go movetime 1')
        engine.ask('position fen B:WK32:BK1 moves ' + '1-6 32-27 6-1 27-32 ' * 60)
        engine.go('go movetime 1')
        said = [line for line in engine.told() if 'gamehist' in line]
    check(said[0] == 'command set gamehist B:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15', said)
    check(said[1] == 'command set gamehist B:WK32:BK1 1-6 32-27 6-1', said)
    check(said[2].endswith('6-1 27-32') and 200 < len(said[2]) < 256 + len('command '), said)


def test_move_told_but_not_made(suite):
    with suite.fake('told') as engine:
        engine.quiet('position startpos')
        check(engine.go('go movetime 1').best == '12-16')


def test_engines_that_make_no_legal_move(suite):
    for fault in ('lazy', 'board'):
        with suite.fake(fault) as engine:
            engine.quiet('position startpos')
            answer = engine.go('go movetime 1')
            check(answer.best == '(none)', answer.lines)
            check('no legal move leads to' in answer.errors[0], answer.lines)


def test_rubbish_is_one_printable_line(suite):
    with suite.fake('rubbish') as engine:
        check('id name two lines and a tab' in engine.ask('uci'))
    for fault in ('status', 'long', 'silent'):
        with suite.fake(fault) as engine:
            lines = engine.ask('uci', 'position startpos')
            check(all(line.isprintable() for line in lines), lines)
            check(engine.go('go movetime 1').best == '12-16')


def test_a_crash_is_the_engines_own(suite):
    engine = suite.fake('crash')
    engine.send('position startpos', 'go movetime 1')
    engine.wait_end(status=-signal.SIGSEGV if not suite.sanitized else 1)


def test_an_engine_that_hangs(suite):
    with suite.fake('hang') as engine:
        engine.send('position startpos', 'go movetime 1')
        check('thinking' not in ' '.join(engine.sync()))
        engine.send('stop')
        check(not engine.sync())


def test_libraries_that_are_none(suite):
    for path, word in (('/nowhere/engine.so', 'No such file'), (suite.program, ''), ('libm.so.6', '')):
        lines, status, errors = suite.refused(path)
        check(status == 1 and lines == [] and len(errors) == 1 and word in errors[0], path, errors)
    for arguments in ([], ['a', 'b']):
        lines, status, errors = suite.refused(*arguments)
        check(status == 2 and errors == ['usage: crownhead cb-host LIBRARY'], errors)
    for fault, words in (('italian', 'plays Italian draughts (22)'), ('odd', 'a game of its own (77)')):
        lines, status, errors = suite.refused(suite.fake_library, environment={'CB_FAKE': fault})
        check(status == 1 and words in errors[-1], errors)


def test_a_reader_that_goes_away(suite):
    engine = suite.host()
    engine.send('position startpos', 'go infinite')
    time.sleep(0.2)
    engine.process.stdout.close()
    end = time.monotonic() + 60
    while engine.process.poll() is None:
        check(time.monotonic() < end, 'it goes on without a reader')
        time.sleep(0.05)
