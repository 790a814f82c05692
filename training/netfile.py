"""The network file: quantised weights, and the exact integer inference that every implementation must agree with.

All numbers are little-endian:

    offset  size
    0       8     magic "PACINET3"
    8       4     king buckets K
    12      4     hidden H
    16      4     output buckets B
    20      4     threats T
    24      4     QA: unit of feature weights and biases
    28      4     QB: unit of output weights
    32      4     scale: centipawns of an output of 1
    36      4     length of the provenance P, bytes
    40      4     CRC-32C of everything else, before and after
    44      32    king bucket of each king square, rank by rank, files a to d
    76      P     provenance, JSON in UTF-8
                  zeros up to the next multiple of 64
                  feature weights, i8 [K * 768][H], unit QA
                  feature bias, i16 [H], unit QA
                  output weights, i16 [B][2 * H], unit QB, the side to move's half first
                  output bias, i32 [B], unit QA * QB
                  threats' weights, i16 [B][T], unit QA * QB
"""

import json
import os
import struct
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np

from checksum import crc32c
from errors import TrainingError
from network import FEATURES, FLIP_FILES, KING_SQUARES, THEIR_FEATURES, Shape, folded_features
from records import FLIP_RANKS, MAX_PIECES
from threats import THREATS, plain_counts

#: How a network file begins, of whatever version, and of this one.
FAMILY = b"PACINET"
MAGIC = b"PACINET3"
HEADER = struct.Struct("<8s8I")
CHECKSUM = struct.Struct("<I")
ALIGNMENT = 64
QA = 255
QB = 64
#: A feature weight must fit into 8 bits; -128 would, but not its opposite.
FEATURE_WEIGHT_LIMIT = 127
#: An activation (at most QA) times an output weight must fit into 16 bits.
OUTPUT_WEIGHT_LIMIT = 127
#: No evaluation is beyond this many centipawns.
MAX_EVAL = 20_000
#: The largest scale that the engine accepts.
MAX_SCALE = 10_000
#: As far from zero as 8 bits can be.
I8_REACH = 2**7
I16_MAX = 2**15 - 1
I32_MAX = 2**31 - 1


@dataclass(frozen=True)
class Network:
    """A quantised network, as in the file."""

    shape: Shape
    scale: int
    provenance: dict
    features: np.ndarray
    feature_bias: np.ndarray
    output_weights: np.ndarray
    output_bias: np.ndarray
    threats: np.ndarray

    def weights(self) -> dict[str, np.ndarray]:
        """The weights as numbers of training: what all king buckets have in common is their mean."""
        features = self.features.astype(np.float32) / QA
        weights = {
            "features": features,
            "feature_bias": self.feature_bias.astype(np.float32) / QA,
            "output_weights": self.output_weights.reshape(-1, 2, self.shape.hidden).astype(np.float32) / QB,
            "output_bias": self.output_bias.astype(np.float32) / (QA * QB),
            "threats": self.threats.astype(np.float32) / (QA * QB),
        }
        if self.shape.king_buckets == 1:
            return weights
        buckets = features.reshape(self.shape.king_buckets, FEATURES, self.shape.hidden)
        factor = buckets.mean(axis=0)
        return weights | {"features": (buckets - factor).reshape(features.shape), "factor": factor}

    def evaluate(self, board: chess.Board) -> int:
        """Score in centipawns for the side to move, in exact integers."""
        halves = [self._accumulator(board, board.turn), self._accumulator(board, not board.turn)]
        activation = np.clip(np.concatenate(halves), 0, QA)
        bucket = (len(board.piece_map()) - 2) // self.shape.pieces_per_bucket
        total = int(np.sum(activation * activation * self.output_weights[bucket].astype(np.int64)))
        threats = int(np.sum(plain_counts(board) * self.threats[bucket].astype(np.int64)))
        output = _divide(total, QA) + int(self.output_bias[bucket]) + threats
        return min(max(_divide(output * self.scale, QA * QB), -MAX_EVAL), MAX_EVAL)

    def _accumulator(self, board: chess.Board, side: chess.Color) -> np.ndarray:
        rows = active_features(board, side, self.shape)
        return self.feature_bias.astype(np.int64) + self.features[rows].astype(np.int64).sum(axis=0)


