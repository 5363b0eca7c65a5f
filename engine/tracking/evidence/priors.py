"""Weights of a tracker, each with unit and bounds.

Weights are natural logs of probabilities (nats): what is negative speaks against something. A
tracker takes all of them in its constructor; nothing else in `engine.tracking` steers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kibitz.engine.parameters import checked, number

LETTERS: Final = 27
"""From A to Z and a blank: among so many an error is spread. Sets have a few more or fewer."""


@dataclass(frozen=True, slots=True)
class ReadingPriors:
    """Trust in a reader, which is more often sure than right."""

    misread: float = number(
        0.2, "probability", 0.0, 0.9, "how often a letter is taken for another, however sure"
    )
    missed: float = number(
        0.002,
        "probability",
        1e-6,
        0.2,
        "how often a tile is not seen, seen where none lies, or seems to face another way",
    )
    sure: float = number(
        0.9, "probability", 0.0, 1.0, "what pictures say as surely as this is taken as it is"
    )

    @property
    def chance(self) -> float:
        """Probability of any letter without visual evidence; words alone do not decide it."""
        return self.misread / LETTERS

    @property
    def overlooked(self) -> float:
        """Probability of any letter on a square where no tile was seen."""
        return self.missed / LETTERS

    @property
    def maybe(self) -> float:
        """Probability below which something counts as ruled out."""
        return 1.0 - self.sure


@dataclass(frozen=True, slots=True)
class HandPriors:
    """Weights of plays that may go on under a hand."""

    more_below: float = number(-0.7, "nats", -20, 0, "tiles at a hand are part of a longer play")
    complete: float = number(
        -1.5,
        "nats",
        -20,
        0,
        "tiles at a hand, or waited with for one, are a whole play all the same",
    )


@dataclass(frozen=True, slots=True)
class PlayPriors:
    """Frequencies of what pictures may seem to show."""

    seldom: float = number(
        -3.5,
        "nats",
        -20,
        0,
        "the last play is taken off again, tiles that an explosion lifted are laid back, or one "
        "of either lies there anew; each play beyond the first between two pictures; each tile "
        "more than the set has",
    )
    went_on: float = number(
        4.0,
        "nats",
        0,
        20,
        "who reaches over the board at once after a play goes on with it, as does a tile where a "
        "hand was beside it",
    )
    overruled: float = number(
        -1.0,
        "nats",
        -20,
        0,
        "a refused word counts, or a change has another than its first meaning",
    )
    phony: float = number(
        -4.0,
        "nats",
        -40,
        0,
        "a play refused for its words, half laid, or people say what is refused",
    )
    bad_word: float = number(
        -2.5, "nats", -20, 0, "each word outside the list, each tile refused that still lies there"
    )
    clear: float = number(
        3.0,
        "nats",
        0,
        20,
        "so much says what speaks clearly, or more so than before: a square, a letter, a loose "
        "tile's place",
    )
    most_lasting: float = number(8.0, "nats", 0, 40, "the most that may be taken off for that")


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of the search for explanations; wider ones cost time for unlikelier results."""

    worst_kept: float = number(
        12.0,
        "nats",
        1,
        100,
        "what is so much less likely is dropped: games, sets of squares, tiles where the rules "
        "allow none",
    )
    tried: int = number(
        8, "count", 1, 100, "games kept, sets of squares, and ways to letter them that are tried"
    )
    plays_at_once: int = number(6, "count", 1, 9, "plays between two pictures")
    looked_through: int = number(
        400,
        "count",
        1,
        10000,
        "ways to letter a word, beginnings of several plays, and ways to place parts of a board",
    )
    pictures_compared: int = number(3, "count", 1, 9, "pictures in which a false tile shows")
    offered: int = number(6, "count", 1, 26, "answers offered to a question")

    @property
    def within(self) -> float:
        """Log likelihood gap beyond which letters and combinations are left out."""
        return self.worst_kept / 2


@dataclass(frozen=True, slots=True)
class LetterPriors:
    """When a letter is corrected, asked about, or settled by similar tiles."""

    sure: float = number(
        0.6, "nats", 0, 20, "another letter must agree so much better to be taken"
    )
    witnesses: float = number(
        1.25, "count", 1, 9, "independent pictures that all pictures of a tile count as"
    )
    asked: float = number(
        1.5,
        "nats",
        0,
        20,
        "letters, one play and two, or orders of plays no further apart are asked about; letters "
        "of a row that fall no further short, on average, may be those of a known word",
    )
    by_count: float = number(
        0.7, "share", 0, 2, "how much a set's tiles of each letter say of a doubtful one"
    )
    twins: float = number(
        0.97, "correlation", -1, 1, "so alike look tiles of one letter where nothing tells it"
    )
    bare_alike: float = number(
        0.6, "correlation", -1, 1, "a bare tile looks no more than this like one with a letter"
    )
    per_likeness: float = number(
        30.0, "nats", 0, 200, "what a whole step of correlation between two examples says"
    )
    most_said: float = number(4.0, "nats", 0, 20, "the most that one comparison says")
    alone: float = number(
        1.4, "nats", 0, 20, "the most that an only example says, for its letter or against it"
    )
    alone_slope: float = number(
        20.0, "nats", 0, 200, "what a step of correlation below that takes from it"
    )


@dataclass(frozen=True, slots=True)
class LoosePriors:
    """When loose tiles and rows are taken for known ones."""

    new_tile: float = number(6.0, "nats", 0, 60, "a tile unlike all known ones by more is new")


@dataclass(frozen=True, slots=True)
class PeoplePriors:
    """Frequencies of what people do with tiles beside laying plays."""

    one_play: float = number(
        2.5, "nats", 0, 20, "tiles that go on with a play told just now are part of it"
    )
    each_second: float = number(
        0.35, "nats a second", 0, 20, "so much less likely with each second since it was told"
    )
    seat_turns: int = number(
        2, "plays", 1, 20, "a player sits at the side that so many more came from than from others"
    )
    same_side: float = number(
        3.0, "nats", 0, 20, "a hand from a player's side is that player's, and nobody else's"
    )
    cleared: float = number(-7.0, "nats", -40, 0, "the board is cleared in the middle of a game")
    cleared_tiles: int = number(
        4,
        "tiles",
        2,
        100,
        "so many gone at once, older ones among them, are a board being cleared",
    )


READING = ReadingPriors()
PLAYS = PlayPriors()
SEARCH = SearchLimits()


@dataclass(frozen=True, slots=True)
class TrackingPriors:
    """All weights of a tracker."""

    reading: ReadingPriors = READING
    hands: HandPriors = HandPriors()
    plays: PlayPriors = PLAYS
    search: SearchLimits = SEARCH
    letters: LetterPriors = LetterPriors()
    loose: LoosePriors = LoosePriors()
    people: PeoplePriors = PeoplePriors()

    def __post_init__(self) -> None:
        for group in (
            self.reading,
            self.hands,
            self.plays,
            self.search,
            self.letters,
            self.loose,
            self.people,
        ):
            checked(group)


PRIORS = TrackingPriors()
"""The usual ones."""
