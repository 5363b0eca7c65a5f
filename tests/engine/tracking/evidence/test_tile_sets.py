"""How many sets lie mixed, which of two colours is whose, and what a set says of a letter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.changes import (
    BoardView,
    SquareView,
    sets_of,
    with_same_sets,
    with_set_counts,
)
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.pictured_games import replay_of

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HOUSE = {(10 + i, 7): x for i, x in enumerate("HOUSE")}
GARDEN = {(i, 7): x for i, x in enumerate("NEDRAG")}


def photo(name: str, *, second_first: bool) -> FileReading:
    """Both words, those of the second set named `a` where it comes first."""
    cells = HOUSE | GARDEN if second_first else HOUSE
    rows = ["".join(cells.get((r, c), ".") for c in range(15)) for r in range(15)]
    turns = [[180 if (r, c) in GARDEN else 0 for c in range(15)] for r in range(15)]
    reading = reading_of_rows(rows, LETTERS, rotation=turns)
    (board,) = reading.boards
    sets = np.full((15, 15), ".")
    for at in cells:
        sets[at] = "b" if second_first and at in HOUSE else "a"
    return FileReading(name, replace(reading, boards=(replace(board, tile_sets=sets),)))


def test_the_second_set_outnumbers_the_first() -> None:
    """A picture in which the other set has more tiles does not turn the colours round."""
    run = replay_of("scrabble-house")
    run.see(photo("1.jpg", second_first=False))
    run.see(photo("2.jpg", second_first=True))
    laid = [done.entry.action.data for done in run.ledger.done]

    assert [sorted(data.get("bonus", ())) for data in laid] == [
        [],
        ["A8", "B8", "C8", "D8", "E8", "F8"],
    ]


@pytest.mark.parametrize(
    ("slug", "settings", "sets"),
    [
        ("scrabble", {}, 1),
        ("frankenscrabbards", {"fs.sets": 3}, 3),
        ("scrabble-house", {}, 2),
    ],
)
def test_so_many_sets_may_lie_on_a_board(slug: str, settings: dict[str, int], sets: int) -> None:
    """As many as the players mixed; where tiles have two colours, one of each."""
    game = find_game(slug)
    options = check_options(game.info, settings)
    materials = make_materials("none", "en", options)

    assert sets == sets_of(Opening(game, ("Ann", "Bob"), options, materials))


ROW = [Square(7, col) for col in range(3)]


def coloured(colours: str) -> BoardView:
    """Tiles side by side, in these colours; `.` where none lies."""
    tiles = {
        square: SquareView(1.0) if x == "." else SquareView(0.0, 1.0, letters={"E": 1.0}, colour=x)
        for square, x in zip(ROW, colours, strict=True)
    }
    return BoardView(15, 15, tiles)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("...", "aab", "aab"),
        ("aab", "aab", "aab"),
        ("aab", "bba", "aab"),
        ("ab.", "bb.", "bb."),
        ("ab.", "ba.", "ab."),
        ("a..", "..b", "..b"),
    ],
)
def test_sets_are_named_as_most_tiles_had_them(before: str, now: str, expected: str) -> None:
    """Tiles that lay there before tell; as many for as against leave the names as they are."""
    known = {s: (v,) for s, v in coloured(before).squares.items() if v.shows_tile}
    view = with_same_sets(coloured(now), known, known)

    shown = [view[s].colour if view[s].shows_tile else "." for s in ROW]
    assert expected == "".join(shown)


def test_a_set_tells_doubtful_letters_of_tiles_alone() -> None:
    """A sure letter stays, and so does a square on which no tile shows."""
    sure, bare = {"E": 1.0}, SquareView(0.9, 0.1, letters={"E": 0.5, "F": 0.5})
    doubted = SquareView(0.0, 1.0, letters={"E": 0.5, "F": 0.5})
    squares = dict(zip(ROW, (SquareView(0.0, 1.0, letters=sure), bare, doubted), strict=True))
    view = with_set_counts(BoardView(15, 15, squares), {"E": 3.0, "F": 1.0})

    assert [sure, bare.letters, {"E": 0.75, "F": 0.25}] == [view[s].letters for s in ROW]
