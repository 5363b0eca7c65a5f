"""Decodes JPEGs at half or quarter size, and in full only when needed.

A JPEG of a half or a quarter of the size comes out of its file without the rest: what is seen of
it as a whole (whether anything moved, whether a square changed) seldom needs all of it.
"""

from __future__ import annotations

import cv2
import numpy as np

from kibitz.calibration.board_geometry import Picture, Pyramid
from kibitz.vision.frame import decode_picture, size_of_plain_jpeg

_REDUCED = (
    cv2.IMREAD_COLOR,
    cv2.IMREAD_REDUCED_COLOR_2,
    cv2.IMREAD_REDUCED_COLOR_4,
    cv2.IMREAD_REDUCED_COLOR_8,
)


def open_packed(data: bytes, finest: int = 0, name: str = "the picture") -> Pyramid:
    """Pyramid of a picture file, decoded on demand.

    Args:
        data: the file.
        finest: how often halved it is wanted; what is finer is unpacked when somebody asks.
        name: what messages call it.

    Raises:
        PictureError: the bytes are no picture, a damaged one or one that is too large.
    """
    size = size_of_plain_jpeg(data) if finest > 0 else None
    if size is None:
        return Pyramid(decode_picture(data, name))
    return Packed(data, size, min(finest, len(_REDUCED) - 1), name)


class Packed(Pyramid):
    """Pyramid of a JPEG; larger levels are decoded from the file, not scaled up.

    Raises:
        PictureError: the file is damaged.
    """

    def __init__(self, data: bytes, size: tuple[int, int], finest: int, name: str) -> None:
        self._begin(size)
        self._data, self._name = data, name
        self.level(finest)

    def _made(self, k: int) -> Picture:
        if self._levels and k > min(self._levels):
            return super()._made(k)
        reduced = None
        if k > 0:
            reduced = cv2.imdecode(np.frombuffer(self._data, np.uint8), _REDUCED[k])
        if reduced is None:  # what is damaged says so here
            return decode_picture(self._data, self._name)
        height, width = self.shape
        return np.asarray(reduced[: height >> k, : width >> k], np.uint8)
