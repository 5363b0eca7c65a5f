"""Tiles as pictures: a style (material, colours, letters, numeral) and its sprites."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from kibitz.models.training.drawing import icons, textures
from kibitz.models.training.drawing.blank_marks import blank_mark
from kibitz.models.training.drawing.typefaces import BLOCKS, font_for, load_font, scene_fonts

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACCENTED = "ÄÖÜÅĄĆĘŁŃÓŚŹŻĂÂÎȘȚÑÇ"
LABELS = (*LATIN, *ACCENTED, "?")
"""What the reader can say of a tile's face; `?` is a blank."""
FOREIGN = "БГДЖЗИЛПФЦЧШЩЫЭЮЯ"
"""Letters of other scripts: no letter of the set, so that they are told as blanks are."""

DATASETS = Path(__file__).resolve().parents[3] / "datasets"
TILE_DIR = DATASETS.parent / "app" / "data" / "tiles"
SPRITE_PX = 48
DRAWN_SETS = ("en", "fr", "ro", "de", "fi", "pl")
"""Tile sets whose values are printed; others would change what a seed draws."""
MARKED = 0.5
"""In so many of the sets whose blanks were bare they have marks when looks are unusual."""

CENTRED, SLANTED = 0.2, 0.08
"""When looks are unusual the numeral stands centred below the letter in so many sets; so many of
the others' letters lean."""
LEAN = (0.1, 0.35)
"""How far slanted letters lean to the right, in their height."""
OLD = 0.15
"""When looks are unusual the print of so many sets is rubbed off in places."""
WORN = (0.3, 0.9)
"""So much of the ink has gone where a print of such a set is rubbed off most."""

VALUE_APART, TRIES_APART = 0.03, 8
"""A numeral stands at least so far (in tile sides) from its letter; how often both give way."""
HANGING = "ĄĘÇȘȚ"
"""Letters whose mark hangs below the base line, where it may run into the numeral."""
TAILED = {"Ą": "A", "Ę": "E"}
"""Letters with an ogonek, which makers also print as a stroke that goes on from the foot."""
SUBSCRIPT = "sub"
"""Where numerals stand that follow the foot of their letter; others stand in a corner."""

Array = NDArray[np.float32]


@dataclass(frozen=True)
class TileStyle:
    """How the tiles of one set look; lengths are parts of a square's side."""

    body: tuple[float, float, float]
    ink: tuple[float, float, float]
    side: tuple[float, float, float]
    material: str
    grain: float
    family: str
    letter_size: float
    letter_dx: float
    letter_dy: float
    stretch: float
    embolden: int
    numeral: str
    numeral_size: float
    numeral_inset: float
    width: float
    height: float
    corner: float
    bevel: float
    thickness: float
    engraved: bool
    blank_mark: bool
    numeral_drop: float = 0.0
    """How far below the letter's foot a subscript reaches."""
    tail: tuple[float, float] = (0.0, 0.0)
    """Where an ogonek ends, right of its letter's foot and below it, in capital heights; the
    typeface's own where both are 0."""
    slant: float = 0.0
    """How far the head of a letter leans to the right, in its height."""
    wobble: float = 0.0
    """How far a hand-made letter's outline strays, in its height."""
    lower: bool = False
    """Whether letters are printed in lower case."""
    signs: icons.Part | None = None
    """Which signs of icon typefaces blanks may have on them, if any."""
    worn: float = 0.0
    """How much of the ink has gone where the print is rubbed off most."""


