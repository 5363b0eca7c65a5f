"""Tables that a game is photographed on: one board, nine joined boards; a fixed camera over each."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry
from kibitz.engine.table import JOINED_SIDE, SIDE, Square
from kibitz.models.training.drawing import board_art, camera, covers, glyphs, scene, textures
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX
from tests.filming.story import BoardShot

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]
PANEL_SHIFT = 0.03
"""How far (squares) each of nine joined boards lies from where it should."""


@dataclass(frozen=True)
class View:
    """How a game's pictures are taken; `seed` decides how everything looks."""

    seed: int
    width: int = 1280
    height: int = 960
    quality: int = 86
    tilt_deg: float = 16.0


def straight_view(view: View, size: int, board_px: float) -> BoardGeometry:
    """A camera with the whole board in view and row A near the top: people look along the columns."""
    best: tuple[float, BoardGeometry] | None = None
    for number in range(60):
        rng = np.random.default_rng([view.seed, 5, number])
        h = camera.random_view(rng, view.width, view.height, board_px, view.tilt_deg, size)
        g = BoardGeometry(h, size, view.width, view.height)
        g = g.turned(int(np.argmin(g.corners_px.sum(1))))
        c = g.corners_px
        top = c[1] - c[0]
        aslant = float(abs(np.degrees(np.arctan2(top[1], top[0])) - 4.0))
        out = float(np.maximum(0, -c).sum() + np.maximum(0, c - (view.width, view.height)).sum())
        if best is None or aslant + out < best[0]:
            best = aslant + out, g
    assert best is not None
    return best[1]


def two_styles(rng: np.random.Generator) -> dict[str, scene.SpriteCabinet]:
    """Two tile sets of plainly different colours."""
    first = glyphs.random_tile_style(rng)
    while True:
        second = glyphs.random_tile_style(rng)
        if float(np.abs(np.array(first.body) - np.array(second.body)).sum()) > 0.9:
            break
    return {
        "a": scene.SpriteCabinet(rng, first, honest=True),
        "b": scene.SpriteCabinet(rng, second, honest=True),
    }


