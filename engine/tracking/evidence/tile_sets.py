"""Tile sets as evidence: how many of each letter one has, how many lie mixed, in which colours.

A reader knows faces, not sets; so one half of the evidence is missing in what it says: what may be
an E or an F is an E more often. Nor does it know which of two colours is whose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kibitz.engine.record.ledger import Opening
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
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


def sets_of(opening: Opening) -> int:
    """How many tile sets may lie on one board: as many as are mixed (FS-1), in each colour."""
    info = opening.game.info
    mixed = opening.options.get(info.sets_setting, 1) if info.sets_setting else 1
    return int(mixed) * info.surface.tile_colours


def with_same_sets(
    view: BoardView, known: Mapping[Square, Sequence[SquareView]], lying: Iterable[Square]
) -> BoardView:
    """The view with its two tile sets named as in the pictures before.

    In one picture the set with more tiles comes first; which that is may change in a game.

    Args:
        view: what a picture shows.
        known: what pictures before showed of each tile.
        lying: where tiles are known to lie.
    """
    votes = 0
    for square in lying:
        before, now = known.get(square), view[square]
        if before and now.shows_tile:
            votes += 1 if before[-1].colour == now.colour else -1
    if votes >= 0:
        return view
    other = {"a": "b", "b": "a"}
    squares = {
        s: replace(q, colour=other.get(q.colour, q.colour)) for s, q in view.squares.items()
    }
    return replace(view, squares=squares)
