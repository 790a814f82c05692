"""Scores positions with a network, in the exact integers that the engine must reproduce.

    python training/evaluate.py NET FEN...     one score per line: centipawns for the side to move
    python training/evaluate.py NET -          positions from standard input, one per line
    python training/evaluate.py NET            the header and the provenance, as JSON

Exits with 0, or with 2 if a file or a position cannot be used.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import chess

import netfile
from errors import TrainingError, exit_code


def evaluate(network: netfile.Network, fen: str) -> int:
    """Score in centipawns for the side to move. Castling rights, en passant and clocks are ignored."""
    try:
        board = chess.Board(fen, chess960=True)
    except ValueError as error:
        raise TrainingError(f"{fen}: {error}") from error
    if len(board.piece_map()) > netfile.MAX_PIECES:
        raise TrainingError(f"{fen}: more than {netfile.MAX_PIECES} pieces")
    return network.evaluate(board)


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", type=Path)
    parser.add_argument("fen", nargs="*")
    arguments = parser.parse_args()
    network = netfile.read(arguments.net)
    if not arguments.fen:
        header = asdict(network.shape) | {"scale": network.scale, "provenance": network.provenance}
        print(json.dumps(header, indent=2, ensure_ascii=False))
    fens = (line.strip() for line in sys.stdin) if arguments.fen == ["-"] else arguments.fen
    for fen in fens:
        print(evaluate(network, fen))
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("evaluate.py", run, only_prints=True))
