"""The lattice of a board of any size is found by its lines."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from kibitz.calibration import any_size, framing, spacings
from kibitz.calibration.any_size import find_lattice, find_sized
from kibitz.calibration.board_geometry import Pyramid, geometry_from_corners
from kibitz.calibration.framing import beside_stripes, crosses, goes_on
from kibitz.calibration.outline import Masks, masks_of
from kibitz.calibration.size_rule import MARGIN, SIZE, UNIT_PX, UNITS, FrameWeights
from kibitz.models.session import load_model
from kibitz.models.training.drawing.scene import make_scene
from kibitz.models.training.drawing.sized_boards import photograph

SIDE = 440.0
"""Pixels of the ruled boards of these tests."""
CORNERS = np.array(
    [(150.0, 120.0), (150 + SIDE, 120.0), (150 + SIDE, 120 + SIDE), (150, 120 + SIDE)]
)


def ruled(squares: int, width: int = 760, height: int = 700):
    """A board of bare squares on a plain table, seen from straight above."""
    picture = np.full((height, width, 3), 90, np.uint8)
    picture += np.random.default_rng(3).integers(0, 6, picture.shape, np.uint8)
    x0, y0 = CORNERS[0].astype(int)
    x1, y1 = CORNERS[2].astype(int)
    picture[y0:y1, x0:x1] += 70
    for k in range(squares + 1):
        at = round(k * SIDE / squares)
        cv2.line(picture, (x0 + at, y0), (x0 + at, y1), (40, 40, 40), 2)
        cv2.line(picture, (x0, y0 + at), (x1, y0 + at), (40, 40, 40), 2)
    return picture


def seen(picture, corners=CORNERS) -> Masks:
    """What a finder that makes no mistake would say."""
    h, w = picture.shape[:2]
    mask = np.full((h // 4, w // 4), -4.5, np.float32)
    cv2.fillConvexPoly(mask, (corners / 4).astype(np.int32), 4.5)
    return Masks(mask, mask, w // 4, h // 4, 4.0, (0.0, 0.0))


@pytest.fixture(scope="module")
def finder():
    """The published one."""
    return load_model("finder")


@pytest.mark.parametrize("squares", [10, 11, 13, 17])
def test_lines_tell_how_many_squares(squares):
    """An outline half a square off is enough: the number and the corners come from the lines."""
    picture = ruled(squares)
    off = np.array([(-0.5, 0.4), (0.3, -0.5), (0.5, 0.5), (-0.4, -0.3)]) * SIDE / squares

    g = find_lattice(picture, CORNERS + off, seen(picture))

    assert g is not None
    assert squares == g.size
    assert np.abs(g.corners_px - CORNERS).max() < 0.1 * SIDE / squares


def test_nothing_without_lines():
    """A plain area has no lattice."""
    picture = np.full((700, 760, 3), 90, np.uint8)

    assert find_lattice(picture, CORNERS, seen(picture)) is None


@pytest.mark.parametrize("squares", [11, 17, 21])
def test_drawn_boards_are_found(squares, finder):
    """Photographs of drawn boards, turned and tilted: the number and the corners are right."""
    found = []
    for i in range(3):
        board = photograph(np.random.default_rng([5, squares, i + 2]), squares)
        g = find_sized(Pyramid(board.picture), finder, squares)
        if g is not None:
            true = board.geometry.corners_px
            off = min(np.abs(np.roll(g.corners_px, k, 0) - true).max() for k in range(4))
            found.append(g.size == squares and off < 0.35 * g.square_px)

    assert [True] * len(found) == found
    assert len(found) >= 2


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


@pytest.mark.parametrize(
    ("sides", "coloured", "expected"),
    [
        (("below",), 15, True),
        (("below",), 16, False),
        (("below", "right"), 15, False),
    ],
)
def test_stripes_of_a_table_are_no_rows(sides, coloured, expected):
    """What goes on along one axis alone, and lies in no mirror, makes no board larger."""
    picture = ruled(15)
    pitch = SIDE / 15
    (x0, y0), (x1, y1) = CORNERS[0].astype(int), CORNERS[2].astype(int)
    for k in range(coloured):  # premium squares along both diagonals
        for col in (k, coloured - 1 - k):
            x, y = round(x0 + col * pitch), round(y0 + k * pitch)
            cv2.rectangle(picture, (x + 4, y + 4), (x + 25, y + 25), (40, 40, 200), -1)
    for k in range(16):
        at = round(k * pitch)
        ends = {
            "below": ((x0 + at, y1), (x0 + at, y1 + 90)),
            "right": ((x1, y0 + at), (x1 + 90, y0 + at)),
        }
        for side in sides:
            cv2.line(picture, *ends[side], (40, 40, 40), 2)
    found = geometry_from_corners(CORNERS, 15, 760, 700)
    larger = found.to_px(np.array([(0.0, 0.0), (16.0, 0.0), (16.0, 16.0), (0.0, 16.0)]))

    assert goes_on(picture, found)
    assert expected is beside_stripes(picture, found, geometry_from_corners(larger, 16, 760, 700))


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

    assert expected == set(framing._frames(corners, (45, 45), None, SIZE)[:, 0].tolist())


def faintly_beyond(seed: int):
    """A ruled board on a table where fainter lines go on beside it, and what a finder says.

    Returns:
        Squares a side, picture, a rough outline, and the finder's masks.
    """
    rng = np.random.default_rng(seed)
    squares = int(rng.integers(9, 15))
    picture = np.full((700, 760, 3), 90, np.uint8)
    (x0, y0), (x1, y1) = CORNERS[0].astype(int), CORNERS[2].astype(int)
    picture[y0:y1, x0:x1] += 70
    pitch, line = SIDE / squares, int(rng.integers(40, 110))
    for k in range(squares + 1):
        at = round(k * pitch)
        cv2.line(picture, (x0 + at, y0), (x0 + at, y1), (line, line, line), 2)
        cv2.line(picture, (x0, y0 + at), (x1, y0 + at), (line, line, line), 2)
    for side in np.flatnonzero(rng.random(4) < 0.5).tolist():
        far, tone = round(pitch * rng.choice([1, 1, 2])), int(rng.integers(60, 85))
        for k in np.flatnonzero(rng.random(squares + 1) > 0.25).tolist():
            at = round(k * pitch)
            ends = [
                ((x0 + at, y0 - far), (x0 + at, y0)),
                ((x1, y0 + at), (x1 + far, y0 + at)),
                ((x0 + at, y1), (x0 + at, y1 + far)),
                ((x0 - far, y0 + at), (x0, y0 + at)),
            ]
            cv2.line(picture, *ends[side], (tone, tone, tone), 2)
    noise = rng.integers(-8, 9, picture.shape)
    picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    outwards = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners = CORNERS + outwards * rng.uniform(-1, 1.2) * pitch
    stretched = corners * (1, rng.uniform(0.94, 1.06))
    rough = stretched + rng.uniform(-0.3, 0.3, (4, 2)) * pitch
    return squares, picture, rough, seen(picture, corners)


def test_a_rim_of_one_square_is_no_row():
    """A rim as wide as a square has an edge where a line could be, but no lines across."""
    picture = ruled(11)
    px = round(SIDE / 11)
    x0, y0 = CORNERS[0].astype(int) - px
    x1, y1 = CORNERS[2].astype(int) + px
    cv2.rectangle(picture, (int(x0), int(y0)), (int(x1), int(y1)), (30, 30, 30), 2)
    trusting = replace(
        SIZE,
        told_by=FrameWeights(
            beyond=0.0, strongest=0.0, outer=0.0, weakest=0.0, area=0.0, border=5.0
        ),
    )

    g = find_lattice(picture, CORNERS, seen(picture))
    wrong = find_lattice(picture, CORNERS, seen(picture), rule=trusting)

    assert g is not None
    assert wrong is not None
    assert 11 == g.size
    assert 11 != wrong.size


def test_scenes_of_other_sizes_have_as_many_squares():
    """The renderer draws boards of any size with the truth of every square."""
    scene = make_scene(np.random.default_rng(1), 10)

    assert (10, 10) == scene.kinds.shape
    assert (540, 540, 3) == scene.image.shape
    assert masks_of(scene.image, load_model("finder")).area.shape == (80, 80)


def board_of(quality: float, size: int = 11):
    """A board that was found so surely."""
    return replace(geometry_from_corners(CORNERS, size, 760, 700), quality=quality)


def searched(monkeypatch, qualities: list[float]) -> tuple[float | None, int, int]:
    """How good the board that is found is, and how many outlines and looks that took."""
    looks, tried = [], []

    def look(*_, **__):
        looks.append(1)
        return seen(np.zeros((700, 760, 3), np.uint8))

    def lattice(*_):
        tried.append(1)
        quality = qualities[len(tried) - 1] if len(tried) <= len(qualities) else 0.0
        return board_of(quality) if quality else None

    monkeypatch.setattr(any_size, "masks_of", look)
    monkeypatch.setattr(any_size, "outlines", lambda _: [CORNERS])
    monkeypatch.setattr(any_size, "other_outlines", lambda _: [CORNERS] * 9)
    monkeypatch.setattr(any_size, "find_lattice", lattice)
    found = find_sized(np.zeros((700, 760, 3), np.uint8), None)
    return (None if found is None else found.quality), len(tried), len(looks)


@pytest.mark.parametrize(
    ("qualities", "expected"),
    [
        ([0.85, 0.95], (0.85, 1, 1)),
        ([0.75, 0.7], (0.75, 4, 2)),
        ([0.72], (0.72, 4, 2)),
        ([0.68], (None, 4, 2)),
        ([], (None, 4, 2)),
    ],
    ids=["surely", "not surely", "just", "not for certain", "nothing"],
)
def test_how_long_a_board_of_any_size_is_looked_for(qualities, expected, monkeypatch):
    """Until one is sure: near by, from further off, and in two less likely outlines."""
    assert expected == searched(monkeypatch, qualities)


def laid(monkeypatch, apart: float) -> float | None:
    """How good a board is of which half of the crossings lie further off than that."""
    flat = SimpleNamespace(origin=(0, 0), squares=(11, 11))
    monkeypatch.setattr(framing, "_flattened", lambda *_: flat)
    monkeypatch.setattr(framing, "_on_crossings", lambda _, g, *__: (g, apart))
    monkeypatch.setattr(framing, "_frames", lambda *_: np.array([(11, 0, 0)]))
    monkeypatch.setattr(framing, "_worth", lambda *_: np.zeros(1))
    picture = np.zeros((700, 760, 3), np.uint8)
    g = framing.framed(picture, board_of(1.0), CORNERS, seen(picture), None, SIZE)
    return None if g is None else round(g.quality, 2)


@pytest.mark.parametrize(("apart", "expected"), [(0.05, 1.0), (0.12, 0.76), (0.15, None)])
def test_how_near_crossings_must_lie(apart, expected, monkeypatch):
    """A twentieth of a square costs nothing, twice as much a quarter; further off they are chance."""
    assert expected == laid(monkeypatch, apart)


def test_the_likeliest_frames_are_compared_in_mirrors(monkeypatch):
    """Sixty of them: that takes longer than all else."""
    compared: list[int] = []

    def unlike(_, __, ___, frames, ____):
        compared.append(len(frames))
        return np.zeros((len(frames), 3))

    monkeypatch.setattr(framing, "_unlike", unlike)
    picture = ruled(11)
    find_lattice(picture, CORNERS, seen(picture))

    assert {60} == set(compared)


@pytest.mark.parametrize(
    ("seed", "squares", "quality"),
    [
        (8, 13, 0.702),
        (15, 14, 0.707),
        (22, 13, 0.640),
        (53, 13, 0.69),
        (56, 11, 0.476),
        (58, 12, 0.673),
    ],
)
def test_how_sure_the_number_of_squares_is(seed, squares, quality):
    """Lines that go on faintly beside a board speak for more squares, its own edges against."""
    true, picture, rough, area = faintly_beyond(seed)
    g = find_lattice(picture, rough, area)

    assert g is not None
    assert true == squares == g.size
    assert abs(g.quality - quality) < 0.02


def test_so_many_spacings_are_looked_into():
    """The four likeliest, however little speaks for the last of them."""
    side = round((UNITS + 2 * MARGIN) * UNIT_PX)
    noise = np.random.default_rng(1).random((side, side)).astype(np.float32)

    assert 4 == len(spacings._spacings(noise, noise.T.copy(), SIZE))
