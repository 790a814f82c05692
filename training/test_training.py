"""Tests of the trainer: `python -m pytest training`. A minute, half of it to compile the passes anew."""

import errno
import json
import math
import os
import random
import shlex
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import chess
import numba
import numpy as np
import pytest

import netfile
import records
import train
from checksum import crc32c
from compare import static_scores, table
from curves import loss_curves
from errors import TrainingError
from evaluate import evaluate, evaluate_lines
from fit_threats import Fit, fitted
from network import CHUNK, FEATURES, KING_SQUARES, TILE, Pass, Shape, Target, clip, folded_features, initial_weights
from optimiser import AdamW, learning_rate
from sample import random_boards, record_of, sample
from threats import THREATS, counts, plain_counts
from train import Settings, Training, command, parse

ONE_BUCKET = Shape(16, 8, (0,) * KING_SQUARES)
#: The king's side of two ranks, the rest of these ranks, and the other ranks.
THREE_BUCKETS = Shape(16, 8, (0, 0, 1, 1) * 2 + (2,) * 24)
#: The second tile is not full.
TWO_TILES = Shape(TILE + 16, 8, THREE_BUCKETS.king_layout)
SHAPES = pytest.mark.parametrize(
    "shape", [ONE_BUCKET, THREE_BUCKETS, TWO_TILES], ids=["one bucket", "three buckets", "two tiles"]
)
TARGET = Target(wdl=0.3, scale=400.0, power=2.5)
#: How often a run is killed; the environment variable PACIOLI_KILLS may say more.
KILLS = 3


def boards(count: int, seed: int) -> list[chess.Board]:
    return [board.copy(stack=False) for board, _ in zip(random_boards(seed), range(count), strict=False)]


def random_weights(shape: Shape, seed: int) -> dict[str, np.ndarray]:
    """Weights as after training: nothing zero, clamps reached on both sides."""
    rng = np.random.default_rng(seed)
    weights = initial_weights(shape, seed)
    for name, value in weights.items():
        value += rng.normal(0, 0.2 if "feature" in name or name == "factor" else 0.3, value.shape).astype(np.float32)
    clip(weights, 0.498, 1.98)
    return weights


def float_output(shape: Shape, weights: dict[str, np.ndarray], board: chess.Board) -> float:
    """The network's formula, position by position in float64, from the plain features."""
    rows = [netfile.active_features(board, side, shape) for side in (board.turn, not board.turn)]
    features = folded_features(weights).astype(np.float64)
    hidden = np.array([np.clip(weights["feature_bias"] + features[row].sum(axis=0), 0, 1) ** 2 for row in rows])
    bucket = (len(board.piece_map()) - 2) // 4
    of_threats = float(plain_counts(board) @ weights["threats"][bucket])
    return float((hidden * weights["output_weights"][bucket]).sum() + weights["output_bias"][bucket]) + of_threats


def as_records(some: list[chess.Board]) -> np.ndarray:
    return np.array([record_of(board, 37, 2) for board in some])


def test_a_record_is_laid_out_as_bulletformat_says():
    # Black to move: its king on e8 appears on e1, White's king on a1 on a8, White's pawn on b7 on b2.
    board = chess.Board("4k3/1P6/8/8/8/8/8/K7 b - - 0 1")
    raw = record_of(board, -250, 1).tobytes()
    assert raw[:8] == (1 << 9 | 1 << 4 | 1 << 56).to_bytes(8, "little")
    assert raw[8:24] == bytes([0x85, 0x0D]) + bytes(14)  # king, their pawn; their king
    assert raw[24:] == (-250).to_bytes(2, "little", signed=True) + bytes([1, 4, 0, 0, 0, 0])


@SHAPES
def test_records_give_the_output_of_the_plain_features(shape):
    some = boards(300, 1)
    weights = random_weights(shape, 2)
    _, outputs = Pass(shape).run(weights, as_records(some), TARGET, learn=False)
    np.testing.assert_allclose(outputs, [float_output(shape, weights, board) for board in some], atol=1e-4)


def test_threats_are_counted_like_the_plain_ones():
    some = boards(300, 30)
    plain = np.array([plain_counts(board) for board in some])
    np.testing.assert_array_equal(counts(as_records(some)), plain)
    assert plain.max() > 2 and np.count_nonzero(plain.any(axis=0)) > THREATS / 2


def test_threats_by_hand():
    # The rook attacks a pawn that a pawn defends, rook and knight an undefended bishop, and the rook checks from d4,
    # where the bishop does not reach, but not from b8, behind the pawn.
    board = chess.Board("3k4/2p5/1p6/8/1R3b2/3N4/8/K7 w - - 0 1")
    found = {place: count for place, count in enumerate(plain_counts(board)) if count}
    pawn, knight, bishop, rook = range(4)

    def attack(victim: int, defence: int, attacker: int) -> int:
        return (victim * 3 + defence) * 6 + attacker

    assert found == {attack(pawn, 2, rook): 1, attack(bishop, 0, knight): 1, attack(bishop, 0, rook): 1, 180 + 2: 1}


def test_fitting_finds_the_weights_that_gave_the_scores():
    some = sample(3000, 31)
    ends = np.random.default_rng(32).normal(0, 0.1, (2, THREATS))
    share = np.arange(8)[:, np.newaxis] / 7
    weights = random_weights(ONE_BUCKET, 33) | {"threats": ((1 - share) * ends[0] + share * ends[1]).astype(np.float32)}
    teacher = netfile.quantise(ONE_BUCKET, weights, 400, {"note": "first"})
    scores = static_scores(teacher, some)
    # Far from certain, so that the expected points tell all scores apart.
    some = some[np.abs(scores) < 1500]
    some["score"] = np.rint(scores[np.abs(scores) < 1500])
    ignorant = netfile.quantise(ONE_BUCKET, weights | {"threats": 0 * weights["threats"]}, 400, {"note": "first"})
    data = records.Data(some, some[:0], [])
    network = fitted(ignorant, data, 1e-6, 4, "the command")
    errors = [np.abs(static_scores(one, some) - some["score"]).max() for one in (network, ignorant)]
    assert errors[0] < 3 < errors[1]
    assert network.provenance == {"note": "first", "threats": {"command": "the command", "data": []}}
    np.testing.assert_array_equal(network.features, teacher.features)


