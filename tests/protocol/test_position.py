"""Positions: what is taken, what is refused, and that a refusal changes nothing."""

import time

from client import START, Engine, check


def test_startpos_of_each_game(suite):
    with Engine(suite) as engine:
        for variant, fen in START.items():
            engine.quiet(f'setoption name UCI_Variant value {variant}', 'position startpos')
            shown = engine.show()
            check(shown['Fen'] == fen and shown['Result'] == '*' and len(shown['Moves']) == 7, shown)
            check(len(shown['Key']) == 16 and int(shown['Key'], 16), shown)


def board_of(answer):
    return [[cell.strip() for cell in line.split('|')] for line in answer if '|' in line]


def test_d_draws_the_board(suite):
    with Engine(suite) as engine:
        engine.send('position fen B:W32,K1:BK29,4')
        board = board_of(engine.ask('d'))
        check(len(board) == 8, board)
        check(board[0] == ['', '', 'W 1', '', '2', '', '3', '', 'b 4', ''], board)
        check(board[7] == ['', 'B29', '', '30', '', '31', '', 'w32', '', ''], board)
        engine.send('setoption name UCI_Variant value russian', 'position fen W:Wa1,Kc1:Bh8,Kf8')
        answer = engine.ask('d')
        board = board_of(answer)
        check(board[7] == ['', 'w', '', 'W', '', '.', '', '.', '', '1'], board)
        check(any(line.split() == list('abcdefgh') for line in answer), answer)


ACCEPTED = {
    'B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29': 'B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29',
    'B:B12,16:W18,24': 'B:W18,24:B12,16',
    'W : W 31 , K 32 : B 1': 'W:W31,K32:B1',
    '"W:W31:B1"': 'W:W31:B1',
    'W:W31:B1.': 'W:W31:B1',
    '[FEN "W:W31,32:B1"]': 'W:W31,32:B1',
    'W:W21-32:B1-12': 'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12',
    'W:B:WK1:BK32': 'B:WK1:BK32',
    'W:Wg1:Bb8': 'W:W32:B1',
    'W:WG1:BB8': 'W:W32:B1',
    'W:W31:B1:H0:F1': 'W:W31:B1',
    'W:WK31:BK1:H12:F40': 'W:WK31:BK1:H12:F40',
    'W:W1:B32': 'W:W1:B32',
    'W:W:B1': 'W:W:B1',
    'W:W1:B': 'W:W1:B',
    'W:W:B': 'W:W:B',
}


def test_fens_that_are_taken(suite):
    with Engine(suite) as engine:
        for fen, written in ACCEPTED.items():
            engine.quiet('position startpos', f'position fen {fen}')
            shown = engine.show()['Fen']
            check(shown == written, fen, shown)
        engine.quiet('position fen [FEN "W:W31,32:B1"] moves 31-26')
        check(engine.show()['Fen'] == 'B:W26,32:B1:H0:F2')


# What is refused, and the token that the error has to name.
REFUSED = [
    ('position', ''),
    ('position foo', 'foo'),
    ('position fen', ''),
    ('position fen moves 11-15', ''),
    ('position startpos 11-15', '11-15'),
    ('position startpos moves 11-15 foo', 'foo'),
    ('position startpos moves 11-15 11-15', '11-15'),
    ('position startpos moves 11-16 1-5', '1-5'),
    ('position fen W:W33:B1', '33'),
    ('position fen W:W0:B1', '0'),
    ('position fen W:W31,31:B1', '31'),
    ('position fen W:W31:BK31', '31'),
    ('position fen W:W1-32:B', ''),
    ('position fen W:WK1-K32:B', ''),
    ('position fen W:W13-25:B1', ''),
    ('position fen :W31:B1', ''),
    ('position fen X:W31:B1', 'X'),
    ('position fen W31:B1', ''),
    ('position fen W:Wa2:B1', 'a2'),
    ('position fen W:Wi9:B1', 'i9'),
    ('position fen W:W31:Bfoo', 'foo'),
    ('position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', ''),
    ('position fen W:W31:B1 moves 31-26 9-9', '9-9'),
    ('position fen W:W31:B1 moves 31-22', '31-22'),
]


def test_a_refusal_names_the_token_and_changes_nothing(suite):
    with Engine(suite, 'position startpos moves 11-15 23-19 8-11') as engine:
        before = engine.show()
        for line, token in REFUSED:
            message = engine.error(line)
            check(token.lower() in message.lower(), line, message)
            check(engine.show() == before, line)


def test_moves_in_other_words(suite):
    with Engine(suite) as engine:
        start = 'position fen B:W6,15,32:B1'
        engine.quiet(start)
        check(engine.moves() == ['1x10x19'], engine.moves())
        for text in ('1x19', '1-19', '1:19', '1x10x19', '1-10-19', '1X10X19', '1x10:19'):
            engine.quiet(f'{start} moves {text}')
            check(engine.show()['Fen'] == 'W:W32:B19', text)
        # Two ways to one square that take different pieces, and then a round trip that both ways take whole.
        start = 'position fen B:W6,7,14,15,32:B2'
        engine.quiet(start)
        check(sorted(engine.moves()) == ['2x11x18', '2x9x18'], engine.moves())
        message = engine.error(f'{start} moves 2x18')
        check("'2x18'" in message and '2x9x18' in message and '2x11x18' in message, message)
        engine.quiet(f'{start} moves 2x9x18')
        check(engine.show()['Fen'] == 'W:W7,15,32:B18')
        start = 'position fen B:W6,7,14,15,32:BK2'
        engine.quiet(start)
        check(len(engine.moves()) == 1, engine.moves())
        for text in ('2x2', '2x9x18x11x2', '2x11x18x9x2'):
            engine.quiet(f'{start} moves {text}')
            check(engine.show()['Fen'] == 'W:W32:BK2', text)
        engine.quiet('setoption name UCI_Variant value russian')
        for text in ('c3-d4', 'c3d4', 'C3-D4', '22-18'):
            engine.quiet(f'position startpos moves {text}')
        engine.quiet('position fen W:Wc3:Bd4,d6,h8')
        check(engine.moves() == ['c3xe5xc7'], engine.moves())
        for text in ('c3xe5xc7', 'c3xc7', 'c3:c7', 'c3c7', 'c3e5c7', '22x15x6'):
            engine.quiet(f'position fen W:Wc3:Bd4,d6,h8 moves {text}')


