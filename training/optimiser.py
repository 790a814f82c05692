"""AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019) and the learning rate over a run."""

import math

import numpy as np

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
        mean_share = np.float32(1 - MOMENTUM**number)
        square_share = np.float32(1 - SQUARE_MOMENTUM**number)
        for name, weight in weights.items():
            mean, square, slope = self.mean[name], self.square[name], gradient[name]
            mean += np.float32(1 - MOMENTUM) * (slope - mean)
            square += np.float32(1 - SQUARE_MOMENTUM) * (slope * slope - square)
            if not name.endswith("bias"):
                weight *= np.float32(1 - rate * self.decay)
            weight -= np.float32(rate) * (mean / mean_share) / (np.sqrt(square / square_share) + np.float32(EPSILON))


def learning_rate(schedule: str, first: float, last: float, step: int, steps_per_epoch: int, epochs: int) -> float:
    """The rate for a step (counted from 0): from `first` down to `last`.

    `cosine` falls with every step along half a wave, `step` by the same factor after every epoch.
    """
    if schedule == "cosine":
        done = step / (steps_per_epoch * epochs)
        return last + (first - last) * (1 + math.cos(math.pi * done)) / 2
    done = (step // steps_per_epoch) / max(1, epochs - 1)
    return first * (last / first) ** done
