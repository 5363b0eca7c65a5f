"""A board's printed squares as evidence of its place, and that it is a board.

Premium squares lie the same way seen in any mirror on every board we know. A lattice fits as well
a row further on, and a crossword as well as a board: the bare squares then do not look like their
mirror images.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from sys import float_info
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.lattice import LATTICE
from kibitz.engine.parameters import checked, number
from kibitz.vision.boards.squares import pixels_within
from kibitz.vision.readings import EMPTY_KIND, SURE

Picture = NDArray[np.uint8]

THIN: Final = 6
"""So many rows and columns of a square's pixels are enough for a mean; the outermost lie near its
edge, where premium squares that are only framed have their colour."""


@dataclass(frozen=True, slots=True)
class PrintRules:
    """When bare squares count as symmetric, and when they cannot be a board's."""

    enough: int = number(40, "count", 4, 225, "fewer squares with a mirror image say nothing")
    reach: int = number(2, "squares", 1, 7, "so far around a square others say how light it is")
    alike: float = number(
        0.3, "share", 0.0, 1.0, "mirror images that vary by a smaller share lie as on a board"
    )
    far_squares: int = number(
        4, "squares", 0, 6, "of a board that the picture cuts off so much more may be missing"
    )
    no_board: float = number(
        0.5, "share", 0.0, 2.0, "where they vary by more, that speaks against a board"
    )
    noise: float = number(
        0.01, "share", 0.0, 1.0, "a camera's noise makes so much of what differs, in any colour"
    )
    chequered: float = number(
        0.6, "share", 0.0, 1.0, "on no board does a chequered pattern make more of what differs"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = PrintRules()


@dataclass(frozen=True, eq=False)
class BoardPrint:
    """Bare squares of a board, to be compared with their mirror images.

    Attributes:
        colours: (n, n, 3) natural logs of mean BGR.
        bare: (n, n) which squares show their print.
    """

    colours: NDArray[np.float32]
    bare: NDArray[np.bool_]

    def rows_off(self) -> tuple[int, int] | None:
        """Squares (x, y) by which the board must move to be symmetric, if that is far likelier."""
        odds = self._odds(LATTICE.reach, LATTICE.reach)
        best = max(odds, key=lambda move: odds[move])
        unlike = self.unlike(best)
        clearly = odds[best] > odds[0, 0] + SURE.together
        return best if clearly and unlike is not None and unlike < RULES.alike else None

    def squares_off(self, axes: tuple[bool, bool]) -> tuple[int, int] | None:
        """Squares (x, y) by which a cut-off board must move to be symmetric; else None.

        None where that cannot be told: in no place does it, or in several.

        Args:
            axes: whether the picture cuts off columns, and rows.
        """
        odds = self._odds(*(RULES.far_squares if cut else LATTICE.reach for cut in axes))
        best, second = sorted(odds, key=lambda move: -odds[move])[:2]
        clearly = odds[best] > odds[second] + SURE.together
        unlike = self.unlike(best)
        return best if clearly and unlike is not None and unlike <= RULES.alike else None

    def _odds(self, x: int, y: int) -> dict[tuple[int, int], float]:
        """Log odds that the board is displaced by up to so many squares, for each move (x, y)."""
        moves = tuple(product(range(-x, x + 1), range(-y, y + 1)))
        return dict(zip(moves, self._said_for(moves), strict=True))

    def _said_for(self, moves: tuple[tuple[int, int], ...], otherwise: float = 1.0) -> list[float]:
        """Log odds that the board is displaced so far; 0 where its squares are inconclusive.

        As of colours that vary so much less among mirror images: a few alike may be so by chance.

        Args:
            moves: how far the board's middle is from here, in squares (x, y).
            otherwise: how unlike its squares would be if it were not.
        """
        unlike, freedom = self._unlike(moves)
        said = freedom / 2 * np.log(otherwise / np.maximum(unlike, float_info.epsilon))
        return list(map(float, np.where(np.isnan(unlike), 0.0, said)))

    def says(self) -> float:
        """Log odds of a board by its bare squares; 0 where they are inconclusive.

        Those of a crossword or of squared paper are not alike in mirrors; those of a chequered
        cloth are, and alike by turns.
        """
        if self._is_chequered():
            return -SURE.together
        (said,) = self._said_for(((0, 0),), RULES.no_board)
        return float(np.clip(said, -SURE.together, SURE.together))

    def _is_chequered(self) -> bool:
        return self._by_turns() > RULES.chequered

    def unlike(self, move: tuple[int, int] = (0, 0)) -> float | None:
        """Variance between mirror images relative to all squares; 1 if there is no symmetry.

        Of the colour that shows symmetry best (Fisher's linear discriminant, 1936): print shows in
        hue, a lamp and its glare mostly in brightness.

        Args:
            move: how far the board's middle is from here, in squares (x, y).

        Returns:
            None where too few squares have a mirror image in sight, or all are alike.
        """
        (unlike,), _ = self._unlike((move,))
        return None if np.isnan(unlike) else float(unlike)

    def _unlike(
        self, moves: tuple[tuple[int, int], ...]
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Return `unlike` of each move, NaN where it tells nothing, and its degrees of freedom."""
        group = _groups(len(self.bare), moves)[:, self.bare.ravel()]
        size = int(group.max(initial=0)) + 1
        place = group + size * np.arange(len(moves))[:, None]
        count = np.bincount(place.ravel(), minlength=size * len(moves)).reshape(-1, size)
        count[count == 1] = 0
        several = np.take_along_axis(count, group, 1) > 0
        colours = self.colours[self.bare].astype(np.float64)
        seen = several.sum(1)
        mean = several @ colours / np.maximum(seen, 1)[:, None]
        apart = np.where(several[..., None], colours - mean[:, None], 0)
        among = apart.swapaxes(1, 2) @ apart
        places = (place[..., None] * 3 + np.arange(3)).ravel()
        sums = np.bincount(places, apart.ravel(), 3 * count.size).reshape(len(moves), size, 3)
        within = among - (sums / np.maximum(count, 1)[..., None]).swapaxes(1, 2) @ sums
        groups = np.count_nonzero(count, axis=1)
        total = np.trace(among, axis1=1, axis2=2)
        squares = several @ (colours * colours).sum(1)
        tells = (seen >= RULES.enough) & (total > squares * np.finfo(np.float32).eps)
        unlike, told = np.full(len(moves), np.nan), total[tells, None, None]
        noise = RULES.noise * told * np.eye(3)
        free = ((seen - 1) / np.maximum(seen - groups, 1))[tells, None, None]
        whiten = np.linalg.inv(np.linalg.cholesky(among[tells] + noise))
        shares = whiten @ (within[tells] * free + noise) @ whiten.swapaxes(1, 2)
        unlike[tells] = np.linalg.eigvalsh(shares)[:, 0]
        return unlike, seen - groups

    def _by_turns(self) -> float:
        """Share of bare squares' variance explained by a chessboard's two colours."""
        seen = self.colours[self.bare].astype(np.float64)
        if len(seen) < RULES.enough:
            return 0.0
        apart = seen - seen.sum(0) / len(seen)
        black = _black(len(self.bare))[self.bare]
        count, one = np.count_nonzero(black), black @ apart
        # The other colour's sum is as large, the other way.
        among = (one @ one) * sum(1 / x for x in (count, len(seen) - count) if x)
        return float(among / max((apart * apart).sum(), float_info.epsilon))

    def evened(self) -> BoardPrint:
        """The squares without lamps and shadows: less the mean colour around each."""
        side = (2 * RULES.reach + 1,) * 2
        bare = self.bare.astype(np.float32)
        sums = cv2.boxFilter(
            self.colours * bare[..., None],
            -1,
            side,
            normalize=False,
            borderType=cv2.BORDER_CONSTANT,
        )
        count = cv2.boxFilter(bare, -1, side, normalize=False, borderType=cv2.BORDER_CONSTANT)
        around = sums / np.maximum(count, 1)[..., None]
        return replace(self, colours=np.where(self.bare[..., None], self.colours - around, 0))


@lru_cache
def _black(n: int) -> NDArray[np.float64]:
    """(n, n) 1 on a chessboard's black squares, else 0."""
    row, col = np.indices((n, n))
    return np.asarray((row + col) % 2, np.float64)


@lru_cache
def _groups(n: int, moves: tuple[tuple[int, int], ...]) -> NDArray[np.intp]:
    """(moves, n * n) group numbers that mirror images share.

    Args:
        n: squares along a side.
        moves: how far the middle is from that of the squares, (x, y).
    """
    at = 2 * np.arange(n) - (n - 1)  # in half squares: the middle of an even board is a line
    x, y = (np.abs(at - 2 * m[:, None]) // 2 for m in np.array(moves).T)
    low, high = (f(y[:, :, None], x[:, None]) for f in (np.minimum, np.maximum))
    return np.asarray(low * (2 * n) + high).reshape(len(moves), n * n)


def print_of(straight: Picture, square_px: int, kind: NDArray[np.float32]) -> BoardPrint:
    """A board's print, without lamps and shadows.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        kind: (n, n, 4) log probabilities.
    """
    n, px = straight.shape[0] // square_px - 2, square_px
    step = px // THIN
    parts = pixels_within(straight, px, np.s_[step // 2 :: step]).swapaxes(1, 2)
    side = n * parts.shape[1]
    some = np.ascontiguousarray(parts).view(np.uint8).reshape(side, side, 3)
    means = cv2.resize(some.astype(np.float32), (n, n), interpolation=cv2.INTER_AREA)
    colours = np.asarray(np.log1p(means), np.float32)
    return BoardPrint(colours, kind[..., EMPTY_KIND] > np.log(SURE.known)).evened()
