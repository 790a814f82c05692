"""Trains Pacioli's network on a CPU:

    python training/train.py DATA.bullet... --out NET.bin

See README.md in this folder for details.
"""

import argparse
import hashlib
import json
import math
import platform
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from io import BytesIO
from pathlib import Path

import numba
import numpy as np
from tqdm import tqdm

import netfile
from curves import loss_curves
from errors import TrainingError, exit_code
from network import KING_SQUARES, Pass, Shape, Target, clip, initial_weights
from optimiser import AdamW, learning_rate
from records import MAX_PIECES, RECORD, Data, fitting_scale, load

DONE, INTERRUPTED = 0, 3
#: Widths are multiples of this, for vector registers; the engine reads only multiples of 128.
HIDDEN_UNIT = 16


def option(name: str) -> str:
    """A setting's name on the command line."""
    return "--" + name.replace("_", "-")


@dataclass(frozen=True)
class Settings:
    """Everything besides the data that determines the weights."""

    hidden: int = 512
    output_buckets: int = 8
    king_layout: str = "0" * KING_SQUARES
    epochs: int = 20
    batch: int = 16384
    schedule: str = "cosine"
    rate: float = 1e-3
    rate_end: float = 1e-5
    decay: float = 0.01
    wdl: float = 0.3
    wdl_end: float = 0.3
    scale: int = 400
    power: float = 2.0
    clip: float = 0.498
    clip_output: float = 1.98
    validation: float = 0.01
    seed: int = 1

    def check(self) -> None:
        """Rejects invalid settings, by name."""
        for name, value in asdict(self).items():
            if isinstance(value, float) and not math.isfinite(value):
                raise TrainingError(f"{option(name)} must be a finite number")
        positive = ("hidden", "output_buckets", "epochs", "batch", "rate", "rate_end", "scale", "clip", "clip_output")
        for name in positive:
            if not getattr(self, name) > 0:
                raise TrainingError(f"{option(name)} must be positive")
        for name in ("decay", "seed"):
            if not getattr(self, name) >= 0:
                raise TrainingError(f"{option(name)} must not be negative")
        for name in ("wdl", "wdl_end"):
            if not 0 <= getattr(self, name) <= 1:
                raise TrainingError(f"{option(name)} must be between 0 and 1")
        if not 0 <= self.validation < 1:
            raise TrainingError("--validation must be at least 0 and less than 1")
        if not self.power > 1:
            raise TrainingError("--power must be greater than 1")
        if self.hidden % HIDDEN_UNIT != 0:
            raise TrainingError(f"--hidden must be a multiple of {HIDDEN_UNIT}")
        if MAX_PIECES % self.output_buckets != 0:
            raise TrainingError(f"--output-buckets must divide {MAX_PIECES}")
        if self.scale > netfile.MAX_SCALE:
            raise TrainingError(f"--scale must be at most {netfile.MAX_SCALE}")
        # What a file cannot hold would only be found at the end.
        if round(self.clip_output * netfile.QB) > netfile.OUTPUT_WEIGHT_LIMIT:
            most = netfile.OUTPUT_WEIGHT_LIMIT / netfile.QB
            raise TrainingError(f"--clip-output must be at most {most}: a larger weight fits into no network file")
        if round(self.clip * netfile.QA) > netfile.FEATURE_WEIGHT_LIMIT:
            most = netfile.FEATURE_WEIGHT_LIMIT / netfile.QA
            raise TrainingError(f"--clip must be at most {most:.3f}: a larger weight fits into no network file")
        self.shape()

    def shape(self) -> Shape:
        """The network's shape. A layout is 32 letters or digits, 0 to 9 and a to v, in base 32; other characters
        only separate them."""
        try:
            layout = tuple(int(letter, KING_SQUARES) for letter in self.king_layout if letter.isalnum())
        except ValueError as error:
            raise TrainingError(f"--king-layout: {error}") from error
        if len(layout) != KING_SQUARES or set(layout) != set(range(max(layout) + 1)):
            raise TrainingError(f"--king-layout: {KING_SQUARES} buckets required, numbered from 0 without a gap")
        return Shape(self.hidden, self.output_buckets, layout)

    def target(self, epoch: int) -> Target:
        """The target of an epoch (counted from 0): the share of results moves linearly from `wdl` to `wdl_end`."""
        done = epoch / max(1, self.epochs - 1)
        return Target(self.wdl + (self.wdl_end - self.wdl) * done, self.scale, self.power)


