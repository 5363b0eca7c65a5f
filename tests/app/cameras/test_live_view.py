"""A live table while its board is pushed and turned, and while the light changes."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.app.cameras.settling import REST
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables
from kibitz.calibration.board_finder import CANNOT_BE_MADE_OUT
from kibitz.engine.table import Square
from tests.filming.film_stage import HandPose, Light, Moment, Moved, Stage
from tests.filming.story import Laid

RATE = 10.0
FOLLOWED_WITHIN = 2.0
NEAR_SQUARES = 0.35


def laid(word: str, row: int, col: int, *, down: bool = False) -> dict[Square, Laid]:
    return {
        Square(row + i * down, col + i * (not down)): Laid(letter) for i, letter in enumerate(word)
    }


GARDEN = laid("GARDEN", 7, 3)
FRIEND = {**GARDEN, **laid("FRIEND", 6, 5, down=True)}


@pytest.fixture(scope="module")
def stage() -> Stage:
    """One table with its board for all of these films."""
    return Stage(41)


@pytest.fixture(scope="module")
def reader() -> FrameReader:
    """The real reader, loaded once."""
    return FrameReader()


class Live:
    """A live table that is shown a film.

    Attributes:
        lines: what was told of it, without its time.
        now: seconds of video shown.
    """

    def __init__(self, stage: Stage, reader: FrameReader, folder: str) -> None:
        self.session = Session(Tables(Storage(folder)), reader)
        self.table = self.session.tables.create(Order("scrabble", ("Ann", "Bob"))).table
        self.camera = self.session.camera(self.table)
        self.stage = stage
        self.lines: list[tuple[str, dict[str, str]]] = []
        self._number = 0

    @property
    def now(self) -> float:
        """Seconds of video shown so far."""
        return self._number / RATE

    def show(self, *moments: Moment, seconds: float = 0.1, scale: float = 1.0) -> None:
        """Each moment for so long, in pictures of so many times the usual size."""
        for moment in moments:
            for _ in range(max(1, round(seconds * RATE))):
                picture, _ = self.stage.picture(moment, self._number)
                if scale != 1.0:
                    picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale), np.uint8)
                report = self.camera.take(picture, stream=True, at=self.now)
                self._number += 1
                if report.line is not None:
                    tiles = (report.line.get("play") or {}).get("tiles") or {}
                    self.lines.append((report.line["status"], tiles))

    def off_by(self, moved: Moved) -> float:
        """How far, in squares, the board was last read from where it lies, whichever way round."""
        assert self.camera.newest is not None
        reading = self.camera.newest.frame.reading
        assert reading is not None
        true = self.stage.corners(moved)
        read = np.asarray(reading.boards[0].corners_px)
        side = reading.boards[0].square_px
        turned = (np.roll(read, k, axis=0) for k in range(4))
        return min(float(np.linalg.norm(t - true, axis=1).max()) for t in turned) / side


@pytest.fixture
def live(stage, reader, tmp_path):
    live = Live(stage, reader, str(tmp_path))
    yield live
    live.session.close()


def hand(stage: Stage, square: Square, moved: Moved | None = None) -> tuple[HandPose, ...]:
    x, y = stage.square_at(square, moved or Moved())
    return (HandPose(0, x, y, -1.4),)


def with_garden(live: Live) -> None:
    """The first play, laid under a hand."""
    live.show(Moment({}), seconds=0.8)
    live.show(Moment(GARDEN, hand(live.stage, Square(7, 8))), seconds=0.3)
    live.show(Moment(GARDEN), seconds=0.8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("squares", "turn_deg"),
    [(0.3, 0.0), (0.5, 2.0), (1.0, 0.0), (2.0, 5.0), (0.0, 90.0), (0.0, 180.0), (0.5, -93.0)],
)
def test_a_board_that_is_moved_is_followed(live, squares, turn_deg):
    """Pushed or turned, the board is read in its new place within two seconds, as it was."""
    with_garden(live)
    far = squares * live.stage.geometry.square_px
    there = Moved(far * math.cos(0.6), -far * math.sin(0.6), turn_deg)
    path = [Moved(there.dx * k / 6, there.dy * k / 6, there.turn_deg * k / 6) for k in range(1, 7)]
    live.show(*(Moment(GARDEN, hand(live.stage, Square(14, 2), m), moved=m) for m in path))
    live.show(Moment(GARDEN, moved=there), seconds=FOLLOWED_WITHIN)
    off = live.off_by(there)
    live.show(Moment(FRIEND, hand(live.stage, Square(9, 5), there), moved=there), seconds=0.3)
    live.show(Moment(FRIEND, moved=there), seconds=0.8)

    assert off < NEAR_SQUARES
    assert ["GARDEN", "FRIEND"] == [w["word"] for e in live.table.history() for w in e["words"]]
    assert ["play", "play"] == [status for status, _ in live.lines]


@pytest.mark.slow
def test_a_board_that_leaves_the_picture_is_told(live):
    """When half the board is out of the picture nothing is concluded, and it is said."""
    with_garden(live)
    away = Moved(dx=live.stage.size[0] * 0.6)
    live.show(Moment(GARDEN, moved=away), seconds=2.0)
    assert live.camera.newest is not None
    frame = live.camera.newest.frame
    live.show(Moment(GARDEN), seconds=1.5)

    assert ("board_not_found", True) == (frame.code, bool(frame.advice))
    assert ["play"] == [status for status, _ in live.lines]
    assert live.camera.newest.frame.reading is not None


LIGHTS = {
    "a lamp is switched on and off": [
        *[Light()] * 6, *[Light(1.35, 0.5, warmth=0.08)] * 12, *[Light()] * 12,
    ],
    "exposure adapts": [Light(1 - 0.35 * math.exp(-i / 8)) for i in range(40)],
    "a cloud passes": [
        Light(shadow=0.45, shadow_x=-0.5 + i / 20, shadow_y=0.4) for i in range(40)
    ],
    "dusk": [Light(1.0 - 0.012 * i, warmth=0.002 * i) for i in range(45)],
    "a lamp that flickers": [Light(1.0 + 0.12 * (i % 2)) for i in range(30)],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("light", LIGHTS)
def test_light_changes_nothing(live, light):
    """Whatever the light does, nothing is told; the next play is told as always."""
    with_garden(live)
    live.show(*(Moment(GARDEN, light=one) for one in LIGHTS[light]))
    last = LIGHTS[light][-1]
    live.show(Moment(FRIEND, hand(live.stage, Square(9, 5)), last), seconds=0.3)
    live.show(Moment(FRIEND, light=last), seconds=0.8)

    assert ["play", "play"] == [status for status, _ in live.lines]
    assert ["GARDEN", "FRIEND"] == [w["word"] for e in live.table.history() for w in e["words"]]


@pytest.mark.slow
def test_an_arm_that_rests_over_the_board_hides_and_changes_nothing(live):
    """While an elbow lies on the board nothing is taken back; a play beside it is told."""
    with_garden(live)
    live.show(Moment(GARDEN, hand(live.stage, Square(7, 5))), seconds=3.0)
    rested = list(live.lines)
    live.show(Moment(GARDEN), seconds=0.8)
    live.show(Moment(FRIEND, hand(live.stage, Square(9, 5))), seconds=0.3)
    live.show(Moment(FRIEND), seconds=0.8)

    assert ["play"] == [status for status, _ in rested]
    assert ["play", "play"] == [status for status, _ in live.lines]


@pytest.mark.slow
def test_a_play_that_goes_on_is_one_play(live):
    """Tiles that follow at once belong to the play that was told; it counts as a whole."""
    part = {**GARDEN, **laid("FRIE", 6, 5, down=True)}
    with_garden(live)
    live.show(Moment(GARDEN), seconds=1.5)
    live.show(Moment(part, hand(live.stage, Square(8, 5))), seconds=0.3)
    live.show(Moment(part), seconds=1.3)
    live.show(Moment(FRIEND, hand(live.stage, Square(10, 5))), seconds=0.3)
    live.show(Moment(FRIEND), seconds=REST.doubtful_s + 0.8)
    history = live.table.history()

    assert ["GARDEN", "FRIEND"] == [w["word"] for e in history for w in e["words"]]
    assert ["Ann", "Bob"] == [e["player"] for e in history]


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.75, 1.5])
def test_a_stream_that_changes_its_size_goes_on(live, scale):
    """Larger or smaller pictures in the middle of a game change nothing; plays are told."""
    with_garden(live)
    live.show(Moment(GARDEN), seconds=1.5, scale=scale)
    live.show(Moment(FRIEND, hand(live.stage, Square(9, 5))), seconds=0.3, scale=scale)
    live.show(Moment(FRIEND), seconds=0.8, scale=scale)

    assert ["play", "play"] == [status for status, _ in live.lines]
    assert ["GARDEN", "FRIEND"] == [w["word"] for e in live.table.history() for w in e["words"]]


@pytest.mark.slow
def test_tiles_that_are_nudged_are_no_play(live):
    """Tiles pushed askew stay what they were; the next play is told as always."""
    with_garden(live)
    pushed = [(0.14, -0.1, 8.0), (-0.12, 0.12, -6.0), (0.0, 0.15, 4.0)]
    askew = dict(GARDEN)
    for square, nudge in zip(list(GARDEN)[1:4], pushed, strict=True):
        askew[square] = replace(GARDEN[square], nudge=nudge)
    live.show(Moment(askew, hand(live.stage, Square(8, 5))), seconds=0.4)
    live.show(Moment(askew), seconds=2.0)
    nudged = list(live.lines)
    both = {**FRIEND, **askew}
    live.show(Moment(both, hand(live.stage, Square(9, 5))), seconds=0.3)
    live.show(Moment(both), seconds=0.8)

    assert ["play"] == [status for status, _ in nudged]
    assert ["play", "play"] == [status for status, _ in live.lines]


@pytest.mark.slow
def test_a_picture_of_something_else_is_told(live):
    """A camera that shows no board, before or during a game, is told with what to do."""
    rng = np.random.default_rng(5)
    wall = rng.integers(90, 130, (720, 960, 3), np.uint8)
    live.camera.take(wall, stream=True, at=0.0)
    before = live.camera.newest
    live._number = 5
    with_garden(live)
    for number in range(15):
        live.camera.take(wall, stream=True, at=live.now + number / RATE)
    during = live.camera.newest
    live._number += 15
    live.show(Moment(GARDEN), seconds=1.5)

    assert before is not None
    assert during is not None
    for report in (before, during):
        assert "board_not_found" == report.frame.code
        assert (CANNOT_BE_MADE_OUT,) == report.frame.advice
    assert ["play"] == [status for status, _ in live.lines]
