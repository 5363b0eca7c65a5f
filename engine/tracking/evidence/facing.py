"""Orientation of tiles and boards, where plays decide it.

Where tiles face their players, some letters are others upside down (rules SH-3, SH-8). Tiles like
an O or an N hardly tell which way up they lie: where a game began with such tiles, a later play
may be the first that tells for certain at which edge row A is. Nothing on the table has moved
then; only the names of the squares were wrong, and with them the order in which words read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from kibitz.engine.record.ledger import Entry
from kibitz.engine.table import LOOK_ALIKE, Grid, Square, square_named
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, log_turn
from kibitz.engine.tracking.evidence.hypotheses import Finding, Hypothesis, name_of
from kibitz.engine.words.formed import AXES

UPSIDE_DOWN: Final[Mapping[str, str]] = {"M": "W", "W": "M"}


def turned_square(square: Square, size: int, quarters: int) -> Square:
    """Where a square comes to lie when the whole board is turned clockwise."""
    r, c = square
    for _ in range(quarters % 4):
        r, c = c, size - 1 - r
    return Square(r, c)


def turned(seen: SquareView, quarters: int) -> SquareView:
    """A square when the whole board is turned clockwise by quarter turns."""
    t, k = seen.turns, quarters % 4
    if k == 0:
        return seen
    around = (t[-k % 4], t[(1 - k) % 4], t[(2 - k) % 4], t[(3 - k) % 4])
    return SquareView(
        seen.empty, seen.tile, seen.marker, seen.covered, seen.letters, around, seen.colour
    )


def turned_view(view: BoardView, quarters: int) -> BoardView:
    """The same picture with another edge taken as row A.

    Args:
        view: a square board.
        quarters: clockwise quarter turns of the whole board; the first row becomes the last
            column after one.
    """
    n, k = view.rows, quarters % 4

    def place(square: Square) -> Square:
        return turned_square(square, n, k)

    if k == 0:
        return view
    squares = {place(s): turned(v, k) for s, v in view.squares.items()}
    markers = tuple(tuple(sorted(place(s) for s in m)) for m in view.markers)
    alike = {place(s): {place(o): x for o, x in to.items()} for s, to in view.alike.items()}
    return BoardView(n, n, squares, markers, alike, view.priors)


def facing_one_way(view: BoardView, lying: Grid) -> BoardView:
    """The view with letters that are others upside down read as the rest of their play faces.

    Args:
        view: what a picture shows.
        lying: the tiles that the game knows to lie there; one that looks as it did keeps its
            letter.
    """
    return view.with_letters(
        {
            square: _upside_down(seen)
            for square, seen in view.squares.items()
            if seen.shows_tile
            and (letter := seen.best_letter()) in UPSIDE_DOWN
            and _is_other(view, lying, square, letter)
        }
    )


def _is_other(view: BoardView, lying: Grid, square: Square, letter: str) -> bool:
    """True if a tile reads as this letter when it is upside down."""
    seen, tile = view[square], lying.get(square)
    way = seen.turns.index(max(seen.turns))
    if tile is not None:
        return (tile.letter, tile.turn) == (UPSIDE_DOWN[letter], (way + 2) % 4)
    others = sum(
        log_turn(other.turns[(way + 2) % 4], view.priors) - log_turn(other.turns[way], view.priors)
        for other in _of_one_play(view, lying, square)
        if other.best_letter() not in LOOK_ALIKE
    )
    its = seen.letters.get(UPSIDE_DOWN[letter], 0.0) + view.priors.missed
    return others > 0 and seen.letters[letter] < its * math.exp(others)


def _of_one_play(view: BoardView, lying: Grid, square: Square) -> Iterator[SquareView]:
    """Yield the other new tiles in a tile's row and column, up to the first gap."""
    for axis in AXES:
        for by in (-1, 1):
            at = square.step(axis, by)
            while at in view.squares and view[at].shows_tile:
                if at not in lying.tiles:
                    yield view[at]
                at = at.step(axis, by)


def _upside_down(seen: SquareView) -> SquareView:
    letters = dict(seen.letters)
    for one, other in UPSIDE_DOWN.items():
        letters[one] = seen.letters.get(other, 0.0)
    first, second, third, fourth = seen.turns
    return replace(seen, letters=letters, turns=(third, fourth, first, second))


# --- the whole board -------------------------------------------------------------------------


def turned_game(hypothesis: Hypothesis, quarters: int) -> Hypothesis | None:
    """The game with every square moved as the board is turned; None if that is impossible.

    What pictures showed of each letter is forgotten: it was read another way up.

    Args:
        hypothesis: a game on a square board.
        quarters: clockwise quarter turns, as of `turned_view`.

    Returns:
        None where the rules refuse it so.
    """
    size = hypothesis.lying.rows

    def place(square: Square) -> Square:
        return turned_square(square, size, quarters)

    def change(entry: Entry) -> Entry:
        data = _turned_data(entry.action.data, size, quarters)
        return entry.with_data(data)

    ledger, refused = hypothesis.ledger.rewritten(change)
    if refused:
        return None
    tiles = {place(s): t for s, t in hypothesis.lying.tiles.items()}
    last = hypothesis.last
    return replace(
        hypothesis,
        ledger=ledger,
        lying=Grid(size, hypothesis.lying.cols, tiles),
        findings=tuple(_turned_finding(f, size, quarters) for f in hypothesis.findings),
        views={},
        last=None if last is None else replace(last, squares=_all(last.squares, size, quarters)),
        waiting=None,
        clearing=frozenset(),
        touched={},
    )


def _turned_data(data: Mapping[str, Any], size: int, quarters: int) -> dict[str, Any]:
    out = dict(data)
    tiles = data.get("tiles")
    if isinstance(tiles, Mapping):
        out["tiles"] = {_named(str(s), size, quarters): x for s, x in tiles.items()}
        out["tiles"] = dict(sorted(out["tiles"].items()))
    if isinstance(data.get("squares"), list):
        out["squares"] = sorted(_named(str(s), size, quarters) for s in data["squares"])
    if isinstance(data.get("square"), str):
        out["square"] = _named(str(data["square"]), size, quarters)
    return out


def _named(name: str, size: int, quarters: int) -> str:
    return name_of(turned_square(square_named(name), size, quarters), size)


def _turned_finding(finding: Finding, size: int, quarters: int) -> Finding:
    return replace(
        finding,
        laid={turned_square(s, size, quarters): x for s, x in finding.laid.items()},
        plays=tuple(_all(play, size, quarters) for play in finding.plays),
        removed=tuple(sorted(_all(finding.removed, size, quarters))),
        question=None,
    )


def _all(squares: Iterable[Square], size: int, quarters: int) -> frozenset[Square]:
    return frozenset(turned_square(s, size, quarters) for s in squares)
