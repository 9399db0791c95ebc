"""Endgame databases from the command line, and in the engine."""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

import client
from tap import Skip, check

DATA = pathlib.Path(__file__).resolve().parent.parent / 'data'
PIECES = int(os.environ.get('CROWNHEAD_TEST_PIECES', '4'))
FLIPS = int(os.environ.get('CROWNHEAD_TEST_FLIPS', '500'))
KILLS = int(os.environ.get('CROWNHEAD_TEST_KILLS', '20'))
GAMES = ('english', 'russian')
KINDS = ('wld', 'dtw')
PATIENCE = 3600.0


def rows(name):
    """The rows of a table as dictionaries by the names in its first line."""
    lines = [line.rstrip('\n').split('\t') for line in open(DATA / name, encoding='utf-8') if line[0] != '#']
    return [dict(zip(lines[0], line)) for line in lines[1:]]


class Databases(client.Suite):
    """The program, and databases of both kinds that the tests only read."""

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='egdb'))
        self.path = self.folder / 'whole'
        self.small = self.folder / 'small'
        begin = time.monotonic()
        self.build(self.path, PIECES)
        self.seconds = (time.monotonic() - begin) / len(GAMES) / len(KINDS)  # for a game and kind
        self.build(self.small, 3)
        return self

    def __exit__(self, *what):
        shutil.rmtree(self.folder, ignore_errors=True)

    def egdb(self, *arguments, status=0):
        """Lines of the output and of the errors."""
        done = subprocess.run([self.program, 'egdb', *map(str, arguments)], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        check(done.returncode == status, arguments, 'ended with', done.returncode, done.stderr[-1000:])
        return done.stdout.splitlines(), done.stderr.splitlines()

    def build(self, path, pieces, *arguments, status=0):
        return self.egdb('build', '--pieces', pieces, '--out', path, *arguments, status=status)

    def probe(self, variant, fen, path=None):
        """The value, and the value of each move."""
        output, _ = self.egdb('probe', path or self.path, fen, '--variant', variant)
        return output[0], dict(line.split(': ') for line in output[1:])


def test_counts_are_the_published_ones(databases):
    names = {'positions': 'positions', 'win': 'win', 'loss': 'loss', 'draw': 'draw', 'nocap_positions': 'quiet',
             'nocap_win': 'quiet_win', 'nocap_loss': 'quiet_loss', 'nocap_draw': 'quiet_draw'}
    output, _ = databases.egdb('stats', databases.path)
    header = output[0].split('\t')
    found = [dict(zip(header, line.split('\t'))) for line in output[1:]]
    for kind in KINDS:
        table = {(row['variant'], row['slice']): row for row in found if row['kind'] == kind}
        wanted = [row for row in rows('egdb_counts.tsv')
                  if row['variant'] in GAMES and int(row['pieces']) <= PIECES and '-' in row['slice']]
        check(len(table) == len(wanted) >= 82, len(table), 'slices,', len(wanted), 'known')
        for row in wanted:
            mine = table[row['variant'], row['slice']]
            check(all(row[theirs] == mine[ours] for theirs, ours in names.items()), kind, row, mine)
            if kind == 'dtw':
                check((row['max_win_dtm'], row['max_loss_dtm']) == (mine['longest_win'], mine['longest_loss']), row,
                      mine)


def test_verify_passes(databases):
    output, errors = databases.egdb('verify', databases.path)
    check(errors == [] and len(output) == len(list(databases.path.iterdir())), errors, len(output))


def test_every_changed_byte_is_found(databases):
    chance = random.Random(4)
    files = sorted(databases.small.iterdir())
    copy = databases.folder / 'copy'
    shutil.copytree(databases.small, copy)
    for number in range(FLIPS):
        file = copy / chance.choice(files).name
        data = bytearray(file.read_bytes())
        at = chance.randrange(len(data))
        data[at] ^= chance.randrange(1, 256)
        whole = file.read_bytes()
        file.write_bytes(data)
        _, errors = databases.egdb('verify', copy if number % 100 == 0 else file, status=1)
        check(any(file.name in line for line in errors), number, file.name, at, errors)
        named = [line for line in errors if file.name in line]
        check('block' in named[0] or 'header is damaged' in named[0] or
              'not an endgame database' in named[0], named)
        file.write_bytes(whole)
    databases.egdb('verify', copy)


def test_killed_builds_go_on(databases):
    """However often it is killed, the files become those of a build that nobody disturbed."""
    chance = random.Random(5)
    kills = 0
    for variant, kind in zip(GAMES, KINDS):
        path = databases.folder / f'killed-{variant}-{kind}'
        command = [databases.program, 'egdb', 'build', '--pieces', str(PIECES), '--out', str(path), '--variant',
                   variant, '--kind', kind]
        for _ in range(max(1, KILLS // 2)):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(chance.uniform(0, databases.seconds / 4))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
        subprocess.run(command, check=True, capture_output=True)
        for file in databases.path.glob(f'{variant}-*.{kind}'):
            check(file.read_bytes() == (path / file.name).read_bytes(), file.name, 'differs')
        check(len(list(path.iterdir())) == len(list(databases.path.glob(f'{variant}-*.{kind}'))), 'remains')
    databases.note(f'{kills} kills')
    check(kills >= KILLS // 4, kills, 'kills')


def test_published_positions(databases):
    words = {'W': 'win', 'L': 'loss', 'D': 'draw'}
    count = 0
    for row in rows('positions.tsv'):
        fen = row['fen']
        pieces = sum(side.count(',') + 1 for side in fen.split(':')[1:] if len(side) > 1)
        if pieces > PIECES or '-' in fen:
            continue
        value, moves = databases.probe(row['variant'], fen)
        want = words[row['result']]
        check(value == want or value.startswith(want + ' in '), row, value)
        if row['dtm'] != '-':
            check(value == f'{want} in {row["dtm"]}', row, value)
        if want != 'draw':
            check(value in moves.values(), value, moves)
        count += 1
    check(count >= 10, count)
    databases.note(f'{count} positions')


def test_unknown_positions(databases):
    for fen in ('W:W1,2,3,5,6,K7:B20,21,22,23,24,25', 'W:WK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12:BK32'):
        _, errors = databases.egdb('probe', databases.path, fen, status=1)
        check(len(errors) == 1 and 'not in the databases' in errors[0], errors)
    # Men where they would have become kings: no number of a slice is theirs.
    for fen in ('W:W1:B32', 'W:W21:B30', 'W:WK20,4:BK11'):
        _, errors = databases.egdb('probe', databases.path, fen, status=1)
        check(len(errors) == 1 and 'not in the databases' in errors[0], fen, errors)
    _, errors = databases.egdb('probe', databases.path, 'W:W99:B1', status=2)
    check(len(errors) == 1 and '99' in errors[0], errors)


def test_bad_command_lines(databases):
    for words, text in [
            ([], 'build, verify, info, stats or probe?'),
            (['bild'], 'build, verify, info, stats or probe?'),
            (['build', '--pieces', '4'], '--out DIR is missing'),
            (['build', '--out', 'x'], '--pieces N is missing'),
            (['build', '--pieces', '1', '--out', 'x'], '--pieces must be a whole number'),
            (['build', '--pieces', '2', '--out', 'x', 'y'], 'takes options only'),
            (['build', '--variant', 'chess'], 'unknown game'),
            (['build', '--kind', 'dtm'], '--kind is wld or dtw'),
            (['verify'], 'one DIR or FILE is wanted'),
            (['probe', databases.path], 'DIR and FEN are wanted'),
    ]:
        _, errors = databases.egdb(*words, status=2)
        check(len(errors) == 1 and text in errors[0], words, errors)
    for words, text in [
            (['verify', databases.folder / 'nowhere'], 'No such file'),
            (['verify', __file__], 'not that of a database'),
            (['info', databases.folder], 'no databases there'),
            (['build', '--pieces', '2', '--out', databases.folder / 'no' / 'where'], 'No such file'),
            (['build', '--pieces', '2', '--out', '/dev/null'], 'Not a directory'),
    ]:
        _, errors = databases.egdb(*words, status=1)
        check(len(errors) == 1 and text in errors[0], words, errors)


def test_one_file(databases):
    """A file in place of a directory."""
    file = next(databases.small.glob('russian-1020.dtw'))
    for command in ('verify', 'info', 'stats'):
        output, errors = databases.egdb(command, file)
        check(errors == [] and len(output) == (2 if command == 'stats' else 1), command, output, errors)


def test_builds_that_cannot_write(databases):
    """A limit of file sizes as a full disk, and a directory in the place of a file: named, and nothing half done."""
    path = databases.folder / 'full'
    build = [databases.program, 'egdb', 'build', '--pieces', '3', '--out', str(path)]
    limited = ['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh', *build]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    check(done.returncode == 1 and '.dtw: File too large' in done.stderr, done)
    check(not list(path.glob('*.tmp')), 'remains')
    (path / 'russian-0101.wld').mkdir()
    _, errors = databases.build(path, 2, '--variant', 'russian', status=1)
    check(len(errors) == 1 and 'russian-0101.wld: Is a directory' in errors[0], errors)
    (path / 'russian-0101.wld').rmdir()
    databases.build(path, 3)
    databases.egdb('verify', path)


def test_two_builds_do_not_meet(databases):
    path = databases.folder / 'shared'
    first = subprocess.Popen([databases.program, 'egdb', 'build', '--pieces', '4', '--out', path],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 30
    while not list(path.glob('*.wld')) and time.monotonic() < end:
        time.sleep(0.005)
    try:
        _, errors = databases.build(path, 4, status=1)
        check(first.poll() is None and 'another build works there' in errors[0], errors)
    finally:
        first.kill()
        first.wait()


class Strings(client.Engine):
    """An engine that tells what was said with setoption."""

    def set_path(self, value):
        return self.ask(f'setoption name EndgamePath value {value}')

    def hits(self):
        answer = self.go('go depth 3')
        return sum(int(line.split(' tbhits ')[1].split()[0]) for line in answer.lines if ' tbhits ' in line)


FIVE = 'position fen W:WK1,K2,K3:BK14,K15'
FOUR = 'position fen W:WK1,K2:BK14,K15'


def test_paths(databases):
    """Blanks, quotes, several directories, none, and what is not there: told truthfully, and play goes on."""
    blanks = databases.folder / 'with blanks'
    shutil.copytree(databases.small, blanks)
    with Strings(databases) as engine:
        three = 'position fen W:WK1,K2:BK14'
        for value, known in [(databases.path, True), (f'{databases.path}/', True), (blanks, True), (f'"{blanks}"', True),
                             (f'{databases.folder}/none:{databases.path}:', True), ('', False), ('<empty>', False),
                             (databases.folder / 'n\u00f6', False), (databases.folder / 'none', False),
                             ('/' * 4000, False), ('x' * 5000, None)]:
            said = engine.set_path(value)
            if known is None:
                check(len(said) == 1 and 'too long' in said[0], said)
                continue
            engine.quiet(three)
            check((engine.hits() > 0) == known, value, said)
            missing = 'n\u00f6' in str(value) or 'none' in str(value)
            check(bool(said) == missing or value == '/' * 4000, value, said)
            check(all(line.startswith('info string ') for line in said), said)


def test_damaged_files(databases):
    """A file that is cut, changed, empty or of something else is named, and play goes on without it."""
    for name, damage in [
            ('cut', lambda data: data[:len(data) // 2]), ('empty', lambda data: b''),
            ('foreign', lambda data: b'%PDF-1.4 nothing of ours' + data[24:]),
            ('flipped', lambda data: data[:9] + bytes([data[9] ^ 1]) + data[10:])]:
        path = databases.folder / f'damaged-{name}'
        shutil.copytree(databases.small, path)
        file = path / 'english-0201.wld'
        file.write_bytes(damage(file.read_bytes()))
        other = path / 'english-0201.dtw'
        other.write_bytes(damage(other.read_bytes()))
        with Strings(databases) as engine:
            said = engine.set_path(path)
            check(len(said) == 1 and 'english-0201' in said[0], name, said)
            engine.quiet('position fen W:WK1,K2:BK14')
            check(engine.go('go depth 8').best, name)
            engine.quiet('position fen W:WK1:BK14')
            check(engine.hits() > 0, name)


def test_cut_while_open(databases):
    """A file that is cut under the engine: play goes on without it."""
    path = databases.folder / 'cut-open'
    shutil.copytree(databases.small, path)
    with Strings(databases) as engine:
        check(engine.set_path(path) == [], 'a warning')
        for file in path.iterdir():
            os.truncate(file, 0)
        engine.quiet('position fen W:W21,K2:B14')
        check(engine.go('go depth 8').best and engine.hits() == 0, 'no move, or hits')


def test_pipes(databases):
    """What nobody ever writes to is not waited for."""
    path = databases.folder / 'pipe'
    shutil.copytree(databases.small, path)
    (path / 'english-0201.wld').unlink()
    os.mkfifo(path / 'english-0201.wld')
    with Strings(databases) as engine:
        said = engine.set_path(path)
        check(len(said) == 1 and 'english-0201.wld: not an endgame database' in said[0], said)


def test_russian_files_do_not_serve_english(databases):
    path = databases.folder / 'renamed'
    path.mkdir()
    for file in databases.small.glob('russian-*'):
        shutil.copy(file, path / file.name.replace('russian', 'english'))
    with Strings(databases) as engine:
        said = engine.set_path(path)
        check(len(said) == 1 and 'english' in said[0], said)
        engine.quiet('position fen W:WK1,K2:BK14')
        check(engine.hits() == 0, 'hits')


def test_more_pieces_than_there_are(databases):
    with Strings(databases) as engine:
        check(engine.set_path(databases.small) == [], 'a warning')
        engine.quiet(FIVE)
        engine.go('go depth 6')
        engine.quiet('position fen W:W21,22,23:B1,2,3')
        engine.go('go depth 6')


def test_exact_scores(databases):
    """The first position of draughts books: a win in 61 plies, told at once."""
    with Strings(databases, 'setoption name Hash value 1') as engine:
        engine.set_path(databases.path)
        engine.quiet('position fen W:WK19,K23:B12,K28')
        answer = engine.go('go depth 1')
        check(answer.last().kind == 'mate' and answer.last().value == 31, answer.lines)
        check(len(answer.last().pv) == 61 and answer.best == '23-27', answer.lines)


def test_default_path(databases):
    """Beside the program lie the endgames with four pieces."""
    if not (pathlib.Path(databases.program).parent / 'egdb').is_dir():
        raise Skip('the program lies alone')
    with Strings(databases) as engine:
        check('option name EndgamePath type string default <default>' in engine.ask('uci'), 'the option')
        engine.quiet(FOUR)
        check(engine.hits() > 0, 'no hits')
        engine.quiet('setoption name UCI_Variant value russian', FOUR)
        check(engine.hits() > 0, 'no hits')
        engine.quiet('setoption name EndgamePath value <empty>')
        check(engine.hits() == 0, 'hits')
        engine.quiet('setoption name EndgamePath value <default>')
        check(engine.hits() > 0, 'no hits')
