"""How sharp a straightened board is, and how much its letters are to be believed.

Networks that saw few blurred letters are as sure of them as of sharp ones. How sharp a board is
can be measured on the board as a whole, whatever blurs it (focus, motion, small squares): its
strongest edges against its contrast. What the networks say of letters counts the less for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.vision.boards.square_logs import log_softmax

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class BlurRules:
    """From when on blur makes letters less sure, and when nothing is left of them.

    Sharpness is a mean gradient (Sobel) against the contrast, of a board with 24 pixels a square.
    """

    sharp: float = number(
        1.4, "gradient / contrast", 0.1, 20.0, "letters of a sharper board count in full"
    )
    unreadable: float = number(
        0.6, "gradient / contrast", 0.0, 10.0, "of a softer one no letter can be told"
    )
    edges: float = number(
        0.05, "of the pixels", 0.001, 1.0, "the strongest edges, which tell how sharp it is"
    )
    outliers: float = number(
        0.03, "of the pixels", 0.0, 0.4, "the darkest and the brightest, which are no contrast"
    )
    least_contrast: float = number(
        16.0, "grey levels", 0.0, 255.0, "a board with less has no edges to tell by"
    )
    noise: float = number(
        4.0, "grey levels", 0.0, 64.0, "added to a contrast: so much is made by noise alone"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BlurRules()
EVERY = 3
"""Every third pixel of every third row tells the contrast."""


def sharpness(straight: Picture, square_px: int, rules: BlurRules = RULES) -> float | None:
    """A board's strongest edges against its contrast, None where there is hardly any contrast.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        rules: what is measured.
    """
    px = square_px
    grey = cv2.cvtColor(straight[px:-px, px:-px], cv2.COLOR_BGR2GRAY)
    ends = (rules.outliers, 1 - rules.outliers)
    dark, bright = np.quantile(grey[::EVERY, ::EVERY], ends)
    contrast = float(bright - dark)
    if contrast < rules.least_contrast:
        return None
    gx, gy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strongest = max(1, int(grey.size * rules.edges))
    all_edges = cv2.magnitude(gx, gy)
    # what is far below the largest is among the strongest only where there are few edges at all
    some = all_edges[all_edges > all_edges.max() / 4]
    among = some if len(some) >= strongest else all_edges.ravel()
    edges = np.partition(among, -strongest)[-strongest:]
    return float(edges.mean()) / (contrast + rules.noise)


def believed(
    letter: NDArray[np.float32], sharp: float | None, rules: BlurRules = RULES
) -> NDArray[np.float32]:
    """Log probabilities of letters as far as a board's sharpness lets them be believed.

    Args:
        letter: (..., letters) log probabilities.
        sharp: see `sharpness`.
        rules: what is sharp.
    """
    if sharp is None or sharp >= rules.sharp:
        return letter
    share = max(0.0, (sharp - rules.unreadable) / (rules.sharp - rules.unreadable))
    return log_softmax(np.asarray(letter * np.float32(share), np.float32))
