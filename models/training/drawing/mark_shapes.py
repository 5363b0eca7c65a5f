"""Pictograms that makers and owners put on blanks, as ink on a square.

A shape is drawn with lines, filled areas or both, in a square from -1 to 1 (x to the right, y
down), and may be squeezed, turned and moved by whoever prints it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Rng = np.random.Generator
DRAWN_PX = 128
"""Side of the square that a shape is drawn on before it is reduced."""
SUBPIXEL_BITS = 4


class Pen:
    """Draws on a square of ink.

    Attributes:
        ink: (DRAWN_PX, DRAWN_PX) uint8, 255 where there is ink.
        width: of lines, in pixels of the drawing.
        solid: whether areas are filled.
    """

    def __init__(self, rng: Rng) -> None:
        self.ink: NDArray[np.uint8] = np.zeros((DRAWN_PX, DRAWN_PX), np.uint8)
        self.width = max(2, round(DRAWN_PX * float(rng.uniform(0.03, 0.11))))
        self.solid = bool(rng.random() < 0.5)

    def _pixels(self, points: Points) -> NDArray[np.int32]:
        scale = (DRAWN_PX / 2) * 0.92
        pixels = (np.asarray(points, np.float64) * scale + DRAWN_PX / 2) * 2**SUBPIXEL_BITS
        return np.round(pixels).astype(np.int32)[:, None]

    def line(self, points: Points, closed: bool = False, ink: int = 255) -> None:
        """A line through points, (n, 2)."""
        pixels = self._pixels(points)
        cv2.polylines(self.ink, [pixels], closed, ink, self.width, cv2.LINE_AA, SUBPIXEL_BITS)

    def fill(self, points: Points, ink: int = 255) -> None:
        """An area within points, (n, 2); with ink 0 a hole."""
        cv2.fillPoly(self.ink, [self._pixels(points)], ink, cv2.LINE_AA, SUBPIXEL_BITS)

    def area(self, points: Points) -> None:
        """An area, filled or as its outline."""
        if self.solid:
            self.fill(points)
        self.line(points, closed=True)

    def dot(self, x: float, y: float, r: float) -> None:
        """A filled spot; a hole where there is ink already."""
        px = self._pixels(np.array([(x, y)]))[0, 0] >> SUBPIXEL_BITS
        inside = (px >= 0).all() and (px < DRAWN_PX).all()
        there = inside and self.ink[px[1], px[0]] > 127
        self.fill(oval(x, y, r, r), 0 if there else 255)


def oval(x: float, y: float, rx: float, ry: float, begin: float = 0, end: float = 360) -> Points:
    """Points on a part of an oval; angles in degrees, clockwise from the right."""
    t = np.deg2rad(np.linspace(begin, end, 40))
    return np.stack([x + rx * np.cos(t), y + ry * np.sin(t)], -1)


def regular(corners: int, turn: float = -90.0, r: float = 0.9) -> Points:
    """Corners of a regular polygon."""
    t = np.deg2rad(turn + np.arange(corners) * 360 / corners)
    return np.stack([r * np.cos(t), r * np.sin(t)], -1)


def points(*pairs: tuple[float, float]) -> Points:
    """Points as they are written."""
    return np.array(pairs, np.float64)


def smiley(rng: Rng, pen: Pen) -> None:
    """A face that laughs, is sad or looks."""
    if rng.random() < 0.8:
        pen.area(oval(0, 0, 0.9, 0.9))
    hole = 0 if pen.ink[DRAWN_PX // 2, DRAWN_PX // 2] > 127 else 255
    for x in (-0.33, 0.33):
        pen.fill(oval(x, -0.25, 0.1, float(rng.uniform(0.08, 0.2))), hole)
    mood = rng.random()
    if mood < 0.6:
        pen.line(oval(0, 0.1, 0.5, 0.4, 15, 165), ink=hole)
    elif mood < 0.8:
        pen.line(oval(0, 0.7, 0.4, 0.35, 200, 340), ink=hole)
    else:
        pen.line(points((-0.4, 0.4), (0.4, 0.4)), ink=hole)


def ring(rng: Rng, pen: Pen) -> None:
    """One or two rings."""
    rx = float(rng.uniform(0.6, 0.9))
    ry = rx * float(rng.uniform(0.8, 1.0))
    pen.line(oval(0, 0, rx, ry), closed=True)
    if rng.random() < 0.4:
        pen.line(oval(0, 0, rx * 0.55, ry * 0.55), closed=True)


def disc(rng: Rng, pen: Pen) -> None:
    """A filled spot."""
    r = float(rng.uniform(0.2, 0.9))
    pen.fill(oval(0, 0, r, r))


def box(rng: Rng, pen: Pen) -> None:
    """A square or oblong, as an outline, one within another or filled."""
    x, y = rng.uniform(0.55, 0.9, 2).tolist()
    frame = points((-x, -y), (x, -y), (x, y), (-x, y))
    pen.area(frame)
    if not pen.solid and rng.random() < 0.3:
        pen.line(frame * 0.6, closed=True)


def polygon(rng: Rng, pen: Pen) -> None:
    """A triangle, rhombus, pentagon or hexagon."""
    pen.area(regular(int(rng.choice([3, 4, 5, 6])), float(rng.choice([-90, 90]))))


def star(rng: Rng, pen: Pen) -> None:
    """A star of four to eight rays."""
    n = int(rng.integers(4, 9))
    r = np.where(np.arange(2 * n) % 2, float(rng.uniform(0.3, 0.6)), 0.95)
    pen.area(regular(2 * n, r=1.0) * r[:, None])


def heart(rng: Rng, pen: Pen) -> None:
    """A heart."""
    t = np.linspace(0, 2 * np.pi, 60)
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    pen.area(np.stack([16 * np.sin(t) ** 3, -y - 2.5], -1) / 17)


def spade(rng: Rng, pen: Pen) -> None:
    """A suit of cards: spade or club."""
    pen.solid = True
    if rng.random() < 0.5:
        t = np.linspace(0, 2 * np.pi, 60)
        y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
        pen.fill(np.stack([15 * np.sin(t) ** 3, y + 1], -1) / 18)
    else:
        for x, y in ((-0.4, 0.15), (0.4, 0.15), (0.0, -0.45)):
            pen.fill(oval(x, y, 0.38, 0.38))
    pen.fill(points((0, 0), (0.35, 0.9), (-0.35, 0.9)))


def flower(rng: Rng, pen: Pen) -> None:
    """Petals around a middle."""
    n = int(rng.integers(4, 9))
    for x, y in regular(n, r=0.55):
        pen.area(oval(x, y, 0.34, 0.34))
    pen.dot(0, 0, 0.25)


def sun(rng: Rng, pen: Pen) -> None:
    """A spot with rays."""
    pen.area(oval(0, 0, 0.42, 0.42))
    for ray in regular(int(rng.integers(6, 13)), r=1.0):
        pen.line(np.stack([ray * 0.6, ray * 0.95]))


def moon(rng: Rng, pen: Pen) -> None:
    """A crescent."""
    side = 1 if rng.random() < 0.5 else -1
    pen.fill(oval(0, 0, 0.85, 0.9))
    pen.fill(oval(0.4 * side, 0, 0.75, 0.8), 0)


def cat(rng: Rng, pen: Pen) -> None:
    """A cat's or bear's head."""
    ears = rng.random() < 0.6
    for side in (-1, 1):
        if ears:
            pen.area(points((0.75 * side, -0.9), (0.75 * side, -0.1), (0.15 * side, -0.5)))
        else:
            pen.area(oval(0.6 * side, -0.55, 0.28, 0.28))
    pen.area(oval(0, 0.15, 0.75, 0.68))
    if rng.random() < 0.8:
        for x in (-0.3, 0.3):
            pen.dot(x, 0.05, 0.1)
        pen.dot(0, 0.35, 0.08)
    if ears and not pen.solid:
        for y in (0.35, 0.5):
            pen.line(points((-0.95, y), (-0.35, 0.42)))
            pen.line(points((0.95, y), (0.35, 0.42)))


def question(rng: Rng, pen: Pen) -> None:
    """A sign that asks or exclaims, drawn by hand."""
    pen.width = round(pen.width * 1.4)
    if rng.random() < 0.7:
        top = oval(0, -0.45, float(rng.uniform(0.35, 0.5)), 0.42, 180, 430)
        pen.line(np.vstack([top, points((0.02, 0.15), (0.0, 0.45))]))
    else:
        pen.line(points((0, -0.9), (0, 0.4)))
    pen.fill(oval(0, 0.8, 0.12, 0.12))


def paw(rng: Rng, pen: Pen) -> None:
    """A paw's print."""
    toe = float(rng.uniform(0.13, 0.2))
    pen.fill(oval(0, 0.35, float(rng.uniform(0.4, 0.55)), 0.42))
    for x, y in ((-0.65, -0.1), (-0.25, -0.55), (0.25, -0.55), (0.65, -0.1)):
        pen.fill(oval(x, y, toe, toe * 1.3))


