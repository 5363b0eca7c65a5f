"""What a set has of each letter, as evidence: what may be an E or an F is an E more often.

A reader knows faces, not sets; so one half of the evidence is missing in what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kibitz.engine.tracking.evidence.changes import BoardView
from kibitz.engine.tracking.evidence.priors import PRIORS, LetterPriors


def set_weights(
    counts: Mapping[str, int] | None, priors: LetterPriors = PRIORS.letters
) -> dict[str, float]:
    """How likely a tile shows each letter before anybody looks at it; empty where nobody knows.

    What lies already is left out of it: that there is no more of a letter is weighed by itself.

    Args:
        counts: how many tiles of each letter a set has.
        priors: how much the set says.
    """
    return {x: max(1, n) ** priors.by_count for x, n in (counts or {}).items()}


def weighed(letters: Mapping[str, float], weights: Mapping[str, float]) -> Mapping[str, float]:
    """A tile's letters with what the set says of them."""
    if not weights or len(letters) < 2:
        return letters
    here = {x: p * weights.get(x, 1.0) for x, p in letters.items()}
    whole = sum(here.values())
    return {x: p / whole for x, p in here.items()}


def with_set_counts(view: BoardView, weights: Mapping[str, float]) -> BoardView:
    """The view with doubtful letters weighed by how many tiles of each a set has.

    Args:
        view: what a picture shows.
        weights: see `set_weights`.
    """
    if not weights:
        return view
    doubtful = [s for s, _ in view.possible_tiles if len(view[s].letters) > 1]
    return view.with_letters(
        {
            square: replace(seen, letters=weighed(seen.letters, weights))
            for square in doubtful
            if (seen := view[square]).shows_tile
        }
    )
