"""A picture without a board that can be read: a file and a camera's frame say the same of it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

import kibitz
from kibitz.app.reading.frames import FrameReader
from kibitz.app.reading.pictures import make_reader, read_picture
from kibitz.app.reading.refusals import refusal_of
from kibitz.calibration.board_geometry import Pyramid, geometry_from_corners
from kibitz.calibration.cut_off import refusal
from kibitz.vision.pipeline import BoardNotFound, OtherScript, OtherSize
from kibitz.vision.request import ReadRequest

SIZE = (400, 400, 3)
PLAIN = np.full(SIZE, 120, np.uint8)
SHARP = np.random.default_rng(3).integers(0, 2, SIZE[:2], np.uint8)[..., None].repeat(3, 2) * 200
HERE = geometry_from_corners([(40, 40), (360, 40), (360, 360), (40, 360)], 15, 400, 400)
SMEARED = cv2.GaussianBlur(np.kron(SHARP[::20, ::20], np.ones((20, 20, 1))), (0, 0), 16)


@pytest.mark.parametrize(
    ("error", "picture", "expected"),
    [
        (BoardNotFound("x"), PLAIN, ("board_not_found", "no_board")),
        (BoardNotFound("x", HERE), SHARP, ("board_not_found", "unclear")),
        (BoardNotFound("x", HERE), SMEARED.astype(np.uint8), ("too_blurred", "blurred")),
        (BoardNotFound("x"), PLAIN // 4, ("too_dark", "too_dark")),
        (BoardNotFound("x"), PLAIN // 120 * 255, ("board_not_found", "too_bright")),
        (BoardNotFound("x"), PLAIN[:50] // 4, ("board_not_found", "unclear")),
        (refusal(HERE), SHARP, ("board_cut_off", "cut_off")),
        (refusal(HERE), SMEARED.astype(np.uint8), ("too_blurred", "blurred")),
        (OtherSize(17), PLAIN // 4, ("other_size", "other_size")),
        (OtherScript("GREEK", "LATIN", ["el"]), PLAIN, ("other_script", "other_script")),
    ],
)
def test_the_cause_is_named(error, picture, expected):
    """By the code of `kibitz read` and by what the page knows is wrong with a view."""
    why = refusal_of(error, Pyramid(picture))

    assert expected == (why.code, why.fault)


@pytest.mark.parametrize(
    "error",
    [OtherSize(17), OtherSize(17, sure=False), OtherScript("GREEK", "LATIN", ["el"])],
)
def test_nobody_at_a_table_is_told_to_call_a_command(error):
    """The remedy is one that people at a table have."""
    why = refusal_of(error, Pyramid(PLAIN))

    assert (True, False) == ("--" in why.message, "--" in why.advice)


@pytest.mark.parametrize("change", ["dark", "blurred", "empty"])
def test_a_file_and_a_frame_say_the_same(change):
    """The same picture has the same code and the same remedy in both."""
    picture = cv2.imread(str(kibitz.examples()["scrabbleship"] / "05.jpg"))
    picture = {
        "dark": np.full_like(picture, 20),
        "blurred": cv2.GaussianBlur(picture, (0, 0), 25),
        "empty": np.full_like(picture, 120),
    }[change]
    reader = make_reader()
    found = read_picture("table.jpg", picture, reader, ReadRequest())
    frame = FrameReader(lambda: reader).read(picture, ReadRequest())

    assert (found.code, found.message, (found.message,)) == (
        frame.code,
        frame.message,
        frame.advice,
    )
    assert "board_not_found" == found.code or change != "empty"
