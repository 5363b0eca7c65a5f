"""Letters put right by later photographs of the same tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.beliefs import Belief, Sighting
from app.ledger import Entry
from engine.changes import fit, fused
from engine.interpretation import seen_tile
from engine.table import Grid, Square, parse_square, tile_from_text

SURE = 2.0
"""How much better (natural logs) another letter must agree with all views together."""


def better_letters(belief: Belief) -> dict[Square, str]:
    """Tiles that all photographs together show with another letter than the one recorded."""
    out = {}
    seen = {s for sighting in belief.sightings for s in sighting.laid}
    for square, views in belief.views.items():
        tile = belief.lying.get(square)
        if tile is None or square not in seen or len(views) < 2:
            continue
        together = fused(views)
        letter = together.best_letter()
        if letter == ("?" if tile.blank else tile.letter):
            continue
        if fit(together, seen_tile(letter)) > fit(together, tile) + SURE:
            out[square] = letter
    return out


def with_letters(belief: Belief, letters: Mapping[Square, str]) -> Belief | None:
    """The belief with other letters on some squares, played again from the beginning.

    Args:
        belief: the line to change.
        letters: board text for each square: a capital, a small letter for a blank, or `?`.

    Returns:
        None if the rules refuse an entry that they accepted before.
    """
    latest = {
        s: max((i for i, x in enumerate(belief.sightings) if s in x.laid), default=-1)
        for s in letters
    }

    def change(entry: Entry) -> Entry:
        if entry.told:
            return entry
        named = {s: x for s, x in letters.items() if latest[s] in (-1, entry.photo)}
        data = _renamed(entry.action.data, named)
        return replace(entry, action=replace(entry.action, data=data))

    ledger, refusals = belief.ledger.rewritten(change)
    if refusals:
        return None
    tiles = {
        s: replace(tile_from_text(x), turn=belief.lying.tiles[s].turn) for s, x in letters.items()
    }
    sightings = tuple(_resighted(s, letters) for s in belief.sightings)
    grid = Grid(belief.lying.rows, belief.lying.cols, {**belief.lying.tiles, **tiles})
    return replace(belief, ledger=ledger, lying=grid, sightings=sightings)


def _resighted(sighting: Sighting, letters: Mapping[Square, str]) -> Sighting:
    if not any(s in sighting.laid for s in letters):
        return sighting
    laid = {s: letters.get(s, x) for s, x in sighting.laid.items()}
    return replace(sighting, laid=laid)


def _renamed(data: Mapping[str, Any], letters: Mapping[Square, str]) -> dict[str, Any]:
    """An action's data with other letters on its squares; North's small letters stay small."""
    out = dict(data)
    tiles = data.get("tiles")
    if isinstance(tiles, Mapping):
        out["tiles"] = {k: letters.get(parse_square(k), v) for k, v in tiles.items()}
    square = data.get("square")
    if isinstance(square, str) and "letter" in data:
        out["letter"] = letters.get(parse_square(square), data["letter"])
    return out
