"""level, go and what is said in a search and after it."""

import time

from client import Engine, check
from hub_client import ENGLISH, NEARLY_OVER, RUSSIAN, Answer, Hub

FORCED = 'B' + ''.join({14: 'b', 17: 'w', 32: 'W', 31: 'w', 2: 'b'}.get(square, 'e') for square in range(1, 33))


def dones(lines):
    return [line for line in lines if line.startswith('done')]


def test_the_example_with_ponder_and_a_queued_search(suite):
    with Hub(suite, {'variant': 'english'}) as hub:
        hub.quiet('new-game', f'pos pos={ENGLISH}', 'level time=60 inc=1')
        hub.quiet('level depth=9')
        first = hub.go('go think')
        check(first.ponder and first.depth == 9, first.lines)
        hub.quiet(f'pos pos={ENGLISH} moves="11-15 23-19"', 'level time=58.7 inc=1')
        hub.send('go ponder')
        time.sleep(0.05)
        check(not dones(hub.sync()))
        hub.send('stop', f'pos pos={ENGLISH} moves="11-15 23-18 8-11 18-14"', 'level move-time=0.2', 'go think')
        check(Answer(hub.until('done')).move)
        second = Answer(hub.until('done'))
        check(second.move in ('10x17x14', '9x18x14'), second.lines)


