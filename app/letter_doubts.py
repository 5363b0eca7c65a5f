"""Asks which of two letters a tile shows, where both make a play and neither is clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.beliefs import Belief
from app.positions import name_of
from app.second_thoughts import lead_of, strange, with_letters
from engine.changes import fused
from engine.interpretation import Laying
from engine.rules import Action, Question, Refused
from engine.table import UNKNOWN_BLANK

DOUBT = 1.5
"""Letters that are less likely than the best by no more than this (natural logs) are asked for."""
MOST_CHOICES = 4


def letter_question(accepted: Sequence[tuple[float, Laying]], size: int) -> Question | None:
    """The question for the first tile of a play that may as well show another letter.

    Args:
        accepted: the same squares with other letters that the rules accept too, with their
            weights.
        size: squares a side of the board.
    """
    ranked = sorted(accepted, key=lambda x: -x[0])
    close = [laying for weight, laying in ranked if weight > ranked[0][0] - DOUBT]
    if len(close) < 2:
        return None
    best, other = close[0].tiles, close[1].tiles
    square = next(s for s in sorted(best) if best[s] != other[s])
    letters = tuple(dict.fromkeys(laying.tiles[square] for laying in close))[:MOST_CHOICES]
    if "?" in letters:
        return None  # what a blank stands for is asked by itself
    return _asked(name_of(square, size), letters)


def tile_question(belief: Belief, photo: int) -> Question | None:
    """The question for the most doubtful tile of a photograph that later ones left in doubt too.

    Args:
        belief: the game as known.
        photo: the number of the photograph.
    """
    most, question = -DOUBT, None
    for square, letter in sorted(belief.sightings[photo].laid.items()):
        tile, views = belief.lying.get(square), belief.views.get(square)
        if tile is None or not views or tile.blank or tile.text != letter:
            continue
        leads = {x: lead_of(views, tile, x) for x in fused(views).letters}
        others = [x for x in leads if x not in (letter, UNKNOWN_BLANK) and leads[x] > most]
        if not others:
            continue
        other = max(others, key=lambda x: leads[x])
        if (changed := with_letters(belief, {square: other})) is None:
            continue
        doubt = leads[other] + strange(belief.ledger) - strange(changed.ledger)
        if doubt > most:
            most = doubt
            question = _asked(name_of(square, belief.lying.rows), (letter, other))
    return question


def _asked(name: str, letters: tuple[str, ...]) -> Question:
    article = "an" if letters[0] in "AEFHILMNORSX" else "a"
    return Question("letter", f"Is the tile on {name} {article} {letters[0]}?", letters, name)


def as_correction(action: Action) -> Action | Refused:
    """The answer as what it is: from now on the tile shows what people say."""
    letter = str(action.data.get("value") or action.data.get("letter") or "").upper()
    if len(letter) != 1 or not letter.isalpha():
        return Refused("bad_action", f"Expected the letter that the tile shows, got {letter!r}.")
    data = {"square": action.data.get("square"), "letter": letter}
    return replace(action, kind="correct", data=data)
