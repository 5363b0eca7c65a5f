"""How many sets lie mixed, which of two colours is whose, and what a set says of a letter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kibitz.app.reading.pictures import FileReading
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, with_set_counts
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


ROW = [Square(7, col) for col in range(3)]


def test_a_set_tells_doubtful_letters_of_tiles_alone() -> None:
    """A sure letter stays, and so does a square on which no tile shows."""
    sure, bare = {"E": 1.0}, SquareView(0.9, 0.1, letters={"E": 0.5, "F": 0.5})
    doubted = SquareView(0.0, 1.0, letters={"E": 0.5, "F": 0.5})
    squares = dict(zip(ROW, (SquareView(0.0, 1.0, letters=sure), bare, doubted), strict=True))
    view = with_set_counts(BoardView(15, 15, squares), {"E": 3.0, "F": 1.0})

    assert [sure, bare.letters, {"E": 0.75, "F": 0.25}] == [view[s].letters for s in ROW]
