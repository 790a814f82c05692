"""AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019) and the learning rate over a run."""

import math

import numpy as np
from numba import njit, prange

MOMENTUM = 0.9
SQUARE_MOMENTUM = 0.999
EPSILON = 1e-8


class AdamW:
    """The optimiser and its state: running means of the gradient and of its square, in arrays like the weights'."""

    def __init__(self, weights: dict[str, np.ndarray], decay: float):
        self.decay = decay
        self.mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self.square = {name: np.zeros_like(value) for name, value in weights.items()}

    def step(self, weights: dict[str, np.ndarray], gradient: dict[str, np.ndarray], rate: float, number: int) -> None:
        """Step `number`, counted from 1; changes the weights in place. Biases do not decay."""
        for name, weight in weights.items():
            kept = 1 if name.endswith("bias") else 1 - rate * self.decay
            arrays = (array.reshape(-1) for array in (weight, gradient[name], self.mean[name], self.square[name]))
            _step(
                *arrays,
                np.float32(kept),
                np.float32(rate / (1 - MOMENTUM**number)),
                np.float32(1 / (1 - SQUARE_MOMENTUM**number)),
            )


@njit(cache=True, parallel=True)
def _step(weight, slope, mean, square, kept, rate, square_share):
    """One array's step, each number by itself. `rate` and `square_share` make up for means that begin with zero."""
    for i in prange(len(weight)):
        mean[i] += np.float32(1 - MOMENTUM) * (slope[i] - mean[i])
        square[i] += np.float32(1 - SQUARE_MOMENTUM) * (slope[i] * slope[i] - square[i])
        weight[i] = weight[i] * kept - rate * mean[i] / (np.sqrt(square[i] * square_share) + np.float32(EPSILON))


def learning_rate(schedule: str, first: float, last: float, step: int, steps_per_epoch: int, epochs: int) -> float:
    """The rate for a step (counted from 0): from `first` down to `last`.

    `cosine` falls with every step along half a wave, `step` by the same factor after every epoch.
    """
    if schedule == "cosine":
        done = step / (steps_per_epoch * epochs)
        return last + (first - last) * (1 + math.cos(math.pi * done)) / 2
    done = (step // steps_per_epoch) / max(1, epochs - 1)
    return first * (last / first) ** done
