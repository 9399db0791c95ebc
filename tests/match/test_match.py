"""Matches that go well, and command lines that do not."""

import json
import re
import signal
import subprocess

from arena import line_with, wait_for
from tap import check

NODES = ['-each', 'nodes=300']


def test_more_nodes_win(arena):
    with arena.match() as match:
        output, errors = match.run(*match.uci('full', 'nodes=2000'), *match.uci('low', 'nodes=300'), '-openings',
                                   'ballots11', 'order=random', '-rounds', 20, '-concurrency', 2, '-pdnout',
                                   'games.pdn', '-json', 'games.json')
        check(errors == [], errors)
        score = re.match(r'Score of full vs low: (\d+) - (\d+) - (\d+)  \[', line_with(output, 'Score'))
        wins, losses, draws = map(int, score.groups())
        check(wins + losses + draws == 40 and wins > losses + 10, score.group())
        check(match.pdn().startswith('games 40, sound 40,'), match.pdn())

        games = match.games()
        check(sorted(game['game'] for game in games) == list(range(1, 41)), 'games')
        check(sum(game['winner'] is not None and game[game['winner']] == 'full' for game in games) == wins, wins)
        for opening in {game['opening'] for game in games}:
            played = [game for game in games if game['opening'] == opening]
            check([game['black'] for game in sorted(played, key=lambda game: game['game'])] == ['full', 'low'],
                  opening)
        for game in games:
            check(all(len(move) in (1, 5) for move in game['moves']), game['moves'])


def test_russian_with_clocks(arena):
    with arena.match() as match:
        output, errors = match.run(*match.uci('a', 'tc=0.5+0.02'), *match.uci('b', 'tc=20/0.4', 'option.Hash=4'),
                                   '-variant', 'russian', '-openings', 'russian', '-rounds', 2, '-pdnout',
                                   'games.pdn', '-each', 'timemargin=500')
        check(errors == [], errors)
        check(len([line for line in output if line.startswith('Finished game')]) == 4, output)
        check(match.pdn().startswith('games 4, sound 4,'), match.pdn())


def test_round_robin_and_gauntlet(arena):
    with arena.match() as match:
        engines = [word for name in 'abc' for word in match.uci(name)]
        for kind, count, rows in (('round-robin', 3, r' +\d [abc]'), ('gauntlet', 2, r' +[012] [abc]')):
            output, _ = match.run(*engines, *NODES, '-tournament', kind, '-openings', 'ballots3', '-rounds', 2)
            check(len([line for line in output if line.startswith('Finished game')]) == 4 * count, kind, output)
            check(len([line for line in output if re.match(rows, line)]) >= 3, kind, output)


def test_adjudication(arena):
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), *NODES, '-openings', 'ballots11', '-rounds', 5]
        match.run(*words, '-resign', 'movecount=2', 'score=50', '-json', 'games.json')
        for game in match.games():
            own = [move[1] for move in game['moves'][2:]][-1::-2]
            ends = {'white': 'White wins: Black resigns', 'black': 'Black wins: White resigns', None: ''}
            check((game['reason'] == ends[game['winner']]) == (game['cause'] == 'adjudication'), game['reason'])
            if game['cause'] == 'adjudication':
                check(all(isinstance(score, str) or score <= -50 for score in own[:2]), own)
        check(any(game['cause'] == 'adjudication' for game in match.games()), 'nobody resigns')
        match.run(*words, '-draw', 'movenumber=10', 'movecount=3', 'score=100000', '-json', 'draws.json')
        check({(game['reason'], len(game['moves'])) for game in match.games('draws.json')} ==
              {('draw by agreement of the scores', 18)}, 'draws')
        match.run(*match.uci('a'), *match.uci('b'), *NODES, '-maxmoves', 5, '-json', 'short.json')
        check({(game['reason'], len(game['moves'])) for game in match.games('short.json')} == {('5 moves each', 10)},
              'maxmoves')


