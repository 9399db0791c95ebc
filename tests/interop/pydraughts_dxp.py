"""Plays a game through the DXPEngine of pydraughts 0.6, which is also the referee. Runs with it in PYTHONPATH.

usage: pydraughts_dxp.py PORT PLAYS_FIRST SEED      (a line of JSON; PLAYS_FIRST: 1 = the engine makes the first move)

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


def ask(engine, board):
    """The engine's move, or None when it has ended the game."""
    found = []
    threading.Thread(target=lambda: found.append(engine.play(board).move), daemon=True).start()
    end = time.monotonic() + PATIENCE
    while not found and time.monotonic() < end:
        if engine.game_started and not engine.sender.current.started:
            return None
        time.sleep(0.001)
    return found[0] if found else None


def main(port, plays_first, seed):
    rng = random.Random(seed)
    board = draughts.Board('english')
    engine = draughts.engine.DXPEngine(options={'port': port}, initial_time=60)
    if not plays_first:
        board.push(rng.choice(board.legal_moves()))
    plies = len(board.move_stack)
    while True:
        move = ask(engine, board)
        if move is None:
            break
        if move.hub_move not in [legal.hub_move for legal in board.legal_moves()]:
            raise ValueError(f'{move.hub_move} is not legal')
        board.push(move)
        plies += 1
        if not board.legal_moves():
            engine.sender.gameend()
            time.sleep(0.5)  # for its answer
            break
        board.push(rng.choice(board.legal_moves()))
        plies += 1
    print(json.dumps({'plies': plies, 'moves_left': len(board.legal_moves()), 'reason': engine.sender.current.result,
                      'name': engine.id.get('name')}), flush=True)
    os._exit(0)  # its threads wait for ever


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2] == '1', int(sys.argv[3]))
