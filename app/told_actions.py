"""What people send, brought into the form that the rules take."""

from __future__ import annotations

import contextlib
from typing import Any

from app.access import Actor
from app.told import with_whole_ships
from engine.rules import Action

FOR_ALL = frozenset(
    {
        "undo",
        "correct",
        "allow_word",
        "task_done",
        "pause_clock",
        "resume_clock",
        "answer",
        "no_more_words",
        "end_of_play",
        "end_of_hand",
    }
    | {"accept", "tie", "no_plays", "draw_limit", "deal_info", "finish_game", "judge_decision"}
    | {"working_on"}
)
"""What is nobody's own move: a seat may say it without being named as the player."""


def told_action(kind: str, player: str | None, data: dict[str, Any], actor: Actor) -> Action:
    """The action; what a seat does is done by its player."""
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