def active_features(board: chess.Board, side: chess.Color, shape: Shape) -> list[int]:
    """The features of a position from `side`'s view, computed plainly: the reference for faster code."""
    view = 0 if side == chess.WHITE else FLIP_RANKS
    # A king that is marked as promoted is none to `board.king`.
    if any(list(board.pieces(chess.KING, color)) != [board.king(color)] for color in chess.COLORS):
        raise TrainingError(f"{board.fen()}: one king of each colour is expected")
    king = board.king(side)
    if chess.square_file(king) > 3:
        view ^= FLIP_FILES
    seen = king ^ view
    bucket = shape.king_layout[4 * chess.square_rank(seen) + chess.square_file(seen)]
    return [
        FEATURES * bucket
        + (0 if piece.color == side else THEIR_FEATURES)
        + 64 * (piece.piece_type - chess.PAWN)
        + (square ^ view)
        for square, piece in board.piece_map().items()
    ]


def _divide(dividend: int, divisor: int) -> int:
    """Division that truncates toward zero, as in Rust and C."""
    quotient = abs(dividend) // divisor
    return quotient if dividend >= 0 else -quotient


def quantise(shape: Shape, weights: dict[str, np.ndarray], scale: int, provenance: dict) -> Network:
    """Rounds trained weights to integers, and rejects a network whose inference could overflow."""

    def rounded(name: str, values: np.ndarray, unit: int, limit: int) -> np.ndarray:
        if not np.all(np.isfinite(values)):
            raise TrainingError(f"{name}: not all numbers are finite")
        integers = np.rint(values.astype(np.float64) * unit)
        largest = np.abs(integers).max()
        if largest > limit:
            raise TrainingError(f"{name}: {largest:.0f} is beyond {limit}; clip more")
        return integers

    network = Network(
        shape,
        scale,
        provenance,
        rounded("feature weights", folded_features(weights), QA, FEATURE_WEIGHT_LIMIT).astype("i1"),
        rounded("feature bias", weights["feature_bias"], QA, I16_MAX).astype("<i2"),
        rounded("output weights", weights["output_weights"], QB, OUTPUT_WEIGHT_LIMIT)
        .astype("<i2")
        .reshape(shape.output_buckets, 2 * shape.hidden),
        rounded("output bias", weights["output_bias"], QA * QB, I32_MAX).astype("<i4"),
        rounded("threats", weights["threats"], QA * QB, I16_MAX).astype("<i2"),
    )
    refuse_overflow(network)
    return network


def refuse_overflow(network: Network) -> None:
    """The guarantees for inference: accumulators fit into 16 bits, so does an activation times an output weight, and
    the sums of the output layer fit into 32 bits, in any order."""
    reach = np.abs(network.feature_bias.astype(np.int64)) + MAX_PIECES * I8_REACH
    neuron = int(reach.argmax())
    if reach[neuron] > I16_MAX:
        raise TrainingError(f"neuron {neuron} can reach {reach[neuron]}, beyond {I16_MAX}: its bias is too large")
    weights = np.abs(network.output_weights.astype(np.int64))
    if weights.max() > OUTPUT_WEIGHT_LIMIT:
        raise TrainingError(f"output weight {weights.max()} is beyond {OUTPUT_WEIGHT_LIMIT}; clip more (--clip-output)")
    sums = weights.sum(axis=1) * QA * QA
    bucket = int(sums.argmax())
    if sums[bucket] > I32_MAX:
        raise TrainingError(
            f"output bucket {bucket} can reach {sums[bucket]}, beyond {I32_MAX}; clip more (--clip-output)"
        )


def to_bytes(network: Network) -> bytes:
    """The whole file."""
    shape = network.shape
    provenance = json.dumps(network.provenance, ensure_ascii=False, sort_keys=True).encode(errors="replace")
    header = HEADER.pack(
        MAGIC, shape.king_buckets, shape.hidden, shape.output_buckets, THREATS, QA, QB, network.scale, len(provenance)
    )
    front = len(header) + CHECKSUM.size + KING_SQUARES + len(provenance)
    body = b"".join(
        [
            bytes(shape.king_layout),
            provenance,
            bytes(-front % ALIGNMENT),
            network.features.astype("i1").tobytes(),
            network.feature_bias.astype("<i2").tobytes(),
            network.output_weights.astype("<i2").tobytes(),
            network.output_bias.astype("<i4").tobytes(),
            network.threats.astype("<i2").tobytes(),
        ]
    )
    return header + CHECKSUM.pack(crc32c(header + body)) + body


