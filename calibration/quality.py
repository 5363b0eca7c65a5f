"""Judges the view of a board, and says what people can do about it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import NO_BOARD
from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid, rectify
from kibitz.calibration.lattice import LATTICE
from kibitz.engine.parameters import checked, number
from kibitz.engine.phrases import SquareName, counted, listed, phrase

SQUARE_PX: Final = 16
"""Pixels a square at which a view is judged, as its limits ask for."""


@dataclass(frozen=True, slots=True)
class ViewRule:
    """Thresholds at which people are advised about the view."""

    good_square_px: float = number(14.0, "pixels", 4.0, 60.0, "smaller squares are hard to read")
    dark: float = number(45.0, "grey levels", 0.0, 255.0, "a board that is darker is too dark")
    burnt_level: int = number(254, "grey levels", 1, 255, "a pixel is burnt out from here on")
    burnt_share: float = number(
        0.34, "of a square", 0.0, 1.0, "from here on glare may hide a square's letter"
    )
    sharp: float = number(
        1.8,
        "gradient / contrast",
        0.0,
        20.0,
        "a board whose edges are softer is so blurred that letters begin to be misread",
    )
    noise: float = number(4.0, "grey levels", 0.0, 255.0, "no more contrast than that is noise")
    extreme: float = number(
        0.05,
        "of the pixels",
        0.0,
        0.4,
        "the strongest edges, so many, tell how sharp a picture is; what contrast it has is told "
        "without as many, half of them the darkest, half the brightest",
    )
    least_seen: float = number(
        0.2, "of the squares", 0.0, 1.0, "where less is in sight nobody can say how sharp it is"
    )
    low: float = number(55.0, "degrees", 0.0, 90.0, "a camera that is more tilted looks in low")

    def __post_init__(self) -> None:
        checked(self)

    @property
    def ends(self) -> tuple[float, float]:
        """Percentiles between which contrast is measured."""
        return 50 * self.extreme, 100 - 50 * self.extreme


VIEW: Final = ViewRule()


@dataclass(frozen=True, slots=True)
class ViewQuality:
    """Measurements of one view.

    Attributes:
        square_px: mean side of a square, pixels.
        smallest_square_px: side along the board's farthest edge.
        brightness: mean grey level of the board, 0 to 255.
        glare_squares: squares (row, col) of which a third or more is burnt out.
        sharpness: mean gradient against the contrast where no hand is, larger is sharper; infinite
            where hands leave too little in sight to tell.
        tilt_deg: the camera against straight above, as the board's middle is seen.
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


