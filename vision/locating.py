"""Locates the boards of a picture, and decides whether they are boards at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.any_size import find_lattice, find_sized, resized
from kibitz.calibration.board_finder import (
    CANNOT_BE_MADE_OUT,
    FINDER,
    BoardNotFound,
    apart,
    find_beside,
    find_boards,
    find_joined,
    other_boards,
)
from kibitz.calibration.board_geometry import (
    CORNERS,
    BoardGeometry,
    Picture,
    Pyramid,
    geometry_from_corners,
)
from kibitz.calibration.cut_off import (
    BoardCutOff,
    edges_of_picture,
    lay_on_lines,
    refusal,
    sides_cut,
)
from kibitz.calibration.framing import SIZE, crosses, goes_on
from kibitz.calibration.lattice import LATTICE, refine
from kibitz.calibration.outline import masks_of
from kibitz.engine.parameters import checked, number
from kibitz.engine.phrases import phrase
from kibitz.engine.table import JOINED_SIDE, SIDE
from kibitz.models.session import Model
from kibitz.vision.boards.board_print import BoardPrint
from kibitz.vision.boards.colours.blanks import beside
from kibitz.vision.boards.reader import BoardLook
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.readings import SURE, TILE_KIND
from kibitz.vision.request import ReadRequest
from kibitz.vision.square_reader import SquareReader, print_of_look

if TYPE_CHECKING:
    from kibitz.calibration.patch_finder import Patch


@dataclass(frozen=True, slots=True)
class BoardRules:
    """When something found is a board, has not moved, and has a known row A."""

    same_size: float = number(
        1.25, "times", 1.0, 4.0, "if it is not so many times larger or smaller than before"
    )
    row_a_hint: float = number(
        0.5, "nats", 0.0, 50.0, "by less they say nothing: row A is nearest the picture's top"
    )

    of_a_tile: float = number(
        0.5, "nats", 0.0, 5.0, "so much speaks a tile for a board that reads well, in a word"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BoardRules()
MOST_TILES: Final = 120
"""So many tiles have the largest sets, the Italian and the Portuguese: more are no game's."""


def _still_it(now: BoardGeometry, before: BoardGeometry) -> bool:
    """True if the board is still at its last place, about as large, and fits.

    Where a board was taken away, what lies there is at times taken for a far smaller one.
    """
    larger = now.square_px / before.square_px
    return now.quality > LATTICE.least_quality and 1 / RULES.same_size < larger < RULES.same_size


def _lies_there(now: BoardGeometry, before: BoardGeometry) -> bool:
    """True if the board is still at its last place and no corner has moved."""
    moved_px = now.corners_off_px(before)
    return _still_it(now, before) and moved_px < LATTICE.near_squares * before.square_px


