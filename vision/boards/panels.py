"""Reading a picture that shows some of nine joined boards: each board that is in sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import MIDDLE, BoardGeometry, Picture, Pyramid
from kibitz.calibration.patch_finder import Patch
from kibitz.engine.table import SIDE
from kibitz.models.session import Model
from kibitz.vision.boards import reader as board_reader
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.reader import assemble
from kibitz.vision.boards.square_logs import SquareLogs, usable_letters
from kibitz.vision.readings import Beyond, GridReading, turned_place

CORE: Final = 0.08
"""Of a square that is read everything but so much of each side must be in the picture."""

Quarters = Callable[[BoardGeometry, SquareLogs], tuple[int, bool]]
"""A board and what was read of its squares to its quarter turns, and whether that is certain."""


def read_patch(
    picture: Pyramid,
    patch: Patch,
    glance: Model,
    glyphs: Glyphs,
    letters: Sequence[str],
    quarters_of: Quarters,
) -> tuple[tuple[GridReading, ...], tuple[Beyond, ...]]:
    """Every board in sight, all turned alike, and what lies beside them.

    Args:
        picture: the photograph.
        patch: where the boards lie.
        glance: the model for whole boards.
        glyphs: the models for single squares.
        letters: the tile set's letters.
        quarters_of: which edge is row A, for all boards together.
    """
    labels = usable_letters(glance, letters)
    read = []
    for place, geometry in patch.boards.items():
        colours, logs = board_reader.read_board(picture, geometry, glance, glyphs, letters)
        seen = squares_in_sight(geometry)
        kind = logs.kind.copy()
        board_reader.hide(kind, ~seen)
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


def squares_in_sight(geometry: BoardGeometry) -> NDArray[np.bool_]:
    """(15, 15) which squares lie in the picture, all but a rim of each."""
    low = np.arange(SIDE)
    corners = [
        np.stack(np.meshgrid(low + x, low + y), -1)
        for x in (CORE, 1 - CORE)
        for y in (CORE, 1 - CORE)
    ]
    return np.asarray(geometry.in_sight(np.stack(corners)).all(0))


def central(patch: Patch, picture: Picture | Pyramid) -> BoardGeometry:
    """The board nearest to the middle of the picture."""
    middle = np.array([picture.shape[1] / 2, picture.shape[0] / 2])
    return min(
        patch.boards.values(), key=lambda g: float(np.linalg.norm(g.to_px(MIDDLE) - middle))
    )
