"""Turned and mirrored copies of a training sample, with their truth turned along."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def _rot(a: NDArray[Any], k: int, axes: tuple[int, int] = (0, 1)) -> NDArray[Any]:
    return np.ascontiguousarray(np.rot90(a, k, axes))


def reader(sample: tuple[Any, ...], k: int, mirror: bool) -> tuple[Any, ...]:
    """Quarter turns only: letters have no mirror image."""
    picture, kinds, letters, turns = sample
    turned = _rot(turns, k)
    turned = np.where(turned < 4, (turned + 4 - k) % 4, 255).astype(np.uint8)
    return _rot(picture, k), _rot(kinds, k), _rot(letters, k), turned


def finder(sample: tuple[Any, ...], k: int, mirror: bool) -> tuple[Any, ...]:
    """Masks turn with the picture."""
    picture, truth = _rot(sample[0], k), _rot(sample[1], k, (1, 2))
    if mirror:
        picture, truth = (
            np.ascontiguousarray(picture[:, ::-1]),
            np.ascontiguousarray(truth[..., ::-1]),
        )
    return picture, truth


def _vectors(truth: NDArray[Any], x: int, y: int, k: int, mirror: bool) -> NDArray[Any]:
    """Turn maps of which channels x and y hold a vector."""
    truth = _rot(truth, k, (1, 2))
    for _ in range(k):  # a quarter turn against the clock: x' = y, y' = -x
        truth[[x, y]] = np.stack([truth[y], -truth[x]])
    if mirror:
        truth = np.ascontiguousarray(truth[..., ::-1])
        truth[x] = -truth[x]
    return truth


def lattice(sample: tuple[Any, ...], k: int, mirror: bool) -> tuple[Any, ...]:
    """Shifts are vectors."""
    picture = _rot(sample[0], k)
    if mirror:
        picture = np.ascontiguousarray(picture[:, ::-1])
    return picture, _vectors(sample[1], 0, 1, k, mirror)


def loose(sample: tuple[Any, ...], k: int, mirror: bool) -> tuple[Any, ...]:
    """Offsets are vectors; four times an angle does not feel a quarter turn, but a mirror."""
    picture = _rot(sample[0], k)
    if mirror:
        picture = np.ascontiguousarray(picture[:, ::-1])
    truth = _vectors(sample[1], 5, 6, k, mirror)
    if mirror:
        truth[4] = -truth[4]
    return picture, truth


def glyph(sample: tuple[Any, ...], k: int, mirror: bool) -> tuple[Any, ...]:
    """Every square turns by itself, by the same quarter."""
    crops, kinds, letters, turns = sample
    turned = np.where(turns < 4, (turns + 4 - k) % 4, 255).astype(np.uint8)
    return _rot(crops, k, (1, 2)), kinds, letters, turned


def mark(sample: tuple[Any, ...], k: int, mirror: bool) -> tuple[Any, ...]:
    """Marks are looked for on upright tiles; only the place is a little another each time."""
    crops, letters = sample
    return np.roll(crops, ((-2, 2)[k % 2], (-2, 2)[k // 2]), (1, 2)), letters


def sign(sample: tuple[Any, ...], k: int, mirror: bool) -> tuple[Any, ...]:
    """Signs are looked for on upright tiles; in a mirror, whichever way up, a letter is one too."""
    crops, signs = sample
    if mirror and k < 2:  # boards in a mirror are few
        return np.ascontiguousarray(_rot(crops, 2 * k, (1, 2))[:, :, ::-1]), signs
    return np.roll(crops, ((-2, 2)[k % 2], (-2, 2)[k // 2]), (1, 2)), signs


def mirror(sample: tuple[Any, ...], k: int, mirror: bool) -> tuple[Any, ...]:
    """What lies any way up and a little aside, as it is or in a mirror: 1; 255 is left out."""
    crops, known = sample
    aside = np.random.default_rng(int(crops[0].sum()) + k).integers(-2, 3, 2)
    turned = np.roll(_rot(crops, k, (1, 2)), tuple(aside), (1, 2))
    shown = np.ascontiguousarray(turned[:, :, ::-1]) if mirror else turned
    return shown, np.where(known == 1, np.uint8(mirror), np.uint8(255))
