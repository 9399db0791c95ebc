"""Peers that are broken, gone, silent or hostile: they lose their connection, with one line, and no more is lost."""

import random
import signal
import socket
import time

from dxp_peer import NAME, START, Caller, Listener, board, environment, gameacc, gamereq, move
from tap import check

CIRCLE = board(white=(6, 7, 14, 15), black=(), black_kings=(2,))
ALMOST_LOST = move(2, 2, 6, 7, 14, 15)  # in CIRCLE: White has lost then


def dropped(program, peer, count=1):
    """The peer has lost its connection and is spoken of in one line; the text behind its address."""
    peer.closed()
    return program.complaints(count)[-1].split(': ', 2)[2]


def test_rubbish(suite):
    bad = ['', 'X', 'GET / HTTP/1.1\r\n', 'R', 'R01', gamereq('W')[:-1], gamereq('X'), gamereq('W', turn='w'),
           gamereq('W', 'b' * 32), gamereq('W')[:42] + 'C', gamereq('W', minutes=-1), gamereq('W') + 'e',
           gamereq('W', version='1x'), 'A', gameacc('4'), 'M', 'M0000', 'M000011150', 'M0000111501', 'M0000111513',
           'M00001115' + '99' + '01' * 40, 'Mxxxx111500', 'M0000111500 1', 'E', 'E0', 'E40', 'E02', 'B', 'B001',
           'B001X', 'Bxx1W', 'K', 'K3', 'r01', '\xff' * 127]
    with Listener(suite) as program:
        for number, text in enumerate(bad, 1):
            with program.peer() as peer:
                peer.send(text)
                dropped(program, peer, number)
        program.still_plays()


def test_illegal_moves(suite):
    cases = [(START, move(11, 14)), (START, move(11, 11)), (START, move(22, 18)), (START, move(0, 15)),
             (START, move(33, 15)), (START, move(11, 15, 22)), (START, move(16, 20)),
             (CIRCLE, move(2, 2)), (CIRCLE, move(2, 2, 6, 7, 14)), (CIRCLE, move(2, 2, 6, 7, 14, 14)),
             (CIRCLE, move(2, 9, 6)),
             (board(white=(6, 7, 14, 15), black=(2,)), move(2, 18)),
             (board(white=(18,), black=(14,)), move(14, 23))]  # not ambiguous, but what is taken must be said
    with Listener(suite) as program:
        for number, (squares, text) in enumerate(cases, 1):
            with program.peer() as peer:
                peer.accepted('W', squares)
                peer.send(text)
                line = dropped(program, peer, number)
                check('illegal move' in line or 'ambiguous move' in line, text, line)
        program.still_plays()


def test_out_of_turn(suite):
    with Listener(suite, '--movetime', '600000') as program:
        for number, (first, second, word) in enumerate([
                (gamereq('Z'), move(11, 15), 'out of turn'), (gamereq('W'), gamereq('W'), 'middle of a game'),
                (gamereq('W'), gameacc('0'), 'answers nothing')], 1):
            with program.peer() as peer:
                peer.send(first, second)
                peer.expect(f'A{NAME:<32}0')
                check(word in dropped(program, peer, number), program.stray)
        with program.peer() as peer:
            peer.send(move(11, 15))
            check('out of turn' in dropped(program, peer, 4), program.stray)
    with Caller(suite) as program, program.found as peer:
        peer.send(gamereq('W'))
        peer.expect('R01.*')
        check('initiator' in dropped(program, peer), program.stray)


def test_move_after_the_end(suite):
    with Listener(suite) as program, program.peer() as peer:
        peer.accepted('W', CIRCLE)
        peer.send(ALMOST_LOST, move(2, 6))
        peer.expect('E10')
        check('out of turn' in dropped(program, peer), program.stray)
        program.still_plays()


def test_silence(suite):
    """Whatever is awaited; and neither half a message nor chat counts as an answer."""
    with Listener(suite, '--patience', '1') as program:
        with program.peer() as peer:
            check('GAMEREQ' in dropped(program, peer, 1), program.stray)
        with program.peer() as peer:
            peer.accepted('W')
            check('MOVE' in dropped(program, peer, 2), program.stray)
        with program.peer() as peer:
            peer.accepted('W', CIRCLE)
            peer.send(ALMOST_LOST)
            peer.expect('E10')
            check('GAMEEND' in dropped(program, peer, 3), program.stray)
            program.until('game 2: lost')
        with program.peer() as peer:
            begin = time.monotonic()
            try:
                while time.monotonic() < begin + 20:
                    peer.raw(b'C\0Cx'[:3])
                    time.sleep(0.2)
            except OSError:
                pass
            check('GAMEREQ' in program.complaints(4)[-1], program.stray)
        program.still_plays()
    with Caller(suite, '--patience', '1') as program, program.found as peer:
        peer.expect('R01.*')
        check('GAMEACC' in dropped(program, peer), program.stray)
        program.ends(1)


