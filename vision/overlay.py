"""Draws a reading on its photograph."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.vision.frame import Picture
from kibitz.vision.readings import (
    COVERED_KIND,
    MARKER_KIND,
    SURE,
    TILE_KIND,
    GridReading,
    PhotoReading,
)

LETTERS: Final = Path(__file__).with_name("open-sans-bold.woff2")
"""A typeface that has the letters of all tile sets (`datasets/fonts/merge_letters.py`)."""
LABEL: Final = 0.8
"""How high a letter is, of its square or tile."""


def bgr(name: str) -> tuple[int, int, int]:
    """OpenCV's colour for a colour of web pages (`#ffd250`)."""
    red, green, blue = bytes.fromhex(name.removeprefix("#"))
    return blue, green, red


_GRID = bgr("#00c8ff")
_SURE, _FAIR, _DOUBT = bgr("#3cc846"), bgr("#ffbe00"), bgr("#f03c3c")
_COVERED, _CARD, _ROW_A = bgr("#a0a0a0"), bgr("#2878e6"), bgr("#ffffff")
_LINE_SHARE: Final = 0.5
"""How far the lattice hides what lies under it."""
_TILE_LIGHT: Final = 0.35
"""How bright a tile stays under the letter that was read on it."""
_Label = tuple[str, tuple[float, float], float, tuple[int, int, int]]
"""Text, its middle (pixels), its height (pixels), its colour (BGR)."""


def draw_overlay(picture: Picture, reading: PhotoReading) -> Picture:
    """The picture with lattice, letters and their confidence (green, amber, red).

    Args:
        picture: (h, w, 3) uint8 BGR, left as it is.
        reading: what was read from it.

    Returns:
        A new picture of the same shape.
    """
    lines = picture.copy()
    for board in reading.boards:
        _draw_lattice(lines, board)
    canvas = np.asarray(cv2.addWeighted(lines, _LINE_SHARE, picture, 1 - _LINE_SHARE, 0), np.uint8)
    labels: list[_Label] = []
    for board in reading.boards:
        _draw_squares(canvas, board, labels)
    for tile in reading.loose:
        colour = _confidence_colour(tile.confidence) if tile.face_up else _COVERED
        centre = (round(tile.centre_px[0]), round(tile.centre_px[1]))
        box = cv2.boxPoints((centre, (tile.size_px, tile.size_px), tile.angle_deg))
        quad = np.round(box).astype(np.int32)
        if tile.face_up:
            _darken(canvas, quad)
        cv2.polylines(canvas, [quad], True, colour, 2, cv2.LINE_AA)
        if tile.face_up:
            labels.append((tile.letter, tile.centre_px, tile.size_px * LABEL, colour))
    return _write_labels(canvas, labels)


def save_overlay(picture: Picture, reading: PhotoReading, target: Path) -> None:
    """Draw and write a JPEG (or the format of the target's ending)."""
    target.parent.mkdir(parents=True, exist_ok=True)
    done, data = cv2.imencode(target.suffix or ".jpg", draw_overlay(picture, reading))
    if not done:
        raise OSError(f"cannot write pictures that end in {target.suffix!r}")
    target.write_bytes(np.asarray(data).tobytes())


def squares_to_picture(board: GridReading, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels of points on the board.

    Args:
        board: its corners and size give the projection; lens distortion is left out.
        points: (n, 2) as column and row in squares, (0, 0) the outer corner of A1.

    Returns:
        (n, 2) x and y in pixels.
    """
    return on_picture(board.corners_px, board.size, points)


def on_picture(
    corners_px: NDArray[np.float64], size: int, points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Pixels of points on a board with so many squares a side and these outer corners."""
    n = float(size)
    source = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32)
    homography = cv2.getPerspectiveTransform(source, corners_px.astype(np.float32))
    shaped = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(shaped, homography), np.float64).reshape(-1, 2)


def _draw_lattice(canvas: Picture, board: GridReading) -> None:
    n, thin = board.size, _thin(board)
    for i in range(n + 1):
        ends = squares_to_picture(board, np.array([[0, i], [n, i], [i, 0], [i, n]], float))
        a, b, c, d = [tuple(int(v) for v in np.round(p)) for p in ends]
        edge = _ROW_A if i == 0 else _GRID
        cv2.line(canvas, a, b, edge, 3 * thin if i == 0 else thin, cv2.LINE_AA)
        cv2.line(canvas, c, d, _GRID, thin, cv2.LINE_AA)


def _draw_squares(canvas: Picture, board: GridReading, labels: list[_Label]) -> None:
    n, thin = board.size, _thin(board)
    kind = board.told
    best = board.letter_log_prob.argmax(-1)
    sure = np.exp(board.kind_log_prob.max(-1) + board.letter_log_prob.max(-1))
    side = board.square_px or cv2.arcLength(board.corners_px.astype(np.float32), True) / 4 / n
    for r, c in zip(*np.nonzero(kind > 0), strict=True):
        quad = squares_to_picture(
            board, np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], float)
        )
        colour = {COVERED_KIND: _COVERED, MARKER_KIND: _CARD}.get(
            int(kind[r, c]), _confidence_colour(float(sure[r, c]))
        )
        edge = np.round(quad).astype(np.int32)
        if kind[r, c] == TILE_KIND:
            _darken(canvas, edge)
        cv2.polylines(canvas, [edge], True, colour, thin, cv2.LINE_AA)
        centre = (float(quad[:, 0].mean()), float(quad[:, 1].mean()))
        if kind[r, c] == TILE_KIND:
            labels.append((board.labels[best[r, c]], centre, side * LABEL, colour))
        elif kind[r, c] == COVERED_KIND:
            labels.append(("#", centre, side * LABEL, colour))


def _thin(board: GridReading) -> int:
    return 1 if board.square_px < 60 else 2


def _darken(canvas: Picture, quad: NDArray[np.int32]) -> None:
    """Darken a tile, so that the drawn letter stands out from the printed one."""
    x, y, w, h = cv2.boundingRect(quad)
    x0, y0 = max(0, x), max(0, y)
    part = canvas[y0 : max(y0, y + h), x0 : max(x0, x + w)]
    if part.size == 0:
        return
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, quad - (x0, y0), 255)
    part[mask > 0] = (part[mask > 0] * _TILE_LIGHT).astype(np.uint8)


def _confidence_colour(probability: float) -> tuple[int, int, int]:
    return _SURE if probability > SURE.known else _FAIR if probability > SURE.fair else _DOUBT


def _write_labels(canvas: Picture, labels: list[_Label]) -> Picture:
    """Draw letters with Pillow, as OpenCV's fonts have no umlauts."""
    from PIL import Image, ImageDraw, ImageFont

    if not labels:
        return canvas
    image = Image.fromarray(np.ascontiguousarray(canvas[:, :, ::-1]))
    pen = ImageDraw.Draw(image)
    fonts: dict[int, ImageFont.FreeTypeFont] = {}
    for text, centre, size, colour in labels:
        points = max(9, round(size))
        font = fonts.setdefault(points, ImageFont.truetype(LETTERS, points))
        pen.text(
            centre,
            text,
            fill=(colour[2], colour[1], colour[0]),
            font=font,
            anchor="mm",
            stroke_width=max(1, points // 12),
            stroke_fill=(0, 0, 0),
        )
    return np.ascontiguousarray(np.asarray(image, dtype=np.uint8)[:, :, ::-1])
