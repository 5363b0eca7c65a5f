"""The end of a card that looks like a letter is told from a tile."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.app.reading.lines import rows_of
from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.vision.boards.colours.ship_cards import card_ends, settle_cards
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.reader import assemble
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, TILE_KIND, Marker

PX = 24
CREAM, BLUE, PALE = (180, 220, 235), (120, 90, 60), (210, 215, 220)
HALF_HIDDEN = (7, 5)
TILES = [(7, 6), (7, 7), (7, 8), (6, 8), (5, 8), (8, 8)]


def table(
    body: tuple[int, int, int], hull: tuple[int, int, int], card: float
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """A row of tiles, beside it a square of some colour with a print, read as a letter.

    Args:
        body: colour of the square, BGR.
        hull: colour of its print.
        card: probability that the reader gives a card there.
    """
    picture = np.full((17 * PX, 17 * PX, 3), 120, np.uint8)
    kind = np.full((15, 15, 4), np.log(0.001), np.float32)
    kind[..., EMPTY_KIND] = np.log(0.997)
    for r, c in [*TILES, HALF_HIDDEN]:
        y, x = (r + 1) * PX, (c + 1) * PX
        picture[y : y + PX, x : x + PX] = CREAM
        cv2.line(picture, (x + 12, y + 6), (x + 12, y + 17), (30, 30, 30), 2)
        kind[r, c] = np.log((1e-6, 1 - 3e-6, 1e-6, 1e-6))
    y, x = (HALF_HIDDEN[0] + 1) * PX, (HALF_HIDDEN[1] + 1) * PX
    picture[y : y + PX, x : x + PX] = body
    bow = [(x + 2, y + 12), (x + 10, y + 6), (x + 24, y + 6), (x + 24, y + 18), (x + 10, y + 18)]
    cv2.fillPoly(picture[:, : x + PX], [np.array(bow, np.int32)], hull)
    kind[HALF_HIDDEN] = np.log((1e-6, 1 - card, card, 1e-6))
    return kind, picture


def read(kind: NDArray[np.float32], picture: NDArray[np.uint8]) -> tuple[Marker, ...]:
    """The cards on such a table."""
    ends = card_ends(kind)
    return settle_cards(kind, ends, picture, PX)[1]


def test_a_bow_beside_a_tile_is_a_card() -> None:
    """What is read as a letter is a card that runs on under the tile beside it, not a tile."""
    kind, picture = table(BLUE, PALE, 0.3)
    ends = card_ends(kind)
    settled, cards = settle_cards(kind, ends, picture, PX)

    assert [m.squares for m in cards] == [(HALF_HIDDEN, TILES[0])]
    assert int(settled[HALF_HIDDEN].argmax()) == MARKER_KIND
    assert all(int(settled[q].argmax()) == TILE_KIND for q in TILES)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_bow_may_point_anywhere(quarters: int) -> None:
    """The same on a board that is turned."""
    kind, picture = (np.ascontiguousarray(np.rot90(x, quarters)) for x in table(BLUE, PALE, 0.3))
    square = np.zeros((15, 15), bool)
    square[HALF_HIDDEN] = square[TILES[0]] = True
    expected = tuple(map(tuple, np.argwhere(np.rot90(square, quarters)).tolist()))

    assert [expected] == [m.squares for m in read(kind, picture)]


@pytest.mark.parametrize(("card", "cards"), [(0.07, 0), (0.12, 1)])
def test_how_likely_the_end_of_a_card_must_be(card: float, cards: int) -> None:
    """From a tenth on it is one, though it has the colour of the board's tiles."""
    assert cards == len(read(*table(CREAM, (40, 40, 40), card)))


@pytest.mark.parametrize(("hand", "cards"), [(0.007, 1), (0.015, 0)])
def test_fingers_beside_a_tile_are_no_bow(hand: float, cards: int) -> None:
    """What may be a hand, one in a hundred, leaves parts of letters that look like hulls."""
    kind, picture = table(BLUE, PALE, 0.3)
    kind[HALF_HIDDEN][COVERED_KIND] = np.log(hand)

    assert cards == len(read(kind, picture))


@pytest.mark.parametrize(("hand", "cards"), [(0.07, 1), (0.15, 0)])
def test_a_fingertip_is_no_card(hand: float, cards: int) -> None:
    """One square in sight that is a hand with one chance in ten does not make a card."""
    kind, picture = table(BLUE, PALE, 0.3)
    kind[HALF_HIDDEN] = np.log((1e-6, 1e-6, 1 - hand, hand))
    kind[TILES[0]] = np.log((1e-6, 1e-6, 1e-6, 1.0))

    assert cards == len(settle_cards(kind, np.zeros((15, 15), bool), picture, PX)[1])


@pytest.mark.parametrize(("beside", "cards"), [([], 0), ([(2, 2), (2, 3), (2, 4)], 2)])
def test_where_a_card_lies_a_blank_like_no_tile_may_be_the_end_of_another(
    beside: list[tuple[int, int]], cards: int
) -> None:
    """A hull with a hatch is a blank with a sign to the looks, a card with one chance in fifty.

    As far as such a blank is believed it is one with two in five.
    """
    kind, picture = table(BLUE, PALE, 0.02)
    for r, c in beside:
        picture[(r + 1) * PX : (r + 2) * PX, (c + 1) * PX : (c + 2) * PX] = BLUE
        kind[r, c] = np.log((1e-6, 1e-6, 1 - 3e-6, 1e-6))
    both = np.full((15, 15, 2, 4), np.log(1e-6), np.float32)
    both[..., 0, 0] = np.log(1 - 7e-6)
    both[HALF_HIDDEN] = both[HALF_HIDDEN][::-1]
    corners = np.array([(PX, PX), (16 * PX, PX), (16 * PX, 16 * PX), (PX, 16 * PX)], float)
    g = geometry_from_corners(corners, 15, 17 * PX, 17 * PX)
    logs = SquareLogs(kind, both)
    told = assemble(g, SquareColours(picture, PX), logs, ("A", "?"), 0, top_certain=True)

    assert cards == len(told.markers)
    assert ("." if cards else "?") == rows_of(told)[HALF_HIDDEN[0]][HALF_HIDDEN[1]]
