"""Fits a board's lattice to a picture with subpixel accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from sys import float_info
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import (
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    inverse,
    rectify,
)
from kibitz.engine.parameters import checked, number
from kibitz.engine.table import SIDE

LatticeModel = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""(N, 256, 256, 3) pictures to (N, 4, 16, 16): x and y shift in squares, log spread, presence."""

SQUARE_PX: Final = 13
"""The side of a square in the pictures that the model was trained on."""
INPUT_PX: Final = 256
CELLS: Final = 16
MARGIN: Final = (INPUT_PX / SQUARE_PX - SIDE) / 2
STEPS: Final = 6
"""A fit takes at most so many steps, each of which squares what is left of the fault."""
SETTLED: Final = 1e-2
"""A step that changes the map's numbers by less is the last: another would change rounding."""


@dataclass(frozen=True, slots=True)
class LatticeRule:
    """Parameters of the lattice fit."""

    rounds: int = number(4, "looks", 1, 12, "a lattice is looked at and fitted so often")
    lens_doubt: float = number(
        0.0056, "weight", 0.0, 10.0, "how firmly the lens is held near no bend at all"
    )
    near_squares: float = number(
        0.15,
        "squares",
        0.01,
        1.0,
        "a lattice that moved less needs no other look; twice that, and its lens is fitted",
    )
    reach: int = number(2, "squares", 1, 4, "a lattice may lie so far from its board's place")
    fair_squares: float = number(
        0.05,
        "squares",
        0.0,
        0.5,
        "half of the cells may be so far off at no cost, nearly all where it lies right; what is "
        "twice as far off counts less",
    )
    fall: float = number(
        4.0, "1 / squares", 0.1, 50.0, "how fast the quality falls as cells are further off"
    )
    most_cells: float = number(
        0.9, "share", 0.5, 1.0, "such a part of the cells says how far off the lattice is"
    )
    strays: float = number(
        0.2, "quality", 0.0, 1.0, "by up to so much less where one cell in ten lies far off"
    )
    least_quality: float = number(0.7, "quality", 0.0, 1.0, "what fits worse is no board")
    sure_quality: float = number(0.8, "quality", 0.0, 1.0, "what fits so well surely is one")

    def __post_init__(self) -> None:
        checked(self)


LATTICE: Final = LatticeRule()


@cache
def cell_points() -> Points:
    """Lattice points of the model's cells, (256, 2)."""
    at = (np.arange(CELLS) + 0.5) * INPUT_PX / CELLS / SQUARE_PX - MARGIN
    xx, yy = np.meshgrid(at, at)
    points = np.stack([xx.ravel(), yy.ravel()], -1)
    points.setflags(write=False)
    return points


@dataclass(frozen=True, slots=True, eq=False)
class StraightView:
    """Picture of a board, (256, 256, 3), for the model, and the assumed lattice."""

    straight: Picture
    geometry: BoardGeometry


def predict(
    picture: Picture | Pyramid, geometry: BoardGeometry, model: LatticeModel
) -> tuple[Points, Points, Points, Points]:
    """The model's answers about an assumed lattice of 15 squares.

    Returns:
        px (256, 2) where each cell lies, lattice (256, 2) where it says that is, weight (256,),
        none of what lies outside the picture, and presence (256,) the probability that it is on a
        playing area.
    """
    return _predict_on(straighten_for_model(picture, geometry), model)


def straighten_for_model(picture: Picture | Pyramid, geometry: BoardGeometry) -> StraightView:
    """Picture of a board for the model."""
    n = INPUT_PX / SQUARE_PX
    return StraightView(
        rectify(picture, geometry, SQUARE_PX, (-MARGIN, -MARGIN), (n, n)), geometry
    )


def _predict_on(seen: StraightView, model: LatticeModel) -> tuple[Points, Points, Points, Points]:
    here, geometry = cell_points(), seen.geometry
    out = model(seen.straight[None])[0].reshape(4, -1).astype(np.float64)
    present = 1 / (1 + np.exp(-out[3]))
    px = geometry.to_px(here)
    spread = np.minimum(np.maximum(out[2], -5), 3)
    weight = np.exp(-spread) * present * geometry.in_picture(px)
    return px, here + out[:2].T, weight, present


