"""Turns requests into actions of the rules."""

from __future__ import annotations

import contextlib
import threading

from kibitz.app.observers.told import with_whole_ships
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.table import Table
from kibitz.engine.rules import Action, JsonValue

NEEDS_ALL = frozenset({"no_plays"})
"""Ends a game and shows every fleet: one player alone must not have that."""


class Agreements:
    """Players who have agreed, by table; any other action there voids it."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[int, str, frozenset[str]]] = {}
        self._lock = threading.Lock()

    def missing(self, table: Table, kind: str, player: str) -> tuple[str, ...]:
        """Note that a player agrees; returns the players who have not yet."""
        with self._lock:
            seq, what, before = self._said.get(table.id, (table.seq, kind, frozenset()))
            if (seq, what) != (table.seq, kind):
                before = frozenset()
            said = before | {player}
            self._said[table.id] = (table.seq, kind, said)
            return tuple(p for p in table.setup.opening.players if p not in said)


FOR_ALL = frozenset(
    {
        "undo",
        "redo",
        "correct",
        "allow_word",
        "task_done",
        "pause_clock",
        "resume_clock",
        "answer",
        "no_more_words",
        "end_game",
        "abandon",
        "end_of_play",
        "end_of_hand",
    }
    | {"accept", "tie", "no_plays", "draw_limit", "deal_info", "finish_game", "judge_decision"}
    | {"working_on"}
)
"""Actions that are nobody's own move: a seat may say it without being named as the player."""


def told_action(kind: str, player: str | None, data: dict[str, JsonValue], actor: Actor) -> Action:
    """The action of a request; a seat acts for its own player."""
    data.pop("at", None)  # the time is the table's own
    if kind == "correct" and player is not None:
        data["player"], player = player, None  # who should have done it, not who says so
    if player is None and actor.role == "seat" and kind not in FOR_ALL:
        player = actor.player
    # the rules say in their own words what is wrong with a fleet
    with contextlib.suppress(ValueError, TypeError):
        data = with_whole_ships({**data, "action": kind})
    data.pop("action", None)
    return Action(kind, player, None, data)
