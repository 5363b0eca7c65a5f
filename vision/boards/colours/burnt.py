"""Squares burnt out by glare: white all over, they look bare but may hold a tile.

A lamp that a glossy tile mirrors leaves neither its letter nor its edge. The board's own print is
gone as well, so that such a square cannot be told from a bare one; a letter that is still read
shows that the square is not burnt out where it matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.quality import VIEW
from kibitz.engine.parameters import checked, number
from kibitz.vision.boards.colours.blanks import beside
from kibitz.vision.boards.square_logs import hide
from kibitz.vision.readings import EMPTY_KIND, SURE, TILE_KIND

Picture = NDArray[np.uint8]
RIM: Final = 0.125
"""Of a square's side, so much is left out on each: lines, neighbours' sides."""


@dataclass(frozen=True, slots=True)
class BurntRules:
    """When glare hides a square's content."""

    share: float = number(
        0.6, "of a square", 0.05, 1.0, "a square of which more is burnt out cannot be told"
    )
    bare: float = number(
        0.89, "probability", 0.5, 1.0, "so many of such squares beside no tile are bare, if drawn"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BurntRules()


def burnt_part(straight: Picture, square_px: int) -> NDArray[np.float32]:
    """(n, n) share of each square that is burnt out in every colour; none on a white board.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
    """
    px, n = square_px, straight.shape[0] // square_px - 2
    blue, green, red = cv2.split(straight)  # a part of a picture takes many times as long
    least = np.asarray(cv2.min(cv2.min(blue, green), red))[px:-px, px:-px]
    if int(least.max()) < VIEW.burnt_level:
        return np.zeros((n, n), np.float32)
    rim = round(RIM * px)
    white = (least >= VIEW.burnt_level).reshape(n, px, n, px)[:, rim : px - rim]
    # down first: whole lines are added at once
    part = white.sum(1, dtype=np.float32)[..., rim : px - rim].mean(-1) / (px - 2 * rim)
    of_the_board = float((part > RULES.share).mean()) >= 0.5
    return np.zeros_like(part) if of_the_board else part


def settle_glare(
    burnt: NDArray[np.float32],
    kind: NDArray[np.float32],
    blank: NDArray[np.float32],
    light: NDArray[np.float32],
) -> None:
    """Change the kinds of burnt-out squares on which neither a letter nor a card is seen.

    A tile may lie there unseen where the white patch reaches one: plays connect. Such squares are
    hidden, the others hardly anything but bare. On a board that is nearly burnt out anyway dark
    tiles would be seen: there a white square is bare as well.

    Args:
        burnt: (n, n) see `burnt_part`.
        kind: (n, n, 4) log probabilities, which are changed.
        blank: (n, n) probability that a tile there is a blank.
        light: (n, n) how light each square is, see `lightness`.
    """
    best = kind.argmax(-1)
    bare, lettered = best == EMPTY_KIND, (best == TILE_KIND) & (blank < 0.5)
    lost = burnt > RULES.share
    white, clear = bare & lost, burnt == 0
    squares, tiles = light[bare & clear], light[lettered & clear]
    if white.any() and min(len(squares), len(tiles)) >= SURE.few:
        usual = float(np.median(squares))
        # twice as far from the tiles as from white: light that burns it leaves these dark
        if 2 * (VIEW.burnt_level - usual) < usual - float(np.median(tiles)):
            white[:] = False
    kind[white, EMPTY_KIND] = np.log(RULES.bare)
    kind[white, TILE_KIND] = np.log(1 - RULES.bare)
    touched = white & beside(lettered)
    _, patch = cv2.connectedComponents(white.astype(np.uint8), connectivity=4)
    hide(kind, np.isin(patch, patch[touched]) | (lost & (best == TILE_KIND) & (blank > 0.5)))


def lightness(straight: Picture, square_px: int) -> NDArray[np.float32]:
    """(n, n) lightness of squares in their darkest channel, 0 to 255; see `burnt_part`."""
    n = straight.shape[0] // square_px
    least = straight.min(-1).astype(np.float32)
    return np.asarray(cv2.resize(least, (n, n), interpolation=cv2.INTER_AREA)[1:-1, 1:-1])
