"""Spelling with tiles and blanks, against trying every choice of tiles."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from kibitz.engine.games.grabscrab.spelling import Spelled, fits_word, spell_from_pool, spell_steal
from tests.helpers.property_examples import tries

WORDS = st.text("ABC", min_size=1, max_size=5)
POOLS = st.text("ABC?", max_size=5)


def can_stand_for(tiles, word):
    """Whether tiles in some order spell a word, all of them used."""
    real = Counter(tiles.replace("?", ""))
    return len(tiles) == len(word) and not real - Counter(word)


@tries(100)
@given(WORDS, POOLS)
def test_pool_words_are_found_just_when_there_are_tiles(word, pool):
    """A word is spelled if any choice of pool tiles spells it, and with the fewest blanks."""
    ways = [c for c in combinations(pool, len(word)) if can_stand_for("".join(c), word)]
    got = spell_from_pool(word, pool)

    if not ways:
        assert "letters_missing" == got
        return
    assert isinstance(got, Spelled)
    assert fits_word(got.tiles, word)
    assert "".join(sorted(got.tiles)) == got.pool_used
    assert min(way.count("?") for way in ways) == got.tiles.count("?")
    assert not Counter(got.pool_used) - Counter(pool)


@tries(100)
@given(WORDS, st.text("ABC?", min_size=1, max_size=3), POOLS, st.booleans())
def test_steals_are_found_just_when_there_are_tiles(word, old, pool, needs_pool):
    """A steal is spelled if the old tiles and any choice of pool tiles spell the word."""
    extra = len(word) - len(old)
    ways = [
        c
        for c in (combinations(pool, extra) if extra >= needs_pool else ())
        if can_stand_for(old + "".join(c), word)
    ]
    got = spell_steal(word, old, pool, needs_pool=needs_pool)

    if not ways:
        assert isinstance(got, str)
        return
    assert isinstance(got, Spelled)
    assert fits_word(got.tiles, word)
    assert Counter(got.tiles) == Counter(old) + Counter(got.pool_used)
    assert not Counter(got.pool_used) - Counter(pool)
    assert min(way.count("?") for way in ways) == got.pool_used.count("?")
    assert spell_steal(word, old, pool, got.tiles, needs_pool=needs_pool) == got
