"""Draws single pictures of a film of a table: a board, hands that move, light that changes.

What costs most, the board with its tiles, is drawn once for each position; hands, light and
noise are laid over it for every picture.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry
from kibitz.engine.table import Square
from kibitz.models.training.drawing import camera, covers
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX
from tests.filming.story import BoardShot, Laid
from tests.filming.tables import BoardTable, View

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]
Tiles = Mapping[Square, Laid]
SPRITE_PX = 1400
NOISES = 5


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand: which one, where its finger tips are in pixels, and where its arm comes from.

    `angle` is the direction in which the fingers point, in radians clockwise from the right.
    """

    which: int
    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class Light:
    """Light on the table: all of it, a gradient across, and a soft shadow at a place (0 to 1)."""

    level: float = 1.0
    slope: float = 0.0
    shadow: float = 0.0
    shadow_x: float = 0.5
    shadow_y: float = 0.5
    warmth: float = 0.0


@dataclass(frozen=True, slots=True)
class Moved:
    """How the board lies against where it began: pixels along x and y, degrees clockwise."""

    dx: float = 0.0
    dy: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything that one picture of a film shows."""

    tiles: Tiles
    hands: tuple[HandPose, ...] = ()
    light: Light = field(default_factory=Light)
    moved: Moved = field(default_factory=Moved)


class Hand:
    """One person's hand with its arm, drawn once and moved about."""

    def __init__(self, seed: int, square_px: float) -> None:
        number = 0
        while True:
            rng = np.random.default_rng([seed, number])
            tip = rng.uniform(SPRITE_PX * 0.45, SPRITE_PX * 0.55, 2)
            if rng.random() < 0.65:
                break
            number += 1
        angle = float(rng.uniform(0, 2 * np.pi))
        drawn = np.random.default_rng([seed, number])
        mask, colour = covers.cover_mask_at(drawn, SPRITE_PX, square_px, SPRITE_PX * 0.45)
        self._angle = angle
        ahead = 1.2 * square_px
        self._tip = (tip[0] + math.cos(angle) * ahead, tip[1] + math.sin(angle) * ahead)
        self._mask = (mask * 255).astype(np.uint8)
        self._colour = (np.clip(colour, 0, 1) * 255).astype(np.uint8)

    def over(self, picture: Array, pose: HandPose) -> Picture:
        """Lay the hand over a picture with its shadow; the coverage, (h, w) uint8."""
        h, w = picture.shape[:2]
        turn = pose.angle - self._angle
        c, s = math.cos(turn), math.sin(turn)
        x, y = self._tip
        m = np.array([[c, -s, pose.x - c * x + s * y], [s, c, pose.y - s * x - c * y]])
        cover = np.asarray(cv2.warpAffine(self._mask, m, (w, h)), np.uint8)
        if not cover.any():
            return cover
        colour = cv2.warpAffine(self._colour, m, (w, h))
        small = cv2.resize(cover, (w // 4, h // 4), interpolation=cv2.INTER_AREA)
        cast = cv2.GaussianBlur(np.roll(small, (4, 3), (0, 1)), (0, 0), 3.0)
        shade = cv2.resize(cast, (w, h)).astype(np.float32) * (-0.4 / 255) + 1
        # merged, as numbers that are spread over the channels one by one take several times as long
        a = cover.astype(np.float32) / 255
        picture *= cv2.merge([shade * (1 - a)] * 3)
        picture += colour * cv2.merge([a] * 3)
        return cover


class Stage:
    """A table with its camera, its light and the hands of its players.

    Args:
        seed: decides how everything looks.
        width: of the pictures.
        height: of the pictures.
    """

    def __init__(self, seed: int, width: int = 1280, height: int = 960) -> None:
        self._table = BoardTable(View(seed, width, height))
        self.geometry: BoardGeometry = self._table.geometry
        self.size = (width, height)
        square = self.geometry.square_px
        self._hands = [Hand(seed * 10 + i, square * 0.75) for i in range(2)]
        self._seed = seed
        self._flat: tuple[Tiles, Picture] | None = None
        self._plain: tuple[tuple[Tiles, Moved], Array] | None = None
        rng = np.random.default_rng([seed, 77])
        self._noise = [
            rng.normal(0, 2.0, (height, width, 3)).astype(np.float32) for _ in range(NOISES)
        ]
        yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
        self._x, self._y = xx / width, yy / height
        self._even = 1.04 - 0.22 * (self._x * 0.6 + self._y * 0.4)

    def picture(self, moment: Moment, number: int) -> tuple[Picture, Picture]:
        """One picture (h, w, 3) BGR, and where hands cover it, (h, w) uint8."""
        out = self._board(moment.tiles, moment.moved).copy()
        covered = np.zeros(out.shape[:2], np.uint8)
        for pose in moment.hands:
            covered = np.maximum(covered, self._hands[pose.which].over(out, pose))
        out *= self._gain(moment.light)
        rng = np.random.default_rng([self._seed, 3, number])
        out += self._noise[number % NOISES][:, :: int(rng.choice((-1, 1)))]
        return np.clip(out, 0, 255, out=out).astype(np.uint8), covered

    def square_at(self, square: Square, moved: Moved) -> tuple[float, float]:
        """Where the middle of a square is in a picture."""
        at = self._geometry(moved).to_px(np.array([square.col + 0.5, square.row + 0.5]))
        return float(at[0]), float(at[1])

    def board_mask(self, moved: Moved) -> Picture:
        """Where the squares of the board are, (h, w) uint8."""
        mask = np.zeros(self.size[::-1], np.uint8)
        cv2.fillConvexPoly(mask, np.round(self.corners(moved)).astype(np.int32), 255)
        return mask

    def corners(self, moved: Moved) -> NDArray[np.float64]:
        """The outer corners of the squares, (4, 2), row A first."""
        return self._geometry(moved).corners_px

    def _geometry(self, moved: Moved) -> BoardGeometry:
        g = self.geometry
        if moved == Moved():
            return g
        middle = g.to_px(np.array([7.5, 7.5]))
        turn = math.radians(moved.turn_deg)
        c, s = math.cos(turn), math.sin(turn)
        x, y = float(middle[0]), float(middle[1])
        push = np.array(
            [
                [c, -s, x - c * x + s * y + moved.dx],
                [s, c, y - s * x - c * y + moved.dy],
                [0, 0, 1],
            ]
        )
        return BoardGeometry(push @ g.homography, g.size, g.width, g.height, g.k1)

    def _board(self, tiles: Tiles, moved: Moved) -> Array:
        if self._plain is not None and self._plain[0] == (tiles, moved):
            return self._plain[1]
        if self._flat is None or self._flat[0] != tiles:
            self._flat = (dict(tiles), self._table.flat(BoardShot(dict(tiles))))
        warped, _ = camera.warp_onto(self._flat[1], self._geometry(moved))
        rim = np.array(self._table.rim) / SQUARE_PX - MARGIN
        out = self._onto_table(warped, rim, moved)
        self._plain = ((dict(tiles), moved), out)
        return out

    def _onto_table(self, warped: Picture, rim: NDArray[np.float64], moved: Moved) -> Array:
        x0, y0, x1, y1 = rim
        corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)
        quad = self._geometry(moved).to_px(corners)
        mask = np.zeros(warped.shape[:2], np.uint8)
        cv2.fillPoly(mask, [(quad * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        dark = cv2.GaussianBlur(np.roll(mask, (8, 6), (0, 1)), (0, 0), 7.0)[..., None] / 255
        a = mask[..., None].astype(np.float32) / 255
        out = self._table.backdrop * (1 - dark * 0.45) * (1 - a) + warped * a
        return np.asarray(cv2.GaussianBlur(out.astype(np.float32), (0, 0), 0.7), np.float32)

    def _gain(self, light: Light) -> Array:
        gain = light.level * self._even
        if light.slope:
            gain = gain * (1 + light.slope * (self._x - 0.5))
        if light.shadow:
            off = ((self._x - light.shadow_x) / 0.35) ** 2 + (
                (self._y - light.shadow_y) / 0.5
            ) ** 2
            gain = gain * (1 - light.shadow * np.exp(-off))
        tint = np.array([1 - light.warmth, 1.0, 1 + light.warmth], np.float32)
        return np.asarray(cv2.merge([gain * part for part in tint]), np.float32)
