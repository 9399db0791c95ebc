"""Lines, their ends and bounds, the ends of input and output, and whatever else arrives."""

import os
import random
import subprocess
import time

from client import ERROR, Answer, Engine, Failure, check


def test_P18_answers_come_line_by_line_through_a_pipe(suite):
    with Engine(suite) as engine:
        for command, answer in (('uci', 'uciok$'), ('isready', 'readyok$')):
            begin = time.monotonic()
            engine.send(command)
            engine.until(answer)
            suite.note(f'{answer} after {(time.monotonic() - begin) * 1000:.1f} ms')


def test_uci_names_the_engine_and_its_options(suite):
    with Engine(suite) as engine:
        answer = engine.ask('uci')
    check(answer[0].startswith('id name Crownhead ') and len(answer[0].split()) == 4, answer[0])
    check(answer[1].startswith('id author ') and answer[-1] == 'uciok', answer)
    check(all(line.startswith('option name ') for line in answer[2:-1]), answer)
    names = [line.split(' type ')[0][len('option name '):] for line in answer[2:-1]]
    for name in ('Hash', 'Clear Hash', 'Threads', 'MultiPV', 'Ponder', 'Move Overhead', 'UCI_Variant',
                 'UCI_AnalyseMode', 'DrawRules', 'Log File'):
        check(names.count(name) == 1, name, names)


def test_P08_blanks_do_not_matter(suite):
    with Engine(suite, 'position startpos moves 11-15 23-19') as engine:
        expected = engine.show()
        engine.send_bytes(b'position startpos\n')
        for data in (b'  position   startpos  moves  11-15   23-19  \r\n',
                     b'\tposition\tstartpos\tmoves\t11-15\t23-19\t\n',
                     b'\n\r\n   \n\t\r\nposition startpos moves 11-15 23-19\r\n\n'):
            engine.quiet('position startpos')
            engine.send_bytes(data)
            check(not engine.sync(), data)
            check(engine.show() == expected, data)
        engine.send_bytes(b'posi\0tion startpos\n')
        answer = engine.sync()
        check(len(answer) == 1 and answer[0].startswith(ERROR), answer)
        check(engine.show() == expected)


def test_P20_unknown_commands_are_named(suite):
    with Engine(suite, 'position startpos moves 11-15') as engine:
        before = engine.show()
        for line, token in (('foo', "'foo'"), ('level foo=1 move-time=0.1', "'level'"),
                            ('xyzzy 11-15', "'xyzzy'"), ('UCI', "'UCI'"), ('hub', "'hub'"),
                            ('  bar  baz', "'bar'")):
            check(engine.error(line) == f'unknown command {token}', line)
        check("'think'" in engine.error('go think bar'))
        check(engine.ask('uci hub')[-1] == 'uciok')
        check(len(engine.error('z' * 500)) < 100)
        check('\\x' in engine.error('caf\u00e9'))
        check(engine.show() == before)


def test_a_line_may_have_a_mebibyte_and_no_more(suite):
    mebibyte = 1 << 20
    with Engine(suite, 'position startpos moves 11-15') as engine:
        before = engine.show()
        for line in ('position startpos moves ' + '9-14 ' * 300000, 'x' * (mebibyte + 1), 'y' * 5000000):
            message = engine.error(line)
            check(str(mebibyte) in message, message)
        check(engine.show() == before)
        # Just within the bound, and a whole command.
        command = 'position startpos'
        engine.quiet(command + ' ' * (mebibyte - len(command)))
        check(engine.show()['Fen'].startswith('B:W21'))
        check(engine.error('q' * mebibyte).startswith("unknown command 'qqq"))
        # The part of a long line behind the bound is no command either.
        engine.error('z' * mebibyte * 2 + ' quit')
        check(engine.is_alive())


def test_binary_noise_is_survived(suite):
    rng = random.Random(8)
    with Engine(suite) as engine:
        for size in (10, 1000, 100000):
            engine.send_bytes(rng.randbytes(size) + b'\n')
            answer = engine.sync()
            check(all(line.startswith(ERROR) for line in answer), answer[:3])
            check(all(' ' <= byte <= '~' for line in answer for byte in line))
        engine.send_bytes(bytes(300000) + b'\n')
        check(len(engine.sync()) == 1)
        check(engine.go('go depth 3').best != '(none)')


