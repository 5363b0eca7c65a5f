"""Tiles are as thick as they are: seen from low down they are read where their tops lie."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.reading.results import board_of
from kibitz.vision.pipeline import Reader
from kibitz.vision.request import ReadRequest
from kibitz.vision.stream.series import SeriesReader
from tests.helpers.thick_tiles import Camera, photograph

BARE = ["." * 15] * 15
ROWS = [
    "...............",
    "...............",
    "..SCRABBLE.....",
    "..T............",
    "..A...Q........",
    "..R...U........",
    "......I........",
    ".......ZEBRA...",
    "..........U....",
    "....FOX...N....",
    "..........G....",
    "..HOME....A....",
    "..........L....",
    "..........O....",
    "...............",
]


@pytest.fixture(scope="module")
def reader():
    """The published networks."""
    return Reader()


def rows_of(reading):
    """The only board's rows."""
    (board,) = reading.boards
    return board_of(board).to_json()["rows"]


@pytest.mark.parametrize(
    ("seed", "tilt_deg", "thick"), [(1, 58, 0.27), (5, 66, 0.25), (1, 66, 0.27)]
)
def test_letters_are_read_that_lie_half_a_square_beside_their_squares(
    reader, seed, tilt_deg, thick
):
    """They are seen by 0.4 to 0.6 squares further back: all squares, and all letters but one."""
    camera = Camera(tilt_deg, turn_deg=8, focal=0.9, away=26)
    picture = photograph(np.random.default_rng([7, seed]), ROWS, camera, thick)

    read = rows_of(reader.read(picture, ReadRequest(top="top")))
    squares = [
        (a, b)
        for row, seen in zip(ROWS, read, strict=True)
        for a, b in zip(row, seen, strict=True)
    ]

    assert [a == "." for a, _ in squares] == [b == "." for _, b in squares]
    assert sum(a != b for a, b in squares) <= 1


def test_a_board_says_how_thick_its_tiles_are_and_from_where_it_is_seen(reader):
    """Within a twentieth of a square and three degrees."""
    camera = Camera(66, turn_deg=8, focal=0.9, away=26)
    picture = photograph(np.random.default_rng([7, 5]), ROWS, camera, 0.25)
    line = board_of(reader.read(picture, ReadRequest(top="top")).boards[0]).to_json()

    assert pytest.approx(0.25, abs=0.06) == line["thickness_squares"]
    assert pytest.approx(90 - 66, abs=3) == line["view_deg"]


def test_the_first_tiles_before_a_low_camera_lie_in_their_squares(reader):
    """An empty board tells nothing of how thick its tiles are."""
    camera, series = Camera(66, turn_deg=8, focal=0.9, away=26), SeriesReader(reader)
    bare, laid = (
        photograph(np.random.default_rng([7, 1]), rows, camera, 0.27) for rows in (BARE, ROWS)
    )
    first = series.read(bare, ReadRequest(top="top", corners=None))
    hint = ReadRequest(top="top", hint=(camera.board(),))
    told = [rows_of(first), rows_of(series.read(bare, hint)), rows_of(series.read(laid, hint))]

    assert [BARE, BARE, ROWS] == told