def house(rng: Rng, pen: Pen) -> None:
    """A house with a roof and a door."""
    pen.area(points((-0.65, 0), (0.65, 0), (0.65, 0.85), (-0.65, 0.85)))
    pen.area(points((-0.9, 0.05), (0, -0.85), (0.9, 0.05)))
    door = points((-0.15, 0.85), (-0.15, 0.35), (0.15, 0.35), (0.15, 0.85))
    pen.fill(door, 0 if pen.solid else 255)


def tree(rng: Rng, pen: Pen) -> None:
    """A tree, round or pointed."""
    pen.fill(points((-0.12, 0.3), (0.12, 0.3), (0.12, 0.95), (-0.12, 0.95)))
    if rng.random() < 0.5:
        pen.area(oval(0, -0.25, 0.6, 0.62))
    else:
        for y in (-0.35, 0.0, 0.4):
            pen.area(points((0, y - 0.55), (0.35 + y * 0.4 + 0.2, y), (-0.55 - y * 0.4, y)))


def cloud(rng: Rng, pen: Pen) -> None:
    """A cloud."""
    wide = float(rng.uniform(0.8, 1.05))
    for x, y, r in ((-0.5, 0.2, 0.36), (0.0, -0.12, 0.48), (0.5, 0.15, 0.4), (0.1, 0.3, 0.38)):
        pen.fill(oval(x * wide, y, r * wide, r))


