"""What a tracker knows beside its game: who sits where, letters, what pictures else may show.

As here of a tracker that knows no more than where people sit; one that does says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from kibitz.engine.tracking.doubts import NO_DOUBTS, Doubts
from kibitz.engine.tracking.evidence.hypotheses import Seats
from kibitz.engine.tracking.evidence.loose_table import UpTile
from kibitz.engine.tracking.explanations.steadiness import Letters


class Memory(Protocol):
    """What is kept with a game, and given back after undo or a restart."""

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
        """Take people to sit so.

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

    def recall(self, letters: Letters) -> None:  # noqa: ARG002 - nothing is kept beside the game
        """Know of letters what was kept; of loose tiles what lies there says it."""
        return

    def doubts(self) -> Doubts:
        """What else the pictures may have shown, to be given back to `remember`."""
        return NO_DOUBTS

    def remember(self, doubts: Doubts) -> None:  # noqa: ARG002 - as above
        """Know again what else the pictures may have shown; nothing where no doubts are kept."""
        return

    @property
    def asked_tile(self) -> UpTile | None:
        """The loose tile that is asked about, as it was seen last."""
        return None
