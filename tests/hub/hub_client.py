"""A client of the Hub protocol: what it says and reads, over the process of client.py."""

import re

from client import PATIENCE, Engine, check

ENGLISH = 'Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww'
RUSSIAN = 'Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww'
NEARLY_OVER = 'BeeeeeeeeebeeebeeeweeeeeeeeeeeeeW'

ERROR = 'error message='
MOVE = r'\d+(?:-\d+|x\d+(?:x\d+)+)'
INFO = re.compile(r'info depth=(\d+) mean-depth=(\d+\.\d+) score=(-?\d+\.\d\d) nodes=(\d+) time=(\d+\.\d{3})'
                  rf' nps=(\d+\.\d{{3}}) pv="((?:{MOVE})(?: {MOVE})*)"$')
DONE = re.compile(rf'done move=({MOVE})(?: ponder=({MOVE}))?$')


class Answer:
    """The lines of a search."""

    def __init__(self, lines):
        self.lines = lines
        self.errors = [line for line in lines if line.startswith(ERROR)]
        self.infos = [INFO.match(line) for line in lines if line.startswith('info')]
        check(all(self.infos), 'form of an info line in', lines)
        check(len(lines) == len(self.infos) + len(self.errors) + 1, 'stray lines', lines)
        done = DONE.match(lines[-1])
        check(done or lines[-1] == 'done', 'form of', lines[-1])
        self.move, self.ponder = done.groups() if done else (None, None)

    @property
    def score(self):
        return float(self.infos[-1][3])

    @property
    def depth(self):
        return int(self.infos[-1][1])

    @property
    def nodes(self):
        return int(self.infos[-1][4])


class Hub(Engine):
    """A running engine that has said hello; it is initialised with parameters unless they are None."""

    def __init__(self, suite, params=(), arguments=('hub',)):
        super().__init__(suite, command=[suite.program, *arguments])
        self.send('hub')
        self.hello = self.until('wait$')
        if params is not None:
            for name, value in dict(params).items():
                self.send(f'set-param name={name} value={value}')
            self.send('init')
            check(self.until('ready$') == ['ready'], 'init')

    def sync(self):
        """What was said up to now."""
        self.send('ping')
        return self.until('pong$')[:-1]

    def all_said(self, *lines):
        """What is said to lines and to a last one, which is unknown and so ends every search."""
        self.send(*lines, 'end-of-lines')
        return self.until("error message=\"unknown command 'end-of-lines'")[:-1]

    def error(self, line):
        """The text of the one error line that must be the whole answer."""
        answer = self.ask(line)
        check(len(answer) == 1 and re.match(r'error message="[^"]+"$', answer[0]), 'not one error line to',
              line[:80], answer)
        return answer[0][len(ERROR) + 1:-1]

    def go(self, *lines, timeout=PATIENCE):
        """A search to its end; the last line is the go."""
        self.send(*lines)
        return Answer(self.until('done', timeout))

    def search(self, position, level='depth=4', moves='', how='think'):
        return self.go(f'pos pos={position} moves="{moves}"' if moves else f'pos pos={position}',
                       f'level {level}', f'go {how}')
