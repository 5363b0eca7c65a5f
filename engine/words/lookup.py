"""Word lookup: validity of a word and its hooks, the letters that extend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.engine.rules import Lexicon, TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK


@dataclass(frozen=True, slots=True)
class WordFacts:
    """A word's validity, face value and hooks (the letters that make a longer word of it)."""

    word: str
    good: bool
    value: int
    front: str
    back: str

    def sentence(self) -> str:
        """The facts as a sentence."""
        if not self.good:
            return f"{self.word} is not in the list."
        hooks = [f"{x} in front" for x in (self.front,) if x] + [
            f"{x} behind" for x in (self.back,) if x
        ]
        more = (
            f" It takes {' and '.join(hooks)}."
            if hooks
            else " It takes no letter in front or behind."
        )
        points = "point" if self.value == 1 else "points"
        return f"{self.word} is good, {self.value} {points}.{more}"


def facts_of(
    word: str, lexicon: Lexicon, tile_set: TileSetLike, letters: Iterable[str]
) -> WordFacts:
    """Look up a word: validity, value and hooks.

    Args:
        word: in any case.
        lexicon: the words that are good.
        tile_set: face values.
        letters: the letters of the language, in order.
    """
    text = tile_set.tiles_in(word.strip())
    known = [x for x in letters if x != UNKNOWN_BLANK]
    return WordFacts(
        word=tile_set.word_of(text),
        good=text in lexicon,
        value=sum(tile_set.value(x) for x in text),
        front="".join(tile_set.bracketed(x) for x in known if x + text in lexicon),
        back="".join(tile_set.bracketed(x) for x in known if text + x in lexicon),
    )
