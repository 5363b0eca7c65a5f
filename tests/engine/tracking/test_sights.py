"""A finger beside a play is not taken for one more tile of it."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.observers.board_views import board_view
from kibitz.app.reading.pictures import FileReading
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.changes import without_fingers, without_gaps
from kibitz.engine.tracking.evidence.hypotheses import Capture
from tests.app.replay_help import replay
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows

LIVE = Capture(live=True)
LENGTHS = {"carrier": 5, "scrabbleship": 4, "submarine": 3, "destroyer": 3, "patrol": 2}
FLEETS = {
    player: {
        ship: [f"{row}1", f"{row}{n}"]
        for row, (ship, n) in zip(rows, LENGTHS.items(), strict=True)
    }
    for player, rows in (("Ann", "ABCDE"), ("Bob", "KLMNO"))
}
TIP = Square(7, 9)
"""H10, right behind CAT on H7 to H9."""


@pytest.fixture
def table(tmp_path):
    tables = Tables(Storage(str(tmp_path)))
    yield tables.create(Order("scrabble", ("Ann", "Bob"))).table
    tables.close()


def pointed_at(clear, covered=((6, 9), (5, 9))):
    """CAT with a hand above a finger tip that looks like a blank, so clearly."""
    reading = reading_of_rows(board(H7="CAT?"), LETTERS, occluded=[list(x) for x in covered])
    letters = np.full(len(LETTERS) + 1, (1 - clear) / len(LETTERS))
    letters[-1] = clear
    reading.boards[0].letter_log_prob[TIP] = np.log(letters)
    return reading


def test_a_play_is_told_once_the_finger_has_gone(table):
    """While the finger points at the play's end it may go on there."""
    waited = table.preview(pointed_at(clear=0.2), how=LIVE)
    line = table.observe(reading_of_rows(board(H7="CAT"), LETTERS), how=LIVE)

    assert ("covered", {"H7": "C", "H8": "A", "H9": "T"}) == (
        waited.status,
        line["play"]["tiles"],
    )


@pytest.mark.parametrize("clear", [0.2, 0.6, 0.9])
def test_in_a_replay_too_a_finger_may_lie_on_the_last_tile(clear):
    """It looks more like a tile than a card; the play is one, though it is seen in parts."""
    first = pointed_at(clear)
    first.boards[0].kind_log_prob[TIP] = np.log([1e-3, 0.653, 0.334, 0.012])
    run = replay([], game="scrabble")[2]
    shown = run.see(FileReading("1.jpg", first))["status"]
    run.see(FileReading("2.jpg", reading_of_rows(board(H7="CATS"), LETTERS)))
    plays = [play["tiles"] for play in run.finish()["final"]["plays"]]

    assert ("covered", [{"H7": "C", "H8": "A", "H9": "T", "H10": "S"}]) == (shown, plays)


@pytest.mark.parametrize(
    ("clear", "covered", "tile"),
    [(0.7, ((6, 10),), False), (0.97, ((6, 10),), True), (0.2, ((3, 3),), True), (0.2, (), True)],
)
def test_what_counts_as_a_finger(clear, covered, tile):
    """Only what is not clear, and only beside what is covered."""
    view = board_view(pointed_at(clear, covered).boards[0])

    assert (tile, not tile) == (
        without_fingers(view)[TIP].tile > 0.9,
        without_fingers(view)[TIP].hidden,
    )


def covered_share(hidden, square):
    """How far a square that looks bare, or `hidden`, counts as covered; H10 is beside a hand."""
    reading = reading_of_rows(board(H7="CAT"), LETTERS, occluded=[[6, 9]])
    reading.boards[0].kind_log_prob[square] = np.log([0.998 - hidden, 0.001, 0.001, hidden])
    return round(without_gaps(board_view(reading.boards[0])).squares[square].covered, 3)


@pytest.mark.parametrize(
    ("hidden", "square", "covered"),
    [(0.3, TIP, 0.999), (0.09, TIP, 0.09), (0.3, Square(2, 2), 0.3)],
)
def test_a_bare_square_that_a_hand_may_hide_counts_as_covered(hidden, square, covered):
    """A tile may lie there that closes the play; far from any hand the same square is bare."""
    assert covered == covered_share(hidden, square)


@pytest.mark.parametrize(("cards", "covered"), [(False, 0.999), (True, 0.09)])
def test_what_looks_like_a_card_beside_a_hand(cards, covered):
    """Only one game has ship cards; in the others it is a tile with a finger across it."""
    reading = reading_of_rows(board(H7="CAT"), LETTERS, occluded=[[6, 9]])
    reading.boards[0].kind_log_prob[TIP] = np.log([0.009, 0.001, 0.9, 0.09])
    view = without_gaps(board_view(reading.boards[0]), cards=cards)

    assert covered == round(view[TIP].covered, 3)


@pytest.mark.parametrize(("slug", "status"), [("scrabbleship", "play"), ("scrabble", "covered")])
def test_a_play_that_may_go_on_under_a_hand_waits(slug, status):
    """The tile behind CAT has a finger across it and looks like the end of a card."""
    reading = reading_of_rows(board(H7="CAT"), LETTERS, occluded=[[6, 9]])
    reading.boards[0].kind_log_prob[TIP] = np.log([0.009, 0.001, 0.89, 0.1])
    run = replay([], game=slug)[2]
    for player, fleet in FLEETS.items() if slug == "scrabbleship" else ():
        run.tracker.tell(Action("enter_fleet", player, data={"fleet": fleet}))
    line = run.see(FileReading("1.jpg", reading))

    assert status == line["status"]
