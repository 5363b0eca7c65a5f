"""Telling a face with a plain letter from a printed back by the other tiles of the picture.

An O or an I without a numeral may be the maker's mark on a back, and the grain of a wooden back
may look like a letter. The backs of one set look alike, and where nearly all other tiles lie face
up, this one most likely does too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.vision.readings import SURE

LEAST_CONTRAST: Final = 2.0
"""Grey levels: less is noise, and its logarithm would say much."""


@dataclass(frozen=True, slots=True)
class FaceRules:
    """What tells a face from a back beside the other tiles of the picture."""

    common: float = number(
        0.5, "share", 0.0, 1.0, "what the number of known ones says, of what it would if drawn"
    )
    spread: float = number(
        0.6, "natural log", 0.05, 5.0, "how far a tile's contrast is from its like's"
    )
    most: float = number(2.0, "nats", 0.0, 20.0, "the most that contrast says")
    plain_part: float = number(
        0.33, "share", 0.0, 1.0, "with less than this part of the contrast of faces it is a back"
    )
    fainter: float = number(
        0.7, "share", 0.0, 1.0, "a print on backs has less than this part of a letter's contrast"
    )
    alike: float = number(
        1.35, "times", 1.0, 10.0, "among backs with one print contrast varies by no more"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = FaceRules()


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
    contrast: NDArray[np.float64],
    light: NDArray[np.float64],
    face: NDArray[np.float64],
    rules: FaceRules = RULES,
) -> NDArray[np.bool_]:
    """Which tiles are so plain beside those that surely lie face up that no letter is sought.

    Args:
        contrast: (N,) see `contrasts`.
        light: (N,) see `contrasts`; in a shadow there is less of both.
        face: (N,) probability of lying face up, by how a tile looks from afar.
        rules: how plain a back is.
    """
    shown = contrast / np.maximum(light, 1.0)
    faces = face > SURE.tile
    if faces.sum() < SURE.few:
        return np.zeros(len(face), bool)
    usual = np.median(shown[faces])
    return np.asarray(~faces & (shown < rules.plain_part * usual))


def printed_backs(
    letter: NDArray[np.intp],
    contrast: NDArray[np.float64],
    light: NDArray[np.float64],
    known: NDArray[np.bool_],
    rules: FaceRules = RULES,
) -> NDArray[np.bool_]:
    """Which tiles are backs that bear a print like a letter.

    They all show the same one, and what makers print there is finer than a letter, so that it
    stands out less.

    Args:
        letter: (N,) which letter each tile seems to show.
        contrast: (N,) see `contrasts`.
        light: (N,) see `contrasts`.
        known: (N,) whose contrast may be compared.
        rules: how such prints look.
    """
    shown = contrast / np.maximum(light, 1.0)
    backs = np.zeros(len(letter), bool)
    for one in np.flatnonzero(np.bincount(letter[known]) > SURE.few):
        others = shown[known & (letter != one)]
        if len(others) < SURE.few:
            continue
        faint = known & (letter == one) & (shown < rules.fainter * np.median(others))
        if faint.sum() > SURE.few and shown[faint].max() < rules.alike * shown[faint].min():
            backs |= faint
    return backs


def towards_face(
    no_letter: NDArray[np.float64],
    contrast: NDArray[np.float64],
    more_backs: int,
    rules: FaceRules = RULES,
) -> NDArray[np.float64]:
    """What the other tiles say for each tile's lying face up, in nats.

    Args:
        no_letter: (N,) probability that a tile shows no letter, by its own look.
        contrast: (N,) see `contrasts`.
        more_backs: how many other tiles surely lie face down.
        rules: how much they say.
    """
    face, back = no_letter < 1 - SURE.tile, no_letter > SURE.tile
    backs = int(back.sum()) + more_backs
    common = rules.common * np.log((face.sum() + 1) / (backs + 1))
    said = np.full(len(no_letter), common)
    if min(face.sum(), back.sum()) >= SURE.few:
        shown = np.log(np.maximum(contrast, LEAST_CONTRAST))
        as_face = (shown - np.median(shown[face])) ** 2
        as_back = (shown - np.median(shown[back])) ** 2
        said += np.clip((as_back - as_face) / (2 * rules.spread**2), -rules.most, rules.most)
    return said