def test_material_tiebreak(arena):
    """Kings that shuffle, two plies before the limit of the web rule: more pieces win, then more kings."""
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), '-each', 'depth=1', '-drawrules', 'web', '-openings', 'file=end.fen',
                 'format=fen']
        for index, (pieces, winner) in enumerate([('WK29,K30:BK5', 'white'), ('WK29:BK5,K6', 'black'),
                                                  ('WK29,K30:BK5,9', 'white'), ('WK29,K30:BK5,K6', None)]):
            (match.folder / 'end.fen').write_text(f'W:{pieces}:H98:F50\n')
            for tiebreak in ([], ['-tiebreak', 'material']):
                name = f'{index}{len(tiebreak)}.json'
                match.run(*words, *tiebreak, '-json', name)
                ends = {(game['winner'], game['cause'], len(game['moves'])) for game in match.games(name)}
                check(ends == {(winner, 'tiebreak', 2) if tiebreak else (None, 'rules', 2)}, pieces, tiebreak, ends)


def test_databases_end_games(arena):
    """A capture that takes all, a king on each side, two kings against one in its double corner."""
    with arena.match() as match:
        subprocess.run([arena.program, 'egdb', 'build', '--variant', 'english', '--pieces', '3', '--kind', 'wld',
                        '--out', match.folder / 'egdb'], check=True, capture_output=True)
        words = [*match.uci('a'), *match.uci('b'), '-each', 'depth=1', '-openings', 'file=end.fen', 'format=fen']
        for index, (fen, winner) in enumerate([('W:WK14:BK18', 'white'), ('W:WK32:BK1', None),
                                               ('B:WK14,K15:BK1', 'white'), ('W:WK14:BK1,K5', 'black')]):
            (match.folder / 'end.fen').write_text(f'{fen}\n')
            match.run(*words, '-egdb', 'egdb', '-json', f'{index}.json')
            ends = {(game['winner'], game['cause'], len(game['moves'])) for game in match.games(f'{index}.json')}
            check(ends == {(winner, 'adjudication', 0)}, fen, ends)
        check('arbitration' in match.refused(*words, '-resume', '3.json', status=1), 'resumed without')
        check('no database of the russian game' in match.refused(*words, '-variant', 'russian', '-egdb', 'egdb',
                                                                 status=1), 'russian')
        check('nowhere' in match.refused(*words, '-egdb', 'nowhere', status=1), 'nowhere')


def test_draw_rules_are_part_of_the_match(arena):
    """Engines are told of them, and a match does not go on under others."""
    with arena.match() as match:
        words = [*match.fake('a', '--log=told'), *match.uci('b'), '-each', 'depth=1', '-maxmoves', 1]
        match.run(*words, '-drawrules', 'web', '-json', 'games.json')
        check('setoption name DrawRules value web\n' in (match.folder / 'told').read_text(), 'told')
        check(match.header()['match']['arbitration']['drawrules'] == 'web', match.header())
        check('arbitration' in match.refused(*words, '-resume', 'games.json', status=1), 'resumed')


def test_sprt_ends_the_match(arena):
    with arena.match() as match:
        output, _ = match.run(*match.uci('full', 'nodes=3000'), *match.uci('low', 'nodes=100'), '-openings',
                              'ballots11', '-rounds', 400, '-concurrency', 2, '-sprt', 'elo0=0', 'elo1=100',
                              'model=logistic')
        check(line_with(output, 'SPRT:').endswith('H1 was accepted'), output[-5:])
        finished = len([line for line in output if line.startswith('Finished game')])
        check(finished < 300, finished, 'games')


