"""Pictures come to a camera from any source, and what came of each is told."""

from __future__ import annotations

import threading

import pytest

from kibitz.app.cameras.drive import drive
from kibitz.app.cameras.reopening import Shot
from kibitz.app.cameras.settling import REST
from kibitz.app.cameras.table_camera import Report
from kibitz.app.tables.orders import Order
from tests.app.server_help import board, make_session, picture_of

CAT = picture_of(board(H7="CAT"))
PLAY = "Ann plays CAT."


class Shots:
    """A source with these pictures and troubles."""

    def __init__(self, *shots: Shot | str) -> None:
        self._shots = shots

    def frames(self, stop: threading.Event):
        """Each of them once."""
        yield from self._shots


@pytest.fixture
def camera(tmp_path):
    """The camera of a table that was just set up."""
    session = make_session(tmp_path, rest=REST)
    yield session.camera(session.tables.create(Order("scrabble", ("Ann", "Bob"))).table)
    session.close()


def said(came) -> list[str]:
    """What came of pictures, in words."""
    return [
        x if isinstance(x, str) else " ".join((x.line or {}).get("say", ()))
        for x in came
        if isinstance(x, (str, Report))
    ]


def test_a_photograph_counts_at_once_and_trouble_is_shown_until_the_next(camera):
    """The source's own trouble, and a picture that is none, in words."""
    source = Shots(
        "the folder cannot be read", Shot(CAT, still=True), Shot(b"no picture", still=True)
    )
    came = drive(source, lambda: camera, threading.Event())
    trouble = [camera.trouble for x in came if not said([x])[0].startswith(PLAY)]

    assert [PLAY] == [line for line in camera.table.steps[-1].data["say"] if line == PLAY]
    assert ["the folder cannot be read", camera.trouble] == trouble
    assert "expected a JPEG" in camera.trouble


def test_the_last_position_of_a_film_counts_though_it_rested_too_short(camera):
    """As nothing follows that could change it."""
    bare = picture_of(board())
    film = [Shot(bare, at=n / 10) for n in range(8)] + [Shot(CAT, at=0.8)]
    told = said(drive(Shots(*film), lambda: camera, threading.Event()))

    assert [""] * 9 == told[:-1]
    assert told[-1].startswith(PLAY)


@pytest.mark.parametrize(
    "hands",
    [[[[7, 9]]] * 20, [[[7, 9]], [[7, 9], [7, 10]], [[7, 9], [8, 9]]]],
    ids=["resting", "moving"],
)
def test_a_film_that_ends_with_a_hand_at_its_last_play_tells_the_play(camera, hands):
    """All that a hand leaves in sight is what was laid: nobody will see it go."""
    shown = [picture_of(board())] * 8
    shown += [picture_of(board(H7="CAT"), occluded=hand) for hand in hands]
    film = [Shot(data, at=n / 10) for n, data in enumerate(shown)]
    told = said(drive(Shots(*film), lambda: camera, threading.Event()))

    assert [] == [line for line in told[:-1] if line]
    assert told[-1].startswith(PLAY)


def test_pictures_are_passed_over_while_another_server_has_the_table(camera):
    """And taken again when it is back."""
    eyes = iter([None, camera])
    source = Shots(Shot(CAT, still=True), Shot(CAT, still=True))
    told = said(drive(source, lambda: next(eyes), threading.Event()))

    assert 1 == len(told)
    assert told[0].startswith(PLAY)