class Locator:
    """Finds boards: by networks, lines, and print.

    Args:
        finder: the model for rough outlines.
        lattice: the model for a board's cells.
        squares: looks at a board's squares, whose print tells its place.
    """

    def __init__(self, finder: Model, lattice: Model, squares: SquareReader) -> None:
        self._finder = finder
        self._lattice = lattice
        self._squares = squares

    def locate(
        self, picture: Picture | Pyramid, request: ReadRequest
    ) -> tuple[list[BoardGeometry], list[BoardGeometry]]:
        """Boards, and for 45x45 the nine panels of the only one.

        Raises:
            BoardNotFound: there is none.
        """
        height, width = picture.shape[0], picture.shape[1]
        size = request.squares if isinstance(request.squares, int) else SIDE
        if request.corners is not None:
            corners = np.asarray(request.corners, float)
            if request.squares == "auto":
                told = find_lattice(picture, corners, masks_of(picture, self._finder))
                size = SIDE if told is None else told.size
            given = geometry_from_corners(corners, size, width, height)
            if size != JOINED_SIDE:
                return [given], []
            from kibitz.calibration.board_finder import panel_of

            return [given], [panel_of(given, k) for k in range(9)]
        if size == JOINED_SIDE:
            whole, panels = find_joined(picture, self._finder, self._lattice.run)
            return [whole], panels
        if request.part:
            return [self._locate_part(picture, request.hint)], []
        if request.hint and all(
            g.size == SIDE and (g.width, g.height) == (width, height) for g in request.hint
        ):
            again = [refine(picture, g, self._lattice.run) for g in request.hint]
            # What lies partly outside the picture is spread over what shows of it.
            inside = not any(map(edges_of_picture, request.hint))
            if inside and all(_still_it(g, h) for g, h in zip(again, request.hint, strict=True)):
                return self._where_they_show(picture, again, request), []
        if request.squares in (SIDE, "auto"):
            return self._locate_usual(picture, request), []
        sized = find_sized(picture, self._finder, size)
        if sized is None:
            raise BoardNotFound(
                phrase(
                    "No board of {size} squares a side is seen in the picture for certain: give "
                    "its corners by hand, or take the picture from straighter above.",
                    size=size,
                )
            )
        return [sized], []

    def elsewhere(self, picture: Pyramid, request: ReadRequest) -> Iterator[list[BoardGeometry]]:
        """Yield less likely boards of 15 squares a side."""
        others = other_boards(picture, self._finder, self._lattice.run)
        fitting = (g for g in others if g.quality >= LATTICE.sure_quality)
        for g in apart(g for g in fitting if not goes_on(picture, g)):
            try:
                yield self._where_they_show(picture, [g], request)
            except BoardCutOff:
                continue

    def lie_still(self, picture: Pyramid, boards: Sequence[BoardGeometry]) -> bool:
        """True if each of some boards of 15 squares a side is found where it was."""
        return all(_lies_there(refine(picture, g, self._lattice.run), g) for g in boards)

    def beside(
        self, picture: Pyramid, lying: list[BoardGeometry], request: ReadRequest
    ) -> list[BoardLook]:
        """Looks at boards of 15 squares a side other than the known ones."""
        found = find_beside(picture, lying, self._finder, self._lattice.run)
        looks = [(g, *self._squares.see(picture, g, request)) for g in found]
        try:
            return self.boards_among(picture, looks, request) if looks else []
        except BoardNotFound:
            return []

    def _locate_usual(
        self, picture: Picture | Pyramid, request: ReadRequest
    ) -> list[BoardGeometry]:
        """Boards of 15 squares a side, or of others where lines decide the number.

        Raises:
            BoardNotFound: there is none, or it has another number of squares.
        """
        missing: BoardNotFound | None = None
        found: list[BoardGeometry] = []
        shown: list[BoardGeometry] = []
        try:
            known = request.boards
            found = find_boards(picture, self._finder, self._lattice.run, known)
            shown = self._where_they_show(picture, found, request)
        except BoardNotFound as error:
            missing = error
        if len(found) == 1 and not request.hint and not _ends_with_squares(picture, shown):
            missing, found, shown = BoardNotFound(CANNOT_BE_MADE_OUT), [], []
        # what was laid on its lines had been spread over what shows of it, or over more
        laid = bool(shown) and shown[0] is not found[0] and not goes_on(picture, shown[0])
        # a fixed camera's board keeps its number of squares
        if len(found) > 1 or request.hint or laid:
            if missing is not None:
                raise missing
            return shown
        other = self._as_lines_tell(picture, found, request)
        if other is not None and other.size != SIDE:
            # lines that end where the picture ends say nothing of how many there are
            if other.shown_beside() > SIZE.beside:
                if request.squares == SIDE:
                    raise OtherSize(other.size)
                return [other]
            if missing is not None and other.quality >= LATTICE.sure_quality:
                raise OtherSize(other.size, sure=False)
        if missing is not None:
            raise missing
        return shown

    def _as_lines_tell(
        self,
        picture: Picture | Pyramid,
        found: Sequence[BoardGeometry],
        request: ReadRequest,
    ) -> BoardGeometry | None:
        """The board with the number of squares that its lines show, if 15 is doubtful."""
        on = bool(found) and goes_on(picture, found[0])
        if found and found[0].quality >= FINDER.plain_quality:
            return resized(picture, found[0], self._finder) if on else None
        # who told the number is not made to wait for what is unlikely
        return find_sized(picture, self._finder, thorough=on or request.squares == "auto")

    def _where_they_show(
        self, picture: Picture | Pyramid, found: list[BoardGeometry], request: ReadRequest
    ) -> list[BoardGeometry]:
        """Boards, with those cut off by the picture in their right rows and columns.

        Raises:
            BoardCutOff: of none can be told which squares show.
        """
        out: list[BoardGeometry] = []
        unknown: list[BoardGeometry] = []
        for g in found:
            laid = lay_on_lines(picture, g)
            there = g if laid is None else self._in_its_rows(picture, laid, g, request)
            if there is not None:
                out.append(there)
            else:
                unknown.append(laid or g)
        if not out:
            raise refusal(unknown[0])
        return out

    def _in_its_rows(
        self,
        picture: Picture | Pyramid,
        laid: BoardGeometry,
        found: BoardGeometry,
        request: ReadRequest,
    ) -> BoardGeometry | None:
        """A board laid on its lines, shifted by whole squares to fit its print.

        Where lines and lattice agree, and the print does not contradict them, they are believed.

        Args:
            picture: the photograph.
            laid: the board on its lines.
            found: its lattice as it was found.
            request: what to look for.
        """
        left, top, right, bottom = sides_cut(laid)
        axes = left or right, top or bottom
        pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
        for _ in range(2):
            its = print_of_look((laid, *self._squares.see(pyramid, laid, request)))
            move = its.squares_off(axes)
            if move is None:
                agree = np.abs(found.to_lattice(laid.corners_px) - CORNERS).max() < 0.5
                return laid if agree and its.rows_off() is None else None
            if move == (0, 0):
                return laid
            dx, dy = move
            laid = laid.shifted(dx, dy)
        return None

    def _locate_part(
        self, picture: Picture | Pyramid, hint: tuple[BoardGeometry, ...]
    ) -> BoardGeometry:
        """One of nine joined boards, at its last place or nearest to the middle."""
        for before in hint:
            if before.size == SIDE and (before.width, before.height) == picture.shape[1::-1]:
                again = refine(picture, before, self._lattice.run, rounds=2, alone=False)
                if again.quality >= FINDER.plain_quality:
                    return again
        return self.locate_parts(picture).central()

    def locate_parts(self, picture: Picture | Pyramid) -> Patch:
        """Those of nine joined boards that a picture shows.

        Raises:
            BoardNotFound: not even one of them is found.
        """
        from kibitz.calibration.patch_finder import find_patch

        return find_patch(picture, self._lattice.run)

    def boards_among(
        self, picture: Pyramid, seen: list[BoardLook], request: ReadRequest
    ) -> list[BoardLook]:
        """Candidates that are likelier a board than not, by all evidence.

        Raises:
            BoardNotFound: none is; the reason says whether its squares could be made out.
        """
        prints = [print_of_look(x) for x in seen]
        there = self._squares.at_tops(picture, seen, request)
        told = [x for x in zip(there, prints, strict=True) if _is_made_out(x[0])]
        if not told:
            raise BoardNotFound(CANNOT_BE_MADE_OUT, seen[0][0])
        kept = [x for x, its in told if self._said_for(picture, x, its, request) > 0]
        if not kept:
            raise BoardNotFound(
                phrase(
                    "Something is ruled like a board, but has no premium squares as boards have, "
                    "or more letters than a game: if it is a board, give its corners by hand."
                ),
                told[0][0][0],
            )
        return kept

    def _said_for(
        self, picture: Pyramid, seen: BoardLook, its: BoardPrint, request: ReadRequest
    ) -> float:
        """Log odds of a board by lattice, print and letters."""
        g, _, logs = seen
        said = its.says() + _said_by_lattice(picture, g)
        if not self._squares.looks_name(request):
            return said  # letters that were taught read badly as any that the looks name
        letters = _said_by_letters(logs, self._squares.reads(logs, request))
        if letters < 0 >= said + letters:  # they may read badly because a mirror shows them
            there, _ = self._squares.in_mirror(picture, seen, request)
            if there is not None:
                letters = _said_by_letters(there[2], self._squares.reads(there[2], request))
        return said + letters