def test_a_shard_does_not_decide(arena):
    """The test of a match in parts is reported by each, and decided by who puts them together."""
    with arena.match() as match:
        words = [*match.uci('full', 'nodes=3000'), *match.uci('low', 'nodes=100'), '-openings', 'ballots11', '-rounds', 60,
                 '-sprt', 'elo0=0', 'elo1=400', 'alpha=0.4', 'beta=0.4']
        for part in (1, 2):
            output, _ = match.run(*words, '-concurrency', 2, '-shard', f'{part}/2', '-json', f'part{part}.json')
            check(len(match.games(f'part{part}.json')) == 60, len(match.games(f'part{part}.json')))
            check(line_with(output, 'SPRT:').endswith('was accepted'), output[-5:])
        output, _ = match.run('-reduce', 'part1.json', 'part2.json')
        check(line_with(output, 'SPRT:').endswith('[0, 400] normalized - H1 was accepted'), output)
        output, _ = match.run('-reduce', 'part1.json', 'part2.json', '-sprt', 'elo1=7', 'model=logistic')
        check('[0, 7] logistic' in line_with(output, 'SPRT:'), output)
        output, _ = match.run(*words, '-rounds', 60, '-json', 'whole.json')
        check(len(match.games('whole.json')) < 60, len(match.games('whole.json')))
        match.run(*match.uci('a'), *match.uci('b'), *NODES, '-games', 3, '-json', 'odd.json', '-openings', 'ballots2')
        said = match.refused('-reduce', 'odd.json', '-sprt', status=1)
        check(said.startswith('-sprt: the test is of pairs of games, but the match has an odd number'), said)


def test_shards_together_are_the_match(arena):
    """Engines that count nodes play the same games every time."""
    with arena.match() as match:
        words = [*match.uci('a', 'nodes=400'), *match.uci('b', 'nodes=200'), '-openings', 'ballots2', 'order=random',
                 '-srand', 7, '-rounds', 6]
        whole, _ = match.run(*words, '-json', 'whole.json')
        for part in (1, 2, 3):
            match.run(*words, '-shard', f'{part}/3', '-json', f'part{part}.json')
        check([len(match.games(f'part{part}.json')) for part in (1, 2, 3)] == [4, 4, 4], 'shards')
        output, _ = match.run('-reduce', 'part3.json', 'part1.json', 'part2.json')
        check(output[:-1] == whole[-5:-1] or output[:-1] == whole[-4:-1], output, whole[-5:])
        check(output[-1] == '12 of 12 games, from 3 files', output[-1])

        games = {game['game']: game for game in match.games('whole.json')}
        for part in (1, 2, 3):
            for game in match.games(f'part{part}.json'):
                same = games[game['game']]
                check(same['winner'] == game['winner'] and [m[0] for m in same['moves']] == [m[0] for m in game['moves']],
                      'game', game['game'])

        twice, _ = match.run('-reduce', 'part1.json', 'part1.json', 'whole.json')
        check(twice[:-1] == output[:-1], twice)
        text = (match.folder / 'part2.json').read_text()
        (match.folder / 'torn.json').write_text(text[:-20])
        output, errors = match.run('-reduce', 'torn.json')
        check(output[-1] == '3 of 12 games, from 1 files', output[-1])
        check(errors == ['crownhead match: torn.json: the last line is torn and does not count'], errors)
        (match.folder / 'bad.json').write_text(text.replace('"variant":"english"', '"variant":"russian"'))
        said = match.refused('-reduce', 'part1.json', 'bad.json', status=1)
        check(said == 'bad.json:1: another match than in the first file: variant is "english" there and "russian" here',
              said)
        lines = text.splitlines(True)
        (match.folder / 'bad.json').write_text(''.join([lines[0], '{]\n', *lines[1:]]))
        check(match.refused('-reduce', 'bad.json', status=1) == 'bad.json:2: not a JSON object', 'bad line')

        # A file that says two things of one game, or something of a game that another part plays.
        game = json.loads(lines[1])
        game['winner'] = 'white' if game['winner'] != 'white' else 'black'
        (match.folder / 'bad.json').write_text(text + json.dumps(game) + '\n')
        for words in ['-reduce', 'bad.json'], [*words, '-shard', '2/3', '-resume', 'bad.json']:
            said = match.refused(*words, status=1)
            check(said == f'bad.json:6: game {game["game"]} had another result before', said)
        (match.folder / 'bad.json').write_text(text + (match.folder / 'part1.json').read_text().splitlines(True)[1])
        for words in ['-reduce', 'bad.json'], [*words, '-shard', '2/3', '-resume', 'bad.json']:
            said = match.refused(*words, status=1)
            check(said == 'bad.json:6: game 1 is of another shard than the file', said)


