"""Where players sit around the camera's picture: shown, corrected, kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kibitz.app.common.storage.tables import Step
from kibitz.app.wire.shape import Fields
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Accepted, Action, Refused, Verdict
from kibitz.engine.tracking.evidence.hypotheses import SIDES
from kibitz.engine.tracking.tracker import Tracker

SEAT = "seat"
"""The action with which people say where a player sits."""


def seats_json(tracker: Tracker[Any], players: Iterable[str]) -> Fields:
    """Known sides of the players, and whether people set them."""
    seats = tracker.known_seats
    if seats is None:
        return {}
    return {p: {"side": tracker.side_of(p), "told": p in seats.told} for p in players}


def told_seat(tracker: Tracker[Any], action: Action, players: Iterable[str]) -> Verdict:
    """Judge and apply a player's side as people tell it.

    Args:
        tracker: what keeps the game.
        action: `player` and `side`, a side of the camera's picture.
        players: who plays.
    """
    side = action.data.get("side")
    if tracker.known_seats is None:
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
    tracker.told_seat(str(action.player), str(side))
    return Accepted((), {"seat": side})


def seats_told(steps: Iterable[Step]) -> list[tuple[str, str]]:
    """Seats that people told in a table's kept steps, in order."""
    every = [do for step in steps if isinstance(do := step.data.get("do"), dict)]
    seats = [do for do in every if do.get("action") == SEAT and do.get("side") in SIDES]
    return [(str(do.get("player")), str(do["side"])) for do in seats]


def hands_seen(steps: Iterable[Step]) -> dict[int, str]:
    """Side from which the hand of each kept picture came."""
    seen = ((step.data.get("photo"), step.data.get("side")) for step in steps)
    return {int(photo): str(side) for photo, side in seen if photo is not None and side in SIDES}
