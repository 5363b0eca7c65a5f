"""Looking words up: good or not, and their hooks."""

import pytest

from kibitz.engine.tiles.sets import TileSet
from kibitz.engine.words.lexicon import WordList
from kibitz.engine.words.lookup import facts_of

WORDS = WordList(frozenset({"AT", "CAT", "CATS", "BAT", "SCAT", "ATE", "TEA", "EAT", "QAT"}))
TILES = TileSet("en", 2, {"A": (9, 1), "C": (2, 3), "T": (6, 1), "Q": (1, 10)})
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("at", "AT is good, 2 points. It takes BCEQ in front and E behind."),
        ("ate", "ATE is good, 2 points. It takes no letter in front or behind."),
        ("ta", "TA is not in the list."),
    ],
)
def test_sentences(word, sentence):
    """The facts can be read out."""
    assert sentence == facts_of(word, WORDS, TILES, LETTERS).sentence()
