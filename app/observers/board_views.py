"""Turns board readings into views for the engine, and keeps row A at its edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.table import Grid, Square
from kibitz.engine.tracking.evidence.changes import TINY, BoardView, SquareView, fit
from kibitz.engine.tracking.evidence.facing import turned, turned_square, turned_view
from kibitz.engine.tracking.evidence.priors import PLAYS
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, TILE_KIND, GridReading
from kibitz.vision.stream.steady import STEADY

MOVED: Final = 8.0
"""Nats against another row A than before where the board lies where it lay."""


def board_view(reading: GridReading) -> BoardView:
    """Probabilities of every square as plain numbers."""
    return _with_marks(reading, _squares_of(reading, np.ones((reading.size, reading.size), bool)))


class BoardViews:
    """Turns a fixed camera's readings into views, reusing those of unchanged squares."""

    def __init__(self) -> None:
        self._last: tuple[GridReading, BoardView] | None = None

    def of(self, reading: GridReading) -> BoardView:
        """Probabilities of every square as plain numbers."""
        if self._last is not None and self._last[0] is reading:
            return self._last[1]
        if self._last is None or (changed := _changed(reading, self._last[0])) is None:
            view = board_view(reading)
        else:
            before = self._last[1]
            view = _with_marks(reading, {**before.squares, **_squares_of(reading, changed)})
            view.take_over_gains(before)
        self._last = reading, view
        return view


def _changed(now: GridReading, before: GridReading) -> NDArray[np.bool_] | None:
    """(n, n) bool: squares whose reading changed; None where nothing can be compared."""
    if (now.size, now.labels) != (before.size, before.labels):
        return None
    changed = now.tile_sets != before.tile_sets
    for a, b in (
        (now.kind_log_prob, before.kind_log_prob),
        (now.letter_log_prob, before.letter_log_prob),
        (now.turn_log_prob, before.turn_log_prob),
    ):
        changed |= (a != b).any(-1)
    return np.asarray(changed)


def _squares_of(reading: GridReading, wanted: NDArray[np.bool_]) -> dict[Square, SquareView]:
    """Views of some squares, (n, n) bool."""
    where = np.argwhere(wanted).tolist()
    kind_of, turn_of = (
        np.exp(logs[wanted].astype(np.float64))
        for logs in (reading.kind_log_prob, reading.turn_log_prob)
    )
    # nobody asks what stands where no tile can lie
    tiles = kind_of[:, TILE_KIND] > TINY
    letter_of = np.exp(reading.letter_log_prob[wanted][tiles].astype(np.float64))
    letters = iter(letter_of.tolist())
    labels, squares = reading.labels, {}
    for (r, c), kind, tile, turn, colour in zip(
        where,
        kind_of.tolist(),
        tiles.tolist(),
        turn_of.tolist(),
        reading.tile_sets[wanted].tolist(),
        strict=True,
    ):
        likely = (
            {x: p for x, p in zip(labels, next(letters), strict=True) if p > TINY} if tile else {}
        )
        squares[Square(r, c)] = SquareView(
            kind[EMPTY_KIND],
            kind[TILE_KIND],
            kind[MARKER_KIND],
            kind[COVERED_KIND],
            likely,
            (turn[0], turn[1], turn[2], turn[3]),
            "a" if colour in ("", ".") else colour,
        )
    return squares


def _with_marks(reading: GridReading, squares: Mapping[Square, SquareView]) -> BoardView:
    markers = tuple(tuple(Square(r, c) for r, c in m.squares) for m in reading.markers)
    alike = {Square(*s): {Square(*o): x for o, x in to.items()} for s, to in reading.alike.items()}
    return BoardView(reading.size, reading.size, squares, markers, alike)