def test_nonsense_of_known_words_is_survived(suite):
    rng = random.Random(20)
    words = ('uci ucinewgame setoption position go stop ponderhit d eval perft name value Hash Threads Clear '
             'MultiPV Ponder UCI_Variant Variant DrawRules english russian official web true false startpos '
             'fen moves depth nodes movetime btime wtime binc winc movestogo infinite ponder searchmoves '
             'mate 0 1 2 3 -1 9-13 11-15 22-18 1x10 c3-d4 c3d4 : W: B:W1:B32 W:WK1:BK32 W:W:B "B:W18:B9" '
             '[FEN x'.split())
    commands = words[:10] + ['position', 'position startpos', 'position fen', 'go', 'stop', 'setoption name']
    sent = 0
    with Engine(suite) as engine:
        while sent < 3000:
            lines = []
            for _ in range(50):
                tail = rng.choices(words, k=rng.randrange(6))
                lines.append(' '.join([rng.choice(commands)] + tail))
            sent += len(lines)
            engine.send(*lines, 'stop')
            engine.sync()
        for variant in ('russian', 'english'):
            engine.quiet(f'setoption name UCI_Variant value {variant}', 'position startpos')
            check(engine.go('go depth 3').best in engine.moves())


def test_P01_end_of_input(suite):
    for shell in ('printf "position startpos\\ngo infinite\\n" | "$0"', '"$0" </dev/null', '"$0" <&-',
                  'printf "go ponder depth 4\\n" | "$0"', 'printf "go" | "$0"'):
        begin = time.monotonic()
        done = subprocess.run(['sh', '-c', shell, suite.program], capture_output=True, timeout=30,
                              check=False)
        seconds = time.monotonic() - begin
        suite.note(f'{shell}: {seconds * 1000:.0f} ms')
        check(done.returncode == 0 and seconds < 5, shell, done)
        bests = done.stdout.count(b'bestmove')
        check(bests == ('go' in shell), shell, done.stdout)


def test_a_search_with_a_limit_outlives_the_input(suite):
    for limit, depth in (('depth 7', 7), ('nodes 20000', 2), ('movetime 300', 2)):
        begin = time.monotonic()
        lines, status = suite.run(f'position startpos\ngo {limit}\n')
        answer = Answer(lines)
        check(status == 0 and answer.infos[-1].depth >= depth, limit, status, lines)
        check(not limit.startswith('movetime') or time.monotonic() - begin > 0.25, limit)
    lines, status = suite.run('go perft 5')
    check(status == 0 and lines[-1] == 'Nodes searched: 7361', lines)


def test_P02_quit_in_a_search(suite):
    begin = time.monotonic()
    lines, status = suite.run('position startpos\ngo infinite\nquit\nfoo\n')
    check(status == 0 and Answer(lines).best != '(none)', lines)
    check(not any('foo' in line for line in lines), lines)
    lines, status = suite.run('go perft 25\nquit\n')
    check(status == 0, lines)
    suite.note(f'{(time.monotonic() - begin) * 1000:.0f} ms')


def wait_gone(suite, process, what):
    begin = time.monotonic()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Failure('an orphan goes on:', what) from None
    finally:
        process.stdin.close()
    suite.note(f'{what}: gone after {(time.monotonic() - begin) * 1000:.0f} ms')
    check(process.returncode != 0, what, 'exit status', process.returncode)


def test_P19_a_reader_that_goes_away_ends_the_engine(suite):
    # The second is silent: no line that it writes could tell it; the third writes all the time.
    for what in ('go infinite', 'go perft 30', 'setoption name MultiPV value 7\ngo infinite', ''):
        process = subprocess.Popen([suite.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        process.stdin.write(f'isready\n{what}\n'.encode())
        process.stdin.flush()
        process.stdout.readline()
        time.sleep(0.1)
        process.stdout.close()
        wait_gone(suite, process, what or 'idle')
    # After the end of the input too.
    reader, writer = os.pipe()
    process = subprocess.Popen([suite.program], stdin=subprocess.PIPE, stdout=writer,
                               stderr=subprocess.DEVNULL)
    os.close(writer)
    process.stdin.write(b'go perft 30\n')
    process.stdin.close()
    time.sleep(0.1)
    os.close(reader)
    wait_gone(suite, process, 'perft after the end of the input')


def test_output_that_cannot_be_written_is_a_failure(suite):
    for shell in ('"$0" >/dev/full', '"$0" >&-'):
        done = subprocess.run(['sh', '-c', shell, suite.program], input=b'uci\ngo infinite\n',
                              stderr=subprocess.PIPE, timeout=30, check=False)
        check(done.returncode == 1, shell, done)


def test_arguments_of_the_program(suite):
    lines, status = suite.run('quit\n', 'uci')
    check((lines, status) == ([], 0), lines, status)
    lines, status = suite.run('', '--version')
    check(status == 0 and lines[0].startswith('Crownhead '), lines)
    check(suite.run('', '--help') == suite.run('', 'help'))
    for arguments in (['foo'], ['uci', 'foo'], ['--version', 'x'], ['-x'], ['']):
        done = subprocess.run([suite.program, *arguments], input=b'', capture_output=True, timeout=30,
                              check=False)
        check(done.returncode == 2 and done.stdout == b'' and done.stderr.count(b'\n') == 1, arguments, done)
