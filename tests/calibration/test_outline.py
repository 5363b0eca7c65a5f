"""Numbers of `OutlineRule` decide which parts of what the finder says become outlines."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.calibration import outline
from kibitz.calibration.outline import (
    Masks,
    adjust_corners,
    masks_of,
    other_outlines,
    outlines,
    quadrilateral,
)

CELLS = 80


def seen(*boxes: tuple[int, int, int, int], surely: float = 6.0) -> Masks:
    """What a finder says of boards between columns and rows, x0, y0, x1, y1 in cells."""
    area = np.full((CELLS, CELLS), -6.0, np.float32)
    inner = area.copy()
    for x0, y0, x1, y1 in boxes:
        area[y0:y1, x0:x1] = surely
        w, h = (x1 - x0) * 2.2 / 15, (y1 - y0) * 2.2 / 15
        inner[round(y0 + h) : round(y1 - h), round(x0 + w) : round(x1 - w)] = 6.0
    return Masks(area, inner, CELLS, CELLS, 1.0, (0.0, 0.0))


@pytest.mark.parametrize(("wide", "expected"), [(4, 2), (6, 1)])
def test_how_wide_what_joins_two_boards_may_be(wide, expected):
    """A bridge of four cells between two inner parts is cut, one of six is not."""
    masks = seen((4, 20, 38, 54), (42, 20, 76, 54))
    masks.inner[36 : 36 + wide, 20:60] = 6.0

    assert expected == len(outlines(masks))


@pytest.mark.parametrize(("probable", "expected"), [(0.57, 50.0), (0.7, 60.0)])
def test_how_probable_cells_of_the_area_are(probable, expected):
    """An edge that is as likely as not is left out."""
    masks = seen((10, 10, 50, 50))
    masks.area[10:50, 50:60] = np.log(probable / (1 - probable))
    (quad,) = outlines(masks)

    assert abs(float(quad[:, 0].max()) - expected) < 1.5


@pytest.mark.parametrize(("off", "stays"), [(0.0, True), (4.0, False)])
def test_a_quadrilateral_that_holds_enough_stays(off, stays):
    """It moves only if more than one part in twenty-five of the area is left out."""
    gain = np.full((CELLS, CELLS), -0.5, np.float32)
    gain[10:70, 10:70] = 0.5
    quad = np.array([(10.0, 10.0), (70.0, 10.0), (70.0, 70.0), (10.0, 70.0)])
    quad[:2, 1] += off
    moved = adjust_corners(quad, gain)

    assert stays == bool((moved == quad).all())
    assert moved[:, 1].min() < 12


@pytest.mark.parametrize(("gap", "expected"), [(2, 70), (3, 39)])
def test_how_far_a_side_goes_over_a_gap(gap, expected):
    """An area that goes on behind two cells belongs to the board; behind three it is another."""
    gain = np.full((CELLS, CELLS), -0.5, np.float32)
    gain[10:40, 10:70] = gain[40 + gap : 70, 10:70] = 0.5
    quad = np.array([(10.0, 10.0), (70.0, 10.0), (70.0, 40.0), (10.0, 40.0)])

    assert expected == adjust_corners(quad, gain)[:, 1].max()


@pytest.mark.parametrize(("bend", "expected"), [(0.4, 4), (1.0, 5)])
def test_how_small_a_bend_of_a_hull_is_straightened(bend, expected):
    """Less than six tenths of a cell."""
    edge = np.array([(0.0, 0.0), (25.0, -bend), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0)])
    quad = quadrilateral(edge)

    assert quad is not None
    kept = abs(float(quad[:, 1].min())) < 1e-3
    assert expected == (4 if kept else 5)


def faint(*chances: float) -> Masks:
    """A board in a surround of rings that are less and less probable."""
    masks = seen()
    for k, chance in enumerate(chances):
        masks.area[10 + 4 * k : 70 - 4 * k, 10 + 4 * k : 70 - 4 * k] = np.log(
            chance / (1 - chance)
        )
    return masks


def test_other_outlines_are_tried_at_five_levels():
    """From cells that are hardly probable to those that are almost sure."""
    masks = faint(0.03, 0.08, 0.15, 0.4, 0.6, 0.85, 0.98)
    sides = {round(float(np.ptp(q[:, 0]))) for q in other_outlines([masks])}

    assert [11, 19, 27, 35, 51] == sorted(sides)


@pytest.mark.parametrize(("ring", "expected"), [(1, 1), (3, 2)])
def test_outlines_that_are_alike_are_tried_once(ring, expected):
    """Corners a fiftieth of a side apart make no other outline, a fifteenth does."""
    masks = seen((10, 10, 60, 60))
    masks.area[10 - ring : 60 + ring, 10 - ring : 60 + ring] = np.maximum(
        masks.area[10 - ring : 60 + ring, 10 - ring : 60 + ring], -2.0
    )

    assert expected == len(other_outlines([masks]))


class Remembers:
    """A finder that keeps what it was shown."""

    input_px = 320

    def __init__(self) -> None:
        self.shown: list[np.ndarray] = []

    def run(self, pictures):
        """Nothing at all."""
        self.shown.append(pictures[0])
        return np.full((1, 2, CELLS, CELLS), -6.0, np.float32)


def test_a_picture_from_further_off_has_a_surround():
    """It takes seven tenths of the width and begins at three twentieths of it."""
    finder, picture = Remembers(), np.zeros((320, 320, 3), np.uint8)
    picture[2:-2, 2:-2] = 255
    masks_of(picture, finder, stand_back=True)
    ys, xs = np.nonzero(cv2.cvtColor(finder.shown[0], cv2.COLOR_BGR2GRAY) > 200)

    assert np.allclose((48, 48, 272, 272), (xs.min(), ys.min(), xs.max(), ys.max()), atol=3)


def test_a_board_goes_on_around_its_inner_part():
    """What the finder calls inner leaves out two squares and a little on each side."""
    core = np.zeros((CELLS, CELLS), np.uint8)
    core[19:61, 19:61] = 1  # of a board from 10 to 70, four cells a square
    quad = outline._extend_inner(core)

    assert quad is not None
    assert np.abs(np.array([quad.min(0), quad.max(0)]) - [(10, 10), (70, 70)]).max() < 1.5


def test_two_boards_each_have_their_own_rim():
    """Cells that are nearer to a board's middle than to the other's are its own."""
    one, two = (10, 10, 40, 40), (44, 10, 74, 40)

    found = sorted(outlines(seen(one, two)), key=lambda quad: quad[0, 0])

    alone = [outlines(seen(box))[0] for box in (one, two)]
    assert np.stack(alone) == pytest.approx(np.stack(found), abs=0.5)
