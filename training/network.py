"""The network in floating point: its shape, its weights, and one pass over a batch with the gradient.

    accumulator = feature_bias + sum of the rows of the features present     (for each of the two perspectives)
    hidden      = clamp(accumulator, 0, 1) squared
    output      = hidden (side to move's, then the opponent's) . output_weights[bucket] + output_bias[bucket]
                + threats . their weights[bucket]

The output is the logit of the expected points; times the scale it is a score in centipawns.

The pass is written out and compiled, rather than left to a framework: a position has at most 32 of the features, and
tiles of the neurons are small enough for the caches.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit, prange

import threats
from records import FLIP_RANKS, MAX_PIECES, THEIRS

#: Features of one king bucket: 2 sides x 6 roles x 64 squares.
FEATURES = 768
#: Where the opponent's features begin.
THEIR_FEATURES = 384
#: Mirroring flips the file of a square.
FLIP_FILES = 7
#: Squares a king can stand on once the board is mirrored: ranks x files a-d.
KING_SQUARES = 32
#: Neurons that are processed together: their input weights, or the gradient of these, stay in a core's cache while all
#: positions of a chunk pass.
TILE = 128
#: The largest weight of a threat that the file can hold, nearly: the rarest threats want more.
THREAT_LIMIT = 2
#: Positions that are processed together.
CHUNK = 2048
#: Freedom of the compiler to reorder sums.
FAST = {"reassoc", "contract", "arcp", "nsz"}


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
        "threats": np.zeros((shape.output_buckets, threats.THREATS), np.float32),
    }
    if shape.king_buckets == 1:
        return {"features": common} | weights
    features = np.zeros((shape.king_buckets * FEATURES, shape.hidden), np.float32)
    return {"features": features, "factor": common} | weights


def factor_of(weights: dict[str, np.ndarray]) -> np.ndarray:
    """The factor, zeros if there is none: [768][hidden]."""
    absent = np.zeros((FEATURES, weights["features"].shape[1]), np.float32)
    return weights.get("factor", absent)


def folded_features(weights: dict[str, np.ndarray]) -> np.ndarray:
    """The feature weights in use: [king buckets * 768][hidden], with the factor added."""
    features, factor = weights["features"], factor_of(weights)
    return (features.reshape(-1, *factor.shape) + factor).reshape(features.shape)


def clip(weights: dict[str, np.ndarray], feature_limit: float, output_limit: float) -> None:
    """Keeps feature weights (factor included), output weights and threats within plus or minus a limit, in place."""
    _clip_sums(weights["features"], factor_of(weights), np.float32(feature_limit))
    np.clip(weights["output_weights"], -output_limit, output_limit, out=weights["output_weights"])
    np.clip(weights["threats"], -THREAT_LIMIT, THREAT_LIMIT, out=weights["threats"])


@dataclass(frozen=True)
class Target:
    """The training target: a share `wdl` of the game's result, the rest the score's expected points; an error counts as
    its absolute value to the power `power`."""

    wdl: float
    scale: float
    power: float


class Pass:
    """Runs the network over batches, and holds the memory for that.

    A thread's work is a tile of neurons with all positions, so that sums are always taken in the same order, and the
    weights do not depend on the machine's cores. Neurons that fill up the last tile have weights of zero.
    """

    def __init__(self, shape: Shape):
        self.shape = shape
        self.king_layout = np.array(shape.king_layout, np.int64)
        tiles, buckets = -(-shape.hidden // TILE), shape.output_buckets
        self.rows = np.empty((CHUNK, 2, MAX_PIECES), np.int32)
        self.counts = np.empty(CHUNK, np.int32)
        self.features = np.zeros((tiles, shape.king_buckets * FEATURES, TILE), np.float32)
        self.accumulators = np.empty((tiles, CHUNK, 2, TILE), np.float32)
        self.parts = np.empty((tiles, CHUNK), np.float32)
        self.slopes = np.empty(CHUNK, np.float32)
        self.gradients = (
            np.zeros_like(self.features),
            np.zeros((tiles, TILE), np.float32),
            np.zeros((tiles, buckets, 2, TILE), np.float32),
            np.zeros(buckets, np.float32),
            np.zeros((buckets, threats.THREATS), np.float32),
        )

    def run(
        self, weights: dict[str, np.ndarray], records: np.ndarray, target: Target, learn: bool
    ) -> tuple[float, np.ndarray]:
        """Sum of the losses, and the output for each position. With `learn` it keeps the gradient for `gradient`."""
        outputs = np.empty(len(records), np.float32)
        bias, output_weights = self._tiled(weights["feature_bias"]), self._tiled(weights["output_weights"])
        _fold(weights["features"], factor_of(weights), self.features)
        if learn:
            for gradient in self.gradients:
                gradient[:] = 0
        loss = 0.0
        for start in range(0, len(records), CHUNK):
            chunk = records[start : start + CHUNK]
            _decode(chunk, self.king_layout, self.rows, self.counts)
            places = (self.counts[: len(chunk)] - 2) // self.shape.pieces_per_bucket
            _forward(
                self.rows, self.counts, places, self.features, bias, output_weights, self.accumulators, self.parts
            )
            counted = threats.counts(chunk)
            output = weights["output_bias"][places] + self.parts[:, : len(chunk)].sum(axis=0)
            output += threats.sums(counted, weights["threats"], places)
            outputs[start : start + len(chunk)] = output
            loss += _losses(chunk, output, target.wdl, target.scale, target.power, self.slopes)
            if learn:
                *of_tiles, output_bias, of_threats = self.gradients
                slopes = self.slopes[: len(chunk)]
                np.add.at(output_bias, places, slopes)
                of_threats += threats.slopes(counted, slopes, places, len(output_bias))
                _backward(
                    self.rows, self.counts, places, self.slopes, output_weights, self.accumulators, *of_tiles
                )
        return loss, outputs

    def gradient(self, weights: dict[str, np.ndarray], positions: int) -> dict[str, np.ndarray]:
        """The gradient of the mean loss over the `positions` of the last training batch."""
        features, bias, output_weights, output_bias, of_threats = self.gradients
        share = np.float32(1 / positions)
        gradient = {
            "features": np.empty(weights["features"].shape, np.float32),
            "factor": np.empty((FEATURES, self.shape.hidden), np.float32),
            "feature_bias": share * bias.reshape(-1)[: self.shape.hidden],
            "output_weights": share * self._plain(output_weights),
            "output_bias": share * output_bias,
            "threats": share * of_threats,
        }
        _unfold(features, share, gradient["features"], gradient["factor"])
        return {name: gradient[name] for name in weights}

    def _tiled(self, weights: np.ndarray) -> np.ndarray:
        """[..., hidden] as [tiles, ..., TILE]."""
        tiles = self.features.shape[0]
        filled = np.zeros((*weights.shape[:-1], tiles * TILE), np.float32)
        filled[..., : self.shape.hidden] = weights
        return np.ascontiguousarray(np.moveaxis(filled.reshape(*weights.shape[:-1], tiles, TILE), -2, 0))

    def _plain(self, tiled: np.ndarray) -> np.ndarray:
        """[tiles, ..., TILE] as [..., hidden]."""
        moved = np.moveaxis(tiled, 0, -2)
        return moved.reshape(*moved.shape[:-2], -1)[..., : self.shape.hidden]


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


@njit(cache=True, parallel=True)
def _clip_sums(features, factor, limit):
    """Changes the features' weights so that their sums with the factor are within plus or minus `limit`."""
    for row in prange(len(features)):
        common = factor[row % FEATURES]
        for h in range(features.shape[1]):
            features[row, h] = min(max(features[row, h], -limit - common[h]), limit - common[h])