def test_interrupt(arena):
    with arena.match() as match:
        process = match.start(*match.uci('a', 'nodes=2000'), *match.uci('b', 'nodes=2000'), '-rounds', 10000,
                              '-concurrency', 2, '-json', 'games.json')
        wait_for(lambda: (match.folder / 'games.json').exists() and len(match.games()) > 2)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
        check(process.returncode == 1 and output.endswith('Match not finished\n'), output[-300:], errors)
        check('-resume games.json goes on' in errors, errors)
        check(match.left_over() == [], match.left_over())


def test_bad_command_lines(arena):
    with arena.match() as match:
        two = [*match.uci('a'), *match.uci('b')]
        refusals = [
            ([], '-engine: a match needs two engines or more'),
            (match.uci('a', 'depth=1'), '-engine: a match needs two engines or more'),
            (two, '-engine: one of tc=, st=, nodes= and depth= is missing (tc=inf is no limit) for'),
            (['-engine', 'name=x', '-engine', 'name=y'], '-engine: cmd=COMMAND is missing'),
            ([*match.uci('a'), *match.uci('a'), *NODES], '-engine: two engines have one name'),
            ([*two, '-each', 'tc=0'], "-each: bad limit 'tc=0'"),
            ([*two, '-each', 'tc=1/2/3'], "-each: bad limit 'tc=1/2/3'"),
            ([*two, '-each', 'nodes=-5'], "-each: bad limit 'nodes=-5'"),
            ([*two, '-each', 'nodes=99999999999999999999'], '-each: bad limit'),
            ([*two, '-each', 'st=50', 'speed=3'], "-each: unknown setting 'speed=3'"),
            ([*two, '-each', 'st=5'], "-each: st is in milliseconds, 10 or more, not 'st=5'"),
            ([*two, '-each', 'st=0.1'], "-each: st is in milliseconds, 10 or more, not 'st=0.1'"),
            ([*two, '-each', 'tc=inf'], '-engine: one of tc=, st=, nodes= and depth= is missing (tc=inf is no limit)'),
            ([*two, *NODES, '-each', 'option.uci_variant=russian'],
             "-engine: the game is set by -variant, not by 'option.uci_variant'"),
            ([*two, *NODES, '-each', 'option.DrawRules=web'], '-engine: the draw rules are set by -drawrules, not by'),
            ([*two, *NODES, '-each', 'proto=hub', 'option.draw-rules=web'], '-engine: the draw rules are set by'),
            ([*two, *NODES, '-each', b'option.Name=\xe9'], "-engine: UTF-8 is wanted in 'option.Name'"),
            ([*two, *NODES, '-each', b'option.\xe9=1'], "-engine: UTF-8 is wanted in 'option.\\xe9'"),
            ([*match.uci('a'), '-engine', b'name=\xe9', 'cmd=x', *NODES], "-engine: UTF-8 is wanted in the name '\\xe9'"),
            ([*two, '-each', 'option.Hash', 'depth=1'], '-each: option.NAME=VALUE is wanted'),
            ([*two, '-each', 'proto=cecp', 'depth=1'], '-each: proto is one of'),
            ([*two, *NODES, '-variant', 'chess'], "-variant: one of english, russian is wanted, not 'chess'"),
            ([*two, *NODES, '-games', '0'], "-games: a number from 1 to 10000000 is wanted, not '0'"),
            ([*two, *NODES, '-games'], '-games: an argument is missing'),
            ([*two, *NODES, '-concurrency', '2', '3'], '-concurrency: one argument is enough'),
            ([*two, *NODES, '-sprt', 'elo0=5', 'elo1=0'], '-sprt: elo0 must be below elo1'),
            ([*two, *NODES, '-sprt', 'alpha=0'], "-sprt: alpha: a number from 1e-09 to 0.5 is wanted, not '0'"),
            ([*two, *match.uci('c'), *NODES, '-sprt', 'elo1=10'], '-sprt: two engines are wanted'),
            ([*two, *NODES, '-sprt', '-games', '3'], '-sprt: the test is of pairs of games, but -games is odd'),
            ([*two, *NODES, '-drawrules', 'fide'], "-drawrules: web or official is wanted, not 'fide'"),
            ([*two, *NODES, '-resume', 'a.json', '-json', 'b.json'], "-json: another file is named before: 'a.json'"),
            (['-reduce', 'a.json', '-engine', 'cmd=x'], '-engine: has no meaning with -reduce'),
            (['-each', 'nodes=1', '-reduce', 'a.json'], '-each: has no meaning with -reduce'),
            (['-pdnout', 'a.pdn', '-reduce', 'a.json'], '-pdnout: has no meaning with -reduce'),
            (['-reduce', 'a.json', '-sprt', 'elo1=x'], '-sprt: elo1: a number from -1000 to 1000 is wanted'),
            (['-reduce', '-sprt'], '-reduce: the files to merge are missing'),
            ([*two, *NODES, '-shard', '3/2'], '-shard: PART/PARTS is wanted'),
            ([*two, *NODES, '-draw', 'score'], "-draw: unknown setting 'score'"),
            ([*two, *NODES, '-openings', 'order=random'], '-openings: file=FILE or the name of a deck is missing'),
            ([*two, *NODES, '-bogus'], "unknown option '-bogus'"),
            ([*two, *NODES, '--concurrency', '2'], "unknown option '--concurrency'"),
            (['match'], "an option is wanted, not 'match'"),
        ]
        for words, text in refusals:
            said = match.refused(*words)
            check(said.startswith(text), words, 'said', said)
        (match.folder / 'bad.PGN').write_text('[Event "x"]\n1. 9-5 *\n')
        (match.folder / 'bad.fen').write_text('B:W30:B1\n\nB:W30:B99\n')
        (match.folder / 'bad.txt').write_text('9-5\n')
        for words, text in [
                (['-openings', 'nowhere.pdn'], "-openings: 'nowhere.pdn': cannot be read: No such file"),
                (['-openings', 'ballots4'], "-openings: 'ballots4': cannot be read: No such file or directory; "
                 'the decks are ballots2, ballots3, ballots11, russian'),
                (['-openings', 'russian'], "-openings: the openings 'russian' are for russian, not english"),
                (['-openings', 'bad.PGN'], "-openings: 'bad.PGN', line 2: illegal move '9-5'"),
                (['-openings', 'bad.fen'], "-openings: 'bad.fen', line 3: bad FEN"),
                (['-openings', 'bad.txt'], "-openings: 'bad.txt', line 1: illegal move '9-5'"),
                (['-openings', 'bad.fen', 'format=ballots'], "-openings: 'bad.fen', line 3: "),
                (['-openings', 'ballots2', 'start=44'], '-openings: start is beyond the 43 openings'),
                (['-rounds', '10000000', '-games', '100'], 'more than 10000000 games'),
                (['-json', 'nowhere/games.json'], 'nowhere/games.json: cannot be opened'),
                (['-resume', 'nowhere/games.json'], 'nowhere/games.json: cannot be opened'),
                (['-pdnout', '/dev/full/x'], '/dev/full/x: cannot be opened'),
        ]:
            said = match.refused(*two, *NODES, *words, status=1)
            check(said.startswith(text), words, 'said', said)


