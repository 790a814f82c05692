"""Positions of random games, scored by material, as records: enough for trying the trainer and for its tests.

    python training/sample.py OUT.bullet --positions 100000 --seed 1

Not meant for a network that plays. Exits with 0, or with 2 if OUT exists or its folder cannot be written to.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np
from tqdm import tqdm

import netfile
from errors import exit_code
from records import FLIP_RANKS, RECORD, THEIRS, WIN

#: Centipawns, pawn to king.
WORTH = (100, 300, 300, 500, 900, 0)
#: A material lead of this many centipawns counts as a won game.
WON = 300
LONGEST_GAME = 120


def record_of(board: chess.Board, score: int, result: int) -> np.ndarray:
    """A record of one position; score and result (0, 1, 2) for the side to move."""
    record = np.zeros((), RECORD)
    view = 0 if board.turn == chess.WHITE else FLIP_RANKS
    pieces = sorted((square ^ view, piece) for square, piece in board.piece_map().items())
    record["occupied"] = sum(1 << square for square, _ in pieces)
    for place, (_, piece) in enumerate(pieces):
        code = piece.piece_type - chess.PAWN | (0 if piece.color == board.turn else THEIRS)
        record["pieces"][place // 2] |= code << 4 * (place % 2)
    record["score"] = score
    record["result"] = result
    record["king"] = board.king(board.turn) ^ view
    record["their_king"] = board.king(not board.turn) ^ view ^ FLIP_RANKS
    return record


def material(board: chess.Board) -> int:
    """Material balance for the side to move, in centipawns."""
    return sum(
        WORTH[piece.piece_type - chess.PAWN] * (1 if piece.color == board.turn else -1)
        for piece in board.piece_map().values()
    )


def random_boards(seed: int | str) -> Iterator[chess.Board]:
    """Positions of random Chess960 games, endlessly. The board changes in place."""
    rng = random.Random(seed)
    while True:
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        for _ in range(LONGEST_GAME):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            yield board


def sample(positions: int, seed: int | str) -> np.ndarray:
    """A number of records, the same for the same seed."""
    records = np.zeros(positions, RECORD)
    for place, board in zip(range(positions), random_boards(seed), strict=False):
        score = material(board)
        records[place] = record_of(board, score, WIN if score > WON else 0 if score < -WON else 1)
    return records


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    netfile.refuse_existing(arguments.out)
    part = 1000
    with arguments.out.open("wb") as out:
        for start in tqdm(range(0, arguments.positions, part), unit_scale=part, unit="positions"):
            count = min(part, arguments.positions - start)
            # The seed of a part is a pair, so that parts of different seeds have nothing in common.
            out.write(sample(count, f"{arguments.seed} {start}").tobytes())
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("sample.py", run))