class Training:
    """A run: weights, optimiser and progress. Together with settings and data these determine the rest, so that a
    resumed run gives the same weights as one that was never interrupted."""

    def __init__(self, settings: Settings, data: Data):
        settings.check()
        self.settings = settings
        self.data = data
        self.shape = settings.shape()
        self.steps_per_epoch = len(data.training) // settings.batch
        if self.steps_per_epoch == 0:
            raise TrainingError(f"{len(data.training)} training positions do not fill a batch of {settings.batch}")
        self.network = Pass(self.shape)
        self.weights = initial_weights(self.shape, settings.seed)
        self.optimiser = AdamW(self.weights, settings.decay)
        self.step = 0
        self.epoch_loss = 0.0
        self.losses: dict[str, list[float]] = {"training": [], "validation": []}
        #: The run whose weights this one started with: its file, settings and data.
        self.pretraining: dict | None = None
        self._order: tuple[int, np.ndarray] | None = None

    @property
    def epoch(self) -> int:
        """The current epoch, counted from 0."""
        return self.step // self.steps_per_epoch

    @property
    def finished(self) -> bool:
        return self.epoch >= self.settings.epochs

    def learn_batch(self) -> float:
        """One step; returns the batch's mean loss. The last step of an epoch also computes the validation loss."""
        settings, epoch = self.settings, self.epoch
        target = settings.target(epoch)
        records = self._batch()
        loss, _ = self.network.run(self.weights, records, target, learn=True)
        gradient = self.network.gradient(self.weights, len(records))
        rate = learning_rate(
            settings.schedule, settings.rate, settings.rate_end, self.step, self.steps_per_epoch, settings.epochs
        )
        self.step += 1
        self.optimiser.step(self.weights, gradient, rate, self.step)
        clip(self.weights, settings.clip, settings.clip_output)
        self.epoch_loss += loss / len(records)
        if self.epoch > epoch:
            self.losses["training"].append(self.epoch_loss / self.steps_per_epoch)
            self.epoch_loss = 0.0
            if len(self.data.validation) > 0:
                loss, _ = self.network.run(self.weights, self.data.validation, target, learn=False)
                self.losses["validation"].append(loss / len(self.data.validation))
        return loss / len(records)

    def _batch(self) -> np.ndarray:
        """The next batch: every epoch has its own order of the positions, from the seed."""
        epoch, place = divmod(self.step, self.steps_per_epoch)
        if self._order is None or self._order[0] != epoch:
            rng = np.random.default_rng([self.settings.seed, epoch])
            self._order = (epoch, rng.permutation(len(self.data.training)))
        start = place * self.settings.batch
        return self.data.training[self._order[1][start : start + self.settings.batch]]

    def save(self, path: Path) -> None:
        """Writes a checkpoint."""
        arrays = {}
        for kind, group in self._groups().items():
            arrays |= {f"{kind}.{name}": value for name, value in group.items()}
        state = {
            "settings": asdict(self.settings),
            "data": [asdict(source) for source in self.data.sources],
            "step": self.step,
            "epoch_loss": self.epoch_loss,
            "losses": self.losses,
            "pretraining": self.pretraining,
        }
        buffer = BytesIO()
        np.savez(buffer, state=np.array(json.dumps(state)), **arrays)
        netfile.write_whole(path, buffer.getvalue())

    def resume(self, path: Path) -> None:
        """Resumes from a checkpoint, which must have the same settings, data and first weights."""
        with named(path, "this trainer"):
            state, arrays = checkpointed(path.read_bytes())
            mine = asdict(self.settings)
            differing = [name for name, value in mine.items() if state["settings"].get(name) != value]
            if differing:
                raise TrainingError(f"started with other settings: {', '.join(differing)}")
            if [known(source) for source in state["data"]] != [known(asdict(source)) for source in self.data.sources]:
                raise TrainingError("started with other data")
            if (state["pretraining"] or {}).get("sha256") != (self.pretraining or {}).get("sha256"):
                raise TrainingError("started with other weights: --start")
            for kind, group in self._groups().items():
                for name, value in group.items():
                    value[...] = arrays[f"{kind}.{name}"]
            self.step = int(state["step"])
            self.epoch_loss = float(state["epoch_loss"])
            self.losses = state["losses"]

    def start_from(self, path: Path) -> None:
        """Starts with the weights of another run's checkpoint, or of a network file, of the same shape or of fewer
        neurons, and of the same scale."""
        with named(path, "a network of this shape"):
            content = path.read_bytes()
            of_file = of_network if content.startswith(netfile.FAMILY) else of_checkpoint
            shape, scale, weights, origin = of_file(content)
            if replace(shape, hidden=self.shape.hidden) != self.shape:
                raise TrainingError("a network of another shape: output buckets or king layout")
            if scale != self.settings.scale:
                raise TrainingError(f"a network of scale {scale}: --scale {scale}")
            for name, value in self.weights.items():
                if not take(weights[name], value, name):
                    raise TrainingError(f"a network of another shape ({name}: {weights[name].shape})")
        self.pretraining = origin | {"file": path.name, "sha256": hashlib.sha256(content).hexdigest()}

    def _groups(self) -> dict[str, dict[str, np.ndarray]]:
        return {"weights": self.weights, "mean": self.optimiser.mean, "square": self.optimiser.square}

    def provenance(self, note: str) -> dict:
        """The provenance in the network file."""
        sources = [asdict(source) for source in self.data.sources]
        return {
            "command": command(self.settings, [source["file"] for source in sources], note, self.pretraining),
            "data": sources,
            "training_positions": len(self.data.training),
            "validation_positions": len(self.data.validation),
            "note": note,
            "pretraining": self.pretraining,
            "settings": asdict(self.settings),
            "epochs": len(self.losses["training"]),
            "loss": {name: line[-1] for name, line in self.losses.items() if line},
            "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
        }


