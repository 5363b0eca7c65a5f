"""Fitting a board's lattice to a picture to a fraction of a pixel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

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

LatticeModel = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""(N, 256, 256, 3) pictures to (N, 4, 16, 16): x and y shift in squares, log spread, presence."""

SQUARE_PX = 13
INPUT_PX = 256
CELLS = 16
MARGIN = (INPUT_PX / SQUARE_PX - 15) / 2
SETTLED = 1e-2
"""A fit that moves by less, in squares, is done."""
ROUGHLY = 0.5
"""A lattice that moved by less, in squares, was about right."""
LITTLE = 0.3
"""A lattice that moved by less, in squares, is right to a tenth of one, with its lens fitted."""
MOST_MOVES = 2
"""How often the frame may go on by whole squares; each costs a look that counts for nothing."""
MOST_LENS = 0.16
"""No camera's k1 is larger: a fit that wants more is about to bend to a wrong frame."""
NEAR, VERY_NEAR = 0.15, 0.04
"""Another look at a lattice that moved by less, in squares, tells no more: after two or one."""


@cache
def cell_points() -> Points:
    """Lattice points of the model's cells, (256, 2)."""
    at = (np.arange(CELLS) + 0.5) * INPUT_PX / CELLS / SQUARE_PX - MARGIN
    xx, yy = np.meshgrid(at, at)
    points = np.stack([xx.ravel(), yy.ravel()], -1)
    points.setflags(write=False)
    return points


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The picture of a board, (256, 256, 3), that the model was shown, and the lattice assumed."""

    straight: Picture
    geometry: BoardGeometry


def look(
    picture: Picture | Pyramid, geometry: BoardGeometry, model: LatticeModel
) -> tuple[Points, Points, Points, Points]:
    """What the model says of an assumed lattice of 15 squares.

    Returns:
        px (256, 2) where each cell lies, lattice (256, 2) where it says that is, weight (256,),
        none of what lies outside the picture, and presence (256,) the probability that it is on a
        playing area.
    """
    return _look_at(shown(picture, geometry), model)


def shown(picture: Picture | Pyramid, geometry: BoardGeometry) -> Seen:
    """What the model is shown of a board."""
    n = INPUT_PX / SQUARE_PX
    return Seen(rectify(picture, geometry, SQUARE_PX, (-MARGIN, -MARGIN), (n, n)), geometry)


def _look_at(seen: Seen, model: LatticeModel) -> tuple[Points, Points, Points, Points]:
    here, geometry = cell_points(), seen.geometry
    out = model(seen.straight[None])[0].reshape(4, -1).astype(np.float64)
    present = 1 / (1 + np.exp(-out[3]))
    px = geometry.to_px(here)
    spread = np.minimum(np.maximum(out[2], -5), 3)
    weight = np.exp(-spread) * present * geometry.in_picture(px)
    return px, here + out[:2].T, weight, present


def fit(
    px: Points, lattice: Points, weight: Points, start: BoardGeometry, *, lens: bool
) -> BoardGeometry:
    """The homography (and k1) that maps lattice points best to pixels.

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
    for _ in range(6):
        at[:2] = plain + k1 * bend
        there = m @ at
        z = 1 / there[2]
        here, seen_at = there[:2] * z, at * z
        residual = target - here
        robust = weight / np.maximum(1.0, np.sqrt((residual * residual).sum(0)) / 0.1)
        jac[:3, 0] = jac[3:6, 1] = seen_at
        np.multiply(here, -seen_at[:2, None], out=jac[6:8])
        if lens:
            bent = m[:, :2] @ (bend * z)
            jac[8] = bent[:2] - here * bent[2]
        weighted = (jac * robust).reshape(free, -1)
        lhs = weighted @ jac.reshape(free, -1).T
        rhs = weighted @ residual.reshape(-1, 1)
        lhs.flat[:: free + 1] += 1e-9 * lhs.trace()
        if lens:  # a lens bends little: about 0.06 either way
            pull = robust.sum() * 2e-5 / 0.06**2
            lhs[8, 8] += pull
            rhs[8] -= pull * k1
        solved, delta = cv2.solve(lhs, rhs)
        if not solved:
            raise np.linalg.LinAlgError("the points do not tell the map")
        m.flat[:8] += delta[:8, 0]
        if lens:
            k1 = min(max(k1 + float(delta[8, 0]), -MOST_LENS), MOST_LENS)
        if np.abs(delta).max() < SETTLED:
            break
    return BoardGeometry(from_unit @ inverse(m), start.size, w, h, k1, start.quality)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A lattice after a look at it.

    `moved` says how far its corners went, in squares; `off` how far from it nine in ten of its
    cells at most say they lie; `seen` is what the model was shown, None where nothing fits.
    """

    geometry: BoardGeometry
    moved: float
    off: float
    seen: Seen | None


def refine(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    model: LatticeModel,
    rounds: int = 4,
    *,
    alone: bool = True,
) -> BoardGeometry:
    """The same board with its lattice fitted; `quality` says how sure that is (0 to 1).

    A lattice fits as well one square further on: where the model sees the playing area end
    elsewhere, the fit starts again from there. A panel of joined boards is not `alone`: its
    neighbours are playing areas too, and its place is known from the whole.
    """
    *_, last = fits(picture, geometry, model, rounds, alone=alone)
    return last.geometry


def fits(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    model: LatticeModel,
    rounds: int = 4,
    *,
    alone: bool = True,
) -> Iterator[Fit]:
    """The lattices on the way to that of `refine`, one for each look; at least one."""
    moves = 0
    near = False  # a lens is fitted only once the frame is about right: it bends to a wrong one
    for i in range(rounds + MOST_MOVES):
        if i >= rounds + moves:
            break
        seen = shown(picture, geometry)
        px, lattice, weight, present = _look_at(seen, model)
        if weight.sum() < 1e-6:
            yield _none(geometry)
            return
        try:
            # A board that the picture cuts off does not tell a lens from a tilt, and its corners
            # outside would move far.
            whole = bool(geometry.in_picture(geometry.corners_px).all())
            fitted = fit(px, lattice, weight, geometry, lens=near and whole)
            if not near and whole and _moved(geometry, fitted) < LITTLE:
                fitted = fit(px, lattice, weight, fitted, lens=True)
        except np.linalg.LinAlgError:
            yield _none(geometry)
            return
        moved = _moved(geometry, fitted)
        if not np.isfinite(moved) or moved > 6:
            yield _none(geometry)
            return
        near = moved < ROUGHLY or not alone
        here = fitted.to_lattice(px)
        in_sight = weight > 0
        sides = playing_area(here[in_sight], present[in_sight])
        if alone and sides != (0, 0, 15, 15) and moves < MOST_MOVES:
            geometry = reframed(fitted, sides)
            moves += 1
            continue
        x, y = here.T
        inside = in_sight & (x > 0.3) & (x < 14.7) & (y > 0.3) & (y < 14.7)
        share, tight, off = 0.0, 1.0, np.inf
        if count := np.count_nonzero(inside):
            share = float(present @ inside / count)
            left = lattice[inside] - here[inside]
            apart = np.sort(np.hypot(left[:, 0], left[:, 1]))
            tight, off = float(apart[count // 2]), float(apart[count * 9 // 10])
        geometry = _with_quality(fitted, share * float(np.exp(-max(0.0, tight - 0.05) * 4)))
        yield Fit(geometry, moved, off, seen)
        near_enough = NEAR if i > moves else VERY_NEAR
        if moved < near_enough:
            break


def _none(geometry: BoardGeometry) -> Fit:
    return Fit(_with_quality(geometry, 0.0), np.inf, np.inf, None)


def _moved(before: BoardGeometry, after: BoardGeometry) -> float:
    """How far the corners went, in squares."""
    n = float(before.size)
    corners = np.array([(0.0, 0.0), (n, 0.0), (n, n), (0.0, n)])
    return float(np.abs(after.to_lattice(before.corners_px) - corners).max())


def playing_area(lattice: Points, present: Points) -> tuple[int, int, int, int]:
    """Where the playing area ends by what the model sees, in whole squares: x0, y0, x1, y1.

    The most probable rectangle given each cell's probability of lying on a playing area. Moving
    a side must pay clearly: joined boards and hands blur the edge.
    """
    p = np.minimum(np.maximum(present, 0.02), 0.98)
    gain = np.log(p / (1 - p))
    x, y = lattice[:, :1], lattice[:, 1:]

    def worth(frames: NDArray[np.int64]) -> Points:
        x0, y0, x1, y1 = frames.T
        return np.asarray(gain @ ((x > x0) & (x < x1) & (y > y0) & (y < y1)))

    best = (0, 0, 15, 15)
    sums = worth(_FRAMES)
    value = float(sums[0])
    if sums.max() <= value + WORTH_A_MOVE:
        return best
    for _ in range(4):
        start = best
        for side in range(4):
            trials = [_moved_side(best, side, d) for d in (-2, -1, 1, 2)]
            for trial, new in zip(trials, worth(np.array(trials)), strict=True):
                if new > value + WORTH_A_MOVE:
                    best, value = trial, float(new)
        if best == start:
            break
    return best


def _moved_side(sides: tuple[int, int, int, int], side: int, by: int) -> tuple[int, int, int, int]:
    """A frame with one side so many squares from where that side belongs."""
    out = list(sides)
    out[side] = (0, 0, 15, 15)[side] + by
    return out[0], out[1], out[2], out[3]


WORTH_A_MOVE = 6.0
"""By so many natural logs another frame must be better."""
_FRAMES = np.array(
    [
        (0, 0, 15, 15),
        *(_moved_side((0, 0, 15, 15), k, d) for k in range(4) for d in (-2, -1, 1, 2)),
    ]
)
"""The frame as it is, and with one side moved."""


def reframed(geometry: BoardGeometry, sides: tuple[float, float, float, float]) -> BoardGeometry:
    """The geometry whose 15 squares fill the given rectangle."""
    x0, y0, x1, y1 = sides
    m = np.array([[(x1 - x0) / 15, 0, x0], [0, (y1 - y0) / 15, y0], [0, 0, 1.0]])
    return BoardGeometry(
        geometry.homography @ m, geometry.size, geometry.width, geometry.height, geometry.k1
    )


def _with_quality(g: BoardGeometry, quality: float) -> BoardGeometry:
    return BoardGeometry(g.homography, g.size, g.width, g.height, g.k1, quality)