def bolt(rng: Rng, pen: Pen) -> None:
    """A flash of lightning."""
    pen.area(
        points((0.15, -0.95), (-0.5, 0.15), (-0.02, 0.1), (-0.2, 0.95), (0.5, -0.2), (0, -0.12))
    )


def arrow(rng: Rng, pen: Pen) -> None:
    """An arrow, one way or around."""
    if rng.random() < 0.6:
        pen.line(points((-0.85, 0), (0.8, 0)))
        pen.line(points((0.35, -0.45), (0.85, 0), (0.35, 0.45)))
    else:
        pen.line(oval(0, 0, 0.7, 0.7, 30, 300))
        pen.fill(points((0.6, -0.95), (0.65, -0.3), (0.05, -0.5)))


def cross(rng: Rng, pen: Pen) -> None:
    """A cross or a tick in a frame, or rays that cross."""
    n = int(rng.choice([2, 3, 4]))
    for ray in regular(2 * n, turn=float(rng.choice([0, 45])), r=0.75)[:n]:
        pen.line(np.stack([-ray, ray]))
    if n == 2 or rng.random() < 0.3:
        pen.line(oval(0, 0, 0.9, 0.9), closed=True)


def spiral(rng: Rng, pen: Pen) -> None:
    """A spiral."""
    t = np.linspace(0, 2 * np.pi * float(rng.uniform(1.8, 3.2)), 90)
    r = 0.9 * t / t[-1]
    pen.line(np.stack([r * np.cos(t), r * np.sin(t)], -1))


def eye(rng: Rng, pen: Pen) -> None:
    """An eye."""
    x = np.linspace(-0.95, 0.95, 30)
    lid = 0.55 * np.cos(x / 0.95 * np.pi / 2)
    pen.line(np.vstack([np.stack([x, -lid], -1), np.stack([x[::-1], lid[::-1]], -1)]), closed=True)
    pen.fill(oval(0, 0, 0.3, 0.3))


def waves(rng: Rng, pen: Pen) -> None:
    """Waves or stripes, one under another."""
    high = float(rng.choice([0.0, 0.08, 0.15]))
    n = int(rng.integers(3, 6))
    x = np.linspace(-0.9, 0.9, 50)
    for y in np.linspace(-0.7, 0.7, n):
        pen.line(np.stack([x, y + high * np.sin(x * 8)], -1))


def cells(rng: Rng, pen: Pen) -> None:
    """A pattern of small squares, as a club's or a code's."""
    n = int(rng.integers(2, 7))
    side = 1.7 / n
    for i in range(n):
        for j in range(n):
            if rng.random() < 0.5:
                x, y = -0.85 + i * side, -0.85 + j * side
                w = side * 0.9
                pen.fill(points((x, y), (x + w, y), (x + w, y + w), (x, y + w)))


def crown(rng: Rng, pen: Pen) -> None:
    """A crown."""
    pen.area(
        points((-0.8, 0.6), (-0.9, -0.5), (-0.4, 0), (0, -0.75), (0.4, 0), (0.9, -0.5), (0.8, 0.6))
    )


def leaf(rng: Rng, pen: Pen) -> None:
    """A leaf with its vein, or a feather."""
    y = np.linspace(-0.9, 0.7, 30)
    wide = float(rng.uniform(0.35, 0.6)) * np.sin((y + 0.9) / 1.6 * np.pi)
    pen.area(np.vstack([np.stack([wide, y], -1), np.stack([-wide[::-1], y[::-1]], -1)]))
    pen.line(points((0, -0.6), (0, 0.98)), ink=0 if pen.solid else 255)


