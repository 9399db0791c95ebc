"""A match that is killed, again and again, and gone on with."""

import random

from arena import kill_hard, wait_for
from tap import check


def results(games):
    return sorted((game['game'], game['winner'], [move[0] for move in game['moves']]) for game in games)


def test_killed_and_resumed(arena):
    """Engines that count nodes play the same games every time, so the match ends as if nobody had killed it."""
    chance = random.Random(20)
    with arena.match() as match:
        words = [*match.uci('a', 'nodes=500'), *match.uci('b', 'nodes=250'), '-openings', 'ballots3', '-rounds', 20,
                 '-concurrency', 2]
        match.run(*words, '-json', 'whole.json')
        kills = 0
        while True:
            before = len(match.games()) if (match.folder / 'games.json').exists() else 0
            process = match.start(*words, '-resume', 'games.json', '-pdnout', 'games.pdn')
            try:
                wanted = before + chance.randint(1, 5)
                wait_for(lambda: process.poll() is not None or
                         ((match.folder / 'games.json').exists() and
                          (match.folder / 'games.json').read_bytes().count(b'\n') > wanted))
            finally:
                ended = process.poll()
                kill_hard(process)
            check(match.left_over() == [], 'processes are left over', match.left_over())
            if ended is not None:
                break
            kills += 1
        check(ended == 0, 'ended with', ended)
        check(kills >= 5, 'only', kills, 'kills')
        arena.note(f'{kills} kills')
        check(results(match.games()) == results(match.games('whole.json')), 'other games than without kills')
        check(match.pdn().startswith('games 40, sound 40,'), match.pdn())


def test_torn_line(arena):
    """Whatever a kill can leave behind the last line is cut off, and that game played again."""
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), '-each', 'nodes=200', '-rounds', 4, '-pdnout', 'games.pdn']
        match.run(*words, '-json', 'games.json')
        whole = results(match.games())
        text = (match.folder / 'games.json').read_bytes()
        lines = text.splitlines(True)
        for cut in (1, len(lines[-1]) // 2, len(lines[-1]), len(lines[-1]) + 7):
            (match.folder / 'games.json').write_bytes(text[:-cut])
            match.run(*words, '-resume', 'games.json')
            check(results(match.games()) == whole, 'cut', cut)
            check(match.pdn().startswith('games 8, sound 8,'), cut, match.pdn())
            text = (match.folder / 'games.json').read_bytes()
            lines = text.splitlines(True)


def test_first_line_alone(arena):
    """A match that was killed before its first line of a game leaves a PDN file as it found it."""
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), '-each', 'nodes=200', '-openings', 'ballots3', '-rounds', 4,
                 '-pdnout', 'games.pdn']
        other = '[Event "mine"]\n1. 9-13 *\n\n'
        (match.folder / 'games.pdn').write_text(other)
        match.run(*words, '-json', 'games.json')
        check(match.header()['pdn_begin'] == len(other), match.header())
        check(match.pdn().startswith('games 9, sound 9,'), match.pdn())
        lines = (match.folder / 'games.json').read_bytes().splitlines(True)
        pdn = (match.folder / 'games.pdn').read_bytes()
        whole = results(match.games())
        # What a kill leaves: one game with half of another behind it, no game, half of the first line.
        for left in (b''.join(lines[:2]), lines[0], lines[0] + lines[1][:50], lines[0][:50], b''):
            begun = left.startswith(lines[0])
            (match.folder / 'games.json').write_bytes(left)
            (match.folder / 'games.pdn').write_bytes(pdn[:match.games()[0]['pdn_end'] + 99 if left.count(b'\n') > 1 else
                                                         len(other) + 99] if begun else other.encode())
            match.run(*words, '-resume', 'games.json')
            check(results(match.games()) == whole, 'left', left[-50:])
            check(match.pdn().startswith('games 9, sound 9,'), left[-50:], match.pdn())
            check((match.folder / 'games.pdn').read_text().startswith(other), 'the other game is gone')


