"""The map between lattice and pixels, against independent formulas."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.calibration import board_geometry
from kibitz.calibration.board_geometry import (
    BoardGeometry,
    OneLevel,
    Pyramid,
    distort,
    geometry_from_corners,
    rectify,
    undistort,
)
from tests.helpers.thick_tiles import Camera

pytestmark = pytest.mark.fast

CORNERS = np.array([(110.0, 60.0), (520.0, 90.0), (560.0, 470.0), (80.0, 430.0)])


@pytest.mark.parametrize("size", [15, 45])
def test_corners_come_back(size):
    """A geometry made from four corners has these corners, whatever its size."""
    g = geometry_from_corners(CORNERS, size, 640, 480)

    assert np.allclose(CORNERS, g.corners_px, atol=1e-3)


def test_how_much_shows_beside_a_board():
    """Of the row of squares beyond each side, on the side where it is least."""
    board = np.array([(100.0, 100.0), (400.0, 100.0), (400.0, 400.0), (100.0, 400.0)])
    aslant = np.array([(100.0, 100.0), (400.0, 100.0), (430.0, 400.0), (70.0, 400.0)])
    shown = [
        geometry_from_corners(corners, 15, width, height).shown_beside()
        for corners, width, height in ((board, 421, 421), (board, 419, 421), (aslant, 440, 500))
    ]

    assert [1.0, 0.0] == shown[:2]
    assert 0.0 < shown[2] < 0.8


@pytest.mark.parametrize("way", ["as it is", "turned", "mirrored", "further on"])
@pytest.mark.parametrize(("tilt_deg", "focal"), [(40, 0.7), (55, 1.1), (70, 0.8)])
def test_the_camera_and_what_lies_over_the_board_are_told_by_the_homography(tilt_deg, focal, way):
    """Where perspective tells the focal length: to a hundredth of a square."""
    camera = Camera(tilt_deg, turn_deg=20, focal=focal)
    ways = {"turned": lambda g: g.turned(1), "mirrored": BoardGeometry.mirrored}
    ways["further on"] = lambda g: g.shifted(2.0, -1.0)
    lay = ways.get(way, lambda g: g)
    board = lay(replace(camera.board(), lift=0.3))
    true = lay(replace(camera.board(), homography=camera.plane(0.3)))
    places = np.array([(0.0, 0.0), (14.0, 3.0), (7.5, 7.5), (2.0, 12.0)])
    middle = camera.board()

    assert np.abs(true.to_lattice(board.tops.to_px(places)) - places).max() < 0.015
    assert np.tan(np.deg2rad(tilt_deg)) == pytest.approx(middle.slant, rel=0.03)


def test_from_straight_above_nothing_is_seen_further_back():
    """Tops of tiles only look larger, by as much as they are nearer."""
    camera = Camera(0.0, away=30.0)
    tops = replace(camera.board(), lift=0.3).tops

    assert 0.0 == pytest.approx(camera.board().slant, abs=0.01)
    assert 30.0 / 29.7 == pytest.approx(tops.square_px / camera.board().square_px, rel=1e-3)


@pytest.mark.parametrize("k1", [0.0, -0.12, 0.07])
def test_pixels_and_lattice_are_inverse(k1):
    """Going to pixels and back changes nothing, with or without a lens."""
    plain = geometry_from_corners(CORNERS, 15, 640, 480)
    g = BoardGeometry(plain.homography, 15, 640, 480, k1)
    lattice = np.random.default_rng(3).uniform(0, 15, (40, 2))

    assert np.allclose(lattice, g.to_lattice(g.to_px(lattice)), atol=1e-4)


def test_distortion_follows_its_formula():
    """A point half a diagonal from the middle moves by k1 of its distance."""
    corner = np.array([[640.0, 480.0]])
    moved = undistort(corner, 0.1, 640, 480)

    assert np.allclose([[320 + 320 * 1.1, 240 + 240 * 1.1]], moved)
    assert np.allclose(corner, distort(moved, 0.1, 640, 480), atol=1e-3)


def test_what_a_lens_cannot_show_lies_outside_the_picture():
    """Along a line from the middle nothing comes nearer again, however strong the lens."""
    far = np.linspace(1, 3000, 400)
    line = np.stack([320 + far * 0.8, 240 + far * 0.6], -1)

    seen = np.linalg.norm(distort(line, -0.16, 640, 480) - (320, 240), axis=1)

    assert (np.diff(seen) > -1e-6).all()
    assert seen[-1] > 400  # half a diagonal


def test_one_level_is_kept_without_the_rest():
    """Squares that are cut from it are those of the whole picture."""
    picture = Pyramid(np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8))

    kept = OneLevel(picture, 0.3)

    assert kept.finest == 2
    assert kept.shape == picture.shape
    assert kept.nearest(0.3)[0] is picture.level(2)


def test_how_finely_a_board_is_straightened():
    """A tenth finer than it is read, nodes eight pixels apart or a square, lines of sixteen."""
    square = 360.0 * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    g = geometry_from_corners(square, 15, 400, 400)
    steps = [board_geometry._nodes(px, (0.0, 0.0), (90, 90))[1] for px in (3, 12)]

    assert 0.55 == pytest.approx(board_geometry.shrink_of(g, 12))
    assert [8, 12] == steps
    assert [32, 32, 48] == [board_geometry._full_width(x) for x in (17, 32, 33)]


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_turning_moves_the_first_corner_on(quarters):
    """After a quarter turn the second corner is the first."""
    g = geometry_from_corners(CORNERS, 15, 640, 480)

    assert np.allclose(np.roll(CORNERS, -quarters, 0), g.turned(quarters).corners_px, atol=1e-3)


@pytest.mark.parametrize("k1", [0.0, -0.1])
def test_straightening_shows_each_square_in_its_place(k1):
    """A coloured square comes out where its row and column say."""
    plain = geometry_from_corners(CORNERS, 15, 640, 480)
    g = BoardGeometry(plain.homography, 15, 640, 480, k1)
    picture = np.zeros((480, 640, 3), np.uint8)
    row, col = 3, 11
    quad = g.to_px(np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1.0)]))
    cv2.fillPoly(picture, [np.round(quad).astype(np.int32)], (255, 255, 255))

    straight = rectify(picture, g, 24, (-1.0, -1.0), (17.0, 17.0)).mean(2)
    sums = straight.reshape(17, 24, 17, 24).mean((1, 3))

    assert (row + 1, col + 1) == np.unravel_index(int(sums.argmax()), sums.shape)
    assert sums[row + 1, col + 1] > 0.9 * 255 * 0.9
    assert sums[row + 1, col + 3] < 5


def test_a_board_without_a_lens_is_straightened_as_with_hardly_any():
    """To two grey levels: one is done in one step, the other by way of a grid of places."""
    rows, columns = np.mgrid[0:480, 0:640]
    wave = 128 + 60 * np.sin(columns / 17) + 60 * np.cos(rows / 23)
    picture = np.repeat(wave[..., None], 3, -1).astype(np.uint8)
    plain = geometry_from_corners(CORNERS, 15, 640, 480)
    bent = BoardGeometry(plain.homography, 15, 640, 480, 1e-9)
    ways = [rectify(picture, g, 24, (0.0, 0.0), (15.0, 15.0)).astype(int) for g in (plain, bent)]

    assert np.abs(ways[0] - ways[1]).max() <= 2


def _noise() -> np.ndarray:
    return np.random.default_rng(3).integers(0, 255, (480, 640, 3), np.uint8)


@pytest.mark.parametrize("k1", [0.0, -0.1])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (330.0, -200.0), (-5000.0, 0.0)])
def test_what_is_looked_at_once_looks_the_same(shift, k1):
    """To the bit; also where the picture cuts the board off, or shows nothing of it: all is black."""
    plain = geometry_from_corners(CORNERS + shift, 15, 640, 480)
    g = BoardGeometry(plain.homography, 15, 640, 480, k1)
    picture = _noise()
    again, once = (
        rectify(picture, g, 24, (-1.0, -1.0), (17.0, 17.0), once=once) for once in (False, True)
    )

    assert np.array_equal(again, once)
    assert (shift == (-5000.0, 0.0)) == (not once.any())


def test_only_the_part_that_shows_the_places_has_a_fourth_channel():
    """With room for the neighbours of the outermost pixels, and never beyond the picture."""
    pyramid = Pyramid(_noise())
    places = np.array([(100.0, 50.0), (700.0, 250.0)])
    level, scale = pyramid.nearest(0.5)
    box = board_geometry.box_around(places * scale, level.shape[1], level.shape[0])

    part, first = pyramid.for_warping(scale, box), box[:2]

    assert (0.5, (48, 23)) == (scale, first)
    assert (127 - 23, 320 - 48, 4) == part.shape
    assert np.array_equal(pyramid.level(1)[23:127, 48:], part[..., :3])


def test_a_part_of_one_that_was_made_is_taken_out_of_it():
    """It is not made again."""
    pyramid = Pyramid(_noise())
    large = pyramid.for_warping(0.5, (10, 20, 200, 220))

    small = pyramid.for_warping(0.5, (30, 50, 90, 220))

    assert np.shares_memory(large, small)
    assert np.array_equal(pyramid.level(1)[50:220, 30:90], small[..., :3])
    assert not np.shares_memory(large, pyramid.for_warping(0.5, (9, 20, 200, 220)))
    assert not np.shares_memory(large, pyramid.for_warping(1.0, (10, 20, 200, 220)))


def test_a_lens_is_undone_alike_wherever_the_part_begins(monkeypatch):
    """To the bit: what is read of a board does not hang on what else the picture shows."""
    plain = geometry_from_corners(CORNERS, 15, 640, 480)
    g = BoardGeometry(plain.homography, 15, 640, 480, -0.1)
    picture = _noise()
    part = rectify(picture, g, 24, (-1.0, -1.0), (17.0, 17.0))
    monkeypatch.setattr(
        board_geometry, "box_around", lambda px, width, height: (0, 0, width, height)
    )
    whole = rectify(picture, g, 24, (-1.0, -1.0), (17.0, 17.0))

    assert np.array_equal(whole, part)
