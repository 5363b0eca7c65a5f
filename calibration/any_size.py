"""Finds boards of any size by the lines of their lattice.

The lattice network knows boards of 15 squares a side; lines can be seen on any. Lines are looked
for in rough outlines, a lattice is laid on their crossings, and the squares of it that are the
board are told by where the lines end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from kibitz.calibration.board_geometry import BoardGeometry, Picture, Points, Pyramid
from kibitz.calibration.framing import chosen, framed
from kibitz.calibration.lattice import LATTICE
from kibitz.calibration.outline import (
    OUTLINE,
    FinderModel,
    Masks,
    masks_of,
    other_outlines,
    outlines,
)
from kibitz.calibration.spacings import rough_lattices

SMALL_PX: Final = 192
"""How large a picture is shown to the finder where the lattice is known."""


def find_sized(
    picture: Picture | Pyramid,
    finder: FinderModel,
    squares: int | None = None,
    *,
    thorough: bool = True,
) -> BoardGeometry | None:
    """The board of a picture, of any number of squares a side.

    Args:
        picture: the photograph.
        finder: the model for rough outlines.
        squares: how many a side, where that is known.
        thorough: look at it from further away too, and into less likely outlines.

    Returns:
        Where it lies, the first corner nearest the picture's top left; None where no lattice is
        seen for certain.
    """
    best: BoardGeometry | None = None
    looks: list[Masks] = []
    for quad, look in _outlines(picture, finder, looks, thorough=thorough):
        best = _surest((best, find_lattice(picture, quad, look, squares)))
        if best is not None and best.quality >= LATTICE.sure_quality:
            break
    return best if best is not None and best.quality >= LATTICE.least_quality else None


def _outlines(
    picture: Picture | Pyramid, finder: FinderModel, looks: list[Masks], *, thorough: bool
) -> Iterator[tuple[Points, Masks]]:
    """Yield rough outlines, likeliest first, with the finder's masks; looks are recorded."""
    for stand_back in (False, True) if thorough else (False,):
        look = masks_of(picture, finder, stand_back=stand_back)
        looks.append(look)
        yield from ((quad, look) for quad in outlines(look)[: OUTLINE.tried])
    if thorough:
        yield from ((quad, looks[0]) for quad in other_outlines(looks)[: OUTLINE.tried])


def find_lattice(
    picture: Picture | Pyramid,
    quad: Points,
    area: Masks,
    squares: int | None = None,
) -> BoardGeometry | None:
    """Lattice of a board of any size in a rough outline, by its lines.

    Args:
        picture: the photograph.
        quad: (4, 2) the outline's corners, clockwise.
        area: what the finder says.
        squares: how many a side, where that is known.

    Returns:
        Where it lies, with the number of its squares a side and a quality; None if none is seen.
    """
    rough = rough_lattices(picture, quad)
    return _surest(framed(picture, x, quad, area, squares) for x in rough)


def _surest(found: Iterable[BoardGeometry | None]) -> BoardGeometry | None:
    """The board that fits best; of equal ones the first."""
    return max((g for g in found if g is not None), key=lambda g: g.quality, default=None)


def resized(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    finder: FinderModel,
) -> BoardGeometry | None:
    """The board that contains a lattice found for a certain number of squares.

    Args:
        picture: the photograph.
        geometry: squares that lie on the board's own, whichever of them they are.
        finder: the model for rough outlines.

    Returns:
        The board with as many squares as its lines tell; None where they do not for certain.
    """
    look = masks_of(picture, finder, px=SMALL_PX)
    for quad in outlines(look)[:1]:
        g = chosen(picture, geometry, 0.0, quad, look, None)
        if g is None or g.quality < LATTICE.least_quality:
            continue
        # what was fitted to a part is a little off at the far end
        return g if g.size == geometry.size else framed(picture, geometry, quad, look, g.size)
    return None
