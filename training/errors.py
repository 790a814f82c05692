"""Errors with causes outside the program: reported in one line, without a traceback."""

import os
import sys
from collections.abc import Callable

#: Exit code for input that cannot be used.
BAD_INPUT = 2


class TrainingError(Exception):
    """Input that cannot be used, or a network that cannot be written. The message says which and why."""


def exit_code(program: str, run: Callable[[], int]) -> int:
    """What `run` returns, or `BAD_INPUT` after reporting that its input cannot be used.

    A reader of the output that stops early (`| head`) ends the run, and is no error.
    """
    try:
        code = run()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # What is not written yet would fail once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except TrainingError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return BAD_INPUT
