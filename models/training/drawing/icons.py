"""Pictograms of two icon typefaces: thousands of marks that are no letters.

Makers, clubs and owners put anything on a blank. Some thirty shapes (`mark_shapes`) are soon
learnt by heart; of some four thousand signs only what they share is worth learning: that they are
no letter. `datasets/fonts/icons` names the signs of each typeface; those that show letters or
numerals, or look like one, are not among them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

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
INNER: Final = 0.92
"""So much of its square a sign fills."""
HELD_OUT_EACH: Final = 12
"""One in so many signs is never trained on."""
Part = Literal["trained", "fitted", "held out"]
"""Signs that networks are trained on, others by which it is fitted how much a network counts, and
those that only measures show."""


@lru_cache(maxsize=3)
def signs(part: Part) -> tuple[tuple[str, str], ...]:
    """Typeface and character of each sign of a part."""
    found = []
    for listed, faces in FACES.items():
        lines = (ICONS_DIR / f"{listed}.txt").read_text(encoding="utf-8").splitlines()
        for line in lines:
            code = int(line.split()[0], 16)
            number, rest = divmod(code, HELD_OUT_EACH)
            of: Part = "trained" if rest else "fitted" if number % 2 else "held out"
            if of == part:
                found += [(face, chr(code)) for face in faces]
    return tuple(found)


def icon(rng: np.random.Generator, part: Part = "trained") -> NDArray[np.float32]:
    """Ink (DRAWN_PX, DRAWN_PX) in 0..1 of a sign, as large as the square allows.

    Args:
        rng: chance.
        part: of which signs.
    """
    of = signs(part)
    face, char = of[int(rng.integers(len(of)))]
    font = load_font(ICONS_DIR / f"{face}.woff2", DRAWN_PX)
    mask = Image.new("L", (2 * DRAWN_PX, 2 * DRAWN_PX), 0)
    ImageDraw.Draw(mask).text((DRAWN_PX // 2, DRAWN_PX // 2), char, fill=255, font=font)
    inked = mask.crop(mask.getbbox())
    part = INNER * DRAWN_PX / max(inked.size)
    w, h = (max(1, round(x * part)) for x in inked.size)
    out = Image.new("L", (DRAWN_PX, DRAWN_PX), 0)
    out.paste(
        inked.resize((w, h), Image.Resampling.LANCZOS), ((DRAWN_PX - w) // 2, (DRAWN_PX - h) // 2)
    )
    return np.asarray(out, np.float32) / 255
