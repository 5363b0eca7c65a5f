"""A tile lies face up or down as the other tiles of the picture make likely."""

from __future__ import annotations

import numpy as np

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.boards.squares import SQUARE_PX
from kibitz.vision.loose.faces import contrasts, plainly_backs, printed_backs, towards_face
from kibitz.vision.loose.letters import EDGE_PX, EVERY_PX
from kibitz.vision.loose.mosaic import middles


def test_all_others_face_up() -> None:
    """Where every other tile shows a letter, one in doubt is taken for a letter as well."""
    said = towards_face(np.array([0.02] * 20 + [0.7]), np.full(21, 90.0), 0)

    assert float(np.log(0.3 / 0.7) + said[-1]) > 0


def test_backs_look_alike() -> None:
    """Among many plain backs, a tile as plain is a back even if a letter is seen in its grain."""
    no_letter = np.array([0.02] * 5 + [0.98] * 12 + [0.3])
    contrast = np.array([90.0] * 5 + [20.0] * 13)
    said = towards_face(no_letter, contrast, 8)

    assert float(np.log(0.7 / 0.3) + said[-1]) < 0


def test_unlike_the_backs() -> None:
    """A tile in doubt that stands out from the backs is nearer to a face than one that does not."""
    no_letter = np.array([0.02] * 5 + [0.98] * 5 + [0.5, 0.5])
    contrast = np.array([90.0] * 5 + [20.0] * 5 + [90.0, 20.0])
    said = towards_face(no_letter, contrast, 0)

    assert float(said[-2] - said[-1]) > 2.0


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
    contrast = np.array([120.0, 120.0, 120.0, 120.0, 60.0, 25.0, 60.0, 25.0])
    light = np.array([200.0, 200.0, 200.0, 200.0, 100.0, 100.0, 200.0, 200.0])
    face = np.array([0.97, 0.97, 0.97, 0.97, 0.6, 0.6, 0.6, 0.6])

    assert np.flatnonzero(plainly_backs(contrast, light, face)).tolist() == [7]
    assert not plainly_backs(contrast[2:], light[2:], face[2:]).any()


def test_backs_with_a_print_like_a_letter() -> None:
    """Tiles of one letter that all stand out as little are backs; one that stands out is a face."""
    letter = np.array([0, 1, 2, 2, 2, 2, 2, 2, 1, 3])
    contrast = np.array([120.0, 110.0, 60.0, 62.0, 120.0, 58.0, 61.0, 60.0, 60.0, 115.0])
    known = np.ones(10, bool)
    backs = printed_backs(letter, contrast, np.full(10, 200.0), known)

    assert np.flatnonzero(backs).tolist() == [2, 3, 5, 6, 7]


def test_a_shadow_makes_no_backs() -> None:
    """Letters in a shadow keep their part of the light, and few of a kind are no backs."""
    letter = np.array([0, 1, 2, 2, 2, 2])
    contrast, light = np.array([120.0] * 2 + [60.0] * 4), np.array([200.0] * 2 + [100.0] * 4)
    known = np.ones(6, bool)

    assert not printed_backs(letter, contrast, light, known).any()
    assert not printed_backs(letter[:5], contrast[:5], light[:1].repeat(5), known[:5]).any()