def finish(picture: NDArray[np.float64], seed: int, noise_seed: int) -> Picture:
    """Light that falls off, the lens, the sensor."""
    h, w = picture.shape[:2]
    yy, xx = np.mgrid[0:h, 0:w]
    out = picture * (1.04 - 0.22 * (xx / w * 0.6 + yy / h * 0.4))[..., None]
    noise = np.random.default_rng([seed, noise_seed]).standard_normal(out.shape) * 2.2
    return np.clip(cv2.GaussianBlur(out, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def is_hand_seed(seed: int, number: int) -> bool:
    """Whether `covers.cover_mask_at` draws a hand for this seed, and not some object."""
    probe = np.random.default_rng([seed, number])
    probe.uniform(0, 1, 2)
    return bool(probe.random() < 0.65)


def hand_rng(seed: int) -> np.random.Generator:
    """Chance that makes a hand."""
    number = next(k for k in range(50) if is_hand_seed(seed, k))
    return np.random.default_rng([seed, number])


@dataclass
class BoardTable:
    """One board of `size` squares; 45 are nine boards laid against one another."""

    view: View
    size: int = 15
    styles: dict[str, scene.SpriteCabinet] = field(init=False)

    def __post_init__(self) -> None:
        """Draw the board and the tile sets once."""
        v = self.view
        rng = np.random.default_rng(v.seed)
        joined = self.size == JOINED_SIDE
        self.base, self.rim = nine_boards(rng) if joined else one_board(rng, self.size)
        self.styles = two_styles(rng)
        board_px = (0.86 if joined else 0.72) * v.height
        self.geometry = straight_view(v, self.size, board_px)
        self.backdrop = camera.backdrop(np.random.default_rng(v.seed + 9), v.width, v.height)

    def photograph(self, shot: BoardShot, noise_seed: int = 0) -> Picture:
        """The table as its camera sees it: (height, width, 3) BGR."""
        warped, _ = camera.warp_onto(self.flat(shot), self.geometry)
        out = self._onto_backdrop(warped)
        if shot.hand is not None:
            out = self._hand(out, shot.hand)
        return finish(out, self.view.seed, noise_seed)

    def flat(self, shot: BoardShot) -> Picture:
        """The board with its tiles, seen from straight above."""
        canvas = self.base.copy()
        for card in shot.cards:
            draw_card(canvas, card)
        self._lay_tiles(canvas, shot)
        return (np.clip(canvas, 0, 1) * 255).astype(np.uint8)

    def aim_at(self, panel: int, width: int, height: int, share: float, tilt_deg: float) -> None:
        """Move the camera over one of nine joined boards, which then fills that share."""
        row, col = divmod(panel - 1, 3)
        view = View(self.view.seed + panel, width, height, self.view.quality, tilt_deg)
        one = straight_view(view, 15, share * height)
        to_panel = np.array([[1, 0, -15 * col], [0, 1, -15 * row], [0, 0, 1.0]])
        self.geometry = BoardGeometry(one.homography @ to_panel, self.size, width, height)
        self.view = View(self.view.seed, width, height, self.view.quality, tilt_deg)
        self.backdrop = camera.backdrop(np.random.default_rng(view.seed), width, height)

    def _lay_tiles(self, canvas: Array, shot: BoardShot) -> None:
        p = SQUARE_PX
        cast = np.zeros(canvas.shape[:2], np.float32)
        squares = sorted(shot.tiles)
        for r, c in squares:
            x, y = (c + 0.5 + MARGIN) * p, (r + 0.5 + MARGIN) * p
            low, high = (
                (int(x - 0.42 * p), int(y - 0.42 * p)),
                (int(x + 0.56 * p), int(y + 0.56 * p)),
            )
            cv2.rectangle(cast, low, high, 1.0, -1)
        canvas *= 1 - cv2.GaussianBlur(cast, (0, 0), 2.0)[..., None] * 0.4
        for square in squares:
            tile = shot.tiles[square]
            own = np.random.default_rng([self.view.seed, *square, ord(tile.char)])
            cabinet = self.styles[tile.which]
            at = (
                (square.col + 0.5 + MARGIN + tile.nudge[0]) * p + own.normal(0, 0.02 * p),
                (square.row + 0.5 + MARGIN + tile.nudge[1]) * p + own.normal(0, 0.02 * p),
            )
            angle = 90.0 * tile.turn + own.normal(0, 1.2) + tile.nudge[2]
            face = cabinet.get(tile.char)
            scene.paste(canvas, face, at, angle, float(p), (0.4, -1.6), cabinet.style.side)

    def _onto_backdrop(self, warped: Picture) -> NDArray[np.float64]:
        x0, y0, x1, y1 = np.array(self.rim) / SQUARE_PX - MARGIN
        quad = self.geometry.to_px(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float))
        mask8 = np.zeros((self.view.height, self.view.width), np.uint8)
        cv2.fillPoly(mask8, [(quad * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        dark = cv2.GaussianBlur(np.roll(mask8, (8, 6), (0, 1)), (0, 0), 7.0)[..., None] / 255
        a = mask8[..., None] / 255
        return np.asarray(self.backdrop * (1 - dark * 0.45) * (1 - a) + warped * a)

    def _hand(self, picture: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
        mask, colour = hand_over_board(self.size, seed)
        g, px = self.geometry, float(HAND_PX)
        colour8, mask8 = (colour * 255).astype(np.uint8), (mask * 255).astype(np.uint8)
        edge = cv2.BORDER_CONSTANT
        warped, _ = camera.warp_onto(colour8, g, px, HAND_MARGIN)
        cover, _ = camera.warp_onto(np.dstack([mask8] * 3), g, px, HAND_MARGIN, edge)
        shade = cv2.GaussianBlur(np.roll(cover[..., 0], (14, 10), (0, 1)), (0, 0), 9.0)
        a = cover[..., :1] / 255
        return np.asarray(picture * (1 - 0.4 * shade[..., None] / 255) * (1 - a) + warped * a)


HAND_MARGIN, HAND_PX = 14.0, 20
"""Squares beyond the board, and pixels a square, of the plane that a hand is drawn in."""


def hand_over_board(size: int, seed: int) -> tuple[Array, Array]:
    """A hand with its arm, reaching in from beyond the board: coverage and colour."""
    n = int((size + 2 * HAND_MARGIN) * HAND_PX)
    return covers.cover_mask_at(hand_rng(seed), n, HAND_PX, (HAND_MARGIN + 2) * HAND_PX)


def hidden_squares(size: int, seed: int) -> list[Square]:
    """The squares that a hand hides."""
    mask, _ = hand_over_board(size, seed)
    low, side = int(HAND_MARGIN * HAND_PX), size * HAND_PX
    share = cv2.resize(
        mask[low : low + side, low : low + side], (size, size), interpolation=cv2.INTER_AREA
    )
    return [Square(int(r), int(c)) for r, c in np.argwhere(share > 0.45)]


def one_board(
    rng: np.random.Generator, squares: int = SIDE
) -> tuple[Array, tuple[int, int, int, int]]:
    """A board on a table seen from straight above, and where its rim ends."""
    side = board_art.canvas_px(squares)
    canvas = textures.table_top(rng, side, side)
    return canvas, board_art.draw_board(rng, canvas, squares)


def nine_boards(rng: np.random.Generator) -> tuple[Array, tuple[int, int, int, int]]:
    """Nine boards of different makers without rims, not quite in line (FS-A12)."""
    p, side, low = SQUARE_PX, 15 * SQUARE_PX, int(MARGIN * SQUARE_PX)
    n = 3 * side + 2 * low
    canvas = textures.table_top(rng, n, n)
    for k in range(9):
        board, _ = one_board(rng)
        dx, dy = rng.normal(0, PANEL_SHIFT * p, 2).round().astype(int)
        x, y = low + (k % 3) * side + dx, low + (k // 3) * side + dy
        canvas[y : y + side, x : x + side] = board[low : low + side, low : low + side]
    edge = int(0.2 * p)
    return canvas, (low - edge, low - edge, n - low + edge, n - low + edge)


def draw_card(canvas: Array, card: tuple[Square, Square]) -> None:
    """A ship card: a pale strip with a hull on it that narrows at both ends."""
    p, (first, last) = SQUARE_PX, card
    x0, y0 = (first.col + MARGIN + 0.08) * p, (first.row + MARGIN + 0.08) * p
    x1, y1 = (last.col + MARGIN + 0.92) * p, (last.row + MARGIN + 0.92) * p
    a, b = (int(x0), int(y0)), (int(x1), int(y1))
    cv2.rectangle(canvas, (a[0] + 2, a[1] + 2), (b[0] + 2, b[1] + 2), (0.08, 0.08, 0.08), -1)
    cv2.rectangle(canvas, a, b, (0.85, 0.82, 0.78), -1)
    wide = min(b[0] - a[0], b[1] - a[1]) - 14  # a line's ends are round
    bow, beside = 4 + wide // 2, 7 + wide // 2
    dx, dy = (bow, beside) if first.row == last.row else (beside, bow)
    cv2.line(canvas, (a[0] + dx, a[1] + dy), (b[0] - dx, b[1] - dy), (0.45, 0.38, 0.33), wide)