@njit(cache=True, parallel=True)
def _fold(features, factor, tiled):
    """The feature weights in use, with the factor added, in tiles."""
    hidden = features.shape[1]
    for tile in prange(len(tiled)):
        first = tile * TILE
        width = min(TILE, hidden - first)
        for row in range(len(features)):
            common = row % FEATURES
            for h in range(width):
                tiled[tile, row, h] = features[row, first + h] + factor[common, first + h]


@njit(cache=True, parallel=True)
def _unfold(tiled, share, features, factor):
    """The gradient out of its tiles: of each bucket's weights, and of the factor, which is in all of them."""
    hidden = features.shape[1]
    for tile in prange(len(tiled)):
        first = tile * TILE
        width = min(TILE, hidden - first)
        for common in range(FEATURES):
            for h in range(width):
                factor[common, first + h] = 0
            for row in range(common, len(features), FEATURES):
                for h in range(width):
                    slope = share * tiled[tile, row, h]
                    features[row, first + h] = slope
                    factor[common, first + h] += slope


@njit(cache=True, parallel=True)
def _decode(records, king_layout, rows, counts):
    """The rows of the features that both sides see, and their number, of every position."""
    for i in prange(len(records)):
        counts[i] = _features(records[i], king_layout, rows[i, 0], rows[i, 1])


