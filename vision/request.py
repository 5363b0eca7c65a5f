"""Request for reading a picture: one type from the command line to the models."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from kibitz.engine.table import SIDE

if TYPE_CHECKING:
    from kibitz.calibration.board_geometry import BoardGeometry
    from kibitz.vision.boards.letters.taught import Taught

Squares: TypeAlias = int | Literal["auto", "loose"]
Edge: TypeAlias = Literal["top", "right", "bottom", "left"]
Corners: TypeAlias = tuple[tuple[float, float], ...]

LATIN = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Request for reading a picture: kinds of boards, tile set, and known place.

    Attributes:
        squares: how many a side: 15, 45 (nine joined boards), another number; `auto`: the board's
            lines tell; `loose`: tiles without a board.
        letters: the letters of the tile set.
        corners: four outer corners given by hand, row A first, x and y in pixels (before a
            camera: parts of the picture's width and height), or None.
        top: the edge of the picture that row A is nearest to, or None for the tiles to tell.
        part: whether the picture shows one of nine joined boards with parts of its neighbours.
        panel: which of the nine (1 to 9), where that is known.
        hint: where the boards lay in the last picture of a fixed camera.
        mirrored: whether the last picture of a fixed camera showed loose tiles as in a mirror.
        small: whether its loose tiles bore letters in lower case.
        boards: how many lie there as far as is known: while fewer are found, more is looked for.
        closely: whether every tile is looked at close up, however sure a first look is: slower,
            and surer.
        film: whether the picture is out of a film: another comes soon, and no blur is undone.
        known: whether the networks know letters of the set; if not, letters say nothing about how
            a board lies.
        taught: the look of the tiles, where it was taught; then these are the letters.
        told: whether people said which tile set it is; if not, tiles of another script are read
            by a set of theirs.
    """

    squares: Squares = SIDE
    letters: tuple[str, ...] = LATIN
    corners: Corners | None = None
    top: Edge | None = None
    part: bool = False
    panel: int | None = None
    hint: tuple[BoardGeometry, ...] = field(default=(), compare=False)
    mirrored: bool = field(default=False, compare=False)
    small: bool = field(default=False, compare=False)
    boards: int = 1
    closely: bool = False
    film: bool = False
    known: bool = True
    taught: Taught | None = field(default=None, compare=False)
    told: bool = True

    def on_panel(self, panel: int) -> ReadRequest:
        """The request for a camera that watches only one of nine joined boards (1 to 9)."""
        return replace(self, squares=SIDE, part=True, panel=panel)
