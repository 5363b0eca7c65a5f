"""Boards in depth: tiles lie where a camera would see them, and hide what they would hide."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.calibration.board_geometry import rectify
from kibitz.models.training.drawing.covers import COVERED, TILE
from kibitz.models.training.drawing.raised import Slab, random_view, seen
from kibitz.models.training.drawing.scene import make_scene
from kibitz.models.training.drawing.tabletop import photograph

PX, HIGH = 20, 0.3
GREY, RED = 90, 200


def block():
    """A grey board of 15 squares and a block on square (7, 7), red on top."""
    ground = np.full((15 * PX, 15 * PX, 4), (GREY, GREY, GREY, 255), np.uint8)
    top = np.zeros_like(ground)
    top[7 * PX : 8 * PX, 7 * PX : 8 * PX] = (0, 0, RED, 255)
    return [
        Slab(ground, PX, (0.0, 0.0), 0.0, 0.0),
        Slab(top, PX, (0.0, 0.0), 0.0, HIGH, side=0.4),
    ]


@pytest.mark.parametrize("tilt", [0.0, 40.0, 72.0])
def test_a_top_lies_in_its_own_plane(tilt):
    """Straightened there it fills its square, all of it and nothing beside it."""
    view = random_view(np.random.default_rng([1, int(tilt)]), 500, 500, tilt)
    picture, _ = seen(view, block(), np.zeros((500, 500, 3), np.uint8))
    flat = rectify(picture, view.geometry(HIGH), 40, (6.0, 6.0), (3.0, 3.0))[:120, :120]
    red = flat[..., 2].astype(int) - flat[..., 0] > 0.8 * RED

    assert red[46:74, 46:74].mean() > 0.98
    assert red[:, :34].mean() + red[:, 86:].mean() + red[:34].mean() + red[86:].mean() < 0.01


def test_from_low_down_a_side_hides_what_lies_behind():
    """As much of the board as the tangent says, away from the camera."""
    view = random_view(np.random.default_rng(3), 700, 700, 60.0)
    _, owner = seen(view, block(), np.zeros((700, 700, 3), np.uint8))
    mask = cv2.merge([(owner == 2).astype(np.uint8) * 255] * 3)
    flat = rectify(mask, view.geometry(), 40, (0.0, 0.0), (15.0, 15.0))[:600, :600, 0]
    p = view.projection
    eye = -np.linalg.inv(p[:, :3]) @ p[:, 3]
    away = np.array([7.5, 7.5]) - eye[:2]
    hidden = float((flat > 127).sum()) / 1600
    shift = HIGH / eye[2] * away
    expected = 1 + abs(shift[0]) + abs(shift[1])  # a unit square moved along a line

    assert expected == pytest.approx(hidden, abs=0.12)


def test_all_of_a_board_is_before_the_camera():
    """From straight above to as low as people hold one, in portrait and landscape."""
    for seed in range(40):
        rng = np.random.default_rng([2, seed])
        w, h = ((400, 300), (300, 400))[seed % 2]
        geometry = random_view(rng, w, h, float(rng.uniform(0, 75)), fill=0.9).geometry()
        assert geometry.in_picture(geometry.corners_px).all()
        assert geometry.in_sight(np.array([(0.0, 0), (15, 0), (15, 15), (0, 15)])).all()


def test_what_a_hand_hides_is_told():
    """A photograph of one scene with and without its hand differs in the truth where it lies."""
    for seed in range(30):
        scene = make_scene(np.random.default_rng([3, seed]), in_depth=True)
        if scene.raised.over[..., 3].any() and (scene.kinds == TILE).sum() > 30:
            break
    view = random_view(np.random.default_rng(4), 400, 400, 20.0)
    shown = photograph(np.random.default_rng(5), scene, view, 20.0, hard=0.5)

    assert (shown.kinds == COVERED).any()
    assert (shown.letters[shown.kinds != TILE] == 255).all()
    assert np.array_equal(shown.kinds == TILE, (scene.kinds == TILE) & (shown.kinds == TILE))


def test_a_scene_without_depth_is_refused():
    """It has no tops to lift."""
    scene = make_scene(np.random.default_rng(6))
    view = random_view(np.random.default_rng(4), 100, 100, 20.0)

    with pytest.raises(ValueError, match="in_depth=True"):
        photograph(np.random.default_rng(5), scene, view, 5.0)
