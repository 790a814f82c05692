"""Scores positions with a network, in the exact integers that the engine must reproduce.

    python training/evaluate.py NET FEN...     one score per line: centipawns for the side to move
    python training/evaluate.py NET -          positions from standard input, one per line
    python training/evaluate.py NET            the header and the provenance, as JSON

Exits with 0, or with 2 if a file or a position cannot be used.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import chess

import netfile
from errors import TrainingError, exit_code


def evaluate(network: netfile.Network, fen: str) -> int:
    """Score in centipawns for the side to move. Castling rights, en passant and clocks are ignored."""
    try:
        board = chess.Board(fen, chess960=True)
    except ValueError as error:  # which quotes what there is
        raise TrainingError(str(error)) from error
    if len(board.piece_map()) > netfile.MAX_PIECES:
        raise TrainingError(f"{fen}: more than {netfile.MAX_PIECES} pieces")
    return network.evaluate(board)


def evaluate_lines(network: netfile.Network, lines: Iterable[bytes]) -> Iterator[int]:
    """The score of the position in each line; an error says in which one it is."""
    for number, line in enumerate(lines, start=1):
        try:
            score = evaluate(network, line.decode().strip())
        except UnicodeDecodeError as error:
            raise TrainingError(f"line {number}: not UTF-8") from error
        except TrainingError as error:
            raise TrainingError(f"line {number}: {error}") from error
        yield score


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", type=Path)
    parser.add_argument("fen", nargs="*")
    arguments = parser.parse_args()
    network = netfile.read(arguments.net)
    if not arguments.fen:
        header = asdict(network.shape) | {"scale": network.scale, "provenance": network.provenance}
        print(json.dumps(header, indent=2, ensure_ascii=False))
    if arguments.fen == ["-"]:
        scores = evaluate_lines(network, sys.stdin.buffer)
    else:
        scores = (evaluate(network, fen) for fen in arguments.fen)
    for score in scores:
        print(score)
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("evaluate.py", run, only_prints=True))
