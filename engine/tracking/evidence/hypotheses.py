"""What is known of a board: games that may have led to its pictures, each with its weight.

A photograph rarely leaves a doubt, but where it does, what comes next tells: a tile that was
missed, a shadow taken for a tile, a hand over half a word. So several hypotheses are kept side
by side, each a whole game with its own ledger, and the likeliest counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Change, Question, Refused
from kibitz.engine.table import Grid, Square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.evidence.seats import NOBODY, Seats


@dataclass(frozen=True, slots=True)
class Capture:
    """How a picture came about.

    Attributes:
        live: out of a film, where a play may be half laid; else somebody took a photograph of
            a position that was complete.
        soon: whether the last play was announced only a moment before something moved again, so
            that it may not have been complete.
        pause_s: seconds from the announcement of the last play to this picture; None where that is
            not known.
        side: the side of the picture that the hand came from; None where nobody saw.
        asked: somebody at a live table asked for it: what lies there is complete.
        hand: whether an arm lies beside the board, and so may reach over its rim.
    """

    live: bool = False
    soon: bool = False
    pause_s: float | None = None
    side: str | None = None
    asked: bool = False
    hand: bool = False

    @property
    def attended(self) -> bool:
        """Whether people are there who see what Kibitz says, and may answer."""
        return self.live or self.asked


PHOTO = Capture()


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the kind of game says about its board, and what is believed of any.

    Attributes:
        most_tiles: how many tiles one play may have.
        facing: each tile is upright for one of two players who sit opposite each other.
        colours: how many tile sets lie mixed, told apart by their colour.
        counts: how often each letter may lie at most; None where nobody knows.
        cards: cards may lie over squares.
        priors: what is believed before any picture.
        board: which board of the game it is, from 0; None where the game has only one.
    """

    most_tiles: int
    facing: bool
    colours: int
    counts: Mapping[str, int] | None
    cards: bool
    priors: TrackingPriors = PRIORS
    board: int | None = None

    @property
    def most_parted(self) -> int:
        """Tiles that are parted into plays unasked: as many as two whole plays have."""
        return 2 * self.most_tiles


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture of one board, and what kind of table it shows.

    Attributes:
        photo: its number.
        view: what every square shows.
        facts: what kind of table it is.
        lasting: squares that looked like tiles all along, and how much
            (`engine.tracking.interpretation`).
        carded: squares that looked like a ship card in the picture before.
        how: how it was taken.
        seats: who sits where, as far as is known.
        pauses: `how.pause_s` of each picture before, by its number.
    """

    photo: int
    view: BoardView
    facts: TableFacts
    lasting: Mapping[Square, float] = field(default_factory=dict)
    carded: frozenset[Square] = frozenset()
    how: Capture = PHOTO
    seats: Seats = NOBODY
    pauses: Mapping[int, float | None] = field(default_factory=dict)

    @property
    def priors(self) -> TrackingPriors:
        """What is believed before any picture."""
        return self.facts.priors

    def pause_since(self, photo: int) -> float | None:
        """Seconds from the announcement of a picture to this one; None where that is not known."""
        pause = self.how.pause_s
        for number in range(photo + 1, self.photo):
            more = self.pauses.get(number)
            pause = None if pause is None or more is None else pause + more
        return pause


@dataclass(frozen=True, slots=True)
class Finding:
    """What one picture was taken to show.

    Attributes:
        photo: its number in the series.
        status: the `status` of its line.
        laid: new tiles, `?` for a blank; on squares where the same letter stayed, none.
        plays: the new squares of each play, in order.
        removed: squares that were cleared.
        turned: squares whose tile was turned round.
        question: what only a person can tell.
        refused: why the tiles seen are no play.
        not_laid: the tiles seen that are no play.
        note: a word for people.
        missed: squares where an explosion wanted something done that was not done before this
            play.
        due_cards: ship cards that were to be laid before this play and do not lie there.
        wrong_card: where a ship card lies that belongs elsewhere.
        merged: whether the play holds an earlier one, which was told before it was complete.
    """

    photo: int
    status: str
    laid: Mapping[Square, str] = field(default_factory=dict)
    plays: tuple[frozenset[Square], ...] = ()
    removed: tuple[Square, ...] = ()
    turned: tuple[Square, ...] = ()
    question: Question | None = None
    refused: Refused | None = None
    not_laid: Mapping[Square, str] = field(default_factory=dict)
    note: str = ""
    missed: tuple[Square, ...] = ()
    due_cards: tuple[frozenset[Square], ...] = ()
    wrong_card: tuple[Square, ...] = ()
    merged: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """Tiles seen that are no play yet: a hand hides the rest, or the rules refuse them.

    `views` are those of the picture in which they were refused, `weight` what the refusal cost,
    `change` what the rules were told of them. With `anew` the game was taken up again since, and
    the same picture may be looked at once more: that they lie there still says nothing.
    """

    tiles: Mapping[Square, str]
    refused: Refused | None = None
    views: Mapping[Square, SquareView] = field(default_factory=dict)
    weight: float = 0.0
    change: Change = field(default_factory=Change)
    anew: bool = False


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The newest play that may still be taken off: its squares, picture and entry."""

    squares: frozenset[Square]
    photo: int
    entry: int


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One game that may have led to the pictures.

    Attributes:
        ledger: what was done, and so the state of the game.
        lying: the tiles that are thought to lie on the board, which is not always what the
            rules expect (exploded tiles stay until somebody lifts them).
        weight: log probability against nothing ever having happened.
        findings: one for each picture so far.
        views: for each tile, every view of it since it was laid.
        last: the newest play.
        waiting: tiles that are no play yet.
        cards: ship cards that the rules want laid and that were not seen yet.
        clearing: the tiles gone from a board that is being cleared.
        touched: squares where a hand may have hidden more of a play, with its picture.
    """

    ledger: Ledger
    lying: Grid
    weight: float = 0.0
    findings: tuple[Finding, ...] = ()
    views: Mapping[Square, tuple[SquareView, ...]] = field(default_factory=dict)
    last: LastPlay | None = None
    waiting: Waiting | None = None
    cards: tuple[frozenset[Square], ...] = ()
    clearing: frozenset[Square] = frozenset()
    touched: Mapping[Square, int] = field(default_factory=dict)

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.ledger.state


@dataclass(frozen=True, slots=True)
class Expected:
    """A position that a picture may start from: as it was, with a play gone, put right.

    `whole` holds the squares of a play that was announced too early: only a single play that
    holds them all and more is looked for then. `taken` is the play that is taken off.
    With `clearing` no new tiles are looked for: the board is being cleared.
    """

    hypothesis: Hypothesis
    ledger: Ledger
    lying: Grid
    weight: float
    finding: Finding
    last: LastPlay | None
    whole: frozenset[Square] = frozenset()
    taken: LastPlay | None = None
    clearing: bool = False


@dataclass(frozen=True, slots=True)
class Puzzle:
    """New tiles that are no single play, to be parted only if that could be the likeliest.

    Attributes:
        expected: what they are new to.
        squares: where they lie.
        refused: why they are no single play.
        most: the weight that no parting of them can exceed.
    """

    expected: Expected
    squares: frozenset[Square]
    refused: Refused | None
    most: float
