"""The network in floating point: its shape, its weights, and one pass over a batch with the gradient.

    accumulator = feature_bias + sum of the rows of the features present     (for each of the two perspectives)
    hidden      = clamp(accumulator, 0, 1) squared
    output      = hidden (side to move's, then the opponent's) . output_weights[bucket] + output_bias[bucket]

The output is the logit of the expected points; times the scale it is a score in centipawns.

The pass is written out and compiled, rather than left to a framework: a position has at most 32 of the features, so
that two accumulators and their gradient stay in the nearest cache, and the board is decoded on the way. That is about
eight times as fast on a CPU as PyTorch's embedding bags.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import njit, prange

from records import FLIP_RANKS, MAX_PIECES, RECORD, THEIRS

#: Features of one king bucket: 2 sides x 6 roles x 64 squares.
FEATURES = 768
#: Where the opponent's features begin.
THEIR_FEATURES = 384
#: Mirroring flips the file of a square.
FLIP_FILES = 7
#: Squares a king can stand on once the board is mirrored: ranks x files a-d.
KING_SQUARES = 32
#: A batch is cut into this many parts, each with its own gradient, whatever the number of threads: so the sum is
#: always taken in the same order, and the weights do not depend on the machine's cores.
LANES = 8


@dataclass(frozen=True)
class Shape:
    """The size of the network.

    `king_layout`: the bucket of each king square, rank by rank, files a to d.
    """

    hidden: int
    output_buckets: int
    king_layout: tuple[int, ...]

    @property
    def king_buckets(self) -> int:
        return max(self.king_layout) + 1

    @property
    def pieces_per_bucket(self) -> int:
        """An output bucket holds this many piece counts: bucket = (pieces - 2) / this."""
        return -(-MAX_PIECES // self.output_buckets)


def initial_weights(shape: Shape, seed: int) -> dict[str, np.ndarray]:
    """Random weights. `factor` is shared by all king buckets and added to each; it exists only if there is more
    than one."""
    rng = np.random.default_rng(seed)
    # A full board's accumulators then start with a spread of a half, in the middle of the activation's slope.
    feature_spread = 0.5 / np.sqrt(MAX_PIECES)
    output_spread = 1 / np.sqrt(2 * shape.hidden)

    def normal(spread: float, *size: int) -> np.ndarray:
        return (spread * rng.standard_normal(size)).astype(np.float32)

    common = normal(feature_spread, FEATURES, shape.hidden)
    weights = {
        "feature_bias": np.zeros(shape.hidden, np.float32),
        "output_weights": normal(output_spread, shape.output_buckets, 2, shape.hidden),
        "output_bias": np.zeros(shape.output_buckets, np.float32),
    }
    if shape.king_buckets == 1:
        return {"features": common} | weights
    features = np.zeros((shape.king_buckets * FEATURES, shape.hidden), np.float32)
    return {"features": features, "factor": common} | weights


def folded_features(weights: dict[str, np.ndarray]) -> np.ndarray:
    """The feature weights in use: [king buckets * 768][hidden], with the factor added."""
    features = weights["features"]
    if "factor" not in weights:
        return features
    buckets = features.reshape(-1, *weights["factor"].shape)
    return (buckets + weights["factor"]).reshape(features.shape)


def clip(weights: dict[str, np.ndarray], feature_limit: float, output_limit: float) -> None:
    """Keeps feature weights (factor included) and output weights within plus or minus their limits, in place."""
    features = weights["features"]
    if "factor" in weights:
        factor = weights["factor"]
        buckets = features.reshape(-1, *factor.shape)
        np.clip(buckets, -feature_limit - factor, feature_limit - factor, out=buckets)
    else:
        np.clip(features, -feature_limit, feature_limit, out=features)
    np.clip(weights["output_weights"], -output_limit, output_limit, out=weights["output_weights"])


@dataclass(frozen=True)
class Target:
    """The training target: a share `wdl` of the game's result, the rest the score's expected points; an error counts as
    its absolute value to the power `power`."""

    wdl: float
    scale: float
    power: float


class Pass:
    """Runs the network over batches, and holds the memory for that."""

    def __init__(self, shape: Shape):
        self.shape = shape
        self.king_layout = np.array(shape.king_layout, np.int64)
        rows = shape.king_buckets * FEATURES
        self.gradients = (
            np.empty((LANES, rows, shape.hidden), np.float32),
            np.empty((LANES, shape.hidden), np.float32),
            np.empty((LANES, shape.output_buckets, 2, shape.hidden), np.float32),
            np.empty((LANES, shape.output_buckets), np.float32),
        )

    def run(
        self, weights: dict[str, np.ndarray], records: np.ndarray, target: Target, learn: bool
    ) -> tuple[float, np.ndarray]:
        """Sum of the losses, and the output for each position. With `learn` it keeps the gradient for `gradient`."""
        losses = np.zeros(LANES)
        outputs = np.empty(len(records), np.float32)
        _run(
            records,
            folded_features(weights),
            weights["feature_bias"],
            weights["output_weights"],
            weights["output_bias"],
            self.king_layout,
            self.shape.pieces_per_bucket,
            np.float32(target.wdl),
            np.float32(target.scale),
            np.float32(target.power),
            learn,
            *self.gradients,
            outputs,
            losses,
        )
        return float(losses.sum()), outputs

    def gradient(self, weights: dict[str, np.ndarray], positions: int) -> dict[str, np.ndarray]:
        """The gradient of the mean loss over the `positions` of the last training batch."""
        names = ("features", "feature_bias", "output_weights", "output_bias")
        gradient = {
            name: lanes.sum(axis=0) / np.float32(positions) for name, lanes in zip(names, self.gradients, strict=True)
        }
        if "factor" in weights:
            gradient["factor"] = gradient["features"].reshape(-1, *weights["factor"].shape).sum(axis=0)
        return gradient


def compile_pass() -> None:
    """Compiles the pass by running it over nothing, unless the compiled code is in numba's cache."""
    shape = Shape(1, 1, (0,) * KING_SQUARES)
    Pass(shape).run(initial_weights(shape, 0), np.empty(0, RECORD), Target(0, 1, 1), learn=False)