def random_tile_style(rng: np.random.Generator) -> TileStyle:
    """Draw a tile set: wood, ivory, plastic, white, black or coloured."""
    kind = rng.random()
    dark_ink = True
    if kind < 0.33:
        material = "wood"
        body = textures.hsv(
            rng.uniform(0.05, 0.13), rng.uniform(0.15, 0.65), rng.uniform(0.5, 0.97)
        )
    elif kind < 0.68:
        material = "plastic"
        body = textures.hsv(rng.uniform(0.08, 0.2), rng.uniform(0.0, 0.35), rng.uniform(0.75, 1.0))
    elif kind < 0.85:
        material = "plastic"
        body = textures.hsv(rng.random(), rng.uniform(0.4, 1.0), rng.uniform(0.2, 0.85))
        dark_ink = rng.random() < 0.15
    elif kind < 0.93:
        material = "plastic"
        body = textures.hsv(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.03, 0.25))
        dark_ink = False
    else:
        material = "plastic"
        body = textures.hsv(rng.random(), rng.uniform(0.1, 0.5), rng.uniform(0.7, 1.0))
    luma = float(body @ np.array([0.11, 0.59, 0.3], np.float32))
    if luma < 0.3:
        dark_ink = False
    if dark_ink:
        ink = textures.hsv(
            rng.random(), rng.uniform(0, 0.6), rng.uniform(0.0, min(0.35, luma * 0.45))
        )
        if rng.random() < 0.08:
            ink = textures.hsv(
                rng.choice([0.0, 0.6, 0.33]), rng.uniform(0.5, 1), rng.uniform(0.2, 0.5)
            )
    else:
        ink = textures.hsv(
            rng.uniform(0.08, 0.18),
            rng.uniform(0, 0.4),
            rng.uniform(min(1.0, max(0.7, luma + 0.3)), 1.05),
        )
    families = scene_fonts()
    side = body * float(rng.uniform(0.35, 0.95))
    numeral = (
        "br" if rng.random() < 0.75 else str(rng.choice(["none", "bl", "tr", "tl", "none", "bc"]))
    )
    width = float(rng.uniform(0.8, 0.99))
    return TileStyle(
        body=tuple(map(float, body)),
        ink=tuple(map(float, ink)),
        side=tuple(map(float, side)),
        material=material,
        grain=float(rng.uniform(0.0, 0.14) if material == "wood" else rng.uniform(0, 0.03)),
        family=str(rng.choice(families)),
        letter_size=float(rng.uniform(0.46, 0.8)),
        letter_dx=float(rng.uniform(-0.07, 0.05)),
        letter_dy=float(rng.uniform(-0.08, 0.05)),
        stretch=float(rng.uniform(0.82, 1.18)),
        embolden=int(rng.choice([0, 0, 0, 1, -1])),
        numeral=numeral,
        numeral_size=float(rng.uniform(0.16, 0.34)),
        numeral_inset=float(rng.uniform(0.06, 0.16)),
        width=width,
        height=width
        * float(rng.uniform(0.97, 1.08) if rng.random() < 0.7 else rng.uniform(0.9, 1.12)),
        corner=float(rng.uniform(0.02, 0.22)),
        bevel=float(rng.uniform(0, 0.09)),
        thickness=float(rng.uniform(0.1, 0.32)),
        engraved=bool(rng.random() < 0.25),
        blank_mark=bool(rng.random() < 0.3),
    )


def unusual(rng: np.random.Generator, style: TileStyle, *, further: bool = True) -> TileStyle:
    """The same set, sometimes in slanted, hand-made or lower-case letters, its blanks with marks.

    Args:
        rng: chance.
        style: the set.
        further: in some sets the numeral stands below the letter, more letters lean, and some
            prints are worn; all else of a seed stays as it is without.
    """
    aside = rng.spawn(1)[0]
    style = replace(style, blank_mark=style.blank_mark or bool(rng.random() < MARKED))
    if further and aside.random() < CENTRED:
        style = with_numeral_below(aside, style)
    use = aside.spawn(1)[0]
    if further and use.random() < OLD:
        style = replace(style, worn=float(use.uniform(*WORN)))
    kind = rng.random()
    if kind < 0.06:
        return replace(style, slant=float(rng.uniform(*LEAN)))
    if kind < 0.14:
        slant = float(rng.normal(0, 0.08))
        return replace(style, wobble=float(rng.uniform(0.01, 0.05)), slant=slant)
    if kind < 0.18:
        return replace(style, lower=True)
    if further and aside.random() < SLANTED:
        return replace(style, slant=float(aside.uniform(*LEAN)))
    return style


def with_numeral_below(rng: np.random.Generator, style: TileStyle) -> TileStyle:
    """The same set with numerals centred below the letter, near to it or far from it."""
    style = replace(style, numeral="bc")
    if rng.random() < 0.5:
        return style
    return replace(
        style,
        letter_size=float(rng.uniform(0.36, 0.6)),
        letter_dy=float(rng.uniform(-0.16, -0.02)),
        numeral_size=float(rng.uniform(0.12, 0.3)),
        numeral_inset=float(rng.uniform(0.03, 0.2)),
    )