def snowflake(rng: Rng, pen: Pen) -> None:
    """Six arms with branches."""
    for ray in regular(6, r=0.9):
        pen.line(np.stack([ray * 0, ray]))
        side = np.array([-ray[1], ray[0]]) * 0.25
        pen.line(np.stack([ray * 0.85 + side, ray * 0.6, ray * 0.85 - side]))


def fish(rng: Rng, pen: Pen) -> None:
    """A fish."""
    pen.area(oval(-0.15, 0, 0.65, 0.4))
    pen.area(points((0.4, 0), (0.9, -0.4), (0.9, 0.4)))
    pen.dot(-0.5, -0.1, 0.08)


def bird(rng: Rng, pen: Pen) -> None:
    """A bird or a duck."""
    pen.area(oval(0.1, 0.25, 0.6, 0.4))
    pen.area(oval(-0.45, -0.35, 0.3, 0.3))
    pen.fill(points((-0.7, -0.4), (-0.95, -0.25), (-0.7, -0.2)))
    pen.fill(points((0.55, 0.2), (0.95, -0.15), (0.7, 0.4)))


def scribble(rng: Rng, pen: Pen) -> None:
    """A line that wanders, as a signature or a child's drawing."""
    n = int(rng.integers(5, 12))
    way = rng.uniform(-0.85, 0.85, (n, 2))
    t = np.linspace(0, n - 1, 12 * n)
    smooth = np.stack([np.interp(t, np.arange(n), way[:, i]) for i in (0, 1)], -1)
    kernel = np.ones(9) / 9
    pen.line(np.stack([np.convolve(smooth[:, i], kernel, "valid") for i in (0, 1)], -1))


def blob(rng: Rng, pen: Pen) -> None:
    """An outline of no name."""
    t = np.linspace(0, 2 * np.pi, 80)
    r = 0.65 + sum(
        float(rng.uniform(0, 0.22)) * np.sin(k * t + float(rng.uniform(0, 6.3))) for k in (2, 3, 5)
    )
    pen.area(np.stack([r * np.cos(t), r * np.sin(t)], -1).clip(-1, 1))
    if rng.random() < 0.4:
        pen.dot(float(rng.uniform(-0.2, 0.2)), float(rng.uniform(-0.2, 0.2)), 0.15)


def strokes(rng: Rng, pen: Pen) -> None:
    """A sign of a few straight strokes and arcs that is no letter."""
    for _ in range(int(rng.integers(3, 7))):
        if rng.random() < 0.6:
            pen.line(rng.uniform(-0.85, 0.85, (2, 2)))
        else:
            x, y, r = (
                float(rng.uniform(*ends)) for ends in ((-0.5, 0.5), (-0.5, 0.5), (0.2, 0.5))
            )
            begin = float(rng.uniform(0, 360))
            pen.line(oval(x, y, r, r, begin, begin + float(rng.uniform(90, 360))))


def dice(rng: Rng, pen: Pen) -> None:
    """Spots in the order of a die, framed or not."""
    n = int(rng.integers(2, 7))
    where = {
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    }[n]
    for x, y in where:
        pen.fill(oval(x * 0.5, y * 0.5, 0.17, 0.17))
    if rng.random() < 0.5:
        pen.line(points((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)), closed=True)


def chain(rng: Rng, pen: Pen) -> None:
    """A frame round the whole face with something plain in it."""
    corners = regular(4, turn=-45, r=1.25)
    for a, b in pairwise([*corners, corners[0]]):
        pen.line(np.stack([a, b]))
    SHAPES[str(rng.choice(["star", "heart", "disc", "polygon", "cells"]))](rng, pen)


SHAPES: dict[str, Callable[[Rng, Pen], None]] = {
    f.__name__: f
    for f in (
        smiley, ring, disc, box, polygon, star, heart, spade, flower, sun, moon, cat, question,
        paw, house, tree, cloud, bolt, arrow, cross, spiral, eye, waves, cells, crown, leaf,
        snowflake, fish, bird, scribble, blob, strokes, dice, chain,
    )
}  # fmt: skip
HELD_OUT = ("crown", "fish", "tree")
"""Shapes that are never trained on; they show how marks are read that no picture has shown."""
LIKE_LETTERS = ("ring",)
"""Shapes that are letters in a set without numerals: O."""
TRAINED = tuple(name for name in SHAPES if name not in HELD_OUT)


def shape(rng: Rng, name: str) -> NDArray[np.float32]:
    """Ink (DRAWN_PX, DRAWN_PX) in 0..1 of a shape, each time drawn another way.

    Args:
        rng: chance.
        name: one of `SHAPES`.
    """
    pen = Pen(rng)
    SHAPES[name](rng, pen)
    return pen.ink.astype(np.float32) / 255
