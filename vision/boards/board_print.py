"""What a board's print tells of its place, and of whether it is a board at all.

Premium squares lie the same way seen in any mirror on every board we know. A lattice fits as well
a row further on, and a crossword as well as a board: the bare squares then do not look like their
mirror images.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.vision.boards.squares import pixels_within
from kibitz.vision.readings import EMPTY_KIND, TILE_KIND

Picture = NDArray[np.uint8]

BARE = 0.9
"""How probably a square must be empty to be asked about its print."""
ENOUGH = 40
"""Fewer squares with a mirror image say nothing."""
REACH = 2
"""Squares around each that say how light it is there."""
DARK = 8.0
"""Grey levels added before logarithms are taken: noise counts little in the dark."""
ALIKE = 0.3
"""Where mirror images vary by so small a part of what all do, the board lies right."""
NO_BOARD = 0.7
"""Where they vary by more, and more of them than `MOST_ODD` are odd, it is none; with few tiles it
is none either way, for its print is there to be seen."""
FEW_TILES = 7
MOST_ODD, ODD = 0.13, 0.15
"""A square is odd that differs by more (natural logs of brightness) from most mirror images of it:
a glare makes few of them so."""
CHEQUERED = 0.6
"""On no board do squares that lie by turns, as black and white ones do, make so much of what
differs: premium squares lie on both."""
MOST_ROWS = 2
THIN = 6
"""So many rows and columns of a square's pixels, less the outermost, are enough for a mean."""


@dataclass(frozen=True, eq=False)
class BoardPrint:
    """The bare squares of a board as found, to be compared with their mirror images.

    Attributes:
        colours: (n, n, 3) natural logs of mean BGR.
        bare: (n, n) which squares show their print.
        tiles: how many hold a tile.
    """

    colours: NDArray[np.float32]
    bare: NDArray[np.bool_]
    tiles: int

    def lies_as_in_a_mirror(self) -> bool:
        """Whether there is nothing to look into further, by a look that takes no time."""
        unlike = self.unlike()
        return unlike is None or unlike < ALIKE

    def rows_off(self) -> tuple[int, int] | None:
        """By how many squares (x, y) the board must move to lie as in a mirror, or None.

        None too where it lies so already.
        """
        if self.lies_as_in_a_mirror():
            return None
        rows = range(-MOST_ROWS, MOST_ROWS + 1)
        moves = ((x, y) for x in rows for y in rows)
        unlike = {move: it for move in moves if (it := self.unlike(move)) is not None}
        best = min(unlike, key=lambda move: unlike[move], default=(0, 0))
        return best if best != (0, 0) and unlike[best] < ALIKE else None

    def of_no_board(self) -> bool:
        """Whether these are the squares of a crossword, of squared paper or the like."""
        if self._by_turns() > CHEQUERED:
            return True
        unlike = self.unlike()
        if unlike is None or unlike < NO_BOARD:
            return False
        if self.tiles <= FEW_TILES:
            return True
        seen, group, count = self._images((0, 0))
        groups = np.split(seen[np.argsort(group, kind="stable")], np.cumsum(count[count > 0])[:-1])
        odd = [((images - np.median(images, axis=0)) ** 2).mean(1) > ODD**2 for images in groups]
        return float(np.concatenate(odd).mean()) > MOST_ODD

    def unlike(self, move: tuple[int, int] = (0, 0)) -> float | None:
        """Variance between mirror images as a part of that between all; about 1: none are any.

        Args:
            move: how far the board's middle is from here, in squares (x, y).

        Returns:
            None where too few squares have a mirror image in sight.
        """
        return self._unlike_here if move == (0, 0) else self._unlike(move)

    @cached_property
    def _unlike_here(self) -> float | None:
        return self._unlike((0, 0))

    def _unlike(self, move: tuple[int, int]) -> float | None:
        seen, group, count = self._images(move)
        if len(seen) < ENOUGH:
            return None
        places = (group[:, None] * 3 + np.arange(3)).ravel()
        sums = np.bincount(places, seen.ravel(), 3 * len(count)).reshape(-1, 3)
        squares = (seen * seen).sum()
        within = squares - ((sums * sums).sum(1) / np.maximum(count, 1)).sum()
        among = squares - (sums.sum(0) ** 2).sum() / len(seen)
        freedom = (len(seen) - 1) / (len(seen) - np.count_nonzero(count))
        return float(within / max(among, 1e-9) * freedom)

    def _images(
        self, move: tuple[int, int]
    ) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.intp]]:
        """Squares of which a mirror image is in sight.

        Returns:
            (N, 3) their colours, (N,) the group of mirror images that each belongs to, and how
            many of them each group has: none, or at least two.
        """
        group = _groups(len(self.bare), move)[self.bare]
        count = np.bincount(group)
        count[count == 1] = 0
        several = count[group] > 0
        return self.colours[self.bare][several].astype(np.float64), group[several], count

    def _by_turns(self) -> float:
        """The part of bare squares' variance that a chess board's two colours account for."""
        seen = self.colours[self.bare].astype(np.float64)
        if len(seen) < ENOUGH:
            return 0.0
        apart = seen - seen.sum(0) / len(seen)
        black = _black(len(self.bare))[self.bare]
        count, one = np.count_nonzero(black), black @ apart
        # The other colour's sum is as large, the other way.
        among = (one @ one) * sum(1 / x for x in (count, len(seen) - count) if x)
        return float(among / max((apart * apart).sum(), 1e-9))

    def evened(self) -> BoardPrint:
        """The same less what is usual around each square: without lamps and shadows."""
        side = 2 * REACH + 1
        known = np.where(self.bare[..., None], self.colours, np.nan)
        edge = ((REACH, REACH), (REACH, REACH), (0, 0))
        padded = np.pad(known, edge, constant_values=np.nan)
        around = np.lib.stride_tricks.sliding_window_view(padded, (side, side), (0, 1))
        even = self.colours.copy()
        even[self.bare] -= np.nanmedian(around[self.bare].reshape(-1, 3, side * side), -1)
        return BoardPrint(even, self.bare, self.tiles)