def test_a_feature_by_hand():
    # White's king on g1 is on the right: files are mirrored, and it appears on b1. Black's on d8 is not mirrored.
    board = chess.Board("3k4/8/8/8/8/8/4P3/6K1 w - - 0 1")
    shape = THREE_BUCKETS
    assert set(netfile.active_features(board, chess.WHITE, shape)) == {
        5 * 64 + 1,
        0 * 64 + 11,  # e2, seen on d2
        384 + 5 * 64 + 60,  # d8, seen on e8
    }
    # For Black: its king on d1, bucket 1; White's pawn on e7, White's king on g8.
    assert set(netfile.active_features(board, chess.BLACK, shape)) == {
        FEATURES + 5 * 64 + 3,
        FEATURES + 384 + 52,
        FEATURES + 384 + 5 * 64 + 62,
    }


@pytest.mark.parametrize(
    "pieces", ["8/8/8/8/8/8/8/K7", "kk6/8/8/8/8/8/8/K7", "k7/8/8/8/8/8/8/KK6", "k7/8/8/8/8/8/8/K~7"]
)
@pytest.mark.parametrize("side", chess.COLORS)
def test_a_position_has_one_king_of_each_colour(pieces, side):
    with pytest.raises(TrainingError, match="one king of each colour"):
        netfile.active_features(chess.Board(f"{pieces} w - - 0 1"), side, THREE_BUCKETS)


@SHAPES
def test_mirrored_positions_score_alike(shape):
    network = netfile.quantise(shape, random_weights(shape, 3), 400, {})
    scores = set()
    for board in boards(100, 4):
        score = network.evaluate(board)
        assert network.evaluate(board.mirror()) == score
        assert network.evaluate(board.transform(chess.flip_horizontal)) == score
        scores.add(score)
    assert len(scores) > 50


@SHAPES
def test_the_gradient_is_the_slope_of_the_loss(shape):
    some = as_records(boards(400, 5))
    weights = random_weights(shape, 6)
    network = Pass(shape)
    network.run(weights, some, TARGET, learn=True)
    gradient = network.gradient(weights, len(some))
    assert set(gradient) == set(weights)
    for name, slope in gradient.items():
        length = float(np.sqrt((slope.astype(np.float64) ** 2).sum()))
        step = 0.01
        losses = []
        for sign in (1, -1):
            moved = weights | {name: weights[name] + np.float32(sign * step / length) * slope}
            losses.append(network.run(moved, some, TARGET, learn=False)[0] / len(some))
        assert (losses[0] - losses[1]) / (2 * step) == pytest.approx(length, rel=0.03), name


def test_threads_do_not_change_the_gradient():
    some = as_records(boards(100, 20))
    weights = random_weights(TWO_TILES, 21)
    network = Pass(TWO_TILES)
    gradients = []
    for threads in (1, numba.config.NUMBA_NUM_THREADS):
        numba.set_num_threads(threads)
        network.run(weights, some, TARGET, learn=True)
        gradients.append(network.gradient(weights, len(some)))
    for name, slope in gradients[0].items():
        np.testing.assert_array_equal(slope, gradients[1][name])


def test_chunks_add_up():
    some = sample(CHUNK + 100, 23)
    weights = random_weights(THREE_BUCKETS, 24)
    network = Pass(THREE_BUCKETS)

    def learn(part: np.ndarray) -> tuple[float, np.ndarray, dict[str, np.ndarray]]:
        return *network.run(weights, part, TARGET, learn=True), network.gradient(weights, len(some))

    whole, first, rest = (learn(part) for part in (some, some[:70], some[70:]))
    assert whole[0] == pytest.approx(first[0] + rest[0])
    np.testing.assert_allclose(whole[1], np.concatenate([first[1], rest[1]]), atol=1e-5)
    for name, slope in whole[2].items():
        np.testing.assert_allclose(slope, first[2][name] + rest[2][name], atol=1e-6, err_msg=name)


@SHAPES
def test_integers_agree_with_floating_point(shape):
    weights = random_weights(shape, 7)
    network = netfile.quantise(shape, weights, 400, {})
    # The network as quantised, in floating point: the difference is two truncations, a little more than one centipawn.
    exact = {
        "features": network.features / netfile.QA,
        "feature_bias": network.feature_bias / netfile.QA,
        "output_weights": network.output_weights.reshape(8, 2, -1) / netfile.QB,
        "output_bias": network.output_bias / (netfile.QA * netfile.QB),
        "threats": network.threats / (netfile.QA * netfile.QB),
    }
    for board in boards(200, 8):
        score = network.evaluate(board)
        assert score == pytest.approx(400 * float_output(shape, exact, board), abs=1.1)
        assert score == pytest.approx(400 * float_output(shape, weights, board), abs=10 * shape.hidden**0.5)


def test_integer_division_truncates_toward_zero():
    # One neuron that is fully on for the side to move and weighs -1/64: sum / 255 is -255, and -255 * 400 / 16320 is
    # -6.25.
    shape = Shape(16, 8, (0,) * KING_SQUARES)
    weights = {name: np.zeros_like(value) for name, value in initial_weights(shape, 1).items()}
    weights["feature_bias"][0] = 1
    weights["output_weights"][:, 0, 0] = -1 / 64
    network = netfile.quantise(shape, weights, 400, {})
    assert evaluate(network, chess.STARTING_FEN) == -6


