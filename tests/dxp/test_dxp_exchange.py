"""What is said when all goes well: requests, moves, the end of games, chat, going back."""

import subprocess
import tempfile
import time

from dxp_peer import NAME, START, Caller, Listener, board, gameacc, gamereq, move
from tap import check

# Legal replies to 11-15.
REPLIES = {'2117', '2217', '2218', '2318', '2319', '2419', '2420'}

CIRCLE = board(white=(6, 7, 14, 15), black=(), black_kings=(2,))
TWO_WAYS = board(white=(6, 7, 14, 15), black=(2,))


def test_example_of_pydraughts(suite):
    with Listener(suite) as program, program.peer() as peer:
        peer.send('R01DXP Client                      Z005075BZzzzzzzzzzzzzeeeeeeeewwwwwwwwwwww')
        peer.expect(f'A{NAME:<32}0')
        match = peer.expect(r'M\d{4}(\d\d\d\d)00')
        check(match[1] in {'0913', '0914', '1014', '1015', '1115', '1116', '1216'}, match[0])


def test_follower_answers_a_move(suite):
    with Listener(suite) as program, program.peer() as peer:
        peer.accepted('W', minutes=5, moves=75)
        peer.send(move(11, 15))
        check(peer.expect(r'M\d{4}(\d\d\d\d)00')[1] in REPLIES, 'an illegal reply')


def first_move(program):
    """Of the first position, as Black."""
    with program.peer() as peer:
        peer.accepted('Z')
        return peer.expect(r'M\d{4}(\d\d\d\d)00')[1]


def test_book_and_level(suite):
    """Neither takes the time that there is."""
    patient = ('--movetime', 600000)
    shown = subprocess.run([suite.program, 'book', 'show'], capture_output=True, text=True, check=True).stdout
    best = shown.splitlines()[1].split()[0].replace('-', '')
    with Listener(suite, *patient, '--book') as program:
        check(first_move(program) == best, 'not the best of', shown)
    with Listener(suite, *patient, '--book', '--variety', 1000) as program:
        check(len({first_move(program) for _ in range(20)}) > 1, 'no variety')
    with tempfile.TemporaryDirectory() as folder:
        file = f'{folder}/book'
        subprocess.run([suite.program, 'book', 'build', '--out', file, '--nodes', '9', '--positions', '1',
                        '--openings', 'ballots2'],
                       capture_output=True, check=True)
        with Listener(suite, *patient, '--book-file', file, '--variety', 1000) as program:
            check(len({first_move(program) for _ in range(10)}) == 1, 'the one built in')
    with Listener(suite, *patient, '--elo', 800) as program:
        first_move(program)


def test_first_position_of_the_game(suite):
    """Position A: who begins, and where, is the game's own affair."""
    for variant, first, second in (('english', 'Z', 'W'), ('russian', 'W', 'Z')):
        with Listener(suite, '--variant', variant) as program:
            for own in (first, second):
                with program.peer() as peer:
                    peer.send(gamereq(own)[:42] + 'A')
                    peer.expect(f'A{NAME:<32}0')
                    if own == second:
                        peer.send(move(11, 15) if first == 'Z' else move(22, 18))
                    peer.expect(r'M\d{4}\d\d\d\d00')


def test_russian_captures(suite):
    """f8 takes one man or four and ends on the same square, or g5 takes three; nothing else is legal."""
    squares = 'eeWzeeezeeeewzzzeeewwewwweeweeee'
    for text, good in ((move(3, 17, 14), True), (move(3, 17, 8, 16, 15, 14), True), (move(20, 9, 16, 15, 14), True),
                       (move(3, 17, 8, 14), False), (move(20, 18, 16), False)):
        with Listener(suite, '--variant', 'russian') as program, program.peer() as peer:
            peer.accepted('Z', squares, 'W')
            peer.send(text)
            if good:
                peer.expect(r'M\d{4}\d{6,}')
            else:
                peer.closed()


def test_capture_in_a_circle(suite):
    with Listener(suite) as program, program.peer() as peer:
        peer.accepted('Z', CIRCLE)
        peer.expect(r'M\d{4}02020406071415')
        peer.send('E10')
        peer.expect('E0[01]')
        program.until(r'game 1: won after 1 plies: ')


def test_captures_in_any_order(suite):
    with Listener(suite) as program, program.peer() as peer:
        peer.accepted('W', CIRCLE)
        peer.send(move(2, 2, 15, 6, 14, 7))
        peer.expect('E10')  # White has nothing left
        peer.send('E00')
        program.until(r'game 1: lost after 1 plies: ')


def test_which_pieces_are_taken(suite):
    """Two captures with the same ends; the man that is left answers by what was taken."""
    for captured, left in (((14, 6), '07'), ((15, 7), '06')):
        with Listener(suite) as program, program.peer() as peer:
            peer.accepted('W', TWO_WAYS)
            peer.send(move(2, 18, *captured))
            check(peer.expect(r'M\d{4}(\d\d)\d\d00')[1] in (left, '14', '15'), 'wrong pieces left')


def test_split_and_glued(suite):
    with Listener(suite) as program, program.peer() as peer:
        for byte in gamereq('W').encode() + b'\0':
            peer.raw(bytes([byte]))
            time.sleep(0.0005)
        peer.expect(f'A{NAME:<32}0')
        peer.send('CGood luck', move(11, 15), 'Cone more')
        peer.expect(r'M\d{4}\d\d\d\d00')
        program.until('chat: Good luck$')
        program.until('chat: one more$')


