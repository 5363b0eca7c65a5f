"""Assembles squares that show a ship card into cards (ScrabbleShip).

A card may lie under tiles, or a hand over it: where its print runs on to the edge of a square
instead of tapering or ending, the card runs on under the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.vision.readings import (
    COVERED_KIND,
    EMPTY_KIND,
    MARKER_KIND,
    SURE,
    TILE_KIND,
    Marker,
)


@dataclass(frozen=True, slots=True)
class CardRules:
    """When a square shows the end of a ship card, and how far a card extends."""

    maybe: float = number(
        0.1,
        "probability",
        0.0,
        1.0,
        "what is read as a tile, and as likely a card, may be the end of one; a card of which one "
        "square shows, and as likely a hand, is none",
    )
    runs_on: float = number(
        14.0, "grey levels", 0.0, 255.0, "a print that runs on differs by less from itself"
    )

    edge: float = number(
        0.08, "of a square's side", 0.0, 0.25, "so much of it shows its lines and its neighbours"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = CardRules()
STEPS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))


def card_ends(kind: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n, n) bool: squares read as tiles that may be the end of a card.

    Args:
        kind: (n, n, 4) log probabilities in the order of `readings.KINDS`.
    """
    tile = kind.argmax(-1) == TILE_KIND
    # Fingers leave parts of letters that look like hulls.
    unhidden = kind[..., COVERED_KIND] < np.log(SURE.maybe)
    likely = kind[..., MARKER_KIND] > np.log(RULES.maybe)
    return np.asarray(tile & unhidden & likely, np.bool_)


SHIP_BY_LENGTH = {5: "carrier", 4: "scrabbleship", 3: "submarine", 2: "patrol"}
"""Two ships are three squares long; the fleet tells which one a card is for."""


Square = tuple[int, int]
Run = tuple[Square, ...]


def settle_cards(
    kind: NDArray[np.float32],
    ends: NDArray[np.bool_],
    straight: NDArray[np.uint8],
    square_px: int,
) -> tuple[NDArray[np.float32], tuple[Marker, ...]]:
    """Kinds and cards, with squares that may be a card's end settled.

    Args:
        kind: (n, n, 4) log probabilities.
        ends: (n, n) squares read as tiles that may show a card, see `card_ends`.
        straight: see `group_cards`.
        square_px: see `group_cards`.
    """
    swapped = kind.copy()
    swapped[ends, TILE_KIND], swapped[ends, MARKER_KIND] = (
        kind[ends, MARKER_KIND],
        kind[ends, TILE_KIND],
    )
    while ends.any():
        tried = np.where(ends[..., None], swapped, kind)
        cards = group_cards(np.exp(tried), straight, square_px)
        on_card = np.zeros_like(ends)
        for card in cards:
            on_card[tuple(np.array(card.squares).T)] = True
        if on_card[ends].all():
            return _without_fingers(tried, cards)
        ends = ends & on_card
    cards = group_cards(np.exp(kind), straight, square_px)
    return _without_fingers(kind, cards)


def _without_fingers(
    kind: NDArray[np.float32], cards: tuple[Marker, ...]
) -> tuple[NDArray[np.float32], tuple[Marker, ...]]:
    """Kinds and cards without one-square cards that may be fingertips beside a hand."""
    out, kept = kind.copy(), []
    best = kind.argmax(-1)
    for card in cards:
        shown = [q for q in card.squares if best[q] != COVERED_KIND]
        q = shown[0] if shown else card.squares[0]
        if len(shown) == 1 and kind[q][COVERED_KIND] > np.log(RULES.maybe):
            out[q][MARKER_KIND], out[q][COVERED_KIND] = kind[q][COVERED_KIND], kind[q][MARKER_KIND]
        else:
            kept.append(card)
    return out, tuple(kept)


def group_cards(
    kind_prob: NDArray[np.float32],
    straight: NDArray[np.uint8],
    square_px: int,
) -> tuple[Marker, ...]:
    """Cards as straight runs of two to five squares.

    A run may bridge one square that holds a tile or is covered: the card runs on below.

    Args:
        kind_prob: (n, n, 4) probabilities in the order of `readings.KINDS`.
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
    """
    marker = kind_prob[..., MARKER_KIND] > 0.5
    if not marker.any():
        return ()
    covered = kind_prob[..., COVERED_KIND] > 0.5
    over = (kind_prob[..., TILE_KIND] > 0.5) | covered
    runs, free = _seen_runs(marker, over)
    # A fold across bare squares may pass for a print that runs on.
    bare = kind_prob[..., EMPTY_KIND] > 0.5
    prints = _Prints(straight, square_px, marker, over, covered, bare)
    longer = [prints.prolonged(run) for run in runs]
    taken = {q for run in longer for q in run}
    for r, c in np.argwhere(free).tolist():
        if (r, c) in taken:
            continue
        tried = [prints.prolonged(((r, c),), down=down) for down in (False, True)]
        best = max(tried, key=len)
        if len(best) < 2:
            best = prints.short_card((r, c))
        if len(best) >= 2 and not taken & set(best):
            longer.append(best)
            taken |= set(best)
    return tuple(Marker(SHIP_BY_LENGTH[len(s)], s) for s in sorted(longer))


