"""What every tracker can do: predict, match, update; which one keeps which kind of game.

A tracker turns views of a table and what people say into a game. It is the only writer of that
game. One board, several joined boards, two boards and loose tiles each have a tracker of their
own; whoever feeds them with pictures, live or photographed before, sees this interface only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.rules import Action, Question, Verdict
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture, Expectation, Finding, Task
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.loose_tracker import LooseTracker
from kibitz.engine.tracking.memory import Memory
from kibitz.engine.tracking.preview import Preview
from kibitz.engine.tracking.two_board_tracker import TwoBoardTracker, two_boards
from kibitz.engine.tracking.why import Explanation

V = TypeVar("V", contravariant=True)
S = TypeVar("S")


class Tracker(Memory, Protocol[V]):
    """Keeps one game from views of its table; `V` is what one picture shows of it."""

    @property
    def priors(self) -> TrackingPriors:
        """What is believed before any picture."""
        ...

    @property
    def ledger(self) -> Ledger:
        """The game as it most likely went."""
        ...

    @property
    def photos(self) -> int:
        """How many pictures were taken in."""
        ...

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

    def tasks(self) -> list[Task]:
        """What the rules want done on the table and was not seen done yet."""
        ...

    def letter_questions(self) -> list[Question]:
        """What is asked about letters, and stays so until a person or a picture answers."""
        ...

    def play_questions(self) -> list[tuple[int, Question]]:
        """What is asked about plays until a person answers, with the picture that showed each."""
        ...

    def waits_for(self, field: str) -> bool:
        """True if an answer is taken now, as what it is about is known to lie there."""
        ...

    @property
    def is_disturbed(self) -> bool:
        """Whether something on the boards is not as it was told, and waits for hands."""
        ...

    def why(self) -> Explanation:
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

    def finish(self) -> list[str]:
        """What was told and never came to hold, in words."""
        ...


def open_tracker(
    opening: Opening,
    counts: Mapping[str, int] | None = None,
    priors: TrackingPriors = PRIORS,
) -> BoardTracker | TwoBoardTracker | LooseTracker:
    """The tracker for a game.

    Args:
        opening: the game, its players and settings.
        counts: tiles of each letter in one set; None where nobody knows.
        priors: what is believed before any picture.
    """
    if opening.game.info.surface.kind == "loose":
        return LooseTracker(opening, counts, priors)
    if two_boards(opening):
        return TwoBoardTracker(opening, counts, priors)
    return BoardTracker(opening, counts, priors)