@lru_cache(maxsize=1)
def printed_values() -> dict[str, tuple[int, ...]]:
    """What each letter is worth in the tile sets drawn; the English set comes first."""
    found: dict[str, list[int]] = {}
    paths = [TILE_DIR / f"{name}.json" for name in DRAWN_SETS]
    for path in paths:
        tiles = json.loads(path.read_text(encoding="utf-8"))["tiles"]
        for letter, facts in tiles.items():
            found.setdefault(letter, []).append(int(facts["value"]))
    return {letter: tuple(values) for letter, values in found.items()}


def value_text(rng: np.random.Generator, letter: str, honest: bool = False) -> str:
    """A printed value: mostly what the letter is worth in some language, now and then any.

    `honest` values are the English ones; a letter that no set has gets any.
    """
    values = printed_values().get(letter, ())
    if values and honest:
        return str(values[0])
    if values and rng.random() < 0.88:
        return str(values[0] if rng.random() < 0.4 else rng.choice(values))
    return str(int(rng.integers(1, 11)))


def face_ink(
    rng: np.random.Generator, style: TileStyle, char: str, size_px: int, honest: bool = False
) -> Array:
    """Ink coverage (h, w) in 0..1 of a face: the letter and its numeral; zeros for a blank.

    The two never touch, as no maker prints them: an O with a numeral on its edge is a Q. Only
    a mark below the letter may.
    """
    h, w = max(8, round(style.height * size_px)), max(8, round(style.width * size_px))
    if char == "?":
        return np.zeros((h, w), np.float32)
    value = value_text(rng, char, honest) if style.numeral != "none" else ""
    aside = 1.0 if "l" in style.numeral else 0.0
    if "r" in style.numeral or style.numeral == SUBSCRIPT:
        aside = -1.0
    upward = 0.0 if aside else -1.0
    near = 2 * max(1, round(VALUE_APART * size_px)) + 1
    for _ in range(TRIES_APART):
        letter = _letter_ink((h, w), style, char, size_px)
        numeral = _value_ink((h, w), style, value, size_px, letter)
        foot = round(_base_line(h, style, size_px)) if char in HANGING else h
        around = cv2.dilate(numeral, np.ones((near, near), np.uint8))
        if not value or not ((letter > 60) & (around > 60))[:foot].any():
            break
        style = replace(
            style,
            letter_size=style.letter_size * 0.95,
            letter_dx=style.letter_dx + 0.02 * aside,
            letter_dy=style.letter_dy + 0.02 * upward,
            numeral_inset=max(0.04, style.numeral_inset - 0.015),
        )
    ink = np.maximum(letter, numeral).astype(np.float32) / 255
    if style.embolden > 0:
        ink = cv2.dilate(ink, np.ones((2, 2), np.uint8))
    elif style.embolden < 0:
        ink = ink * 0.5 + 0.5 * cv2.erode(ink, np.ones((2, 2), np.uint8))
    return ink


def _base_line(h: int, style: TileStyle, size_px: int) -> float:
    """The row on which letters stand."""
    return h / 2 + (style.letter_size / 2 + style.letter_dy) * size_px


def _letter_ink(
    shape: tuple[int, int], style: TileStyle, char: str, size_px: int
) -> NDArray[np.uint8]:
    """Ink coverage (h, w) in 0..255 of a letter on its tile."""
    h, w = shape
    if any(style.tail) and char in TAILED:
        return _with_tail(_letter_ink(shape, style, TAILED[char], size_px), style, size_px)
    family = style.family
    path = font_for(family, char)
    if path is None:
        family = "rokkitt-700" if ord(char) < 0x400 else "jost-700"
        path = font_for(family, char)
    if path is None:
        raise ValueError(f"no font holds {char!r}")
    probe = load_font(font_for(family, "H") or path, 100)
    cap = max(20, probe.getbbox("H")[3] - probe.getbbox("H")[1])
    font = load_font(path, max(6, int(style.letter_size * size_px * 100 / cap)))
    printed = char.lower() if style.lower and len(char.lower()) == 1 else char
    box = font.getbbox(printed)
    glyph = Image.new("L", (box[2] - box[0] + 4, box[3] - box[1] + 4), 0)
    ImageDraw.Draw(glyph).text((2 - box[0], 2 - box[1]), printed, fill=255, font=font)
    if style.slant or style.wobble:
        glyph = _by_hand(glyph, style)
    gw, gh = glyph.size
    gw2, gh2 = min(int(gw * style.stretch), w), min(gh, h)
    glyph = glyph.resize((max(3, gw2), max(3, gh2)), Image.Resampling.LANCZOS)
    # Accents stand above the capital height: keep the base line, let them grow upwards.
    cap_px = style.letter_size * size_px
    base = _base_line(h, style, size_px)
    below = 0.22 * cap_px if printed in "QĄĘÇȘȚgjpqyąęçșț" else 0.0
    y = base - glyph.size[1] + below * (0.6 if char in "QÇ" else 0.9)
    if ord(char) >= BLOCKS["greek"][0]:  # such letters also hang from the line above
        y = base - glyph.size[1] + font.getbbox(printed, anchor="ls")[3]
    x = (w - glyph.size[0]) / 2 + style.letter_dx * size_px
    y = float(np.clip(y, 0, max(0, h - glyph.size[1])))
    x = float(np.clip(x, 0, max(0, w - glyph.size[0])))
    mask = Image.new("L", (w, h), 0)
    mask.paste(glyph, (round(x), round(y)), glyph)
    return np.asarray(mask, np.uint8)


