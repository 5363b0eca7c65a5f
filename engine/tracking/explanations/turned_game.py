"""Row A lies at another edge than was thought: everything known so far lies turned.

Tiles like an O or an N hardly tell which way up they lie. Where a game began with such tiles, a
later play may be the first that tells for certain. Nothing on the table has moved then; only the
names of the squares were wrong, and with them the order in which words read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kibitz.engine.record.ledger import Entry
from kibitz.engine.table import Grid, Square, square_named
from kibitz.engine.tracking.evidence.changes import turned_square
from kibitz.engine.tracking.evidence.expected import name_of
from kibitz.engine.tracking.evidence.hypotheses import Finding, Hypothesis


def turned_game(hypothesis: Hypothesis, quarters: int) -> Hypothesis | None:
    """The same game with every square where it lies when the board is turned.

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
        return replace(entry, action=replace(entry.action, data=data))

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
