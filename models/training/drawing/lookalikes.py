"""Things that are square-ruled and no word-game board, for the finder to leave alone.

Chess and draughts boards, crosswords filled in or not, word searches, sudokus, keyboards,
calendars, printed tables, go boards, cutting mats and tiled floors.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from kibitz.models.training.drawing import textures, typefaces
from kibitz.models.training.drawing.board_art import CANVAS_PX

Picture = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[int, int, int]
SIDE = CANVAS_PX // 2
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "123456789"


def _whole(values: NDArray[np.floating]) -> Colour:
    b, g, r = np.clip(values, 0, 255).astype(int).tolist()
    return b, g, r


def _colour(rng: Rng) -> Colour:
    return _whole(textures.random_colour(rng) * 255)


def _grey(rng: Rng, low: float, high: float) -> Colour:
    v = rng.uniform(low, high) * 255
    return _whole(v + rng.uniform(-12, 12, 3))


class _Sheet:
    """A square sheet to draw on, with a grid of cells inside a margin."""

    def __init__(self, rng: Rng, paper: Colour, cols: int, rows: int) -> None:
        self.image = Image.new("RGB", (SIDE, SIDE), paper)
        self.draw = ImageDraw.Draw(self.image)
        self.cols, self.rows = cols, rows
        left, top = rng.uniform(0.01, 0.14, 2) * SIDE
        self.x0, self.y0 = float(left), float(top)
        self.w = (SIDE - left - rng.uniform(0.01, 0.14) * SIDE) / cols
        self.h = (SIDE - top - rng.uniform(0.01, 0.14) * SIDE) / rows
        family = str(rng.choice(typefaces.scene_fonts()))
        path = typefaces.font_for(family, "A")
        assert path is not None
        self.path = path

    def square(self) -> None:
        """Make the cells square."""
        self.w = self.h = min(self.w, self.h)

    def box(self, r: int, c: int, inset: float = 0.0) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of a cell."""
        x, y = self.x0 + c * self.w, self.y0 + r * self.h
        dx, dy = inset * self.w, inset * self.h
        return x + dx, y + dy, x + self.w - dx, y + self.h - dy

    def text(
        self, r: int, c: int, text: str, ink: Colour, part: float, corner: bool = False
    ) -> None:
        """Write into a cell, in its middle or its top left corner."""
        font = typefaces.load_font(self.path, max(4, int(part * min(self.w * 1.6, self.h))))
        x, y, right, bottom = self.box(r, c)
        if corner:
            self.draw.text((x + 0.06 * self.w, y + 0.02 * self.h), text, fill=ink, font=font)
        else:
            self.draw.text(
                ((x + right) / 2, (y + bottom) / 2), text, fill=ink, font=font, anchor="mm"
            )

    def lines(self, ink: Colour, width: int, every: int = 1) -> None:
        """Rule the grid."""
        right, bottom = self.x0 + self.cols * self.w, self.y0 + self.rows * self.h
        for i in range(0, self.cols + 1, every):
            x = self.x0 + i * self.w
            self.draw.line((x, self.y0, x, bottom), fill=ink, width=width)
        for i in range(0, self.rows + 1, every):
            y = self.y0 + i * self.h
            self.draw.line((self.x0, y, right, y), fill=ink, width=width)

    def picture(self) -> Picture:
        """The sheet, (SIDE, SIDE, 3)."""
        return np.asarray(self.image, np.uint8).copy()


def _chess(rng: Rng) -> Picture:
    n = int(rng.choice([8, 8, 8, 10]))
    s = _Sheet(rng, _colour(rng), n, n)
    s.square()
    dark, light = _colour(rng), _grey(rng, 0.6, 1.0) if rng.random() < 0.6 else _colour(rng)
    men = (_grey(rng, 0.02, 0.35), _grey(rng, 0.65, 1.0))
    full = rng.random() * 0.6
    for r in range(n):
        for c in range(n):
            s.draw.rectangle(s.box(r, c), fill=dark if (r + c) % 2 else light)
            if rng.random() < full:
                s.draw.ellipse(s.box(r, c, rng.uniform(0.08, 0.3)), fill=men[int(rng.integers(2))])
    if rng.random() < 0.4:
        for i in range(n):
            s.text(i, -1, DIGITS[i % 9], _grey(rng, 0, 0.3), 0.4)
    return s.picture()


