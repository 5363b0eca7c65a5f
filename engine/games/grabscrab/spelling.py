"""Spelling words with tiles, blanks among them (rules GS-6, GS-10, GS-13)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from kibitz.engine.table import UNKNOWN_BLANK as BLANK

Misspelled = Literal["letters_missing", "not_all_letters", "no_letter_added"]


@dataclass(frozen=True, slots=True)
class Spelled:
    """A spelled word: its tiles in order (`?` a blank) and those from the pool, sorted."""

    tiles: str
    pool_used: str


def spell_from_pool(word: str, pool: str, laid: str = "") -> Spelled | Misspelled:
    """Spell a word with pool tiles; blanks only where no real tile is free (GS-6).

    Args:
        word: the word claimed.
        pool: the tiles that lie face up.
        laid: the tiles as the camera or a person has them (`GO?E`); then these are used.
    """
    have = Counter(pool)
    if laid:
        missing = Counter(laid) - have
        return "letters_missing" if missing else Spelled(laid, _sorted(Counter(laid)))
    real = Counter(word) & have
    blanks = len(word) - real.total()
    if blanks > have[BLANK]:
        return "letters_missing"
    return Spelled(_in_order(word, real), _sorted(real + Counter({BLANK: blanks})))


def spell_steal(
    word: str, old: str, pool: str, laid: str = "", *, needs_pool: bool = True
) -> Spelled | Misspelled:
    """Spell a word with all tiles of older words and some of the pool (GS-10).

    Blanks of the older words may stand for any letter (GS-13).

    Args:
        word: the word claimed.
        old: the tiles of every word taken, `?` at a blank.
        pool: the tiles that lie face up.
        laid: the tiles as the camera or a person has them; then these are used.
        needs_pool: whether at least one tile must come from the pool (not when words are
            joined, GS-18).
    """
    taken = Counter(old)
    old_blanks = taken.pop(BLANK, 0)
    if taken - Counter(word) or len(word) < len(old):
        return "not_all_letters"
    if len(word) == len(old) and needs_pool:
        return "no_letter_added"
    if laid:
        return _as_laid(laid, Counter(old), Counter(pool))
    rest = Counter(word) - taken
    lacking = rest - Counter(pool.replace(BLANK, ""))
    pool_blanks = max(0, lacking.total() - old_blanks)
    if pool_blanks > pool.count(BLANK):
        return "letters_missing"
    # Blanks of the old word that no missing letter claims stand for the last letters: on the
    # table a blank is where the camera sees it, on paper real tiles are written first.
    spare = max(0, old_blanks - lacking.total())
    given = rest - lacking
    for letter in reversed(word):
        if spare and given[letter]:
            given[letter] -= 1
            spare -= 1
    given = +given
    return Spelled(_in_order(word, taken + given), _sorted(given + Counter({BLANK: pool_blanks})))


def _as_laid(laid: str, old: Counter[str], pool: Counter[str]) -> Spelled | Misspelled:
    if old - Counter(laid):
        return "not_all_letters"
    given = Counter(laid) - old
    return "letters_missing" if given - pool else Spelled(laid, _sorted(given))


def _in_order(word: str, real: Counter[str]) -> str:
    """Tiles of the word in order: real ones first, blanks where none is left."""
    left = Counter(real)
    out = []
    for letter in word:
        out.append(letter if left[letter] > 0 else BLANK)
        left[letter] -= 1
    return "".join(out)


def fits_word(laid: str, word: str) -> bool:
    """True if tiles may spell a word: each bears its letter or is a blank."""
    return len(laid) == len(word) and all(t in (BLANK, w) for t, w in zip(laid, word, strict=True))


def _sorted(tiles: Counter[str]) -> str:
    return "".join(sorted(tiles.elements()))
