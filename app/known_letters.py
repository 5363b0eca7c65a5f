"""Doubtful letters are held against tiles of the same board that the game knows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.changes import BoardView, SquareView
from engine.table import UNKNOWN_BLANK, Grid, Square

HESITANT = 3.0
"""Letters less likely than the best by no more than this (natural logs) are compared."""
SLOPE = 30.0
"""Natural logs for each whole step of correlation, fitted on rendered boards."""
MOST = 4.0
"""The most that one comparison may say (natural logs)."""
USUAL_GAP, USUAL_SAYS = (-0.15, -0.1, -0.05, 0.0), (-1.0, -0.5, 0.3, 1.4)
"""What one example says by itself (natural logs): by how much less the tile looks like it than
tiles of one letter do on this board. Counted on 28,440 pairs of rendered tiles, easily confused
letters against equal ones."""
LEAST_ALIKE = 0.3
"""Tiles of another set, dark instead of light for instance, show nothing about this one."""


def with_known_letters(view: BoardView, lying: Grid) -> BoardView:
    """The view with doubtful letters settled by tiles of the same set, where those tell.

    Args:
        view: what a picture shows, with what looks alike in it.
        lying: the tiles that the game knows to lie there.
    """
    settled = {}
    for square, to in view.alike.items():
        seen = view[square]
        examples: dict[str, float] = {}
        for other, fit in to.items():
            letter = _known(view[other], lying, other) if other != square else None
            if letter is not None:
                examples[letter] = max(fit, examples.get(letter, -1.0))
        letters = _weighed(seen.letters, examples, to.get(square))
        if letters is not None:
            settled[square] = replace(seen, letters=letters)
    return replace(view, squares={**view.squares, **settled}) if settled else view


def _known(seen: SquareView, lying: Grid, square: Square) -> str | None:
    """The letter that the game knows, unless it is a blank or the picture speaks against it.

    A picture may be as doubtful about it as about the tile in question: the game knows it from
    its words and from earlier pictures.
    """
    tile = lying.get(square)
    if tile is None or tile.blank:
        return None
    least = max(seen.letters.values(), default=0.0) * math.exp(-HESITANT)
    return tile.letter if seen.letters.get(tile.letter, 0.0) > least else None


def _weighed(
    letters: Mapping[str, float], examples: Mapping[str, float], usual: float | None
) -> dict[str, float] | None:
    """Letter probabilities after the comparison; None where the likeliest two have no example.

    Args:
        letters: what the picture says.
        examples: how far the tile looks like known ones, by letter.
        usual: how far tiles of one letter look alike, if that is known.
    """
    ranked = sorted(letters, key=lambda x: -letters[x])
    least = letters[ranked[0]] * math.exp(-HESITANT) if ranked else 0.0
    near = [x for x in ranked if x != UNKNOWN_BLANK and letters[x] >= least]
    fits = {x: examples[x] for x in near if examples.get(x, 0.0) > LEAST_ALIKE}
    shown = [x for x in near[:2] if x in fits]
    if len(near) < 2 or not shown:
        return None
    if len(shown) == 2:
        top = max(fits.values())
        out = {x: p * math.exp(_says(fits, x, top)) for x, p in letters.items()}
    elif usual is not None:
        (only,) = shown
        out = {**letters, only: letters[only] * math.exp(_alone(fits[only] - usual))}
    else:
        return None
    whole = sum(out.values())
    return {x: p / whole for x, p in out.items()}


def _alone(gap: float) -> float:
    """What the only example says: between the steps of `USUAL_SAYS` evenly."""
    return float(np.interp(gap, USUAL_GAP, USUAL_SAYS))


def _says(fits: Mapping[str, float], letter: str, top: float) -> float:
    return max(-MOST, SLOPE * (fits[letter] - top)) if letter in fits else 0.0
