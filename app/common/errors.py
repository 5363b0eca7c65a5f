"""Errors that Kibitz raises for the person or program that asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NO_ENTRY: Final = 4401
"""The code with which a server closes the socket of a link that opens nothing, or no more."""


class Option(str):
    """Name of an argument, which the command line shows as an option.

        UsageError(Option("tiles"), ": there is no tile set 'x'")

    Attributes:
        typed: how it is typed there.
    """

    typed: str

    def __new__(cls, name: str, typed: str = "") -> Option:
        """Make the name of an argument, and its option where that has another name."""
        made = super().__new__(cls, name)
        made.typed = typed or f"--{name.replace('_', '-')}"
        return made


@dataclass(frozen=True, slots=True)
class Problem:
    """Why one of several files could not be read or played.

    Attributes:
        code: a stable name, `file_not_found` for instance.
        message: what was expected, what came, and what to do.
    """

    code: str
    message: str


class KibitzError(Exception):
    """Base of Kibitz's errors; says what was expected, what came, and what to do.

    A message names arguments as a program has them (`tiles: ...`); the command line says its
    options (`--tiles: ...`).

    Args:
        parts: the message, in which arguments are `Option`s.
    """

    def __init__(self, *parts: str) -> None:
        super().__init__(*parts)
        self._parts = parts

    def __str__(self) -> str:
        return "".join(self._parts)

    @property
    def on_command_line(self) -> str:
        """The message with arguments named as options (`--tiles`)."""
        if len(self._parts) == 1:
            return self._parts[0]  # it may be a phrase, to be said in any language
        return "".join(x.typed if isinstance(x, Option) else x for x in self._parts)


class UsageError(KibitzError):
    """The call itself is wrong (exit code 2)."""


class CommandError(KibitzError):
    """A requested action failed (exit code 1): a file, a model, the storage."""


class PictureUnreadable(KibitzError):
    """A picture could not be read.

    Attributes:
        file: the picture's name.
        code: a stable name, as in the `error` of a line of `kibitz read --json`.
        message: what was expected, what came, and what to do.
    """

    def __init__(self, file: str, code: str, message: str) -> None:
        super().__init__(message)
        self.file = file
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[PictureUnreadable], tuple[str, str, str]]:
        """Pickle the error with its arguments, as errors travel between processes."""
        return type(self), (self.file, self.code, self.message)