def test_each_may_come_often(arena):
    """What is set for all adds up, and what an engine sets for itself wins."""
    with arena.match() as match:
        match.run('-each', 'nodes=300', *match.uci('a', 'depth=2', 'option.hash=3'), '-each', 'depth=1', 'option.Hash=2',
                  *match.uci('b'), '-json', 'games.json')
        engines = match.header()['match']['engines']
        check([(engine['limit']['nodes'], engine['limit']['depth'], engine['options']) for engine in engines] ==
              [(300, 2, {'hash': '3'}), (300, 1, {'Hash': '2'})], engines)


def test_every_word_is_logged(arena):
    with arena.match() as match:
        (match.folder / 'all.log').write_text('before\n')
        match.run(*match.fake('one two', '--at=2', 'rubbish'), *match.uci('b'), '-each', 'depth=1', 'tc=10', '-concurrency',
                  2, '-openings', 'ballots3', '-rounds', 3, '-maxmoves', 4, '-log', 'all.log')
        lines = (match.folder / 'all.log').read_text(errors='replace').rstrip('\n').split('\n')
        check(lines[0] == 'before', lines[0])
        form = re.compile(r'(\d+) ([<>])(one two|b)\((\d)\): (.*)', re.DOTALL)
        parsed = [form.fullmatch(line) for line in lines[1:]]
        check(all(parsed), [line for line, match in zip(lines[1:], parsed) if not match])
        times = [int(line[1]) for line in parsed]
        check(times[0] < 5000 and all(later - time > -1000 for time, later in zip(times, times[1:])), times)
        said = [line.groups()[1:] for line in parsed]
        check(said[0] == ('>', 'one two', '0', 'uci') and ('<', 'b', '0', 'uciok') in said, said[:5])
        for number in '123456':
            for name in ('one two', 'b'):
                game = [(way, (text.split() or [''])[0]) for way, who, game, text in said
                        if (who, game) == (name, number)]
                check(game.count(('<', 'bestmove')) == game.count(('>', 'go')) in (2, 3), number, name, game)
                check(('>', 'ucinewgame') in game, number, game)
        check(('<', 'one two', '1', '(a line without end)') in said, 'the long line')
        check(len([line for line in said if line[3] == 'quit']) == 4, said[-5:])
        said = match.refused(*match.uci('a'), *match.uci('b'), *NODES, '-openings', 'ballots3', '-log', 'nowhere/x', '-json',
                             'games.json', status=1)
        check(said == 'nowhere/x: cannot be opened: No such file or directory', said)
        check(not (match.folder / 'games.json').exists(), 'games.json is left')