def test_one_done_for_each_go(suite):
    """What arrives in a search, stop or not, ends it first; nothing is lost and nothing comes twice."""
    queues = (('stop', f'pos pos={ENGLISH}', 'level nodes=200', 'go think'),
              (f'pos pos={ENGLISH} moves="11-15"', 'level infinite', 'go analyze', 'stop'),
              ('ponder-hit', 'stop', 'stop'), ('level depth=1', 'go think'), ('new-game',),
              ('go think', 'go ponder', 'go'), ('set-param name=hash value=2',), ('foo',), ('init',), ('hub',),
              ('stop', 'ponder-hit', 'go ponder', 'ponder-hit'), ('ping', 'stop', 'ping'))
    searches = 0
    with Hub(suite, {'hash': 1}) as hub:
        for number in range(1000):
            queue = queues[number % len(queues)]
            goal = ('think', 'ponder', 'analyze')[number // 7 % 3]
            limit = ('infinite', 'depth=2', 'nodes=1', 'move-time=0.001', 'time=0.01 inc=0.01')[number % 5]
            lines = [f'pos pos={RUSSIAN if number % 11 == 0 else ENGLISH}', f'level {limit}', f'go {goal}', *queue]
            answer = hub.all_said(*lines)
            wanted = sum(line.split()[0] == 'go' for line in lines)
            searches += wanted
            check(len(dones(answer)) == wanted, number, lines, answer)
            check(all(line.startswith('done move=') for line in dones(answer)), number, answer)
            check(answer.count('pong') == lines.count('ping'), number, answer)
        hub.quiet('stop', 'ponder-hit', 'stop')
    suite.note(f'{searches} searches')


def test_ends_by_themselves_race_with_stop(suite):
    with Hub(suite, {'hash': 1}) as hub:
        hub.send(f'pos pos={ENGLISH}')
        for number in range(300):
            hub.send(f'level nodes={number * 20}', 'go think')
            if number % 3:
                time.sleep(number % 7 / 5000)
            hub.send('ponder-hit' if number % 2 else 'stop', 'stop')
            check(len(dones(hub.sync())) == 1, number)


def test_stop_and_ping_are_answered_at_once(suite):
    worst = {'ping': 0.0, 'stop': 0.0}
    with Hub(suite) as hub:
        for _ in range(20):
            hub.send('level infinite', 'go think')
            for word, answer in (('ping', 'pong'), ('stop', 'done')):
                time.sleep(0.01)
                begin = time.monotonic()
                hub.send(word)
                hub.until(answer)
                worst[word] = max(worst[word], time.monotonic() - begin)
    suite.note(str({word: f'{seconds * 1000:.2f} ms at worst' for word, seconds in worst.items()}))
    check(max(worst.values()) < 5, worst)


def test_nothing_to_stop(suite):
    with Hub(suite, None) as hub:
        hub.quiet('stop', 'ponder-hit', 'new-game', 'stop')
        check(hub.search(ENGLISH).move)
        hub.quiet('stop', 'ponder-hit', 'stop')


def test_ponder(suite):
    with Hub(suite) as hub:
        for level in ('move-time=0.05', 'time=1', 'depth=3', 'nodes=1000', ''):
            for end in ('ponder-hit', 'stop'):
                hub.send(f'pos pos={ENGLISH} moves="11-15"', f'level {level}', 'go ponder')
                time.sleep(0.05)
                check(not dones(hub.sync()), level)
                hub.send(end)
                check(Answer(hub.until('done')).move, level, end)
                hub.quiet('ponder-hit', 'stop')
        # The clock begins at the hit.
        hub.send('pos', 'level move-time=0.3', 'go ponder')
        time.sleep(0.4)
        begin = time.monotonic()
        hub.send('ponder-hit')
        hub.until('done')
        check(time.monotonic() - begin > 0.25)


def test_limits(suite):
    with Hub(suite) as hub:
        for level, least in (('depth=7', 7), ('depth=7 nodes=100000000 move-time=50', 7)):
            answer = hub.search(ENGLISH, level)
            check(answer.depth == least, level, answer.lines)
        # Lines add up, and the first that is reached counts; a position forgets them.
        answer = hub.go(f'pos pos={ENGLISH}', 'level nodes=100000000', 'level depth=3', 'level move-time=20',
                        'go think')
        check(answer.depth == 3, answer.lines)
        answer = hub.go(f'pos pos={ENGLISH}', 'level depth=3', 'level nodes=1000000', 'level depth=6', 'go think')
        check(answer.depth == 6, answer.lines)
        answer = hub.go('level depth=3', f'pos pos={ENGLISH}', 'level depth=6', 'level infinite', 'go think')
        check(answer.depth == 6, answer.lines)
        check(hub.search(ENGLISH, 'nodes=5000').nodes < 6100)
        begin = time.monotonic()
        for level in ('move-time=0.3', 'move-time=0,3', 'move-time = "0.3"', 'move-time=3e-1', 'move-time=+.3'):
            begin = time.monotonic()
            check(hub.search(ENGLISH, level).move)
            check(0.25 < time.monotonic() - begin < 20, level, time.monotonic() - begin)


def test_clocks(suite):
    """Every clock is answered, however odd, and none is overstepped by much."""
    with Hub(suite) as hub:
        for level in ('time=0', 'time=-0.05 inc=0.1', 'time=-5', 'time=-5.551115123125783e-17 inc=0.01', 'time=0.1',
                      'time=0,100', 'inc=0.05', 'moves=3 time=0.1', 'moves=1 time=0.1 inc=0', 'moves=0 time=0.05',
                      'moves=-4 time=0.05', 'time=1e-300 inc=1e-300', 'depth=0', 'depth=-3', 'nodes=0', 'nodes=-7',
                      'nodes=1e3', 'move-time=0', 'move-time=-1', 'move-time=1e-9', 'depth=1 nodes=1e300'):
            begin = time.monotonic()
            answer = hub.search(ENGLISH, level)
            check(answer.move and not answer.errors, level, answer.lines)
            check(time.monotonic() - begin < 10, level)
        # The increment is there before the move.
        answer = hub.search(ENGLISH, 'time=-0.5 inc=0.8 moves=1')
        check(answer.depth > 6, answer.lines)


def test_level_that_is_no_number(suite):
    with Hub(suite) as hub:
        for level, word in (('depth=x', "depth: 'x'"), ('time=', "time: ''"), ('time="1 2"', "time: '1 2'"),
                            ('nodes=0x10', "nodes: '0x10'"), ('move-time=nan', "move-time: 'nan'"),
                            ('inc=inf', "inc: 'inf'"), ('time=1e999', "time: '1e999'"), ('moves', "moves: ''"),
                            ('time=' + '9' * 500, "time: '99")):
            check(word in hub.error(f'level {level}'), level)
        check(hub.go('level depth=x', 'level depth=3', 'go think').depth == 3)


def test_without_a_limit(suite):
    with Hub(suite) as hub:
        for lines in (('go',), ('level', 'go think'), ('level moves=3', 'go')):
            check(hub.go(f'pos pos={ENGLISH}', *lines).move, lines)
        for lines in (('go analyze',), ('level infinite', 'go think')):
            hub.send(f'pos pos={ENGLISH}', *lines)
            time.sleep(1.3)
            check(not dones(hub.sync()), lines)
            hub.send('stop')
            check(Answer(hub.until('done')).move)


def test_analyze_searches_where_there_is_one_move(suite):
    with Hub(suite, {'bb-size': 0}) as hub:
        thought = hub.search(FORCED, 'time=20')
        check(thought.move == '14x21x17', thought.lines)
        analysed = hub.search(FORCED, 'time=20', how='analyze')
        check(analysed.move == '14x21x17' and analysed.depth > thought.depth, analysed.lines[-2:])
        analysed = hub.search(FORCED, 'move-time=0.2', how='analyze')
        check(analysed.depth > 3, analysed.lines[-2:])


def test_no_legal_move(suite):
    with Hub(suite) as hub:
        # The first: a man that cannot move.
        blocked = 'W' + ''.join({12: 'w', 3: 'b', 8: 'b'}.get(square, 'e') for square in range(1, 33))
        for position in (blocked, 'W' + 'e' * 20 + 'b' + 'e' * 11, 'B' + 'e' * 32, 'W' + 'e' * 31 + 'B'):
            for level in ('depth=5', 'move-time=0.1', 'infinite', ''):
                for goal in ('think', 'analyze', 'ponder'):
                    answer = hub.ask(f'pos pos={position}', f'level {level}', f'go {goal}')
                    check(answer == ['done'], position, level, goal, answer)
                    hub.quiet('stop')


def test_scores_have_bands(suite):
    """Wins at a known distance above 90, of databases alone above 80, all else below."""
    with Hub(suite) as hub:
        last = 'B' + ''.join({14: 'b', 17: 'w'}.get(square, 'e') for square in range(1, 33))
        check(hub.search(last, 'depth=3').score == 99.99)
        hub.quiet('set-param name=bb-size value=0')
        hub.send('new-game')
        check(hub.search(last, 'depth=3').score == 99.99)
        # Black to move has one man, which is taken whatever it does.
        lost = 'B' + ''.join({14: 'b', 22: 'w', 21: 'w'}.get(square, 'e') for square in range(1, 33))
        answer = hub.search(lost, 'depth=6')
        check(answer.score == -99.98, answer.lines)
        # Twelve kings against a man far from home: much, but no knowledge.
        many = 'W' + ''.join('b' if square == 1 else 'W' if square > 20 else 'e' for square in range(1, 33))
        check(10 < hub.search(many, 'depth=1').score < 80)


def test_scores_are_those_of_uci(suite):
    with Engine(suite) as uci, Hub(suite) as hub:
        uci.quiet('position startpos moves 11-15 22-18')
        expected = uci.go('go depth 10')
        answer = hub.search(ENGLISH, 'depth=10', '11-15 22-18')
        check(f'{expected.last().value / 100:.2f}' == f'{answer.score:.2f}', answer.lines[-2], expected.lines[-2])
        check(expected.last().nodes == answer.nodes)
        check(len(expected.last().pv) >= len(answer.infos[-1][7].split()))


def test_state_is_not_advanced_by_done(suite):
    with Hub(suite) as hub:
        hub.send(f'pos pos={NEARLY_OVER}')
        moves = {hub.go('level depth=6', 'go think').move for _ in range(3)}
        check(len(moves) == 1, moves)


def test_a_game_against_itself(suite):
    with Hub(suite) as hub, Hub(suite) as other:
        moves = []
        for ply in range(300):
            engine = (hub, other)[ply % 2]
            answer = engine.search(ENGLISH, 'nodes=300', ' '.join(moves))
            check(not answer.errors, answer.lines)
            if answer.move is None:
                break
            moves.append(answer.move)
        check(len(moves) > 30, moves)


def test_matches_against_uci(suite):
    """The same engine in both protocols: each opening is played twice in the same way."""
    for game, deck in (('english', 'ballots11'), ('russian', 'russian')):
        lines, status = suite.run('', 'match', '-engine', 'name=hub', 'proto=hub', f'cmd={suite.program}', 'arg=hub',
                                  '-engine', 'name=uci', f'cmd={suite.program}', '-variant', game, '-each', 'nodes=200',
                                  '-openings', deck, '-rounds', '10', timeout=300)
        check(status == 0 and any('Ptnml(0-2): [0, 0, 10, 0, 0]' in line for line in lines), game, lines[-6:])
        faults = [line for line in lines if 'illegal' in line or 'disconnect' in line or 'forfeit' in line]
        check(not faults, faults)