class RowA:
    """Edge of row A in the last picture: a board that has not moved was seldom turned.

    Attributes:
        told: how many tiles have said for certain where it is.
    """

    def __init__(self) -> None:
        self.told = 0
        self._corners: NDArray[np.float64] | None = None

    def doubts(self, reading: GridReading) -> list[float]:
        """Penalties for turning a reading by 0 to 3 quarters (natural logs)."""
        here = [self._is_last(reading, k) for k in range(4)]
        if any(here):
            return [0.0 if same else MOVED for same in here]
        # a turn that the tiles themselves speak against must explain the position better
        told = PLAYS.clear if reading.top_certain else 0.0
        return [0.0, told, told, told]

    @property
    def corners(self) -> NDArray[np.float64] | None:
        """(4, 2) corners of the board, row A first."""
        return self._corners

    def remember(self, reading: GridReading, quarters: int) -> None:
        """Note where row A lies when the reading is turned so."""
        self._corners = _rolled(reading, quarters)
        if reading.top_certain and quarters == 0:
            self.told = max(self.told, _tiles(reading))

    def was_wrong(self, reading: GridReading) -> int:
        """Quarters by which row A was taken for another edge of a board that has not moved.

        Its tiles did not say so for certain until this picture, or were few; 0 where row A is
        where it was.
        """
        if not reading.top_certain or _tiles(reading) < 2 * self.told:
            return 0
        return next((k for k in (1, 2, 3) if self._is_last(reading, k)), 0)

    def _is_last(self, reading: GridReading, quarters: int) -> bool:
        if self._corners is None:
            return False
        off = np.linalg.norm(_rolled(reading, quarters) - self._corners, axis=1).max()
        return bool(off < STEADY.same_place_squares * reading.square_px)


def _tiles(reading: GridReading) -> int:
    """Number of squares that most likely show a tile."""
    return int((np.exp(reading.kind_log_prob[..., TILE_KIND]) > 0.5).sum())


def _rolled(reading: GridReading, quarters: int) -> NDArray[np.float64]:
    """(4, 2) corners of a board turned clockwise by quarter turns."""
    return np.roll(np.asarray(reading.corners_px, np.float64), quarters, axis=0)


def align(
    readings: tuple[GridReading, ...],
    known: Grid,
    *,
    fixed_top: bool,
    viewed: Callable[[GridReading], BoardView] = board_view,
    row_a: RowA | None = None,
) -> tuple[BoardView, int] | None:
    """The board in a picture that fits the known position best.

    Args:
        readings: the boards in the picture.
        known: what lies on the board as far as is known.
        fixed_top: row A is where the reading says (given by hand); else the known tiles tell.
        viewed: makes a view of a reading.
        row_a: where row A lay in the picture before; it takes in this one.

    Returns:
        The view with row A as the known position has it and the index of its reading, or None
        without any board.
    """
    options: list[tuple[float, int, int, BoardView]] = []
    row_a = row_a or RowA()
    for index, reading in enumerate(readings):
        view = viewed(reading)
        if view.rows != known.rows:
            continue
        turns = (0,) if fixed_top or not known.tiles else (0, 1, 2, 3)
        doubts = row_a.doubts(reading)
        for quarters in sorted(turns, key=lambda q: doubts[q]):
            if any(agrees > -doubts[quarters] for agrees, *_ in options):
                break  # a turn that agrees in everything would not be likelier either
            agrees = _agreement(view, known, quarters) - doubts[quarters]
            options.append((agrees, -index, -quarters, view))
    if not options:
        return None
    best = max(options, key=lambda x: x[:3])
    row_a.remember(readings[-best[1]], -best[2])
    return turned_view(best[3], -best[2]), -best[1]


def lies_as_read(view: BoardView, known: Grid) -> bool:
    """True if a view fits the known position best without being turned."""
    return max(range(4), key=lambda q: (_agreement(view, known, q), -q)) == 0


def _agreement(view: BoardView, known: Grid, quarters: int) -> float:
    """Log likelihood of the known position when a view is turned by quarters."""
    # which way up each tile lies says as much as which letter lies where
    return sum(
        fit(turned(view[turned_square(s, view.rows, -quarters)], quarters), t, turned=True)
        for s, t in known.tiles.items()
    )


SureLetter = tuple[str, float]
"""A letter as it was read (`?` a blank), and the probability that a tile with it lies there."""


def tiles_seen(view: Any) -> dict[str, SureLetter]:
    """Tiles of a view by square name.

    Args:
        view: what a tracker was shown: a board, two boards (None where one was not in sight), or
            something without squares, which has none.
    """
    if isinstance(view, BoardView):
        size = view.rows
        return _of_board(view.squares, lambda s: s.name_on(size))
    out: dict[str, SureLetter] = {}
    if isinstance(view, Sequence):
        for number, board in enumerate(view, 1):
            if isinstance(board, BoardView):
                named = _of_board(board.squares, lambda s: s.name)
                out |= {f"{number}:{square}": seen for square, seen in named.items()}
    return out


def _of_board(squares: Mapping[Square, SquareView], name: Any) -> dict[str, SureLetter]:
    out = {}
    for square, seen in squares.items():
        if seen.shows_tile and seen.letters:
            letter = seen.best_letter()
            out[name(square)] = letter, round(seen.tile * seen.letters[letter], 4)
    return out
