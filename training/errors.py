"""Errors with causes outside the program: reported in one line, without a traceback."""

import os
import sys
from collections.abc import Callable

#: Exit code for input that cannot be used.
BAD_INPUT = 2


class TrainingError(Exception):
    """Input that cannot be used, or a network that cannot be written. The message says which and why."""


def exit_code(program: str, run: Callable[[], int], *, only_prints: bool = False) -> int:
    """What `run` returns, or `BAD_INPUT` after reporting that its input cannot be used.

    A reader of the output that stops early (`| head`) is no error if the output is all that the run makes.
    """
    try:
        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # What is not written yet would fail once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if only_prints:
            return 0
        print(f"{program}: ended, since nobody reads its output", file=sys.stderr)
        return BAD_INPUT
    except TrainingError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return BAD_INPUT
