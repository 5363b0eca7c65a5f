"""Tiles drawn for training look as makers print them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from models.training.glyphs import face_ink, random_tile_style

SIDE_PX = 96
FAMILY = "montserrat-700"


def _pieces(char: str) -> int:
    """How many pieces of ink a tile has that bears a letter and its value at its foot."""
    rng = np.random.default_rng(1)
    style = replace(
        random_tile_style(rng),
        family=FAMILY,
        letter_size=0.5,
        letter_dx=0.11,
        letter_dy=0.0,
        width=0.9,
        height=0.9,
        stretch=1.0,
        embolden=0,
        numeral="br",
        numeral_size=0.28,
        numeral_inset=0.08,
    )
    ink = (face_ink(rng, style, char, SIDE_PX, honest=True) > 0.5).astype(np.uint8)
    return cv2.connectedComponents(ink)[0] - 1


def test_a_numeral_never_touches_its_letter():
    """An O with a numeral on its edge would be a Q."""
    assert {2} == {_pieces(char) for char in "OAEQ"}


def test_a_numeral_may_touch_a_mark_below_its_letter():
    """On Polish tiles the tail of an Ą runs into its value."""
    assert 1 == _pieces("Ą")