def test_the_projects_network_gives_the_engines_scores():
    folder = Path(__file__).parent.parent / "networks"
    network = netfile.read(folder / "pacioli.net")
    lines = (folder / "scores.txt").read_text().splitlines()
    assert len(lines) > 50
    for line in lines:
        score, fen = line.split(" ", 1)
        assert evaluate(network, fen) == int(score), fen


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"\n", "empty fen"),
        (b"\xff\n", "not UTF-8"),
        (b"8/8/8 w - - 0 1\n", "expected 8 rows"),
        (b"8/8/8/8/8/8/8/8 w - - 0 1\n", "8/8/8/8/8/8/8/8 w - - 0 1: one king"),
    ],
)
def test_a_line_that_is_no_position_is_named_by_its_number(line, complaint):
    network = netfile.quantise(ONE_BUCKET, random_weights(ONE_BUCKET, 7), 400, {})
    sound = [f"{chess.STARTING_FEN}\n".encode(), f" {chess.STARTING_FEN}\r\n".encode()]
    scores = evaluate_lines(network, [*sound, line])
    assert [next(scores), next(scores)] == [evaluate(network, chess.STARTING_FEN)] * 2
    with pytest.raises(TrainingError, match=f"^line 3: {complaint}"):
        next(scores)


def test_no_score_is_beyond_the_engines_largest():
    weights = random_weights(ONE_BUCKET, 7)
    for bias, score in ((9, 20_000), (-9, -20_000)):
        weights["output_bias"][:] = bias
        assert netfile.quantise(ONE_BUCKET, weights, 10_000, {}).evaluate(chess.Board()) == score