def judge_view(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    covered: NDArray[np.bool_] | None = None,
) -> ViewQuality:
    """Measure a view of a board.

    Args:
        picture: (h, w, 3) BGR.
        geometry: where the board lies in it.
        covered: (squares, squares) where a hand or an arm is: it moves, and tells nothing of how
            sharp the picture of the board is. None: nowhere.
    """
    n = geometry.size
    corners = geometry.corners_px
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1) / n
    # no finer than the picture shows it: what is enlarged has soft edges, however sharp it was
    px = max(1, min(SQUARE_PX, int(sides.min())))
    # straightened at twice that: nothing that shows is lost by it
    twice = rectify(picture, geometry, 2 * px, (0.0, 0.0), (float(n), float(n)), once=True)
    fine = cv2.cvtColor(twice, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = np.asarray(cv2.resize(fine, (n * px, n * px), interpolation=cv2.INTER_AREA), np.float32)
    burnt = _burnt_share(twice, n, VIEW.burnt_level) > VIEW.burnt_share
    # A board most of which is white is no glare: glare is a part that outshines the rest.
    glare = burnt if burnt.mean() < 0.5 else np.zeros_like(burnt)
    hidden = np.zeros_like(glare) if covered is None else covered
    inside = ((corners >= 0) & (corners <= (geometry.width, geometry.height))).all()
    return ViewQuality(
        square_px=float(sides.mean()),
        smallest_square_px=float(sides.min()),
        brightness=float(grey.mean()),
        glare_squares=tuple((int(r), int(c)) for r, c in np.argwhere(glare)),
        # a lamp's edge is soft, and outshines those of the board
        sharpness=_sharpness(grey, _at_rest(hidden | glare), px),
        tilt_deg=math.degrees(math.atan(geometry.slant)),
        fit=geometry.quality,
        in_picture=bool(inside),
    )


def _at_rest(covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(squares, squares) bool: neither hand nor glare, nor their edges."""
    if not covered.any():
        return np.ones_like(covered)
    reached = cv2.dilate(covered.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(reached == 0)


def _sharpness(grey: NDArray[np.float32], at_rest: NDArray[np.bool_], px: int) -> float:
    """Strongest edges relative to the contrast, where nothing covers the board."""
    if at_rest.mean() < VIEW.least_seen:
        return math.inf
    gradient = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    inside = np.repeat(np.repeat(at_rest, px, 0), px, 1)
    # to sort all of them is quicker than to part them
    edges, levels = np.sort(gradient[inside]), np.sort(grey[inside])
    strong = edges[-max(1, round(edges.size * VIEW.extreme)) :]
    last = levels.size - 1
    dark, bright = np.interp(np.array(VIEW.ends) / 100 * last, np.arange(last + 1), levels)
    # noise has edges too
    contrast = float(bright - dark) + VIEW.noise
    return float(strong.mean() / contrast)


def _burnt_share(flat: Picture, squares: int, level: int) -> NDArray[np.float32]:
    """(squares, squares) share of each square that is burnt out in every colour."""
    burnt = cv2.inRange(flat, (level,) * 3, (255,) * 3).astype(np.float32)
    share = cv2.resize(burnt, (squares, squares), interpolation=cv2.INTER_AREA)
    return np.asarray(share / 255, np.float32)


def is_low(geometry: BoardGeometry) -> bool:
    """True if the camera is so low that letters may be misread."""
    return math.degrees(math.atan(geometry.slant)) > VIEW.low


def faults(q: ViewQuality) -> tuple[str, ...]:
    """Codes of a view's faults, in the order of `advice`; empty if it is good."""
    wrong = {
        "cut_off": not q.in_picture,
        "too_far": q.smallest_square_px < VIEW.good_square_px,
        "too_dark": q.brightness < VIEW.dark,
        "glare": bool(q.glare_squares),
        "blurred": q.sharpness < VIEW.sharp,
        "too_low": q.tilt_deg > VIEW.low,
        "unclear": q.fit < LATTICE.sure_quality,
    }
    return tuple(code for code, is_so in wrong.items() if is_so)


def fault_unseen(brightness: float) -> str:
    """Code of the fault of a picture without a board, by its mean grey level."""
    if brightness < VIEW.dark:
        return "too_dark"
    return "too_bright" if brightness > VIEW.burnt_level else "no_board"


def advice(q: ViewQuality) -> tuple[str, ...]:
    """Advice about a view, most important first; empty if it is good."""
    return tuple(remedy(code, q) for code in faults(q))


def remedy(code: str, q: ViewQuality) -> str:
    """Advice about one fault of a view."""
    match code:
        case "cut_off":
            return phrase(
                "A corner of the board is outside the picture: move the camera back or turn it."
            )
        case "too_far":
            return phrase(
                "Move closer or use a larger picture: a square is {pixels} pixels wide, "
                "{needed} are needed.",
                pixels=round(q.smallest_square_px),
                needed=round(VIEW.good_square_px),
            )
        case "too_dark":
            return phrase("It is too dark: switch on a lamp or raise the exposure.")
        case "glare":
            return _glare_at(q.glare_squares)
        case "blurred":
            return phrase(
                "The picture is blurred: wait for the focus, wipe the lens or hold the "
                "camera still."
            )
        case "too_low":
            return phrase(
                "The camera looks in very low ({degrees} degrees): raise it.",
                degrees=round(q.tilt_deg),
            )
        case _:
            return phrase(
                "The board's squares are hard to make out: clear what covers it, or drag the "
                "corners into place."
            )


def _glare_at(where: tuple[tuple[int, int], ...]) -> str:
    """Places of glare, by the first four squares."""
    squares = listed((_place(r, c) for r, c in where[:4]), ", ")
    more = len(where) - 4
    if more <= 0:
        return phrase("Glare at {squares}: move the lamp or the camera.", squares=squares)
    return counted(
        "Glare at {squares} and {count} more: move the lamp or the camera.",
        "Glare at {squares} and {count} more: move the lamp or the camera.",
        more,
        squares=squares,
    )


def _place(row: int, col: int) -> str:
    """Name of a square; beyond row Z, as on nine joined boards, only its row."""
    if row < 26:
        return SquareName(f"{chr(65 + row)}{col + 1}")
    return phrase("row {number}", number=row + 1)


def advice_mirrored() -> str:
    """Advice about a mirrored picture."""
    return phrase("The picture is mirrored: it is read as it is meant.")


def advice_unseen(brightness: float) -> str:
    """Advice about a picture without a board, by its mean grey level."""
    match fault_unseen(brightness):
        case "too_dark":
            return phrase("It is too dark to see a board: switch on a lamp.")
        case "too_bright":
            return phrase("The picture is washed out: turn the camera away from the light.")
        case _:
            return NO_BOARD


def summary(q: ViewQuality) -> str:
    """A sentence about the view."""
    usable = q.fit >= LATTICE.least_quality
    grade = "good" if not advice(q) else "usable" if usable else "poor"
    return (
        f"The view is {grade}: {q.square_px:.0f} pixels a square, "
        f"tilt {q.tilt_deg:.0f} degrees, fit {100 * q.fit:.0f} %."
    )
