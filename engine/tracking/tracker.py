"""What every tracker can do, and what a picture would mean to it before it is taken in.

A tracker turns views of a table and what people say into a game. It is the only writer of that
game. One board, several joined boards, two boards and loose tiles each have a tracker of their
own; whoever feeds them with pictures, live or photographed before, sees this interface only.
Where a tracker knows less than others, what is said here of it holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Action, Question, Verdict
from kibitz.engine.table import Square
from kibitz.engine.tracking.doubts import NO_DOUBTS, Doubts
from kibitz.engine.tracking.evidence.hypotheses import (
    PHOTO,
    Capture,
    Expectation,
    Finding,
    Seats,
    Task,
)
from kibitz.engine.tracking.evidence.loose_table import UpTile
from kibitz.engine.tracking.evidence.priors import TrackingPriors
from kibitz.engine.tracking.explanations.steadiness import Letters
from kibitz.engine.tracking.why import Evidence

T = TypeVar("T")
S = TypeVar("S")
V = TypeVar("V", contravariant=True)

DOUBTFUL = frozenset({"question", "board_changed", "covered", "unreadable"})
"""Statuses that more patience may clear up: a hand, a play half laid."""


@dataclass(frozen=True, slots=True)
class Preview(Generic[T]):
    """A picture's likely meaning.

    Attributes:
        status: as in the line of `kibitz replay --json`.
        news: whether accepting it would change anything.
        patience: whether it may still be incomplete: a refused word, one that is in no list, a
            hand over the board.
        half_laid: whether it is no play yet that more tiles may make one.
        hidden: whether tiles do not add up, as under an arm.
        weight: how well the picture agrees with what is known to lie there, in nats; only two
            pictures of one moment may be compared by it.
        brought: new tiles, each with its board's number, also those that are no play yet.
        in_line: whether they lie in one line without a gap.
        alone: whether it is a single one where a play may have more: it may be the first of them.
        sound: whether it is a play whose words are all known to be in a list.
        grows: whether they continue the newest play and no other hand laid them.
        before: what knew nothing of the picture yet.
        after: the same with the picture accepted; None if it shows nothing.
    """

    status: str
    news: bool
    patience: bool = False
    half_laid: bool = False
    hidden: bool = False
    weight: float = 0.0
    brought: frozenset[tuple[int, Square]] = frozenset()
    in_line: bool = True
    alone: bool = False
    sound: bool = False
    grows: bool = False
    before: T | None = None
    after: T | None = None


class Tracker(Protocol[V]):
    """Keeps one game from views of its table; `V` is what one picture shows of it.

    Attributes:
        ledger: the game as it most likely went.
        photos: how many pictures were taken in.
        priors: what is believed before any picture.
    """

    ledger: Ledger
    photos: int
    priors: TrackingPriors

    def predict(self) -> tuple[Expectation, ...]:
        """Expected content of each board, and what was last seen; empty if loose."""
        ...

    def match(self, view: V, how: Capture = PHOTO) -> Sequence[object]:
        """Everything that may explain a view, likeliest first; nothing is changed."""
        ...

    def update(self, view: V | None, how: Capture = PHOTO) -> Finding:
        """Take in a picture (None if it shows nothing), and report its meaning."""
        ...

    def preview(self: S, view: V, how: Capture = PHOTO) -> Preview[S]:
        """Result that `update` would have, with the tracker after it."""
        ...

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did."""
        ...

    def question_at(self, photo: int) -> Question | None:
        """Question about a picture; None without one."""
        ...

    def waits_for(self, field: str) -> bool:
        """True if an answer is taken now, as what it is about is known to lie there."""
        ...

    def why(self) -> Evidence:
        """Evidence for the meaning of the newest picture (`engine.tracking.why`)."""
        ...

    def lying_rows(self) -> list[str]:
        """Known position as text, to be given back to `restart`."""
        ...

    def restart(self, ledger: Ledger, rows: Sequence[str] | None, photos: int) -> None:
        """Continue from a known game and position, after undo or a restart."""
        ...

    def put_right(self, ledger: Ledger) -> None:
        """Continue from the game as people corrected it; nothing was moved on the table."""
        ...

    def copy(self: S) -> S:
        """An independent copy."""
        ...

    def tasks(self) -> list[Task]:
        """What the rules want done on the table and was not seen done yet."""
        return []

    def letter_questions(self) -> list[Question]:
        """What is asked about letters, and stays so until a person or a picture answers."""
        return []

    def play_questions(self) -> list[tuple[int, Question]]:
        """What is asked about plays until a person answers, with the picture that showed each."""
        return []

    def finish(self) -> list[str]:
        """What was told and never came to hold, in words."""
        return []

    @property
    def is_disturbed(self) -> bool:
        """Whether something on the boards is not as it was told, and waits for hands."""
        return False

    @property
    def asked_tile(self) -> UpTile | None:
        """The loose tile that is asked about, as it was seen last."""
        return None

    @property
    def seats(self) -> Seats:
        """Who sits where, as far as people and pictures told; each tracker knows."""
        ...

    @property
    def known_seats(self) -> Seats | None:
        """The same; None where seats say nothing about turns."""
        return self.seats

    def side_of(self, player: str) -> str | None:
        """At which side of the picture a player sits, as far as is known."""
        return self.seats.side_of(player)

    def sit(self, seats: Seats, hands: Mapping[int, str] | None = None) -> None:
        """Take people to sit so, beside what their plays tell.

        Args:
            seats: what is known without the plays of this game.
            hands: the side that the hand of each picture came from; None: as known.
        """
        ...

    def told_seat(self, player: str, side: str) -> None:
        """Take in where people say that a player sits."""
        self.sit(self.seats.with_told(player, side))

    def letters(self) -> Letters:
        """What is known of letters beside what lies there, to be given back to `recall`."""
        return Letters()

    def recall(self, letters: Letters) -> None:  # noqa: ARG002 - of loose tiles what lies there says it
        """Know of letters what was kept; what was known since is forgotten."""
        return

    def doubts(self) -> Doubts:
        """What else the pictures may have shown, to be given back to `remember`."""
        return NO_DOUBTS

    def remember(self, doubts: Doubts) -> None:  # noqa: ARG002 - nothing where no doubts are kept
        """Know again what else the pictures may have shown."""
        return
