"""Tiles are found at the size that suits them, and only where there are any."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.loose.finder import find_tiles, parts_around

SURE, UNSURE = 4.0, -1.2


class BrightSquares:
    """In a network's place: bright squares are tiles, the smaller the less surely."""

    def __init__(self, sure: float) -> None:
        self.sure = sure
        self.looks: list[tuple[int, int]] = []

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Maps as the loose-tile network gives them."""
        _, h, w, _ = pictures.shape
        self.looks.append((w, h))
        out = np.zeros((1, 7, h // 4, w // 4), np.float32)
        out[:, 0] = -9.0
        out[:, 2] = 1.0
        bright = (pictures[0, ..., 0] > 128).astype(np.uint8)
        _, _, stats, centres = cv2.connectedComponentsWithStats(bright)
        for (*_, area), (x, y) in zip(stats[1:], centres[1:], strict=True):
            j, i = int((x + 0.5) / 4), int((y + 0.5) / 4)
            side = float(np.sqrt(area))
            out[0, 0, i, j] = SURE if side > 20 else self.sure
            out[0, 1, i, j] = np.log(side / 32)
            out[0, 4, i, j], out[0, 5, i, j] = (x + 0.5) / 4 - j - 0.5, (y + 0.5) / 4 - i - 0.5
            out[0, 6, i, j] = 3.0
        return out


def table(side: int, places: list[tuple[int, int]], light: int = 200) -> Pyramid:
    """A dark table of 1,600 by 1,200 pixels with bright squares around some centres."""
    picture = np.zeros((1200, 1600, 3), np.uint8)
    for x, y in places:
        picture[y - side // 2 : y + side // 2, x - side // 2 : x + side // 2] = light
    return Pyramid(picture)


def found(side: int, places: list[tuple[int, int]], detector: Any) -> list[tuple[int, int]]:
    """Centres of what is found, to the nearest ten pixels."""
    spots = find_tiles(table(side, places), detector)
    return [(round(x, -1), round(y, -1)) for x, y in spots.where[:, :2]]


PLACES = [(300, 200), (460, 200), (1000, 640), (1500, 1100)]


def test_large_tiles_are_looked_at_once() -> None:
    """Tiles that come out large from afar need no second look."""
    detector = BrightSquares(SURE)

    assert (found(120, PLACES, detector), len(detector.looks)) == (PLACES, 1)


def test_a_closer_look_goes_where_tiles_are() -> None:
    """Of a picture of small tiles only the parts that hold some are looked at closely."""
    detector = BrightSquares(SURE)
    got = found(50, PLACES, detector)
    closer = sum(w * h for w, h in detector.looks[1:])
    first = detector.looks[0][0] * detector.looks[0][1]

    assert (got, len(detector.looks) > 1, closer < 2 * first) == (PLACES, True, True)


@pytest.mark.parametrize(("light", "looks"), [(200, 2), (255, 3)])
def test_tiles_in_glare_are_looked_at_once_more(light: int, looks: int) -> None:
    """A tile that is burnt out is looked at a third time, and is one tile all the same."""
    detector: Any = BrightSquares(SURE)
    spots = find_tiles(table(50, [(300, 200)], light), detector)

    assert (len(spots), len(detector.looks)) == (1, looks)


def test_doubt_has_the_whole_picture_looked_at() -> None:
    """Where the look from afar is unsure of what it saw, the whole picture is looked at closely."""
    detector = BrightSquares(UNSURE)
    got = found(50, PLACES, detector)

    assert (got, [w for w, _ in detector.looks]) == (PLACES, [544, 1216])


@pytest.mark.parametrize("sure", [SURE, UNSURE])
def test_an_empty_table_has_no_tiles(sure: float) -> None:
    """Nothing is found where nothing lies."""
    assert found(60, [], BrightSquares(sure)) == []


@pytest.mark.parametrize(
    ("width", "looked_at"), [(1000, 448), (1400, 496), (1440, 512), (1600, 544)]
)
def test_the_first_look_is_from_afar(width: int, looked_at: int) -> None:
    """It takes about a third of a picture's width, and neither too little nor too much."""
    detector: Any = BrightSquares(SURE)
    picture = np.zeros((width * 3 // 4, width, 3), np.uint8)
    picture[200:320, 200:320] = 200
    find_tiles(Pyramid(picture), detector)

    assert detector.looks[0][0] == looked_at


@pytest.mark.parametrize(("apart", "looks"), [(60, 1), (90, 2)])
def test_tiles_far_apart_are_looked_at_by_themselves(apart: int, looks: int) -> None:
    """Two tiles of 20 pixels, each with what lies beside it, in one look where that overlaps."""
    xy = np.array([(100.0, 300.0), (100.0 + apart, 300.0)])

    assert len(parts_around(xy, 20.0, 1000, 600)) == looks


def test_what_lies_beside_a_tile_is_looked_at_with_it() -> None:
    """As far as the next one in a row, to the nearest half tile."""
    ((left, top, right, bottom),) = parts_around(np.array([(105.0, 305.0)]), 20.0, 1000, 600)

    assert (70, 270, 140, 340) == (left, top, right, bottom)
