"""Reading a picture that shows some of nine joined boards: each board that is in sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from kibitz.calibration.board_geometry import MIDDLE, BoardGeometry, Picture, Pyramid
from kibitz.calibration.patch_finder import Patch
from kibitz.vision.boards.reader import BoardLook, assemble, hide, squares_in_sight
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.readings import Beyond, GridReading, turned_place

Quarters = Callable[[BoardGeometry, SquareLogs], tuple[int, bool]]
"""A board and what was read of its squares to its quarter turns, and whether that is certain."""


def tell_patch(
    patch: Patch, seen: Sequence[BoardLook], labels: tuple[str, ...], quarters_of: Quarters
) -> tuple[tuple[GridReading, ...], tuple[Beyond, ...]]:
    """Every board in sight, all turned alike, and what lies beside them.

    Args:
        patch: where the boards lie.
        seen: what each of them shows, in the same order.
        labels: what a tile may be.
        quarters_of: which edge is row A, for all boards together.
    """
    read = []
    for place, (geometry, colours, logs) in zip(patch.boards, seen, strict=True):
        kind = logs.kind.copy()
        hide(kind, ~squares_in_sight(geometry))
        read.append((place, geometry, colours, replace(logs, kind=kind)))
    together = SquareLogs(
        np.concatenate([logs.kind for *_, logs in read]),
        np.concatenate([logs.both for *_, logs in read]),
    )
    first = patch.boards[0, 0]
    quarters, certain = quarters_of(first, together)
    boards = []
    for place, geometry, colours, logs in read:
        board = assemble(geometry, colours, logs, labels, quarters, top_certain=certain)
        boards.append(replace(board, place=turned_place(place, quarters)))
    beyond = tuple(Beyond(turned_place(p, quarters), odds) for p, odds in patch.beyond.items())
    return tuple(boards), beyond


def central(patch: Patch, picture: Picture | Pyramid) -> BoardGeometry:
    """The board nearest to the middle of the picture."""
    middle = np.array([picture.shape[1] / 2, picture.shape[0] / 2])
    return min(
        patch.boards.values(), key=lambda g: float(np.linalg.norm(g.to_px(MIDDLE) - middle))
    )
