"""Results go to standard output, everything else to standard error."""

from __future__ import annotations

import sys


def print_result(text: str) -> None:
    """Write a result line at once, so that a reader at the other end of a pipe sees it."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def silent(_text: str) -> None:
    """Where nobody watches."""


def show_progress(text: str) -> None:
    """Write a line for people who watch; never a result."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
