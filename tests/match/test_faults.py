"""Engines that misbehave lose the game in which they do, and nothing else."""

import os
import time

from arena import wait_for
from tap import check

# The fault, its word in the JSON lines, and what the log must show besides the engine's name and the game.
FAULTS = [
    ('exit', 'crash', 'exit status 3'),
    ('signal', 'crash', 'signal 11'),
    ('close', 'crash', 'closed its output'),
    ('hang', 'hang', ''),
    ('illegal', 'illegal', 'bestmove'),
    ('nomove', 'illegal', 'bestmove'),
    ('binary', 'illegal', 'bestmove'),
    ('nul', 'illegal', 'NUL bytes, in \'bestmove'),
    ('long', 'illegal', 'a line too long, in \'bestmove'),
    ('endless', 'flood', ''),
    ('flood', 'flood', ''),
    ('twice', 'twice', 'bestmove'),
]

WORDS = ['-openings', 'ballots3', '-rounds', 2, '-json', 'games.json', '-pdnout', 'games.pdn']


def lost_by(games):
    """The engine that lost each game, None for a draw."""
    other = {'white': 'black', 'black': 'white', None: None}
    return [game.get(other[game['winner']]) if game['winner'] else None for game in games]


def play_fault(arena, fault, word, shown, *arguments, proto='uci'):
    """Every game against an engine that commits the fault at its third move, under a clock or without."""
    with arena.match() as match:
        begin = time.monotonic()
        output, errors = match.run(*match.fake('bad', *arguments, '--at=3', fault, proto=proto),
                                   *match.uci('good', 'nodes=200'), '-each', 'depth=1', '-move-ms', 1500, '-ping-ms',
                                   20000, *WORDS)
        check(output[-1] == 'Finished match', output[-3:])
        check(match.pdn().startswith('games 4, sound 4,'), match.pdn())
        games = match.games()
        check([(game['fault'], game['cause']) for game in games] == [(word, 'fault')] * 4, fault,
              [(game['fault'], game['cause'], game['reason']) for game in games])
        check(lost_by(games) == ['bad'] * 4, fault, lost_by(games))
        check([len(game['moves']) for game in games] == [3 + 4 + 1, 3 + 4] * 2 or fault == 'twice', fault,
              [len(game['moves']) for game in games])
        check(output[-2] == f'Games that bad lost by faults: 4 {word}', output[-3:])
        told = [line for line in errors if 'bad' in line and f'lost by {word}' in line and shown in line]
        check([f'game {number}:' in line for number, line in enumerate(told, 1)] == [True] * 4, fault, errors)
        arena.note(f'{fault}: {time.monotonic() - begin:.1f} s: {told[0]}')


def test_faults(arena):
    for fault, word, shown in FAULTS:
        play_fault(arena, fault, word, shown)


def test_faults_of_hub_engines(arena):
    for fault, word, shown in FAULTS:
        if fault not in ('endless', 'flood'):
            play_fault(arena, fault, word, shown.replace('bestmove', 'done'), '--hub', proto='hub')


def test_flag_falls(arena):
    """A hang under a clock is a lost flag, at the very time at which it falls."""
    for limit, milliseconds in (('tc=0.7', 700), ('st=400', 400)):
        with arena.match() as match:
            _, errors = match.run(*match.fake('slow', '--at=1', 'late=30'), *match.uci('good'), '-each', limit,
                                  'timemargin=20', *WORDS)
            games = match.games()
            check([game['fault'] for game in games] == ['time'] * 4 and lost_by(games) == ['slow'] * 4, errors)
            check(all(milliseconds <= game['ms'] < milliseconds + 2500 for game in games), limit,
                  [game['ms'] for game in games])


def test_harmless_oddities(arena):
    """Rubbish between the lines, a daemon left behind and deafness to quit cost nobody a game."""
    mark = f'crownhead-daemon-{os.getpid()}'

    def daemons():
        found = []
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open(f'/proc/{pid}/cmdline', 'rb') as file:
                    words = file.read().split(b'\0')
            except OSError:
                continue
            found += [pid] if mark.encode() in words and b'match' not in words else []
        return found

    for fault in ('none', 'rubbish', 'stubborn', f'child={mark}'):
        with arena.match() as match:
            output, errors = match.run(*match.fake('odd', '--at=2', '--nodes=50', fault), *match.uci('good', 'nodes=50'),
                                       '-each', 'depth=1', '-maxmoves', 20, *WORDS)
            check(output[-1] == 'Finished match', output[-3:])
            check([game['fault'] for game in match.games()] == [None] * 4, fault, errors)
            check(len(errors) == (fault == 'stubborn'), errors)
    wait_for(lambda: daemons() == [], 5)


