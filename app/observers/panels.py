"""Combines nine joined boards, seen part by part, into one board."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

from kibitz.app.common.errors import Option, UsageError
from kibitz.app.observers.board_views import align, board_view
from kibitz.app.observers.panel_places import panels_of, piece_of, spots_of
from kibitz.engine.rules import GameInfo
from kibitz.engine.table import BOARDS, BOARDS_A_SIDE, SIDE, Grid, Square, corner_of
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
from kibitz.vision.readings import PhotoReading

HIDDEN = SquareView(empty=0.0, covered=1.0)
BARE = SquareView(empty=1.0)


_NAMES = frozenset(str(number) for number in range(1, BOARDS + 1))


@dataclass(frozen=True, slots=True)
class PanelOrder:
    """Order of the boards in pictures: `boards` in turn, else the pictures decide."""

    boards: tuple[int, ...] = ()


def parse_panels(text: str | None) -> PanelOrder | None:
    """Parse `1,2,5`, `1-9`, or `auto`; None if nothing was given.

    Raises:
        UsageError: something else.
    """
    if text is None:
        return None
    if text.strip() == "auto":
        return PanelOrder()
    boards: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        ends = (first, last) if dash else (first, first)
        if not all(end.strip() in _NAMES for end in ends):
            raise UsageError(
                Option("panel"),
                f": expected boards 1 to {BOARDS} as 1-9 or 2,5,8, or auto, got {text!r}",
            )
        boards += range(int(ends[0]), int(ends[1]) + 1)
    if not boards or len(set(boards)) != len(boards):
        raise UsageError(Option("panel"), f": expected each board once, got {text!r}")
    return PanelOrder(tuple(boards))


def not_joined(info: GameInfo) -> UsageError:
    """Error for a panel named in a game without panels."""
    return UsageError(Option("panel"), f": {info.title} is not played on several joined boards")


def panel_grid(grid: Grid, panel: int) -> Grid:
    """One of the nine boards of a grid as its own board."""
    top, left = corner_of(panel)
    tiles = {
        Square(s.row - top, s.col - left): t
        for s, t in grid.tiles.items()
        if 0 <= s.row - top < SIDE and 0 <= s.col - left < SIDE
    }
    return Grid(SIDE, SIDE, tiles)


class PanelTable:
    """Last view of each square of nine joined boards.

    A square counts as seen until something new shows elsewhere: a play may go on over the seam,
    so it waits for a new picture of the board beyond it.
    """

    def __init__(self, order: PanelOrder) -> None:
        self._order = order
        self._views: dict[Square, SquareView] = {}
        self._fresh: set[Square] = set()
        self._now: set[Square] = set()
        self._watched = set(order.boards)
        self._pictures = 0

    def copy(self) -> PanelTable:
        """An independent copy."""
        other = copy(self)
        mine = {"_views": dict(self._views), "_fresh": set(self._fresh)}
        vars(other).update(mine, _watched=set(self._watched))
        return other

    def skip(self) -> None:
        """Skip an unreadable picture; the next one shows the next board."""
        self._pictures += 1

    def look(self, reading: PhotoReading, known: Grid, *, fixed_top: bool) -> BoardView | None:
        """The whole grid from this picture and those of the other boards.

        Args:
            reading: a board by itself, whose number the order tells, or several as they join.
            known: what lies on the whole grid.
            fixed_top: whether row A is where the readings say.

        Returns:
            A view of 45 by 45 squares, hidden where nothing was seen; None if it cannot be told
            which boards the picture shows.
        """
        boards = self._order.boards
        panel = boards[self._pictures % len(boards)] if boards else None
        self._pictures += 1
        if panel is None and reading.panel is not None:
            panel = reading.panel
            self._watched.add(panel)
        if panel is not None:
            seen = self._one_board(reading, known, panel, fixed_top=fixed_top)
        else:
            seen = self._several(reading, known, fixed_top=fixed_top)
        if seen is None:
            return None
        self._take_in(seen, known)
        return self._together(known)

    def _one_board(
        self, reading: PhotoReading, known: Grid, panel: int, *, fixed_top: bool
    ) -> dict[Square, SquareView] | None:
        found = align(reading.boards, panel_grid(known, panel), fixed_top=fixed_top)
        return None if found is None else _on_grid(found[0], panel)

    def _several(
        self, reading: PhotoReading, known: Grid, *, fixed_top: bool
    ) -> dict[Square, SquareView] | None:
        labels = reading.boards[0].labels
        (spot,) = spots_of([piece_of(reading)], known, labels, fixed_top=fixed_top)
        if spot is None:
            return None
        out: dict[Square, SquareView] = {}
        for panel, board in panels_of(reading, spot).items():
            views = _on_grid(board_view(board), panel)
            # what lies outside the picture, or under a hand, is as it was
            out |= {s: v for s, v in views.items() if not v.hidden}
        return out

    def _take_in(self, seen: Mapping[Square, SquareView], known: Grid) -> None:
        before = {s: self._views.get(s) for s in seen}
        self._views |= seen
        if any(_is_new(s, v, known, before[s]) for s, v in seen.items()):
            kept = {s.panel for s in self._fresh if _is_new(s, self._views[s], known, None)}
            self._fresh = {s for s in self._fresh if s.panel in kept}
        self._now = set(seen)
        self._fresh |= self._now

    def _unwatched(self, square: Square) -> bool:
        return square.panel not in self._watched

    def played(self) -> None:
        """Mark earlier views of other boards as possibly outdated after a play."""
        self._fresh = set(self._now)

    def hand_in_sight(self) -> bool:
        """True if the newest picture itself had hidden squares."""
        return any(self._views[s].hidden for s in self._now)

    def _together(self, known: Grid) -> BoardView:
        size = BOARDS_A_SIDE * SIDE
        squares = {Square(r, c): HIDDEN for r in range(size) for c in range(size)}
        if self._watched:
            # nothing is waited for from a board that nobody photographs
            squares |= {s: BARE for s in squares if self._unwatched(s) and s not in known}
        squares |= {s: self._views[s] for s in self._fresh}
        return BoardView(size, size, squares)


def _on_grid(view: BoardView, panel: int) -> dict[Square, SquareView]:
    """Views of a board by squares of the whole grid."""
    top, left = corner_of(panel)
    return {Square(s.row + top, s.col + left): v for s, v in view.squares.items()}


def _is_new(square: Square, view: SquareView, known: Grid, before: SquareView | None) -> bool:
    """True if a square shows a tile that is neither known nor was seen before."""
    return view.tile > 0.5 and square not in known and (before is None or before.tile <= 0.5)