def test_files_are_kept_till_all_is_well(arena):
    """A mistake in the name of one file leaves the other alone, and can be corrected."""
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), '-each', 'nodes=200', '-openings', 'ballots3', '-rounds', 2]
        said = match.refused(*words, '-json', 'games.json', '-pdnout', 'nowhere/games.pdn', status=1)
        check(said == 'nowhere/games.pdn: cannot be opened: No such file or directory', said)
        check(not (match.folder / 'games.json').exists(), 'games.json is left')
        said = match.refused(*words, '-json', 'nowhere/games.json', '-pdnout', 'games.pdn', status=1)
        check(not (match.folder / 'games.pdn').exists(), 'games.pdn is left')
        said = match.refused(*words, '-json', 'games', '-pdnout', 'games', status=1)
        check(said == 'games: another match writes to it', said)
        check(not (match.folder / 'games').exists(), 'games is left')
        match.run(*words, '-json', 'games.json', '-pdnout', 'games.pdn')
        text = (match.folder / 'games.json').read_bytes()[:-40]
        pdn = (match.folder / 'games.pdn').read_bytes()
        for name, content, more, expected in [
                ('games.pdn', pdn, ['-pdnout', 'nowhere/games.pdn'], 'nowhere/games.pdn: cannot be opened'),
                ('games.pdn', pdn[:len(pdn) // 2], ['-pdnout', 'games.pdn'], 'games.pdn: is shorter than this match has left it'),
                ('games.pdn', pdn, ['-pdnout', 'other.pdn'], 'other.pdn: is shorter than this match has left it'),
                ('games.pdn', pdn, [], 'games.json:1: the match has a PDN file, -pdnout FILE is missing'),
                ('games.pdn', pdn, ['-pdnout', 'games.pdn', '-rounds', 1],
                 'games.json:1: the match has 2 rounds, -rounds 1 is fewer'),
        ]:
            (match.folder / 'games.json').write_bytes(text)
            (match.folder / name).write_bytes(content)
            said = match.refused(*words, *more, '-resume', 'games.json', status=1)
            check(said.startswith(expected), more, 'said', said)
            check((match.folder / 'games.json').read_bytes() == text, 'games.json is changed', more)
            check((match.folder / name).read_bytes() == content, name, 'is changed', more)
            check(sorted(file.name for file in match.folder.glob('*.*')) == ['games.json', 'games.pdn'], 'more files')
        match.run(*words, '-json', 'plain.json')
        said = match.refused(*words, '-resume', 'plain.json', '-pdnout', 'plain.pdn', status=1)
        check(said == 'plain.json:1: the match began without -pdnout and goes on so', said)
        check(not (match.folder / 'plain.pdn').exists(), 'plain.pdn is left')


def test_more_rounds(arena):
    """A match that is made longer, whole or in parts, is the one that was longer from the start."""
    with arena.match() as match:
        words = [*match.uci('a', 'nodes=300'), *match.uci('b', 'nodes=200'), '-openings', 'ballots3', 'order=random']
        match.run(*words, '-rounds', 6, '-json', 'whole.json')
        match.run(*words, '-rounds', 2, '-json', 'games.json', '-pdnout', 'games.pdn')
        before = (match.folder / 'games.json').read_text().splitlines()
        (match.folder / 'link.json').symlink_to('games.json')
        output, _ = match.run(*words, '-rounds', 6, '-resume', 'link.json', '-pdnout', 'games.pdn', '-sprt', 'elo1=9')
        check((match.folder / 'link.json').is_symlink(), 'the link is gone')
        after = (match.folder / 'games.json').read_text().splitlines()
        check(after[1:5] == before[1:], 'lines of games are changed')
        check(match.header()['match'] == match.header('whole.json')['match'], match.header())
        check(match.header()['sprt']['elo1'] == 9 and match.header()['pdn_begin'] == 0, match.header())
        check(results(match.games()) == results(match.games('whole.json')), 'other games')
        check(match.pdn().startswith('games 12, sound 12,'), match.pdn())
        check(len([line for line in output if line.startswith('Finished game')]) == 8, output)
        check(not list(match.folder.glob('*.tmp')), 'a file is left')

        for rounds in (2, 6):
            for part in (1, 2):
                match.run(*words, '-rounds', rounds, '-shard', f'{part}/2', '-resume', f'part{part}.json')
        output, _ = match.run('-reduce', 'part1.json', 'part2.json')
        check(output[-1] == '12 of 12 games, from 2 files', output)


def test_how_engines_are_run_is_told(arena):
    with arena.match() as match:
        words = [*match.fake('a', '--name=Fake 2.0'), *match.uci('b', 'nodes=100'), '-each', 'depth=1', '-openings',
                 'ballots3', '-maxmoves', 2]
        match.run(*words, '-json', 'games.json')
        run = match.header()['run']
        check([engine['id'].split()[0] for engine in run] == ['Fake', 'Crownhead'], run)
        check(run[0]['command'].endswith(' "--name=Fake 2.0"') and run[1]['command'] == str(match.engine), run)
        _, errors = match.run(*words, '-rounds', 2, '-resume', 'games.json')
        check(errors == [], errors)
        words = [*match.fake('a', '--name=Fake 2.0'), '-engine', 'name=b', 'cmd=./b', 'nodes=100', '-each', 'depth=1',
                 '-openings', 'ballots3', '-maxmoves', 2]
        (match.folder / 'b').symlink_to(arena.program)
        _, errors = match.run(*words, '-rounds', 3, '-resume', 'games.json')
        check(errors == [f'crownhead match: b was run by the command {match.engine} before, now by ./b'], errors)
        check(len(match.games()) == 6, match.games())
        (match.folder / 'b').rename(match.folder / 'caf\udce9')
        words[words.index('cmd=./b')] = b'cmd=./caf\xe9'
        match.run(*words, '-json', 'latin.json')
        check(match.header('latin.json')['run'][1]['command'] == './caf?', match.header('latin.json')['run'])
