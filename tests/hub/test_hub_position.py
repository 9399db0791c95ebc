"""Positions, moves and the frames in which clients mean them."""

from client import Engine, check
from hub_client import ENGLISH, RUSSIAN, Hub

# f8 king, g7 h8 c5 e5 g5: three captures, two of which share their first square and differ in what they take.
CHOICE = 'WeeWbeeebeeeewbbbeeewwewwweeweeee'
CHOICES = {'3x17x14', '3x17x8x14x15x16', '20x9x14x15x16'}


def moves_found(hub, position, moves=''):
    """All legal moves of a position: what is refused is none of them."""
    found = set()
    numbers = range(1, 33)
    hub.send(f'pos pos={position} moves="{moves}"')
    candidates = [f'{one}-{two}' for one in numbers for two in numbers]
    for move in candidates:
        hub.send(f'pos pos={position} moves="{moves} {move}"')
    errors = ' '.join(hub.sync())
    for move in candidates:
        if f"'{move}'" not in errors:
            found.add(move)
        elif f"ambiguous move '{move}'" in errors:
            found.add(move + ' ambiguous')
    return found


def test_the_first_moves_of_each_game(suite):
    for params, position, moves in (({}, ENGLISH, {'9-13', '9-14', '10-14', '10-15', '11-15', '11-16', '12-16'}),
                                    ({'variant': 'russian'}, RUSSIAN,
                                     {'21-17', '22-17', '22-18', '23-18', '23-19', '24-19', '24-20'})):
        with Hub(suite, params) as hub:
            check(moves_found(hub, position) == moves)
            hub.quiet(f'pos pos={position}', 'pos', 'pos start')
            for move in sorted(moves):
                check(hub.search(position, moves=move).move)


def test_russian_example(suite):
    # cd4 dc5 bc3 fg5
    with Hub(suite, {'variant': 'russian'}) as hub:
        answer = hub.search(RUSSIAN, 'depth=6', '22-18 10-14 25-22 11-16')
        check(answer.move and not answer.errors, answer.lines)


def test_captures_that_share_their_squares(suite):
    with Hub(suite, {'variant': 'russian'}) as hub:
        for move in CHOICES:
            hub.quiet(f'pos pos={CHOICE} moves="{move}"')
        check(moves_found(hub, CHOICE) == {'3-17 ambiguous', '20-9'})
        text = hub.error(f'pos pos={CHOICE} moves="3x17"')
        check("ambiguous move '3x17': 3x17x14 or 3x17x8x14x15x16" == text, text)
        # Any order, zeros, no captured square where that is clear.
        hub.quiet(f'pos pos={CHOICE} moves="3x17x16x8x15x14"', f'pos pos={CHOICE} moves="03x17x14"',
                  f'pos pos={CHOICE} moves="20x9"', f'pos pos={CHOICE} moves="20x09x16x15x14"')
        check(hub.search(CHOICE, 'depth=8').move in CHOICES)
    with Hub(suite) as hub:
        ring = 'B' + ''.join({2: 'B', 6: 'w', 7: 'w', 14: 'w', 15: 'w'}.get(square, 'e') for square in range(1, 33))
        check(hub.search(ring).move == '2x2x6x7x14x15')
        man = ring.replace('B', 'b').replace('b', 'B', 1)
        for move in ('2x18x6x14', '2x18x7x15'):
            hub.quiet(f'pos pos={man} moves="{move}"')
        check('ambiguous' in hub.error(f'pos pos={man} moves="2x18"'))


def test_positions_that_are_refused(suite):
    with Hub(suite) as hub:
        before = hub.search(ENGLISH, 'depth=5', '11-15').move
        for position in ('', 'B', 'W' + 'e' * 50, 'Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwww', 'X' + ENGLISH[1:], ENGLISH + 'e',
                         ENGLISH.replace('eeee', 'eexe'), 'W' + 'w' * 13 + 'e' * 19, 'caf\u00e9'):
            check(hub.error(f'pos pos="{position}"').startswith('bad position'), position)
        hub.send('new-game')
        hub.quiet(f'pos pos={ENGLISH} moves="11-15"')
        hub.error('pos pos=B')
        check(hub.go('level depth=5', 'go think').move == before)


def test_moves_are_played_up_to_the_first_that_is_illegal(suite):
    with Hub(suite) as hub:
        for moves, word in (('11-15 23-19 11-16 8-11', "'11-16'"), ('11-15 23-19 foo', "'foo'"),
                            ('11-15 23-19 33-34', "'33'"), ('11-15 23-19 8x10x11', "'8x10x11'")):
            hub.send('new-game')
            text = hub.error(f'pos pos={ENGLISH} moves="{moves}"')
            check(word in text and ('illegal move' in text or 'not a move' in text), text)
            reached = hub.go('level depth=5', 'go think').move
            hub.send('new-game')
            check(hub.search(ENGLISH, 'depth=5', '11-15 23-19').move == reached, moves)


