"""Photographs of a whole game from a fixed camera, for the bundled demonstrations and tests.

    python -m models.training.game_pictures app/data/demo/scrabble/game.json

The game file names its photographs and what lies on the board in each; see `Shot`. Pictures are
written beside it.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import BoardGeometry
from models.training import board_art, camera, glyphs, scene, textures
from models.training.board_art import CANVAS_PX, MARGIN, SQUARE_PX

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 1280, 960


@dataclass(frozen=True)
class Shot:
    """What one photograph shows.

    Attributes:
        rows: 15 strings; `.` empty, a letter, or `?` a blank's bare face.
        turns: 15 strings of quarter turns, `.` elsewhere; empty for all upright.
        sets: 15 strings of `a` and `b`, which tile set; empty for all `a`.
        cards: ship cards as (row, col, length, down).
        hand: seed of a hand over the board, or None.
    """

    rows: tuple[str, ...]
    turns: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    cards: tuple[tuple[int, int, int, bool], ...] = ()
    hand: int | None = None


@dataclass
class Table:
    """One table with one board and its camera; `seed` decides how everything looks."""

    seed: int
    tilt_deg: float = 16.0
    styles: dict[str, scene.SpriteCabinet] = field(init=False)

    def __post_init__(self) -> None:
        """Draw the board and the tile sets once."""
        rng = np.random.default_rng(self.seed)
        canvas = textures.table_top(rng, CANVAS_PX, CANVAS_PX)
        self.rim = board_art.draw_board(rng, canvas)
        self.base = canvas
        first = glyphs.random_tile_style(rng)
        while True:  # the second set must differ plainly
            second = glyphs.random_tile_style(rng)
            if float(np.abs(np.array(first.body) - np.array(second.body)).sum()) > 0.9:
                break
        self.styles = {
            "a": scene.SpriteCabinet(rng, first, honest=True),
            "b": scene.SpriteCabinet(rng, second, honest=True),
        }
        self.view = camera.random_view(
            np.random.default_rng(self.seed + 5), WIDTH, HEIGHT, 0.72 * HEIGHT, self.tilt_deg
        )
        g = BoardGeometry(self.view, 15, WIDTH, HEIGHT)
        # The first corner to the picture's top left: people mostly look along the columns.
        self.geometry = g.turned(int(np.argmin(g.corners_px.sum(1))))
        self.backdrop = camera.backdrop(np.random.default_rng(self.seed + 9), WIDTH, HEIGHT)

    def photograph(self, shot: Shot, noise_seed: int = 0) -> Picture:
        """The table as its camera sees it: (960, 1280, 3) BGR."""
        canvas = self.base.copy()
        p, n = SQUARE_PX, CANVAS_PX
        squares = [
            (r, c) for r, row in enumerate(shot.rows) for c, ch in enumerate(row) if ch != "."
        ]
        self._cards(canvas, shot)
        cast = np.zeros((n, n), np.float32)
        for r, c in squares:
            x, y = (c + 0.5 + MARGIN) * p, (r + 0.5 + MARGIN) * p
            cv2.rectangle(
                cast,
                (int(x - 0.42 * p), int(y - 0.42 * p)),
                (int(x + 0.56 * p), int(y + 0.56 * p)),
                1.0,
                -1,
            )
        canvas *= 1 - cv2.GaussianBlur(cast, (0, 0), 2.0)[..., None] * 0.4
        for r, c in squares:
            ch = shot.rows[r][c]
            own = np.random.default_rng([self.seed, r, c, ord(ch)])
            which = shot.sets[r][c] if shot.sets else "a"
            turn = int(shot.turns[r][c]) if shot.turns and shot.turns[r][c].isdigit() else 0
            cabinet = self.styles[which]
            at = (
                (c + 0.5 + MARGIN) * p + own.normal(0, 0.02 * p),
                (r + 0.5 + MARGIN) * p + own.normal(0, 0.02 * p),
            )
            scene.paste(
                canvas,
                cabinet.get(ch),
                at,
                90.0 * turn + own.normal(0, 1.2),
                float(p),
                (0.4, -1.6),
                cabinet.style.side,
            )
        flat = (np.clip(canvas, 0, 1) * 255).astype(np.uint8)
        warped, _ = camera.warp_onto(flat, self.geometry)
        x0, y0, x1, y1 = np.array(self.rim) / p - MARGIN
        quad = self.geometry.to_px(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float))
        mask8 = np.zeros((HEIGHT, WIDTH), np.uint8)
        cv2.fillPoly(mask8, [(quad * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        dark = cv2.GaussianBlur(np.roll(mask8, (8, 6), (0, 1)), (0, 0), 7.0)[..., None] / 255
        a = mask8[..., None] / 255
        out = self.backdrop * (1 - dark * 0.45) * (1 - a) + warped * a
        if shot.hand is not None:
            out = self._hand(out, shot.hand)
        yy, xx = np.mgrid[0:HEIGHT, 0:WIDTH]
        out *= (1.04 - 0.22 * (xx / WIDTH * 0.6 + yy / HEIGHT * 0.4))[..., None]
        noise = np.random.default_rng([self.seed, noise_seed]).standard_normal(out.shape) * 2.2
        return np.clip(cv2.GaussianBlur(out, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)

    def _hand(self, picture: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
        """A hand with its arm, reaching in from beyond the board."""
        far, px = 14.0, 20
        n = int((15 + 2 * far) * px)
        for k in range(50):  # skip what is not a hand
            probe = np.random.default_rng([seed, k])
            probe.uniform(0, 1, 2)
            if probe.random() < 0.65:
                break
        mask, colour = scene.cover_mask_at(np.random.default_rng([seed, k]), n, px, (far + 2) * px)
        g = self.geometry
        colour8, mask8 = (colour * 255).astype(np.uint8), (mask * 255).astype(np.uint8)
        warped, _ = camera.warp_onto(colour8, g, float(px), far)
        cover, _ = camera.warp_onto(np.dstack([mask8] * 3), g, float(px), far, cv2.BORDER_CONSTANT)
        dark = (
            cv2.GaussianBlur(np.roll(cover[..., 0], (14, 10), (0, 1)), (0, 0), 9.0)[..., None]
            / 255
        )
        a = cover[..., :1] / 255
        return np.asarray(picture * (1 - 0.4 * dark) * (1 - a) + warped * a)

    def _cards(self, canvas: NDArray[np.float32], shot: Shot) -> None:
        p = SQUARE_PX
        for r, c, length, down in shot.cards:
            w, h = (0.8, length - 0.12) if down else (length - 0.12, 0.8)
            cx, cy = (
                (c + (0.5 if down else length / 2) + MARGIN) * p,
                (r + (length / 2 if down else 0.5) + MARGIN) * p,
            )
            x0, y0, x1, y1 = (
                int(v) for v in (cx - w * p / 2, cy - h * p / 2, cx + w * p / 2, cy + h * p / 2)
            )
            cv2.rectangle(canvas, (x0 + 2, y0 + 2), (x1 + 2, y1 + 2), (0.08, 0.08, 0.08), -1)
            cv2.rectangle(canvas, (x0, y0), (x1, y1), (0.85, 0.82, 0.78), -1)
            cv2.rectangle(canvas, (x0 + 4, y0 + 7), (x1 - 4, y1 - 7), (0.45, 0.38, 0.33), -1)


def main() -> None:
    """Photograph a game."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("game", type=Path)
    a = ap.parse_args()
    game: dict[str, Any] = json.loads(a.game.read_text(encoding="utf-8"))
    table = Table(int(game["picture_seed"]))
    for i, photo in enumerate(game["photos"]):
        show = photo["shows"]
        shot = Shot(
            tuple(show["rows"]),
            tuple(show.get("turns", ())),
            tuple(show.get("sets", ())),
            tuple((int(x[0]), int(x[1]), int(x[2]), bool(x[3])) for x in show.get("cards", ())),
            show.get("hand"),
        )
        picture = table.photograph(shot, i)
        path = a.game.parent / photo["file"]
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 86])
        print(path)


if __name__ == "__main__":
    main()
