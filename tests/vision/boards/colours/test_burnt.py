"""What glare burns out is not told as empty."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.reading.results import reading_of
from kibitz.vision.boards.colours.burnt import burnt_part, settle_glare
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


@pytest.mark.parametrize(("rows", "expected"), [(3, 0.0), (4, 1 / 18)])
def test_how_much_of_a_squares_rim_is_left_out(rows, expected):
    """An eighth of its side: there are lines, and a neighbour's side."""
    part = burnt_part(straight((4, 7), share=rows / 24), 24)

    assert expected == pytest.approx(part[4, 7])


def test_from_which_level_on_a_pixel_is_burnt_out():
    """254 of 255; what is a little darker shows its print."""
    white = straight((4, 7))

    assert [0, 1] == [burnt_part(np.minimum(white, x), 24).sum() for x in (253, 254)]


def settled(*white, board=120, lines=90, tile=90, tiles=((7, 7),), blanks=(), cards=()):
    """What squares are told to be whose white ones look bare, and how probably they are hidden.

    Args:
        white: the squares that are burnt out, with the lines around them.
        board: how light the board is.
        lines: how light its lines are.
        tile: how light tiles are, whose letters are as dark as the lines or darker.
        tiles: the squares on which letters are read.
        blanks: those on which tiles are seen without a letter.
        cards: those on which cards are seen.
    """
    picture = np.full((17 * 24, 17 * 24, 3), board, np.uint8)
    picture[::24] = picture[:, ::24] = lines
    kind = np.log(np.full((15, 15, 4), 0.001, np.float32))
    kind[..., EMPTY_KIND] = np.log(0.997)
    letter = np.full((15, 15), 0.05, np.float32)
    for squares, what in ((tiles, TILE_KIND), (blanks, TILE_KIND), (cards, MARKER_KIND)):
        for r, c in squares:
            kind[r, c, [EMPTY_KIND, what]] = np.log((0.001, 0.997))
            picture[(r + 1) * 24 + 2 : (r + 2) * 24, (c + 1) * 24 + 2 : (c + 2) * 24] = tile
    for r, c in tiles:
        letter[r, c] = 1.0
    for r, c in white:
        picture[(r + 1) * 24 - 5 : (r + 2) * 24 + 5, (c + 1) * 24 - 5 : (c + 2) * 24 + 5] = 255
    told = settle_glare(picture, kind, letter, burnt_part(picture, 24))
    assert np.allclose(1, np.exp(told).sum(-1), atol=1e-3)
    return told.argmax(-1), np.exp(told[..., COVERED_KIND])


def test_a_letter_or_a_card_that_shows_is_told():
    """Bare squares beside them and blanks are not."""
    squares = [(7, 6), (7, 7), (7, 8), (7, 9)]
    kind, _ = settled(*squares, tiles=[(7, 7)], blanks=[(7, 8)], cards=[(7, 9)])

    assert [COVERED_KIND, TILE_KIND, COVERED_KIND, MARKER_KIND] == [kind[x] for x in squares]


def test_a_white_patch_hides_tiles_where_plays_connect():
    """Wherever it reaches from a tile; elsewhere hardly anything is there."""
    kind, hidden = settled((7, 8), (7, 9), (8, 9), (2, 3), (2, 4))

    assert [COVERED_KIND] * 3 == [kind[x] for x in ((7, 8), (7, 9), (8, 9))]
    assert [EMPTY_KIND] * 2 == [kind[x] for x in ((2, 3), (2, 4))]
    assert hidden[2, 3] < 0.01


def test_a_tile_that_may_lie_there_reaches_as_far_as_it_is_probable():
    """What is no tile for certain hides as little as it is one."""
    white = [(7, 8), (7, 9)]
    _, sure = settled(*white)
    _, none = settled(*white, tiles=())

    assert all(sure[x] > 0.9 > 0.01 > none[x] for x in white)


@pytest.mark.parametrize(
    ("board", "lines", "tile", "expected"),
    [
        (235, 230, 40, EMPTY_KIND),
        (235, 230, 230, COVERED_KIND),
        (120, 90, 40, COVERED_KIND),
    ],
    ids=["dark tiles on a white board", "light tiles on it", "a lamp over a grey board"],
)
def test_where_a_dark_tile_would_be_seen_a_white_square_is_bare(board, lines, tile, expected):
    """A light one would be as white as the square, and a lamp hides any."""
    tiles = [(7, c) for c in range(10)]
    kind, _ = settled((8, 2), board=board, lines=lines, tile=tile, tiles=tiles)

    assert expected == kind[8, 2]


def test_where_lines_are_seen_a_letter_would_be():
    """A white square whose lines are as dark as elsewhere is of a white board."""
    picture = np.full((17 * 24, 17 * 24, 3), 120, np.uint8)
    picture[::24] = picture[:, ::24] = 60
    picture[9 * 24 + 1 : 10 * 24, 9 * 24 + 1 : 10 * 24] = 255
    kind = np.log(np.full((15, 15, 4), 0.001, np.float32))
    kind[..., EMPTY_KIND] = np.log(0.997)
    kind[8, 7] = np.log((0.001, 0.997, 0.001, 0.001))
    told = settle_glare(picture, kind, np.ones((15, 15), np.float32), burnt_part(picture, 24))

    assert 0.99 < np.exp(told[8, 8, EMPTY_KIND])


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