def test_complaints_of_engines_are_shown(arena):
    with arena.match() as match:
        _, errors = match.run(*match.uci('a', 'option.Hash=0', 'option.Threads=1', 'option.Style=wild'), *match.uci('b'),
                              *NODES, '-openings', 'ballots3', '-concurrency', 2, '-rounds', 3)
        check(len(errors) == 1 and errors[0].startswith("crownhead match: a: it offers no option 'Style'; it says: info "
                                                        'string error: '), errors)
        check(" 'Hash'" in errors[0] or ' Hash' in errors[0], errors)


def test_openings_that_come_again_are_told(arena):
    with arena.match() as match:
        two = [*match.uci('a'), *match.uci('b'), '-maxmoves', 1]
        (match.folder / 'three.txt').write_text('9-13\n9-14\n10-14\n')
        _, errors = match.run(*two, *NODES, '-openings', 'three.txt', '-rounds', 4)
        check(errors == ['crownhead match: 4 openings are needed and there are 3, they start over'], errors)
        _, errors = match.run(*two, *NODES, '-openings', 'three.txt', 'start=2', '-rounds', 3)
        check(errors == [], errors)
        _, errors = match.run(*two, *NODES, '-rounds', 2)
        check(len(errors) == 1 and 'without -openings, engines that only count nodes or plies' in errors[0], errors)
        for words in [*NODES], ['-each', 'tc=10', '-rounds', 2]:
            _, errors = match.run(*two, *words)
            check(errors == [], errors)