@contextmanager
def named(path: Path, form: str) -> Iterator[None]:
    """Says of which file an error is: one that should be a checkpoint of this form."""
    try:
        yield
    except OSError as error:
        raise TrainingError(f"{path}: {error.strerror or error}") from error
    except TrainingError as error:
        raise TrainingError(f"{path}: {error}") from error
    except (KeyError, ValueError, TypeError) as error:
        raise TrainingError(f"{path}: not a checkpoint of {form} ({error})") from error


def take(source: np.ndarray, target: np.ndarray, name: str) -> bool:
    """Copies weights of the same shape, or of fewer neurons: the additional ones keep their random inputs, and have no
    say until they learn. Returns whether the shapes fit."""
    if source.shape == target.shape:
        target[...] = source
        return True
    known = source.shape[-1]
    if name in ("output_bias", "threats") or source.shape[:-1] != target.shape[:-1] or known > target.shape[-1]:
        return False
    target[..., :known] = source
    if name == "output_weights":
        target[..., known:] = 0
    return True


def known(source: dict) -> dict:
    """What identifies a data file; the record beside it may have come or gone."""
    return {name: source[name] for name in ("file", "bytes", "positions", "sha256")}


#: What a network says of how its run went, and not of where its weights come from.
OUTCOME = ("loss", "versions", "training_positions", "validation_positions")


def of_network(content: bytes) -> tuple[Shape, int, dict[str, np.ndarray], dict]:
    """Shape, scale and weights of a network file, and what it says of where they come from."""
    network = netfile.from_bytes(content)
    origin = {name: value for name, value in network.provenance.items() if name not in OUTCOME}
    return network.shape, network.scale, network.weights(), origin


def of_checkpoint(content: bytes) -> tuple[Shape, int, dict[str, np.ndarray], dict]:
    """Shape, scale and weights in a checkpoint, and settings and data of its run."""
    state, arrays = checkpointed(content)
    settings = state["settings"]
    shape = Settings(**{name: settings[name] for name in ("hidden", "output_buckets", "king_layout")}).shape()
    weights = {name.removeprefix("weights."): array for name, array in arrays.items() if name.startswith("weights.")}
    return shape, settings["scale"], weights, {name: state.get(name) for name in ("settings", "data", "pretraining")}


