"""A client of the engine: one process, its lines read as they come, every wait bounded."""

import os
import queue
import re
import subprocess
import threading
import time

from tap import Failure, Skip, check

START = {
    'english': 'B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12',
    'russian': 'W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6',
}

ERROR = 'info string error: '

# Generous: a loaded machine or a sanitizer slows everything, and a hang is found by any bound.
PATIENCE = 30.0


class Suite:
    """What all tests share: the program under test."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        with open(self.program, 'rb') as file:
            binary = file.read()
        self.sanitized = b'__asan_init' in binary or b'__tsan_init' in binary
        self.notes = threading.local()

    def note(self, text):
        """A line beside the result, for people."""
        self.notes.lines.append(text)

    def run(self, data, *arguments, timeout=PATIENCE):
        """All of the input at once; the lines of the output and the exit status."""
        if isinstance(data, str):
            data = data.encode()
        done = subprocess.run([self.program, *arguments], input=data, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout, check=False)
        return done.stdout.decode().split('\n')[:-1], done.returncode


class Engine:
    """A running engine. Use it in a with statement; at its end the engine has to quit cleanly."""

    def __init__(self, suite, *lines, command=None):
        self.process = subprocess.Popen(command or [suite.program], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        self.stray = []
        for target in (self._read_lines, self._read_stray):
            threading.Thread(target=target, daemon=True).start()
        self.send(*lines)

    def _read_lines(self):
        try:
            for line in self.process.stdout:
                self.lines.put((time.monotonic(), line.decode('ascii', 'replace').rstrip('\n')))
        except ValueError:
            pass
        self.lines.put(None)

    def _read_stray(self):
        for line in self.process.stderr:
            self.stray.append(line.decode('ascii', 'replace').rstrip('\n'))

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None:
            self.process.kill()
            self.process.wait()
            return
        try:
            self.send('quit')
        except OSError:
            pass
        self.wait_end()

    def wait_end(self, status=0, timeout=PATIENCE):
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure('the engine does not end') from None
        check(self.process.returncode == status, 'exit status', self.process.returncode, self.stray)
        check(status != 0 or not self.stray, 'stderr:', self.stray)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *lines):
        if lines:
            self.send_bytes(''.join(line + '\n' for line in lines).encode())

    def next_line(self, timeout=PATIENCE):
        """The next line, with the time of its arrival."""
        try:
            item = self.lines.get(timeout=timeout)
        except queue.Empty:
            raise Failure('no answer within', timeout, 's') from None
        if item is None:
            raise Failure(f'the engine ended, {self.process.wait(PATIENCE)}: {self.stray}')
        return item

    def until(self, pattern, timeout=PATIENCE):
        """Lines up to the first that begins with the pattern, which is the last of them."""
        lines = []
        end = time.monotonic() + timeout
        while True:
            lines.append(self.next_line(max(0.001, end - time.monotonic()))[1])
            if re.match(pattern, lines[-1]):
                return lines

    def rest(self):
        """Everything up to the end of the output."""
        lines = []
        while True:
            item = self.lines.get(timeout=PATIENCE)
            if item is None:
                return lines
            lines.append(item[1])

    def sync(self):
        """What was said up to now."""
        self.send('isready')
        return self.until('readyok$')[:-1]

    def ask(self, *lines):
        """What is said to lines that are answered at once."""
        self.send(*lines)
        return self.sync()

    def error(self, line):
        """The text of the one error line that must be the whole answer."""
        answer = self.ask(line)
        check(len(answer) == 1 and answer[0].startswith(ERROR), 'not one error line to', line[:80], answer)
        return answer[0][len(ERROR):]

    def quiet(self, *lines):
        """Lines that must be taken without a word."""
        answer = self.ask(*lines)
        check(not answer, lines[0][:80], answer)

    def go(self, line, timeout=PATIENCE):
        """A search to its end."""
        self.send(line)
        return Answer(self.until('bestmove', timeout))

    def show(self):
        """The parts of the answer to d."""
        parts = {}
        for line in self.ask('d'):
            name, separator, value = line.partition(':')
            if separator and name in ('Fen', 'Key', 'Moves', 'Result'):
                parts[name] = value.strip()
        check(len(parts) == 4, 'd says', parts)
        parts['Moves'] = parts['Moves'].split()
        return parts

    def moves(self):
        return self.show()['Moves']

    def is_alive(self):
        self.sync()
        return self.process.poll() is None


INFO = re.compile(r'info depth (\d+) seldepth (\d+) multipv (\d+)'
                  r' score (cp|mate) (-?\d+)( lowerbound| upperbound)?'
                  r' nodes (\d+) nps (\d+) hashfull (\d+) tbhits (\d+) time (\d+)(?: pv( \S+)+)?$')
CURRENT = re.compile(r'info currmove \S+ currmovenumber \d+$')


class Info:
    def __init__(self, line):
        match = INFO.match(line)
        check(match, 'not in the form of an info line:', line)
        self.depth, self.multipv = int(match[1]), int(match[3])
        self.kind, self.value, self.bound = match[4], int(match[5]), match[6]
        self.nodes, self.hashfull = int(match[7]), int(match[9])
        self.pv = line.split(' pv ')[1].split() if ' pv ' in line else []
        check(self.hashfull <= 1000, line)

    def score(self):
        """One number: a win is beyond every evaluation."""
        if self.kind == 'cp':
            return self.value
        return 100000 - self.value if self.value > 0 else -100000 - self.value


class Answer:
    """The lines of a search, each of a form that the contract knows."""

    def __init__(self, lines):
        self.lines = lines
        self.errors = [line[len(ERROR):] for line in lines if line.startswith(ERROR)]
        self.infos = [Info(line) for line in lines if line.startswith('info depth')]
        words = lines[-1].split()
        check(words[0] == 'bestmove', lines[-1])
        check(len(words) == 2 or (len(words) == 4 and words[2] == 'ponder'), lines[-1])
        check(words[1] != '(none)' or len(words) == 2, lines[-1])
        self.best = words[1]
        self.ponder = words[3] if len(words) == 4 else None
        for line in lines[:-1]:
            check(line.startswith('info string ') or INFO.match(line) or CURRENT.match(line), 'form of', line)

    def last(self, multipv=1, bounds=False):
        """The last report of a line, one of a mere bound only if wanted."""
        return [info for info in self.infos if info.multipv == multipv and (bounds or not info.bound)][-1]
