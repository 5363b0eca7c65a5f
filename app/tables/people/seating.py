"""Who sits at which side of the camera's picture: shown, corrected with one tap, kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from kibitz.app.common.storage.tables import Step
from kibitz.app.observers.feeds import Watcher
from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import Ledger, player_of
from kibitz.engine.rules import Accepted, Action, Refused, Verdict
from kibitz.engine.tracking.evidence.seats import SIDES, Seats

SEAT = "seat"
"""The action with which people say where a player sits."""


class SeatLine(TypedDict):
    """Where a player sits: a side of the camera's picture, and whether people said so."""

    side: str | None
    told: bool


def seats_json(watcher: Watcher, players: Iterable[str]) -> dict[str, SeatLine]:
    """Where each player sits, as far as is known, and whether people said so."""
    seats = watcher.seats
    if seats is None:
        return {}
    return {p: {"side": watcher.side_of(p), "told": p in seats.told} for p in players}


def told_seat(watcher: Watcher, action: Action, players: Iterable[str]) -> Verdict:
    """Take in where people say that a player sits.

    Args:
        watcher: the table's eyes.
        action: `player` and `side`, a side of the camera's picture.
        players: who plays.
    """
    seats, side = watcher.seats, action.data.get("side")
    if seats is None:
        return Refused("no_seats", phrase("At this table seats say nothing about turns."))
    names = tuple(players)
    if action.player not in names:
        known = ", ".join(names)
        return Refused("unknown_player", f"Expected one of {known}, got {action.player!r}.")
    if side not in SIDES:
        known = ", ".join(SIDES)
        return Refused(
            "bad_action", f"Expected a side of the picture ({known}), got {side!r:.40}."
        )
    watcher.sit(seats.with_told(str(action.player), str(side)))
    return Accepted((), {"seat": side})


def seats_after(steps: Iterable[Step], ledger: Ledger) -> Seats:
    """What the kept steps of a table tell of seats.

    Args:
        steps: everything that happened, in order.
        ledger: the game that came of it.
    """
    movers = {
        d.entry.photo: d.entry.action.player or player_of(d)
        for d in ledger.done
        if not d.entry.told and d.entry.action.data.get("tiles")
    }
    seats = Seats()
    for step in steps:
        do, side = step.data.get("do"), step.data.get("side")
        if isinstance(do, dict) and do.get("action") == SEAT and do.get("side") in SIDES:
            seats = seats.with_told(str(do.get("player")), str(do["side"]))
        mover = movers.get(int(step.data.get("photo", -1)))
        if side in SIDES and mover is not None:
            seats = seats.learnt(mover, str(side))
    return seats