def checkpointed(content: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    """The state and the arrays in a checkpoint."""
    try:
        with np.load(BytesIO(content), allow_pickle=False) as checkpoint:
            # An array with a damaged header may be read only in part, and its checksum not at all.
            damaged = checkpoint.zip.testzip()
            if damaged is not None:
                raise ValueError(f"{damaged} is damaged")
            arrays = dict(checkpoint)
        return json.loads(str(arrays["state"])), arrays
    except Exception as error:  # what a damaged file raises, no documentation says: errors of zipfile, zlib, struct...
        raise TrainingError(f"not a checkpoint of this trainer ({error})") from error


def command(settings: Settings, files: list[str], note: str, pretraining: dict | None = None) -> str:
    """The command that repeats the run: data files without their folders, options where they differ from defaults."""
    words = ["python", "training/train.py", *files, "--out", "NET.bin"]
    for field in fields(settings):
        value = getattr(settings, field.name)
        default = settings.wdl if field.name == "wdl_end" else field.default
        if value != default:
            words += [option(field.name), str(value)]
    if pretraining is not None:
        words += ["--start", pretraining["file"]]
    if note:
        words += ["--note", note]
    return shlex.join(words)


def compile_step() -> None:
    """Compiles a training step by learning from an empty board, unless the compiled code is in numba's cache."""
    board = np.zeros(1, RECORD)
    Training(Settings(hidden=HIDDEN_UNIT, batch=1), Data(board, board[:0], [])).learn_batch()


def fill_cache() -> None:
    """Compiles a training step in another process, for this one to read it from the cache. Code that a process has
    compiled itself may differ in the last bits from what is read, and a run that is resumed would be another."""
    folder = str(Path(__file__).parent)
    line = f"import sys; sys.path.insert(0, {folder!r}); import train; train.compile_step()"
    subprocess.run([sys.executable, "-c", line], check=False)


HELP = {
    "hidden": "neurons of each half of the hidden layer",
    "output_buckets": "output layers, chosen by the number of pieces",
    "king_layout": "king bucket of each of the 32 king squares, rank by rank, files a to d, in base 32",
    "epochs": "passes over the data",
    "batch": "positions a step",
    "schedule": "how the learning rate falls: with every step (cosine) or after every epoch (step)",
    "rate": "first learning rate",
    "rate_end": "last learning rate",
    "decay": "weight decay",
    "wdl": "share of the game's result in the target, the rest is the score's",
    "wdl_end": "the same in the last epoch, approached linearly; default: --wdl",
    "scale": "centipawns of an output of 1, for the training scores and for those the network gives",
    "power": "exponent of the error in the loss",
    "clip": "limit of feature weights",
    "clip_output": "limit of output weights",
    "validation": "share of each file, at its end, held out",
    "seed": "seed of the initial weights and the order of positions",
}


class DefaultsFormatter(argparse.ArgumentDefaultsHelpFormatter):
    """Names the default of each option that has one."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help if action.default in (None, "") else super()._get_help_string(action)


def parse() -> tuple[argparse.Namespace, Settings]:
    parser = argparse.ArgumentParser(description="Trains Pacioli's network.", formatter_class=DefaultsFormatter)
    parser.add_argument("data", nargs="+", type=Path, help="bulletformat files, from `pacioli lab positions`")
    parser.add_argument("--out", type=Path, required=True, help="the network file")
    cores = numba.config.NUMBA_NUM_THREADS
    parser.add_argument("--threads", type=int, default=cores, help="number of threads; does not change the result")
    parser.add_argument("--resume", action="store_true", help="resume from the checkpoint next to OUT, if there is one")
    parser.add_argument("--start", type=Path, metavar="FILE", help="start with the weights of another run's checkpoint or network")
    parser.add_argument("--force", action="store_true", help="overwrite an existing OUT, checkpoint or curves")
    parser.add_argument("--note", default="", help="stored in the network: which program made the data, and how")
    for field in fields(Settings):
        choices = ("cosine", "step") if field.name == "schedule" else None
        default = None if field.name == "wdl_end" else field.default
        parser.add_argument(
            option(field.name), type=type(field.default), default=default, choices=choices, help=HELP[field.name]
        )
    arguments = parser.parse_args()
    if arguments.wdl_end is None:
        arguments.wdl_end = arguments.wdl
    return arguments, Settings(**{field.name: getattr(arguments, field.name) for field in fields(Settings)})


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Trains to the end, or until interrupted, and writes the network, the curves and the checkpoints."""
    interrupted = False

    def interrupt(*_: object) -> None:
        nonlocal interrupted
        interrupted = True

    settings.check()
    out = arguments.out
    if out.suffix != ".bin":  # the names of the other files follow from it
        raise TrainingError(f"--out {out}: a name that ends in .bin is expected")
    checkpoint, curves = out.with_suffix(".checkpoint.npz"), out.with_suffix(".svg")
    for path in (checkpoint, out, curves):
        if path.exists() and not arguments.resume and not arguments.force:
            raise TrainingError(f"{path} exists: --resume continues, --force starts again")
    inputs = [path.resolve() for path in (*arguments.data, arguments.start) if path is not None]
    for path in (checkpoint, out, curves):
        if path.resolve() in inputs:
            raise TrainingError(f"{path} would overwrite an input")
    if arguments.resume and not arguments.force and out.exists() and not checkpoint.exists():
        raise TrainingError(f"{out} exists without its checkpoint {checkpoint}: --force starts again")
    netfile.check_folder(out)
    if not 1 <= arguments.threads <= numba.config.NUMBA_NUM_THREADS:
        raise TrainingError(f"--threads: from 1 to {numba.config.NUMBA_NUM_THREADS} on this machine")
    numba.set_num_threads(arguments.threads)

    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, interrupt)
    data = load(arguments.data, settings.validation)
    fill_cache()
    training = Training(settings, data)
    if arguments.start is not None:
        training.start_from(arguments.start)
    if arguments.resume and checkpoint.exists():
        training.resume(checkpoint)
        if not training.finished:
            print(f"continuing in epoch {training.epoch + 1}")
    print(f"{len(data.training)} training positions, {len(data.validation)} held out")
    best = fitting_scale(data.training)
    print(f"the scores predict the results best at a scale of {best:.0f}; used: {settings.scale}")

    while not training.finished and not interrupted:
        epoch, begun, first = training.epoch, time.monotonic(), training.step
        with tqdm(
            desc=f"epoch {epoch + 1}/{settings.epochs}",
            total=training.steps_per_epoch * settings.batch,
            initial=first % training.steps_per_epoch * settings.batch,
            unit=" positions",
            unit_scale=True,
            leave=False,
            disable=None,  # no bars in a file
        ) as bar:
            while training.epoch == epoch and not interrupted:
                loss = training.learn_batch()
                bar.update(settings.batch)
                bar.set_postfix(loss=f"{loss:.5f}", refresh=False)
        if training.epoch > epoch:
            speed = (training.step - first) * settings.batch / (time.monotonic() - begun)
            # Before the checkpoint: a run that is resumed from the last one draws nothing.
            lines = {name: line for name, line in training.losses.items() if line}
            netfile.write_whole(curves, loss_curves(f"{out.name}: loss", lines).encode())
            training.save(checkpoint)
            told = ", ".join(f"{name} {line[-1]:.6f}" for name, line in lines.items())
            print(f"epoch {epoch + 1}: {told}, {speed:,.0f} positions/s", flush=True)
    if not training.finished:
        # Within an epoch, or before the first step.
        training.save(checkpoint)
        print(f"interrupted in epoch {training.epoch + 1}; --resume continues")
        return INTERRUPTED

    network = netfile.quantise(training.shape, training.weights, settings.scale, training.provenance(arguments.note))
    netfile.write_whole(out, netfile.to_bytes(network))
    print(f"{out}: {out.stat().st_size} bytes")
    return DONE


if __name__ == "__main__":
    sys.exit(exit_code("train.py", lambda: run(*parse())))
