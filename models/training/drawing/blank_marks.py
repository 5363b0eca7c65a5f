"""What makers, clubs and owners put on blanks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from string import ascii_uppercase

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from kibitz.models.training.drawing import icons, mark_shapes, textures
from kibitz.models.training.drawing.typefaces import load_font

PICTOGRAMS, SMALL_PRINT = 0.66, 0.84
"""Below the first a mark is a pictogram, below the second small print, else a patch."""
ICONS = 0.75
"""So many of the pictograms of sets with icons are icons."""

Array = NDArray[np.float32]
Colour = tuple[float, float, float]


def blank_mark(
    rng: np.random.Generator,
    face: Array,
    usual: Colour,
    font: Path | None,
    *,
    numerals: bool = True,
    shape: str = "",
    signs: icons.Part | None = None,
) -> Array:
    """What makers and owners print on blanks: a pictogram, small print, a patch.

    Args:
        rng: chance.
        face: (h, w, 3) BGR, 0..1, of the bare tile.
        usual: BGR of the set's ink.
        font: of the set.
        numerals: whether the set's letters have numerals; without them a ring is an O.
        shape: one of `mark_shapes.SHAPES` for that pictogram; any mark if empty.
        signs: pictograms may also be such signs of `icons`, where told.

    Returns:
        The face with its mark.
    """
    h, w = face.shape[:2]
    face = np.ascontiguousarray(face)
    ink = usual if rng.random() < 0.6 else tuple(map(float, textures.random_colour(rng)))
    kind = rng.random()
    if shape or kind < PICTOGRAMS:
        names = [
            name
            for name in mark_shapes.TRAINED
            if numerals or name not in mark_shapes.LIKE_LETTERS
        ]
        if signs is not None and rng.random() < ICONS:
            print_pictogram(rng, face, ink, partial(icons.icon, part=signs))
        else:
            name = shape or str(rng.choice(names))
            print_pictogram(rng, face, ink, partial(mark_shapes.shape, name=name))
    elif kind < SMALL_PRINT:  # a club's name or the maker's, in small letters
        _small_print(rng, face, ink, font)
    else:  # a patch of another colour, often a white sticker that leaves a rim
        x0, y0 = w * rng.uniform(0.08, 0.3), h * rng.uniform(0.08, 0.3)
        x1, y1 = w * rng.uniform(0.6, 0.92), h * rng.uniform(0.6, 0.92)
        if rng.random() < 0.5:
            rim = rng.uniform(0.06, 0.2)
            x0, y0, x1, y1 = w * rim, h * rim, w * (1 - rim), h * (1 - rim)
            ink = tuple(map(float, textures.hsv(0.12, rng.uniform(0, 0.1), rng.uniform(0.8, 1))))
        cv2.rectangle(face, (int(x0), int(y0)), (int(x1), int(y1)), ink, -1)
    return face


def print_pictogram(
    rng: np.random.Generator,
    face: Array,
    ink: Colour,
    draw: Callable[[np.random.Generator], Array],
) -> None:
    """One shape, sometimes in two colours, anywhere near the middle, a little turned.

    Args:
        rng: chance.
        face: (h, w, 3) BGR, 0..1, of a bare tile, which is changed.
        ink: BGR.
        draw: draws the shape, (DRAWN_PX, DRAWN_PX) ink in 0..1.
    """
    h, w = face.shape[:2]
    side = w * float(rng.uniform(0.35, 0.85))
    turn = float(rng.normal(0, 8) if rng.random() < 0.8 else rng.uniform(0, 360))
    matrix = cv2.getRotationMatrix2D((mark_shapes.DRAWN_PX / 2,) * 2, turn, 1.0)
    scale = side / mark_shapes.DRAWN_PX
    squeeze = np.array([scale, scale * float(rng.uniform(0.85, 1.15))])
    matrix *= squeeze[:, None]
    middle = np.array([w, h]) * (0.5 + rng.normal(0, 0.04, 2))
    matrix[:, 2] += middle - squeeze * mark_shapes.DRAWN_PX / 2
    shapes = [draw(rng)]
    if rng.random() < 0.15:  # a ground of another colour behind it
        shapes.insert(0, mark_shapes.shape(rng, "disc"))
    for i, drawn in enumerate(shapes):
        soft = cv2.GaussianBlur(drawn, (0, 0), max(0.3, 0.4 / scale))
        strength = cv2.warpAffine(soft, matrix, (w, h), flags=cv2.INTER_LINEAR)[..., None]
        strength = strength * float(rng.uniform(0.7, 1.0))
        colour = ink if i == len(shapes) - 1 else tuple(map(float, textures.random_colour(rng)))
        face[:] = face * (1 - strength) + np.array(colour, np.float32) * strength


def _small_print(rng: np.random.Generator, face: Array, ink: Colour, path: Path | None) -> None:
    """A few small letters on a blank: in a row or two, in a column, or round a corner."""
    if path is None:
        return
    h, w = face.shape[:2]
    count = int(rng.integers(3, 8))
    letters = [str(x) for x in rng.choice(list(ascii_uppercase), count)]
    layout = str(rng.choice(["row", "rows", "column", "corner"]))
    first = -(-count // 2) if layout in ("rows", "corner") else 1 if layout == "column" else count
    across = max(first, count - first if layout == "rows" else 1)
    down = {"row": 1, "rows": 2, "column": count, "corner": count - first + 1}[layout]
    cell = float(rng.uniform(0.6, 0.92)) * min(w / across, h / down, 0.36 * w)
    font = load_font(path, max(5, int(cell * 0.95)))
    mask = Image.new("L", (w, h), 0)
    draw = ImageDraw.Draw(mask)
    x0 = (w - across * cell) * float(rng.uniform(0.2, 0.8))
    y0 = (h - down * cell) * float(rng.uniform(0.2, 0.8))
    for i, letter in enumerate(letters):
        column, row = i, 0
        if layout == "rows":
            column, row = i % first, i // first
        elif layout == "column":
            column, row = 0, i
        elif layout == "corner" and i >= first:
            column, row = first - 1, i - first + 1
        draw.text((x0 + column * cell, y0 + row * cell), letter, fill=255, font=font)
    strength = np.asarray(mask, np.float32)[..., None] / 255
    face[:] = face * (1 - strength) + np.array(ink, np.float32) * strength