def _by_hand(glyph: Image.Image, style: TileStyle) -> Image.Image:
    """A letter that leans, and whose outline strays as that of a hand does; each time alike."""
    ink = np.asarray(glyph, np.uint8)
    h, w = ink.shape
    lean, stray = round(abs(style.slant) * h), round(style.wobble * h)
    pad = 2 + stray + lean
    ink = cv2.copyMakeBorder(ink, stray, stray, pad, pad, cv2.BORDER_CONSTANT)
    h, w = ink.shape
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    x = xx + style.slant * (yy - h / 2)
    y = yy
    if stray:
        hand = np.random.default_rng([w, h])
        x = x + textures.noise(hand, h, w, h / 3, h / 3) * style.wobble * h
        y = y + textures.noise(hand, h, w, h / 3, h / 3) * style.wobble * h
    out = cv2.remap(ink, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    left, top, wide, high = cv2.boundingRect((out > 8).astype(np.uint8))
    return Image.fromarray(out[top : top + high, left : left + wide] if wide else ink)


def _with_tail(letter: NDArray[np.uint8], style: TileStyle, size_px: int) -> NDArray[np.uint8]:
    """Ink (h, w) of a letter with a stroke that goes on from the right end of its foot."""
    cap = style.letter_size * size_px
    foot = int((letter > 60).any(1).nonzero()[0].max(initial=0))
    feet = letter[max(0, foot - round(0.15 * cap)) : foot + 1]
    end_of_foot = int((feet > 60).any(0).nonzero()[0].max(initial=0))
    right, down = (part * cap for part in style.tail)
    x = end_of_foot + np.array([-0.08 * cap, 0.55 * right, right])
    y = foot + np.array([-0.08 * cap, 0.8 * down, down])
    out = letter.copy()
    eighths = np.round(np.stack([x, y], -1) * 8).astype(np.int32)
    cv2.polylines(out, [eighths], False, 255, max(1, round(0.1 * cap)), cv2.LINE_AA, 3)
    return out


def _value_ink(
    shape: tuple[int, int], style: TileStyle, text: str, size_px: int, letter: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Ink coverage (h, w) in 0..255 of the numeral; nothing where there is none.

    Args:
        shape: the tile's height and width.
        style: its looks; the inset of a subscript is its distance from the letter.
        text: the numeral.
        size_px: pixels a square.
        letter: (h, w) ink of the letter that it belongs to.
    """
    h, w = shape
    mask = Image.new("L", (w, h), 0)
    path = font_for(style.family, "1") or font_for("jost-700", "1")
    if text and path is not None:
        font = load_font(path, max(5, int(style.numeral_size * size_px * 1.25)))
        box = font.getbbox(text)
        wide, high = box[2] - box[0], box[3] - box[1]
        inset = style.numeral_inset * size_px
        left = inset if "l" in style.numeral else w - inset - wide
        if "c" in style.numeral:
            left = (w - wide) / 2
        top = inset if "t" in style.numeral else h - inset - high
        if style.numeral == SUBSCRIPT:
            foot = _base_line(h, style, size_px)
            right = (letter[: round(foot)] > 60).any(0).nonzero()[0].max(initial=0)
            left = min(float(right) + 1 + inset, w - wide - VALUE_APART * size_px)
            top = min(foot + style.numeral_drop * size_px, h - VALUE_APART * size_px) - high
        ImageDraw.Draw(mask).text((left - box[0], top - box[1]), text, fill=255, font=font)
    return np.asarray(mask, np.uint8)


def _rubbed(rng: np.random.Generator, h: int, w: int) -> Array:
    """(h, w) how much a print is rubbed off, 0..1: in patches, of one tile more than of another."""
    side = float(rng.uniform(0.2, 0.6)) * h
    patches = textures.noise(rng, h, w, side, side) + float(rng.uniform(-1.0, 1.0))
    return np.asarray(np.clip(patches, 0, 1), np.float32)


def sprite(
    rng: np.random.Generator,
    style: TileStyle,
    char: str,
    size_px: int = SPRITE_PX,
    honest: bool = False,
) -> Array:
    """One tile's top face: (h, w, 4) BGR and coverage, 0..1, upright."""
    ink = face_ink(rng, style, char, size_px, honest)
    h, w = ink.shape
    if style.worn:
        ink = ink * (1 - style.worn * _rubbed(rng.spawn(1)[0], h, w))
    body = np.array(style.body, np.float32) * float(rng.uniform(0.93, 1.05))
    if style.material == "wood":
        face = textures.wood(rng, h, w, body, style.grain)
    elif style.grain > 0.01:
        face = textures.speckle(rng, h, w, body, style.grain)
    else:
        face = textures.flat(body, h, w).copy()
    cover = np.zeros((h, w), np.uint8)
    r = int(style.corner * size_px)
    cv2.rectangle(cover, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(cover, (0, r), (w - 1, h - 1 - r), 255, -1)
    for cx, cy in ((r, r), (w - 1 - r, r), (r, h - 1 - r), (w - 1 - r, h - 1 - r)):
        cv2.circle(cover, (cx, cy), r, 255, -1)
    bevel = int(style.bevel * size_px)
    if bevel:  # lit and shaded edges
        edge = cv2.GaussianBlur(cover, (0, 0), bevel / 1.5 + 0.3).astype(np.float32) / 255
        gy, gx = np.gradient(edge)
        angle = rng.uniform(0, 2 * np.pi)
        face = face * (1 + 2.0 * bevel * (np.cos(angle) * gx + np.sin(angle) * gy)[..., None])
    if style.blank_mark and char == "?":
        face = blank_mark(
            rng,
            face,
            style.ink,
            font_for(style.family, "H"),
            numerals=style.numeral != "none",
            signs=style.signs,
        )
    colour = np.array(style.ink, np.float32)
    if style.engraved:
        shade = np.roll(ink, 1, axis=(0, 1)) - ink
        face = face * (1 + 0.35 * shade[..., None])
    fade = float(rng.uniform(0.75, 1.0))
    face = face * (1 - ink[..., None] * fade) + colour * ink[..., None] * fade
    return np.dstack([np.clip(face, 0, 1), cover.astype(np.float32) / 255]).astype(np.float32)


def back(rng: np.random.Generator, style: TileStyle, size_px: int = SPRITE_PX) -> Array:
    """A tile that lies on its face, as `sprite` gives its top: bare, or hollow as moulds make it."""
    out = sprite(rng, replace(style, blank_mark=False), "?", size_px)
    kind = rng.random()
    if kind < 0.3:
        return out
    h, w = out.shape[:2]
    inside = np.zeros((h, w), np.uint8)
    reach = float(rng.uniform(0.2, 0.4))
    if kind < 0.75:
        middle, size = (w // 2, h // 2), max(2, int(reach * min(h, w)))
        cv2.circle(inside, middle, size, 255, -1, cv2.LINE_AA)
    else:
        x, y = (int(v * (0.5 - reach)) for v in (w, h))
        cv2.rectangle(inside, (x, y), (w - x, h - y), 255, -1)
    deep = cv2.GaussianBlur(inside, (0, 0), 0.02 * size_px + 0.3).astype(np.float32) / 255
    gy, gx = np.gradient(deep)
    angle, edge = rng.uniform(0, 2 * np.pi), float(rng.uniform(1, 4))
    shade = (
        1 - deep * float(rng.uniform(0, 0.35)) + edge * (np.cos(angle) * gx + np.sin(angle) * gy)
    )
    out[..., :3] = np.clip(out[..., :3] * shade[..., None], 0, 1)
    return out
