#!/usr/bin/env python3
"""How often an engine throws away a result that the endgame databases know.

Random positions of few pieces, without a capture for the side to move, are given to engines that speak UCI,
with their own databases off. A move is an error if the position after it is worth less than the best move's.

  tools/error_rate.py --egdb ~/egdb --positions 5000 --movetime 50 build/crownhead /tmp/first/build/crownhead
"""

import argparse
import random
import subprocess
import sys
from pathlib import Path

CROWNHEAD = Path(__file__).resolve().parent.parent / 'build' / 'crownhead'
WORTH = {'loss': 0, 'draw': 1, 'win': 2}


def random_fen(rng, pieces):
    """Both sides with a share of the pieces, each piece a man or a king, anywhere that it may stand."""
    white = rng.randint(1, pieces - 1)
    sides = {'W': [], 'B': []}
    squares = list(range(1, 33))
    rng.shuffle(squares)
    for number, square in enumerate(squares[:pieces]):
        side = 'W' if number < white else 'B'
        crowned = rng.random() < 0.5 or square in (range(1, 5) if side == 'W' else range(29, 33))
        sides[side].append(('K' if crowned else '') + str(square))
    return f"{rng.choice('WB')}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"


def probe(arguments, fen):
    """What each move of a position is worth; None if there is a capture, or no move."""
    command = [arguments.crownhead, 'egdb', 'probe', '--variant', arguments.variant, arguments.egdb, fen]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f'error_rate: {arguments.crownhead}: {error.strerror}')
    lines = done.stdout.split('\n')[1:]
    moves = dict(line.split(': ') for line in lines if ': ' in line)
    if done.returncode != 0:
        sys.exit(f'error_rate: {fen}: {done.stderr.strip()}')
    if not moves or any('x' in move or ':' in move for move in moves):
        return None
    return {move: WORTH[value.split()[0]] for move, value in moves.items()}


class Engine:
    def __init__(self, arguments, command):
        try:
            self.process = subprocess.Popen(command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except (OSError, IndexError) as error:
            sys.exit(f'error_rate: {command}: {error}')
        self.go = f'go nodes {arguments.nodes}' if arguments.nodes else f'go movetime {arguments.movetime}'
        self.say('uci')
        options = self.until('uciok')
        self.say(f'setoption name UCI_Variant value {arguments.variant}')
        self.say('setoption name Hash value 16')
        if any('name EndgamePath ' in line for line in options):
            self.say('setoption name EndgamePath value <empty>')

    def say(self, line):
        try:
            self.process.stdin.write(line + '\n')
            self.process.stdin.flush()
        except BrokenPipeError:
            sys.exit('error_rate: an engine has left')

    def until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        sys.exit('error_rate: an engine has left')

    def best(self, fen):
        self.say('ucinewgame')
        self.say(f'position fen {fen}')
        self.say(self.go)
        return (self.until('bestmove')[-1].split() + ['nothing'])[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('engines', nargs='+', help='commands of engines')
    parser.add_argument('--crownhead', default=str(CROWNHEAD), help='that knows the databases')
    parser.add_argument('--egdb', required=True, help='directory with databases of so many pieces')
    parser.add_argument('--variant', default='english', choices=['english', 'russian'])
    parser.add_argument('--pieces', type=int, default=6)
    parser.add_argument('--positions', type=int, default=5000)
    parser.add_argument('--movetime', type=int, default=50, help='ms')
    parser.add_argument('--nodes', type=int, default=0, help='instead of a time')
    parser.add_argument('--hard', action='store_true', help='only positions where a move can be wrong')
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    if not 2 <= arguments.pieces <= 32 or min(arguments.positions, arguments.movetime) < 1 or arguments.nodes < 0:
        parser.error('2 to 32 pieces, one position and 1 ms at least')

    rng = random.Random(arguments.seed)
    engines = [Engine(arguments, command) for command in arguments.engines]
    errors = [0] * len(engines)
    matter = 0
    count = 0
    while count < arguments.positions:
        fen = random_fen(rng, arguments.pieces)
        moves = probe(arguments, fen)
        if moves is None:
            continue
        best = max(moves.values())
        can_err = min(moves.values()) < best
        count += can_err or not arguments.hard
        if not can_err:
            continue
        matter += 1
        for number, engine in enumerate(engines):
            move = engine.best(fen)
            if move not in moves:
                sys.exit(f'error_rate: {arguments.engines[number]} plays {move} in {fen}')
            errors[number] += moves[move] < best
    print(f'{count} positions, {matter} where a move can be wrong')
    for command, wrong in zip(arguments.engines, errors):
        print(f'{command}: {wrong} errors, {100 * wrong / count:.2f} % of positions')


if __name__ == '__main__':
    main()
