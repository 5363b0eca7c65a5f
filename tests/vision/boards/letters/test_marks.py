"""Marks that make one letter another are looked for in finer detail."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.models.session import load_model
from kibitz.models.training.drawing.glyphs import SUBSCRIPT, face_ink, random_tile_style
from kibitz.vision.boards.letters.marks import look_for_marks, twins, with_marks
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.pipeline import Reader
from kibitz.vision.request import ReadRequest

POLISH = (*"ABCDEFGHIJKLMNOPRSTUWYZĄĆĘŁŃÓŚŹŻ", "?")
SQUARE_PX = 48
TAILED = replace(
    random_tile_style(np.random.default_rng(1)),
    family="montserrat-700",
    letter_size=0.44,
    letter_dx=-0.06,
    letter_dy=0.0,
    width=0.92,
    height=0.92,
    stretch=1.0,
    embolden=0,
    numeral=SUBSCRIPT,
    numeral_size=0.14,
    numeral_inset=0.05,
    tail=(0.2, 0.15),
)
"""Small letters with a numeral beside their foot, into which a tail may run."""


def _tile(char: str, px: int) -> NDArray[np.uint8]:
    """A tile, black on ivory."""
    ink = face_ink(np.random.default_rng(1), TAILED, char, px, honest=True)[..., None]
    return (np.array([190, 225, 235]) * (1 - ink) + 25 * ink).astype(np.uint8)


def _board(char: str, turn: int) -> NDArray[np.uint8]:
    """A green board of 15 x 15 with one tile on H8, lying so many quarters over."""
    picture = np.full((15 * SQUARE_PX, 15 * SQUARE_PX, 3), (90, 120, 60), np.uint8)
    tile = _tile(char, SQUARE_PX)
    high, wide = tile.shape[:2]
    left, top = (SQUARE_PX - wide) // 2, (SQUARE_PX - high) // 2
    square = picture[7 * SQUARE_PX : 8 * SQUARE_PX, 7 * SQUARE_PX : 8 * SQUARE_PX]
    square[top : top + high, left : left + wide] = tile
    square[:] = np.rot90(square, -turn).copy()
    return cv2.GaussianBlur(picture, (0, 0), 0.6)


def _told(chances: dict[str, float], turn: int) -> SquareLogs:
    """A bare board but for H8, of whose tile so much is known."""
    kind = np.full((15, 15, 4), -9.0, np.float32)
    kind[..., 0] = -1e-3
    kind[7, 7] = (-9.0, -1e-3, -9.0, -9.0)
    both = np.full((15, 15, len(POLISH), 4), -20.0, np.float32)
    for letter, chance in chances.items():
        both[7, 7, POLISH.index(letter), turn] = np.log(chance)
    return SquareLogs(kind, both)


def _seen(char: str, told: SquareLogs, turn: int, labels: tuple[str, ...] = POLISH) -> None:
    """Look at H8 of a picture of such a tile."""
    side = 15.0 * SQUARE_PX
    corners = np.array([(0, 0), (side, 0), (side, side), (0, side)])
    geometry = geometry_from_corners(corners, 15, int(side), int(side))
    asked = np.zeros((15, 15), bool)
    asked[7, 7] = True
    look_for_marks(told, asked, _board(char, turn), geometry, load_model("mark"), labels)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("char", [*"AĄEĘLŁOÓSŚZŻ"])
def test_a_mark_is_seen_whichever_way_the_tile_lies(char: str, turn: int) -> None:
    """Where a closer look leaves open which it is, the finer one tells."""
    family = [POLISH[i] for i in twins(POLISH)[POLISH.index(char)]]
    told = _told({letter: 1 / len(family) for letter in family}, turn)

    _seen(char, told, turn)

    assert char == POLISH[told.letter[7, 7].argmax()]


def test_how_likely_the_letter_is_but_for_its_mark_stays() -> None:
    """An R that may be an A or an Ą remains as likely an R."""
    told = _told({"A": 0.35, "Ą": 0.25, "R": 0.4}, 0)

    _seen("Ą", told, 0)

    chance = dict(zip(POLISH, np.exp(told.letter[7, 7]).tolist(), strict=True))
    assert {"R": 0.4, "A or Ą": 0.6} == {
        "R": pytest.approx(chance["R"], abs=1e-3),
        "A or Ą": pytest.approx(chance["A"] + chance["Ą"], abs=1e-3),
    }
    assert chance["Ą"] > chance["A"]


def test_letters_without_twins_are_left_alone() -> None:
    """A K is none, and with English tiles nothing is."""
    told = _told({"K": 0.6, "A": 0.4}, 0)
    before = told.both.copy()

    _seen("Ą", told, 0)

    assert np.array_equal(before, told.both)
    assert {} == twins(tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ?"))


def test_letters_that_differ_by_a_mark() -> None:
    """A stroke through an L counts, and so do two marks on one letter."""
    named = {POLISH[i]: {POLISH[k] for k in family} for i, family in twins(POLISH).items()}

    assert named["Ż"] == named["Z"] == {"Z", "Ź", "Ż"}
    assert named["L"] == {"L", "Ł"}
    assert len(named) == 17


def _table(chars: str, angle_deg: float) -> NDArray[np.uint8]:
    """Tiles in a row on a brown table, turned clockwise."""
    picture = np.full((480, 720, 3), (60, 90, 120), np.uint8)
    for k, char in enumerate(chars):
        tile = _tile(char, 72)
        high, wide = tile.shape[:2]
        turned = cv2.getRotationMatrix2D((wide / 2, high / 2), -angle_deg, 1.0)
        turned[:, 2] += (120 + 160 * k - wide / 2, 240 - high / 2)
        cv2.warpAffine(tile, turned, (720, 480), picture, borderMode=cv2.BORDER_TRANSPARENT)
    return cv2.GaussianBlur(picture, (0, 0), 0.7)


@pytest.mark.parametrize("angle_deg", [0.0, 35.0, 160.0, 290.0])
def test_loose_tiles_show_their_marks_at_any_angle(angle_deg: float) -> None:
    """The letters of a row, from left to right."""
    request = ReadRequest(squares="loose", letters=POLISH[:-1])

    tiles = Reader().read(_table("AĄĘŁ", angle_deg), request).loose

    assert "AĄĘŁ" == "".join(t.letter for t in sorted(tiles, key=lambda t: t.centre_px))


def test_a_doubtful_mark_is_looked_at_again_three_pixels_up_and_down():
    """What all three looks say together counts."""
    seen = []

    class Doubtful:
        facts = SimpleNamespace(labels=("A", "Ą"), letter_blend=(1.0, 1.0))

        def run(self, upright):
            """Where a white line lies, and as likely the one as the other."""
            seen.append(int(upright[0, :, 0, 0].argmax()))
            return np.zeros((len(upright), 2), np.float32)

    upright = np.zeros((1, 64, 64, 3), np.uint8)
    upright[:, 30] = 255
    both = np.full((1, 2, 4), -np.log(8), np.float32)
    with_marks(both, np.zeros((1, 2), np.float32), upright, Doubtful(), ("A", "Ą"))

    assert [30, 27, 33] == seen
