"""Plays a game through the DXPEngine of pydraughts, which is also the referee. Runs with that version in PYTHONPATH.

usage: pydraughts_dxp.py PORT GAME ENGINE_BEGINS SEED      (a line of JSON; ENGINE_BEGINS is 0 or 1)

The other side moves at random. DXPEngine has no word for a game that the engine ends, so its parts are asked.
"""

import json
import os
import random
import sys
import threading
import time

import draughts
import draughts.engine

PATIENCE = 120


class Old:
    """The interface of 0.5."""

    def __init__(self, game, port):
        self.board = draughts.Game(game)
        self.engine = draughts.engine.DXPEngine(options={'port': port}, initial_time=60)

    def legal(self):
        return self.board.legal_moves()[0]

    @staticmethod
    def of(move):
        return move.board_move

    def started(self):
        return draughts.engines.dxp.dxp.current.started

    def end(self):
        self.engine.console.run_command('gameend')


class New(Old):
    """The interface of 0.6."""

    def __init__(self, game, port):
        self.board = draughts.Board(game)
        self.engine = draughts.engine.DXPEngine(options={'port': port}, initial_time=60)

    def legal(self):
        return self.board.legal_moves()

    @staticmethod
    def of(move):
        return move

    def started(self):
        return self.engine.sender.current.started

    def end(self):
        self.engine.sender.gameend()


def ask(side):
    """The engine's move, or None when it has ended the game."""
    found = []
    threading.Thread(target=lambda: found.append(side.engine.play(side.board).move), daemon=True).start()
    end = time.monotonic() + PATIENCE
    while not found and time.monotonic() < end:
        if side.engine.game_started and not side.started():
            return None
        time.sleep(0.001)
    return side.of(found[0]) if found else None


def play(side, engine_begins, rng):
    """A game to its end; the plies."""
    plies = 0
    if not engine_begins:
        side.board.push(rng.choice(side.legal()))
        plies += 1
    while (move := ask(side)) is not None:
        plain = [str(getattr(legal, 'hub_move', legal)) for legal in side.legal()]
        if str(getattr(move, 'hub_move', move)) not in plain:
            raise ValueError(f'{move} is not legal')
        side.board.push(move)
        plies += 1
        if not side.legal():
            side.end()
            time.sleep(0.5)  # for its answer
            break
        side.board.push(rng.choice(side.legal()))
        plies += 1
    return plies


def main(port, game, engine_begins, seed):
    side = (New if hasattr(draughts, 'Board') else Old)(game, port)
    plies = play(side, engine_begins, random.Random(seed))
    print(json.dumps({'plies': plies, 'moves_left': len(side.legal()), 'name': side.engine.id.get('name')}), flush=True)
    os._exit(0)  # its threads wait for ever


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3] == '1', int(sys.argv[4]))
