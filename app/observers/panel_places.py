"""Places partial pictures of nine joined boards, by board edges and by overlap.

Every picture is a piece: boards in their places beside one another. A piece fits where the joined
boards end as it shows them end, where it agrees with the tiles known, and where it shows the same
tiles as other pieces that overlap with it. The print says nothing: boards are much alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.table import BOARDS_A_SIDE, SIDE, Grid
from kibitz.engine.tracking.evidence.priors import SEARCH
from kibitz.vision.readings import (
    BLANK,
    COVERED_KIND,
    TILE_KIND,
    GridReading,
    PhotoReading,
    turned_board,
    turned_place,
)

Place = tuple[int, int]
Logs = NDArray[np.float64]


DOUBT: Final = 0.08
"""Probability that a square differs between two pictures."""
TILES: Final = 0.2
"""Share of squares that hold a tile."""
CLEAR_LEAD: Final = 4.0
"""Nats by which a place must be better than others."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Place of a piece's first board among the nine, and the turn of its boards."""

    row: int
    col: int
    quarters: int


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Boards of one picture.

    Attributes:
        boards: for each place the probabilities of its squares, (15, 15, 1 + letters): empty,
            then every letter; nothing but zeros where a square is not seen.
        beyond: log odds that a board lies at a place.
        certain: whether the tiles tell which way up they are.
    """

    boards: Mapping[Place, Logs]
    beyond: Mapping[Place, float] = field(default_factory=dict)
    certain: bool = True

    def turned(self, quarters: int) -> Piece:
        """The piece with its first corners moved by quarter turns clockwise."""
        return Piece(
            {turned_place(p, quarters): np.rot90(x, quarters) for p, x in self.boards.items()},
            {turned_place(p, quarters): odds for p, odds in self.beyond.items()},
            self.certain,
        )


def piece_of(reading: PhotoReading) -> Piece:
    """Boards of a picture of some of nine joined boards."""
    boards = {}
    for board in reading.boards:
        kinds = np.exp(board.kind_log_prob.astype(np.float64))
        letters = np.exp(board.letter_log_prob.astype(np.float64))
        tile = kinds[..., TILE_KIND : TILE_KIND + 1]
        seen = kinds[..., COVERED_KIND] < 0.5
        values = np.concatenate([1 - tile, tile * letters], -1)
        boards[board.place or (0, 0)] = values * seen[..., None]
    certain = all(board.top_certain for board in reading.boards)
    return Piece(boards, {b.place: b.odds for b in reading.beyond}, certain)


def spots_of(
    pieces: Sequence[Piece],
    known: Grid | None = None,
    labels: Sequence[str] = (),
    *,
    fixed_top: bool = False,
) -> list[Spot | None]:
    """Place of each piece; None where it is unclear.

    Args:
        pieces: what the pictures show.
        known: tiles that lie on the boards already, if any are known.
        labels: the letters in the order of the pieces' probabilities, for `known`.
        fixed_top: row A is where the pieces say.
    """
    turns = (0,) if fixed_top else (0, 1, 2, 3)
    turned = [[piece.turned(q) for q in turns] for piece in pieces]
    alone = [_alone(some, known, labels) for some in turned]
    # the clearest first: the others then find their places beside them
    order = sorted(range(len(pieces)), key=lambda i: -_lead(alone[i]))

    @cache
    def together(i: int, j: int, here: Spot, there: Spot) -> float:
        step = there.row - here.row, there.col - here.col
        return _overlap(turned[i][here.quarters], turned[j][there.quarters], step)

    lines: list[tuple[float, dict[int, Spot]]] = [(0.0, {})]
    for i in order:
        longer = []
        for weight, placed in lines:
            for spot, own in alone[i].items():
                more = own
                for j, other in placed.items():
                    more += together(i, j, spot, other)
                longer.append((weight + more, {**placed, i: spot}))
        longer.sort(key=lambda line: -line[0])
        lines = longer[: SEARCH.looked_through]
    top, best = lines[0]
    doubtful = {
        i
        for weight, placed in lines[1:]
        if weight > top - CLEAR_LEAD
        for i in placed
        if placed[i] != best[i]
    }
    return [None if i in doubtful else best.get(i) for i in range(len(pieces))]


def panels_of(reading: PhotoReading, spot: Spot) -> dict[int, GridReading]:
    """Boards of a picture by number (rule FS-3), row A first."""
    out = {}
    for board in reading.boards:
        turned = turned_board(board, spot.quarters)
        row, col = turned.place or (0, 0)
        if _among((spot.row, spot.col), (row, col)):
            out[BOARDS_A_SIDE * (spot.row + row) + spot.col + col + 1] = turned
    return out


def is_in_parts(reading: PhotoReading) -> bool:
    """True if a picture shows only some of nine joined boards."""
    return bool(reading.boards) and reading.boards[0].place is not None


def _alone(
    turned: Sequence[Piece], known: Grid | None, labels: Sequence[str]
) -> dict[Spot, float]:
    """Log odds of each place and turn for a piece by itself."""
    out = {}
    for quarters, piece in enumerate(turned):
        # where its tiles do not tell, half of what makes a place clear; against them, twice that
        doubt = -CLEAR_LEAD * (2.0 if piece.certain else 0.5) * (quarters > 0)
        for place in product(range(BOARDS_A_SIDE), range(BOARDS_A_SIDE)):
            weight = doubt
            for beside, odds in piece.beyond.items():
                weight += odds / 2 if _among(place, beside) else -odds / 2
            if known is not None and known.tiles:
                weight += _agrees(piece, place, known, labels)
            out[Spot(*place, quarters)] = weight
    return out


def _among(first: Place, beside: Place) -> bool:
    row, col = first[0] + beside[0], first[1] + beside[1]
    return 0 <= row < BOARDS_A_SIDE and 0 <= col < BOARDS_A_SIDE


def _lead(weights: Mapping[Spot, float]) -> float:
    best, *rest = sorted(weights.values(), reverse=True)
    return best - rest[0] if rest else best


def _overlap(a: Piece, b: Piece, step: Place) -> float:
    """Log odds that two pieces overlap, `b`'s first board a step further."""
    total = 0.0
    for place, squares in a.boards.items():
        other = b.boards.get((place[0] - step[0], place[1] - step[1]))
        if other is not None:
            total += _alike(squares, other)
    return total


