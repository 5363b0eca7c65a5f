"""What the squares of one board look like, whichever way it lies and as in a mirror."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid
from kibitz.models.session import Model
from kibitz.vision.boards import mirror
from kibitz.vision.boards import reader as board_reader
from kibitz.vision.boards.board_print import BoardPrint, print_of
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.letters.taught import as_taught
from kibitz.vision.boards.square_logs import SquareLogs, usable_letters
from kibitz.vision.request import LATIN, ReadRequest

BoardLook = tuple[BoardGeometry, SquareColours, SquareLogs]
"""Where a board lies, itself straightened, and what its squares look like."""


class SquareReader:
    """The networks that look at squares.

    Attributes:
        first: the one for all squares of a board.
        glyphs: those for close looks.
    """

    def __init__(self, first: Model, glyphs: Glyphs) -> None:
        self.first = first
        self.glyphs = glyphs

    def as_meant(
        self, picture: Pyramid, seen: BoardLook, request: ReadRequest
    ) -> tuple[BoardLook, bool]:
        """A board as it was seen or, where its letters are likelier so, as in a mirror.

        Returns:
            That, and whether its letters tell for certain which of the two it is.
        """
        g, _, logs = seen
        if not self.may_be_mirrored(logs, request):
            return seen, False
        labels = self.labels(request)
        there = (g.mirrored(), *self.see(picture, g.mirrored(), request))
        lead = mirror.lead_in_mirror(logs, there[2], labels)
        return (there if lead > mirror.RULES.lead else seen), abs(lead) > mirror.RULES.lead

    def may_be_mirrored(self, logs: SquareLogs, request: ReadRequest) -> bool:
        """Whether a board's letters are so doubtful that it is to be read in a mirror too."""
        tell = request.known or request.taught is not None
        return tell and mirror.in_doubt(logs, self.labels(request))

    def see(
        self,
        picture: Pyramid,
        g: BoardGeometry,
        request: ReadRequest,
        known: board_reader.Known | None = None,
    ) -> tuple[SquareColours, SquareLogs]:
        """One board's colours and its squares' log probabilities, whichever way it lies."""
        taught = request.taught
        colours, logs = board_reader.read_board(
            picture,
            g,
            self.first,
            self.glyphs,
            request.letters if taught is None else LATIN,
            closely=request.closely,
            known=known if taught is None else None,
        )
        if taught is not None:
            logs = as_taught(picture, g, logs, self.glyphs.large, taught)
        return colours, logs

    def labels(self, request: ReadRequest) -> tuple[str, ...]:
        """What a tile of the set may be, in the order of log probabilities."""
        if request.taught is not None:
            return request.taught.labels
        return usable_letters(self.first, request.letters)


def pyramid_of(picture: Picture) -> Pyramid:
    """A picture with its halves.

    Raises:
        ValueError: it has another shape than (h, w, 3) uint8.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise ValueError(
            f"expected a picture of shape (h, w, 3) uint8, got {picture.shape} {picture.dtype}"
        )
    return Pyramid(picture)


def print_of_look(seen: BoardLook) -> BoardPrint:
    """What a board's print tells of its place."""
    return print_of(seen[1].straight, board_reader.SQUARE_PX, seen[2].kind)


def as_panel(request: ReadRequest) -> ReadRequest:
    """What is asked of one of nine joined boards: of so many a first look has to do."""
    return replace(request, closely=False)


def put_together(seen: Sequence[BoardLook]) -> tuple[SquareColours, SquareLogs]:
    """Nine joined boards, row by row, as one: its colours and its squares' log probabilities."""
    logs = SquareLogs(_nine([x.kind for _, _, x in seen]), _nine([x.both for _, _, x in seen]))
    px = board_reader.SQUARE_PX
    straight = _nine([c.straight[px:-px, px:-px] for _, c, _ in seen])
    return SquareColours(np.pad(straight, ((px, px), (px, px), (0, 0))), px), logs


def _nine(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Nine arrays put together three by three."""
    return np.concatenate(
        [np.concatenate(parts[3 * r : 3 * r + 3], axis=1) for r in range(3)], axis=0
    )
