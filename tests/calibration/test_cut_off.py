"""Boards that the picture cuts off lie in their right rows and columns, or are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.languages.catalogues import say
from kibitz.app.reading.frames import FrameReader
from kibitz.app.reading.pictures import read_picture
from kibitz.app.reading.results import reading_of
from kibitz.calibration import cut_off
from kibitz.calibration.board_geometry import CORNERS, geometry_from_corners
from kibitz.calibration.cut_off import (
    CUT,
    edges_of_picture,
    lay_on_lines,
    refusal,
    sides_cut,
)
from kibitz.engine.board.layouts import STANDARD
from kibitz.vision import locating
from kibitz.vision.boards.board_print import BoardPrint
from kibitz.vision.pipeline import Reader
from kibitz.vision.request import ReadRequest

DEMO = Path(app.__file__).parent / "data" / "demo" / "scrabble" / "12.jpg"
TURNS = {"left": 0, "top": 1, "right": 2, "bottom": 3}


@pytest.fixture(scope="module")
def reader():
    """One reader with the models."""
    return Reader()


@pytest.fixture(scope="module")
def whole(reader):
    """The board of a photograph as all of it is read, with its picture."""
    picture = cv2.imread(str(DEMO))
    return picture, reader.read(picture).boards[0]


def cut(picture, corners, part, side="left"):
    """A picture and its board's corners without a part of the board's width at one side."""
    for _ in range(TURNS[side]):
        width = picture.shape[1]
        picture = np.rot90(picture)
        corners = [(y, width - x) for x, y in corners]
    corners = np.array(corners)
    x = round(corners[:, 0].min() + part * np.ptp(corners[:, 0]))
    return np.ascontiguousarray(picture[:, x:]), corners - (x, 0)


def shown(picture, corners, less):
    """(15, 15) squares that the picture shows all of, but for so much of each side."""
    height, width = picture.shape[:2]
    geometry = geometry_from_corners(corners, 15, width, height)
    ends = (np.arange(15)[:, None] + (less, 1 - less)).ravel()
    inside = geometry.in_picture(geometry.to_px(np.stack(np.meshgrid(ends, ends), -1)))
    return inside.reshape(15, 2, 15, 2).all((1, 3))


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
@pytest.mark.parametrize("part", [0.05, 0.12, 0.2])
def test_a_board_is_read_where_it_shows(reader, whole, part, side):
    """In its right columns, and what the picture shows only a part of is hidden."""
    picture, board = whole
    rows = reading_of("", reader.read(picture)).to_json()["boards"][0]["rows"]
    picture, corners = cut(picture, board.corners_px, part, side)
    read = reader.read(picture)
    found, there = read.boards[0], reading_of("", read).to_json()["boards"][0]["rows"]
    hidden = np.array([list(row) for row in there]) == "#"
    pairs = list(zip("".join(rows), "".join(there), strict=True))

    assert np.abs(found.corners_px - corners).max() < 0.35 * found.square_px
    assert not (hidden & shown(picture, corners, 0.0)).any()
    assert hidden[~shown(picture, corners, 0.4)].all()
    assert [] == [(a, b) for a, b in pairs if b not in ("#", a)]


def test_a_whole_board_stays_where_it_was_found(whole):
    """Its lattice lies on its lines, and no side of it near the picture's edge."""
    picture, board = whole
    height, width = picture.shape[:2]
    geometry = geometry_from_corners(board.corners_px, 15, width, height)

    assert (False,) * 4 == sides_cut(geometry)
    assert lay_on_lines(picture, geometry) is None


@pytest.mark.parametrize(("room", "expected"), [(0.9, True), (1.7, False)])
def test_a_side_near_the_pictures_edge_may_lie_beyond_it(room, expected):
    """Nearer than about a square: a row may have been left out."""
    px = 20
    x0, y0 = room * px, 4 * px
    corners = np.array([(0, 0), (15, 0), (15, 15), (0, 15)]) * px + (x0, y0)

    assert (expected, False, False, False) == sides_cut(
        geometry_from_corners(corners, 15, 500, 500)
    )


