#!/usr/bin/env python3
"""An engine that can misbehave, for tests of what drives engines.

Its moves are legal: they come from a process of crownhead, and it speaks UCI or Hub. At its N-th move of a
game, or in the handshake, it commits the fault that it was asked for:

  none              plays on
  exit[=STATUS]     ends (3)
  signal[=NUMBER]   is killed (SIGSEGV)
  hang              never answers again
  late=SECONDS      answers after so long
  illegal[=MOVE]    plays a move that is none
  nomove            says that there is no move; empty: gives no move at all; binary: bytes that are no text
  nul               plays with a NUL byte behind the move; long: with a megabyte of blanks before it
  rubbish           writes much that is no line of the protocol, then plays on
  endless           writes a line without an end; flood: a hundred megabytes of lines, and no move
  close             closes its output; deaf: its input
  twice             answers twice; early: answers before the next ping; hasty: in one write with it
  last              plays without an end of line, and ends
  child=MARK        starts a daemon with the mark among its arguments, and plays on
  stubborn          plays on, but ignores quit, the end of its input and SIGTERM
  mute              answers no ping after this move
  slow-start=SECONDS, no-welcome, never-ready, exit-start[=STATUS]    in the handshake
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time

HANDSHAKE = ('slow-start', 'no-welcome', 'never-ready', 'exit-start')
START = {'english': 'B' + 12 * 'b' + 8 * 'e' + 12 * 'w', 'russian': 'W' + 12 * 'b' + 8 * 'e' + 12 * 'w'}


def say(text):
    """Whole lines, or anything else, past all buffers."""
    data = text if isinstance(text, bytes) else text.encode() + b'\n'
    while data:
        data = data[os.write(1, data):]


def sleep_for_ever():
    while True:
        time.sleep(1000)


class Brain:
    """A crownhead that knows the rules."""

    def __init__(self, program, arguments):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        encoding='ascii', bufsize=1)
        self.arguments = arguments
        self.random = random.Random(arguments.seed)
        self.send('setoption name Hash value 1')

    def send(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def until(self, word):
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit('engine.py: the brain is gone')
            if line.startswith(word):
                return line.split()

    def show(self):
        """The FEN and the legal moves."""
        self.send('d')
        return self.until('Fen:')[1], self.until('Moves:')[1:]

    def choose(self):
        if self.arguments.seed is not None:
            moves = self.show()[1]
            return self.random.choice(moves) if moves else '(none)'
        self.send(f'go nodes {self.arguments.nodes}')
        return self.until('bestmove')[1]


def number_of(square):
    if square.isdigit():
        return int(square)
    return (8 - int(square[1])) * 4 + (ord(square[0]) - ord('a')) // 2 + 1


def place_of(number):
    """Column and row of a square, from b8."""
    row, index = divmod(number - 1, 4)
    return 2 * index + (row % 2 == 0), row


def pieces_of(fen):
    """Which squares are occupied."""
    return {number_of(name.lstrip('K')) for section in fen.split(':')[1:] for name in section[1:].split(',')
            if name and section[0] in 'WB'}


def hub_move(fen, move):
    """A move that crownhead writes, as Hub writes it."""
    if '-' in move:
        return '-'.join(str(number_of(square)) for square in move.split('-'))
    path = [number_of(square) for square in move.split('x')]
    occupied = pieces_of(fen) - {path[0]}
    by_place = {place_of(number): number for number in range(1, 33)}
    captured = set()
    for here, there in zip(path, path[1:]):
        (x, y), (to_x, to_y) = place_of(here), place_of(there)
        step_x, step_y = (1 if to_x > x else -1), (1 if to_y > y else -1)
        while (x, y) != (to_x, to_y):
            x, y = x + step_x, y + step_y
            captured |= {by_place[x, y]} & occupied
    return 'x'.join(str(square) for square in [path[0], path[-1], *sorted(captured)])


def hub_fen(text):
    """The FEN of a position of Hub."""
    sides = {'w': [], 'b': []}
    for number, letter in enumerate(text[1:], 1):
        if letter != 'e':
            sides[letter.lower()].append(('K' if letter.isupper() else '') + str(number))
    return f'{text[0]}:W{",".join(sides["w"])}:B{",".join(sides["b"])}'


class Engine:
    """What both protocols have in common."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.fault, _, self.detail = arguments.fault.partition('=')
        self.brain = Brain(arguments.crownhead, arguments)
        self.moves = 0  # played in this game
        self.mute = False
        self.unasked = None  # early or hasty
        self.stubborn = False
        if arguments.spare and self.is_spared():
            self.fault = 'none'

    def detail_or(self, otherwise):
        return type(otherwise)(self.detail) if self.detail else otherwise

    def run(self):
        log = open(self.arguments.log, 'a', encoding='ascii') if self.arguments.log else None
        for line in sys.stdin:
            if log:
                log.write(line)
                log.flush()
            words = line.split()
            if words and words[0] == 'quit' and not self.stubborn:
                return
            if words:
                self.execute(words, line.strip())
        while self.stubborn:
            sleep_for_ever()

    def greet(self):
        """Faults of the handshake, before the greeting ends."""
        if self.fault == 'slow-start':
            time.sleep(self.detail_or(1.0))
        elif self.fault == 'no-welcome':
            sleep_for_ever()
        elif self.fault == 'exit-start':
            say('info string I have a headache')
            os._exit(self.detail_or(3))

    def is_spared(self):
        """Whether this is the first start of those with a mark."""
        try:
            os.close(os.open(self.arguments.spare, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True

    def pong(self, word):
        if self.fault == 'never-ready' or self.mute:
            return
        if self.unasked is None:
            say(word)
            return
        lines = [self.answer(self.brain.choose()), word]
        say('\n'.join(lines if self.unasked == 'early' else reversed(lines)))
        self.unasked = None

    def new_game(self):
        self.moves = 0

    def go(self):
        self.moves += 1
        due = self.moves == self.arguments.at and self.fault not in HANDSHAKE
        time.sleep(self.arguments.think)
        for line in self.arguments.info:
            say(line)
        move = self.brain.choose()
        if due:
            self.misbehave(self.fault, move)
        else:
            say(self.answer(move))

    def misbehave(self, fault, move):
        """Commits a fault and if the game goes on plays the move."""
        answer = self.answer(move)
        if fault == 'exit':
            say('info string here it ends')
            os._exit(self.detail_or(3))
        elif fault == 'signal':
            os.kill(os.getpid(), self.detail_or(int(signal.SIGSEGV)))
        elif fault == 'hang':
            sleep_for_ever()
        elif fault == 'late':
            time.sleep(self.detail_or(1.0))
            say(answer)
        elif fault == 'illegal':
            say(self.answer_with(self.detail_or('1-32')))
        elif fault == 'nomove':
            say(self.answer_with('(none)'))
        elif fault == 'empty':
            say(self.answer_with(''))
        elif fault == 'binary':
            say(self.answer_with('').encode() + b' \x01\xff\x80\n')
        elif fault == 'nul':
            say(answer.encode() + b'\0\n')
        elif fault == 'long':
            say(answer.replace(' ', ' ' * (1 << 20)))
        elif fault == 'rubbish':
            say(b'\xff\xfe\x80 no text\n\0\0\0\nbest\0move\n\n\n\r\n   \nbestmove_not\ninfo\ninfo depth\n'
                b'info depth x score cp y nodes z\ninfo score\ninfo score mate\noption name\nid\nid name\n'
                b'info score= depth== nodes"= "\ndone_not\n= = "\n')
            say(b'x' * (3 << 20) + b'\n')
            say(answer)
        elif fault == 'endless':
            while True:
                say(b'x' * 65536)
        elif fault == 'flood':
            for _ in range(100):
                say(b'info string abcdefghijklmnopqrstuvwxyz\n' * (1000000 // 38))
            sleep_for_ever()
        elif fault == 'close':
            os.close(1)
            sleep_for_ever()
        elif fault == 'deaf':
            os.close(0)
            say(answer)
            sleep_for_ever()
        elif fault == 'twice':
            say(answer + '\n' + answer)
        elif fault == 'last':
            say(answer.encode())
            os._exit(0)
        elif fault == 'child':
            self.start_child()
            say(answer)
        else:
            self.mute = fault == 'mute'
            self.unasked = fault if fault in ('early', 'hasty') else None
            if fault == 'stubborn':
                self.stubborn = True
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            say(answer)

    def start_child(self):
        """A daemon: its parent ends, and it has a session of its own."""
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                os.execvp('sh', ['sh', '-c', 'sleep 1000; :', self.detail])
            os._exit(0)
        os.waitpid(child, 0)


class Uci(Engine):
    def answer(self, move):
        return self.answer_with(move)

    def answer_with(self, text):
        return f'bestmove {text}'.rstrip()

    def execute(self, words, line):
        if words[0] == 'uci':
            say(f'id name {self.arguments.name}\nid author nobody')
            if self.arguments.games:
                games = self.arguments.games.split(',')
                say(f'option name UCI_Variant type combo default {games[0]} var ' + ' var '.join(games))
            say('option name DrawRules type combo default official var official var web\n'
                'option name Move Overhead type spin default 20 min 0 max 10000\n'
                'option name Ponder type check default false\noption name Clear Hash type button')
            self.greet()
            say('uciok')
        elif words[0] == 'isready':
            self.pong('readyok')
        elif words[0] == 'ucinewgame':
            self.new_game()
        elif words[0] == 'setoption' and words[2] == 'UCI_Variant' or words[0] == 'position':
            self.brain.send(line)
        elif words[0] == 'go':
            self.go()


def hub_items(line):
    """The arguments of a line."""
    items = {}
    rest = line.partition(' ')[2].strip()
    while rest:
        name, _, rest = rest.partition('=')
        quote = rest.startswith('"')
        value, _, rest = rest[1:].partition('"') if quote else rest.partition(' ')
        items[name.strip()] = value
        rest = rest.strip()
    return items


class Hub(Engine):
    def __init__(self, arguments):
        super().__init__(arguments)
        self.game = 'english'
        self.position = START['english']
        self.known = [], []  # moves of Hub, and the same for the brain

    def answer(self, move):
        return self.answer_with('(none)' if move == '(none)' else hub_move(self.brain.show()[0], move))

    def answer_with(self, text):
        return f'done move={text}' if text not in ('', '(none)') else 'done'

    def execute(self, words, line):
        items = hub_items(line) if words[0] in ('set-param', 'pos') else {}
        if words[0] == 'hub':
            name, _, version = self.arguments.name.rpartition(' ')
            say(f'id name="{name}" version={version} author="No Body" country=XX')
            if self.arguments.games:
                games = self.arguments.games.split(',')
                say(f'param name=variant value={games[0]} type=enum values="{" ".join(games)}"')
            say('param name=draw-rules value=official type=enum values="official web"\n'
                'param name=book value=true type=bool\nparam name=ponder value=false type=bool')
            self.greet()
            say('wait')
        elif words[0] == 'init':
            self.pong('ready')
        elif words[0] == 'ping':
            self.pong('pong')
        elif words[0] == 'new-game':
            self.new_game()
        elif words[0] == 'set-param' and items['name'] == 'variant':
            self.game = items['value']
            self.position = START[self.game]
            self.brain.send(f'setoption name UCI_Variant value {self.game}')
        elif words[0] == 'pos':
            self.set_position(items['pos'], items.get('moves', '').split())
        elif words[0] == 'go':
            self.go()

    def set_position(self, position, moves):
        hub, own = self.known
        if position != self.position or moves[:len(hub)] != hub:
            hub, own = [], []
        while True:
            self.brain.send(f'position fen {hub_fen(position)}' + (' moves ' + ' '.join(own) if own else ''))
            if len(own) == len(moves):
                break
            fen, legal = self.brain.show()
            own = own + [next(move for move in legal if hub_move(fen, move) == moves[len(own)])]
        self.position, self.known = position, (moves, own)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add('crownhead', help='the program that knows the rules')
    add('fault', nargs='?', default='none')
    add('--hub', action='store_true', help='speaks Hub')
    add('--at', type=int, default=1, metavar='N', help='the move of a game with which the fault comes')
    add('--think', type=float, default=0, metavar='SECONDS', help='for each move')
    add('--nodes', type=int, default=100, help='that the brain searches')
    add('--seed', type=int, help='plays at random')
    add('--info', action='append', default=[], metavar='LINE', help='is said before each move')
    add('--games', default='english,russian', help='that it offers, empty for none')
    add('--name', default='Fake 1.0')
    add('--spare', metavar='FILE', help='which its first start makes, and goes well')
    add('--log', metavar='FILE', help='is appended with what it is told')
    arguments = parser.parse_intermixed_args()
    engine = (Hub if arguments.hub else Uci)(arguments)
    try:
        engine.run()
    except BrokenPipeError:
        os._exit(1)


if __name__ == '__main__':
    main()
