"""Errors with causes outside the program: reported in one line, without a traceback."""

import sys
from collections.abc import Callable

#: Exit code for input that cannot be used.
BAD_INPUT = 2


class TrainingError(Exception):
    """Input that cannot be used, or a network that cannot be written. The message says which and why."""


def exit_code(program: str, run: Callable[[], int]) -> int:
    """What `run` returns, or `BAD_INPUT` after reporting that its input cannot be used."""
    try:
        return run()
    except TrainingError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return BAD_INPUT
