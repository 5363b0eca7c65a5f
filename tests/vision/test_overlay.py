"""What was read, drawn on the photograph it was read from."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import ImageFont

from kibitz.app.common.materials.named import TILE_SETS, load_tile_set
from kibitz.vision.overlay import LETTERS as TYPEFACE
from kibitz.vision.overlay import bgr, draw_overlay
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.pictured_games import LETTERS

WHITE = 230
SIDE = 40


def drawn() -> np.ndarray:
    """A plain picture of a board, whose A1 has a tile, with its reading: 40 pixels a square."""
    low, high = 2 * SIDE, 17 * SIDE
    corners = [[low, low], [high, low], [high, high], [low, high]]
    rows = ["E" + "." * 14, *["." * 15] * 14]
    reading = reading_of_rows(rows, "".join(LETTERS), corners_px=corners)
    return draw_overlay(np.full((19 * SIDE, 19 * SIDE, 3), WHITE, np.uint8), reading)


def test_the_photograph_stays_as_bright_as_it_was() -> None:
    """Nothing is darker in empty squares and beside the board than the camera saw it."""
    out = drawn()
    square = out[9 * SIDE + 8 : 10 * SIDE - 8, 9 * SIDE + 8 : 10 * SIDE - 8]

    assert [WHITE, WHITE] == [int(square.min()), int(square.max())]
    assert [WHITE, WHITE] == [int(out[: 2 * SIDE - 8].min()), int(out[: 2 * SIDE - 8].max())]


def test_a_tile_is_dark_under_its_letter() -> None:
    """The letter that was read stands out from the one that is printed."""
    out = drawn()
    tile = out[2 * SIDE + 5 : 3 * SIDE - 4, 2 * SIDE + 5 : 2 * SIDE + 10]

    assert int(tile.max()) < WHITE / 2


def test_colours_have_their_names_on_web_pages():
    """Red first there, blue first in OpenCV."""
    assert (0x50, 0xD2, 0xFF) == bgr("#ffd250")


@pytest.mark.parametrize("tiles", TILE_SETS)
def test_every_letter_of_every_tile_set_can_be_drawn(tiles: str) -> None:
    """None is drawn as the box that stands for what a typeface lacks."""
    font = ImageFont.truetype(TYPEFACE, 20)
    lacking = bytes(font.getmask("\uffff"))
    set_ = load_tile_set(tiles)
    shown = "".join(set_.prints.get(letter, letter) for letter in set_.letters)

    assert [] == [letter for letter in shown if bytes(font.getmask(letter)) == lacking]
