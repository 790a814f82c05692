"""Training positions: bulletformat's `ChessBoard`, 32 bytes each, as `pacioli lab positions` writes them.

The board is always from the side to move's view: if Black is to move, ranks are flipped and colours swapped.
The layout follows src/chess.rs of https://github.com/jw1912/bulletformat.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import njit

from checksum import crc32c
from errors import TrainingError

#: One position, little-endian.
#: `occupied`: bit per square, a1 = 0 ... h8 = 63.
#: `pieces`: four bits for each occupied square in rising order, low half of a byte first; the low three are
#: the role, pawn ... king (0 ... 5), the fourth is set for a piece of the opponent.
#: `score`: centipawns, `result`: 0 lost, 1 drawn, 2 won, both for the side to move.
#: `king`: its king's square; `their_king`: the opponent's, from the opponent's view (ranks flipped).
RECORD = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", (16,)),
        ("score", "<i2"),
        ("result", "u1"),
        ("king", "u1"),
        ("their_king", "u1"),
        ("extra", "u1", (3,)),
    ]
)

KING = 5
THEIRS = 8
#: The opponent's view flips the rank of a square.
FLIP_RANKS = 56
MAX_PIECES = 32
WIN = 2

assert RECORD.itemsize == 32


@dataclass(frozen=True)
class Source:
    """A data file, as listed in a network's provenance."""

    file: str
    bytes: int
    positions: int
    sha256: str
    #: What `lab positions` wrote beside it: its command, and the seeds and settings of its games.
    made: dict | None = None


@dataclass(frozen=True)
class Data:
    """Training positions, validation positions, and their sources."""

    training: np.ndarray
    validation: np.ndarray
    sources: list[Source]


def load(paths: list[Path], validation_share: float) -> Data:
    """Reads files whole and holds out the last `validation_share` of each.

    The end of a file rather than a random choice: positions of one game are adjacent in unshuffled data, and a
    position whose neighbours were trained on says little about generalisation.
    """
    training, validation, sources = [], [], []
    for path in paths:
        records, source = read(path)
        held_out = round(len(records) * validation_share)
        training.append(records[: len(records) - held_out])
        validation.append(records[len(records) - held_out :])
        sources.append(source)
    return Data(np.concatenate(training), np.concatenate(validation), sources)


def read(path: Path) -> tuple[np.ndarray, Source]:
    """Reads one file and checks every record."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TrainingError(f"{path}: {error.strerror}") from error
    if not data or len(data) % RECORD.itemsize != 0:
        raise TrainingError(f"{path}: {len(data)} bytes are not a whole number of {RECORD.itemsize}-byte positions")
    records = np.frombuffer(data, RECORD)
    bad = first_invalid(records)
    if bad >= 0:
        raise TrainingError(f"{path}: record {bad} (counted from 0) is not a valid position")
    digest = hashlib.sha256(data).hexdigest()
    return records, Source(path.name, len(data), len(records), digest, made(path, data))


def made(path: Path, data: bytes) -> dict | None:
    """What a file of positions was made from, by the record beside it; `None` if there is none."""
    record = path.with_name(path.name + ".json")
    if not record.exists():
        return None
    try:
        found = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise TrainingError(f"{record}: {error}") from error
    if not isinstance(found, dict) or "crc32c" not in found:
        raise TrainingError(f"{record}: no checksum of the positions; `pacioli lab positions` writes one")
    checksum = crc32c(data)
    if found["crc32c"] != checksum:
        raise TrainingError(f"{record}: not the record of {path.name}, whose CRC-32C is {checksum}")
    return found


@njit(cache=True)
def first_invalid(records):
    """Index of the first record that is not usable for training, -1 if all are valid."""
    for i in range(len(records)):
        record = records[i]
        count = 0
        kings = 0
        their_kings = 0
        sound = record.result <= WIN
        for square in range(64):
            if (record.occupied >> np.uint64(square)) & np.uint64(1) == 0:
                continue
            if count == MAX_PIECES:
                sound = False
                break
            piece = (record.pieces[count >> 1] >> (4 * (count & 1))) & 15
            count += 1
            if piece & 7 > KING:
                sound = False
            if piece == KING:
                kings += 1
                sound = sound and record.king == square
            if piece == KING | THEIRS:
                their_kings += 1
                sound = sound and record.their_king == square ^ FLIP_RANKS
        if not sound or kings != 1 or their_kings != 1:
            return i
    return -1


def fitting_scale(records: np.ndarray) -> float:
    """The scale at which the scores predict these games' results best: what the data's scores mean in points, and so
    what to set the scale to. Centipawns."""
    sample = records[:: max(1, len(records) // 500_000)]
    return best_scale(sample["score"].astype(np.float64), sample["result"] / WIN)


def expected_points(scores: np.ndarray, scale: float) -> np.ndarray:
    return 1 / (1 + np.exp(-scores / scale))


def best_scale(scores: np.ndarray, points: np.ndarray) -> float:
    """The scale at which `expected_points(scores, scale)` has the least squared error from these points."""

    def error(log_scale: float) -> float:
        return float(np.mean((points - expected_points(scores, np.exp(log_scale))) ** 2))

    low, high = np.log(20.0), np.log(2000.0)
    while high - low > 0.005:
        third = (high - low) / 3
        if error(low + third) < error(high - third):
            high -= third
        else:
            low += third
    return float(np.exp((low + high) / 2))
