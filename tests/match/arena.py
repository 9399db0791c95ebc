"""Where matches are held: a folder of its own for each, and a way to see whether engines are left over."""

import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from tap import check

PATIENCE = 300.0  # a sanitizer or a loaded machine slows everything; a hang is found by any bound

FAKE = pathlib.Path(__file__).resolve().parent / 'engine.py'


class Match:
    """A match command in a folder."""

    def __init__(self, arena, folder):
        self.folder = pathlib.Path(folder)
        self.program = arena.program
        # Processes of this match are known by the name of their command.
        self.engine = self.folder / f'crownhead-{self.folder.name}'
        self.engine.symlink_to(arena.program)
        self.started = []

    def uci(self, name, *words):
        return ['-engine', f'name={name}', f'cmd={self.engine}', *words]

    def fake(self, name, *arguments, proto='uci'):
        """An engine that plays well but for one fault."""
        command = [sys.executable, str(FAKE), str(self.engine), *arguments]
        return ['-engine', f'name={name}', f'proto={proto}', f'cmd={command[0]}', *(f'arg={a}' for a in command[1:])]

    def start(self, *arguments, file_limit=None, descriptors=None):
        """A running match; file_limit is how large its files may become, in bytes, and descriptors are the two
        limits of how many it may open."""
        def limit():
            if file_limit:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, descriptors)
        words = [word if isinstance(word, bytes) else str(word) for word in arguments]
        process = subprocess.Popen([self.program, 'match', *words], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=limit if file_limit or descriptors else None)
        self.started.append(process)
        return process

    def run(self, *arguments, status=0, timeout=PATIENCE, **limits):
        """Lines of the output and of the errors."""
        process = self.start(*arguments, **limits)
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        check(process.returncode == status, arguments, 'ended with', process.returncode, errors[-2000:])
        check(self.left_over() == [], 'processes are left over', self.left_over())
        return output.splitlines(), errors.splitlines()

    def refused(self, *arguments, status=2):
        """The one line that says why."""
        output, errors = self.run(*arguments, status=status)
        check(len(errors) == 1 and output == [], arguments, 'said', output, errors)
        return errors[0].removeprefix('crownhead match: ')

    def left_over(self, seconds=3.0):
        """Processes that still run an engine of this match after a little while."""
        end = time.monotonic() + seconds
        while True:
            found = [pid for pid in os.listdir('/proc') if pid.isdigit() and self._is_mine(pid)]
            if not found or time.monotonic() > end:
                return found
            time.sleep(0.02)

    def _is_mine(self, pid):
        try:
            with open(f'/proc/{pid}/cmdline', 'rb') as file:
                words = file.read().split(b'\0')
            with open(f'/proc/{pid}/stat', encoding='ascii', errors='replace') as file:
                name, rest = file.read().split('(', 1)[1].rsplit(')', 1)
        except OSError:
            return False
        # The match has the name of the engine among its arguments too, and its keepers have those of the match.
        match = b'match' in words[:2] and name != 'engine-keeper'
        return rest.split()[0] != 'Z' and not match and any(self.engine.name.encode() in word for word in words)

    def header(self, name='games.json'):
        """The first line."""
        return json.loads((self.folder / name).read_text().splitlines()[0])

    def games(self, name='games.json'):
        """The lines of the games; an empty file is of a match that has not begun yet."""
        lines = (self.folder / name).read_text().splitlines()
        check(not lines or 'match' in json.loads(lines[0]), lines[:1])
        return [json.loads(line) for line in lines[1:]]

    def pdn(self, name='games.pdn'):
        """What crownhead pdn says of the file, which must be without a fault."""
        done = subprocess.run([self.program, 'pdn', name], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        check(done.returncode == 0 and done.stderr == '', done.stdout, done.stderr)
        return done.stdout.strip()


def keepers_of(process):
    """The processes that stand between a match and its engines."""
    found = []
    for task in os.listdir(f'/proc/{process.pid}/task'):
        # A thread may end just now.
        with contextlib.suppress(OSError), open(f'/proc/{process.pid}/task/{task}/children', encoding='ascii') as file:
            found += map(int, file.read().split())
    return found


def wait_for(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < end, 'nothing came within', seconds, 's')
        time.sleep(0.01)


def line_with(lines, start):
    """The last line that begins so."""
    found = [line for line in lines if line.startswith(start)]
    check(found, 'no line begins with', start, lines[-10:])
    return found[-1]


class Arena:
    """What all tests share."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        with open(self.program, 'rb') as file:
            self.sanitized = b'__asan_init' in file.read()
        self.notes = threading.local()

    def note(self, text):
        self.notes.lines.append(text)

    @contextlib.contextmanager
    def match(self):
        folder = tempfile.mkdtemp(prefix='match')
        match = Match(self, folder)
        try:
            yield match
        finally:
            for process in match.started:
                if process.poll() is None:
                    kill_hard(process)
            shutil.rmtree(folder, ignore_errors=True)


def kill_hard(process):
    process.send_signal(signal.SIGKILL)
    process.communicate()
