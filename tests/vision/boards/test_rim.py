"""Coordinates printed on a board's rim are no tiles, and no row of squares (ScrabbleShip)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.app.common.materials.named import letters_for
from kibitz.app.reading.lines import rows_of
from kibitz.app.reading.pictures import make_reader, read_picture
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX
from kibitz.vision.request import ReadRequest
from tests.filming.story import shots_of
from tests.filming.tables import BoardTable, View
from tests.helpers.pictured_games import game_of

SHOTS = list(shots_of(game_of("scrabbleship")))


def with_coordinates(table: BoardTable) -> BoardTable:
    """The board with strips of coordinates along all four sides."""
    canvas = (np.clip(table.base, 0, 1) * 255).astype(np.uint8)
    for i in range(15):
        number, letter = str(i + 1), chr(65 + i)
        _square(canvas, number, (i, -1))
        _square(canvas, number, (i, 15))
        _square(canvas, letter, (-1, i))
        _square(canvas, letter, (15, i))
    table.base = np.asarray(canvas / 255, np.float32)
    return table


def _square(canvas: np.ndarray, text: str, at: tuple[int, int]) -> None:
    p = SQUARE_PX
    x, y = ((v + MARGIN) * p for v in at)
    low, high = (int(x), int(y + 0.08 * p)), (int(x + p), int(y + 0.92 * p))
    cv2.rectangle(canvas, low, high, (220, 230, 235), -1)
    font, size = cv2.FONT_HERSHEY_SIMPLEX, p / 45
    (w, h), _ = cv2.getTextSize(text, font, size, 2)
    foot = (int(x + (p - w) / 2), int(y + (p + h) / 2))
    cv2.putText(canvas, text, foot, font, size, (25, 25, 25), 2, cv2.LINE_AA)


@pytest.mark.parametrize("seed", [7001, 7004])
def test_coordinates_on_the_rim(seed: int) -> None:
    """Every tile is read on its square, and nothing else is one."""
    table = with_coordinates(BoardTable(View(seed, 1120, 840, 82)))
    reader, request = make_reader(), ReadRequest(15, letters_for("en"))
    read = []
    for number in (1, 5):
        found = read_picture("rim", table.photograph(SHOTS[number], number), reader, request)
        assert found.reading is not None
        read.append([rows_of(board) for board in found.reading.boards])

    assert read == [[SHOTS[1].rows()], [SHOTS[5].rows()]]