def _seen_runs(
    marker: NDArray[np.bool_], over: NDArray[np.bool_]
) -> tuple[list[Run], NDArray[np.bool_]]:
    """Runs of card squares, longest first, and card squares outside any run."""
    n = marker.shape[0]
    candidates: list[tuple[float, Run]] = []
    for r, c in np.argwhere(marker).tolist():
        for (dr, dc), length in product(((0, 1), (1, 0)), (5, 4, 3, 2)):
            squares = tuple((r + i * dr, c + i * dc) for i in range(length))
            if squares[-1][0] >= n or squares[-1][1] >= n or not marker[squares[-1]]:
                continue
            seen = sum(bool(marker[q]) for q in squares)
            bridged = sum(bool(over[q] and not marker[q]) for q in squares)
            if seen + bridged == length and bridged <= 1:
                candidates.append((seen + (0.0 if bridged else 0.5), squares))
    free = marker.copy()
    runs: list[Run] = []
    for _, squares in sorted(candidates, key=lambda x: -x[0]):
        # What one card takes no other may have.
        if (
            all(free[q] or not marker[q] for q in squares)
            and sum(bool(free[q]) for q in squares) >= 2
        ):
            for q in squares:
                free[q] = False
            runs.append(squares)
    return runs, free


@dataclass(frozen=True, slots=True, eq=False)
class _Prints:
    """Print across a card, and how far along it stays the same."""

    straight: NDArray[np.uint8]
    square_px: int
    marker: NDArray[np.bool_]
    over: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    bare: NDArray[np.bool_]

    def prolonged(self, run: Run, *, down: bool = False) -> Run:
        """The run with squares on either side that the card covers too."""
        if len(run) > 1:
            down = run[1][0] != run[0][0]
        own = np.concatenate(
            [self._along(q, down)[:, self._inner] for q in run if self.marker[q]], axis=1
        )
        profile = np.median(own, axis=1)
        for ahead in (False, True):
            while len(run) < 5:
                r, c = run[-1 if ahead else 0]
                step = 1 if ahead else -1
                beyond = (r + step * down, c + step * (not down))
                n = self.over.shape[0]
                if not (0 <= beyond[0] < n and 0 <= beyond[1] < n):
                    break
                # a hand makes light uneven
                unlike = RULES.runs_on * (2 if self.covered[beyond] else 1)
                if not self._runs_on((r, c), profile, down, ahead, unlike):
                    break
                same = (
                    self._unlike(self._along(beyond, down), profile, self._inner) < RULES.runs_on
                )
                if not (self.over[beyond] or (same and not self.bare[beyond])):
                    break
                run = (*run, beyond) if ahead else (beyond, *run)
                if self.over[beyond]:  # nothing is seen of the card from here on
                    break
        return run

    def short_card(self, square: Square) -> Run:
        """A card of two squares with one hidden, if its print is not cut off there."""
        r, c = square
        best: Run = (square,)
        value = 2 * RULES.runs_on
        own, last = self._part(1 / 2, 3 / 4), self._part(3 / 4, 1 - RULES.edge)
        for dr, dc in STEPS:
            beyond = (r + dr, c + dc)
            n = self.over.shape[0]
            if not (0 <= beyond[0] < n and 0 <= beyond[1] < n and self.over[beyond]):
                continue
            along = self._along(square, down=dr != 0)
            along = along[:, ::-1] if dr + dc < 0 else along
            unlike = self._unlike(along, np.median(along[:, own], axis=1), last)
            if unlike < value:
                best, value = tuple(sorted((square, beyond))), unlike
        return best

    def _along(self, square: Square, down: bool) -> NDArray[np.float32]:
        """A square's pixels (across, along, 3)."""
        p = self.square_px
        y, x = (square[0] + 1) * p, (square[1] + 1) * p
        part = self.straight[y : y + p, x : x + p].astype(np.float32)
        return part.transpose(1, 0, 2) if down else part

    @property
    def _inner(self) -> slice:
        return self._part(1 / 4, 3 / 4)

    def _part(self, low: float, high: float) -> slice:
        return slice(round(low * self.square_px), round(high * self.square_px))

    def _unlike(
        self, along: NDArray[np.float32], profile: NDArray[np.float32], part: slice
    ) -> float:
        """Difference of part of a square from the card's profile, in grey levels.

        A part that lies in a shadow, as beside a hand, is taken as light as the profile.
        """
        across = self._inner
        seen = np.median(along[:, part], axis=1)[across]
        darker = profile[across].mean() / max(float(seen.mean()), 1.0)
        lighter = max(1.0, darker)
        return float(np.abs(seen * lighter - profile[across]).mean())

    def _runs_on(
        self,
        square: Square,
        profile: NDArray[np.float32],
        down: bool,
        ahead: bool,
        unlike: float,
    ) -> bool:
        along = self._along(square, down)
        if not ahead:
            along = along[:, ::-1]
        last = self._part(3 / 4, 1 - RULES.edge)
        return self._unlike(along, profile, last) < unlike