def fit(
    px: Points,
    lattice: Points,
    weight: Points,
    start: BoardGeometry,
    *,
    lens: bool,
) -> BoardGeometry:
    """Homography (and k1) that maps lattice points best to pixels.

    Robust Gauss-Newton from `start`: residuals are measured in squares on the lattice, with
    Huber weights, and k1 is held near its starting value.
    """
    w, h = start.width, start.height
    # Pixels are brought to unit size so that the eight numbers are of like magnitude.
    half = np.array([[w / 2], [h / 2]])
    from_unit = np.array([(w / 2, 0.0, 0.0), (0.0, h / 2, 0.0), (0.0, 0.0, 1.0)])
    m = inverse(start.homography) @ from_unit
    m /= m[2, 2]
    k1 = start.k1
    off = px.T - half
    # What a unit of k1 moves each point by.
    bend = off * ((off * off).sum(0) * 4 / (w * w + h * h)) / half
    plain, target = px.T / half, lattice.T
    free = 9 if lens else 8
    at = np.ones((3, len(px)))
    jac = np.zeros((free, 2, len(px)))
    for _ in range(STEPS):
        at[:2] = plain + k1 * bend
        there = m @ at
        z = 1 / there[2]
        here, seen_at = there[:2] * z, at * z
        residual = target - here
        off_by = np.sqrt((residual * residual).sum(0))
        robust = weight / np.maximum(1.0, off_by / (2 * LATTICE.fair_squares))
        jac[:3, 0] = jac[3:6, 1] = seen_at
        np.multiply(here, -seen_at[:2, None], out=jac[6:8])
        if lens:
            bent = m[:, :2] @ (bend * z)
            jac[8] = bent[:2] - here * bent[2]
        weighted = (jac * robust).reshape(free, -1)
        lhs = weighted @ jac.reshape(free, -1).T
        rhs = weighted @ residual.reshape(-1, 1)
        if lens:
            pull = robust.sum() * LATTICE.lens_doubt
            lhs[8, 8] += pull
            rhs[8] -= pull * k1
        solved, delta = cv2.solve(lhs, rhs)
        if not solved:
            raise np.linalg.LinAlgError("the points do not tell the map")
        m.flat[:8] += delta[:8, 0]
        if lens:
            k1 += float(delta[8, 0])
        if np.abs(delta).max() < SETTLED:
            break
    return replace(start, homography=from_unit @ inverse(m), k1=k1)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A lattice after a look at it.

    `moved` says how far its corners went, in squares; `off` how far from it most of its cells
    at most say they lie; `seen` is what the model was shown, None where nothing fits.
    """

    geometry: BoardGeometry
    moved: float
    off: float
    seen: StraightView | None


def refine(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    model: LatticeModel,
    rounds: int | None = None,
    *,
    alone: bool = True,
) -> BoardGeometry:
    """The board with its lattice fitted; `quality` is the confidence (0 to 1).

    A panel of joined boards is not `alone`: its place is known from the whole, so that its lens is
    fitted at once.
    """
    *_, last = fit_steps(picture, geometry, model, rounds, alone=alone)
    return last.geometry


def fit_steps(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    model: LatticeModel,
    rounds: int | None = None,
    *,
    alone: bool = True,
) -> Iterator[Fit]:
    """Yield the lattices on the way to `refine`'s, one for each look; at least one."""
    rounds = LATTICE.rounds if rounds is None else rounds
    near = False  # a lens is fitted only once the frame is about right: it bends to a wrong one
    for _ in range(rounds):
        seen = straighten_for_model(picture, geometry)
        px, lattice, weight, present = _predict_on(seen, model)
        if weight.sum() < float_info.epsilon:
            yield _none(geometry)
            return
        try:
            # A board that the picture cuts off does not tell a lens from a tilt, and its corners
            # outside would move far.
            whole = bool(geometry.in_picture(geometry.corners_px).all())
            fitted = fit(px, lattice, weight, geometry, lens=near and whole)
            if not near and whole and _corner_shift(geometry, fitted) < 2 * LATTICE.near_squares:
                fitted = fit(px, lattice, weight, fitted, lens=True)
        except np.linalg.LinAlgError:
            yield _none(geometry)
            return
        moved = _corner_shift(geometry, fitted)
        if not np.isfinite(moved):
            yield _none(geometry)
            return
        near = moved < 2 * LATTICE.near_squares or not alone
        here = fitted.to_lattice(px)
        in_sight = weight > 0
        inside = in_sight & ((here > 0) & (here < SIDE)).all(1)
        share, tight, off = 0.0, 1.0, np.inf
        if count := int(np.count_nonzero(inside)):
            share = float(present @ inside / count)
            left = lattice[inside] - here[inside]
            apart = np.sort(np.hypot(left[:, 0], left[:, 1]))
            most = min(int(count * LATTICE.most_cells), count - 1)
            tight, off = float(apart[count // 2]), float(apart[most])
        at_best = 1 - LATTICE.strays * (1 - fits(off))
        geometry = replace(fitted, quality=min(share * fits(tight), at_best))
        yield Fit(geometry, moved, off, seen)
        if moved < LATTICE.near_squares:
            break


def fits(apart: float) -> float:
    """Quality of a fit, 0 to 1, from the median distance of points in squares."""
    return float(np.exp(-max(0.0, apart - LATTICE.fair_squares) * LATTICE.fall))


def _none(geometry: BoardGeometry) -> Fit:
    return Fit(replace(geometry, quality=0.0), np.inf, np.inf, None)


def _corner_shift(before: BoardGeometry, after: BoardGeometry) -> float:
    """Movement of the corners, in squares."""
    n = float(before.size)
    corners = np.array([(0.0, 0.0), (n, 0.0), (n, n), (0.0, n)])
    return float(np.abs(after.to_lattice(before.corners_px) - corners).max())


def reframed(geometry: BoardGeometry, sides: tuple[float, float, float, float]) -> BoardGeometry:
    """The geometry whose 15 squares fill the given rectangle."""
    x0, y0, x1, y1 = sides
    m = np.array([[(x1 - x0) / SIDE, 0, x0], [0, (y1 - y0) / SIDE, y0], [0, 0, 1.0]])
    return replace(geometry, homography=geometry.homography @ m, quality=1.0)
