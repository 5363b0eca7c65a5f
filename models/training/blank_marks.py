"""What makers, clubs and owners put on blanks."""

from __future__ import annotations

from pathlib import Path
from string import ascii_uppercase

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from kibitz.models.training import textures
from kibitz.models.training.typefaces import load_font

Array = NDArray[np.float32]
Colour = tuple[float, float, float]


def blank_mark(rng: np.random.Generator, face: Array, usual: Colour, font: Path | None) -> Array:
    """What makers print on blanks: a dot, a star, a patch, a club's sign."""
    h, w = face.shape[:2]
    face = np.ascontiguousarray(face)
    ink = usual if rng.random() < 0.6 else tuple(map(float, textures.random_colour(rng)))
    kind = rng.random()
    if kind < 0.25:
        # Never a ring or a single stroke: a lone O or I without numeral would be one too.
        cv2.circle(
            face, (w // 2, h // 2), max(2, int(w * rng.uniform(0.06, 0.25))), ink, -1, cv2.LINE_AA
        )
    elif kind < 0.45:  # a club's name or the maker's, in small letters
        _small_print(rng, face, ink, font)
    elif kind < 0.6:  # a pattern of small cells, as a club's sign
        n = int(rng.integers(2, 5))
        x0, y0, cell = (
            w * rng.uniform(0.15, 0.35),
            h * rng.uniform(0.1, 0.35),
            w * rng.uniform(0.1, 0.2),
        )
        for i in range(n):
            for j in range(n):
                if rng.random() < 0.5:
                    p = (int(x0 + i * cell), int(y0 + j * cell))
                    cv2.rectangle(
                        face, p, (int(p[0] + cell * 0.85), int(p[1] + cell * 0.85)), ink, -1
                    )
    elif kind < 0.85:  # a patch of another colour, often a white sticker that leaves a rim
        x0, y0 = w * rng.uniform(0.08, 0.3), h * rng.uniform(0.08, 0.3)
        x1, y1 = w * rng.uniform(0.6, 0.92), h * rng.uniform(0.6, 0.92)
        if rng.random() < 0.5:
            rim = rng.uniform(0.06, 0.2)
            x0, y0, x1, y1 = w * rim, h * rim, w * (1 - rim), h * (1 - rim)
            ink = tuple(map(float, textures.hsv(0.12, rng.uniform(0, 0.1), rng.uniform(0.8, 1))))
        cv2.rectangle(face, (int(x0), int(y0)), (int(x1), int(y1)), ink, -1)
    else:
        turn = rng.uniform(0, np.pi)
        pts = [
            (
                w / 2 + w * (0.3 if k % 2 else 0.13) * np.cos(turn + k * np.pi / 5),
                h / 2 + w * (0.3 if k % 2 else 0.13) * np.sin(turn + k * np.pi / 5),
            )
            for k in range(10)
        ]
        cv2.fillPoly(face, [np.array(pts, np.int32)], ink, cv2.LINE_AA)
    return face


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
