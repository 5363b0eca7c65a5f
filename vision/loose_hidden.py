"""Tiles in words of which a lamp's glare hides the letter: they are there, and none is guessed.

What is burnt out looks like a back. In line with the tiles of a word it is one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.loose_words import join_pieces, line_up
from vision.readings import BLANK, LooseTile


def show_hidden(
    tiles: Sequence[LooseTile], hidden: NDArray[np.bool_], letters: int
) -> tuple[LooseTile, ...]:
    """The tiles, with those taken as face up that are hidden and go on a word.

    Args:
        tiles: every loose tile.
        hidden: (N,) which of them glare hides.
        letters: how many letters and blanks there are, each as likely as the others.
    """
    out = list(tiles)
    asked = [i for i, tile in enumerate(tiles) if tile.face_up or hidden[i]]
    some = [tiles[i] for i in asked]
    for word in join_pieces(some, line_up(some), blanks=True):
        for i in (asked[k] for k in word.tiles):
            if not tiles[i].face_up:
                out[i] = _unread(tiles[i], word.facing_deg, letters)
    return tuple(out)


def _unread(tile: LooseTile, facing_deg: float, letters: int) -> LooseTile:
    """A face-up tile that shows nothing, turned as its word is, to the nearest quarter."""
    quarters = round((facing_deg - tile.angle_deg) / 90)
    return replace(
        tile,
        letter=BLANK,
        face_up=True,
        angle_deg=(tile.angle_deg + 90 * quarters) % 360,
        confidence=tile.confidence / letters,
        letter_log_prob=np.full(letters, -np.log(letters), np.float32),
    )