def test_slow_starts(arena):
    with arena.match() as match:
        output, _ = match.run(*match.fake('late', 'slow-start=1'), *match.uci('good'), '-each', 'depth=1', '-maxmoves',
                              3, *WORDS)
        check(output[-1] == 'Finished match', output[-3:])


def test_nothing_is_played_without_an_engine(arena):
    """An engine that cannot be started at all ends the match before it begins, and no file is left behind."""
    with arena.match() as match:
        ghost = ['-engine', 'name=ghost', 'cmd=./ghost']
        for words, text in [
                ([*ghost, *match.uci('b')], "ghost: cannot start './ghost': the command: No such file or directory"),
                ([*match.uci('b'), *ghost], "ghost: cannot start './ghost': the command: No such file or directory"),
                ([*match.uci('a'), *match.uci('b'), *ghost], 'ghost: cannot start'),
                ([*match.fake('mute', 'no-welcome'), *match.uci('b')], "mute: no 'uciok' within 700 ms"),
                ([*match.uci('b'), *match.fake('mute', 'never-ready')], "mute: no 'readyok' within 700 ms"),
                ([*match.fake('mute', 'exit-start'), *match.uci('b')], 'mute: exit status 3; its last line:'),
                ([*match.fake('a', '--games', 'chess'), *match.uci('b')], 'a: it does not play english'),
        ]:
            said = match.refused(*words, '-each', 'depth=1', '-startup-ms', 700, *WORDS, status=1)
            check(said.startswith(text), words, 'said', said)
            check(not list(match.folder.glob('games.*')), 'files are left', list(match.folder.iterdir()))
        (match.folder / 'games.pdn').write_text('[Event "mine"] *\n')
        match.refused(*ghost, *match.uci('b'), '-each', 'depth=1', *WORDS, status=1)
        check((match.folder / 'games.pdn').read_text() == '[Event "mine"] *\n', 'the PDN is changed')
        check(not (match.folder / 'games.json').exists(), 'a JSON file is left')


def test_engines_that_do_not_start_again(arena):
    """A game without an engine is lost; without both it is none, and so is a match after five in a row."""
    for fault in ('no-welcome', 'never-ready', 'exit-start'):
        with arena.match() as match:
            output, errors = match.run(*match.fake('mute', fault, '--spare=mark'), 'restart=on', *match.uci('good'),
                                       '-each', 'depth=1', '-startup-ms', 1500, *WORDS)
            check(output[-1] == 'Finished match', output[-3:])
            check([game['fault'] for game in match.games()] == ['start'] * 4, fault, errors)
            check(lost_by(match.games()) == ['mute'] * 4, fault)
            check(output[-2] == 'Games that mute lost by faults: 4 start', output[-3:])
    with arena.match() as match:
        _, errors = match.run(*match.fake('mute', 'exit-start', '--spare=mark'), 'restart=on', *match.uci('good'),
                              '-each', 'depth=1', *WORDS, '-rounds', 10, status=1)
        check('crownhead match: mute does not start any more, the match ends here' in errors, errors)
        check(lost_by(match.games()) == ['mute'] * 5, lost_by(match.games()))
    with arena.match() as match:
        output, errors = match.run(*match.fake('a', 'exit-start', '--spare=a'), *match.fake('b', 'exit-start', '--spare=b'),
                                   '-each', 'depth=1', 'restart=on', *WORDS, status=1)
        check('crownhead match: game 1: neither player came to the board, the match ends here' in errors, errors)
        check(len([line for line in errors if 'did not come: exit status 3' in line]) == 2, errors)
        check(match.games() == [] and output[-1] == 'Match not finished', output)


def test_hub_plays_whole_games(arena):
    for variant, deck in (('english', 'ballots3'), ('russian', 'russian')):
        with arena.match() as match:
            output, errors = match.run(*match.fake('hub', '--hub', '--nodes=50', proto='hub'),
                                       *match.uci('uci', 'nodes=50'), '-each', 'tc=20+0.1', '-variant', variant,
                                       '-openings', deck, *WORDS[2:])
            check(errors == [] and output[-1] == 'Finished match', errors, output[-3:])
            check([game['fault'] for game in match.games()] == [None] * 4, [game['reason'] for game in match.games()])
