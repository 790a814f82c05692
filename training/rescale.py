"""Gives a network other units: the same weights, with another number of centipawns for an output of 1:

    python training/rescale.py NET.bin --scale N --out NEW.bin

The margins of a search are in the units of the network that they were tuned to, and a network's own scores may come out
larger or smaller than those that it learned from. What was done is added to the provenance, under `rescaled`.

Exits with 0, or with 2 if a file cannot be used.
"""

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import netfile
from errors import TrainingError, exit_code


def rescaled(network: netfile.Network, scale: int, command: str) -> netfile.Network:
    """The network with this scale, which its provenance then tells of; earlier changes come first."""
    if not 0 < scale <= netfile.MAX_SCALE:
        raise TrainingError(f"--scale must be from 1 to {netfile.MAX_SCALE}")
    made = {"command": command, "from": network.scale, "to": scale}
    earlier = network.provenance.get("rescaled", [])
    if not isinstance(earlier, list):
        raise TrainingError("the provenance's `rescaled` is not a list")
    return replace(network, scale=scale, provenance=network.provenance | {"rescaled": [*earlier, made]})


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", type=Path, help="a network file")
    parser.add_argument("--scale", type=int, required=True, help="centipawns of an output of 1")
    parser.add_argument("--out", type=Path, required=True, help="the network file to write")
    arguments = parser.parse_args()
    netfile.refuse_existing(arguments.out)
    options = ["--scale", str(arguments.scale), "--out", arguments.out.name]
    command = shlex.join(["python", "training/rescale.py", arguments.net.name, *options])
    network = rescaled(netfile.read(arguments.net), arguments.scale, command)
    netfile.write_whole(arguments.out, netfile.to_bytes(network))
    print(f"{arguments.out}: an output of 1 is {network.scale} centipawns")
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("rescale.py", run))
