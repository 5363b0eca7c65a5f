"""Finding one board of nine joined ones in a picture that shows it in the middle, with neighbours.

Joined boards have no rim, so nothing but the print tells where one ends. The picture is expected
to show the board aimed at about in the middle; from several such beginnings the lattice is fitted,
and the one that fits best while being near the middle and about square is taken.
"""

from __future__ import annotations

import numpy as np

from calibration.board_finder import BoardNotFound
from calibration.board_geometry import (
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
)
from calibration.lattice import LatticeModel, refine

SIDES = (0.86, 0.74, 0.63)
"""Sides of the board that are tried, as parts of the picture's shorter side."""
TURNS_DEG = (0.0, -8.0, 8.0)
MORE_SIDES = (0.94, 0.8, 0.68, 0.57)
MORE_TURNS_DEG = (0.0, -5.0, 5.0, -12.0, 12.0)
LEAST_QUALITY = 0.97
"""Lattices that slipped along the neighbours fit a little worse than this."""
PER_UNEVEN_SIDE = 0.6
PER_SQUARE_OFF = 0.05


def find_panel(picture: Picture | Pyramid, lattice: LatticeModel) -> BoardGeometry:
    """The board in the middle of a picture of joined boards.

    Raises:
        BoardNotFound: no lattice fits well enough.
    """
    best = _best(picture, lattice, SIDES, TURNS_DEG)
    if best is None or best.quality < LEAST_QUALITY:
        more = _best(picture, lattice, MORE_SIDES, MORE_TURNS_DEG)
        if best is None or (more is not None and _worth(more) > _worth(best)):
            best = more
    if best is None or best.quality < LEAST_QUALITY:
        raise BoardNotFound(
            "no board fits the middle of the picture; photograph one of the joined boards so that "
            "it fills most of the picture, or give its corners by hand"
        )
    return best


def _best(
    picture: Picture | Pyramid,
    lattice: LatticeModel,
    sides: tuple[float, ...],
    turns_deg: tuple[float, ...],
) -> BoardGeometry | None:
    height, width = picture.shape[0], picture.shape[1]
    found = [
        refine(picture, _start(width, height, side, turn), lattice, alone=False)
        for side in sides
        for turn in turns_deg
    ]
    good = [g for g in found if g.quality > 0.5]
    return max(good, key=_worth, default=None)


def _start(width: int, height: int, side: float, turn_deg: float) -> BoardGeometry:
    a, s = np.deg2rad(turn_deg), side * min(width, height) / 2
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    square = np.array([(-s, -s), (s, -s), (s, s), (-s, s)])
    corners: Points = square @ turn.T + np.array([width / 2, height / 2])
    return geometry_from_corners(corners, 15, width, height)


def _worth(g: BoardGeometry) -> float:
    corners = g.corners_px
    edges = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    uneven = float(edges.max() / max(float(edges.min()), 1e-6)) - 1
    off = float(np.linalg.norm(corners.mean(0) - (g.width / 2, g.height / 2)))
    squares_off = off / max(g.square_px, 1e-6)
    return g.quality - PER_UNEVEN_SIDE * uneven**2 - PER_SQUARE_OFF * squares_off