class OtherSize(BoardNotFound):
    """The board has another number of squares a side than was asked for."""

    code = "other_size"

    def __init__(self, size: int, *, sure: bool = True) -> None:
        self.size = size
        self.sure = sure
        super().__init__(
            phrase(
                "This board has {size} squares a side, not 15: read it with --squares {size}.",
                size=size,
            )
            if sure
            else phrase(
                "This board may have {size} squares a side, but the picture ends beside it: move "
                "the camera back, or read it with --squares {size}.",
                size=size,
            )
        )


def _ends_with_squares(picture: Picture | Pyramid, shown: Sequence[BoardGeometry]) -> bool:
    """True if the outermost squares of the only board are squares, not its rim."""
    return all(g.quality >= FINDER.sure_fit or _has_outermost(picture, g) for g in shown)


def _has_outermost(picture: Picture | Pyramid, board: BoardGeometry) -> bool:
    """True if lines cross a board's outermost squares, or none show on a plain board.

    Where they cross the next ones only, its rim was taken for rows; where none fit, its lattice is
    stretched over fewer squares, and lies less than plainly. Noise and blur hide all lines alike.
    """
    if crosses(picture, board):
        return True
    return board.quality >= FINDER.plain_quality and not crosses(picture, board, -1)


def _said_by_lattice(picture: Picture | Pyramid, board: BoardGeometry) -> float:
    """Log odds of a board by the fit of its lattice and the ends of its lines."""
    short = 0.0
    if board.size == SIDE:  # one of another size was found by its lines, which were counted
        plain, sure = FINDER.plain_quality, LATTICE.sure_quality
        short = float(np.clip(2 * (plain - board.quality) / (plain - sure), 0, 1))
    said = SURE.lead - SURE.together * short
    return said if _ends_with_squares(picture, [board]) else said - 2 * SURE.together


