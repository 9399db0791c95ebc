"""Lines of the Hub protocol, their syntax, odd input, the ends of input and output."""

import random
import re
import signal
import subprocess
import time

from client import Failure, check
from hub_client import ENGLISH, NEARLY_OVER, Hub

# Blanks and control characters between and around, CRLF, and ways to quote.
SAME = ('pos pos={} moves="11-15 23-19"', '  pos   pos = {}   moves =  "11-15   23-19"  ',
        '\tpos\tpos={}\tmoves="11-15\t23-19"\r', 'pos moves="11-15 23-19" foo pos="{}" bar=1 baz="x y"',
        'pos pos={} moves="11-15 23-19', '\x01pos pos={}\x02moves="11-15 23-19"', 'pos ==pos={} "moves="11-15 23-19"',
        'pos pos={} moves=" 011-015 23x19 "'.replace('23x19', '23-19'))


def test_hello(suite):
    begin = time.monotonic()
    with Hub(suite, None) as hub:
        suite.note(f'hub: wait after {(time.monotonic() - begin) * 1000:.1f} ms')
        check(re.match(r'id name=Crownhead version=\S+ author="[^"]+" country=""$', hub.hello[0]), hub.hello)
        check(all(re.match(r'param name=\S+ value=(\S+|"[^"]*") type=(bool|int|string|enum)( min=-?\d+ max=\d+)?'
                           r'( values="[^"=]+")?$', line) for line in hub.hello[1:-1]), hub.hello)
        check(hub.hello[1] == 'param name=variant value=english type=enum values="english russian"', hub.hello)
        # As pydraughts takes lines apart: each argument has one '='.
        for line in hub.hello[:-1]:
            arguments = re.split(r' +(?![^"]*"(?:(?:[^"]*"){2})*[^"]*$)', line.split(None, 1)[1])
            check(all(len(argument.split('=')) == 2 for argument in arguments), line)
        check(hub.ask('hub')[:-1] == hub.hello[:-1])


def test_a_first_line_hub_chooses_the_protocol(suite):
    for arguments in ((), ('uci',), ('hub',)):
        for first in ('hub', '  hub\t', '\r\n\n  \nhub\r', '\ufeffhub', '\ufeff\r\nhub'):
            lines, status = suite.run(f'{first}\ninit\nping\nquit\n', *arguments)
            check(status == 0 and lines[0].startswith('id name=') and lines[-3:] == ['wait', 'ready', 'pong'],
                  arguments, first, lines)
    lines, status = suite.run('\ufeffisready\nhub\n')
    check(status == 0 and lines[0] == 'readyok' and 'unknown command' in lines[1], lines)
    lines, status = suite.run('\ufeffping\nuci\n', 'hub')
    check(status == 0 and lines[0] == 'pong' and lines[1:] == ['error message="unknown command \'uci\'"'], lines)
    done = subprocess.run([suite.program, 'hub', 'x'], input=b'', capture_output=True, timeout=30, check=False)
    check(done.returncode == 2 and not done.stdout and done.stderr.count(b'\n') == 1, done)


def test_blanks_and_quotes(suite):
    with Hub(suite) as hub:
        expected = hub.search(ENGLISH, 'depth=5', '11-15 23-19').lines[-1]
        for line in SAME:
            hub.send('new-game', line.format(ENGLISH), 'level depth = 5 foo', 'go think bar=2')
            check(hub.until('done')[-1] == expected, line)


def test_unknown_words_are_survived(suite):
    with Hub(suite) as hub:
        hub.quiet('', '   ', '\t\r', '\x01')
        for line, text in (('foo', "unknown command 'foo'"), ('GO', "unknown command 'GO'"), ('=', 'missing command'),
                           ('"go"', 'missing command'), ('isready', "unknown command 'isready'"),
                           ('foo"bar', "unknown command 'foo'"), ('caf\u00e9', "unknown command 'caf\\xc3\\xa9'"),
                           ('set-param', 'missing name'), ('set-param value=3', 'missing name'),
                           ('set-param name="" value=3', 'missing name')):
            check(hub.error(line) == text, line)
        hub.quiet('pos wolf=3 foo', 'level handicap=3 ply=4 foo', 'set-param name=initial-time value=300', 'stop',
                  'ponder-hit', 'new-game')
        check(hub.go('level depth=2', 'go').move)


