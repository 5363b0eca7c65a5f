"""Calibrates the confidence of blanks, bare squares, and letters that are badly seen.

A blank on a board of its colour, a premium square in strange light: there what looks and colours
say together is right less often than it says. How often was counted on drawn boards in pictures
of every quality (`models/training/weighing/blank_fit.py`). It depends on whether one of the two
says otherwise, whether a tile there would be like the others, and whether it would have a letter:
what hides a letter from the looks, hides its tile's colour. How blurred, noisy or small the
picture is does not matter beside that: the looks tell it themselves. A letter of which light has
burnt out a part may have lost the stroke that makes it another, and one that is a few pixels
large shows few of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.quality import VIEW, ViewRule
from kibitz.engine.parameters import checked, number
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, TILE_KIND

Floats = NDArray[np.float32]
LEAST: Final = np.finfo(np.float32).eps
"""What is left for all other letters where one is certain."""


@dataclass(frozen=True, slots=True)
class BelievedRules:
    """Factors for the log odds of a tile against a bare square."""

    usual: float = number(
        0.65, "times", 0.1, 1.0, "looks and colours that agree on a square without a letter"
    )
    doubted: float = number(
        0.3,
        "times",
        0.01,
        1.0,
        "for each doubt: one of the two says otherwise, a tile is like no other, colours alone "
        "say that there is no letter; a letter is burnt out; looks and signs say otherwise of a "
        "blank",
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BelievedRules()


@dataclass(frozen=True, slots=True, eq=False)
class BlankEvidence:
    """Kinds after colours were used, and their evidence for the squares in doubt.

    Attributes:
        kind: (n, n, 4) log probabilities.
        there: rows and columns of the squares in doubt, (K,) each.
        looks: (K,) log odds of a tile before.
        colours: (K,) by how many nats colours speak for a tile.
        lettered: (K,) how probable a letter is if a tile lies there.
        unlike: (K,) how far the colour is from tiles and bare squares, beyond what is usual, as a
            part of what is as far as it matters.
        most: the most nats that colours say.
    """

    kind: Floats
    there: tuple[NDArray[np.intp], NDArray[np.intp]]
    looks: Floats
    colours: Floats
    lettered: Floats
    unlike: Floats
    most: float = 1.0

    @staticmethod
    def nothing(kind: Floats) -> BlankEvidence:
        """Evidence without squares in doubt, or where colours tell nothing."""
        none, nowhere = np.zeros(0, np.float32), np.zeros(0, np.intp)
        return BlankEvidence(kind, (nowhere, nowhere), none, none, none, none)

    def doubts(self, kind: Floats) -> Floats:
        """(K, 2) in 0 to 1: evidence against the present kind, by looks and by colours.

        That is, of a tile how far it is like no other; of a bare square how much of what is told
        only colours say, where looks would see a letter.

        Args:
            kind: (n, n, 4) log probabilities, as they are told.
        """
        odds = odds_of_tile(kind[self.there])
        sign = np.sign(odds)
        against = np.maximum(-sign * self.looks, -sign * self.colours) / self.most
        added = odds_of_tile(self.kind[self.there]) - self.looks
        by_colours = (added / np.where(sign < 0, odds, -1)).clip(0, 1)
        alone = np.where(sign > 0, self.unlike, self.lettered * by_colours)
        return np.asarray(np.stack([against, alone], -1).clip(0, 1), np.float32)


def odds_of_tile(kind: Floats) -> Floats:
    """Log odds of a tile against a bare square, from log probabilities (..., 4)."""
    bare = np.logaddexp(kind[..., EMPTY_KIND], kind[..., MARKER_KIND])
    return np.asarray(kind[..., TILE_KIND] - bare)


def as_believed(kind: Floats, asked: BlankEvidence, rules: BelievedRules = RULES) -> Floats:
    """Kinds with calibrated confidence; the likeliest stays the same.

    Args:
        kind: (n, n, 4) log probabilities, as they are told.
        asked: what was said of the squares in doubt.
        rules: how far that is believed.
    """
    doubts = asked.doubts(kind).sum(-1)
    some = kind[asked.there]
    covered = some.argmax(-1) == COVERED_KIND
    counts = np.where(covered, 1.0, rules.usual * rules.doubted**doubts)
    odds = odds_of_tile(some)
    # what tile, bare square and card have together stays theirs
    either = np.logaddexp.reduce(some[:, :COVERED_KIND], -1)
    more = either - np.logaddexp(0, counts * odds) - (some[:, TILE_KIND] - odds)
    some[:, TILE_KIND] = either - np.logaddexp(0, -counts * odds)
    some[:, [EMPTY_KIND, MARKER_KIND]] += more[:, None]
    out = kind.copy()
    out[asked.there] = some
    return out


def letters_count(
    doubts: Floats, square_px: float, rules: BelievedRules = RULES, view: ViewRule = VIEW
) -> Floats | None:
    """(n, n) factors for log odds of badly seen letters; None if all are well seen.

    Args:
        doubts: (n, n) which part of each square is burnt out, and how far looks and signs say
            otherwise of a blank there.
        square_px: side of a square in the picture, in pixels: of squares that are too small to be
            read easily letters count in proportion.
        rules: how far a letter is believed that is in doubt.
        view: how large a square is read easily.

    Returns:
        None where all of them count once.
    """
    large = min(1.0, square_px / view.good_square_px)
    if large == 1.0 and not doubts.any():
        return None
    return np.asarray(large * rules.doubted**doubts, np.float32)


def letters_as_believed(letter: Floats, counts: Floats | None) -> Floats:
    """Letters with calibrated confidence; what is likelier than not stays so.

    Args:
        letter: (n, n, letters) log probabilities, given a tile.
        counts: (n, n) how many times their log odds count, see `letters_count`.
    """
    if counts is None:
        return letter
    there = counts < 1
    some = letter[there]
    (rows,), best = np.indices(some.shape[:1]), some.argmax(-1)
    sure = some[rows, best]
    rest = np.log(np.maximum(-np.expm1(sure), LEAST))
    odds = sure - rest
    odds = np.where(odds > 0, odds * counts[there], odds)
    some -= (rest + np.logaddexp(0, odds))[:, None]
    some[rows, best] = -np.logaddexp(0, -odds)
    out = letter.copy()
    out[there] = some
    return out
