"""Parameters, before and after init."""

from client import check
from hub_client import ENGLISH, RUSSIAN, Hub

# Two men to take for Russian, one for English.
CROWNING = 'B' + ''.join({24: 'b', 26: 'w', 27: 'w'}.get(square, 'e') for square in range(1, 33))


def test_each_parameter_is_declared(suite):
    with Hub(suite, None) as hub:
        names = [line.split()[1] for line in hub.hello if line.startswith('param ')]
        for name in ('variant', 'frame', 'threads', 'hash', 'tt-size', 'ponder', 'draw-rules', 'limit-strength', 'elo',
                     'bb-size', 'bb-path', 'book', 'book-ply', 'book-margin'):
            check(names.count(f'name={name}') == 1, name, names)
        # Whoever sets everything to what it is changes nothing and is told nothing.
        for line in hub.hello:
            if line.startswith('param '):
                hub.quiet(f'set-param {" ".join(line.split()[1:3])}')


def test_variant_and_its_names(suite):
    with Hub(suite, None) as hub:
        for name, captures in (('russian', 2), ('english', 1), ('25', 2), ('21', 1), ('shashki', 2), ('checkers', 1),
                               ('Russian', 2), ('american', 1)):
            hub.quiet(f'set-param name=variant value={name}')
            check(hub.search(CROWNING).move.count('x') == captures + 1, name)
        for name in ('brazilian', '', '2', '21,B', 'foo'):
            check(f"'{name}'" in hub.error(f'set-param name=variant value="{name}"'), name)
        check(hub.search(CROWNING).move.count('x') == 2)


def test_variant_after_init_drops_the_position(suite):
    with Hub(suite) as hub:
        hub.quiet(f'pos pos={ENGLISH} moves="11-15"', 'set-param name=variant value=russian', 'level depth=3')
        check(int(hub.go('go think').move.split('-')[0]) in (21, 22, 23, 24))
        hub.send('init')
        check(hub.until('ready$') == ['ready'])
        check(hub.search(RUSSIAN).move)


def test_values(suite):
    with Hub(suite, None) as hub:
        for line, word in (('threads value=0', "'0'"), ('threads value=1000', "'1000'"), ('threads value=x', "'x'"),
                           ('threads', "''"), ('hash value=0', "'0'"), ('hash value=99999999', "'99999999'"),
                           ('hash value=1e3', "'1e3'"), ('hash value=18446744073709551616', "'18446744073709551616'"),
                           ('tt-size value=9', "'9'"), ('tt-size value=33', "'33'"), ('frame value=foo', "'foo'"),
                           ('ponder value=1', "'1'"), ('bb-size value=-1', "'-1'"), ('bb-size value=9', "'9'"),
                           ('limit-strength value=1', "'1'"), ('elo value=0', "'0'"), ('elo value=9999', "'9999'"),
                           ('elo value=x', "'x'"), ('draw-rules value=none', "'none'"), (f'bb-path value={"x" * 5000}', "'xxx")):
            check(word[:4] in hub.error(f'set-param name={line}'), line)
        hub.quiet('set-param name=ponder value=True', 'set-param name=ponder value=FALSE',
                  'set-param name=book value=true', 'set-param name=book-ply value=4',
                  'set-param name=book-margin value=4', 'set-param name="draw-rules" value="web"',
                  'set-param name=foo value=bar', 'set-param value=2 name=threads')
        hub.send('init')
        check(hub.until('ready$') == ['ready'])
        check(hub.search(ENGLISH).move)


def test_parameters_before_every_search(suite):
    with Hub(suite) as hub:
        for threads in (1, 2, 1):
            for hash_ in (1, 16):
                hub.quiet(f'set-param name=threads value={threads}', f'set-param name=hash value={hash_}',
                          'set-param name=book value=False', 'set-param name=book-ply value=4')
                check(hub.search(ENGLISH).move)
        hub.quiet('set-param name=tt-size value=18')
        hub.send('init')
        check(hub.until('ready$') == ['ready'])
        check(hub.search(ENGLISH).move)


def test_draw_rules(suite):
    """Three kings against one after 79 plies to and fro: the next is a draw in English checkers, not on the web."""
    position = 'B' + ''.join({1: 'W', 2: 'W', 3: 'W', 32: 'B'}.get(square, 'e') for square in range(1, 33))
    moves = ' '.join((['32-27', '1-6', '27-32', '6-1'] * 20)[:79])
    for rules, drawn in (('official', True), ('web', False)):
        with Hub(suite, {'draw-rules': rules, 'bb-size': 0}) as hub:
            answer = hub.search(position, 'depth=4', moves)
            check((answer.score == 0) == drawn and not answer.errors, rules, answer.lines)


def test_levels(suite):
    with Hub(suite, {'elo': 1000}) as hub:
        def thinks(full, how='think'):
            nodes = hub.search(ENGLISH, 'nodes=40000', how=how).nodes
            check(nodes > 10000 if full else nodes < 1000, nodes)
        thinks(True)
        hub.quiet('set-param name=limit-strength value=true')
        thinks(False)
        thinks(True, 'analyze')
        hub.quiet('set-param name=elo value=2330')
        thinks(True)
        hub.quiet('set-param name=elo value=1000')
        thinks(False)
        hub.quiet('set-param name=limit-strength value=false')
        thinks(True)


# Three kings against one, won, with a long way to go.
WON = 'B' + ''.join({1: 'B', 2: 'B', 3: 'B', 32: 'W'}.get(square, 'e') for square in range(1, 33))


def test_endgame_databases_have_a_bound(suite):
    for params, known in (({}, True), ({'bb-size': 4}, True), ({'bb-size': 8}, True), ({'bb-size': 3}, False),
                          ({'bb-size': 0}, False), ({'bb-path': '"<empty>"'}, False), ({'bb-path': '""'}, False)):
        with Hub(suite, params) as hub:
            answer = hub.search(WON, 'depth=1')
            check((answer.score > 99) == known, params, answer.lines)
            check(known or answer.score < 80, answer.lines)
            # And what was found with them does not outlive them.
            hub.quiet('set-param name=bb-size value=0')
            check(hub.search(WON, 'depth=1').score < 80, params)
            hub.quiet('set-param name=bb-size value=8')
            check((hub.search(WON, 'depth=1').score > 99) == (known or 'bb-path' not in params), params)


def test_endgame_path_that_does_not_exist(suite):
    with Hub(suite, None) as hub:
        hub.quiet('set-param name=bb-path value="/no/such place"')
        hub.send('init')
        lines = hub.until('ready$')
        check(len(lines) == 2 and lines[0].startswith('error message="bb-path: /no/such place: '), lines)
        check(hub.search(ENGLISH).move)
        hub.quiet('set-param name=bb-path value="<default>"')
        check('bb-path' in hub.error('set-param name=bb-path value=/no/such'))