def test_standings_are_reported_once(arena):
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), *NODES, '-openings', 'ballots3', '-rounds', 10, '-json', 'games.json']
        output, _ = match.run(*words)
        check(len([line for line in output if line.startswith('Score of')]) == 2, output)
        output, _ = match.run(*words, '-resume', 'games.json')
        check(len([line for line in output if line.startswith('Score of')]) == 1, output)
        check(output[-1] == 'Finished match', output)
        output, _ = match.run(*words, '-rounds', 12, '-resume', 'games.json', '-ratinginterval', 1)
        check(len([line for line in output if line.startswith('Score of')]) == 4, output)


def test_files_of_others_are_kept(arena):
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), *NODES]
        match.run(*words, '-json', 'games.json', '-pdnout', 'games.pdn')
        before = (match.folder / 'games.json').read_bytes()
        for more, text in [
                (['-json', 'games.json'], 'games.json: exists; -resume goes on with it'),
                (['-resume', 'games.json', '-games', 4], 'games.json:1: another match: games is 4 and not 2'),
                (['-resume', 'games.json', '-each', 'nodes=301'],
                 'games.json:1: another match: engines, a, limit, nodes is 301 and not 300'),
                (['-resume', 'games.json', '-each', 'option.Hash=8'],
                 'games.json:1: another match: engines, a, options, Hash is "8" and not unset'),
                (['-resume', 'games.json', '-draw', 'score=7'],
                 'games.json:1: another match: arbitration, draw is [1,8,7] and not [0,0,0]'),
                (['-resume', 'games.json', '-openings', 'ballots2'],
                 'games.json:1: another match: openings, count is 43 and not 1'),
                (['-resume', 'games.json', '-shard', '1/2'], 'games.json:1: another shard: -shard 1/2 and not 1/1'),
                (['-resume', 'games.json'], 'games.json:1: the match has a PDN file, -pdnout FILE is missing'),
        ]:
            said = match.refused(*words, *more, status=1)
            check(said == text, more, 'said', said)
        check((match.folder / 'games.json').read_bytes() == before, 'the file was changed')
        match.run(*words, '-pdnout', 'games.pdn')
        check(match.pdn().startswith('games 4, sound 4,'), match.pdn())
        (match.folder / 'note.txt').write_text('Dear diary,\n')
        check('not a JSON object' in match.refused(*words, '-resume', 'note.txt', status=1), 'note')
        check((match.folder / 'note.txt').read_text() == 'Dear diary,\n', 'the note was changed')


def test_full_disk(arena):
    """A file that may not grow any more is like a full disk; what did not fit leaves nothing behind."""
    with arena.match() as match:
        words = [*match.uci('a'), *match.uci('b'), *NODES, '-rounds', 20, '-openings', 'ballots3']
        process = match.start(*words, '-json', 'games.json', '-pdnout', 'games.pdn', file_limit=40000)
        output, errors = process.communicate(timeout=60)
        check(process.returncode == 1 and output.endswith('Match not finished\n'), output[-300:], errors)
        check('cannot be written: File too large' in errors, errors)
        games = match.games()
        check(0 < len(games) < 40, len(games))
        check(match.pdn().startswith(f'games {len(games)}, sound {len(games)},'), match.pdn(), len(games))
        match.run(*words, '-resume', 'games.json', '-pdnout', 'games.pdn')
        check(match.pdn().startswith('games 40, sound 40,'), match.pdn())
        check(match.refused(*words, '-json', '/dev/full', status=1) == '/dev/full: is not a file', '/dev/full')