def test_messages_are_kept_apart(suite):
    """GAMEACC and the first MOVE, for a reader that loses what comes together; best of some, for loaded machines."""
    gaps = []
    with Listener(suite) as program:
        while len(gaps) < 5 and max(gaps, default=0) < 0.09:
            with program.peer() as peer:
                peer.accepted('Z')
                begin = time.monotonic()
                peer.expect(r'M\d{4}\d\d\d\d00')
                gaps.append(time.monotonic() - begin)
    check(max(gaps) >= 0.09, gaps)


def test_end_by_the_peer(suite):
    """On its turn it may end the game for any reason; the next game is another."""
    for reason, result in (('0', 'ended'), ('1', 'won'), ('2', 'drawn'), ('3', 'lost')):
        with Listener(suite) as program, program.peer() as peer:
            for number in (1, 2):
                peer.accepted('W')
                peer.send(f'E{reason}0')
                peer.expect('E00')
                program.until(f'game {number}: {result} after 0 plies: ')


def test_end_while_it_thinks(suite):
    with Listener(suite, '--movetime', '600000') as program, program.peer() as peer:
        peer.accepted('Z')
        peer.send('E01')
        peer.expect('E00')
        program.until('game 1: ended after 0 plies: ')
        peer.closed()


def test_no_third_end(suite):
    """Neither an answer to an answer, nor to one that comes late."""
    with Listener(suite) as program, program.peer() as peer:
        peer.accepted('W', CIRCLE)
        peer.send(move(2, 2, 6, 7, 14, 15))
        peer.expect('E10')
        peer.send('E10', 'E00')
        peer.accepted('W')  # nothing else was said
        check(len(program.until('game 2:')) == 3, 'one result')


def test_last_game_is_said_to_be(suite):
    with Listener(suite, '--games', '2') as program, program.peer() as peer:
        for stop in '01':
            peer.accepted('W', CIRCLE)
            peer.send(move(2, 2, 6, 7, 14, 15))
            peer.expect(f'E1{stop}')
            peer.send('E00')
        peer.closed()
        program.ends(0)


def test_nothing_to_move_at_the_start(suite):
    with Listener(suite) as program, program.peer() as peer:
        peer.accepted('Z', board(white=(13,), black=()))
        peer.expect('E10')


def test_chat(suite):
    with Listener(suite) as program, program.peer() as peer:
        peer.send('CHello', gamereq('W'))
        peer.expect(f'A{NAME:<32}0')
        peer.send('C' + 'x' * 126, 'Cbell\x07 \xe9 \nline', move(11, 15))
        peer.expect(r'M\d{4}\d\d\d\d00')
        said = program.until('chat: bell')
        check(said == ['chat: Hello', 'game 1: Crownhead has White against Test, 0 min', f'chat: {"x" * 126}',
                       'chat: bell? ? ?line'], said)


def test_going_back(suite):
    """It is refused, at any time, and the game goes on."""
    with Listener(suite) as program, program.peer() as peer:
        peer.send('B001Z')
        peer.expect('K1')
        peer.accepted('W')
        peer.send('B001Z')
        peer.expect('K1')
        peer.send(move(11, 15))
        peer.expect(r'M\d{4}\d\d\d\d00')
    with Listener(suite, '--movetime', '600') as program, program.peer() as peer:
        peer.accepted('Z')
        peer.send('B001W')
        peer.expect('K1', r'M\d{4}\d\d\d\d00')


def test_refused_games(suite):
    with Listener(suite) as program, program.peer() as peer:
        for request, code in ((gamereq('W', version='02'), '1'),
                              (gamereq('W', 'z' * 20 + 'e' * 10 + 'w' * 20), '2'),
                              (gamereq('W', 'z' * 13 + 'e' * 7 + 'w' * 12), '2')):
            peer.send(request)
            peer.expect(f'A{NAME:<32}{code}')
        peer.accepted('W')


def test_initiator(suite):
    """Each position with both colours; the one who begins is the initiator first."""
    fens = ('--fen', 'B:W21-32:B1-12', '--fen', 'W:WK30:BK1')
    boards = (('Z', START), ('W', board((), (), (30,), (1,))))
    with Caller(suite, '--time', '1', '--moves', '20', '--games', '4', *fens) as program, program.found as peer:
        for number in range(4):
            turn, squares = boards[number // 2]
            own_turn = number % 2 == 0
            follower = turn if not own_turn else 'ZW'['ZW'.index(turn) - 1]
            check(peer.read() == f'R01{NAME:<32}{follower}001020B{turn}{squares}', number)
            peer.send(gameacc('0'))
            if own_turn:
                peer.expect(r'M\d{4}\d\d\d\d00')
            peer.send('E20')
            peer.expect('E0' + ('1' if number == 3 else '0'))
        peer.closed()
        program.ends(0)


def test_initiator_that_is_refused(suite):
    for code, reason in (('1', 'wrong version'), ('2', 'not this game'), ('3', 'no games')):
        with Caller(suite) as program, program.found as peer:
            peer.expect('R01.*')
            peer.send(gameacc(code))
            peer.closed()
            program.ends(1)
            check(reason in program.complaints(1)[0], program.stray)


def test_roles_turned(suite):
    with Listener(suite, '--initiator', '--games', '1') as program, program.peer() as peer:
        peer.expect('R01.*')
        peer.send(gameacc('0'))
        peer.expect(r'M\d{4}\d\d\d\d00')
    with Caller(suite, '--follower') as program, program.found as peer:
        peer.accepted('Z')
        peer.expect(r'M\d{4}\d\d\d\d00')
