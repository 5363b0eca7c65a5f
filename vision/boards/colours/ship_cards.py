"""Putting squares that show a ship card together into cards (ScrabbleShip).

A card may lie under tiles, or a hand over it: where its print runs on to the edge of a square
instead of tapering or ending, the card runs on under the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.comb import as_compared
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
    """When a square shows the end of a ship card, and how far a card runs on."""

    maybe_card: float = number(
        1e-4,
        "probability",
        0.0,
        0.5,
        "as much of a card is seen on nearly every end of one",
    )
    likely_card: float = number(
        0.1,
        "probability",
        0.0,
        1.0,
        "with as much it was never a tile, whatever its print",
    )
    hand_beside: float = number(
        0.01, "probability", 0.0, 0.5, "fingers leave parts of letters that look like hulls"
    )
    other_colour: float = number(
        8.0,
        "CIELAB distance",
        0.0,
        100.0,
        "how far a card is from the second nearest tile",
    )
    worst_fit: float = number(
        0.25, "share", 0.0, 1.0, "how far a print may be from a plain band along the card"
    )
    narrowest: float = number(0.4, "squares", 0.0, 1.0, "a hull's least width")
    widest: float = number(0.68, "squares", 0.0, 1.0, "its largest width")
    most_aside: float = number(0.11, "squares", 0.0, 0.5, "how far it lies from the middle")
    runs_on: float = number(
        14.0, "grey levels", 0.0, 255.0, "a print that runs on differs by less from itself"
    )
    under_a_hand: float = number(
        28.0,
        "grey levels",
        0.0,
        255.0,
        "or than this where light is uneven; less ink is none",
    )
    maybe_hand: float = number(
        0.2, "probability", 0.0, 1.0, "a card of which one square shows, as likely a hand, is none"
    )
    edge: float = number(
        0.08, "of a square", 0.0, 0.3, "so much of a square shows its lines and its neighbours"
    )
    inner: float = number(
        0.2, "of a square", 0.0, 0.4, "a print is compared where it lies so far from the edge"
    )
    along: float = number(
        0.5, "of a square", 0.0, 0.9, "how a hull looks is told from here on along a card"
    )
    last: float = number(
        0.75, "of a square", 0.1, 0.9, "from here on it must stay the same to run on"
    )
    darkest: float = number(1.6, "times", 1.0, 10.0, "how much darker a shadow makes a print")

    def __post_init__(self) -> None:
        checked(self)


RULES = CardRules()
STEPS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))


def card_ends(
    kind: NDArray[np.float32],
    blank: NDArray[np.float32],
    edges: NDArray[np.float32],
    straight: NDArray[np.uint8],
    square_px: int,
    rules: CardRules = RULES,
) -> NDArray[np.bool_]:
    """(n, n) squares read as tiles that may show the end of a card.

    Args:
        kind: (n, n, 4) log probabilities in the order of `readings.KINDS`.
        blank: (n, n) probability that a tile there is a blank.
        edges: (n, n, 3) CIELAB of the edges of squares read as tiles.
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        rules: how such an end looks.
    """
    tile = kind.argmax(-1) == TILE_KIND
    unhidden = kind[..., COVERED_KIND] < np.log(rules.hand_beside)
    maybe = tile & unhidden & (kind[..., MARKER_KIND] > np.log(rules.maybe_card)) & (blank < 0.5)
    ends = maybe & (kind[..., MARKER_KIND] > np.log(rules.likely_card))
    sure = tile & (kind[..., TILE_KIND] > np.log(SURE.tile))
    over = tile | (kind.argmax(-1) == COVERED_KIND)
    for r, c in np.argwhere(maybe & ~ends).tolist():
        others = sure.copy()
        others[r, c] = False
        if others.sum() >= SURE.few and _apart(edges[r, c], edges[others]) > rules.other_colour:
            y, x = (r + 1) * square_px, (c + 1) * square_px
            part = straight[y : y + square_px, x : x + square_px]
            ends[r, c] = any(
                _hull_runs_on(_towards(part, step), rules)
                for step in STEPS
                if _holds(over, (r + step[0], c + step[1]))
            )
    return np.asarray(ends, np.bool_)


def _holds(squares: NDArray[np.bool_], at: tuple[int, int]) -> bool:
    n = squares.shape[0]
    return 0 <= at[0] < n and 0 <= at[1] < n and bool(squares[at])


def _apart(colour: NDArray[np.float32], others: NDArray[np.float32]) -> float:
    away = as_compared(others - colour)
    return float(np.partition(np.linalg.norm(away, axis=-1), 1)[1])


def _towards(part: NDArray[np.uint8], step: tuple[int, int]) -> NDArray[np.float32]:
    """A square as (across, along, 3), its last columns nearest to where a step leads."""
    across = part.transpose(1, 0, 2) if step[0] else part
    return (across[:, ::-1] if sum(step) < 0 else across).astype(np.float32)


def _hull_runs_on(square: NDArray[np.float32], rules: CardRules) -> bool:
    """Whether a print of one plain width goes on up to the end of a square (across, along, 3)."""
    px = len(square)

    def part(low: float, high: float) -> slice:
        return slice(round(low * px), round(high * px))

    edge, inner = rules.edge, rules.inner
    along = part(rules.along, 1 - edge)
    rims = [square[part(*at), along] for at in ((edge, inner), (1 - inner, 1 - edge))]
    card = np.median(np.concatenate(rims).reshape(-1, 3), axis=0)
    hull = np.median(square[part(inner, 1 - inner), along].reshape(-1, 3), axis=0)
    ink = hull - card
    if np.abs(ink).max() < rules.under_a_hand:
        return False
    # 0 where the card is bare, 1 on its hull.
    print_ = np.clip((square[part(edge, 1 - edge), along] - card) @ ink / (ink @ ink), 0, 1)
    # A band from `low` to `high` differs from the print by 1 - print inside and print outside.
    lines = print_.mean(1)
    inside = np.concatenate([[0.0], np.cumsum(1 - 2 * lines)])
    low, high = np.triu_indices(len(inside), 1)
    fit = (lines.sum() + inside[high] - inside[low]) / len(lines)
    best = int(fit.argmin())
    width, middle = float(high[best] - low[best]) / px, (high[best] + low[best]) / 2
    aside = abs(float(middle) - len(lines) / 2) / px
    plain = float(fit[best]) < rules.worst_fit and aside < rules.most_aside
    return plain and rules.narrowest <= width <= rules.widest


SHIP_BY_LENGTH = {5: "carrier", 4: "scrabbleship", 3: "submarine", 2: "patrol"}
"""Two ships are three squares long; the fleet tells which one a card is for."""


Square = tuple[int, int]
Run = tuple[Square, ...]


def settle_cards(
    kind: NDArray[np.float32],
    ends: NDArray[np.bool_],
    straight: NDArray[np.uint8],
    square_px: int,
    rules: CardRules = RULES,
) -> tuple[NDArray[np.float32], tuple[Marker, ...]]:
    """Kinds and cards, where squares that may show the end of a card count as such if it is one.

    Args:
        kind: (n, n, 4) log probabilities.
        ends: (n, n) squares read as tiles that may show a card, see `card_ends`.
        straight: see `group_cards`.
        square_px: see `group_cards`.
        rules: what makes a card.
    """
    swapped = kind.copy()
    swapped[ends, TILE_KIND], swapped[ends, MARKER_KIND] = (
        kind[ends, MARKER_KIND],
        kind[ends, TILE_KIND],
    )
    while ends.any():
        tried = np.where(ends[..., None], swapped, kind)
        cards = group_cards(np.exp(tried), straight, square_px, rules)
        on_card = np.zeros_like(ends)
        for card in cards:
            on_card[tuple(np.array(card.squares).T)] = True
        if on_card[ends].all():
            return _without_fingers(tried, cards, rules)
        ends = ends & on_card
    cards = group_cards(np.exp(kind), straight, square_px, rules)
    return _without_fingers(kind, cards, rules)


def _without_fingers(
    kind: NDArray[np.float32], cards: tuple[Marker, ...], rules: CardRules
) -> tuple[NDArray[np.float32], tuple[Marker, ...]]:
    """Without cards of which one square shows, and that one may be a fingertip beside a hand."""
    out, kept = kind.copy(), []
    best = kind.argmax(-1)
    for card in cards:
        shown = [q for q in card.squares if best[q] != COVERED_KIND]
        q = shown[0] if shown else card.squares[0]
        if len(shown) == 1 and kind[q][COVERED_KIND] > np.log(rules.maybe_hand):
            out[q][MARKER_KIND], out[q][COVERED_KIND] = kind[q][COVERED_KIND], kind[q][MARKER_KIND]
        else:
            kept.append(card)
    return out, tuple(kept)


def group_cards(
    kind_prob: NDArray[np.float32],
    straight: NDArray[np.uint8],
    square_px: int,
    rules: CardRules = RULES,
) -> tuple[Marker, ...]:
    """Cards as straight runs of two to five squares.

    A run may bridge one square that holds a tile or is covered: the card runs on below.

    Args:
        kind_prob: (n, n, 4) probabilities in the order of `readings.KINDS`.
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        rules: how far a card runs on.
    """
    marker = kind_prob[..., MARKER_KIND] > 0.5
    if not marker.any():
        return ()
    covered = kind_prob[..., COVERED_KIND] > 0.5
    over = (kind_prob[..., TILE_KIND] > 0.5) | covered
    runs, free = _seen_runs(marker, over)
    # A fold across bare squares may pass for a print that runs on.
    bare = kind_prob[..., EMPTY_KIND] > 0.5
    prints = _Prints(straight, square_px, marker, over, covered, bare, rules)
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
    """Runs of squares that show a card, longest first, and the squares that are in none."""
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
    """What is printed across a card, and how far along it stays the same."""

    straight: NDArray[np.uint8]
    square_px: int
    marker: NDArray[np.bool_]
    over: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    bare: NDArray[np.bool_]
    rules: CardRules

    def prolonged(self, run: Run, *, down: bool = False) -> Run:
        """The run with the squares on either side that its card runs on to."""
        rules = self.rules
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
                unlike = rules.under_a_hand if self.covered[beyond] else rules.runs_on
                if not self._runs_on((r, c), profile, down, ahead, unlike):
                    break
                same = (
                    self._unlike(self._along(beyond, down), profile, self._inner) < rules.runs_on
                )
                if not (self.over[beyond] or (same and not self.bare[beyond])):
                    break
                run = (*run, beyond) if ahead else (beyond, *run)
                if self.over[beyond]:  # nothing is seen of the card from here on
                    break
        return run

    def short_card(self, square: Square) -> Run:
        """A card of two squares of which one is hidden: where its print is not cut off."""
        r, c = square
        best: Run = (square,)
        rules = self.rules
        value = rules.under_a_hand
        own, last = self._part(rules.along, rules.last), self._part(rules.last, 1 - rules.edge)
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
        return self._part(self.rules.inner, 1 - self.rules.inner)

    def _part(self, low: float, high: float) -> slice:
        return slice(round(low * self.square_px), round(high * self.square_px))

    def _unlike(
        self, along: NDArray[np.float32], profile: NDArray[np.float32], part: slice
    ) -> float:
        """How far a part of a square differs from the card's profile, in grey levels.

        A part that lies in a shadow, as beside a hand, is taken as light as the profile.
        """
        across = self._inner
        seen = np.median(along[:, part], axis=1)[across]
        darker = profile[across].mean() / max(float(seen.mean()), 1.0)
        lighter = np.clip(darker, 1.0, self.rules.darkest)
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
        last = self._part(self.rules.last, 1 - self.rules.edge)
        return self._unlike(along, profile, last) < unlike
