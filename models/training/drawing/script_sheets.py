"""Tiles in letters of every script, drawn set by set, for the network that tells scripts apart.

    python -m kibitz.models.training.drawing.script_sheets --out scratch/sheets --count 240 --seed 7

A sheet has every letter of one alphabet, and a blank, as one set prints them. The alphabets are
those of the tile sets, by script, and the Latin one in lower case.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.tiles.sets import script_of, tile_set_from_json
from kibitz.models.training.drawing import glyphs, typefaces
from kibitz.models.training.sampling.faces import face_style
from kibitz.vision.readings import BLANK

SIDE_PX = 56
"""Side of a drawn tile's picture; the tile lies in its middle."""
LOWER = "LOWER"
"""What the Latin alphabet in lower case is called beside the scripts."""
LARGER = 1.35
"""Lower-case letters are drawn up to so much larger than capitals: most of them leave room."""


@lru_cache
def tile_sets() -> dict[str, tuple[str, ...]]:
    """The letters that each tile set prints by themselves."""
    found = {}
    for path in sorted(glyphs.TILE_DIR.glob("*.json")):
        tile_set = tile_set_from_json(json.loads(path.read_text(encoding="utf-8")))
        found[path.stem] = tuple(x for x in tile_set.letters if x not in tile_set.prints)
    return found


@lru_cache
def alphabets() -> dict[str, tuple[str, ...]]:
    """The letters of all sets of a script, by script; Latin ones as `LOWER` too."""
    found: dict[str, set[str]] = {}
    for letters in tile_sets().values():
        found.setdefault(script_of(letters), set()).update(letters)
    found[LOWER] = {x.lower() for x in found["LATIN"]}
    return {script: tuple(sorted(letters)) for script, letters in sorted(found.items())}


def labels() -> tuple[str, ...]:
    """All letters, the blank last."""
    return (*(x for letters in alphabets().values() for x in letters), BLANK)


def style_for(rng: np.random.Generator, letter: str) -> glyphs.TileStyle:
    """A tile set in a typeface that has a letter."""
    style = face_style(rng)
    if ord(letter) < typefaces.BLOCKS["greek"][0]:
        return style
    fonts = typefaces.fonts_with(letter)
    family = str(rng.choice(sorted({f.rsplit("-", 1)[0] for f in fonts})))
    weights = [f for f in fonts if f.rsplit("-", 1)[0] == family]
    return replace(style, family=str(rng.choice(weights)))


def sheet(
    rng: np.random.Generator, script: str
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
    """One set's tiles: (K, SIDE_PX, SIDE_PX, 4) BGR and coverage, letters by `labels`, typeface."""
    chars = (*alphabets()[script], BLANK)
    style = replace(style_for(rng, chars[len(chars) // 2].upper()), lower=script == LOWER)
    if style.lower:
        style = replace(style, letter_size=style.letter_size * float(rng.uniform(0.9, LARGER)))
    out = np.zeros((len(chars), SIDE_PX, SIDE_PX, 4), np.uint8)
    for k, char in enumerate(chars):
        drawn = np.round(255 * glyphs.sprite(rng, style, char.upper())).astype(np.uint8)
        h, w = (min(SIDE_PX, x) for x in drawn.shape[:2])
        top, left = (SIDE_PX - h) // 2, (SIDE_PX - w) // 2
        out[k, top : top + h, left : left + w] = drawn[:h, :w]
    return out, np.array([labels().index(x) for x in chars], np.uint16), style.family


def main() -> None:
    """Draw sheets of all scripts by turns; one that is there already is left alone."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--count", type=int, default=240)
    ap.add_argument("--seed", type=int, default=7)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    a.out.mkdir(parents=True, exist_ok=True)
    scripts = list(alphabets())
    for k in range(a.count):
        path = a.out / f"sheet-{a.seed}-{k:04d}.npz"
        if not path.exists():
            script = scripts[k % len(scripts)]
            tiles, letters, family = sheet(np.random.default_rng([a.seed, k]), script)
            part = path.with_suffix(".part.npz")
            np.savez_compressed(part, tiles=tiles, letters=letters, script=script, family=family)
            part.rename(path)
            print(path, flush=True)


if __name__ == "__main__":
    main()
