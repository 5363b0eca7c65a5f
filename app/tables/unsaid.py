"""Holds back a play's announcement while a question may change its word or its score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from kibitz.engine.record.history import lines_said
from kibitz.engine.record.ledger import Ledger, tiles_of
from kibitz.engine.record.retold import line_of_move, plays_gone_on
from kibitz.engine.rules import Action, Question

UNSAID: Final = "unsaid"
"""The field of a step that holds the picture whose play is not said yet."""


class HeldAnnouncement:
    """A play not announced yet, and what was announced of an earlier part of it.

    Attributes:
        photo: the picture that showed it; None where everything is said.

    Args:
        photo: the same, as a table's steps hold it.
        apart: whether the game is on two boards that are watched together.
    """

    def __init__(self, photo: int | None, *, apart: bool) -> None:
        self.photo = photo
        self._apart = apart
        self._heard: frozenset[str] = frozenset()
        self._before: Ledger | None = None

    def hold(self, photo: int, before: Ledger, heard: Iterable[str]) -> None:
        """Hold back a play until a question about it is answered.

        Args:
            photo: the picture that shows it.
            before: the game without it.
            heard: what is said of it already.
        """
        self.photo, self._before, self._heard = photo, before, frozenset(heard)

    def parts_announced(self, before: Ledger, after: Ledger, photo: int) -> frozenset[str]:
        """Announcements of an earlier part of a play that goes on in a picture."""
        parts = plays_gone_on(before, after, photo)
        said = [d for d in parts if d.entry.photo != self.photo]
        lines = lines_said(before, said)
        return frozenset(lines) if len(said) == len(parts) else self._heard.union(lines)

    def is_doubted(self, ledger: Ledger, letters: Sequence[Question]) -> bool:
        """True if there is a question about one of its letters."""
        return any(self._is_of_it(ledger, asked.square) for asked in letters)

    def _is_of_it(self, ledger: Ledger, square: object) -> bool:
        """True if the square is part of that play; None stands for the newest play."""
        if square is None:
            return True
        name = str(square)
        if self._apart:  # a play names no board: it is its player's
            name = name.rpartition(":")[2]
        made = (d.entry for d in ledger.done if d.entry.photo == self.photo)
        return any(name in tiles_of(entry) for entry in made if not entry.told)

    def release(self, ledger: Ledger) -> list[str]:
        """Announcements held until the question was answered; they are released."""
        photo, self.photo = self.photo, None
        before, self._before = self._before, None
        made = [d for d in ledger.done if d.entry.photo == photo and not d.entry.told]
        heard, self._heard = self._heard, frozenset()
        lines = lines_said(ledger, made)
        if before is not None and photo is not None:
            lines = [line_of_move(before, ledger, photo), *lines]
        return [line for line in lines if line and line not in heard]

    def with_held(
        self, action: Action, say: tuple[str, ...], ledger: Ledger, letters: Sequence[Question]
    ) -> tuple[str, ...]:
        """Announcements of an action, after those that it releases.

        Args:
            action: what somebody did.
            say: what is said of it by itself.
            ledger: the game with it.
            letters: what is asked about letters after it.
        """
        if self.photo is None or self.is_doubted(ledger, letters):
            return say
        about_it = action.kind in ("answer", "correct") and self._is_of_it(
            ledger, action.data.get("square")
        )
        held = tuple(self.release(ledger))
        # what nobody heard yet is not said to be put right
        return held or say if about_it else (*held, *(x for x in say if x not in held))