@njit(cache=True, parallel=True, fastmath=FAST)
def _forward(rows, counts, places, features, bias, output_weights, accumulators, parts):
    """Accumulators of every position, and each tile's part of its output."""
    for tile in prange(len(features)):
        for i in range(len(places)):
            part = np.float32(0)
            count = counts[i]
            for side in range(2):
                accumulator = accumulators[tile, i, side]
                for h in range(TILE):
                    accumulator[h] = bias[tile, h]
                # Four rows at a time: the accumulator is loaded and stored a quarter as often.
                k = 0
                while k + 4 <= count:
                    a = features[tile, rows[i, side, k]]
                    b = features[tile, rows[i, side, k + 1]]
                    c = features[tile, rows[i, side, k + 2]]
                    d = features[tile, rows[i, side, k + 3]]
                    for h in range(TILE):
                        accumulator[h] += (a[h] + b[h]) + (c[h] + d[h])
                    k += 4
                while k < count:
                    a = features[tile, rows[i, side, k]]
                    for h in range(TILE):
                        accumulator[h] += a[h]
                    k += 1
                weight = output_weights[tile, places[i], side]
                for h in range(TILE):
                    clamped = min(max(accumulator[h], np.float32(0)), np.float32(1))
                    part += clamped * clamped * weight[h]
            parts[tile, i] = part


@njit(cache=True, fastmath=FAST)
def _losses(records, outputs, wdl, scale, power, slopes):
    """Sum of the losses, and the slope of each loss by its output."""
    half, one = np.float32(0.5), np.float32(1)
    wdl, scale, power = np.float32(wdl), np.float32(scale), np.float32(power)
    loss = 0.0
    for i in range(len(records)):
        points = one / (one + np.exp(-outputs[i]))
        expected = one / (one + np.exp(-np.float32(records[i].score) / scale))
        error = points - (wdl * half * np.float32(records[i].result) + (one - wdl) * expected)
        size = abs(error)
        loss += size**power
        slopes[i] = power * size ** (power - one) * np.sign(error) * points * (one - points)
    return loss


@njit(cache=True, parallel=True, fastmath=FAST)
def _backward(rows, counts, places, slopes, output_weights, accumulators, d_features, d_bias, d_output_weights):
    """Adds the gradient of these positions."""
    zero, one, two = np.float32(0), np.float32(1), np.float32(2)
    for tile in prange(len(d_features)):
        slope = np.empty(TILE, np.float32)
        for i in range(len(places)):
            for side in range(2):
                accumulator = accumulators[tile, i, side]
                weight = output_weights[tile, places[i], side]
                d_weight = d_output_weights[tile, places[i], side]
                for h in range(TILE):
                    clamped = min(max(accumulator[h], zero), one)
                    d_weight[h] += slopes[i] * clamped * clamped
                    slope[h] = two * slopes[i] * clamped * weight[h] if accumulator[h] < one else zero
                    d_bias[tile, h] += slope[h]
                for k in range(counts[i]):
                    row = d_features[tile, rows[i, side, k]]
                    for h in range(TILE):
                        row[h] += slope[h]
