"""A bare table that a game of loose tiles is photographed on, with a fixed camera over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.training.drawing import covers, scene, textures
from kibitz.models.training.sampling import faces
from tests.filming.story import LooseShot
from tests.filming.tables import Picture, View, finish, hand_rng

TILE_PARTS = 19.0
"""How many tiles fit into the picture's height."""
TOUCHING, APART = 1.02, 1.35
"""So many tiles it is from one tile to the next of its word, and from one word to the next."""


@dataclass(frozen=True)
class Lying:
    """A tile on the table: where (pixels), how turned (degrees clockwise), what it shows."""

    x: float
    y: float
    angle_deg: float
    char: str


@dataclass
class LoosePlaces:
    """Where tiles lie on a table: heap on the left, pool in the middle, words at the sides."""

    view: View

    @property
    def px(self) -> float:
        """Side of a tile in pixels."""
        return self.view.height / TILE_PARTS

    def tiles(self, shot: LooseShot) -> Iterator[Lying]:
        """Where every tile lies; a tile that stays, stays in its place."""
        for slot in range(shot.face_down):
            yield self._jittered(*self._heap_place(slot), " ", 100 + slot)
        for slot, char in enumerate(shot.pool):
            if char != ".":
                yield self._jittered(*self._pool_place(slot), char, 300 + slot)
        for seat, words in shot.words.items():
            for row, word in enumerate(words):
                yield from self._word(seat, row, word, TOUCHING if shot.pushed else APART)

    def _jittered(self, x: float, y: float, char: str, number: int) -> Lying:
        rng = np.random.default_rng([self.view.seed, number])
        dx, dy = rng.uniform(-0.18, 0.18, 2) * self.px
        return Lying(x + dx, y + dy, float(rng.uniform(0, 360)), char)

    def _heap_place(self, slot: int) -> tuple[float, float]:
        """Face-down tiles in rows at the left of the middle."""
        across, down = slot % 4, slot // 4
        left = 0.25 * self.view.width
        return left + across * 1.5 * self.px, 0.32 * self.view.height + down * 1.5 * self.px

    def _pool_place(self, slot: int) -> tuple[float, float]:
        """Face-up tiles at the right of the middle."""
        across, down = slot % 4, slot // 4
        left = 0.52 * self.view.width
        return left + across * 1.8 * self.px, 0.36 * self.view.height + down * 1.8 * self.px

    def _word(self, seat: int, row: int, word: str, apart: float) -> Iterator[Lying]:
        """A row of tiles near an edge, upright for whoever sits there; seats go clockwise."""
        v = self.view
        angle = 90.0 * seat
        a = np.deg2rad(angle)
        along = np.array([np.cos(a), np.sin(a)])
        out = np.array([-np.sin(a), np.cos(a)])  # from the middle to the seat
        reach = 0.5 * (v.width if seat % 2 else v.height) - (1.2 + apart * row) * self.px
        middle = np.array([v.width / 2, v.height / 2]) + out * reach
        rng = np.random.default_rng([v.seed, 500 + 10 * seat + row])
        for k, char in enumerate(word):
            shift = (k - (len(word) - 1) / 2) * TOUCHING * self.px
            x, y = middle + along * shift + rng.normal(0, 0.02, 2) * self.px
            yield Lying(float(x), float(y), angle + float(rng.normal(0, 1.5)), char)


class LooseTable(LoosePlaces):
    """A table seen by one camera; it is laid and its tile set drawn once."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        v = view
        rng = np.random.default_rng(v.seed)
        self.base = textures.table_top(rng, v.height, v.width)
        style = faces.face_style(rng, further=False)  # games of a seed keep the looks they had
        self.cabinet = scene.SpriteCabinet(rng, style, honest=True)
        self._faces: dict[Lying, NDArray[np.float32]] = {}
        pinch = 0.04 * v.width
        src = np.array([(0, 0), (v.width, 0), (v.width, v.height), (0, v.height)], np.float32)
        dst = src + np.array([(pinch, pinch / 2), (-pinch, pinch / 2), (0, 0), (0, 0)], np.float32)
        self.tilt = cv2.getPerspectiveTransform(src, dst)

    def photograph(self, shot: LooseShot, noise_seed: int = 0) -> Picture:
        """The table as its camera sees it: (height, width, 3) BGR."""
        canvas = self.base.copy()
        tiles = list(self.tiles(shot))
        self._shade(canvas, tiles)
        style = self.cabinet.style
        lift = (0.0, -0.3 * style.thickness * self.px)
        for tile in sorted(tiles, key=lambda t: t.y):
            if tile not in self._faces:  # what nobody touches keeps its grain
                self._faces[tile] = self.cabinet.get("?" if tile.char == " " else tile.char)
            face = self._faces[tile]
            at = (tile.x, tile.y)
            scene.paste(canvas, face, at, tile.angle_deg, self.px, lift, style.side)
        if shot.hand is not None:
            self._hand(canvas, shot.hand)
        flat = np.clip(canvas, 0, 1) * 255
        seen = cv2.warpPerspective(
            flat, self.tilt, (self.view.width, self.view.height), borderMode=cv2.BORDER_REFLECT
        )
        return finish(seen.astype(np.float64), self.view.seed, noise_seed)

    def _shade(self, canvas: NDArray[np.float32], tiles: list[Lying]) -> None:
        style, step = self.cabinet.style, np.array([0.1, 0.14]) * self.px
        cast = np.zeros(canvas.shape[:2], np.float32)
        for t in tiles:
            size = (style.width * self.px, style.height * self.px)
            box = cv2.boxPoints(((t.x, t.y), size, t.angle_deg))
            hull = cv2.convexHull(np.vstack([box, box + step]).astype(np.float32))
            cv2.fillConvexPoly(cast, hull.astype(np.int32), 1.0, cv2.LINE_AA)
        canvas *= 1 - cv2.GaussianBlur(cast, (0, 0), 2.5)[..., None] * 0.45

    def _hand(self, canvas: NDArray[np.float32], seed: int) -> None:
        mask, colour = self._cover(seed)
        canvas[:] = canvas * (1 - mask[..., None]) + colour * mask[..., None]

    def _cover(self, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        h, w = self.view.height, self.view.width
        mask, colour = covers.cover_mask_at(hand_rng(seed), max(w, h), self.px)
        return mask[:h, :w], colour[:h, :w]

    def seen(self, shot: LooseShot) -> list[Lying]:
        """The tiles that no hand hides."""
        tiles = list(self.tiles(shot))
        if shot.hand is None:
            return tiles
        mask, _ = self._cover(shot.hand)
        near = cv2.blur(mask, (int(self.px * 0.7), int(self.px * 0.7)))
        return [t for t in tiles if near[int(t.y), int(t.x)] < 0.3]