@SHAPES
def test_a_network_file_reads_back(shape):
    network = netfile.quantise(shape, random_weights(shape, 9), 300, {"note": "Größe"})
    # A file's name may hold bytes that are no text.
    odd = replace(network, provenance={"data": os.fsdecode(b"a\xff.bullet")})
    assert netfile.from_bytes(netfile.to_bytes(odd)).provenance == {"data": "a?.bullet"}
    data = netfile.to_bytes(network)
    back = netfile.from_bytes(data)
    assert (back.shape, back.scale, back.provenance) == (shape, 300, {"note": "Größe"})
    assert netfile.to_bytes(back) == data
    rows = shape.king_buckets * FEATURES
    assert (len(data) - rows * 16 - 2 * (16 + 8 * (32 + THREATS)) - 4 * 8) % 64 == 0
    board = chess.Board()
    assert back.evaluate(board) == network.evaluate(board)


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "net.bin"
    netfile.write_whole(path, b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TrainingError, match=os.strerror(errno.ENOSPC)):
        netfile.write_whole(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    path = tmp_path / "net.bin"
    path.write_bytes(b"old")
    netfile.check_folder(path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(TrainingError, match="nowhere: no such folder"):
        netfile.check_folder(tmp_path / "nowhere" / "net.bin")
    # Whoever runs with all rights may write to a folder that is read-only, but nobody to /proc.
    for check in (netfile.check_folder, netfile.refuse_existing):
        with pytest.raises(TrainingError, match="/proc"):
            check(Path("/proc/net.bin"))


def test_damaged_and_foreign_files_are_refused():
    data = netfile.to_bytes(netfile.quantise(ONE_BUCKET, random_weights(ONE_BUCKET, 10), 400, {}))
    for place in (0, 9, 13, 17, 21, 25, 29, 37, 41, 45, 77, len(data) // 2, len(data) - 1):
        damaged = bytearray(data)
        damaged[place] ^= 4
        with pytest.raises(TrainingError):
            netfile.from_bytes(bytes(damaged))
    for length in (0, 8, 44, 75, len(data) - 1):
        with pytest.raises(TrainingError):
            netfile.from_bytes(data[:length])
    with pytest.raises(TrainingError):
        netfile.from_bytes(data + b"\0")


@pytest.mark.parametrize("provenance", [[1, 2], "a text", [[]]])
def test_a_provenance_that_is_no_object_is_refused(provenance):
    data = netfile.to_bytes(netfile.quantise(ONE_BUCKET, random_weights(ONE_BUCKET, 10), 400, provenance))
    with pytest.raises(TrainingError, match="the provenance"):
        netfile.from_bytes(data)


def test_a_network_that_could_overflow_is_refused():
    wide = Shape(272, 8, (0,) * KING_SQUARES)
    # 2 * 272 weights of 64 times 255 squared: 2,263,910,400.
    for shape, name, value, refused in [
        (ONE_BUCKET, "feature_bias", 112.5, True),
        (ONE_BUCKET, "feature_bias", 112.4, False),
        (ONE_BUCKET, "output_weights", 2.0, True),
        (ONE_BUCKET, "output_weights", 1.98, False),
        (wide, "output_weights", 1.0, True),
        (wide, "output_weights", 0.9, False),
        (ONE_BUCKET, "output_bias", np.nan, True),
        (ONE_BUCKET, "threats", 2.0, False),
        (ONE_BUCKET, "threats", 2.01, True),
    ]:
        weights = {key: np.zeros_like(array) for key, array in initial_weights(shape, 1).items()}
        weights[name][:] = value
        if refused:
            with pytest.raises(TrainingError):
                netfile.quantise(shape, weights, 400, {})
        else:
            netfile.quantise(shape, weights, 400, {})


def test_a_weight_of_an_input_fits_into_eight_bits():
    weights = {key: np.zeros_like(array) for key, array in initial_weights(ONE_BUCKET, 1).items()}
    for value in (0.499, -0.499):
        weights["features"][:] = value
        assert np.abs(netfile.quantise(ONE_BUCKET, weights, 400, {}).features).max() == 127
    for value in (0.501, -0.501):
        weights["features"][:] = value
        with pytest.raises(TrainingError, match="feature weights"):
            netfile.quantise(ONE_BUCKET, weights, 400, {})


def test_a_file_with_sums_beyond_16_bits_is_refused():
    network = netfile.quantise(ONE_BUCKET, random_weights(ONE_BUCKET, 10), 400, {})
    most = netfile.I16_MAX - netfile.MAX_PIECES * 128
    for bias in (most, -most):
        data = netfile.to_bytes(replace(network, feature_bias=np.full_like(network.feature_bias, bias)))
        netfile.from_bytes(data)
    for bias in (most + 1, -most - 1):
        data = netfile.to_bytes(replace(network, feature_bias=np.full_like(network.feature_bias, bias)))
        with pytest.raises(TrainingError, match="its bias is too large"):
            netfile.from_bytes(data)


def test_crc32c_of_the_known_example():
    assert crc32c(b"123456789") == 0xE3069283


def test_clipping_counts_the_factor():
    weights = initial_weights(THREE_BUCKETS, 11)
    weights["features"] += np.float32(3)
    clip(weights, 0.498, 0.1)
    assert np.abs(folded_features(weights)).max() <= 0.498 + 1e-6
    assert np.abs(weights["output_weights"]).max() <= np.float32(0.1)


def test_threats_stay_within_what_the_file_holds():
    weights = initial_weights(THREE_BUCKETS, 11)
    weights["threats"][0, :2] = (5, -5)
    clip(weights, 0.498, 1.98)
    netfile.quantise(THREE_BUCKETS, weights, 400, {})


def write(path, some: np.ndarray):
    path.write_bytes(some.tobytes())
    return path


def write_network(path: Path, network: netfile.Network) -> Path:
    path.write_bytes(netfile.to_bytes(network))
    return path


def small(**changes) -> Settings:
    return Settings(**({"hidden": 16, "epochs": 2, "batch": 256, "validation": 0.1} | changes))


def test_a_step_of_the_optimiser_by_hand():
    weights = {name: np.full(1, 2, np.float32) for name in ("features", "feature_bias")}
    optimiser = AdamW(weights, 0.1)
    decaying = bias = 2.0
    mean = square = 0.0
    for number, slope in enumerate((1.0, -3.0), 1):
        optimiser.step(weights, {name: np.full(1, slope, np.float32) for name in weights}, 0.5, number)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        moved = 0.5 * mean / (1 - 0.9**number) / math.sqrt(square / (1 - 0.999**number))
        decaying, bias = decaying * (1 - 0.5 * 0.1) - moved, bias - moved
        assert float(weights["features"][0]) == pytest.approx(decaying, rel=1e-4)
        assert float(weights["feature_bias"][0]) == pytest.approx(bias, rel=1e-4)


def test_rate_and_target_go_from_the_first_to_the_last():
    rates = [learning_rate("step", 1.0, 0.01, step, 2, 3) for step in range(6)]
    assert rates == pytest.approx([1, 1, 0.1, 0.1, 0.01, 0.01])
    rates = [learning_rate("cosine", 1.0, 0.01, step, 2, 2) for step in range(4)]
    assert rates == pytest.approx([1, 0.855018, 0.505, 0.154982], abs=1e-5)
    settings = small(epochs=3, wdl=0.1, wdl_end=0.5, scale=250, power=2.5)
    assert [settings.target(epoch).wdl for epoch in range(3)] == pytest.approx([0.1, 0.3, 0.5])
    assert (settings.target(1).scale, settings.target(1).power) == (250, 2.5)


def test_the_loss_of_a_position_by_hand():
    zeros = {name: np.zeros_like(value) for name, value in initial_weights(ONE_BUCKET, 1).items()}
    some = np.array([record_of(chess.Board(), 250, 2)])
    loss, _ = Pass(ONE_BUCKET).run(zeros, some, Target(wdl=0.2, scale=125.0, power=2.0), learn=False)
    assert loss == pytest.approx((0.5 - 0.2 - 0.8 / (1 + math.exp(-2))) ** 2, rel=1e-4)


def test_the_ridge_is_a_cost_of_the_weights():
    some = sample(500, 34)
    zeros = {name: np.zeros_like(value) for name, value in initial_weights(ONE_BUCKET, 1).items()}
    fit = Fit(netfile.quantise(ONE_BUCKET, zeros, 400, {}), some, 20.0)
    for _ in range(20):
        fit.improve()
    best = fit.ends

    def cost(share: float) -> float:
        fit.ends = share * best
        return 20.0 * float(fit.ends @ fit.ends) + len(some) * fit.improve()

    assert cost(1) < min(cost(0.99), cost(1.01))


def test_a_resumed_run_ends_with_the_same_weights(tmp_path):
    data = records.load([write(tmp_path / "a.bullet", sample(1500, 12))], 0.1)
    settings = small(king_layout="00112222" + "2" * 24)
    whole = Training(settings, data)
    while not whole.finished:
        whole.learn_batch()
    # Interrupted within each of the two epochs.
    for stop in (2, whole.steps_per_epoch + 1):
        part = Training(settings, data)
        for _ in range(stop):
            part.learn_batch()
        part.save(tmp_path / "checkpoint.npz")
        rest = Training(settings, data)
        rest.resume(tmp_path / "checkpoint.npz")
        while not rest.finished:
            rest.learn_batch()
        for name, value in whole.weights.items():
            np.testing.assert_array_equal(rest.weights[name], value)
        assert rest.losses == whole.losses


def test_samples_of_other_seeds_are_others(tmp_path):
    def made(positions: int, seed: int) -> np.ndarray:
        out = tmp_path / f"{positions}.{seed}"
        line = [sys.executable, Path(__file__).with_name("sample.py"), out, "--positions", positions, "--seed", seed]
        subprocess.run([str(word) for word in line], check=True, capture_output=True)
        return np.fromfile(out, records.RECORD)

    longer = made(2000, 1)
    assert len(longer) == 2000 and np.array_equal(made(1000, 1), longer[:1000])
    other = {record.tobytes() for record in made(1000, 2)}
    assert len(other - {record.tobytes() for record in longer}) > 900


def test_a_sample_takes_the_place_of_no_file(tmp_path):
    place, nowhere = tmp_path / "a.bullet", tmp_path / "nowhere"
    place.write_bytes(b"work")
    for out, complaint in ((place, f"{place} exists"), (nowhere / "a.bullet", f"{nowhere}: no such folder")):
        line = [sys.executable, Path(__file__).with_name("sample.py"), out, "--positions", "10"]
        ran = subprocess.run([str(word) for word in line], capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (2, f"sample.py: {complaint}\n")
    assert place.read_bytes() == b"work" and list(tmp_path.iterdir()) == [place]


def test_networks_are_compared_on_positions_they_have_not_seen(tmp_path):
    some = sample(400, 15)
    one, other = (
        netfile.quantise(ONE_BUCKET, random_weights(ONE_BUCKET, seed), 400, {}) for seed in (1, 2)
    )
    for network in (one, other):
        exact = np.array([network.evaluate(board) for board in boards(20, 16)])
        assert np.abs(static_scores(network, as_records(boards(20, 16))) - exact).max() < 12
    # What the first says itself is what the searches would have said.
    some["score"] = np.clip(np.rint(static_scores(one, some)), -3000, 3000)
    some["result"] = np.where(some["score"] > 0, 2, 0)
    paths = [write_network(tmp_path / name, network) for name, network in (("one", one), ("other", other))]
    _, first, second = table(paths, some)
    assert float(first.split()[2]) < 1e-4 < float(second.split()[2])
    assert float(second.split()[3]) > float(second.split()[5]) > 0
    assert float(second.split()[3]) == pytest.approx(float(second.split()[2]) - float(first.split()[2]), abs=2e-6)


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    path = write(tmp_path / "a.bullet", sample(600, 13))
    data = records.load([path], 0.1)
    Training(small(), data).save(tmp_path / "checkpoint.npz")
    with pytest.raises(TrainingError, match="rate"):
        Training(small(rate=0.01), data).resume(tmp_path / "checkpoint.npz")
    other = records.load([write(path, sample(600, 14))], 0.1)
    with pytest.raises(TrainingError, match="data"):
        Training(small(), other).resume(tmp_path / "checkpoint.npz")
    (tmp_path / "checkpoint.npz").write_bytes(b"nothing of the kind")
    with pytest.raises(TrainingError):
        Training(small(), data).resume(tmp_path / "checkpoint.npz")


def test_the_record_beside_a_file_becomes_part_of_the_network(tmp_path):
    path = write(tmp_path / "a.bullet", sample(600, 13))
    before = records.load([path], 0.1)
    assert before.sources[0].made is None
    Training(small(), before).save(tmp_path / "checkpoint.npz")
    beside = tmp_path / "a.bullet.json"
    checksum = crc32c(path.read_bytes())
    beside.write_text(json.dumps({"kind": "positions", "kept": 600, "crc32c": checksum, "seed": 7}))
    training = Training(small(), records.load([path], 0.1))
    assert training.provenance("")["data"][0]["made"]["seed"] == 7
    # The same file, whether or not there is a record.
    training.resume(tmp_path / "checkpoint.npz")
    # Of as many positions, but others.
    for wrong, complaint in (
        (json.dumps({"kept": 600, "crc32c": checksum ^ 1}), "not the record of a.bullet"),
        (json.dumps({"kept": 600}), "no checksum of the positions"),
        ("[]", "no checksum of the positions"),
        ("{", "Expecting"),
        ("[" * 100_000, "recursion"),
    ):
        beside.write_text(wrong)
        with pytest.raises(TrainingError, match=f"a.bullet.json: .*{complaint}"):
            records.load([path], 0.1)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    training = Training(small(), records.load([write(tmp_path / "a.bullet", sample(400, 13))], 0.1))
    path = tmp_path / "checkpoint.npz"
    training.save(path)
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        directory = archive.start_dir
    damaged = [whole[:length] for length in (0, 3, 100, len(whole) // 2, len(whole) - 1)]
    for place, bits in [
        (0, 0xFF),
        (directory // 2, 0xFF),
        (directory, 0xFF),
        (directory + 8, 1),  # encrypted
        (directory + 10, 8),  # compressed
        (directory + 10, 0x60),  # compressed in an unknown way
        (len(whole) - 6, 0xFF),
        # Numbers of 2 bytes: half of the array would be read, and never come to its checksum.
        (whole.index(b"<f4") + 2, ord("2") ^ ord("4")),
    ]:
        damaged.append(whole[:place] + bytes([whole[place] ^ bits]) + whole[place + 1 :])
    for content in damaged:
        path.write_bytes(content)
        for use in (training.resume, training.start_from):
            with pytest.raises(TrainingError, match="checkpoint.npz: not a checkpoint"):
                use(path)


def test_a_checkpoint_of_another_king_layout_or_scale_gives_no_weights(tmp_path):
    data, path = records.load([write(tmp_path / "a.bullet", sample(400, 13))], 0.1), tmp_path / "first.npz"
    Training(small(king_layout="0011" + "2" * 28), data).save(path)
    with pytest.raises(TrainingError, match="first.npz: a network of another shape: output buckets or king layout"):
        Training(small(king_layout="0001" + "2" * 28), data).start_from(path)
    with pytest.raises(TrainingError, match="first.npz: a network of scale 400: --scale 400"):
        Training(small(king_layout="0011" + "2" * 28, scale=200), data).start_from(path)
    # The same layout, written otherwise, and settings that the weights do not depend on.
    Training(small(king_layout="0011." + "2" * 28, hidden=32, wdl=0.1, power=2.0), data).start_from(path)


def test_a_run_starts_with_the_weights_of_another(tmp_path):
    data = records.load([write(tmp_path / "a.bullet", sample(600, 13))], 0.1)
    first = Training(small(rate=0.01), data)
    first.learn_batch()
    first.save(tmp_path / "first.checkpoint.npz")
    second = Training(small(), data)
    second.start_from(tmp_path / "first.checkpoint.npz")
    for name, value in first.weights.items():
        np.testing.assert_array_equal(second.weights[name], value)
    assert second.step == 0 and not second.optimiser.mean["features"].any()
    made_from = second.provenance("")
    assert made_from["pretraining"]["settings"]["rate"] == 0.01
    assert "--start first.checkpoint.npz" in made_from["command"]
    second.save(tmp_path / "second.checkpoint.npz")
    with pytest.raises(TrainingError, match="--start"):
        Training(small(), data).resume(tmp_path / "second.checkpoint.npz")
    second.resume(tmp_path / "second.checkpoint.npz")
    # A third says whose weights the second began with.
    third = Training(small(), data)
    third.start_from(tmp_path / "second.checkpoint.npz")
    assert third.pretraining["pretraining"] == second.pretraining
    with pytest.raises(TrainingError, match="shape"):
        Training(small(output_buckets=2), data).start_from(tmp_path / "first.checkpoint.npz")
    with pytest.raises(TrainingError, match="No such file"):
        second.start_from(tmp_path / "nothing.npz")


def first_network(folder: Path, layout: str) -> tuple[records.Data, netfile.Network, Path]:
    """Some data, a network of this king layout that has learned nothing from it, and its file."""
    data = records.load([write(folder / "a.bullet", sample(400, 14))], 0.1)
    first = Training(small(king_layout=layout), data)
    network = netfile.quantise(first.shape, first.weights, first.settings.scale, first.provenance(""))
    return data, network, write_network(folder / "first.bin", network)


def test_larger_weights_of_an_earlier_run_are_clipped(tmp_path):
    data = records.load([write(tmp_path / "a.bullet", sample(400, 14))], 0.1)
    first = Training(small(), data)
    first.weights["features"][0, :2] = (1.5, -1.5)
    first.save(tmp_path / "first.checkpoint.npz")
    second = Training(small(), data)
    second.start_from(tmp_path / "first.checkpoint.npz")
    second.learn_batch()
    network = netfile.quantise(second.shape, second.weights, second.settings.scale, {})
    assert list(network.features[0, :2]) == [127, -127]


def test_a_network_of_another_version_is_named(tmp_path):
    data, network, path = first_network(tmp_path, "0" * 32)
    path.write_bytes(b"PACINET2" + path.read_bytes()[8:])
    with pytest.raises(TrainingError, match="another version: PACINET3 expected"):
        Training(small(), data).start_from(path)


@pytest.mark.parametrize("layout", ["0" * 32, "0011.2222" + "3" * 24])
def test_additional_neurons_change_nothing_until_they_learn(tmp_path, layout):
    data, network, path = first_network(tmp_path, layout)
    wider = Training(small(hidden=48, king_layout=layout, seed=99), data)
    wider.start_from(path)
    again = netfile.quantise(wider.shape, wider.weights, wider.settings.scale, {})
    for fen in (chess.STARTING_FEN, "r3k2r/8/8/3pP3/8/8/1Q6/R3K2R b KQkq - 0 1"):
        assert again.evaluate(chess.Board(fen)) == network.evaluate(chess.Board(fen))
    wider.learn_batch()
    assert wider.weights["output_weights"][..., small().hidden :].any()
    wider.learn_batch()
    untouched = Training(small(hidden=48, king_layout=layout, seed=99), data).weights["feature_bias"]
    assert (wider.weights["feature_bias"] != untouched)[small().hidden :].any()
    with pytest.raises(TrainingError, match="shape"):
        Training(small(king_layout=layout), data).start_from(write_network(tmp_path / "wide.bin", again))


@pytest.mark.parametrize("layout", ["0" * 32, "0011.2222" + "3" * 24])
def test_a_run_starts_with_the_weights_of_a_network(tmp_path, layout):
    data, network, path = first_network(tmp_path, layout)
    second = Training(small(king_layout=layout, seed=99), data)
    second.start_from(path)
    again = netfile.quantise(second.shape, second.weights, second.settings.scale, {})
    for name in ("features", "feature_bias", "output_weights", "output_bias", "threats"):
        np.testing.assert_array_equal(getattr(again, name), getattr(network, name))
    assert "--start first.bin" in second.provenance("")["command"]
    assert second.pretraining["settings"]["seed"] == small().seed
    with pytest.raises(TrainingError, match="first.bin: a network of another shape"):
        Training(small(output_buckets=2, king_layout=layout), data).start_from(path)
    with pytest.raises(TrainingError, match="--scale"):
        Training(small(king_layout=layout, scale=123), data).start_from(path)


def test_a_run_tells_all_that_was_done_to_the_network_that_it_starts_with(tmp_path):
    data, network, path = first_network(tmp_path, "0" * 32)
    told = {"note": "first", "rescaled": [{"from": 200, "to": 400}], "threats": {"data": []}, "by hand": ["clipped"]}
    # The file is the one that was read, whatever it says itself.
    provenance = network.provenance | told | {"file": "other.bin"}
    write_network(path, replace(network, provenance=provenance))
    second = Training(small(), data)
    second.start_from(path)
    made_from = second.provenance("second")["pretraining"]
    assert {name: made_from[name] for name in told} == told and made_from["file"] == "first.bin"
    assert made_from["command"] == network.provenance["command"]
    # How far it learned is not part of where the weights come from.
    assert not made_from.keys() & {"loss", "versions", "training_positions", "validation_positions"}


def test_it_learns_material(tmp_path):
    some = np.random.default_rng(15).permutation(sample(6000, 15))
    data = records.load([write(tmp_path / "a.bullet", some)], 0.1)
    training = Training(small(epochs=15, rate=0.01), data)
    while not training.finished:
        training.learn_batch()
    # Positions of these games, so this shows that learning works, not how well it generalises.
    assert training.losses["validation"][-1] < training.losses["validation"][0] / 3
    network = netfile.quantise(training.shape, training.weights, 400, training.provenance(""))
    without_queen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR"
    assert evaluate(network, f"{without_queen} b KQkq - 0 1") > evaluate(network, f"{without_queen} w KQkq - 0 1")
    netfile.from_bytes(netfile.to_bytes(network))


def test_held_out_positions_are_the_ends_of_the_files(tmp_path):
    first, second = sample(100, 16), sample(50, 17)
    data = records.load([write(tmp_path / "a.bullet", first), write(tmp_path / "b.bullet", second)], 0.1)
    assert np.array_equal(data.training, np.concatenate([first[:90], second[:45]]))
    assert np.array_equal(data.validation, np.concatenate([first[90:], second[45:]]))
    assert [(source.file, source.positions) for source in data.sources] == [("a.bullet", 100), ("b.bullet", 50)]


@pytest.mark.parametrize(
    "field, value", [("occupied", 0), ("occupied", 2**64 - 1), ("king", 63), ("their_king", 63), ("result", 3)]
)
def test_unsound_records_are_refused(tmp_path, field, value):
    some = sample(10, 18)
    path = tmp_path / "a.bullet"
    records.read(write(path, some))
    some[field][7] = value
    with pytest.raises(TrainingError, match="record 7"):
        records.read(write(path, some))


def test_files_that_are_no_records_are_refused(tmp_path):
    for content in (b"", b"x" * 33):
        (tmp_path / "a").write_bytes(content)
        with pytest.raises(TrainingError):
            records.read(tmp_path / "a")
    with pytest.raises(TrainingError):
        records.read(tmp_path / "missing")


def test_the_fitting_scale_is_found():
    rng = np.random.default_rng(19)
    some = np.zeros(20_000, records.RECORD)
    some["score"] = rng.integers(-600, 600, len(some))
    won = rng.random(len(some)) < 1 / (1 + np.exp(-some["score"] / 160))
    some["result"] = 2 * won
    assert records.fitting_scale(some) == pytest.approx(160, rel=0.1)


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden": 20},
        {"output_buckets": 5},
        {"king_layout": "0" * 31},
        {"king_layout": "2" * 32},
        {"wdl": 1.5},
        {"power": 1.0},
        {"scale": 10_001},
        {"clip": 0.501},
        {"clip_output": 2.0},
        {"decay": math.inf},
        {"rate": math.inf},
        {"rate_end": math.nan},
    ],
)
def test_settings_without_sense_are_refused(changes):
    with pytest.raises(TrainingError):
        small(**changes).check()


def test_the_command_names_what_differs_from_the_defaults():
    assert command(Settings(hidden=256), ["a.bullet"], "by hand") == (
        "python training/train.py a.bullet --out NET.bin --hidden 256 --note 'by hand'"
    )


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(wdl=0.1, wdl_end=0.3),
        Settings(wdl=0.3, wdl_end=0.1),
        Settings(wdl=0.1, wdl_end=0.1),
        small(king_layout="0011 2222" + "3" * 24),
    ],
)
def test_the_command_repeats_the_run(monkeypatch, settings):
    line = command(settings, ["of two.bullet"], 'one\'s "own" $HOME', {"file": "first one.npz"})
    monkeypatch.setattr(sys, "argv", shlex.split(line)[1:])
    arguments, again = parse()
    assert again == settings
    assert arguments.data == [Path("of two.bullet")] and arguments.start == Path("first one.npz")
    assert arguments.note == 'one\'s "own" $HOME'


def test_the_help_names_the_defaults_there_are(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", ["train.py", "--help"])
    with pytest.raises(SystemExit):
        parse()
    told = " ".join(capsys.readouterr().out.split())
    assert "None" not in told and "(default: )" not in told
    assert "approached linearly; default: --wdl --scale" in told and "weight decay (default: 0.01)" in told


def test_curves_are_one_line_for_each_series():
    picture = loss_curves("a < b", {"training": [0.3, 0.2, 0.1], "validation": [0.3, 0.25, 0.2]})
    assert picture.count("<polyline") == 2 and "a &lt; b" in picture
    first = loss_curves("one epoch", {"training": [0.3], "validation": [0.3]})
    assert first.count("<circle") == 2 and "<circle" not in picture


def test_what_was_interrupted_before_its_first_step_can_be_resumed(tmp_path, monkeypatch):
    data, net = write(tmp_path / "a.bullet", sample(600, 22)), tmp_path / "net.bin"
    net.write_bytes(b"an older one")
    line = ["train.py", str(data), "--out", str(net), "--hidden", "16", "--batch", "128", "--epochs", "1"]
    monkeypatch.setattr(sys, "argv", [*line, "--force"])
    monkeypatch.setattr(train, "fill_cache", lambda: signal.raise_signal(signal.SIGINT))
    handlers = {kind: signal.getsignal(kind) for kind in (signal.SIGINT, signal.SIGTERM)}
    try:
        assert train.run(*parse()) == train.INTERRUPTED
        monkeypatch.setattr(train, "fill_cache", lambda: None)
        monkeypatch.setattr(sys, "argv", [*line, "--resume"])
        assert train.run(*parse()) == train.DONE and netfile.read(net).shape.hidden == 16
    finally:
        for kind, handler in handlers.items():
            signal.signal(kind, handler)


def test_no_output_takes_the_place_of_an_input(tmp_path, monkeypatch):
    data = write(tmp_path / "a.bullet", sample(600, 22))
    monkeypatch.chdir(tmp_path)
    for name in ("net.bin", "net.checkpoint.npz", "net.svg"):
        place = write(tmp_path / name, sample(600, 22))
        for inputs in ([name], [str(data), "--start", name]):
            out = str(tmp_path / "folder" / ".." / "net.bin")
            monkeypatch.setattr(sys, "argv", ["train.py", *inputs, "--out", out, "--force"])
            with pytest.raises(TrainingError, match=f"{name} would overwrite an input"):
                train.run(*parse())
        assert place.read_bytes() == data.read_bytes()


def test_curves_are_not_overwritten_in_silence(tmp_path, monkeypatch):
    data, net = write(tmp_path / "a.bullet", sample(600, 22)), tmp_path / "net.bin"
    curves = net.with_suffix(".svg")
    curves.write_text("of another run")
    monkeypatch.setattr(sys, "argv", ["train.py", str(data), "--out", str(net)])
    with pytest.raises(TrainingError, match="net.svg exists"):
        train.run(*parse())
    assert curves.read_text() == "of another run"


def test_a_run_that_was_killed_comes_to_the_same_end(tmp_path):
    data, net = write(tmp_path / "a.bullet", sample(600, 22)), tmp_path / "net.bin"
    files = [net, net.with_suffix(".svg")]
    script = Path(__file__).with_name("train.py")
    line = [sys.executable, script, data, "--out", net, "--hidden", "16", "--batch", "128", "--epochs", "100"]

    # The first run compiles: what it does must be the same as with code from the cache.
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def start() -> subprocess.Popen:
        return subprocess.Popen([*line, "--resume"], stdout=subprocess.DEVNULL, env=environment)

    def finish() -> list[bytes]:
        assert start().wait() == 0
        return [file.read_bytes() for file in files]

    def afresh() -> None:
        for file in tmp_path.glob("net.*"):
            file.unlink()

    whole = finish()
    afresh()
    begun = time.monotonic()
    assert finish() == whole
    lasted = time.monotonic() - begun
    afresh()
    kills, landed = int(os.environ.get("PACIOLI_KILLS", KILLS)), 0
    chance = random.Random(kills)
    for _ in range(kills):
        process = start()
        time.sleep(lasted * chance.random())
        landed += process.poll() is None
        process.kill()
        process.wait()
        if process.returncode == 0 or chance.random() < 1 / 8:
            assert finish() == whole
            afresh()
        elif net.exists():
            assert net.read_bytes() == whole[0], "half a file"
    assert finish() == whole
    print(f"{landed} of {kills} kills came before the end")
    assert landed > 0


@pytest.mark.parametrize(
    ("only_prints", "told"), [(True, (0, "")), (False, (2, "x: ended, since nobody reads its output\n"))]
)
def test_a_run_that_makes_more_than_its_output_says_that_nobody_reads_it(only_prints, told):
    """With a reader that has stopped, and without any output at all."""
    folder = Path(__file__).parent
    run = "lambda: print('y', flush=True) or 0"
    call = f"import errors; exit(errors.exit_code('x', {run}, only_prints={only_prints}))"
    read_end, write_end = os.pipe()
    os.close(read_end)
    ran = subprocess.run(
        [sys.executable, "-c", call], cwd=folder, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write_end)
    assert (ran.returncode, ran.stderr) == told
    closed = subprocess.run(
        f'{shlex.quote(sys.executable)} -c "{call}" >&-', shell=True, cwd=folder, stderr=subprocess.PIPE, check=False
    )
    assert (closed.returncode, closed.stderr) == (0, b"")


def test_the_commands_work_together(tmp_path):
    data, net = write(tmp_path / "a.bullet", sample(600, 22)), tmp_path / "net.bin"

    def run(script: str, *words: object) -> subprocess.CompletedProcess:
        line = [sys.executable, Path(__file__).with_name(script), *map(str, words)]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    train = (data, "--out", net, "--hidden", 16, "--epochs", 2, "--batch", 128, "--note", "random games")
    done = run("train.py", *train)
    assert done.returncode == 0, done.stderr
    assert "<polyline" in net.with_suffix(".svg").read_text()
    network = netfile.read(net)
    assert network.provenance["note"] == "random games" and network.provenance["data"][0]["positions"] == 600
    # A reader that stops early is no error.
    read_end, write_end = os.pipe()
    os.close(read_end)
    unread = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("evaluate.py")), str(net)],
        stdout=write_end,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write_end)
    assert (unread.returncode, unread.stderr) == (0, "")
    scored = run("evaluate.py", net, chess.STARTING_FEN, "4k3/8/8/8/8/8/8/3QK3 b - - 0 1")
    assert [int(line) for line in scored.stdout.split()] == [
        evaluate(network, chess.STARTING_FEN),
        evaluate(network, "4k3/8/8/8/8/8/8/3QK3 b - - 0 1"),
    ]
    named = run("train.py", data, "--out", tmp_path / "gen.12", "--hidden", 16)
    assert named.returncode == 2 and "ends in .bin" in named.stderr
    # Nothing is overwritten without being asked to, and resuming a finished run writes the same network.
    again = run("train.py", *train)
    assert again.returncode == 2 and "exists" in again.stderr
    before = net.read_bytes()
    finished = run("train.py", *train, "--resume")
    assert finished.returncode == 0 and "continuing" not in finished.stdout and net.read_bytes() == before
    assert run("evaluate.py", net, "8/8/8/8/8/8/8/8 w - - 0 1").returncode == 2
    checkpoint = net.with_suffix(".checkpoint.npz")
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    cut = run("train.py", *train, "--resume")
    assert cut.returncode == 2 and cut.stderr.startswith(f"train.py: {checkpoint}: not a checkpoint")
    # Nor is there anything to resume without a checkpoint: the network, perhaps another one, stays.
    checkpoint.unlink()
    alone = run("train.py", *train, "--resume")
    assert alone.returncode == 2 and "without its checkpoint" in alone.stderr and net.read_bytes() == before
    fitted = run("fit_threats.py", net, data, "--out", tmp_path / "fitted.bin", "--rounds", 0)
    assert fitted.returncode == 2 and "--rounds must be positive" in fitted.stderr
    fitted = run("fit_threats.py", net, data, "--out", net)
    assert fitted.returncode == 2 and f"{net} exists" in fitted.stderr and net.read_bytes() == before
    fitted = run("fit_threats.py", net, data, "--out", tmp_path / "nowhere" / "fitted.bin")
    assert (fitted.returncode, fitted.stdout) == (2, "") and "nowhere: no such folder" in fitted.stderr
    # Other units: the same weights, and a provenance that lists each change.
    scaled, twice = tmp_path / "scaled.bin", tmp_path / "twice.bin"
    assert run("rescale.py", net, "--scale", 192, "--out", scaled).returncode == 0
    assert run("rescale.py", scaled, "--scale", 250, "--out", twice).returncode == 0
    other, network = netfile.read(twice), netfile.read(net)
    assert other.scale == 250 and all(np.array_equal(other.weights()[k], v) for k, v in network.weights().items())
    changes = [(change["from"], change["to"]) for change in other.provenance["rescaled"]]
    assert changes == [(network.scale, 192), (192, 250)]
    foreign = tmp_path / "foreign.bin"
    foreign.write_bytes(netfile.to_bytes(replace(network, provenance={"rescaled": 1})))
    refused = run("rescale.py", foreign, "--scale", 192, "--out", tmp_path / "none.bin")
    assert (refused.returncode, refused.stderr) == (2, "rescale.py: the provenance's `rescaled` is not a list\n")
    score = run("evaluate.py", scaled, chess.STARTING_FEN)
    assert int(score.stdout) == evaluate(replace(network, scale=192), chess.STARTING_FEN)
    for scale, out, reason in [(0, "none.bin", "--scale must be"), (200, "twice.bin", "exists")]:
        refused = run("rescale.py", net, "--scale", scale, "--out", tmp_path / out)
        assert refused.returncode == 2 and reason in refused.stderr
