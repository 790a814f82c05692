"""Fits the weights of a network's threats to positions, by least squares; all else stays as it is:

    python training/fit_threats.py NET.bin DATA.bullet... --out NEW.bin

They are few, so that the best are found at once, and hundreds of thousands of positions are enough; what teaches them
are positions after bad moves too (`pacioli lab datagen --again GAMES --successors 3`). Each weight changes linearly
with the output bucket, from the fewest pieces to the most. The squared error of the expected points is minimised by
Gauss and Newton's method, plus `--ridge` times the square of each end's weight, where an output of 1 is 1.

Exits with 0, or with 2 if a file cannot be used.
"""

import argparse
import shlex
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np

import netfile
import threats
from errors import TrainingError, exit_code
from network import CHUNK, THREAT_LIMIT, Pass, Target
from records import Data, expected_points, load


class Fit:
    """Weights for the fewest and for the most pieces, [2 * THREATS], and how to improve them."""

    def __init__(self, network: netfile.Network, positions: np.ndarray, ridge: float):
        self.buckets = network.shape.output_buckets
        self.ridge = ridge
        self.positions = positions
        self.ends = np.zeros(2 * threats.THREATS)
        without = network.weights()
        without["threats"] = np.zeros_like(without["threats"])
        target = Target(wdl=0, scale=network.scale, power=2)
        _, self.outputs = Pass(network.shape).run(without, positions, target, learn=False)
        self.wanted = expected_points(positions["score"].astype(np.float64), network.scale)
        pieces = np.bitwise_count(positions["occupied"]).astype(np.int64)
        self.places = (pieces - 2) // network.shape.pieces_per_bucket

    def shares(self) -> np.ndarray:
        """The share of the most pieces' weights in each bucket."""
        return np.arange(self.buckets) / max(1, self.buckets - 1)

    def weights(self) -> np.ndarray:
        """The weights of all buckets."""
        fewest, most = self.ends.reshape(2, -1)
        share = self.shares()[:, np.newaxis]
        return np.clip((1 - share) * fewest + share * most, -THREAT_LIMIT, THREAT_LIMIT).astype(np.float32)

    def improve(self) -> float:
        """One step; returns the mean squared error before it."""
        curvature = self.ridge * np.eye(len(self.ends))
        slope = -self.ridge * self.ends
        loss = 0.0
        for part, inputs in self._inputs():
            points = expected_points(self.outputs[part] + inputs @ self.ends, 1)
            error = self.wanted[part] - points
            inputs *= (points * (1 - points))[:, np.newaxis]
            curvature += inputs.T @ inputs
            slope += inputs.T @ error
            loss += float(error @ error)
        self.ends += np.linalg.solve(curvature, slope)
        return loss / len(self.positions)

    def _inputs(self) -> Iterator[tuple[slice, np.ndarray]]:
        """The threats of some positions at a time, divided between the two ends."""
        for start in range(0, len(self.positions), CHUNK):
            part = slice(start, start + CHUNK)
            share = self.shares()[self.places[part]][:, np.newaxis]
            counted = threats.counts(self.positions[part])
            yield part, np.concatenate([(1 - share) * counted, share * counted], axis=1)


def fitted(network: netfile.Network, data: Data, ridge: float, rounds: int, command: str) -> netfile.Network:
    """The network with weights for its threats, which its provenance then tells of."""
    fit = Fit(network, data.training, ridge)
    for number in range(rounds):
        print(f"round {number + 1}: mean squared error {fit.improve():.6f}", flush=True)
    made = {"command": command, "data": [asdict(source) for source in data.sources]}
    weights = network.weights() | {"threats": fit.weights()}
    return netfile.quantise(network.shape, weights, network.scale, network.provenance | {"threats": made})


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", type=Path, help="a network file")
    parser.add_argument("data", nargs="+", type=Path, help="bulletformat files, from `pacioli lab positions`")
    parser.add_argument("--out", type=Path, required=True, help="the network file to write")
    parser.add_argument("--ridge", type=float, default=0.4, help="cost of a weight's square")
    parser.add_argument("--rounds", type=int, default=3, help="steps of Gauss and Newton's method")
    arguments = parser.parse_args()
    netfile.refuse_existing(arguments.out)
    if not arguments.ridge > 0:
        raise TrainingError("--ridge must be positive")
    if not arguments.rounds > 0:
        raise TrainingError("--rounds must be positive")
    data = load(arguments.data, validation_share=0)
    files = [path.name for path in (arguments.net, *arguments.data)]
    options = ["--ridge", str(arguments.ridge), "--rounds", str(arguments.rounds), "--out", arguments.out.name]
    command = shlex.join(["python", "training/fit_threats.py", *files, *options])
    network = fitted(netfile.read(arguments.net), data, arguments.ridge, arguments.rounds, command)
    netfile.write_whole(arguments.out, netfile.to_bytes(network))
    print(f"{arguments.out}: {arguments.out.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("fit_threats.py", run))
