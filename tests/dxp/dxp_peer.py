"""The other side of DXP, as a socket that a test writes to by hand; and the program under test as a process."""

import os
import re
import signal
import socket
import time

from client import PATIENCE, Engine
from tap import Failure, check

START = 'zzzzzzzzzzzzeeeeeeeewwwwwwwwwwww'
NAME = 'Crownhead 0.1.0'
QUICK = ('--movetime', '5', '--hash', '1')


def board(white, black, white_kings=(), black_kings=()):
    """The 32 letters of a position."""
    letters = ['e'] * 32
    for letter, squares in (('w', white), ('z', black), ('W', white_kings), ('Z', black_kings)):
        for square in squares:
            letters[square - 1] = letter
    return ''.join(letters)


def gamereq(follower, squares=START, turn='Z', minutes=0, moves=0, version='01', name='Test'):
    return f'R{version}{name:<32}{follower}{minutes:03}{moves:03}B{turn}{squares}'


def gameacc(code, name='Test'):
    return f'A{name:<32}{code}'


def move(start, end, *captured):
    return f'M0000{start:02}{end:02}{len(captured):02}' + ''.join(f'{square:02}' for square in captured)


class Peer:
    """A connection. Messages are texts without their NUL byte."""

    def __init__(self, connection):
        self.socket = connection
        self.bytes = b''

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, *messages):
        self.raw(b''.join(message.encode('latin-1') + b'\0' for message in messages))

    def read(self, timeout=PATIENCE):
        """The next message, None at the end."""
        end = time.monotonic() + timeout
        while b'\0' not in self.bytes:
            self.socket.settimeout(max(0.001, end - time.monotonic()))
            try:
                more = self.socket.recv(4096)
            except TimeoutError:
                raise Failure('no message within', timeout, 's') from None
            except ConnectionResetError:
                more = b''
            if not more:
                check(not self.bytes, 'half a message:', self.bytes)
                return None
            self.bytes += more
        message, self.bytes = self.bytes.split(b'\0', 1)
        check(len(message) <= 127, 'a long message', message)
        return message.decode('ascii')

    def expect(self, *patterns):
        """Messages that must come, each of a form; the last match."""
        match = None
        for pattern in patterns:
            message = self.read()
            match = re.fullmatch(pattern, message) if message is not None else None
            check(match, pattern, 'was expected, not', message)
        return match

    def accepted(self, *request, **options):
        self.send(gamereq(*request, **options))
        self.expect(f'A{NAME:<32}0')

    def closed(self):
        message = self.read()
        check(message is None, 'more was said:', message)

    def reset(self):
        """Ends the connection the hard way."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
        self.socket.close()


class Program(Engine):
    """crownhead dxp. Use it in a with statement, at whose end it is stopped if it has not ended."""

    sane = (0, 1, 2)  # exit statuses

    def __init__(self, suite, *arguments):
        super().__init__(suite, command=[suite.program, 'dxp', *map(str, arguments)])

    def kill(self, number):
        """Ends it by a signal."""
        self.sane = (-number,)
        self.process.send_signal(number)
        self.process.wait(PATIENCE)

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            sane = self.sane
            self.kill(signal.SIGTERM)
            self.sane += sane  # it may have ended by itself in between
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()
        if kind is None:
            check(self.process.returncode in self.sane, 'exit status', self.process.returncode, self.stray)
            check(not [line for line in self.stray if not line.startswith('dxp: ')], self.stray)

    def complaints(self, count):
        """So many lines of stderr, once they are there, and none more."""
        end = time.monotonic() + PATIENCE
        while len(self.stray) < count and time.monotonic() < end:
            time.sleep(0.005)
        check(len(self.stray) == count, count, 'lines of stderr were expected, not', self.stray)
        return self.stray

    def ends(self, status):
        check(self.process.wait(PATIENCE) == status, 'exit status', self.process.returncode, self.stray)


class Listener(Program):
    """A program that listens."""

    def __init__(self, suite, *arguments):
        super().__init__(suite, '--listen', '0', *QUICK, *arguments)
        line = self.next_line()[1]
        match = re.fullmatch(r'listening on 127\.0\.0\.1:(\d+)', line)
        check(match, line)
        self.port = int(match[1])

    def peer(self):
        return Peer(socket.create_connection(('127.0.0.1', self.port), PATIENCE))

    def still_plays(self):
        """A further peer gets a game and an answer."""
        with self.peer() as peer:
            peer.accepted('W')
            peer.send(move(11, 15))
            peer.expect(r'M\d{4}\d\d\d\d00')
            peer.send('E01')
            peer.expect('E0[01]')


class Caller(Program):
    """A program that connects, and the peer it has found."""

    def __init__(self, suite, *arguments):
        with socket.create_server(('127.0.0.1', 0)) as server:
            super().__init__(suite, '--connect', f'127.0.0.1:{server.getsockname()[1]}', *QUICK, *arguments)
            server.settimeout(PATIENCE)
            self.found = Peer(server.accept()[0])


def environment(name, default):
    return int(os.environ.get(name, default))


