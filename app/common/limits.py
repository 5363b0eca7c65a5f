"""Limits that several parts share: times that are waited for, lengths of lists, sizes of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ListRule:
    """Lengths of lists that are shown or held.

    Attributes:
        page: of a long list, read or shown together.
        first: shown of a list of which the rest is seldom read.
        best: named in a summary: the best, or some of all.
        held: ready, of what was worked out and is soon asked for again.
    """

    page: int = 200
    first: int = 40
    best: int = 12
    held: int = 256


LISTS: Final = ListRule()


@dataclass(frozen=True, slots=True)
class FileLimits:
    """Size limits of files and documents.

    Attributes:
        read_bytes: of a picture, scenarios, tile sets, what people say, GCG, and of one message.
        words_bytes: of a word list, also unpacked; the largest have 45 million.
        game_bytes: of a game's film, or of all that its zip holds.
        depth: of JSON that a caller sends, one in another.
        lists: of words, in memory; an archive may bring many.
    """

    read_bytes: int = 20_000_000
    words_bytes: int = 100_000_000
    game_bytes: int = 8_000_000_000
    depth: int = 8
    lists: int = 8


LIMITS = FileLimits()


@dataclass(frozen=True, slots=True)
class WaitRule:
    """Timeouts and polling intervals in seconds, one for each kind of wait.

    Attributes:
        moment_s: between two looks whether a wait was called off, or is over.
        look_s: between two looks at what changes by itself: a folder, a clock.
        soon_s: until a camera, an address or a database says something; people hear within five.
        answer_s: until another program has answered: a server, which reads a photograph in that,
            a webhook, a cluster; no older call is believed.
        alive_s: of silence after which a page or a broker gets a sign of life.
        shown_s: for which each picture of a game is shown, in a film and in the demo.
        air_s: that spectators may be behind a table, at most.
    """

    moment_s: float = 0.1
    look_s: float = 0.25
    soon_s: float = 4.0
    answer_s: float = 30.0
    alive_s: int = 20
    shown_s: float = 2.0
    air_s: int = 900


WAITS: Final = WaitRule()


@dataclass(frozen=True, slots=True)
class RetryRule:
    """Pauses between tries to reach a camera, webhook or broker that failed.

    Attributes:
        first_s: before the first try; each failure doubles it.
        longest_s: the most that they grow to.
    """

    first_s: float = 1.0
    longest_s: float = WAITS.answer_s

    def after(self, pause_s: float) -> float:
        """The pause that follows a pause which did not help, in seconds."""
        return min(self.longest_s, 2 * pause_s)


RETRY: Final = RetryRule()
