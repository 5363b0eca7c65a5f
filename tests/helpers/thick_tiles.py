"""Draws boards with tiles as thick as real ones, seen by a pinhole camera from any height."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry
from kibitz.models.training.drawing import glyphs, textures
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX, canvas_px, draw_board

SLICES = 12
"""Of so many slices, one on the other, a tile is painted: what is nearer hides what is behind."""


@dataclass(frozen=True)
class Camera:
    """A pinhole camera over a board of 15 squares a side, aimed at its centre.

    Attributes:
        tilt_deg: its axis against straight down.
        turn_deg: the board, turned on the table.
        focal: focal length in the picture's width.
        away: how far off it stands, in squares.
        width, height: of the picture in pixels.
    """

    tilt_deg: float
    turn_deg: float = 0.0
    focal: float = 0.8
    away: float = 24.0
    width: int = 1280
    height: int = 960

    def plane(self, z: float) -> NDArray[np.float64]:
        """(3, 3) homography from lattice points so many squares above the board to pixels."""
        a, b = np.deg2rad((self.turn_deg, self.tilt_deg))
        turn = np.array([(np.cos(a), -np.sin(a), 0), (np.sin(a), np.cos(a), 0), (0, 0, 1.0)])
        tilt = np.array([(1, 0, 0), (0, np.cos(b), np.sin(b)), (0, -np.sin(b), np.cos(b))])
        rows = tilt @ turn
        f = self.focal * self.width
        k = np.array([(f, 0, self.width / 2), (0, f, self.height / 2), (0, 0, 1.0)])
        at = rows @ (-7.5, -7.5, -z) + (0, 0, self.away)
        return np.asarray(k @ np.column_stack([rows[:, :2], at]))

    def board(self) -> BoardGeometry:
        """Geometry of the board in the picture."""
        return BoardGeometry(self.plane(0.0), 15, self.width, self.height)


def photograph(
    rng: np.random.Generator, rows: list[str], camera: Camera, thick: float
) -> NDArray[np.uint8]:
    """A board with tiles so many squares thick, row A first, `.` an empty square."""
    side = canvas_px(15)
    table = textures.speckle(rng, side, side, textures.hsv(0.6, 0.2, 0.35), 0.02)
    draw_board(rng, table)
    style = glyphs.random_tile_style(rng)
    faces = np.zeros((side, side, 4), np.float32)
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            if letter != ".":
                face = cv2.resize(glyphs.sprite(rng, style, letter), (SQUARE_PX, SQUARE_PX))
                y, x = (int((k + MARGIN) * SQUARE_PX) for k in (r, c))
                faces[y : y + SQUARE_PX, x : x + SQUARE_PX] = face
    out = _seen(table, camera, 0.0)
    for z in np.linspace(0.0, thick, SLICES):
        shade = 1.0 if z == thick else 0.55
        slab = _seen(faces, camera, float(z))
        cover = slab[..., 3:]
        out = out * (1 - cover) + slab[..., :3] * shade * cover
    noise = rng.normal(0, 0.008, out.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(out, (0, 0), 0.6) + noise, 0, 1) * 255, np.uint8)


def _seen(flat: NDArray[np.float32], camera: Camera, z: float) -> NDArray[np.float32]:
    """A plane as the camera sees it."""
    to_lattice = np.array([(1 / SQUARE_PX, 0, -MARGIN), (0, 1 / SQUARE_PX, -MARGIN), (0, 0, 1)])
    size = camera.width, camera.height
    soft = cv2.GaussianBlur(flat, (0, 0), 0.5)
    seen = cv2.warpPerspective(soft, camera.plane(z) @ to_lattice, size, flags=cv2.INTER_LINEAR)
    return np.asarray(seen, np.float32)
