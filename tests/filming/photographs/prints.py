"""What is printed, woven or grown on the things of a photographed table, as flat pictures.

All pictures are RGB, 8 bits; a square of a board is `PRINT_PX` pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from kibitz.models.training.drawing import typefaces
from kibitz.models.training.drawing.board_art import standard_premiums
from kibitz.models.training.drawing.textures import noise

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]
Colour = tuple[int, int, int]

PRINT_PX = 96
TILE_PX = 256
ATLAS_COLUMNS = 6
FACES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ? "
"""Faces of a tile set in the order of its atlas; `?` is a blank's face, the space a tile's back."""
WORDS = {"W": "TRIPLE|WORD", "w": "DOUBLE|WORD", "L": "TRIPLE|LETTER", "l": "DOUBLE|LETTER"}


@dataclass(frozen=True)
class BoardDesign:
    """How a board is printed; `premiums` are the colours of `W`, `w`, `L`, `l`."""

    field: Colour
    line: Colour
    premiums: tuple[Colour, Colour, Colour, Colour]
    rim: Colour
    ink: Colour
    family: str = "barlow-700"
    coordinates: bool = True
    line_px: int = 5


def wood(
    rng: np.random.Generator,
    side_px: int,
    square_px: float,
    light: Colour,
    dark: Colour,
    plank_squares: float,
) -> Picture:
    """Planks of sawn wood side by side, their grain running along the rows."""
    out = np.zeros((side_px, side_px, 3), np.float32)
    plank = max(8, int(plank_squares * square_px))
    low, high = np.array(dark, np.float32), np.array(light, np.float32)
    for top in range(0, side_px, plank):
        h = min(plank, side_px - top)
        share = 1 - _grain(rng, h, side_px, square_px)
        tint = 1 + rng.normal(0, 0.045)
        out[top : top + h] = (low + (high - low) * share[..., None]) * tint
        if plank_squares < 90:
            joint = max(1, int(square_px * 0.05))
            out[top : top + joint] *= 0.45
            out[top + joint : top + 2 * joint] *= 0.8
    return np.clip(out, 0, 255).astype(np.uint8)


def _grain(rng: np.random.Generator, h: int, w: int, square_px: float) -> Field:
    """How dark the wood is, 0 to 1: rings cut lengthwise, streaks, pores."""
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / square_px
    off = rng.uniform(-2, 8)
    bend = noise(rng, h, w, 5 * square_px, 22 * square_px) * 0.9
    deep = 2.5 + 0.05 * (x - rng.uniform(0, 40)) + bend
    radius = np.sqrt((y - off + 0.25 * bend) ** 2 + deep**2)
    radius += 0.03 * noise(rng, h, w, 0.4 * square_px, 7 * square_px)
    ring = (radius * rng.uniform(1.5, 2.3)) % 1
    late = np.clip(ring, 0, 1) ** 3 * np.clip((1 - ring) * 8, 0, 1)
    streak = noise(rng, h, w, 0.11 * square_px, 8 * square_px)
    fine = noise(rng, h, w, 0.05 * square_px, 2.2 * square_px)
    pores = np.clip(noise(rng, h, w, 0.045 * square_px, 0.9 * square_px) - 1.3, 0, 1)
    broad = noise(rng, h, w, 3 * square_px, 30 * square_px)
    dark = 0.3 + 0.34 * late + 0.085 * streak + 0.06 * fine + 0.35 * pores + 0.09 * broad
    return np.clip(dark, 0, 1).astype(np.float32)


def tablecloth(
    rng: np.random.Generator, side_px: int, square_px: float, ground: Colour, stripe: Colour
) -> Picture:
    """Linen with woven checks."""
    y, x = np.mgrid[0:side_px, 0:side_px].astype(np.float32) / square_px
    period = 4.2
    bands = [((v / period) % 1 < 0.5).astype(np.float32) for v in (x, y)]
    share = 0.5 * (bands[0] + bands[1])
    threads = 5.5 * 2 * np.pi
    over = np.sign(np.sin(x * threads / 2) * np.sin(y * threads / 2))
    weave = np.where(over > 0, np.abs(np.sin(x * threads)), np.abs(np.sin(y * threads)))
    slubs = noise(rng, side_px, side_px, 0.12 * square_px, 2 * square_px)
    slubs += noise(rng, side_px, side_px, 2 * square_px, 0.12 * square_px)
    low, high = np.array(ground, np.float32), np.array(stripe, np.float32)
    out = low + (high - low) * share[..., None]
    out *= (0.86 + 0.14 * weave + 0.025 * slubs)[..., None]
    return np.clip(out, 0, 255).astype(np.uint8)


def board(rng: np.random.Generator, design: BoardDesign, rims: Sequence[float]) -> Picture:
    """A printed board with its rim; `rims` are its widths in squares: top, right, bottom, left."""
    top, right, bottom, left = (int(v * PRINT_PX) for v in rims)
    n = 15 * PRINT_PX
    picture = Image.new("RGB", (n + left + right, n + top + bottom), design.rim)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((left, top, left + n - 1, top + n - 1), design.field)
    colours = dict(zip("WwLl", design.premiums, strict=True))
    for r, row in enumerate(standard_premiums()):
        for c, kind in enumerate(row):
            at = (left + c * PRINT_PX, top + r * PRINT_PX)
            if kind in colours:
                _premium(draw, at, kind, colours[kind], design)
    for k in range(16):
        at = k * PRINT_PX
        draw.line((left + at, top, left + at, top + n), design.line, design.line_px)
        draw.line((left, top + at, left + n, top + at), design.line, design.line_px)
    _star(draw, (left + n / 2, top + n / 2), 0.34 * PRINT_PX, design.ink)
    if design.coordinates:
        _coordinates(draw, design, (left, top))
    out = np.asarray(picture, np.float32)
    h, w = out.shape[:2]
    out = (
        out * (1 + 0.012 * noise(rng, h, w, 2, 2) + 0.012 * noise(rng, h, w, 200, 200))[..., None]
    )
    return np.clip(cv2.GaussianBlur(out, (0, 0), 0.8), 0, 255).astype(np.uint8)


def _premium(
    draw: ImageDraw.ImageDraw, at: tuple[int, int], kind: str, colour: Colour, design: BoardDesign
) -> None:
    x, y = at
    draw.rectangle((x, y, x + PRINT_PX, y + PRINT_PX), colour)
    dark = sum(colour) < 330
    ink = (238, 236, 228) if dark else (40, 38, 40)
    font = _font(design.family, int(0.2 * PRINT_PX))
    for k, word in enumerate(WORDS[kind].split("|")):
        middle = (x + PRINT_PX / 2, y + PRINT_PX * (0.39 + 0.23 * k))
        draw.text(middle, word, ink, font, "mm")


def _star(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, colour: Colour
) -> None:
    angles = -np.pi / 2 + np.arange(10) * np.pi / 5
    reach = np.where(np.arange(10) % 2 == 0, radius, radius * 0.42)
    points = np.stack([at[0] + reach * np.cos(angles), at[1] + reach * np.sin(angles)], 1)
    draw.polygon([(float(x), float(y)) for x, y in points], colour)


def _coordinates(draw: ImageDraw.ImageDraw, design: BoardDesign, low: tuple[int, int]) -> None:
    font = _font(design.family, int(0.3 * PRINT_PX))
    for k in range(15):
        middle = (k + 0.5) * PRINT_PX
        gap = 0.34 * PRINT_PX
        draw.text((low[0] + middle, low[1] - gap), str(k + 1), design.ink, font, "mm")
        draw.text((low[0] - gap, low[1] + middle), chr(65 + k), design.ink, font, "mm")


def tile_faces(family: str, values: Mapping[str, int]) -> Picture:
    """How much ink each face of a set carries: an atlas of `ATLAS_COLUMNS` faces a row."""
    rows = -(-len(FACES) // ATLAS_COLUMNS)
    atlas = Image.new("L", (ATLAS_COLUMNS * TILE_PX, rows * TILE_PX), 0)
    draw = ImageDraw.Draw(atlas)
    large, small = _font(family, int(0.68 * TILE_PX)), _font(family, int(0.22 * TILE_PX))
    for k, char in enumerate(FACES):
        x, y = k % ATLAS_COLUMNS * TILE_PX, k // ATLAS_COLUMNS * TILE_PX
        if char in "? ":
            continue
        box = draw.textbbox((0, 0), char, font=large)
        cap = draw.textbbox((0, 0), "H", font=large)
        at = (
            x + 0.465 * TILE_PX - (box[0] + box[2]) / 2,
            y + 0.485 * TILE_PX - (cap[1] + cap[3]) / 2,
        )
        draw.text(at, char, 255, large)
        draw.text((x + 0.9 * TILE_PX, y + 0.9 * TILE_PX), str(values[char]), 255, small, "rs")
    return np.asarray(atlas)


def face_at(char: str) -> tuple[float, float, float, float]:
    """Where a face is in its atlas, as shares from its lower left: x0, y0, x1, y1."""
    k, rows = FACES.index(char), -(-len(FACES) // ATLAS_COLUMNS)
    column, row = k % ATLAS_COLUMNS, k // ATLAS_COLUMNS
    return (
        column / ATLAS_COLUMNS, 1 - (row + 1) / rows, (column + 1) / ATLAS_COLUMNS, 1 - row / rows,
    )  # fmt: skip


def score_sheet(rng: np.random.Generator, players: Sequence[str]) -> Picture:
    """A ruled sheet with names and a few scores in pencil; half as high again as wide."""
    w, h, step = 720, 1020, 68
    sheet = Image.new("RGB", (w, h), (247, 245, 238))
    draw = ImageDraw.Draw(sheet)
    for y in range(2 * step, h, step):
        draw.line((0, y, w, y), (168, 190, 214), 3)
    draw.line((86, 0, 86, h), (222, 140, 140), 3)
    columns = max(2, len(players))
    for k, name in enumerate(players):
        left = 120 + k * (w - 130) // columns
        _by_hand(rng, sheet, name, (left, step + 4), 56)
        total = 0
        for line in range(int(rng.integers(2, 4))):
            total += int(rng.integers(6, 32))
            _by_hand(rng, sheet, str(total), (left + 12, (2 + line) * step + 6), 50)
    out = np.asarray(sheet, np.float32)
    return np.clip(out + 3 * noise(rng, h, w, 3, 3)[..., None], 0, 255).astype(np.uint8)


def _by_hand(
    rng: np.random.Generator, sheet: Image.Image, text: str, at: tuple[float, float], size: int
) -> None:
    x, y = at
    for char in text:
        font = _font("comfortaa-400", int(size * rng.uniform(0.9, 1.1)))
        cell = Image.new("L", (2 * size, 2 * size), 0)
        ImageDraw.Draw(cell).text((size * 0.5, size * 0.3), char, 225, font)
        cell = cell.rotate(float(rng.normal(4, 4)), Image.Resampling.BICUBIC)
        ink = Image.new("RGB", cell.size, (58, 60, 72))
        sheet.paste(ink, (int(x - size * 0.5), int(y - size * 0.3 + rng.normal(0, 2))), cell)
        x += font.getlength(char) * 0.96


def ship_card(squares: int, paper: Colour, hull: Colour) -> Picture:
    """A card as long as so many squares, with a ship seen from above on it."""
    w, h = squares * PRINT_PX, PRINT_PX
    card = Image.new("RGB", (w, h), paper)
    draw = ImageDraw.Draw(card)
    draw.rectangle((5, 5, w - 6, h - 6), outline=hull, width=3)
    x0, x1, y0, y1 = 0.12 * h, w - 0.12 * h, 0.26 * h, 0.74 * h
    bow = 0.7 * h
    ship = [(x0, y0), (x1 - bow, y0), (x1, h / 2), (x1 - bow, y1), (x0, y1)]
    draw.polygon(ship, hull)
    for k in range(squares):
        middle = (k + 0.45) * PRINT_PX
        draw.ellipse((middle - 13, h / 2 - 13, middle + 13, h / 2 + 13), paper, hull)
        draw.line((middle, h / 2, middle + 30, h / 2), paper, 7)
    return np.asarray(card)


def _font(family: str, size: int):
    path = typefaces.font_for(family, "A")
    assert path is not None
    return typefaces.load_font(path, size)
