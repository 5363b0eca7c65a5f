"""Asks what a blank stands for, with the letters first that make words."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Question
from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square, Tile
from kibitz.engine.tracking.expected import name_of, rules_grid
from kibitz.engine.tracking.trial import strings_through

MOST_CHOICES = 6


def blank_question(ledger: Ledger, laid: Mapping[Square, str]) -> Question | None:
    """The question for the first blank of a play whose letter nobody told.

    Args:
        ledger: the game after the play.
        laid: the play's tiles.
    """
    blanks = [s for s in sorted(laid) if laid[s] == UNKNOWN_BLANK]
    if not blanks:
        return None
    square = blanks[0]
    grid = rules_grid(ledger.game, ledger.state)
    if square not in grid:
        return None
    name = name_of(square, grid.rows)
    choices = likely_letters(ledger, grid, square)
    return Question("blank", f"Which letter is the blank on {name}?", choices, name)


def likely_letters(ledger: Ledger, grid: Grid, square: Square) -> tuple[str, ...]:
    """Letters for a blank: those that make only good words, the common ones first."""
    materials = ledger.opening.materials
    letters = [x for x in getattr(materials.tile_set, "letters", ()) if x != UNKNOWN_BLANK]
    letters.sort(key=lambda x: -materials.tile_set.count(x))
    good = []
    for letter in letters:
        words = strings_through(grid, {square: Tile(letter, blank=True)})
        # a word with another unknown blank cannot be judged yet
        if all(UNKNOWN_BLANK in w or w in materials.lexicon for w in words):
            good.append(letter)
    return tuple((good or letters)[:MOST_CHOICES])