def _crossword(rng: Rng) -> Picture:
    n = int(rng.choice([9, 11, 13, 15, 15, 15, 17, 19, 21]))
    paper = _grey(rng, 0.75, 1.0) if rng.random() < 0.8 else _colour(rng)
    s = _Sheet(rng, paper, n, n if rng.random() < 0.8 else int(rng.integers(7, 22)))
    s.square()
    black = rng.random((s.rows, s.cols)) < rng.uniform(0.1, 0.4)
    black |= black[::-1, ::-1]  # as puzzles are: the same upside down
    shut = _grey(rng, 0.0, 0.3) if rng.random() < 0.8 else _colour(rng)
    ink, pen = _grey(rng, 0.0, 0.3), _grey(rng, 0, 0.4) if rng.random() < 0.6 else _colour(rng)
    open_ = paper if rng.random() < 0.6 else _grey(rng, 0.85, 1.0)
    filled, numbered = rng.choice([0.0, 0.3, 1.0]) * rng.random(), rng.random() < 0.7
    for r in range(s.rows):
        for c in range(s.cols):
            s.draw.rectangle(s.box(r, c), fill=shut if black[r, c] else open_)
            if black[r, c]:
                continue
            if numbered and rng.random() < 0.35:
                s.text(r, c, str(int(rng.integers(1, 70))), ink, 0.3, corner=True)
            if rng.random() < filled:
                s.text(r, c, LETTERS[int(rng.integers(26))], pen, 0.65)
    s.lines(ink, int(rng.integers(1, 3)))
    return s.picture()


def _word_search(rng: Rng) -> Picture:
    n = int(rng.integers(8, 22))
    s = _Sheet(rng, _grey(rng, 0.7, 1.0) if rng.random() < 0.7 else _colour(rng), n, n)
    ink = _grey(rng, 0, 0.3) if rng.random() < 0.7 else _colour(rng)
    part, share = rng.uniform(0.35, 0.75), rng.uniform(0.6, 1.0)
    for r in range(n):
        for c in range(n):
            if rng.random() < share:
                s.text(r, c, LETTERS[int(rng.integers(26))], ink, part)
    if rng.random() < 0.4:
        s.lines(ink, 1)
    return s.picture()


def _sudoku(rng: Rng) -> Picture:
    s = _Sheet(rng, _grey(rng, 0.7, 1.0), 9, 9)
    s.square()
    ink, share = _grey(rng, 0, 0.3), rng.uniform(0.2, 1.0)
    for r in range(9):
        for c in range(9):
            if rng.random() < share:
                s.text(r, c, DIGITS[int(rng.integers(9))], ink, 0.6)
    s.lines(ink, 1)
    s.lines(ink, 3, every=3)
    return s.picture()


def _keyboard(rng: Rng) -> Picture:
    cols, rows = int(rng.integers(12, 18)), int(rng.integers(4, 7))
    s = _Sheet(rng, _grey(rng, 0, 0.8), cols, rows)
    s.square()
    s.y0 = float(rng.uniform(0.1, 0.9) * (SIDE - rows * s.h))
    key = _grey(rng, 0, 1.0)
    ink = _grey(rng, 0.7, 1.0) if sum(key) < 380 else _grey(rng, 0, 0.3)
    left = s.x0
    for r in range(rows):
        s.x0 = left + (r % 4) * 0.25 * s.w
        c = 0
        while c < cols - 1:
            wide = 1 if rng.random() < 0.93 else int(rng.integers(2, 6))
            x, y, _, bottom = s.box(r, c, 0.06)
            right = s.box(r, min(c + wide, cols) - 1, 0.06)[2]
            s.draw.rounded_rectangle((x, y, right, bottom), 0.12 * s.h, fill=key)
            if wide == 1:
                s.text(r, c, LETTERS[int(rng.integers(26))], ink, rng.uniform(0.3, 0.5))
            c += wide
    return s.picture()


