"""Telling a face with a plain letter from a printed back by the other tiles of the picture.

An O or an I without a numeral may be the maker's mark on a back, and the grain of a wooden back
may look like a letter. The backs of one set look alike, and where nearly all other tiles lie face
up, this one most likely does too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SURE_FACE, SURE_BACK = 0.1, 0.9
"""Probabilities of showing no letter below and above which a tile is taken as known."""
COMMON = 0.5
"""How much the number of known faces and backs says; less than it would if tiles were drawn."""
SPREAD = 0.6
"""How far a tile's contrast is from its like's, in natural logs; fitted on rendered tables."""
MOST = 2.0
"""The most that contrast may say, in nats."""
ENOUGH, FEW = 3, 2
SURELY_UP = 0.9
USUAL, PLAIN_PART = 0.75, 0.33
"""Less contrast than this part of what faces have, three in four of them at most, is a back's."""
MANY, FAINTER, ALIKE = 4, 0.7, 1.35
"""So many tiles of one letter are backs with a print if they have less than this part of the other
letters' usual contrast, and the most of them at most so much more than the least."""


def contrasts(inner: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far apart ink and tile are within each tile, and how light it is, in grey levels.

    Args:
        inner: (N, h, w, 3) middles of tiles; some of their pixels are enough.
    """
    inner = inner.reshape(len(inner), -1, 3)
    few = inner.shape[1] // 25
    last = inner.shape[1] - 1
    # Each channel's values side by side: parting them is several times as fast so.
    channels = np.ascontiguousarray(inner.transpose(0, 2, 1))
    parted = np.partition(channels, (few, last - few), axis=-1).astype(np.float64)
    light, dark = parted[..., last - few], parted[..., few]
    return np.asarray((light - dark).max(-1)), np.asarray(light.max(-1))


def plainly_backs(
    contrast: NDArray[np.float64], light: NDArray[np.float64], face: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which tiles are so plain beside those that surely lie face up that no letter is sought.

    Args:
        contrast: (N,) see `contrasts`.
        light: (N,) see `contrasts`; in a shadow there is less of both.
        face: (N,) probability of lying face up, by how a tile looks from afar.
    """
    shown = contrast / np.maximum(light, 1.0)
    faces = face > SURELY_UP
    if faces.sum() < ENOUGH:
        return np.zeros(len(face), bool)
    usual = np.sort(shown[faces])[round(USUAL * (faces.sum() - 1))]
    return np.asarray(~faces & (shown < PLAIN_PART * usual))


def printed_backs(
    letter: NDArray[np.intp],
    contrast: NDArray[np.float64],
    light: NDArray[np.float64],
    known: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Which tiles are backs that bear a print like a letter.

    They all show the same one, and what makers print there is finer than a letter, so that it
    stands out less.

    Args:
        letter: (N,) which letter each tile seems to show.
        contrast: (N,) see `contrasts`.
        light: (N,) see `contrasts`.
        known: (N,) whose contrast may be compared.
    """
    shown = contrast / np.maximum(light, 1.0)
    backs = np.zeros(len(letter), bool)
    for one in np.flatnonzero(np.bincount(letter[known]) >= MANY):
        others = shown[known & (letter != one)]
        if len(others) < FEW:
            continue
        faint = known & (letter == one) & (shown < FAINTER * np.median(others))
        if faint.sum() >= MANY and np.ptp(np.log(shown[faint] + 1e-3)) < np.log(ALIKE):
            backs |= faint
    return backs


def towards_face(
    no_letter: NDArray[np.float64], contrast: NDArray[np.float64], more_backs: int
) -> NDArray[np.float64]:
    """What the other tiles say for each tile's lying face up, in nats.

    Args:
        no_letter: (N,) probability that a tile shows no letter, by its own look.
        contrast: (N,) see `contrasts`.
        more_backs: how many other tiles surely lie face down.
    """
    face, back = no_letter < SURE_FACE, no_letter > SURE_BACK
    backs = int(back.sum()) + more_backs
    common = COMMON * np.log((face.sum() + 1) / (backs + 1))
    said = np.full(len(no_letter), common)
    if face.sum() >= ENOUGH and back.sum() >= ENOUGH:
        shown = np.log(np.maximum(contrast, 2.0))
        as_face = (shown - np.median(shown[face])) ** 2
        as_back = (shown - np.median(shown[back])) ** 2
        said += np.clip((as_back - as_face) / (2 * SPREAD**2), -MOST, MOST)
    return said
