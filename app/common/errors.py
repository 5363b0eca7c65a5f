"""What Kibitz itself refuses, told to the person or the program that asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

NO_ENTRY: Final = 4401
"""The code with which a server closes the socket of a link that opens nothing, or no more."""
_OPTION = re.compile(r"'kibitz [^']*'|--([a-z]+(?:-[a-z]+)*)")
"""An option, or a command to be typed, in which options stay as they are."""
_ARGUMENTS = {
    "set": "settings",
    "from": "dictionary",
    "print_markers": "'kibitz calibrate --print-markers'",
}
"""Options that a program knows by another name, or that are only the command line's."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why one of several things could not be read or played, where the others are.

    Attributes:
        code: a stable name, `file_not_found` for instance.
        message: what was expected, what came, and what to do.
    """

    code: str
    message: str


class KibitzError(Exception):
    """Something that Kibitz refuses: says what was expected, what came, and what to do.

    Where a message is about an argument, a program is told the argument (`tiles: ...`), and the
    command line its option (`--tiles: ...`).

    Attributes:
        on_command_line: the message as the command line says it.
    """

    def __init__(self, message: str, *, on_command_line: str | None = None) -> None:
        super().__init__(message)
        self.on_command_line = message if on_command_line is None else on_command_line


class UsageError(KibitzError):
    """The call itself is wrong (exit code 2)."""


class CommandError(KibitzError):
    """Something asked for could not be done (exit code 1): a file, a model, the storage."""


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
        """Errors travel between processes."""
        return type(self), (self.file, self.code, self.message)


def for_programs(call: Callable[P, R]) -> Callable[P, R]:
    """A call whose refusals name its arguments instead of options."""

    @wraps(call)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return call(*args, **kwargs)
        except UsageError as error:
            raise told_to_programs(error) from None
        except CommandError as error:
            if type(error) is not CommandError:
                raise
            line = error.on_command_line
            raise CommandError(_in_arguments(error), on_command_line=line) from error.__cause__

    return called


def told_to_programs(error: UsageError) -> UsageError:
    """The same refusal in the words of a program."""
    return UsageError(_in_arguments(error), on_command_line=error.on_command_line)


def _in_arguments(error: KibitzError) -> str:
    return _OPTION.sub(_argument, str(error))


def _argument(option: re.Match[str]) -> str:
    if option[1] is None:
        return option[0]
    name = option[1].replace("-", "_")
    return _ARGUMENTS.get(name, name)
