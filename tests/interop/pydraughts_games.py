"""Plays games through the HubEngine of pydraughts, which is also the referee. Runs with that version in PYTHONPATH.

usage: pydraughts_games.py PROGRAM GAME FRAME GAMES SECONDS      (a line of JSON for each game)

The first game is from the first position, the others from ballots.
"""

import json
import sys

import draughts
import draughts.engine
from draughts.ballots import Ballots

PLIES_MAX = 1000


class Old:
    """The interface of 0.5."""

    @staticmethod
    def board(game, fen):
        return draughts.Game(game, fen)

    @staticmethod
    def push(board, move):
        if move.board_move not in board.legal_moves()[0]:
            raise ValueError(f'{move.hub_move} is not legal')
        board.push(move.board_move)

    @staticmethod
    def winner(board):
        return board.get_winner()


class New:
    """The interface of 0.6."""

    @staticmethod
    def board(game, fen):
        return draughts.Board(game, fen)

    @staticmethod
    def push(board, move):
        if move.hub_move not in [legal.hub_move for legal in board.legal_moves()]:
            raise ValueError(f'{move.hub_move} is not legal')
        board.push(move)

    @staticmethod
    def winner(board):
        return board.winner()


def play(engine, api, game, fen, limit):
    """A game to its end: plies, winner, how many plies had a score and how many replies were expected."""
    board = api.board(game, fen)
    count = {'plies': 0, 'scores': 0, 'ponders': 0}
    while not board.is_over() and count['plies'] < PLIES_MAX:
        result = engine.play(board, limit, False)
        count['scores'] += bool(result.info.get('score')) and bool(result.info.get('pv'))
        count['ponders'] += result.ponder is not None
        api.push(board, result.move)
        count['plies'] += 1
    return {**count, 'winner': api.winner(board) if board.is_over() else 'none'}


def main(program, game, frame, games, seconds):
    api = New if hasattr(draughts, 'Board') else Old
    ballots = Ballots(game)
    step = max(1, len(ballots.keys) // max(1, games))
    fens = ['startpos'] + [ballots.positions[key] for key in ballots.keys[::step]]
    engine = draughts.engine.HubEngine([program, 'hub'])
    engine.configure({'variant': game, 'frame': frame, 'threads': 1, 'hash': 16, 'book': True})
    engine.init()
    try:
        for fen in fens[:games]:
            limit = draughts.engine.Limit(movetime=seconds)
            print(json.dumps({'fen': fen, **play(engine, api, game, fen, limit)}), flush=True)
        engine.quit()
        engine.p.wait(10)
    finally:
        if engine.p.poll() is None:
            engine.kill_process()
            raise RuntimeError('the engine does not end')


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
