"""What a set has left of each letter, as evidence: what may be an E or an F is an E more often.

A reader knows faces, not sets; so one half of the evidence is missing in what it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kibitz.engine.tracking.evidence.priors import PRIORS, LetterPriors

ONE_MORE = 1
"""Sets are mixed and tiles read wrongly: one more of a letter may always lie there."""


def set_weights(
    counts: Mapping[str, int] | None, lying: Iterable[str], priors: LetterPriors = PRIORS.letters
) -> dict[str, float]:
    """How likely a tile shows each letter before anybody looks at it; empty where nobody knows.

    Args:
        counts: how many tiles of each letter there are.
        lying: what the tiles show that are known to lie there, `?` at a blank.
        priors: how much the set says.
    """
    if counts is None:
        return {}
    left = dict(counts)
    for letter in lying:
        left[letter] = left.get(letter, 0) - 1
    return {x: max(ONE_MORE, n) ** priors.by_count for x, n in left.items()}


def weighed(letters: Mapping[str, float], weights: Mapping[str, float]) -> Mapping[str, float]:
    """A tile's letters with what the set says of them."""
    if not weights or len(letters) < 2:
        return letters
    here = {x: p * weights.get(x, ONE_MORE) for x, p in letters.items()}
    whole = sum(here.values())
    return {x: p / whole for x, p in here.items()}
