"""Letters put right by later photographs of the same tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from app.beliefs import Belief, Sighting
from app.dry_run import word_weight
from app.ledger import Entry, Ledger, open_ledger
from engine.changes import SquareView, fit, fused
from engine.interpretation import PER_BAD_WORD, seen_tile
from engine.table import Grid, Square, Tile, parse_square, tile_from_text

SURE = 0.6
"""How much better (natural logs) another letter must agree with all views together."""

EVEN = 0.5
"""No other letter can be likelier than one with more than this."""

VIEWS_APART = 1.25
"""Views of one tile say much the same: more than so many count as so many. Of 1, 1.25, 1.5, 2, 3
and 4 this made the true letters of doubtful tiles in photographed and drawn games likeliest."""

TOO_MANY = 3.5
"""How much doubt one tile too many casts on a letter: sets are mixed, but seldom."""


def better_letters(belief: Belief, counts: Mapping[str, int] | None = None) -> dict[Square, str]:
    """Tiles that all photographs together show with another letter than the one recorded.

    Args:
        belief: what was recorded, and every view of each tile.
        counts: how many tiles of each letter the set has; where more seem to lie on the board
            the most doubtful of them are taken for another letter.
    """
    now = {s: "?" if t.blank else t.letter for s, t in belief.lying.tiles.items()}
    best = dict(now)
    seen = {s for sighting in belief.sightings for s in sighting.laid}
    shown = {s: views for s, views in belief.views.items() if s in seen and s in best}
    for square, views in shown.items():
        if len(views) < 2 or all(v.letters.get(now[square], 0.0) > EVEN for v in views):
            continue  # what each of them shows, all of them show
        letter = fused(views).best_letter()
        if letter != now[square] and lead_of(views, belief.lying.tiles[square], letter) > SURE:
            best[square] = letter
    if counts is not None:
        _within_the_set(best, shown, counts)
    return {s: x for s, x in best.items() if x != now[s]}


def think_again(belief: Belief, counts: Mapping[str, int] | None = None) -> Belief | None:
    """The line with letters put right by all photographs together; None if none is to be.

    A letter that makes a word unknown must be all the clearer.
    """
    letters = better_letters(belief, counts)
    changed = with_letters(belief, letters) if letters else None
    if changed is None or strange(changed.ledger) <= strange(belief.ledger):
        return changed
    tiles = belief.lying.tiles
    needed = SURE - PER_BAD_WORD
    clear = {s: x for s, x in letters.items() if lead_of(belief.views[s], tiles[s], x) > needed}
    return with_letters(belief, clear) if clear else None


def strange(ledger: Ledger) -> float:
    """How much speaks against the words of a game (natural logs)."""
    return -word_weight(open_ledger(ledger.opening), ledger)


def lead_of(views: Sequence[SquareView], tile: Tile, letter: str) -> float:
    """How much better (natural logs) another letter agrees with all views of a tile together.

    The middle one of the views counts, as one seen badly may be sure of a wrong letter.
    """
    seen, other = [v for v in views if not v.hidden] or views, seen_tile(letter)
    return median(fit(v, other) - fit(v, tile) for v in seen) * min(VIEWS_APART, len(seen))


def _within_the_set(
    letters: dict[Square, str],
    views: Mapping[Square, tuple[SquareView, ...]],
    counts: Mapping[str, int],
) -> None:
    """Give letters of which too many lie to the next likely letter, the most doubtful first."""
    used = Counter(letters.values())
    options = []
    for square, every in views.items():
        here = letters[square]
        if used[here] <= counts.get(here, 0):
            continue
        for other in fused(every).letters:
            if other != here:
                options.append((-lead_of(every, seen_tile(here), other), square, other))
    for loss, square, other in sorted(options):
        here = letters[square]
        if loss > TOO_MANY or used[here] <= counts.get(here, 0):
            continue
        if used[other] < counts.get(other, 0):
            letters[square] = other
            used[here] -= 1
            used[other] += 1


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
    sightings = tuple(
        _resighted(sighting, {s: x for s, x in letters.items() if latest[s] == index})
        for index, sighting in enumerate(belief.sightings)
    )
    grid = Grid(belief.lying.rows, belief.lying.cols, {**belief.lying.tiles, **tiles})
    return replace(belief, ledger=ledger, lying=grid, sightings=sightings)


def _resighted(sighting: Sighting, letters: Mapping[Square, str]) -> Sighting:
    if not letters:
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
