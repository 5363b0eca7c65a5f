"""Pictograms of two icon typefaces: thousands of marks that are no letters.

Makers, clubs and owners put anything on a blank. Some thirty shapes (`mark_shapes`) are soon
learnt by heart; of some four thousand signs only what they share is worth learning: that they are
no letter. `datasets/fonts/icons` names the signs of each typeface; those that show letters or
numerals, or look like one, are not among them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from kibitz.models.training.drawing.mark_shapes import DRAWN_PX
from kibitz.models.training.drawing.typefaces import FONT_DIR, load_font

ICONS_DIR: Final = FONT_DIR / "icons"
FACES: Final = {
    "bootstrap-icons": ("bootstrap-icons",),
    "phosphor": ("phosphor-bold", "phosphor-fill"),
}
"""Lists of signs, and the typefaces that have them."""
HELD_OUT_EACH: Final = 12
"""One in so many signs is never trained on."""


@lru_cache(maxsize=2)
def signs(*, held_out: bool) -> tuple[tuple[str, str], ...]:
    """Typeface and character of each sign that is trained on, or of each that is not."""
    found = []
    for listed, faces in FACES.items():
        lines = (ICONS_DIR / f"{listed}.txt").read_text(encoding="utf-8").splitlines()
        for line in lines:
            code = int(line.split()[0], 16)
            if (code % HELD_OUT_EACH == 0) == held_out:
                found += [(face, chr(code)) for face in faces]
    return tuple(found)


def icon(rng: np.random.Generator, *, held_out: bool = False) -> NDArray[np.float32]:
    """Ink (DRAWN_PX, DRAWN_PX) in 0..1 of a sign, as large as the square allows.

    Args:
        rng: chance.
        held_out: of the signs that no network was trained on.
    """
    of = signs(held_out=held_out)
    face, char = of[int(rng.integers(len(of)))]
    font = load_font(ICONS_DIR / f"{face}.woff2", DRAWN_PX)
    left, top, right, bottom = font.getbbox(char)
    side = max(right - left, bottom - top, 1)
    mask = Image.new("L", (side, side), 0)
    at = (side - right - left) // 2, (side - bottom - top) // 2
    ImageDraw.Draw(mask).text(at, char, fill=255, font=font)
    inner = round(DRAWN_PX * 0.92)
    out = Image.new("L", (DRAWN_PX, DRAWN_PX), 0)
    out.paste(mask.resize((inner, inner), Image.Resampling.LANCZOS), ((DRAWN_PX - inner) // 2,) * 2)
    return np.asarray(out, np.float32) / 255
