"""Boards as pictures show them, in probabilities, and trackers that follow them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.table import Square, Tile, parse_square
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, fit
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors

LIVE = Capture(live=True)
BARE = SquareView(empty=0.999, tile=0.001)
HAND = SquareView(empty=0.01, covered=0.99)


def sure(letter: str) -> SquareView:
    """A tile that surely shows a letter."""
    return SquareView(empty=0.001, tile=0.999, letters={letter: 1.0})


def leaning(letter: str, lead: float) -> SquareView:
    """A square that favours a tile with a letter by so many nats."""
    low, high, view = 1e-6, 1.0 - 1e-6, BARE
    for _ in range(60):
        tile = (low + high) / 2
        view = SquareView(empty=1 - tile, tile=tile, letters={letter: 1.0})
        more = fit(view, Tile(letter)) - fit(view, None) < lead
        low, high = (tile, high) if more else (low, tile)
    return view


def torn(better: str, other: str, lead: float) -> SquareView:
    """A tile that is likelier one letter than another by so many nats."""
    low, high, view = 0.5, 1.0, BARE
    for _ in range(60):
        part = (low + high) / 2
        view = SquareView(empty=0.001, tile=0.999, letters={better: part, other: 1 - part})
        more = fit(view, Tile(better)) - fit(view, Tile(other)) < lead
        low, high = (part, high) if more else (low, part)
    return view


def view_of(rows: list[str], odd: Mapping[str, SquareView] | None = None) -> BoardView:
    """A view of a board with every square sure, except some."""
    squares = {
        Square(r, c): BARE if char == "." else sure(char)
        for r, row in enumerate(rows)
        for c, char in enumerate(row)
    }
    squares |= {parse_square(name): view for name, view in (odd or {}).items()}
    return BoardView(15, 15, squares)


def cat(more: Mapping[str, SquareView] | None = None) -> BoardView:
    """A view of CAT on H7 to H9."""
    return view_of(["." * 15] * 7 + ["......CAT......"] + ["." * 15] * 7, more)


def tracker(
    lexicon: str = "none", priors: TrackingPriors = PRIORS, tiles: str = "en", **given: Any
) -> BoardTracker:
    """Tracker of a Scrabble game between Ann and Bob."""
    game = find_game("scrabble")
    options = check_options(game.info, given)
    materials = make_materials(lexicon, tiles, options)
    return BoardTracker(Opening(game, ("Ann", "Bob"), options, materials), priors=priors)
