"""Photographs scaled down for a page, with outlines of what was read in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.app.reading.frames import encode_jpeg
from kibitz.app.reading.lines import square_name
from kibitz.app.reading.pictures import FileReading
from kibitz.app.tables.results.html_replay import LONGEST_PX, SeenTile, SmallPhoto
from kibitz.vision.frame import Picture, PictureError, load_picture
from kibitz.vision.overlay import squares_to_picture
from kibitz.vision.readings import COVERED_KIND, TILE_KIND, GridReading, PhotoReading


def small_photo(found: FileReading, board: int | None = 0) -> SmallPhoto | None:
    """A scaled-down photograph with its reading; None if it could not be opened."""
    picture = found.picture
    if picture is None:
        try:
            picture, _ = load_picture(found.file)
        except PictureError:
            return None
    shot = made_small(picture)
    scale = min(1.0, LONGEST_PX / max(picture.shape[:2]))
    reading = found.reading
    if reading is None:
        return shot
    if board is not None and board < len(reading.boards):
        return _with_board(shot, reading.boards[board], scale)
    return _with_loose(shot, reading, scale)


def made_small(picture: Picture) -> SmallPhoto:
    """A scaled-down picture without outlines."""
    height, width = picture.shape[:2]
    scale = min(1.0, LONGEST_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return SmallPhoto(encode_jpeg(picture, LONGEST_PX), *size)


def _with_board(shot: SmallPhoto, board: GridReading, scale: float) -> SmallPhoto:
    seen = []
    kind = board.kind_log_prob.argmax(-1)
    best = board.letter_log_prob.argmax(-1)
    sure = np.exp(board.kind_log_prob.max(-1) + board.letter_log_prob.max(-1))
    for r, c in zip(*np.nonzero((kind == TILE_KIND) | (kind == COVERED_KIND)), strict=True):
        square = np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], float)
        outline = squares_to_picture(board, square) * scale
        letter = board.labels[best[r, c]] if kind[r, c] == TILE_KIND else "#"
        name = square_name(int(r), int(c), board.size)
        seen.append(replace(_seen(letter, outline, float(sure[r, c])), square=name))
    corners = tuple((float(x) * scale, float(y) * scale) for x, y in board.corners_px)
    return replace(shot, corners=corners, seen=tuple(seen))


def _with_loose(shot: SmallPhoto, reading: PhotoReading, scale: float) -> SmallPhoto:
    seen = []
    for tile in reading.loose:
        if tile.face_up:
            box = (tile.centre_px, (tile.size_px, tile.size_px), tile.angle_deg)
            seen.append(_seen(tile.letter, cv2.boxPoints(box) * scale, tile.confidence))
    return replace(shot, seen=tuple(seen))


def _seen(letter: str, outline: NDArray[Any], sure: float) -> SeenTile:
    points = tuple((float(x), float(y)) for x, y in outline)
    side = float(np.linalg.norm(outline[0] - outline[1]))
    return SeenTile(letter, points, side, sure)
