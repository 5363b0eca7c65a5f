"""A game whose row A was taken for another edge is turned once its tiles say so for certain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.observers.observer import BoardObserver
from kibitz.engine.rules import Action
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.evidence.facing import turned_game
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.vision.readings import PhotoReading, turned_board
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.seen_boards import tracker, view_of

LIVE = Capture(live=True)
CORNERS = [[0.0, 0.0], [600.0, 0.0], [600.0, 600.0], [0.0, 600.0]]
NOON, MOON = board(H8="NOON"), board(H8="NOON", v_F9="NO")
MANY = board(H8="NOON", v_F9="NOON", v_H11="NOON")


def laid(kept) -> dict[str, str]:
    """What the newest play put where."""
    return dict(kept.ledger.done[-1].entry.action.data["tiles"])


def test_all_squares_of_a_game_turn():
    """NOON from the middle to the right reads down once row A is at the left."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(NOON), LIVE)
    before = laid(kept)
    turned = turned_game(kept.best, 1)

    assert {"H8": "N", "H9": "O", "H10": "O", "H11": "N"} == before
    assert turned is not None
    assert {"H8": "N", "I8": "O", "J8": "O", "K8": "N"} == dict(
        turned.ledger.done[-1].entry.action.data["tiles"]
    )
    assert {parse_square(s) for s in ("H8", "I8", "J8", "K8")} == set(turned.lying.tiles)
    assert set(turned.lying.tiles) == set(turned.findings[-1].laid) == turned.last.squares


def test_four_turns_are_none():
    """The same game with the same squares."""
    kept = tracker()
    kept.update(view_of(NOON), LIVE)
    best = kept.best
    for _ in range(4):
        best = turned_game(best, 1)

    assert kept.best.lying == best.lying
    assert laid(kept) == dict(best.ledger.done[-1].entry.action.data["tiles"])


def test_what_people_said_of_a_tile_turns_with_it():
    """The tile is the same; only the name of its square was wrong."""
    kept = tracker()
    kept.update(view_of(NOON), LIVE)
    kept.tell(Action("answer", data={"field": "letter", "square": "H8", "value": "D"}))
    turned = kept.turn(1)
    kept.update(view_of(board(v_H8="NOON")), LIVE)

    assert turned
    assert "DOON" == "".join(t.letter for _, t in sorted(kept.lying.tiles.items()))


def seen(rows, quarters: int, *, certain: bool) -> PhotoReading:
    """A picture of a board whose first corner is taken to be another one."""
    reading = reading_of_rows(rows, LETTERS, corners_px=CORNERS)
    (one,) = reading.boards
    turned = turned_board(one, quarters)
    return replace(reading, boards=(replace(turned, top_certain=certain),))


def shown(pictures: list[PhotoReading]) -> BoardObserver:
    """An observer that was shown some pictures."""
    observer = BoardObserver(tracker())
    for picture in pictures:
        look = observer.look(picture)
        observer.tracker.update(look.view, LIVE)
    return observer


def test_the_first_certain_tiles_turn_the_game():
    """The board lies where it lay; nothing but the names of its squares was wrong."""
    unsure, sure = seen(NOON, 1, certain=False), seen(MOON, 0, certain=True)
    observer = shown([seen(board(), 1, certain=False), unsure, sure])
    grid = observer.tracker.lying

    assert {"F9": "N", "G9": "O"} == laid(observer.tracker)
    assert list(MOON) == list(grid.text_rows())


def test_a_certain_row_a_stays():
    """Once tiles have said where row A is a later picture turns nothing."""
    sure, other = seen(NOON, 0, certain=True), seen(MOON, 1, certain=True)
    observer = shown([seen(board(), 0, certain=True), sure, other])

    assert list(MOON) == list(observer.tracker.lying.text_rows())
    assert np.all(sure.boards[0].corners_px == seen(NOON, 0, certain=True).boards[0].corners_px)


@pytest.mark.parametrize(("rows", "turns"), [(MOON, False), (MANY, True)])
def test_twice_as_many_tiles_overrule_the_first_ones(rows, turns):
    """A few tiles that look alike upside down may be certain of the wrong edge."""
    pictures = [seen(board(), 0, certain=True), seen(NOON, 1, certain=True)]
    observer = shown([*pictures, seen(rows, 0, certain=True)])

    assert turns is (list(rows) == list(observer.tracker.lying.text_rows()))
