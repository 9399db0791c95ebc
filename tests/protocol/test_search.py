"""Whole searches: what they say must hold on the board."""

import random
import time

from client import START, Engine, check


def test_S04_pv_and_ponder_moves_are_legal(suite):
    rng = random.Random(4)
    wanted = 100 if suite.sanitized else 1000
    done = 0
    end = time.monotonic() + 25
    with Engine(suite, 'setoption name Hash value 1', 'setoption name Threads value 2') as engine:
        while done < wanted and time.monotonic() < end:
            variant = ('english', 'russian')[done % 2]
            engine.quiet(f'setoption name UCI_Variant value {variant}')
            played = []
            for _ in range(60):
                position = 'position startpos' + (' moves ' + ' '.join(played) if played else '')
                engine.quiet(position)
                moves = engine.moves()
                if not moves:
                    break
                if len(played) > 3:
                    answer = engine.go('go nodes 20000')
                    done += 1
                    check(answer.best in moves, position, answer.lines)
                    check(all(len(info.pv) <= 250 for info in answer.infos), position)
                    # A search cut short may know no more than a bound of the move that it answers with.
                    last = answer.last(bounds=True)
                    check(last.pv and last.pv[0] == answer.best, position, answer.lines)
                    check(answer.ponder in [None, *last.pv[1:2]] or len(last.pv) < 2, position, answer.lines)
                    begun = position if played else position + ' moves'
                    engine.quiet(*(begun + ' ' + ' '.join(info.pv) for info in answer.infos))
                    if answer.ponder:
                        engine.quiet(f'{begun} {answer.best} {answer.ponder}')
                played.append(rng.choice(moves))
    suite.note(f'{done} positions')
    check(done > 20, done)


def play(engine, variant, limits):
    engine.quiet(f'setoption name UCI_Variant value {variant}', 'ucinewgame')
    played = []
    while len(played) < 200:
        engine.quiet('position startpos' + (' moves ' + ' '.join(played) if played else ''))
        shown = engine.show()
        if shown['Result'] != '*':
            return played, shown['Result']
        answer = engine.go(limits)
        check(answer.best in shown['Moves'], played, answer.lines)
        played.append(answer.best)
    return played, '*'


def test_a_game_against_itself(suite):
    with Engine(suite) as engine:
        for variant in START:
            played, result = play(engine, variant, 'go nodes 3000')
            suite.note(f'{variant}: {result} after {len(played)} plies: {" ".join(played)}')
            check(len(played) > 20, played)
        played, result = play(engine, 'english', 'go wtime 500 btime 500 winc 10 binc 10')
        suite.note(f'english by the clock: {result} after {len(played)} plies')


def test_S01_no_stale_history_between_analyses(suite):
    with Engine(suite) as engine:
        for order in range(6):
            for side in 'BW' if order % 2 else 'WB':
                engine.quiet(f'position fen {side}:WK10,K15:BK32')
                last = engine.go('go depth 25').last()
                check(last.score() * (1 if side == 'W' else -1) >= 100, side, last.kind, last.value)
                if order == 0:
                    suite.note(f'{side} to move: {last.kind} {last.value}')


def test_S03_depth_and_ply_have_bounds(suite):
    with Engine(suite) as engine:
        for variant, fen in (('english', 'W:WK1:BK32'), ('russian', 'W:WK1,K2,K3:BK29')):
            engine.quiet(f'setoption name UCI_Variant value {variant}', f'position fen {fen}')
            moves = engine.moves()
            engine.send('go depth 1000')
            time.sleep(3)
            engine.send('stop')
            lines = [line for line in engine.sync() if line.startswith(('info depth', 'bestmove'))]
            check(sum(line.startswith('bestmove') for line in lines) == 1, lines[-3:])
            check(lines[-1].split()[1] in moves, lines[-1])
            depth = max(int(line.split()[2]) for line in lines if line.startswith('info depth'))
            suite.note(f'{variant}: depth {depth}')
            check(1 <= depth < 1000, depth)


def test_S05_the_last_piece_taken_is_a_win_at_once(suite):
    with Engine(suite, 'position fen B:W17:B14') as engine:
        for depth in range(1, 21):
            answer = engine.go(f'go depth {depth}')
            last = answer.last()
            check(answer.best == '14x21' and answer.ponder is None, answer.lines)
            check((last.kind, last.value, last.pv) == ('mate', 1, ['14x21']), answer.lines)


def test_multipv(suite):
    with Engine(suite, 'position startpos') as engine:
        moves = engine.moves()
        for count in (1, 3, 7, 256):
            engine.quiet(f'setoption name MultiPV value {count}')
            answer = engine.go('go depth 6')
            lines = min(count, len(moves))
            last = [answer.last(number) for number in range(1, lines + 1)]
            check(len({info.pv[0] for info in last}) == lines, answer.lines)
            check(max(info.multipv for info in answer.infos) == lines, answer.lines)
            check(last[0].pv[0] == answer.best, answer.lines)
            check(all(one.score() >= two.score() for one, two in zip(last, last[1:])), answer.lines)
        answer = engine.go('go depth 4 searchmoves 9-13 9-14')
        check({info.multipv for info in answer.infos} == {1, 2}, answer.lines)


def test_limits_are_kept(suite):
    with Engine(suite, 'position startpos') as engine:
        for depth in (1, 2, 5, 8):
            answer = engine.go(f'go depth {depth}')
            check(max(info.depth for info in answer.infos) == depth, answer.lines)
        for limit, least in (('movetime 200', 0.1), ('wtime 1000 btime 1000 movestogo 1', 0.0)):
            begin = time.monotonic()
            engine.go(f'go {limit}')
            seconds = time.monotonic() - begin
            suite.note(f'{limit}: {seconds * 1000:.0f} ms')
            check(least <= seconds < 10, limit, seconds)


def test_equal_searches_are_equal(suite):
    said = []
    with Engine(suite) as engine:
        for _ in range(2):
            engine.quiet('ucinewgame', 'position startpos moves 11-15 23-19')
            answer = engine.go('go depth 9')
            said.append([(info.nodes, info.score(), info.pv) for info in answer.infos] + [answer.best])
    check(said[0] == said[1], said)