def test_repetitions_are_known(suite):
    # A king up, but it has stood here twice: the third time is a draw, whatever is left for the search.
    with Hub(suite, {'bb-size': 0}) as hub:
        position = 'WW' + 'e' * 30 + 'B'
        answer = hub.search(position, 'depth=6', '1-6 32-27 6-1 27-32 1-6 32-27 6-1')
        check(answer.score == 0, answer.lines)


def turned(text):
    return ''.join('bwBWe'['wbWBe'.index(letter)] for letter in text[0] + text[:0:-1])


def test_frame_pydraughts(suite):
    """English: positions are turned; Russian: moves are numbered from a1."""
    with Hub(suite) as plain, Hub(suite, {'frame': 'pydraughts'}) as framed:
        check(turned(ENGLISH) == RUSSIAN)
        position = 'B' + ENGLISH[1:].replace('eeeeeeee', 'eebeeeee').replace('b', 'e', 1)
        for one, other in ((ENGLISH, RUSSIAN), (position, turned(position))):
            check(moves_found(plain, one) == moves_found(framed, other) and moves_found(plain, one), one)
            check(plain.search(one, 'depth=7').lines[-1] == framed.search(other, 'depth=7').lines[-1])
    with Hub(suite, {'variant': 'russian'}) as plain, \
            Hub(suite, {'frame': 'pydraughts', 'variant': 'russian'}) as framed:
        def mirrored(number):
            return (7 - (number - 1) // 4) * 4 + (number - 1) % 4 + 1

        def mirrored_move(move):
            return ''.join(str(mirrored(int(part))) if part.isdigit() else part
                           for part in move.replace('-', ' - ').replace('x', ' x ').split())

        # e3-f4
        check(mirrored_move('23-19') == '11-15')
        check({mirrored_move(move) for move in moves_found(plain, RUSSIAN)} == moves_found(framed, RUSSIAN))
        for moves in ('', '22-18 10-14 25-22 11-16'):
            one = plain.search(RUSSIAN, 'depth=7', moves)
            other = framed.search(RUSSIAN, 'depth=7', ' '.join(map(mirrored_move, moves.split())))
            check(mirrored_move(one.move) == other.move and mirrored_move(one.ponder) == other.ponder,
                  one.lines[-1], other.lines[-1])
            check([mirrored_move(move) for move in one.infos[-1][7].split()][0] == other.infos[-1][7].split()[0])
        check(framed.search(CHOICE).move.split('x')[0] in ('31', '16'))
        check("'22-18'" in framed.error(f'pos pos={RUSSIAN} moves="22-18"'))


def test_frame_white_first(suite):
    """English as if White began: positions and moves are turned. Russian as it is."""
    def turned_move(move):
        return ''.join(str(33 - int(part)) if part.isdigit() else part
                       for part in move.replace('-', ' - ').split())

    with Hub(suite) as plain, Hub(suite, {'frame': 'white-first'}) as framed:
        check({turned_move(move) for move in moves_found(plain, ENGLISH)} == moves_found(framed, RUSSIAN))
        one = plain.search(ENGLISH, 'depth=7', '11-15')
        other = framed.search(RUSSIAN, 'depth=7', '22-18')
        check(turned_move(one.move) == other.move, one.lines[-1], other.lines[-1])
        check([turned_move(move) for move in one.infos[-1][7].split() if '-' in move][0] ==
              [move for move in other.infos[-1][7].split() if '-' in move][0])
    with Hub(suite, {'frame': 'white-first', 'variant': 'russian'}) as framed:
        check('22-18' in moves_found(framed, RUSSIAN))


def test_every_position_of_a_game_is_the_one_of_uci(suite):
    """A game by UCI, asked again by Hub at every ply: the same search finds the same."""
    with Engine(suite) as uci, Hub(suite) as hub:
        played = []
        for _ in range(40):
            uci.send('ucinewgame', 'position startpos moves ' + ' '.join(played))
            best = uci.go('go depth 5').best
            hub.send('new-game')
            path = [part for part in best.replace('x', '-').split('-')]
            answer = hub.search(ENGLISH, 'depth=5', ' '.join(hub_moves(played)))
            check(not answer.errors and answer.move.replace('x', '-').split('-')[:2] == [path[0], path[-1]], best,
                  answer.lines[-1])
            played.append(best)


def hub_moves(moves):
    """English moves with landing squares as the Hub protocol has them: the squares between."""
    for move in moves:
        squares = [int(part) for part in move.replace('x', '-').split('-')]
        if 'x' not in move:
            yield move
            continue
        taken = [between(one, two) for one, two in zip(squares, squares[1:])]
        yield 'x'.join(map(str, [squares[0], squares[-1]] + sorted(taken)))


def between(one, two):
    def place(number):
        row = (number - 1) // 4
        return row, (number - 1) % 4 * 2 + (row % 2 == 0)

    row, column = ((first + second) // 2 for first, second in zip(place(one), place(two)))
    return row * 4 + column // 2 + 1
