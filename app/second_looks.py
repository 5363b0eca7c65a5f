"""Tiles that were refused in one picture and make a play after all in the light of the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.beliefs import Belief
from app.grid_watcher import place
from app.many_plays import part
from app.sights import Base, Puzzle, Sight, TableFacts
from engine.changes import BoardView, SquareView, fit, fused
from engine.interpretation import seen_tile
from engine.table import Square


def reconsidered(belief: Belief, view: BoardView, facts: TableFacts) -> list[Belief]:
    """The same line with the refused tiles of its last picture taken for a play after all.

    A letter that was misread makes a word that is not in the list; the next picture of the same
    tiles may show it better, and the play then belongs to the picture in which it was laid.

    Args:
        belief: a line whose last picture showed tiles that the rules refused.
        view: the next picture.
        facts: what kind of table it is.
    """
    waiting = belief.waiting
    if waiting is None or waiting.refused is None or not waiting.views:
        return []
    squares = frozenset(waiting.tiles)
    if any(view[s].hidden or view[s].tile < 0.5 for s in squares):
        return []
    both = {s: fused([waiting.views[s], view[s]]) for s in squares}
    together = BoardView(view.rows, view.cols, {**view.squares, **both}, view.markers)
    shown = belief.sightings[-1]
    sight = Sight(shown.photo, together, facts)
    before = replace(belief, sightings=belief.sightings[:-1], waiting=None)
    plain = replace(shown, status="no_change", question=None, refused=None, not_laid={})
    base = Base(before, belief.ledger, belief.lying, 0.0, plain, belief.last)
    found, _ = place(base, sight, squares)
    if not found:
        found = part(Puzzle(base, squares, waiting.refused, 0.0), sight)
    out = []
    for play in found:
        laid = play.sightings[-1].laid
        if set(laid) != squares:
            continue
        # the picture was weighed with the refused letters already; only the difference counts
        weight = play.weight - _lead(both, laid) + _difference(belief, laid) - waiting.weight
        out.append(replace(play, weight=belief.weight + weight))
    return out


def _lead(views: Mapping[Square, SquareView], laid: Mapping[Square, str]) -> float:
    """How much better the tiles agree with both pictures than none."""
    return sum(fit(views[s], seen_tile(x)) - fit(views[s], None) for s, x in laid.items())


def _difference(belief: Belief, laid: Mapping[Square, str]) -> float:
    """How much worse the letters agree with the first picture than those read there."""
    waiting = belief.waiting
    if waiting is None:
        return 0.0
    return sum(
        fit(waiting.views[s], seen_tile(x)) - fit(waiting.views[s], seen_tile(waiting.tiles[s]))
        for s, x in laid.items()
    )