@lru_cache
def _black(n: int) -> NDArray[np.float64]:
    """(n, n) 1 where a chess board is black, else 0."""
    row, col = np.indices((n, n))
    return np.asarray((row + col) % 2, np.float64)


@lru_cache
def _groups(n: int, move: tuple[int, int]) -> NDArray[np.intp]:
    """(n, n) numbers that mirror images share, seen in mirrors through the board's middle.

    Args:
        n: squares along a side.
        move: how far the middle is from that of the squares, (x, y).
    """
    y, x = (np.abs(np.arange(n) - (n - 1) // 2 - m) for m in move[::-1])
    return np.asarray(np.minimum.outer(y, x) * (2 * n) + np.maximum.outer(y, x))


def print_of(straight: Picture, square_px: int, kind: NDArray[np.float32]) -> BoardPrint:
    """A board's print, without lamps and shadows where these may matter.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        kind: (n, n, 4) log probabilities.
    """
    n, px = straight.shape[0] // square_px - 2, square_px
    step = px // THIN
    middles = pixels_within(straight, px, np.s_[step:-step:step]).swapaxes(1, 2)
    side = n * middles.shape[1]
    some = np.ascontiguousarray(middles).view(np.uint8).reshape(side, side, 3)
    means = cv2.resize(some.astype(np.float32), (n, n), interpolation=cv2.INTER_AREA)
    colours = np.asarray(np.log(means + np.float32(DARK)), np.float32)
    tiles = int(np.count_nonzero(kind.argmax(-1) == TILE_KIND))
    its = BoardPrint(colours, kind[..., EMPTY_KIND] > np.log(BARE), tiles)
    return its if its.lies_as_in_a_mirror() else its.evened()
