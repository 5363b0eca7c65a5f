"""How good a view of a board is, and what people can do about it, in words."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid, rectify

GOOD_SQUARE_PX = 14.0
DARK_LEVEL = 45.0
GLARE_LEVEL = 250
BURNT = 0.34
"""Part of a square from which glare may hide its letter."""
BLURRED = 2.2


@dataclass(frozen=True, slots=True)
class ViewQuality:
    """Measures of one view.

    Attributes:
        square_px: mean side of a square, pixels.
        smallest_square_px: side along the board's farthest edge.
        brightness: mean grey level of the board, 0 to 255.
        glare_squares: squares (row, col) of which a third or more is burnt out.
        sharpness: mean gradient against the contrast, larger is sharper.
        tilt_deg: the camera against straight above, estimated.
        fit: 0 to 1, how well the lattice fits.
        in_picture: whether the whole playing area is in the picture.
    """

    square_px: float
    smallest_square_px: float
    brightness: float
    glare_squares: tuple[tuple[int, int], ...]
    sharpness: float
    tilt_deg: float
    fit: float
    in_picture: bool


def judge_view(picture: Picture | Pyramid, geometry: BoardGeometry) -> ViewQuality:
    """Measure a view of a board."""
    n = geometry.size
    px = 16
    flat = rectify(picture, geometry, px, (0.0, 0.0), (float(n), float(n)))
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    burnt = _burnt_share(flat, n) > BURNT
    # A board that is white all over is no glare: glare is a part that outshines the rest.
    glare = burnt if burnt.mean() < 0.4 else np.zeros_like(burnt)
    gx = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    gy = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strongest = grey.size // 20
    edges = np.partition(cv2.magnitude(gx, gy).ravel(), -strongest)[-strongest:]
    dark, bright = np.percentile(grey, (3, 97))
    contrast = float(bright - dark) + 4.0
    corners = geometry.corners_px
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1) / n
    inside = ((corners >= 0) & (corners <= (geometry.width, geometry.height))).all()
    return ViewQuality(
        square_px=float(sides.mean()),
        smallest_square_px=float(sides.min()),
        brightness=float(grey.mean()),
        glare_squares=tuple((int(r), int(c)) for r, c in np.argwhere(glare)),
        sharpness=float(edges.mean() / contrast),
        tilt_deg=_tilt(corners),
        fit=geometry.quality,
        in_picture=bool(inside),
    )


def _burnt_share(flat: Picture, squares: int) -> NDArray[np.float32]:
    """How much of each square is burnt out in every colour, (squares, squares)."""
    least = cv2.min(cv2.min(flat[..., 0], flat[..., 1]), flat[..., 2])
    burnt = (least >= GLARE_LEVEL).astype(np.float32)
    share = cv2.resize(burnt, (squares, squares), interpolation=cv2.INTER_AREA)
    return np.asarray(share, np.float32)


def _tilt(corners: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    """About how far the camera stands from straight above, from how the square is squeezed."""
    m = cv2.getPerspectiveTransform(
        np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), corners.astype(np.float32)
    )
    x, y = m[:2, 0] - m[2, 0] * m[:2, 2], m[:2, 1] - m[2, 1] * m[:2, 2]
    s = np.linalg.svd(np.column_stack([x, y]), compute_uv=False)
    return float(np.rad2deg(np.arccos(np.clip(s[1] / max(s[0], 1e-9), 0, 1))))


def advice(q: ViewQuality) -> tuple[str, ...]:
    """What to do, most important first; nothing where the view is good."""
    said: list[str] = []
    if not q.in_picture:
        said.append(
            "A corner of the board is outside the picture: move the camera back or turn it."
        )
    if q.smallest_square_px < GOOD_SQUARE_PX:
        want = GOOD_SQUARE_PX
        said.append(
            f"Move closer or use a larger picture: a square is {q.smallest_square_px:.0f} pixels wide, {want:.0f} are needed."  # noqa: E501
        )
    if q.brightness < DARK_LEVEL:
        said.append("It is too dark: switch on a lamp or raise the exposure.")
    if q.glare_squares:
        names = ", ".join(
            f"{chr(65 + r)}{c + 1}" if r < 26 else f"row {r + 1}" for r, c in q.glare_squares[:4]
        )
        more = len(q.glare_squares) - 4
        said.append(
            f"Glare at {names}{f' and {more} more' if more > 0 else ''}: move the lamp or the camera."  # noqa: E501
        )
    if q.sharpness < BLURRED:
        said.append(
            "The picture is blurred: wait for the focus, wipe the lens or hold the camera still."
        )
    if q.tilt_deg > 55:
        said.append(f"The camera looks in very low ({q.tilt_deg:.0f} degrees): raise it.")
    if q.fit < 0.8:
        said.append(
            "The board's squares are hard to make out: clear what covers it, or drag the corners into place."  # noqa: E501
        )
    return tuple(said)


def summary(q: ViewQuality) -> str:
    """The view in one sentence."""
    said = advice(q)
    grade = (
        "good" if not said else "usable" if q.fit >= 0.6 and q.smallest_square_px >= 9 else "poor"
    )
    return f"The view is {grade}: {q.square_px:.0f} pixels a square, tilt {q.tilt_deg:.0f} degrees, fit {100 * q.fit:.0f} %."  # noqa: E501
