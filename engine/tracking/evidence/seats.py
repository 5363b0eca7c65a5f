"""Who sits where: learnt from the sides that hands come from, or told; evidence of whose turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kibitz.engine.tracking.evidence.priors import PRIORS, PeoplePriors

SIDES = ("top", "right", "bottom", "left")
"""The sides of the camera's picture."""


CLOCKWISE = ("bottom", "left", "top", "right")
"""The sides in the order in which players sit from the first one on, the bottom of the picture."""


@dataclass(frozen=True, slots=True)
class Seats:
    """At which side of the picture each player sits.

    Attributes:
        seen: how often a play of each player came from each side.
        told: the sides that people said.
        reaching: people said that somebody reached over from another side; from then on a hand
            from elsewhere says nothing against a player.
    """

    seen: Mapping[tuple[str, str], int] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    reaching: bool = False

    def with_told(self, player: str, side: str) -> Seats:
        """With what people said; who was thought to sit there sits nowhere known."""
        told = {p: s for p, s in self.told.items() if s != side}
        return replace(self, told={**told, player: side})

    def knows(self, player: str) -> bool:
        """Whether anything is known of where a player sits."""
        return player in self.told or any(player == p for p, _ in self.seen)

    def side_of(self, player: str, priors: PeoplePriors = PRIORS.people) -> str | None:
        """Where a player sits; None as long as too few plays, or no clear side, tell."""
        if player in self.told:
            return self.told[player]
        votes = {side: n for (who, side), n in self.seen.items() if who == player}
        best = max(votes, key=lambda side: votes[side], default=None)
        if best is None or best in self.told.values():
            return None
        return best if 2 * votes[best] - sum(votes.values()) >= priors.seat_turns else None

    def says(self, side: str | None, player: str, priors: PeoplePriors = PRIORS.people) -> float:
        """What a hand from a side says for its being a player's, in nats; 0 if nothing is known.

        Args:
            side: where the hand came from; None if nobody saw.
            player: whose hand it may be.
            priors: when a seat is known, and what it says.
        """
        if side is None:
            return 0.0
        against = 0.0 if self.reaching else -priors.same_side
        own = self.side_of(player, priors)
        if own is not None:
            return priors.same_side if own == side else against
        before = {s for p, s in self.seen if p == player}
        if before and side not in before:
            return against  # not where this player's hands came from so far
        others = {p for p, _ in self.seen if p != player} | (set(self.told) - {player})
        if any(self.side_of(p, priors) == side for p in others):
            return against
        if any(s == side for p, s in self.seen if p != player):
            return 0.0  # both reached over from there
        return priors.same_side / 2 if side in before else 0.0  # others may reach over too

    def owner_of(
        self, side: str | None, players: tuple[str, ...], priors: PeoplePriors = PRIORS.people
    ) -> str | None:
        """Who sits at a side, where just one player does."""
        there = [p for p in players if side is not None and self.side_of(p, priors) == side]
        return there[0] if len(there) == 1 else None


def sides_of(players: int) -> tuple[str, ...]:
    """The sides of the picture where so many sit, clockwise; none where two share a side."""
    return CLOCKWISE[:: 4 // players] if players in (2, 4) else ()


def around(players: tuple[str, ...], seats: Seats) -> tuple[str, ...]:
    """The players in the order in which they sit, clockwise from the bottom of the picture.

    As they are listed, but those whom people placed elsewhere. Only two or four sit at sides of
    their own; of others what people say is not known to be a seat.

    Args:
        players: in the order in which they are listed.
        seats: what people said.
    """
    sides = sides_of(len(players))
    placed = {side: p for p, side in seats.told.items() if side in sides and p in players}
    # who is not in the way stays where the list has them
    stays = {s: p for s, p in zip(sides, players, strict=False) if s not in placed}
    free = {s: p for s, p in stays.items() if p not in placed.values()}
    others = iter([p for p in players if p not in {*placed.values(), *free.values()}])
    return tuple(placed.get(s) or free.get(s) or next(others) for s in sides) or players


NOBODY = Seats()
"""Before anybody has played."""
