"""Two boards before one camera: each rests, and is judged, by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.cameras.settling import REST
from kibitz.app.reading.frames import geometries
from kibitz.vision.readings import PhotoReading
from tests.app.cameras.test_turn_ends import Filmed
from tests.app.observers.test_two_boards import EMPTY, HOUSE, PLAYERS, reading
from tests.app.server_help import ReadsBarcodes, board, make_session

ESUOH = board(v_A8="esuoh")
"""HOUSE as who sits opposite lays it."""
PLACES = (10, 590)
SIDE = 400


class TwoFilmed(Filmed):
    """A table with two boards; what lies on them, and how they look."""

    def __init__(self, session, monkeypatch) -> None:
        super().__init__(session, "scrabble-house", PLAYERS)
        self.lying = [EMPTY, EMPTY]
        self.looks = [0, 0]
        self.read: list[int] = []
        monkeypatch.setattr(ReadsBarcodes, "read", self._read)

    def _read(self, picture, request):
        boards = [reading(rows, x, SIDE) for rows, x in zip(self.lying, PLACES, strict=True)]
        whole = PhotoReading(1000, 500, tuple(boards))
        middles = [g.corners_px.mean(0)[0] for g in request.hint]
        there = [
            b
            for b, g in zip(boards, geometries(whole), strict=True)
            if not middles or min(abs(g.corners_px.mean(0)[0] - x) for x in middles) < 9
        ]
        self.read.append(len(there))
        return replace(whole, boards=tuple(there))

    def lay(self, number, rows):
        """Other tiles lie on a board from now on."""
        self.lying[number] = rows
        self.looks[number] += 1

    def film(self, frames, moving=None):
        """So many frames, ten a second; over one board something moves."""
        for _ in range(frames):
            if moving is not None:
                self.looks[moving] += 1
            picture = np.full((500, 1000, 3), 128, np.uint8)
            for left, look in zip(PLACES, self.looks, strict=True):
                blocks = np.random.default_rng([left, look]).integers(0, 2, (20, 20, 1)) * 255
                picture[:SIDE, left : left + SIDE] = np.kron(blocks, np.ones((20, 20, 3)))
            self.report = self.camera.take(picture, stream=True, at=self._number / 10)
            self._number += 1

    def views(self):
        """How many looks count for each tile of the first board."""
        views = self.table.tracker.boards[0].best.views
        return {square: len(seen) for square, seen in views.items()}

    def questions(self):
        """What is asked of the boards as they lie."""
        return [(q["field"], q["prompt"]) for q in self.table.questions()]

    def frames_until_told(self, moving=None):
        """Frames until another play is known."""
        before = self.done()
        for frames in range(1, 100):
            self.film(1, moving)
            if self.done() != before:
                return frames
        return None


@pytest.fixture
def make(tmp_path, monkeypatch):
    sessions = []

    def made(rest=REST):
        sessions.append(make_session(tmp_path / str(len(sessions)), rest=rest))
        return TwoFilmed(sessions[-1], monkeypatch)

    yield made
    for session in sessions:
        session.close()


def test_a_play_is_told_as_soon_while_something_moves_over_the_other_board(make):
    """And while it moves nothing is read of that board: what was read of it stays."""
    found = []
    for moving in (None, 1):
        filmed = make()
        filmed.film(10)
        filmed.lay(0, HOUSE)
        filmed.read.clear()
        found.append(filmed.frames_until_told(moving))

    assert found[0] == found[1]
    assert {1} == set(filmed.read)
    assert 2 == len(filmed.report.frame.reading.boards)
    assert [("Ann", "place", ["HOUSE"])] == filmed.done()


def test_a_board_that_never_rests_is_read_all_the_same(make):
    """Its play is told, and the other board's as soon as elsewhere."""
    quiet = make()
    quiet.film(10)
    quiet.lay(0, HOUSE)
    expected = quiet.frames_until_told()
    filmed = make()
    filmed.film(10)
    filmed.film(110, moving=1)
    filmed.lay(1, ESUOH)
    late = filmed.frames_until_told(moving=1)
    filmed.lay(0, HOUSE)

    assert late is not None
    assert expected == filmed.frames_until_told(moving=1)
    assert [("Dan", "place"), ("Ann", "place")] == [done[:2] for done in filmed.done()]


def test_plays_that_are_waited_with_on_both_boards_are_both_told(make):
    """The one that is told later is not held against what lay on the other board before."""
    filmed = make(replace(REST, laid_slowly=True, laying_s=2.0))
    filmed.film(10)
    filmed.lay(0, HOUSE)
    filmed.film(10)
    filmed.lay(1, ESUOH)
    filmed.film(40)

    assert {("Ann", "place"), ("Dan", "place")} == {done[:2] for done in filmed.done()}
    assert 2 == len(filmed.done())


def test_who_ends_a_turn_has_what_lies_on_one_board_told_while_the_other_moves(make):
    """A look at once asks of that board only."""
    filmed = make(replace(REST, laid_slowly=True))
    filmed.film(10)
    filmed.lay(0, HOUSE)
    filmed.film(10, moving=1)
    before = filmed.done()
    looked = filmed.act("look")

    assert [] == before
    assert {"status": "play"} == looked.verdict.result
    assert [("Ann", "place", ["HOUSE"])] == filmed.done()


def test_what_was_read_of_a_board_is_no_second_look_when_the_other_one_has_a_play(make):
    """A play on one board says nothing more of the tiles on the other."""
    filmed = make()
    filmed.film(10)
    filmed.lay(0, HOUSE)
    filmed.frames_until_told()
    before = filmed.views()
    filmed.lay(1, ESUOH)
    filmed.frames_until_told()

    assert {1} == set(before.values())
    assert before == filmed.views()


def test_tiles_that_lie_on_both_boards_at_first_are_told_of_both(make):
    """Each board's first look counts."""
    filmed = make()
    filmed.lying = [HOUSE, ESUOH]
    filmed.film(20)

    assert {("Ann", "place"), ("Dan", "place")} == {done[:2] for done in filmed.done()}


def test_what_is_asked_of_a_board_stays_open_when_the_other_one_has_a_play(make):
    """The board that is in disorder was not looked at."""
    filmed = make()
    filmed.film(10)
    filmed.lay(0, board(H8="HOUSE", A1="X"))
    filmed.film(50)
    before = filmed.table.tracker.is_disturbed, filmed.questions()
    filmed.lay(1, ESUOH)
    filmed.frames_until_told()

    assert (True, 1) == (before[0], len(before[1]))
    assert before == (filmed.table.tracker.is_disturbed, filmed.questions())
    assert [("Dan", "place")] == [done[:2] for done in filmed.done()]