def squeezed(picture, corners, part=0.1):
    """A cut picture and a lattice that spreads fifteen columns over what shows."""
    picture, corners = cut(picture, corners, part)
    height, width = picture.shape[:2]
    whole = geometry_from_corners(corners, 15, width, height)
    x = 15 * part
    shown = whole.to_px(np.array([(x, 0.0), (15, 0), (15, 15), (x, 15)]))
    return picture, whole, geometry_from_corners(shown, 15, width, height)


@pytest.mark.parametrize("part", [0.1, 0.25])
def test_a_lattice_spread_over_what_shows_is_laid_on_the_lines(whole, part):
    """Fifteen columns over thirteen and a half that show, or over eleven."""
    picture, there, spread = squeezed(whole[0], whole[1].corners_px, part)
    laid = lay_on_lines(picture, spread)
    off = np.abs(laid.corners_px - there.corners_px).max() / there.square_px

    assert sides_cut(spread)[0]
    assert ("left",) == edges_of_picture(laid)
    assert off < 0.2 or abs(off - round(off)) < 0.2


def test_how_many_lines_tell_where_a_board_lies(whole):
    """Ten of sixteen, as many as are left of lines too far apart: fewer would have a board lie a row off, more leave one as it was found."""
    picture, there, spread = squeezed(whole[0], whole[1].corners_px, 0.35)
    laid = lay_on_lines(picture, spread)

    assert np.abs(laid.corners_px - there.corners_px).max() < 0.2 * there.square_px


def leaning(picture, corners):
    """A cut picture and a lattice that was spread over what shows, more so at the foot."""
    picture, whole, _ = squeezed(picture, corners, 0.2)
    shown = whole.to_px(np.array([(2.5, 0.0), (15.5, 0), (14.5, 15), (4.0, 15)]))
    return picture, whole, geometry_from_corners(shown, 15, whole.width, whole.height)


def test_a_lattice_that_leans_is_laid_on_the_lines(whole):
    """Its sides are not parallel to the board's lines, and it has another perspective."""
    picture, there, spread = leaning(whole[0], whole[1].corners_px)
    laid = lay_on_lines(picture, spread)
    off = np.abs(laid.to_lattice(there.corners_px) - np.array(CORNERS))

    assert np.abs(off - off.round()).max() < 0.2


def test_a_side_in_the_picture_may_lie_off_too(whole, monkeypatch):
    """By less than `aside`: here the lattice ends a square short of the board's right edge."""
    picture, _, spread = squeezed(whole[0], whole[1].corners_px)
    short = spread.to_px(np.array([(0.0, 0.0), (14, 0), (14, 15), (0.0, 15)]))
    short = geometry_from_corners(short, 15, spread.width, spread.height)
    one = lay_on_lines(picture, short)
    monkeypatch.setattr(cut_off, "CUT", replace(CUT, aside=0.1))
    two = lay_on_lines(picture, short)

    assert two is None or np.abs(one.corners_px - two.corners_px).max() > 0


def bare(colours):
    """A print of which all squares show."""
    return BoardPrint(colours, np.ones((15, 15), bool))


INKS = {
    ".": (0.0, 0.0, 0.0),
    "l": (0.3, 0.2, -0.1),
    "L": (0.4, -0.3, -0.8),
    "w": (0.2, -0.3, 0.4),
    "*": (0.2, -0.3, 0.4),
    "W": (-1.0, -1.0, 0.3),
}
"""How squares are coloured, by the letters of `STANDARD`."""


def premium():
    """(15, 15, 3) a layout that is its own mirror image, with its middle in the middle."""
    out = np.random.default_rng(4).random((15, 15, 3)).astype(np.float32)
    out = out + out[::-1] + out[:, ::-1] + out[::-1, ::-1]
    return out + out.swapaxes(0, 1)


def test_the_print_tells_by_how_many_columns_a_board_is_off():
    """Along axes that are cut; where every place is as good, or none is, it does not tell."""
    layout = premium()
    moved = np.roll(layout, 2, axis=1)
    moved[:, :2] = 5.0
    chance = np.random.default_rng(5).random((15, 15, 3)).astype(np.float32)
    stripes = np.zeros((15, 15, 3), np.float32)
    stripes[::2] = 1.0
    told = [
        bare(layout).squares_off((True, False)),
        BoardPrint(moved, moved[..., 0] < 5).squares_off((True, False)),
        bare(chance).squares_off((True, True)),
        bare(stripes).squares_off((True, False)),
        bare(layout + chance).squares_off((True, False)),
    ]

    assert [(0, 0), (2, 0), None, None, (0, 0)] == told


