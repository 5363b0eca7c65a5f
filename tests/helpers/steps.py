"""Plays some steps of a game, one after the other."""

from __future__ import annotations

from typing import Any

from kibitz.engine.rules import Accepted, Action, GameRules, JsonValue, apply

Step = tuple[str, str | None, dict[str, JsonValue]]
"""The kind of an action, who does it, and what it says."""


def after_steps(game: GameRules[Any], state: Any, *steps: Step) -> tuple[Any, list[str]]:
    """State after some steps, and the result of each: `ok` or a code."""
    codes = []
    for kind, player, data in steps:
        state, verdict = apply(game, state, Action(kind, player, None, data))
        codes.append("ok" if isinstance(verdict, Accepted) else verdict.code)
    return state, codes
