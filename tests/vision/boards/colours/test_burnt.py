"""What glare burns out is not told as empty."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.reading.results import reading_of
from kibitz.vision.boards.colours import burnt
from kibitz.vision.boards.colours.burnt import BurntRules, burnt_part, lightness, settle_glare
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, TILE_KIND

DEMO = Path(app.__file__).parent / "data" / "demo" / "scrabble" / "12.jpg"


def straight(*white, share=1.0):
    """A straightened grey board, some of whose squares are white in so much of their height."""
    picture = np.full((17 * 24, 17 * 24, 3), 120, np.uint8)
    for r, c in white:
        top, left = (r + 1) * 24, (c + 1) * 24
        picture[top : top + round(24 * share), left : left + 24] = 255
    return picture


@pytest.mark.parametrize(
    ("share", "rules", "expected"),
    [
        (1.0, BurntRules(), 1),
        (0.5, BurntRules(), 0),  # what shows tells
        (0.5, BurntRules(share=0.4), 1),
        (0.8, BurntRules(), 1),
        (0.9, BurntRules(share=0.97), 1),  # a line below it is left out
    ],
)
def test_what_is_burnt_out(share, rules, expected, monkeypatch):
    """White in every colour, nearly all of it, and not all of the board."""
    monkeypatch.setattr(burnt, "RULES", rules)
    part = burnt_part(straight((4, 7), share=share), 24)

    assert expected == (part > rules.share).sum()


@pytest.mark.parametrize(("rows", "expected"), [(3, 0.0), (4, 1 / 18)])
def test_how_much_of_a_squares_rim_is_left_out(rows, expected):
    """An eighth of its side: there are lines, and a neighbour's side."""
    part = burnt_part(straight((4, 7), share=rows / 24), 24)

    assert expected == pytest.approx(part[4, 7])


def test_from_which_level_on_a_pixel_is_burnt_out():
    """254 of 255; what is a little darker shows its print."""
    white = straight((4, 7))

    assert [0, 1] == [burnt_part(np.minimum(white, x), 24).sum() for x in (253, 254)]


@pytest.mark.parametrize(("rows", "expected"), [(7, 105), (8, 0)])
def test_a_white_board_is_no_glare(rows, expected):
    """Where half of the squares are white, or more, the board itself is."""
    white = straight(*((r, c) for r in range(rows) for c in range(15)))

    assert expected == burnt_part(white, 24).sum()


def test_a_letter_or_a_card_that_shows_is_told():
    """Bare squares and blanks are not."""
    kind = np.log(np.full((1, 4, 4), 0.01, np.float32))
    for square, what in enumerate((0, 1, 1, MARKER_KIND)):
        kind[0, square, what] = -0.03
    blank = np.array([[0.0, 0.0, 0.9, 0.0]], np.float32)
    one = np.ones((1, 4), np.float32)
    settle_glare(one, kind, blank, 255 * one)

    assert [[COVERED_KIND, TILE_KIND, COVERED_KIND, MARKER_KIND]] == kind.argmax(-1).tolist()


def test_a_white_square_hides_a_tile_only_where_plays_connect():
    """In a patch that reaches a tile it may; elsewhere hardly anything is there, never surely."""
    kind = np.log(np.full((15, 15, 4), 0.001, np.float32))
    kind[..., EMPTY_KIND] = np.log(0.997)
    kind[7, 7] = np.log((0.001, 0.997, 0.001, 0.001))
    burnt = np.zeros((15, 15), np.float32)
    burnt[7, 8:10] = burnt[7, 11] = 1.0
    settle_glare(burnt, kind, np.zeros((15, 15), np.float32), 255 * burnt)

    assert [COVERED_KIND] * 2 + [EMPTY_KIND] * 2 == kind[7, 8:12].argmax(-1).tolist()
    assert 0.5 < np.exp(kind[7, 11, EMPTY_KIND]) < 0.9


@pytest.mark.parametrize(
    ("board", "tiles", "expected"),
    [(235.0, 40.0, 0), (235.0, 215.0, 15), (120.0, 40.0, 15)],
    ids=["dark tiles on a white board", "light tiles on it", "a lamp over a grey board"],
)
def test_where_a_dark_tile_would_be_seen_a_white_square_is_bare(board, tiles, expected):
    """A light one would be as white as the square, and a lamp hides any."""
    kind = np.log(np.full((15, 15, 4), 0.01, np.float32))
    kind[..., EMPTY_KIND] = -0.03
    light, burnt = np.full((15, 15), board, np.float32), np.zeros((15, 15), np.float32)
    kind[7, :6] = np.log(0.01)
    kind[7, :6, TILE_KIND], light[7, :6] = -0.03, tiles
    burnt[8], light[8] = 1.0, 255.0
    settle_glare(burnt, kind, np.zeros((15, 15), np.float32), light)

    assert expected == (kind.argmax(-1) == COVERED_KIND).sum()


def test_how_light_a_square_is_its_darkest_colour_says():
    """Yellow is light, and not white."""
    picture = straight((4, 7))
    picture[..., 0] = 30
    picture[5 * 24 : 6 * 24, 8 * 24 : 9 * 24] = 255

    assert [30.0, 255.0] == lightness(picture, 24)[4, 6:8].tolist()


def test_a_tile_in_a_lamps_glare_is_hidden():
    """A white spot over some squares makes them `#`, and no tile among them empty."""
    reader, picture = Reader(), cv2.imread(str(DEMO))
    board = reader.read(picture).boards[0]
    before = reading_of("", reader.read(picture)).to_json()["boards"][0]["rows"]
    square = np.array([(0, 0), (15, 0), (15, 15), (0, 15)], np.float32)
    place = cv2.getPerspectiveTransform(square, board.corners_px.astype(np.float32))
    tile = next((r, c) for r in range(15) for c in range(15) if before[r][c] not in ".#")
    middle = np.array([[(tile[1] + 0.5, tile[0] + 0.5)]])
    x, y = cv2.perspectiveTransform(middle, place)[0, 0].round().astype(int).tolist()
    cv2.circle(picture, (x, y), round(board.square_px), (255,) * 3, -1)
    after = reading_of("", reader.read(picture)).to_json()["boards"][0]["rows"]
    pairs = zip("".join(before), "".join(after), strict=True)

    assert "#" == after[tile[0]][tile[1]]
    assert [] == [(a, b) for a, b in pairs if b == "." != a]
