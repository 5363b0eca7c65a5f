"""Fitting a board's lattice to a picture to a fraction of a pixel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import BoardGeometry, Picture, Points, Pyramid, rectify, undistort

LatticeModel = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""(N, 256, 256, 3) pictures to (N, 4, 16, 16): x and y shift in squares, log spread, presence."""

SQUARE_PX = 13
INPUT_PX = 256
CELLS = 16
MARGIN = (INPUT_PX / SQUARE_PX - 15) / 2


def cell_points() -> Points:
    """Lattice points of the model's cells, (256, 2)."""
    at = (np.arange(CELLS) + 0.5) * INPUT_PX / CELLS / SQUARE_PX - MARGIN
    xx, yy = np.meshgrid(at, at)
    return np.stack([xx.ravel(), yy.ravel()], -1)


def look(
    picture: Picture | Pyramid, geometry: BoardGeometry, model: LatticeModel
) -> tuple[Points, Points, Points, Points]:
    """What the model says of an assumed lattice of 15 squares.

    Returns:
        px (256, 2) where each cell lies, lattice (256, 2) where it says that is, weight (256,),
        and presence (256,) the probability that it is on a playing area.
    """
    here = cell_points()
    n = INPUT_PX / SQUARE_PX
    straight = rectify(picture, geometry, SQUARE_PX, (-MARGIN, -MARGIN), (n, n))
    out = model(straight[None])[0].reshape(4, -1).astype(np.float64)
    present = 1 / (1 + np.exp(-out[3]))
    px = geometry.to_px(here)
    seen = ((px > 0) & (px < (geometry.width, geometry.height))).all(1)
    weight = np.exp(-np.clip(out[2], -5, 3)) * present * seen
    return px, here + out[:2].T, weight, present


def fit(
    px: Points, lattice: Points, weight: Points, start: BoardGeometry, *, lens: bool
) -> BoardGeometry:
    """The homography (and k1) that maps lattice points best to pixels.

    Robust Gauss-Newton from `start`: residuals are measured in squares on the lattice, with
    Huber weights, and k1 is held near its starting value.
    """
    w, h = start.width, start.height
    inverse = np.linalg.inv(start.homography)
    params = np.append((inverse / inverse[2, 2]).ravel()[:8], start.k1)
    # Pixels are brought to unit size so that the eight numbers are of like magnitude.
    s = np.array([2.0 / w, 2.0 / h])
    scale = np.array([[w / 2, 0, 0], [0, h / 2, 0], [0, 0, 1.0]])
    m = inverse @ scale
    params[:8] = (m / m[2, 2]).ravel()[:8]

    def predict(p: Points) -> Points:
        q = undistort(px, float(p[8]), w, h) * s
        a = np.append(p[:8], 1.0).reshape(3, 3)
        z = np.column_stack([q, np.ones(len(q))]) @ a.T
        return np.asarray(z[:, :2] / z[:, 2:])

    free = 9 if lens else 8
    for _ in range(6):
        base = predict(params)
        residual = lattice - base
        size = np.linalg.norm(residual, axis=1)
        robust = weight / np.maximum(1.0, size / 0.1)
        q = np.column_stack([undistort(px, float(params[8]), w, h) * s, np.ones(len(px))])
        q /= (q @ np.append(params[6:8], 1.0))[:, None]
        jac = np.zeros((len(px), 2, free))
        jac[:, 0, 0:3] = jac[:, 1, 3:6] = q
        jac[:, :, 6:8] = -base[:, :, None] * q[:, None, :2]
        if lens:
            moved = params.copy()
            moved[8] += 1e-5
            jac[:, :, 8] = (predict(moved) - base) / 1e-5
        a = jac.reshape(-1, free) * np.repeat(robust, 2)[:, None]
        lhs = jac.reshape(-1, free).T @ a
        rhs = a.T @ residual.ravel()
        lhs += np.eye(free) * 1e-9 * np.trace(lhs)
        if lens:  # a lens bends little: about 0.06 either way
            pull = robust.sum() * 2e-5 / 0.06**2
            lhs[8, 8] += pull
            rhs[8] -= pull * params[8]
        delta = np.linalg.solve(lhs, rhs)
        params[:free] += delta
        if np.abs(delta).max() < 1e-5:
            break
    a = np.append(params[:8], 1.0).reshape(3, 3) @ np.diag([s[0], s[1], 1.0])
    return BoardGeometry(np.linalg.inv(a), start.size, w, h, float(params[8]), start.quality)


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
    moves = 0
    for i in range(rounds):
        px, lattice, weight, present = look(picture, geometry, model)
        if weight.sum() < 1e-6:
            return _with_quality(geometry, 0.0)
        try:
            fitted = fit(px, lattice, weight, geometry, lens=i > 0)
        except np.linalg.LinAlgError:
            return _with_quality(geometry, 0.0)
        moved = np.abs(
            fitted.to_lattice(geometry.corners_px) - geometry.to_lattice(geometry.corners_px)
        ).max()
        if not np.isfinite(moved) or moved > 6:
            return _with_quality(geometry, 0.0)
        here = fitted.to_lattice(px)
        seen = ((px > 0) & (px < (geometry.width, geometry.height))).all(1)
        sides = playing_area(here[seen], present[seen])
        if alone and sides != (0, 0, 15, 15) and moves < 2:
            geometry = reframed(fitted, sides)
            moves += 1
            continue
        inside = ((here > 0.3) & (here < 14.7)).all(1) & seen
        left = np.linalg.norm(lattice - here, axis=1)
        share = float(present[inside].mean()) if inside.any() else 0.0
        tight = float(np.median(left[inside])) if inside.any() else 1.0
        geometry = _with_quality(fitted, share * float(np.exp(-max(0.0, tight - 0.05) * 4)))
        if i > moves and moved < 0.04:
            break
    return geometry


def playing_area(lattice: Points, present: Points) -> tuple[int, int, int, int]:
    """Where the playing area ends by what the model sees, in whole squares: x0, y0, x1, y1.

    The most probable rectangle given each cell's probability of lying on a playing area. Moving
    a side must pay clearly: joined boards and hands blur the edge.
    """
    p = np.clip(present, 0.02, 0.98)
    gain = np.log(p / (1 - p))
    x, y = lattice[:, 0], lattice[:, 1]

    def worth(r: tuple[int, int, int, int]) -> float:
        return float(gain[(x > r[0]) & (x < r[2]) & (y > r[1]) & (y < r[3])].sum())

    best, value = (0, 0, 15, 15), worth((0, 0, 15, 15))
    for _ in range(4):
        start = best
        for side in range(4):
            for d in (-2, -1, 1, 2):
                trial = list(best)
                trial[side] = (0, 0, 15, 15)[side] + d
                r = (trial[0], trial[1], trial[2], trial[3])
                new = worth(r)
                if new > value + 6.0:
                    best, value = r, new
        if best == start:
            break
    return best


def reframed(geometry: BoardGeometry, sides: tuple[float, float, float, float]) -> BoardGeometry:
    """The geometry whose 15 squares fill the given rectangle."""
    x0, y0, x1, y1 = sides
    m = np.array([[(x1 - x0) / 15, 0, x0], [0, (y1 - y0) / 15, y0], [0, 0, 1.0]])
    return BoardGeometry(
        geometry.homography @ m, geometry.size, geometry.width, geometry.height, geometry.k1
    )


def _with_quality(g: BoardGeometry, quality: float) -> BoardGeometry:
    return BoardGeometry(g.homography, g.size, g.width, g.height, g.k1, quality)
