"""How a table's camera is kept up with, and what it does while it sees no board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.cameras import table_camera
from kibitz.app.cameras.settling import REST
from kibitz.app.cameras.table_camera import CameraBusyError
from kibitz.app.reading.frames import decode_frame, encode_jpeg
from kibitz.vision.readings import PhotoReading
from tests.app.cameras.test_turn_ends import Filmed
from tests.app.server_help import LETTERS, ReadsBarcodes, board, make_session, png_of
from tests.helpers.fake_readings import reading_of_rows


@pytest.fixture
def filmed(tmp_path):
    session = make_session(tmp_path, rest=REST)
    yield Filmed(session)
    session.close()


def test_a_board_that_was_not_found_is_looked_for_once_a_second(filmed, monkeypatch):
    """Where nothing moves: a lamp may be put on."""
    read, looked = ReadsBarcodes.read, []
    monkeypatch.setattr(ReadsBarcodes, "read", lambda *x: looked.append(tenth) or read(*x))
    table = png_of(np.full((320, 320, 3), 100, np.uint8))
    for tenth in range(46):
        filmed.camera.take(table, stream=True, at=tenth / 10)

    assert [10, 10, 10] == np.diff(looked)[-3:].tolist()


@pytest.mark.parametrize(
    ("width", "enough", "expected"),
    [(1280, 3, 2), (1280, 1, 1), (1000, 3, 1), (500, 3, 0)],
)
def test_a_frame_to_be_seen_again_is_unpacked_as_small_as_movements_show(
    filmed, monkeypatch, width, enough, expected
):
    """They are looked for at 320 pixels, which are made of no smaller picture."""
    shown = replace(reading_of_rows(board(H7="CAT"), LETTERS), enough=enough)
    monkeypatch.setattr(ReadsBarcodes, "read", lambda *_: shown)
    asked: list[int] = []
    monkeypatch.setattr(
        table_camera,
        "decode_frame",
        lambda data, finest: asked.append(finest) or decode_frame(data, finest),
    )
    still = encode_jpeg(np.full((400, width, 3), 90, np.uint8))
    for tenth in range(5):
        filmed.camera.take(still, stream=True, at=tenth / 10)

    assert [0, expected] == asked


def test_three_frames_wait_at_most(filmed, monkeypatch):
    """More of them come faster than they are read."""
    waiting: list[int] = []
    table = png_of(np.full((320, 320, 3), 100, np.uint8))

    class Crowd:
        """While a frame waits for its turn, another one comes."""

        def __enter__(self) -> None:
            waiting.append(len(waiting) + 1)
            filmed.camera.take(table, stream=True, at=0.0)

        def __exit__(self, *_) -> None:
            pass

    monkeypatch.setattr(filmed.camera, "_lock", Crowd())
    with pytest.raises(CameraBusyError):
        filmed.camera.take(table, stream=True, at=0.0)

    assert [1, 2, 3] == waiting


def test_light_that_goes_out_over_a_resting_table_is_noticed(filmed, monkeypatch):
    """With the sixth reading, one every five seconds.

    Frames at rest are unpacked small: the fifth, with which it is due, leaves it to the next.
    """
    corners = [[200, 40], [1080, 40], [1080, 920], [200, 920]]
    reading = reading_of_rows(board(H7="CAT"), LETTERS, corners_px=corners)
    shown = replace(reading, width=1280, height=960, enough=2)
    monkeypatch.setattr(ReadsBarcodes, "read", lambda *_: shown)
    noise, dark = np.random.default_rng(1), []
    for tenth in range(300):
        picture = np.full((960, 1280, 3), 120 if tenth < 10 else 20, np.uint8)
        picture[:30, :30] += noise.integers(0, 3, (30, 30, 1), np.uint8)  # none is as the last
        report = filmed.camera.take(encode_jpeg(picture), stream=True, at=tenth / 10)
        dark.append("too_dark" in report.frame.health["faults"])

    assert 25.4 == dark.index(True) / 10


def test_where_a_board_was_found_afresh_it_is_read_from_then_on(filmed, monkeypatch):
    """Pushed aside it fits its old place nearly as well, and seems to bear odd tiles."""
    old, new = ([[x, 40], [x + 240, 40], [x + 240, 280], [x, 280]] for x in (10, 70))
    pushed = False
    hints: list[int] = []
    there = np.kron(np.random.default_rng(1).integers(0, 255, (20, 20, 3)), np.ones((16, 16, 1)))
    there = there.astype(np.uint8)

    def read(_, picture, request):
        """Where the hint says."""
        hints.extend(round(float(g.corners_px[0, 0])) for g in request.hint)
        slipped = pushed and request.hint and hints[-1] == old[0][0]
        at = old if slipped or not pushed else new
        seen = board(H7="CA", v_I9="TQ") if slipped else board(H7="CAT")
        return reading_of_rows(seen, LETTERS, corners_px=at)

    monkeypatch.setattr(ReadsBarcodes, "read", read)
    for tenth in range(60):
        pushed = tenth > 20
        picture = np.roll(there, 60 * pushed, axis=1)
        if tenth > 40:  # something moves once more
            picture[100:200, 100:200] = 0
        report = filmed.camera.take(png_of(picture), stream=True, at=tenth / 10)

    assert new == report.frame.reading.boards[0].corners_px.tolist()
    assert {10, 70} == set(hints)


def test_the_button_looks_for_the_board_afresh(filmed, monkeypatch):
    """Where its lattice lay aside, and all there seemed to be as it was."""
    old, new = ([[x, 40], [x + 240, 40], [x + 240, 280], [x, 280]] for x in (70, 10))
    slipped: list[bool] = []

    def read(_, picture, request):
        """Where the hint says, and there the play is not seen."""
        if not slipped or request.hint:
            return reading_of_rows(board(), LETTERS, corners_px=old)
        return reading_of_rows(board(H7="CAT"), LETTERS, corners_px=new)

    monkeypatch.setattr(ReadsBarcodes, "read", read)
    filmed.show(board(), 10)
    slipped.append(True)
    filmed.show(board(), 10)
    before = filmed.done()
    looked = filmed.act("look")

    assert [] == before
    assert {"status": "play"} == looked.verdict.result
    assert [("Ann", "place", ["CAT"])] == filmed.done()


def test_both_of_two_boards_are_kept_in_sight_where_a_look_afresh_misses_one(
    tmp_path, monkeypatch
):
    """Something lies over the left one; seen by itself the right one leaves no doubt."""
    places = [[[x, 40], [x + 400, 40], [x + 400, 440], [x, 440]] for x in (20, 540)]
    left, right = (
        reading_of_rows(board(), LETTERS, corners_px=at, occluded=hidden).boards[0]
        for at, hidden in zip(places, ([[0, 2], [0, 3]], []), strict=True)
    )
    looks: list[int] = []

    def read(_, picture, request):
        """Without a hint only the right board, but for the first picture."""
        looks.append(len(request.hint))
        missed = not request.hint and len(looks) > 1
        return PhotoReading(1000, 500, (right,) if missed else (left, right))

    monkeypatch.setattr(ReadsBarcodes, "read", read)
    session = make_session(tmp_path, rest=REST)
    camera = Filmed(session, "scrabble-house", ("Ann", "Bob", "Cyd", "Dan")).camera
    still = png_of(np.full((500, 1000, 3), 90, np.uint8))
    for tenth in range(10):
        report = camera.take(still, stream=True, at=tenth / 10)
    session.close()

    assert 0 in looks[1:]
    assert (left, right) == report.frame.reading.boards
