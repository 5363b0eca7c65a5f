"""What people said that a tile shows: from then on no picture is asked about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.beliefs import Belief
from app.second_thoughts import with_letters
from engine.changes import BoardView, SquareView
from engine.table import UNKNOWN_BLANK, Square


def as_told(view: BoardView, told: Mapping[Square, str]) -> BoardView:
    """The view in which a tile that people named bears what they said.

    Args:
        view: what a picture shows.
        told: board text for each square: a capital, or a small letter for a blank.
    """
    named = {
        s: _showing(view[s], x) for s, x in told.items() if s in view.squares and view[s].letters
    }
    return replace(view, squares={**view.squares, **named}) if named else view


def with_told(belief: Belief, told: Mapping[Square, str]) -> Belief:
    """The belief with the tiles that people named as they said, seen so all along.

    Where the rules refuse that the belief stays as it is.
    """
    lying = belief.lying.tiles
    new = {s: x for s, x in told.items() if s in lying and lying[s].text != x}
    changed = with_letters(belief, new) if new else None
    if changed is None:
        return belief
    views = {s: tuple(_showing(v, told[s]) for v in belief.views.get(s, ())) for s in new}
    return replace(changed, views={**belief.views, **views})


def _showing(seen: SquareView, text: str) -> SquareView:
    return replace(seen, letters={UNKNOWN_BLANK if text.islower() else text: 1.0})
