"""Errors with causes outside the program: reported in one line, without a traceback."""


class TrainingError(Exception):
    """Input that cannot be used, or a network that cannot be written. The message says which and why."""
