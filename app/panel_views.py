"""Nine joined boards seen part by part: what each part shows, put together into one board."""

from __future__ import annotations

from dataclasses import dataclass

from app.board_views import align
from app.errors import UsageError
from engine.changes import BoardView, SquareView, fit
from engine.table import Grid, Square
from vision.readings import GridReading

PANELS = 9
SIDE = 15
CLEAR_LEAD = 6.0
"""By how much (natural logs) one board must agree better than every other to be recognised."""

LIKELY = 0.5

HIDDEN = SquareView(empty=0.0, covered=1.0)
BARE = SquareView(empty=1.0)


@dataclass(frozen=True, slots=True)
class PanelOrder:
    """Which board each picture shows: `boards` in turn, or the tiles tell where it is empty."""

    boards: tuple[int, ...] = ()


def parse_panels(text: str | None) -> PanelOrder | None:
    """`1,2,5`, `1-9`, or `auto`; None where nothing was said.

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
        if not all(end.strip().isdecimal() and 1 <= int(end) <= PANELS for end in ends):
            raise UsageError(
                f"--panel: expected boards 1 to {PANELS} as 1-9 or 2,5,8, or auto, got {text!r}"
            )
        boards += range(int(ends[0]), int(ends[1]) + 1)
    if not boards or len(set(boards)) != len(boards):
        raise UsageError(f"--panel: expected each board once, got {text!r}")
    return PanelOrder(tuple(boards))


def panel_grid(grid: Grid, panel: int) -> Grid:
    """One of the nine boards of a grid, as a board of its own."""
    top, left = _corner(panel)
    tiles = {
        Square(s.row - top, s.col - left): t
        for s, t in grid.tiles.items()
        if 0 <= s.row - top < SIDE and 0 <= s.col - left < SIDE
    }
    return Grid(SIDE, SIDE, tiles)


def _corner(panel: int) -> tuple[int, int]:
    return SIDE * ((panel - 1) // 3), SIDE * ((panel - 1) % 3)


class PanelTable:
    """Keeps what was last seen of each board.

    A board counts as seen until something new shows on another one: a play may go on over the
    seam, so it waits for a new picture of the board beyond it.
    """

    def __init__(self, order: PanelOrder) -> None:
        self._order = order
        self._views: dict[int, BoardView] = {}
        self._fresh: set[int] = set()
        self._now = 0
        self._pictures = 0

    def skip(self) -> None:
        """A picture could not be read; the next one shows the next board."""
        self._pictures += 1

    def look(
        self, readings: tuple[GridReading, ...], known: Grid, *, fixed_top: bool
    ) -> BoardView | None:
        """The whole grid as known from this picture and those of the other boards.

        Args:
            readings: the board in the picture.
            known: what lies on the whole grid.
            fixed_top: whether row A is where the readings say.

        Returns:
            A view of 45 by 45 squares, hidden where nothing was seen; None if it cannot be told
            which board the picture shows.
        """
        boards = self._order.boards
        panel = boards[self._pictures % len(boards)] if boards else None
        self._pictures += 1
        if panel is None:
            panel = recognised(readings, known, fixed_top=fixed_top)
        if panel is None:
            return None
        seen = align(readings, panel_grid(known, panel), fixed_top=fixed_top)
        if seen is None:
            return None
        before, self._views[panel] = self._views.get(panel), seen[0]
        if _new_tiles(seen[0], panel_grid(known, panel), before):
            self._fresh = {
                k for k in self._fresh if _new_tiles(self._views[k], panel_grid(known, k), None)
            }
        self._fresh.add(panel)
        self._now = panel
        return self._together(known)

    def _unwatched(self, square: Square) -> bool:
        return _panel_of(square) not in self._order.boards

    def played(self) -> None:
        """A play was made: what was seen before it of other boards may be out of date."""
        self._fresh = {self._now}

    def hand_in_sight(self) -> bool:
        """Whether the newest picture itself had hidden squares."""
        return self._now in self._views and bool(self._views[self._now].hidden_squares())

    def _together(self, known: Grid) -> BoardView:
        size = 3 * SIDE
        squares = {Square(r, c): HIDDEN for r in range(size) for c in range(size)}
        if self._order.boards:
            # nothing is waited for from a board that nobody photographs
            squares |= {s: BARE for s in squares if self._unwatched(s) and s not in known}
        for panel in self._fresh:
            top, left = _corner(panel)
            for s, view in self._views[panel].squares.items():
                squares[Square(s.row + top, s.col + left)] = view
        return BoardView(size, size, squares)


def _panel_of(square: Square) -> int:
    return 3 * (square.row // SIDE) + square.col // SIDE + 1


def _new_tiles(view: BoardView, known: Grid, before: BoardView | None) -> bool:
    """Whether a board shows tiles that are not known and were not seen there before."""
    return any(
        q.tile > LIKELY and s not in known and (before is None or before[s].tile <= LIKELY)
        for s, q in view.squares.items()
    )


def recognised(readings: tuple[GridReading, ...], known: Grid, *, fixed_top: bool) -> int | None:
    """The board whose tiles a picture shows, if one is clearly the likeliest."""
    scored = []
    for panel in range(1, PANELS + 1):
        grid = panel_grid(known, panel)
        seen = align(readings, grid, fixed_top=fixed_top)
        if seen is not None:
            worth = sum(fit(view, grid.get(s)) for s, view in seen[0].squares.items())
            scored.append((worth, panel))
    scored.sort(reverse=True)
    if len(scored) < 2 or scored[0][0] - scored[1][0] < CLEAR_LEAD:
        return None
    return scored[0][1]
