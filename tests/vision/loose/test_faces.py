"""A tile lies face up or down as the other tiles of the picture make likely."""

from __future__ import annotations

import numpy as np

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.boards.squares import SQUARE_PX
from kibitz.vision.loose.letters import EDGE_PX, EVERY_PX, contrasts, plainly_backs, towards_face
from kibitz.vision.loose.mosaic import middles


def test_all_others_face_up() -> None:
    """Where every other tile shows a letter, one in doubt is taken for a letter as well."""
    said = towards_face(np.array([0.02] * 20 + [0.7]), 0)

    assert np.log(0.3 / 0.7) + said > 0


def test_most_others_face_down() -> None:
    """Among many backs, a tile is one too even if a letter is seen in its grain."""
    said = towards_face(np.array([0.02] * 5 + [0.98] * 12 + [0.3]), 8)

    assert np.log(0.7 / 0.3) + said < 0


def test_contrast_is_of_the_inner_part() -> None:
    """What lies around a tile and at its edge is not counted."""
    picture = np.zeros((60, 140, 3), np.uint8)
    picture[10:50, 10:50] = picture[10:50, 90:130] = 200
    picture[25:35, 105:115] = 50
    where = np.array([(30, 30, 40, 0.0), (110, 30, 40, 30.0)])
    contrast, light = contrasts(middles(Pyramid(picture), where, SQUARE_PX, EDGE_PX, EVERY_PX))

    assert (contrast.tolist(), light.tolist()) == ([0.0, 150.0], [200.0, 200.0])


def test_no_letter_is_sought_on_a_plain_back() -> None:
    """Tiles far plainer than the faces of the picture are backs, in the light and in a shadow."""
    contrast = np.array([120.0, 120.0, 120.0, 120.0, 66.0, 33.0, 66.0, 33.0])
    light = np.array([200.0, 200.0, 200.0, 200.0, 100.0, 100.0, 200.0, 200.0])
    face = np.array([0.97, 0.97, 0.97, 0.97, 0.6, 0.6, 0.6, 0.6])

    assert np.flatnonzero(plainly_backs(contrast, light, face)).tolist() == [7]
    assert not plainly_backs(contrast[2:], light[2:], face[2:]).any()