def from_bytes(data: bytes) -> Network:
    """Reads a file and checks everything that can be checked."""
    fixed = HEADER.size + CHECKSUM.size + KING_SQUARES
    if data.startswith(FAMILY) and not data.startswith(MAGIC) and len(data) >= len(MAGIC):
        raise TrainingError(f"a network file of another version: {MAGIC.decode()} expected")
    if len(data) < fixed or not data.startswith(MAGIC):
        raise TrainingError(f"not a network of this format: it does not start with {MAGIC.decode()} and a header")
    _, king_buckets, hidden, output_buckets, threats, qa, qb, scale, length = HEADER.unpack_from(data)
    if (qa, qb) != (QA, QB):
        raise TrainingError(f"quantised in units of {qa} and {qb} instead of {QA} and {QB}")
    if threats != THREATS:
        raise TrainingError(f"{threats} threats instead of {THREATS}")
    sizes = 1 <= output_buckets <= MAX_PIECES and hidden > 0 and 1 <= king_buckets <= KING_SQUARES
    if not sizes or not 1 <= scale <= MAX_SCALE:
        raise TrainingError("a size in the header is out of range")
    front = fixed + length
    start = front + -front % ALIGNMENT
    rows = king_buckets * FEATURES
    expected = start + rows * hidden + 2 * (hidden + output_buckets * (2 * hidden + THREATS)) + 4 * output_buckets
    if len(data) != expected:
        raise TrainingError(f"{len(data)} bytes, but the header requires {expected}")
    (checksum,) = CHECKSUM.unpack_from(data, HEADER.size)
    if crc32c(data[: HEADER.size] + data[HEADER.size + CHECKSUM.size :]) != checksum:
        raise TrainingError("checksum mismatch: the file is damaged")
    shape = Shape(hidden, output_buckets, tuple(data[fixed - KING_SQUARES : fixed]))
    if shape.king_buckets != king_buckets:
        raise TrainingError("the king layout does not match the number of king buckets")
    try:
        provenance = json.loads(data[fixed:front])
    except (ValueError, RecursionError) as error:
        raise TrainingError(f"the provenance is not JSON: {error}") from error
    if not isinstance(provenance, dict):
        raise TrainingError("the provenance is not a JSON object")

    def take(kind: str, *size: int) -> np.ndarray:
        nonlocal start
        values = np.frombuffer(data, kind, count=int(np.prod(size)), offset=start).reshape(size)
        start += values.nbytes
        return values

    network = Network(
        shape,
        scale,
        provenance,
        take("i1", rows, hidden),
        take("<i2", hidden),
        take("<i2", output_buckets, 2 * hidden),
        take("<i4", output_buckets),
        take("<i2", output_buckets, THREATS),
    )
    refuse_overflow(network)
    return network


def read(path: Path) -> Network:
    """Reads and checks a network file."""
    try:
        return from_bytes(path.read_bytes())
    except OSError as error:
        raise TrainingError(f"{path}: {error.strerror}") from error
    except TrainingError as error:
        raise TrainingError(f"{path}: {error}") from error


def refuse_existing(path: Path) -> None:
    """Fails if a new file would take the place of another, or cannot be written."""
    if path.exists():
        raise TrainingError(f"{path} exists")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Fails if there is no folder for such a file, or none that can be written: before the work, not after it."""
    try:
        if not path.parent.is_dir():
            raise TrainingError(f"{path.parent}: no such folder")
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise TrainingError(f"{path}: {error.strerror}") from error


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file atomically: either the old or the new one is there, complete."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            # The new name must not reach the disk before the data, or a crash leaves half a file.
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        # Leave nothing behind, if possible.
        with suppress(OSError):
            temporary.unlink()
        raise TrainingError(f"{path}: {error.strerror}") from error
