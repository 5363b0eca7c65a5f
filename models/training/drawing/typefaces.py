"""The typefaces that tiles and boards are printed in."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

FONT_DIR = Path(__file__).resolve().parents[3] / "datasets" / "fonts"
CLOSE_UP_ONLY = ("arimo", "inter", "libre-franklin")
"""Typefaces for faces drawn close up: scenes and films of a seed keep the looks they had."""


@lru_cache(maxsize=1)
def font_files() -> dict[str, dict[str, Path]]:
    """Font files by `family-weight`, each with its subsets."""
    out: dict[str, dict[str, Path]] = {}
    for path in sorted(FONT_DIR.glob("*.woff2")):
        stem = path.name.removesuffix("-normal.woff2")
        head, weight = stem.rsplit("-", 1)
        for subset in ("latin-ext", "cyrillic", "latin"):
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
    files = font_files()[family]
    code = ord(char)
    if code < 0x100:
        return files.get("latin")
    return files.get("cyrillic") if code >= 0x400 else files.get("latin-ext")