def _alike(a: Logs, b: Logs) -> float:
    """Number of squares in both pieces of which one may hold a tile."""
    seen = (a.sum(-1) > 0.5) & (b.sum(-1) > 0.5)
    # empty squares lie side by side, so that each says little more than the last
    seen &= (a[..., 0] < 0.5) | (b[..., 0] < 0.5)
    if not seen.any():
        return 0.0
    usual = _usual(a.shape[-1])
    x = (1 - DOUBT) * a[seen] + DOUBT * usual
    y = (1 - DOUBT) * b[seen] + DOUBT * usual
    return float(np.log((x * y / usual).sum(-1)).sum())


def _agrees(piece: Piece, first: Place, known: Grid, labels: Sequence[str]) -> float:
    """Log likelihood ratio of the known tiles against any others.

    A new tile on an empty square is what play is about; a tile that is gone is not.
    """
    total = 0.0
    for (row, col), squares in piece.boards.items():
        if not _among(first, (row, col)):
            continue
        top, left = SIDE * (first[0] + row), SIDE * (first[1] + col)
        usual = _usual(squares.shape[-1])
        new = np.where(squares.sum(-1) < 0.5, 0.0, 1 - squares[..., 0])
        for square, tile in known.tiles.items():
            r, c = square.row - top, square.col - left
            if not (0 <= r < SIDE and 0 <= c < SIDE) or squares[r, c].sum() < 0.5:
                continue
            new[r, c] = 0.0
            name = BLANK if tile.blank else tile.letter
            index = 1 + labels.index(name) if name in labels else 0
            value = (1 - DOUBT) * squares[r, c, index] + DOUBT * usual[index]
            total += float(np.log(value / usual[index])) if index else 0.0
        total += np.log(TILES) * float(new.sum())
    return total


@cache
def _usual(count: int) -> Logs:
    """Prior log probabilities of an empty square and of each letter."""
    out = np.full(count, TILES / (count - 1))
    out[0] = 1 - TILES
    return out