def _calendar(rng: Rng) -> Picture:
    cols, rows = (
        (7, int(rng.integers(5, 8)))
        if rng.random() < 0.5
        else tuple(int(v) for v in rng.integers(4, 16, 2))
    )
    s = _Sheet(rng, _grey(rng, 0.75, 1.0), cols, rows)
    ink, head = _grey(rng, 0, 0.4), _colour(rng)
    for r in range(rows):
        for c in range(cols):
            if r == 0 or rng.random() < 0.08:
                s.draw.rectangle(s.box(r, c), fill=head)
            number = str(int(rng.integers(1, 1000)))
            s.text(r, c, number, ink, rng.uniform(0.25, 0.4), corner=rng.random() < 0.5)
    if rng.random() < 0.8:
        s.lines(ink, int(rng.integers(1, 3)))
    return s.picture()


def _go(rng: Rng) -> Picture:
    n = int(rng.choice([8, 12, 18]))
    s = _Sheet(rng, _colour(rng), n, n)
    s.square()
    s.lines(_grey(rng, 0, 0.3), 1)
    stones = (_grey(rng, 0, 0.15), _grey(rng, 0.85, 1.0))
    full = rng.random() * 0.7
    for r in range(n + 1):
        for c in range(n + 1):
            if rng.random() < full:
                x, y = s.x0 + c * s.w, s.y0 + r * s.h
                q = 0.46 * s.w
                s.draw.ellipse((x - q, y - q, x + q, y + q), fill=stones[int(rng.integers(2))])
    return s.picture()


def _ruled(rng: Rng) -> Picture:
    """Cutting mats, squared paper, tiled floors, windows."""
    cols = int(rng.integers(4, 31))
    s = _Sheet(rng, _colour(rng), cols, cols)
    if rng.random() < 0.7:
        s.square()
    if rng.random() < 0.4:
        base = np.array(_colour(rng), float)
        for r in range(s.rows):
            for c in range(cols):
                s.draw.rectangle(s.box(r, c), fill=_whole(base * rng.uniform(0.85, 1.15)))
    s.lines(_colour(rng), int(rng.integers(1, 5)))
    if rng.random() < 0.4:
        s.lines(_colour(rng), int(rng.integers(2, 5)), every=int(rng.integers(2, 6)))
    return s.picture()


_KINDS: tuple[tuple[Callable[[Rng], Picture], float], ...] = (
    (_chess, 0.18),
    (_crossword, 0.3),
    (_word_search, 0.1),
    (_sudoku, 0.07),
    (_keyboard, 0.1),
    (_calendar, 0.09),
    (_go, 0.06),
    (_ruled, 0.1),
)


def grid_lookalike(rng: Rng) -> Picture:
    """Something square-ruled that is no word-game board, (CANVAS_PX / 2, CANVAS_PX / 2, 3)."""
    shares = [share for _, share in _KINDS]
    draw = _KINDS[int(rng.choice(len(_KINDS), p=shares))][0]
    out = draw(rng)
    return np.asarray(np.rot90(out, int(rng.integers(4))) if rng.random() < 0.3 else out)


def looked_at(rng: Rng, picture: Picture, px: int) -> Picture:
    """A lookalike cut out and straightened as a finder that took it for a board would have it.

    Args:
        rng: chance.
        picture: the lookalike, or any picture.
        px: side of the result.
    """
    n = picture.shape[0]
    # From a part of it to it and as much again round it, a little askew.
    reach = rng.uniform(0.35, 0.75) * n
    middle = n / 2 + rng.uniform(-0.12, 0.12, 2) * n
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * reach + middle
    corners += rng.normal(0, 0.02 * n, (4, 2))
    to = np.array([(0, 0), (px, 0), (px, px), (0, px)], np.float32)
    m = cv2.getPerspectiveTransform(corners.astype(np.float32), to)
    table = textures.table_top(rng, px, px) * 255
    out = np.clip(table, 0, 255).astype(np.uint8)
    return np.asarray(
        cv2.warpPerspective(
            picture, m, (px, px), out, cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
        )
    )