def fill_cache() -> None:
    """Compiles the pass in another process, for this one to read it from the cache. Code that a process has compiled
    itself may differ in the last bits from what is read, and a run that is resumed would be another."""
    folder = str(Path(__file__).parent)
    line = f"import sys; sys.path.insert(0, {folder!r}); import network; network.compile_pass()"
    subprocess.run([sys.executable, "-c", line], check=False)


@njit(cache=True, inline="always")
def _features(record, king_layout, ours, theirs):
    """Writes the rows of the features that both sides see, and returns how many each has.

    A side whose king is on files e to h sees the board mirrored.
    """
    our_flip = FLIP_FILES if record.king & 7 > 3 else 0
    their_flip = FLIP_FILES if record.their_king & 7 > 3 else 0
    our_king = record.king ^ our_flip
    their_king = record.their_king ^ their_flip
    our_rows = FEATURES * king_layout[(our_king >> 3) * 4 + (our_king & 3)]
    their_rows = FEATURES * king_layout[(their_king >> 3) * 4 + (their_king & 3)]
    their_flip ^= FLIP_RANKS
    count = 0
    for square in range(64):
        if (record.occupied >> np.uint64(square)) & np.uint64(1):
            piece = (record.pieces[count >> 1] >> (4 * (count & 1))) & 15
            role = (piece & 7) * 64
            if piece & THEIRS:
                ours[count] = our_rows + THEIR_FEATURES + role + (square ^ our_flip)
                theirs[count] = their_rows + role + (square ^ their_flip)
            else:
                ours[count] = our_rows + role + (square ^ our_flip)
                theirs[count] = their_rows + THEIR_FEATURES + role + (square ^ their_flip)
            count += 1
    return count


@njit(cache=True, parallel=True, fastmath={"reassoc", "contract", "arcp", "nsz"})
def _run(
    records, features, feature_bias, output_weights, output_bias, king_layout, pieces_per_bucket, wdl, scale, power,
    learn, features_lanes, feature_bias_lanes, output_weights_lanes, output_bias_lanes, outputs, losses,
):  # fmt: skip
    """One pass, forward and (with `learn`) back, lane by lane. Everything is float32; losses are summed in float64."""
    zero, half, one, two = np.float32(0), np.float32(0.5), np.float32(1), np.float32(2)
    hidden = features.shape[1]
    for lane in prange(LANES):
        d_features = features_lanes[lane]
        d_feature_bias = feature_bias_lanes[lane]
        d_output_weights = output_weights_lanes[lane]
        d_output_bias = output_bias_lanes[lane]
        if learn:
            d_features[:] = zero
            d_feature_bias[:] = zero
            d_output_weights[:] = zero
            d_output_bias[:] = zero
        rows = np.empty((2, MAX_PIECES), np.int64)
        accumulators = np.empty((2, hidden), np.float32)
        loss = 0.0
        for i in range(lane * len(records) // LANES, (lane + 1) * len(records) // LANES):
            record = records[i]
            count = _features(record, king_layout, rows[0], rows[1])
            bucket = (count - 2) // pieces_per_bucket

            output = output_bias[bucket]
            for side in range(2):
                accumulator = accumulators[side]
                weight = output_weights[bucket, side]
                accumulator[:] = feature_bias
                for k in range(count):
                    row = features[rows[side, k]]
                    for h in range(hidden):
                        accumulator[h] += row[h]
                total = zero
                for h in range(hidden):
                    clamped = min(max(accumulator[h], zero), one)
                    total += clamped * clamped * weight[h]
                output += total
            outputs[i] = output

            points = one / (one + np.exp(-output))
            expected = one / (one + np.exp(-np.float32(record.score) / scale))
            error = points - (wdl * half * np.float32(record.result) + (one - wdl) * expected)
            size = abs(error)
            loss += size**power
            if not learn:
                continue

            d_output = power * size ** (power - one) * np.sign(error) * points * (one - points)
            d_output_bias[bucket] += d_output
            for side in range(2):
                accumulator = accumulators[side]
                weight = output_weights[bucket, side]
                d_weight = d_output_weights[bucket, side]
                for h in range(hidden):
                    clamped = min(max(accumulator[h], zero), one)
                    d_weight[h] += d_output * clamped * clamped
                    # The accumulator is overwritten by its gradient: it is no longer needed.
                    inside = accumulator[h] < one
                    accumulator[h] = two * d_output * clamped * weight[h] if inside else zero
                    d_feature_bias[h] += accumulator[h]
                for k in range(count):
                    row = d_features[rows[side, k]]
                    for h in range(hidden):
                        row[h] += accumulator[h]
        losses[lane] = loss