def test_flood(suite):
    floods = [b'C' + b'x' * 1000000, b'Cx\0' * 100000, b'B001W\0' * 1000, b'\0' * 100000, b'E00\0' * 1000,
              bytes(range(1, 256)) * 1000]
    with Listener(suite, '--movetime', '600000') as program:
        for number, flood in enumerate(floods, 1):
            with program.peer() as peer:
                peer.accepted('Z')
                try:
                    peer.raw(flood)
                    while peer.read() is not None:
                        pass
                except OSError:
                    pass
                program.complaints(number)


def test_requests_without_end(suite):
    with Listener(suite) as program:
        with program.peer() as peer:
            peer.send(*[gamereq('W', version='02')] * 20)
            peer.expect(*[f'A{NAME:<32}1'] * 10)
            dropped(program, peer)
        program.still_plays()


def test_gone_in_each_state(suite):
    with Listener(suite, '--movetime', '300') as program:
        for hard in (False, True):
            def leave(peer):
                if hard:
                    peer.reset()
                else:
                    peer.socket.close()
            leave(program.peer())
            peer = program.peer()
            peer.raw(gamereq('W').encode()[:20])
            leave(peer)
            for request in ('Z', 'W'):  # while it thinks; when it waits
                peer = program.peer()
                peer.accepted(request)
                leave(peer)
            peer = program.peer()  # when the end is not answered
            peer.accepted('W', CIRCLE)
            peer.send(ALMOST_LOST)
            peer.expect('E10')
            leave(peer)
            peer = program.peer()  # when it has lost and does not say so
            peer.accepted('Z', CIRCLE)
            peer.expect(r'M\d{4}02020406071415')
            leave(peer)
            program.until(r'game \d+: won after 1 plies: ')
            peer = program.peer()  # between games
            peer.accepted('W')
            peer.send('E00')
            peer.expect('E00')
            leave(peer)
        program.still_plays()
        lines = program.complaints(4)
        check(all('it has left in a game' in line for line in lines), lines)
    with Caller(suite) as program:
        program.found.expect('R01.*')
        program.found.reset()
        program.ends(1)
        program.complaints(1)


def test_half_closed(suite):
    """A peer that will not write any more, but reads."""
    with Listener(suite, '--movetime', '600000') as program, program.peer() as peer:
        peer.accepted('Z')
        peer.socket.shutdown(socket.SHUT_WR)
        check('it has left' in dropped(program, peer), program.stray)


def test_two_peers(suite):
    """The second waits for its turn."""
    with Listener(suite) as program, program.peer() as first, program.peer() as second:
        second.send(gamereq('W', name='Second'))
        first.accepted('W', name='First')
        first.send(move(11, 15))
        first.expect(r'M\d{4}\d\d\d\d00')
        first.send('E01')
        first.expect('E00')
        second.expect(f'A{NAME:<32}0')
        said = program.until('game 2')
        check('First' in said[0] and 'Second' in said[-1], said)


def random_message(rng):
    """A message that is right, nearly right, or nothing at all."""
    squares = ''.join(rng.choices('wzWZe', (3, 3, 1, 1, 12), k=32))
    text = rng.choices(
        [gamereq(rng.choice('WZ'), rng.choice((START, CIRCLE, squares)), rng.choice('WZ'), rng.choice((0, 0, 5))),
         move(*(rng.randrange(34) for _ in range(rng.choice((2, 2, 3, 5))))),
         f'E{rng.randrange(4)}{rng.randrange(2)}', f'C{rng.random()}', 'B001Z', f'K{rng.randrange(3)}',
         gameacc('0'), ''.join(map(chr, rng.choices(range(256), k=rng.randrange(140))))],
        (30, 30, 15, 10, 1, 5, 1, 5))[0]
    if rng.random() < 0.1 and text:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(('', chr(rng.randrange(256)), '0', text)) + text[at + 1:]
    return text.encode('latin-1') + (b'\0' if rng.random() < 0.99 else b'')


def test_random_messages(suite):
    rng = random.Random(20)
    frames = environment('CROWNHEAD_TEST_DXP_FRAMES', 2000)
    sent = connections = 0
    with Listener(suite, '--movetime', '1') as program:
        while sent < frames:
            with program.peer() as peer:
                messages = [random_message(rng) for _ in range(rng.randrange(1, 30))]
                sent += len(messages)
                connections += 1
                data = b''.join(messages)
                try:
                    for at in range(0, len(data), 700):
                        peer.raw(data[at:at + 700])
                    peer.socket.shutdown(socket.SHUT_WR)
                    while peer.read() is not None:
                        pass
                except OSError:
                    pass
        check(program.process.poll() is None, 'it has ended', program.stray[-5:])
        program.still_plays()
        program.kill(signal.SIGTERM)
        said = program.rest()
    games = sum(' against ' in line for line in said)
    ended = sum(' after ' in line for line in said)
    check(ended > 1, 'no game was begun and ended', said[:5])
    suite.note(f'{sent} messages over {connections} connections, {len(program.stray)} of them broken off; '
               f'{games} games, {ended} of them ended')
