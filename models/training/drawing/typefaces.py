"""The typefaces that tiles and boards are printed in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

FONT_DIR = Path(__file__).resolve().parents[3] / "datasets" / "fonts"
SCRIPTS_DIR = FONT_DIR / "scripts"
"""Files of letters that are not Latin: scenes and films of a seed keep the looks they had."""
BLOCKS = {
    "latin-ext": range(0x100, 0x250),
    "greek": range(0x370, 0x400),
    "cyrillic": range(0x400, 0x530),
    "hebrew": range(0x590, 0x600),
}
"""The characters of a subset in Unicode; all others are with the Latin ones."""
CLOSE_UP_ONLY = ("arimo", "inter", "libre-franklin")
"""Typefaces for faces drawn close up: scenes and films of a seed keep the looks they had."""


@lru_cache(maxsize=1)
def font_files() -> dict[str, dict[str, Path]]:
    """Font files by `family-weight`, each with its subsets."""
    return _by_family([FONT_DIR])


@lru_cache(maxsize=1)
def script_fonts() -> dict[str, dict[str, Path]]:
    """The same of families that have more than Latin letters, by `scripts/family-weight`."""
    found = _by_family([FONT_DIR, SCRIPTS_DIR])
    return {
        f"{SCRIPTS_DIR.name}/{family}": subsets
        for family, subsets in found.items()
        if not {"cyrillic", "greek", "hebrew"}.isdisjoint(subsets)
    }


def fonts_with(letter: str) -> list[str]:
    """Families of `script_fonts` that have a letter's subset."""
    return [family for family in script_fonts() if font_for(family, letter) is not None]


def _by_family(folders: Sequence[Path]) -> dict[str, dict[str, Path]]:
    """Font files of some folders by `family-weight`, each with its subsets."""
    out: dict[str, dict[str, Path]] = {}
    for path in sorted(path for folder in folders for path in folder.glob("*.woff2")):
        stem = path.name.removesuffix("-normal.woff2")
        head, weight = stem.rsplit("-", 1)
        for subset in (*BLOCKS, "latin"):
            if head.endswith("-" + subset):
                out.setdefault(f"{head.removesuffix('-' + subset)}-{weight}", {})[subset] = path
                break
    return out


def scene_fonts() -> list[str]:
    """Typefaces of whole scenes and films."""
    return [f for f in font_files() if not f.startswith(CLOSE_UP_ONLY)]


@lru_cache(maxsize=512)
def load_font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    """A font at a pixel size."""
    return ImageFont.truetype(str(path), size)


def font_for(family: str, char: str) -> Path | None:
    """The file of a family that holds a character, if any."""
    files = font_files().get(family) or script_fonts()[family]
    return files.get(next((name for name, of in BLOCKS.items() if ord(char) in of), "latin"))