def test_P09_twenty_thousand_plies(suite):
    line = 'position fen W:WK1:BK32 moves' + ' 1-6 32-27 6-1 27-32' * 5000
    with Engine(suite) as engine:
        begin = time.monotonic()
        engine.quiet(line)
        seconds = time.monotonic() - begin
        suite.note(f'20000 plies: {seconds * 1000:.0f} ms')
        check(seconds < 10, seconds)
        shown = engine.show()
        check(shown['Result'].startswith('1/2-1/2') and shown['Fen'].startswith('W:WK1:BK32'), shown)
        check(engine.go('go depth 3').best in shown['Moves'])
        check('77-78' in engine.error(line + ' 77-78'))
        check(engine.show() == shown)


def test_results(suite):
    with Engine(suite) as engine:
        for fen, result in (('W:W:B21', '0-1'), ('B:W17:B', '1-0'), ('W:W12:B3,8', '0-1'), ('W:W:B', '0-1'),
                            ('W:WK1:BK32', '*'), ('W:WK1:BK32:H80:F60', '1/2-1/2')):
            engine.quiet(f'position fen {fen}')
            shown = engine.show()
            words = shown['Result'].split(' ', 1)
            check(words[0] == result and (len(words) == 2) == (result != '*'), fen, shown)
            check((not shown['Moves']) == (result in ('0-1', '1-0')), fen, shown)


def test_history_is_that_of_the_last_command(suite):
    shuffle = ' 1-6 32-27 6-1 27-32'
    with Engine(suite) as engine:
        engine.quiet('position fen W:WK1:BK32 moves' + shuffle * 2)
        check(engine.show()['Result'].startswith('1/2-1/2'))
        engine.quiet('position fen W:WK1:BK32')
        check(engine.show()['Result'] == '*')
        engine.quiet('position fen W:WK1:BK32 moves' + shuffle)
        check(engine.show()['Result'] == '*')


def test_ucinewgame_begins_at_the_start(suite):
    with Engine(suite) as engine:
        for variant in ('russian', 'english'):
            engine.quiet(f'setoption name UCI_Variant value {variant}')
            start = engine.show()
            engine.quiet('position fen W:WK1:BK32:H79:F60 moves 1-6', 'ucinewgame')
            check(engine.show() == start and start['Fen'] == START[variant], engine.show())


def test_P16_a_search_does_not_move(suite):
    with Engine(suite, 'position startpos') as engine:
        before = engine.show()
        for _ in range(3):
            check(engine.go('go depth 6').best in before['Moves'])
            check(engine.show() == before)


def test_P17_bench_and_perft_keep_the_position(suite):
    with Engine(suite, 'position startpos moves 11-15') as engine:
        before = engine.show()
        engine.send('perft 5')
        engine.until('Nodes searched: ')
        check(engine.show() == before)
        engine.send('bench 1')
        engine.until(r'\d+ nodes \d+ nps$')
        check(engine.show() == before)
        for line in ('bench 0', 'bench foo', 'bench -1', 'perft', 'perft foo', 'go perft', 'go perft -3'):
            engine.error(line)
        check(engine.show() == before)


def test_eval_shows_its_parts(suite):
    with Engine(suite, 'position fen W:W21,22,23:B1') as engine:
        answer = engine.ask('eval')
        check([line.split()[:3] for line in answer[:-1]] == [['1', 'Black', 'man'], ['21', 'White', 'man'],
                                                             ['22', 'White', 'man'], ['23', 'White', 'man']], answer)
        check(answer[-1].startswith('Evaluation: +'), answer)
        engine.send('position fen B:W21,22,23:B1')
        check(engine.ask('eval')[-1].startswith('Evaluation: -'))
        engine.send('position fen W:W:B')
        check(engine.ask('eval')[-1].startswith('Evaluation: '))


KINGS = ','.join(f'K{number}' for number in range(1, 13))


def test_B02_strange_material(suite):
    with Engine(suite) as engine:
        for variant in START:
            engine.quiet(f'setoption name UCI_Variant value {variant}')
            for fen in ('W:W1-32:B', 'W:WK1-K32:B', 'W:WK1-K31:BK32', 'W:W1,2,3:BK4-K16'):
                engine.error(f'position fen {fen}')
            for fen in ('W:W5-16:B17-28', 'W:W:B', 'B:W:B', f'W:W{KINGS}:BK21,K22,K23,K24,K32',
                        f'B:W{KINGS}:BK32', 'W:W1-12:B21-32'):
                engine.quiet(f'position fen {fen}')
                moves = engine.moves()
                engine.send('perft 3')
                engine.until('Nodes searched: ')
                best = engine.go('go depth 3').best
                check(best in moves or (best == '(none)' and not moves), variant, fen, best)
