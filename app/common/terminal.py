"""Output: results to standard output, the rest to standard error, without control characters.

Names of files and players come from strangers. A character in them that moves the cursor, turns
the direction of writing or begins a new line is written as its
number in the form of JSON, which reads it back as the very same name.
"""

from __future__ import annotations

import io
import logging
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TextIO, TypeVar

from kibitz.app.common.limits import LISTS, WAITS
from kibitz.app.languages.catalogues import said

_UNSEEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, except the tab and the end of a line
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the direction of writing
    r"\u2028\u2029"  # other ends of lines
    r"\ud800-\udfff"  # half characters: no terminal and no file takes them
)
_COLOUR = r"\x1b\[[0-9;]{0,8}m"
"""The one sequence that our own drawings use."""
_DRAWN = re.compile(rf"({_COLOUR})|[{_UNSEEN}]")
_NAMED = re.compile(rf"[\t\n{_UNSEEN}]")


Item = TypeVar("Item")
PROGRESS = "kibitz"
"""The log that lines for people go to where a program reads them."""


def shown(text: object) -> str:
    """The text on one line, with control characters escaped."""
    return _NAMED.sub(lambda m: _escaped(m[0]), str(text))


def drawn(text: str) -> str:
    """A text of several lines in our own colours, with other control sequences escaped."""
    return _DRAWN.sub(lambda m: m[1] or _escaped(m[0]), text)


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}"


def print_result(text: str) -> None:
    """Print a result line and flush, so that a reader at the other end of a pipe sees it."""
    sys.stdout.write(drawn(text) + "\n")
    sys.stdout.flush()


def silent(_text: str) -> None:
    """Ignore the progress line."""


class LogHandler(logging.StreamHandler[TextIO]):
    """Log handler for a server whose output programs read."""


def show_progress(text: str, level: int = logging.INFO) -> None:
    """Print a progress line to standard error.

    Args:
        text: the line.
        level: how grave it is, for programs that read the log of a server.
    """
    log = logging.getLogger(PROGRESS)
    if any(isinstance(handler, LogHandler) for handler in log.handlers):
        log.log(level, "%s", said(text))
        return
    sys.stderr.write(shown(said(text)) + "\n")
    sys.stderr.flush()


def show_count(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yield items while showing how many are done.

    A bar at a terminal; else a line now and then, and none of what is soon done.

    Args:
        items: the things.
        what: what is done with them, as `bringing tables up to date`.
    """
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track

        yield from track(items, what, console=Console(stderr=True), transient=True)
        return
    said_at = time.monotonic()
    for done, item in enumerate(items):
        if time.monotonic() - said_at > WAITS.soon_s:
            said_at = time.monotonic()
            show_progress(f"{what}: {done} of {len(items)}")
        yield item


class _Guarded(io.TextIOWrapper):
    """A stream that escapes control characters in what libraries and the help print."""

    def write(self, text: str) -> int:
        """Write the text with control characters escaped."""
        super().write(drawn(text))
        return len(text)


def guard_streams() -> None:
    """Escape control characters in both output streams; those taken by tests are left alone."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if type(stream) is io.TextIOWrapper:
            stream.flush()
            facts = stream.encoding, "backslashreplace", None, stream.line_buffering
            setattr(sys, name, _Guarded(stream.detach(), *facts))


@dataclass(frozen=True, slots=True)
class LogRule:
    """Limits on repeated log messages.

    Attributes:
        again_s: until it is said again that a trouble, or a long run, goes on.
        most: so many messages are known again.
    """

    again_s: float = 30.0
    most: int = LISTS.held


LOGS: Final = LogRule()


class RepeatLimiter:
    """Reports a recurring problem when it begins, then only now and then."""

    def __init__(self, rule: LogRule | None = None) -> None:
        self._rule = rule or LOGS
        self._told: dict[str, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def worth(self, trouble: str, now: float | None = None) -> str | None:
        """The line to write, with the count of omitted ones; None: it was written just now."""
        at = time.monotonic() if now is None else now
        with self._lock:
            since, left_out = self._told.get(trouble, (None, 0))
            if since is not None and at - since < self._rule.again_s:
                self._told[trouble] = since, left_out + 1
                return None
            if len(self._told) >= self._rule.most:
                self._told.pop(next(iter(self._told)))
            self._told.pop(trouble, None)
            self._told[trouble] = at, 0
        return f"{trouble} ({left_out} times more since)" if left_out else trouble

    def tell(self, trouble: str) -> None:
        """Show a line as progress, unless the same was shown just before."""
        line = self.worth(trouble)
        if line is not None:
            show_progress(line, logging.WARNING)


class RepeatFilter(logging.Filter):
    """Log filter that drops repeated lines, so that outsiders cannot fill the log."""

    def __init__(self, rule: LogRule | None = None) -> None:
        super().__init__()
        self._sparing = RepeatLimiter(rule)

    def filter(self, record: logging.LogRecord) -> bool:
        """True if the record is to be written."""
        line = self._sparing.worth(record.getMessage())
        if line is None:
            return False
        record.msg, record.args = line, ()
        return True
