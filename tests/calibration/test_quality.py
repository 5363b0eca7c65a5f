"""Each number of `ViewRule` decides what people are told: just below it and just above."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.calibration.quality import (
    ViewQuality,
    advice,
    advice_unseen,
    fault_unseen,
    faults,
    judge_view,
    summary,
)

GOOD = ViewQuality(
    square_px=30.0,
    smallest_square_px=25.0,
    brightness=120.0,
    glare_squares=(),
    sharpness=4.0,
    tilt_deg=30.0,
    fit=0.99,
    in_picture=True,
)
SIDE = 17 * 16
PLACE = geometry_from_corners(
    np.array([(16.0, 16.0), (256.0, 16.0), (256.0, 256.0), (16.0, 256.0)]), 15, SIDE, SIDE
)


@pytest.mark.parametrize(
    ("measure", "fine", "bad"),
    [
        ("smallest_square_px", 16.0, 12.0),
        ("brightness", 60.0, 35.0),
        ("sharpness", 2.8, 1.6),
        ("tilt_deg", 45.0, 70.0),
        ("fit", 0.85, 0.7),
    ],
)
def test_when_something_is_to_be_done(measure, fine, bad):
    """One piece of advice for each measure that is bad, none while it is fine."""
    said = [len(advice(replace(GOOD, **{measure: value}))) for value in (fine, bad)]

    assert [0, 1] == said


@pytest.mark.parametrize(
    ("smallest_square_px", "fit", "expected"),
    [(25.0, 0.99, "good"), (11.0, 0.75, "usable"), (11.0, 0.65, "poor")],
)
def test_how_a_view_is_graded(smallest_square_px, fit, expected):
    """A view is usable if the lattice fits."""
    view = replace(GOOD, smallest_square_px=smallest_square_px, fit=fit)

    assert f"The view is {expected}" in summary(view)


@pytest.mark.parametrize(
    ("brightness", "expected"),
    [(40, "dark"), (50, "No board"), (252, "No board"), (254.5, "washed out")],
)
def test_why_a_picture_shows_no_board(brightness, expected):
    """It is too dark, too bright, or the camera looks elsewhere."""
    assert expected in advice_unseen(brightness)


def lit(level: int, part: float, squares: int) -> np.ndarray:
    """A grey board of which some squares are burnt out in part."""
    picture = np.full((SIDE, SIDE, 3), 120, np.uint8)
    for k in range(squares):
        y, x = 16 * (1 + k // 15), 16 * (1 + k % 15)
        picture[y : y + 16, x : x + round(16 * part)] = level
    return picture


@pytest.mark.parametrize(
    ("level", "part", "squares", "expected"),
    [
        (252, 1.0, 3, 0),
        (255, 1.0, 3, 3),
        (255, 0.25, 3, 0),
        (255, 0.5, 3, 3),
        (255, 1.0, 105, 105),
        (255, 1.0, 120, 0),
    ],
    ids=["bright", "burnt out", "a corner", "half a square", "nearly half", "a white board"],
)
def test_what_is_glare(level, part, squares, expected):
    """Squares burnt out in good part, but not a board that is white all over."""
    assert expected == len(judge_view(lit(level, part, squares), PLACE).glare_squares)


def stripes(number: int) -> np.ndarray:
    """A board with so many upright lines, each of four pixels a row that differ."""
    picture = np.full((SIDE, SIDE, 3), 60, np.uint8)
    for k in range(number):
        picture[:, 20 + 12 * k : 24 + 12 * k] = 200
    return picture


@pytest.mark.parametrize(("lines", "expected"), [(2, False), (4, True)])
def test_sharpness_is_told_by_the_strongest_edges(lines, expected):
    """A twentieth of the pixels tells: as many as three lines have."""
    assert expected == (judge_view(stripes(lines), PLACE).sharpness > 3.0)


def test_single_bright_pixels_are_no_contrast():
    """Two in a hundred bright pixels leave the contrast as it is, four in a hundred do not."""
    few, many = (lit(200, 1.0, n) for n in (4, 10))
    sharpness = [judge_view(p, PLACE).sharpness for p in (few, many)]

    assert sharpness[0] > 4 * sharpness[1]


def striped(first: int, last: int) -> np.ndarray:
    """A sharp board of little contrast with a smooth white sleeve over some of its columns."""
    picture = np.full((SIDE, SIDE, 3), 110, np.uint8)
    picture[:, ::8] = 140
    picture[:, 16 * (1 + first) : 16 * (1 + last)] = 245
    return picture


def over(first: int, last: int) -> np.ndarray:
    """Which squares that is, (15, 15)."""
    squares = np.zeros((15, 15), bool)
    squares[:, first:last] = True
    return squares


def blurred(view: ViewQuality) -> bool:
    """Whether people are told that the picture is."""
    return any("blurred" in line for line in advice(view))


def test_a_sharp_board_under_an_arm_is_not_called_blurred():
    """How sharp a picture is shows where no arm lies, and a blurred one is so there too."""
    sharp, sleeve = striped(5, 9), over(5, 9)
    soft = cv2.GaussianBlur(sharp, (0, 0), 5.0)

    assert blurred(judge_view(sharp, PLACE))
    assert not blurred(judge_view(sharp, PLACE, covered=sleeve))
    assert blurred(judge_view(soft, PLACE, covered=sleeve))


@pytest.mark.parametrize(("known", "expected"), [((5, 9), False), ((6, 8), False), ((7, 8), True)])
def test_a_square_beside_a_hand_counts_as_hidden(known, expected):
    """One square around it, where its edge may lie; not two."""
    assert expected == blurred(judge_view(striped(5, 9), PLACE, covered=over(*known)))


@pytest.mark.parametrize(("first", "told"), [(3, True), (2, False)])
def test_too_little_in_sight_is_not_judged(first, told):
    """Three columns of fifteen are a fifth; beside the arm one more counts as hidden."""
    picture = cv2.GaussianBlur(striped(first + 1, 15), (0, 0), 9.0)

    assert told == blurred(judge_view(picture, PLACE, covered=over(first + 1, 15)))


def test_small_squares_are_not_called_blurred():
    """What is enlarged has soft edges: a sharp board is judged no finer than it is seen."""
    of_squares = np.kron(np.indices((15, 15)).sum(0) % 2, np.ones((7, 7))) * 150 + 60
    picture = np.repeat(
        cv2.copyMakeBorder(of_squares, 7, 7, 7, 7, cv2.BORDER_REFLECT)[..., None], 3, 2
    )
    corners = np.array([(7, 7), (112, 7), (112, 112), (7, 112)], float)
    place = geometry_from_corners(corners, 15, 119, 119)

    assert not blurred(judge_view(picture.astype(np.uint8), place))


def test_every_fault_has_its_advice():
    """Programs are told by name what people are told in words, in the same order."""
    worst = replace(
        GOOD, smallest_square_px=5.0, brightness=10.0, glare_squares=((0, 0),), sharpness=0.1,
        tilt_deg=80.0, fit=0.1, in_picture=False,
    )  # fmt: skip
    named = faults(worst)
    one_by_one = {
        faults(replace(GOOD, **{name: getattr(worst, name)})): advice(
            replace(GOOD, **{name: getattr(worst, name)})
        )
        for name in ("smallest_square_px", "brightness", "glare_squares", "sharpness")
    }

    assert () == faults(GOOD)
    assert ("cut_off", "too_far", "too_dark", "glare", "blurred", "too_low", "unclear") == named
    assert len(advice(worst)) == len(named)
    assert {("too_far",), ("too_dark",), ("glare",), ("blurred",)} == set(one_by_one)
    assert [1, 1, 1, 1] == [len(said) for said in one_by_one.values()]
    assert ("too_dark", "no_board", "too_bright") == tuple(map(fault_unseen, (20.0, 120.0, 254.5)))


@pytest.mark.parametrize(("by", "expected"), [(4, 1.75), (16, 2.8)])
def test_faint_lines_make_no_board_sharp(by, expected):
    """Edges are told against the contrast and four grey levels more: noise has edges too."""
    picture = np.full((SIDE, SIDE, 3), 60, np.uint8)
    for k in range(8):
        picture[:, 20 + 12 * k : 24 + 12 * k] += by

    assert expected == pytest.approx(judge_view(picture, PLACE).sharpness, abs=0.1)
