"""When what was found is believed to be a board, and to lie where it seems to."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from kibitz.app.reading.lines import rows_of
from kibitz.calibration.board_finder import BoardNotFound
from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.models.training.drawing import glyphs
from kibitz.vision import locating
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.locating import Locator
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import EMPTY_KIND, SURE
from kibitz.vision.request import ReadRequest
from kibitz.vision.square_reader import pyramid_of

CORNERS = np.array([(100.0, 100.0), (400.0, 100.0), (400.0, 400.0), (100.0, 400.0)])
PICTURE = np.zeros((600, 600, 3), np.uint8)


@pytest.mark.parametrize(
    ("apart", "print_off", "expected"),
    [(0.4, None, True), (0.6, None, False), (0.4, (1, 0), False)],
    ids=["they agree", "they do not", "the print contradicts them"],
)
def test_where_print_does_not_tell_lattice_and_lines_must_agree(
    apart, print_off, expected, monkeypatch
):
    """To half a square, which is nearer than the next row."""
    laid = geometry_from_corners(CORNERS, 15, 600, 600)
    print_ = SimpleNamespace(squares_off=lambda _: None, rows_off=lambda: print_off)
    monkeypatch.setattr(locating, "print_of_look", lambda _: print_)
    squares = SimpleNamespace(see=lambda *_: (None, None))
    found = Locator(None, None, squares)._in_its_rows(
        PICTURE, laid, laid.shifted(apart, 0.0), ReadRequest()
    )

    assert expected == (found is laid)


@pytest.mark.parametrize(
    ("shown", "quality", "expected"),
    [(0.7, 0.9, "other_size"), (0.7, 0.75, "board_not_found"), (0.9, 0.75, "")],
)
def test_another_number_of_squares_needs_what_lies_beside_the_board(
    shown, quality, expected, monkeypatch
):
    """Four fifths of a side must show; where less does, a board that fits well is named."""

    def find_none(*_):
        raise BoardNotFound("nothing in the picture looks like a board")

    other = SimpleNamespace(size=13, quality=quality, shown_beside=lambda: shown)
    monkeypatch.setattr(locating, "find_boards", find_none)
    monkeypatch.setattr(locating, "find_sized", lambda *_, **__: other)
    there = Locator(None, SimpleNamespace(run=None), None)
    code = ""
    try:
        found = there._locate_usual(PICTURE, ReadRequest("auto"))
    except BoardNotFound as error:
        found, code = [], error.code

    assert (expected, not expected) == (code, found == [other])


def squared_paper(rng) -> np.ndarray:
    """Fifteen by fifteen squares, each in a colour of its own."""
    picture, px = np.full((900, 1000, 3), 205, np.uint8), 40
    for row, column in np.ndindex(15, 15):
        x, y = 200 + column * px, 150 + row * px
        colour = tuple(map(int, rng.integers(90, 255, 3)))
        cv2.rectangle(picture, (x, y), (x + px, y + px), colour, -1)
        cv2.rectangle(picture, (x, y), (x + px, y + px), (25, 25, 25), 1)
    return picture


def lettered(rng, words) -> np.ndarray:
    """The same with tiles on it: for each word its row, its first column, itself."""
    picture, px = squared_paper(rng), 40
    style = glyphs.random_tile_style(np.random.default_rng(8))
    for row, column, word in words:
        for k, letter in enumerate(word):
            face = cv2.resize(glyphs.sprite(rng, style, letter), (px, px))
            y, x = 150 + row * px, 200 + (column + k) * px
            part = picture[y : y + px, x : x + px]
            part[:] = part * (1 - face[..., 3:]) + 255 * face[..., :3] * face[..., 3:]
    return cv2.GaussianBlur(picture, (0, 0), 0.6)


GAME = [(7, 3, "BREAKFAST"), (9, 2, "HOUSES"), (11, 5, "QUICKLY"), (5, 6, "PLANT")]


def test_tiles_that_read_as_words_make_a_board_of_squares_without_a_print():
    """Another maker's board may have no premium squares, or others: its tiles say what it is."""
    rng = np.random.default_rng(3)
    with pytest.raises(BoardNotFound):
        Reader().read(squared_paper(np.random.default_rng(3)))
    (board,) = Reader().read(lettered(rng, GAME), ReadRequest(top="top")).boards
    rows = rows_of(board)

    assert [rows[row][column : column + len(word)] for row, column, word in GAME] == [
        word for *_, word in GAME
    ]


@pytest.mark.parametrize(
    ("tiles", "reads", "expected"),
    [
        ([], 0.0, 0),
        ([(7, c) for c in range(6)], -0.05, 1),
        ([(r, c) for r in range(0, 12, 2) for c in range(0, 12, 2)], 0.0, 0),
        ([(r, c) for r in range(0, 12, 2) for c in range(0, 12, 2)], -0.3, -1),
        ([(7, c) for c in range(6)], -0.5, 0),
        ([(r, c) for r in range(15) for c in range(15)], 0.0, -1),
    ],
    ids=[
        "no tiles",
        "a word",
        "every other square",
        "and badly",
        "nobody can read them",
        "a page of letters",
    ],
)
def test_letters_speak_for_a_board_where_they_read_well_and_lie_in_words(tiles, reads, expected):
    """More than a game has speak against it."""
    kind = np.full((15, 15, 4), -9.0, np.float32)
    kind[..., EMPTY_KIND] = 0.0
    for square in tiles:
        kind[square] = (-9.0, 0.0, -9.0, -9.0)
    logs = SquareLogs(kind, np.zeros((15, 15, 2, 4), np.float32))

    assert expected == np.sign(locating._said_by_letters(logs, reads))


def test_beside_the_only_board_there_is_none():
    """However much room there is, and although one was expected."""
    board = lettered(np.random.default_rng(3), GAME)
    picture = pyramid_of(np.hstack([board, np.full_like(board, 128)]))
    (lying,) = Reader().read(picture, ReadRequest(top="top")).boards
    geometry = geometry_from_corners(lying.corners_px, 15, *picture.shape[::-1])

    assert [] == Reader().locator.beside(picture, [geometry], ReadRequest())


def test_letters_that_read_badly_outweigh_no_print_and_lattice_together():
    """Blurred, a game's letters read as badly as any: they alone refuse nothing."""
    kind = np.full((15, 15, 4), -9.0, np.float32)
    kind[..., EMPTY_KIND] = 0.0
    kind[::2, ::2] = (-9.0, 0.0, -9.0, -9.0)
    logs = SquareLogs(kind, np.zeros((15, 15, 2, 4), np.float32))

    assert -SURE.together <= locating._said_by_letters(logs, -9.0) < 0


@pytest.mark.parametrize(
    ("aside", "fits", "expected"), [(0.0, 0.9, True), (3.0, 0.9, False), (0.0, 0.5, False)]
)
def test_boards_lie_still_that_are_found_where_they_lay(aside, fits, expected, monkeypatch):
    """Not a few squares aside, and not where the lattice fits no more."""
    before = geometry_from_corners(CORNERS, 15, 600, 600)
    now = geometry_from_corners(CORNERS + 20 * aside, 15, 600, 600)
    monkeypatch.setattr(locating, "refine", lambda *_: replace(now, quality=fits))

    assert expected == Locator(None, SimpleNamespace(run=None), None).lie_still(PICTURE, [before])
