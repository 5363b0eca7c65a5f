"""A short film of a board on which two plays are laid."""

from __future__ import annotations

import numpy as np

from kibitz.vision.stream.video import VideoPicture


def scene(tiles: int, hand: int | None = None, brightness: int = 0) -> np.ndarray:
    """A green board with some white tiles, and a hand at a column."""
    picture = np.full((240, 320, 3), (60, 110 + brightness, 70), np.uint8)
    for i in range(tiles):
        picture[100:120, 20 + 22 * i : 40 + 22 * i] = (220, 230, 235)
    if hand is not None:
        picture[60:, hand : hand + 70] = (120, 150, 210)
    return picture


def film() -> list[VideoPicture]:
    """Two plays, each laid by a hand that comes and goes; four pictures a second."""
    shots = [scene(0)] * 5
    shots += [scene(0, 200), scene(2, 140), scene(3, 60)] + [scene(3)] * 6
    shots += [scene(3, 30), scene(5, 90), scene(5, 180)] + [scene(5)] * 6
    return [VideoPicture(f"{i}", i * 0.25, shot) for i, shot in enumerate(shots)]
