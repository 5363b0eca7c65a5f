"""Which frame of lines is a board, and whether its lines go on beside it."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from kibitz.calibration import framing
from kibitz.calibration.any_size import find_lattice
from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.calibration.framing import crosses, goes_on
from tests.calibration.ruled_help import CORNERS, SIDE, board_of, ruled, seen


@pytest.mark.parametrize(("inner", "expected"), [(15, True), (21, False)])
def test_lines_that_go_on(inner, expected):
    """15 squares of a board of 21 have more beside them; the whole board has not."""
    picture = ruled(21)
    whole = geometry_from_corners(CORNERS, 21, 760, 700)
    part = whole.to_px(np.array([(3.0, 3.0), (18.0, 3.0), (18.0, 18.0), (3.0, 18.0)]))
    corners = part if inner == 15 else CORNERS

    assert expected is goes_on(picture, geometry_from_corners(corners, inner, 760, 700))


@pytest.mark.parametrize(("length", "expected"), [(10, False), (20, True)])
def test_how_far_lines_must_go_on(length, expected):
    """A third of a square is too little, two thirds are enough."""
    picture = ruled(15)
    x0, y1 = int(CORNERS[0, 0]), int(CORNERS[2, 1])
    for k in range(16):
        at = x0 + round(k * SIDE / 15)
        cv2.line(picture, (at, y1), (at, y1 + length), (40, 40, 40), 2)

    assert expected is goes_on(picture, geometry_from_corners(CORNERS, 15, 760, 700))


def test_lines_that_go_on_are_seen():
    """Beyond fifteen squares of more, and not beyond all of them."""
    geometry = geometry_from_corners(CORNERS, 21, 760, 700)
    part = geometry.to_px(np.array([(3.0, 3.0), (18.0, 3.0), (18.0, 18.0), (3.0, 18.0)]))
    inner = geometry_from_corners(part, 15, 760, 700)

    assert [True, False] == [goes_on(ruled(21), g) for g in (inner, geometry)]


@pytest.mark.parametrize(
    ("squares", "frame", "expected"),
    [
        (15, (0.0, 0.0, 15.0, 15.0), True),
        (13, (-1.0, -1.0, 14.0, 14.0), False),
        (14, (0.0, 0.0, 14.0, 14.0), False),
        (14, (0.0, -1.0, 15.0, 14.0), True),
        (21, (3.0, 3.0, 18.0, 18.0), True),
    ],
    ids=["the board", "with its rim", "stretched", "two sides", "a part"],
)
def test_lines_cross_the_outermost_squares(squares, frame, expected):
    """Those of a board on all its sides; a rim all around, or a row too many, has none there."""
    left, top, right, bottom = frame
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    board = geometry_from_corners(CORNERS, squares, 760, 700)
    laid = geometry_from_corners(board.to_px(corners), 15, 760, 700)

    assert expected is crosses(ruled(squares), laid)


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        (6.0, {8, 9}),
        (11.0, {8, 9, 10, 11, 12, 13, 14}),
        (21.0, {18, 19, 20, 21, 22, 23, 24}),
        (26.0, {23, 24}),
        (30.0, set()),
    ],
)
def test_how_many_squares_an_outline_may_hold(side, expected):
    """Three more or fewer than it seems, and from 8 to 24."""
    corners = np.array([(5.0, 5.0), (5 + side, 5.0), (5 + side, 5 + side), (5.0, 5 + side)])

    assert expected == set(framing._frames(corners, (45, 45), None)[:, 0].tolist())


def laid(monkeypatch, apart: float) -> float | None:
    """How good a board is of which half of the crossings lie further off than that."""
    flat = SimpleNamespace(origin=(0, 0), squares=(11, 11))
    monkeypatch.setattr(framing, "_flattened", lambda *_: flat)
    monkeypatch.setattr(framing, "_on_crossings", lambda _, g, *__: (g, apart))
    monkeypatch.setattr(framing, "_frames", lambda *_: np.array([(11, 0, 0)]))
    monkeypatch.setattr(framing, "_worth", lambda *_: np.zeros(1))
    picture = np.zeros((700, 760, 3), np.uint8)
    g = framing.framed(picture, board_of(1.0), CORNERS, seen(picture), None)
    return None if g is None else round(g.quality, 2)


@pytest.mark.parametrize(("apart", "expected"), [(0.05, 1.0), (0.12, 0.76), (0.15, None)])
def test_how_near_crossings_must_lie(apart, expected, monkeypatch):
    """A twentieth of a square costs nothing, twice as much a quarter; further off they are chance."""
    assert expected == laid(monkeypatch, apart)


def test_the_likeliest_frames_are_compared_in_mirrors(monkeypatch):
    """Sixty of them: that takes longer than all else."""
    compared: list[int] = []

    def unlike(_, __, ___, frames):
        compared.append(len(frames))
        return np.zeros((len(frames), 3))

    monkeypatch.setattr(framing, "_unlike", unlike)
    picture = ruled(11)
    find_lattice(picture, CORNERS, seen(picture))

    assert {60} == set(compared)
