"""Tiles that the game knows, as evidence: what looks like a known E is rather an E than an F."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from kibitz.engine.table import UNKNOWN_BLANK, Grid, Tile
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
from kibitz.engine.tracking.evidence.priors import (
    PRIORS,
    LetterPriors,
    PlayPriors,
    TrackingPriors,
)


def with_known_letters(view: BoardView, lying: Grid, priors: TrackingPriors = PRIORS) -> BoardView:
    """The view with doubtful letters settled by tiles of the same set, where those tell.

    Args:
        view: what a picture shows, with what looks alike in it.
        lying: the tiles that the game knows to lie there.
        priors: what likeness says.
    """
    settled = {}
    for square, to in view.alike.items():
        seen = view[square]
        examples: dict[str, float] = {}
        for other, likeness in to.items():
            letter = (
                _known(view[other], lying.get(other), priors.plays) if other != square else None
            )
            if letter is not None:
                examples[letter] = max(likeness, examples.get(letter, -1.0))
        letters = _weighed(seen.letters, examples, to.get(square), priors)
        if letters is not None:
            settled[square] = replace(seen, letters=letters)
    return view.with_letters(settled)


def _known(seen: SquareView, tile: Tile | None, plays: PlayPriors) -> str | None:
    """The letter that the game knows, unless it is a blank or the picture speaks against it.

    A picture may be as doubtful about it as about the tile in question: the game knows it from
    its words and from earlier pictures.
    """
    if tile is None or tile.blank:
        return None
    least = max(seen.letters.values(), default=0.0) * math.exp(-plays.clear)
    return tile.letter if seen.letters.get(tile.letter, 0.0) > least else None


def _weighed(
    letters: Mapping[str, float],
    examples: Mapping[str, float],
    usual: float | None,
    tracking: TrackingPriors,
) -> dict[str, float] | None:
    """Letter probabilities after the comparison; None where the likeliest two have no example.

    Args:
        letters: what the picture says.
        examples: how far the tile looks like known ones, by letter.
        usual: how far tiles of one letter look alike, if that is known.
        tracking: what likeness says.
    """
    priors = tracking.letters
    ranked = sorted(letters, key=lambda x: -letters[x])
    least = letters[ranked[0]] * math.exp(-tracking.plays.clear) if ranked else 0.0
    near = [x for x in ranked if letters[x] >= least]
    fits = {x: examples[x] for x in near if examples.get(x, 0.0) > 0}
    if len(near) < 2 or not any(x in fits for x in near[:2]):
        return None
    top = max(fits.values())
    if UNKNOWN_BLANK in near:
        fits[UNKNOWN_BLANK] = min(top, priors.bare_alike)
    alone = _alone(top, usual, priors)
    out = {x: p * math.exp(_says(fits, x, top, alone, priors)) for x, p in letters.items()}
    whole = sum(out.values())
    return {x: p / whole for x, p in out.items()}


def _alone(top: float, usual: float | None, priors: LetterPriors) -> float:
    """What an example says against letters that have none, by how much less alike than twins."""
    gap = top - (priors.twins if usual is None else usual)
    says = priors.alone + priors.alone_slope * min(0.0, gap)
    return max(0.0 if usual is None else -priors.alone, says)


def _says(
    fits: Mapping[str, float], letter: str, top: float, alone: float, priors: LetterPriors
) -> float:
    if letter not in fits:
        return -alone
    return max(-priors.most_said, priors.per_likeness * (fits[letter] - top))
