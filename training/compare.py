"""Compares networks on positions that none of them was trained on, such as quiet ones of other games, searched long:

    python training/compare.py DATA.bullet NET...

For each network:

- scale: centipawns, at which its static scores fit the searches' best;
- scores: mean squared difference between its expected points at that scale and the searches';
- to the first: by how much that is more than the first network's, with two standard errors over positions;
- results: mean squared difference between its expected points and the games' results, at the scale best for that.

Lower is better. Exits with 0, or with 2 if a file cannot be used.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

import netfile
from errors import exit_code
from network import Pass, Target
from records import WIN, best_scale, expected_points, read


def static_scores(network: netfile.Network, records: np.ndarray) -> np.ndarray:
    """The network's scores in centipawns for the side to move, before rounding."""
    target = Target(wdl=0, scale=network.scale, power=2)
    _, outputs = Pass(network.shape).run(network.weights(), records, target, learn=False)
    return outputs.astype(np.float64) * network.scale


def table(paths: list[Path], records: np.ndarray) -> list[str]:
    """One line per network."""
    results = records["result"] / WIN
    searched = records["score"].astype(np.float64)
    truth = expected_points(searched, best_scale(searched, results))
    lines = [f"{'network':24} {'scale':>5} {'scores':>9} {'to the first':>22} {'results':>9}"]
    first = None
    for path in paths:
        scores = static_scores(netfile.read(path), records)
        scale = best_scale(scores, truth)
        errors = (expected_points(scores, scale) - truth) ** 2
        first = errors if first is None else first
        more = errors - first
        doubt = 2 * more.std() / np.sqrt(len(more))
        of_results = np.mean((expected_points(scores, best_scale(scores, results)) - results) ** 2)
        lines.append(
            f"{path.name:24} {scale:5.0f} {errors.mean():9.6f} {more.mean():+10.6f} ± {doubt:.6f} {of_results:10.6f}"
        )
    return lines


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("net", type=Path, nargs="+")
    arguments = parser.parse_args()
    records, _ = read(arguments.data)
    for line in table(arguments.net, records):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("compare.py", run, only_prints=True))