def test_a_board_may_lie_a_row_off_where_it_is_not_cut_off():
    """A rim was taken for a row, or two; no further, though."""
    layout = premium()
    down = [np.roll(layout, rows, axis=0) for rows in (1, 2, 3)]
    for rows, moved in enumerate(down, 1):
        moved[:rows] = np.random.default_rng(6).random((rows, 15, 3))

    assert [(0, 1), (0, 2), None] == [bare(moved).squares_off((True, False)) for moved in down]


def test_few_squares_that_are_alike_by_chance_tell_little():
    """Far from a board's place few have a mirror image in sight: what counts is all they say."""
    rng = np.random.default_rng(19)
    colours = rng.normal(0, 0.12, (15, 15, 3)).astype(np.float32)
    for row, line in enumerate(STANDARD):
        for column, kind in enumerate(line):
            colours[row, column] += INKS[kind]
    seen = rng.random((15, 15)) < 0.45
    seen[:, :4] = False
    its = BoardPrint(colours, seen)
    far, here = its.unlike((-4, 4)), its.unlike((0, 0))

    assert far < here < 0.3
    assert (0, 0) == its.squares_off((True, True))


def test_what_cannot_be_placed_is_refused_with_what_to_do(reader, whole):
    """The code and the edge are named, by the command line and to a camera."""
    picture, board = whole
    picture, _ = cut(picture, board.corners_px, 0.1)
    blind = Reader()
    blind.locator._in_its_rows = lambda *_: None
    found = read_picture("x.jpg", picture, blind, ReadRequest())
    frame = FrameReader(lambda: blind).read(picture, ReadRequest())

    assert "board_cut_off" == found.code == frame.code
    assert "The board's left edge is outside the picture" in found.message
    assert "move the camera" in frame.advice[0]


def test_every_edge_that_cuts_is_named():
    """Several edges are."""
    geometry = geometry_from_corners([(-9, -9), (100, -9), (100, 100), (-9, 100)], 15, 200, 200)

    said = str(refusal(geometry))

    assert "left and top edges are outside" in said
    assert "über den Bildrand hinaus (links und oben)" in say(said, "de")


def test_a_fixed_cameras_cut_off_board_stays_in_its_columns(reader, whole):
    """Where it lay is no better known than where it shows: it is looked for again."""
    picture, board = whole
    picture, _ = cut(picture, board.corners_px, 0.1)
    first = reader.read(picture).boards[0]
    height, width = picture.shape[:2]
    hint = (geometry_from_corners(first.corners_px, 15, width, height),)
    again = reader.read(picture, ReadRequest(hint=hint)).boards[0]

    assert np.abs(first.corners_px - again.corners_px).max() < 0.15 * first.square_px


def test_a_cut_off_board_is_not_told_to_have_another_number_of_squares(reader, whole, monkeypatch):
    """Once it lies on its lines, none go on beyond it: what a worse lattice tells does not count."""
    picture, corners = cut(whole[0], whole[1].corners_px, 0.05)
    size = picture.shape[1::-1]
    there = geometry_from_corners(corners, 15, *size)
    shown = there.to_px(np.array([(1.05, 0.0), (15, 0), (15, 15), (1.05, 15)]))
    inner = there.to_px(np.array([(2.0, 1.0), (14, 1), (14, 13), (2, 13)]))
    spread = replace(geometry_from_corners(shown, 15, *size), quality=0.9)
    monkeypatch.setattr(locating, "find_boards", lambda *_: [spread])
    monkeypatch.setattr(
        locating, "find_sized", lambda *_, **__: geometry_from_corners(inner, 12, *size)
    )
    (found,), _ = reader.locator.locate(picture, ReadRequest())

    assert 15 == found.size
    assert np.abs(found.corners_px - corners).max() < 0.2 * found.square_px