def test_lines_of_any_length(suite):
    mebibyte = 1 << 20
    with Hub(suite) as hub:
        for line in ('x' * (mebibyte + 1), 'pos moves="' + '9-14 ' * 300000):
            check(str(mebibyte) in hub.error(line))
        hub.send_bytes(b'po\0s\n')
        check('NUL' in ' '.join(hub.sync()))
        check("'xxx" in hub.error('x' * mebibyte))
        # Kings to and fro, 20000 plies.
        moves = ' '.join(['1-6', '32-27', '6-1', '27-32'] * 5000)
        hub.quiet(f'pos pos=WW{"e" * 30}B moves="{moves}"')
        check(hub.go('level depth=3', 'go think').move)


def test_noise(suite):
    rng = random.Random(8)
    words = (f'hub init new-game pos level go stop ponder-hit ping set-param pos= pos={ENGLISH} pos={NEARLY_OVER} '
             'moves= moves="11-15" moves="11-15 23-19 x" depth=2 depth= nodes=100 move-time=0.01 move-time=-1 '
             'time=0.1 inc=0.1 moves=3 infinite think ponder analyze name=variant value=russian value=english '
             'name=hash value=1 name=frame value=pydraughts value=plain name=bb-size value=0 = " "" name= '
             'value= a=b=c').split(' ')
    commands = ['hub', 'init', 'new-game', 'pos', 'level', 'go', 'go think', 'stop', 'ponder-hit', 'ping', 'set-param']
    with Hub(suite) as hub:
        for size in (10, 1000, 100000):
            hub.send_bytes(rng.randbytes(size) + b'\n')
            check(all(line.startswith('error ') for line in hub.sync()))
        for _ in range(60):
            lines = [' '.join([rng.choice(commands)] + rng.choices(words, k=rng.randrange(6))) for _ in range(50)]
            searches = sum(line.split()[0] == 'go' for line in lines)
            answer = hub.all_said(*lines)
            check(sum(line.startswith('done') for line in answer) == searches, lines, answer)
            check(all(' ' <= byte <= '~' for line in answer for byte in line))
        hub.send('set-param name=frame value=plain', 'set-param name=variant value=english', 'init')
        hub.until('ready')
        check(hub.search(NEARLY_OVER).move)


def test_end_of_input_and_quit(suite):
    for end in ('quit\nfoo\n', ''):
        for goal in ('go think', 'go analyze', 'go ponder'):
            begin = time.monotonic()
            lines, status = suite.run(f'hub\ninit\nlevel infinite\n{goal}\n{end}')
            check(status == 0 and lines[-1].startswith('done move='), goal, lines)
            check(time.monotonic() - begin < 10, goal)
    check(suite.run('', 'hub') == ([], 0))
    check(suite.run('go', 'hub')[0][-1].startswith('done move='))


def test_a_client_that_goes_away(suite):
    for close, lines in ((True, b'level infinite\ngo think\n'), (True, b'go ponder\n'), (True, b''),
                         (False, b'go analyze\n')):
        process = subprocess.Popen([suite.program, 'hub'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdin.write(b'init\n' + lines)
        process.stdin.flush()
        check(process.stdout.readline() == b'ready\n')
        time.sleep(0.05)
        if close:
            process.stdout.close()
        else:
            process.send_signal(signal.SIGKILL)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failure('an orphan goes on:', lines) from None
        finally:
            process.stdin.close()
        check(process.returncode == (1 if close else -signal.SIGKILL) and not process.stderr.read(), lines, process)
    for shell in ('"$0" hub >/dev/full', '"$0" hub >&-'):
        done = subprocess.run(['sh', '-c', shell, suite.program], input=b'hub\ninit\ngo\n', stderr=subprocess.PIPE,
                              timeout=30, check=False)
        check(done.returncode == 1, shell, done)