def _said_by_letters(logs: SquareLogs, reads: float) -> float:
    """Log odds of a board by tiles that lie in words and read well.

    Those that lie by themselves and read badly speak against it.

    Args:
        logs: what its squares look like.
        reads: how well its letters read, in nats a tile.
    """
    # what has no letter tells nothing: a game has few blanks
    blank = logs.letter.shape[-1] - 1
    tiles = (logs.kind.argmax(-1) == TILE_KIND) & (logs.letter.argmax(-1) != blank)
    if are_too_many(tiles):
        return -SURE.together  # a page of letters
    words = int(np.count_nonzero(tiles & beside(tiles)))
    alone = int(tiles.sum()) - words
    badly = min(1.0, reads / SURE.poor)
    said = RULES.of_a_tile * (words * (1 - badly) - alone * badly)
    return float(np.clip(said, -SURE.together, SURE.together))


def are_too_many(tiles: NDArray[np.bool_]) -> bool:
    """True if more tiles, (n, n), seem to lie there than any game has."""
    return bool(tiles.sum() > MOST_TILES * max(1.0, tiles.size / SIDE**2))


def _is_made_out(seen: BoardLook) -> bool:
    """True if the content of at least half of the squares is certain."""
    best = seen[2].kind.max(-1)
    return bool(np.count_nonzero(best > np.log(SURE.known)) / best.size >= 0.5)
