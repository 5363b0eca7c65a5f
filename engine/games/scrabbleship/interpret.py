"""Possible meanings of a camera's changes in ScrabbleShip."""

from __future__ import annotations

from kibitz.engine.games.scrabbleship.state import ShipState
from kibitz.engine.rules import Action, Candidate, Change


def candidates(state: ShipState, change: Change) -> tuple[Candidate, ...]:
    """Cards laid, a play, a pending play taken off, or several of these."""
    wanted = {tuple(sorted(c[2])) for c in state.cards}
    actions = [
        Action("lay_card", None, None, {"squares": [s.name for s in m]})
        for m in change.markers
        if tuple(sorted(m)) in wanted
    ]
    if change.removed:
        pending = state.pending
        if pending is None or set(change.removed) != set(pending.squares) - set(change.added):
            return ()
        actions.append(Action("withdraw"))
    if change.added:
        tiles = {s.name: x for s, x in sorted(change.added.items())}
        actions.append(Action("place", None, None, {"tiles": tiles}))
    return (Candidate(tuple(actions)),) if actions else ()
