"""Tiles of two colours on one board of Scrabble House keep their sets through a game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kibitz.app.reading.pictures import FileReading
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
