"""What goes wrong in a call, told to the person who made it."""

from __future__ import annotations


class UsageError(Exception):
    """The call itself is wrong (exit code 2); the message says what was expected."""


class CommandError(Exception):
    """Something asked for could not be done (exit code 1)."""
