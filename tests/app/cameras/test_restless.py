"""A room that never rests: shadows, a fan, a clock in a corner of the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.app.cameras.settling import REST
from kibitz.app.cameras.state import camera_state
from kibitz.app.cameras.table_camera import HINDERED
from tests.app.cameras.test_tile_by_tile import announced
from tests.app.cameras.test_turn_ends import HOST, Filmed, frame
from tests.app.server_help import board, make_session


@pytest.fixture
def session(tmp_path):
    session = make_session(tmp_path, rest=REST)
    yield session
    session.close()


class Restless(Filmed):
    """A table over whose board something flickers in every frame."""

    moments = 0
    """So many of eight frames are as the one before them."""

    def show(self, rows, frames, **facts):
        """The same board for so many frames, with the flicker."""
        data = frame(rows, facts)
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        for _ in range(frames):
            shown = picture.copy()
            shown[300:420, 300:700] = 255 * (max(0, self._number % 8 - self.moments) % 2)
            self.camera.take(
                cv2.imencode(".png", shown)[1].tobytes(), stream=True, at=self._number / 10
            )
            self._number += 1


def test_plays_are_told_where_something_always_moves(session):
    """The first once the room is known as restless, the next within some seconds."""
    filmed = Restless(session)
    filmed.show(board(), 120)
    filmed.show(board(H7="CAT"), 50)
    filmed.show(board(H7="CAT", v_H7="COW"), 50)

    assert [("Ann", "place", ["CAT"]), ("Bob", "place", ["COW"])] == filmed.done()


def test_a_doubtful_play_is_told_where_the_room_rests_for_moments_only(session):
    """Half a second at a time is enough for no doubt; all of them together are."""
    filmed = Restless(session)
    filmed.moments = 4
    filmed.show(board(), 120)
    filmed.show(board(H7="BEA"), 120)

    assert 1 == len(announced(filmed))


MIDDLE = [[200, 200], [800, 200], [800, 800], [200, 800]]


class Shaken(Filmed):
    """A table whose camera is pushed to and fro by some pixels."""

    def show(self, rows, frames, **facts):
        """The same board for so many frames, each from another place."""
        small = cv2.imdecode(np.frombuffer(frame(rows, facts), np.uint8), cv2.IMREAD_COLOR)
        written = small[:160].reshape(40, 1280, 3)
        table = cv2.resize(small[160:], (1280, 1240), interpolation=cv2.INTER_CUBIC)
        for _ in range(frames):
            there = np.roll(table, 4 * (self._number % 3), (0, 1))
            shown = np.concatenate([written, there])
            self.camera.take(shown, stream=True, at=self._number / 10)
            self._number += 1


def test_where_the_camera_shakes_a_play_is_told_as_soon_as_elsewhere(session):
    """All of the picture moves alike, which is no movement on the table."""
    found = []
    for kind in (Filmed, Shaken):
        filmed = kind(session)
        filmed.show(board(), 10, corners_px=MIDDLE)
        filmed.show(board(H7="CAT"), 14, corners_px=MIDDLE)
        found.append(filmed.done())

    assert [[("Ann", "place", ["CAT"])]] * 2 == found


def test_look_now_looks_where_something_always_moves(session):
    """It is no reason to refuse."""
    filmed = Restless(session)
    filmed.show(board(), 120)
    filmed.show(board(H7="CAT"), 8)
    filmed.act("look")

    assert [("Ann", "place", ["CAT"])] == filmed.done()


def test_a_room_in_which_nothing_can_be_read_says_so_until_it_can(session):
    """Once, with what would help; a still picture ends it."""
    filmed = Filmed(session)
    filmed.show(board(), 10)
    told = []
    for number in range(150):
        filmed.show(board(**{f"{'ABCDE'[number % 5]}3": "CAT"}), 1)
        told.append(camera_state(filmed.camera, HOST).error)
    filmed.show(board(), 10)
    now = camera_state(filmed.camera, HOST).error

    assert (None, None) == (told[100], now)
    assert ("unseen", HINDERED["moving"]) == (told[-1].code, told[-1].message)


def test_a_board_that_stays_hidden_says_so(session):
    """A hand that rests at the end of a word is named."""
    filmed = Filmed(session)
    filmed.show(board(), 10)
    filmed.show(board(H7="CA"), 160, occluded=[[7, 8], [7, 9], [6, 8]])

    assert HINDERED["covered"] == camera_state(filmed.camera, HOST).error.message


def test_a_hand_that_moves_for_some_seconds_is_waited_for(session):
    """A room is restless only after as long as a hand may work at a play."""
    filmed = Restless(session)
    filmed.show(board(), 20)
    filmed.show(board(H7="CAT"), 60)

    assert [] == filmed.done()
