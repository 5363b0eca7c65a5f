"""Tile sets and word lists by name or file, as the command line takes them."""

from __future__ import annotations

import json
from pathlib import Path

from app.errors import UsageError

LETTERS = {
    "en": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "de": "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ",
    "fr": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ro": "ABCDEFGHIJLMNOPRSTUVXZ",
    "pl": "AĄBCĆDEĘFGHIJKLŁMNŃOÓPRSŚTUWYZŹŻ",
    "fi": "ABCDEFGHIJKLMNOPRSTUVWYÄÖ",
}


def letters_for(tiles: str) -> tuple[str, ...]:
    """The letters of a tile set, by its name or a tile set file.

    Raises:
        UsageError: no such set; the message lists the known ones.
    """
    if tiles in LETTERS:
        return tuple(LETTERS[tiles])
    path = Path(tiles)
    if not path.is_file():
        raise UsageError(
            f"--tiles: there is no tile set {tiles!r}; known are {' '.join(LETTERS)}, or a file"
        )
    try:
        letters = tuple(str(x) for x in json.loads(path.read_text(encoding="utf-8"))["tiles"])
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise UsageError(
            f"--tiles: {tiles} is no tile set file; expected "
            '{"language": "xx", "blanks": 2, "tiles": {"A": {"count": 9, "value": 1}, ...}}'
        ) from error
    return tuple(x for x in letters if x != "?")
