"""Photographs of drawn boards with any number of squares a side, with their truth."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry
from kibitz.models.training.drawing import camera, glyphs
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX
from kibitz.models.training.drawing.covers import COVERED, IGNORE, MARKER, TILE
from kibitz.models.training.drawing.scene import Scene, make_scene

Picture = NDArray[np.uint8]
NOT_ASKED = "*"
"""In the rows of the truth: a square of which nothing is asked."""


@dataclass(frozen=True, eq=False)
class SizedBoard:
    """A photograph of a board and where that lies, row A first as the scene has it."""

    picture: Picture
    geometry: BoardGeometry
    scene: Scene

    def rows(self, labels: tuple[str, ...] = glyphs.LABELS) -> list[str]:
        """The squares as `kibitz read` has them; see `NOT_ASKED`."""
        return ["".join(_told(self.scene, r, c, labels) for c in row) for r, row in self._places()]

    def _places(self) -> list[tuple[int, range]]:
        n = len(self.scene.kinds)
        return [(r, range(n)) for r in range(n)]


def _told(scene: Scene, r: int, c: int, labels: tuple[str, ...]) -> str:
    kind = scene.kinds[r, c]
    if kind == TILE:
        letter = int(scene.letters[r, c])
        return labels[letter] if letter < len(labels) else NOT_ASKED
    if kind in (IGNORE, MARKER):
        return NOT_ASKED
    return "#" if kind == COVERED else "."


def photograph(
    rng: np.random.Generator,
    squares: int,
    square_px: tuple[float, float] = (16.0, 40.0),
    tilt_deg: float = 35.0,
    scene: Scene | None = None,
) -> SizedBoard:
    """A board on a table, turned any way and tilted, all of it in the picture.

    Args:
        rng: chance.
        squares: a side.
        square_px: fewest and most pixels a square.
        tilt_deg: the most that the camera is tilted.
        scene: what lies there; drawn if not given.
    """
    scene = scene or make_scene(rng, squares)
    px = float(np.exp(rng.uniform(*np.log(square_px))))
    side = px * squares
    w, h = round(side * rng.uniform(1.5, 1.9)), round(side * rng.uniform(1.4, 1.6))
    while True:
        view = camera.random_view(
            rng, w, h, side, float(rng.uniform(0, tilt_deg)), squares, off_centre=0.06
        )
        geometry = BoardGeometry(view, squares, w, h)
        if geometry.in_picture(geometry.corners_px).all():
            break
    warped, _ = camera.warp_onto(scene.image, geometry)
    x0, y0, x1, y1 = np.array(scene.rim) / SQUARE_PX - MARGIN
    quad = geometry.to_px(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
    mask = np.zeros((h, w), np.uint8)
    cv2.fillPoly(mask, [(quad * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    table = camera.backdrop(rng, w, h)
    dark = cv2.GaussianBlur(mask, (0, 0), 2.0)[..., None] / 255
    table = (table * (1 - dark * float(rng.uniform(0.2, 0.6)))).astype(np.uint8)
    a = mask[..., None] / 255.0
    picture = (table * (1 - a) + warped * a).astype(np.uint8)
    return SizedBoard(camera.expose(rng, picture, px, hard=0.5), geometry, scene)
