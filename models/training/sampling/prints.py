"""Bare squares close up: what boards print on their premium squares, large enough to be read.

The scenes of the pool are drawn at `SQUARE_PX`, where three lines of print are specks. A mirror is
told by what a person can read.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.models.training.drawing import board_art, textures, typefaces
from kibitz.models.training.drawing.covers import IGNORE
from kibitz.models.training.sampling.faces import FINE_PX, SIDE, Laid, as_many, light, photograph
from kibitz.models.training.sampling.sizes import GLYPH_SQUARE_PX
from kibitz.vision.boards.squares import cut_squares

Picture = NDArray[np.uint8]
Array = NDArray[np.float32]
WORDS = (
    *("DOUBLE", "TRIPLE", "LETTER", "WORD", "SCORE", "VALUE", "BONUS", "POINTS", "START", "FREE"),
    *("EXTRA", "QUAD", "QUADRUPLE", "LETTRE", "COMPTE", "MOT", "DOPPELTER", "DREIFACHER", "WERT"),
    *("BUCHSTABEN", "WORT", "DOBLE", "TRIPLE", "TANTO", "LETRA", "PALABRA", "DOPPIO", "TRIPLO"),
    *("LETTERA", "PAROLA", "VALORE", "DUBBELE", "DRIEDUBBELE", "WOORD", "WAARDE", "DUBBEL"),
    *("TREDUBBEL", "BOKSTAV", "ORD", "DOBBEL", "TREDOBBEL", "KIRJAIN", "SANA"),
)
"""What is printed on premium squares, in some languages."""
SHORT = ("{n}L", "{n}W", "D{k}", "T{k}", "{n}x", "x{n}", "{n}{k}S", "{n}x|{k}", "+{n}", "{n}")
"""Short forms: a factor, a kind."""
OF_WORDS = 0.7
"""So many sets have words on them, the others short forms."""
ASIDE = 0.25
"""In so many sets the print runs along another side than the usual."""


def _lines(rng: np.random.Generator, words: bool) -> list[str]:
    """What one kind of premium square says."""
    if words:
        return [str(w) for w in rng.choice(WORDS, int(rng.choice([1, 2, 3], p=[0.1, 0.2, 0.7])))]
    form = str(rng.choice(SHORT)).format(n=rng.integers(2, 5), k=rng.choice(list("LW")))
    return form.split("|")


def _squares(rng: np.random.Generator) -> tuple[Array, NDArray[np.bool_]]:
    """A part of a board with one square around it, and (SIDE, SIDE) which squares say something."""
    p, n = FINE_PX, SIDE + 2
    base = textures.random_colour(rng)
    canvas = textures.speckle(rng, n * p, n * p, base, float(rng.uniform(0, 0.05)))
    colours = board_art.premium_colours(rng, base)
    words = rng.random() < OF_WORDS
    family = str(rng.choice(sorted(typefaces.font_files())))
    white, turn = rng.random() < 0.4, int(rng.integers(1, 4)) if rng.random() < ASIDE else 0
    lower = rng.random() < 0.15
    room = rng.uniform(0.7, 0.95)
    prints = {}
    for kind in "WwLl":
        lines = [x.title() if lower else x for x in _lines(rng, words)]
        size = board_art.text_px(lines, p, room) * rng.uniform(0.55, 1.0)
        ink = (
            textures.hsv(0, 0, rng.uniform(0.85, 1))
            if white
            else textures.hsv(rng.random(), rng.uniform(0, 0.6), rng.uniform(0, 0.35))
        )
        ink, cover = board_art.text_patch(rng, lines, ink, max(5, int(size)), p, family)
        prints[kind] = ink, np.rot90(cover, turn)[..., None] * float(rng.uniform(0.6, 1))
    kinds = rng.choice(list("WwLl."), (n, n), p=[0.18, 0.24, 0.18, 0.24, 0.16])
    inset = int(p * rng.uniform(0.03, 0.14)) if rng.random() < 0.4 else 0
    for y, x in np.argwhere(kinds != "."):
        kind = str(kinds[y, x])
        square = canvas[y * p : (y + 1) * p, x * p : (x + 1) * p]
        square[inset : p - inset, inset : p - inset] = colours[kind]
        ink, cover = prints[kind]
        square[:] = square * (1 - cover) + ink * cover
    width = int(rng.integers(0, 5))
    line = textures.hsv(rng.random(), 0.2, rng.uniform(0, 1))
    for at in range(0, n * p, p) if width else ():
        canvas[:, at : at + width] = canvas[at : at + width] = line
    return canvas.astype(np.float32), kinds[1:-1, 1:-1] != "."


def print_sample(rng: np.random.Generator) -> tuple[Picture, Picture]:
    """(48, 60, 60, 3) printed squares of one photograph, and (48,) 1, or 0 where there are none."""
    canvas, says = _squares(rng)
    kinds = np.zeros((SIDE, SIDE), np.uint8)
    light(rng, canvas, kinds)
    nothing = np.zeros((*canvas.shape[:2], 4), np.float32)
    bare = np.full((SIDE, SIDE), 255, np.uint8)
    laid = Laid(canvas, nothing, 0.0, kinds, bare, bare, np.full((SIDE, SIDE), ""), bare)
    (straight,) = photograph(rng, laid, (GLYPH_SQUARE_PX,), (16, 64), 0.0)
    at = rng.permutation(np.argwhere(says & (kinds != IGNORE)))
    return cut_squares(straight, as_many(at, 48)), np.full(48, len(at) > 0, np.uint8)
