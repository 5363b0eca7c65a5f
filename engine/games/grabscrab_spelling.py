"""Spelling words with tiles, blanks among them (rules GS-6, GS-10, GS-13)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

BLANK = "?"


@dataclass(frozen=True, slots=True)
class Spelled:
    """A word laid: its tiles in order (`?` a blank) and what the pool gave, sorted."""

    tiles: str
    pool_used: str


def _lay(word: str, real: Counter[str]) -> str:
    """The word's tiles in order: real tiles first, blanks where none is left."""
    left = Counter(real)
    out = []
    for letter in word:
        if left[letter] > 0:
            left[letter] -= 1
            out.append(letter)
        else:
            out.append(BLANK)
    return "".join(out)


def spell_from_pool(word: str, pool: str, seen: str = "") -> Spelled | str:
    """Spell a word with pool tiles; a blank only where no real tile is free (GS-6).

    Args:
        word: the word claimed.
        pool: face-up tiles.
        seen: the tiles as the camera or a person has them, which then holds.

    Returns:
        The laying, or the code `letters_missing`.
    """
    have = Counter(pool)
    if seen:
        fits = len(seen) == len(word) and all(t in (BLANK, w) for t, w in zip(seen, word, strict=True))
        if not fits or Counter(seen) - have:
            return "letters_missing"
        return Spelled(seen, "".join(sorted(seen)))
    need = Counter(word)
    real = need & Counter({k: n for k, n in have.items() if k != BLANK})
    blanks = len(word) - real.total()
    if blanks > have[BLANK]:
        return "letters_missing"
    used = "".join(sorted([*real.elements(), *BLANK * blanks]))
    return Spelled(_lay(word, real), used)


def spell_steal(word: str, old_tiles: str, pool: str, *, merged: bool) -> Spelled | str:
    """Spell a word with all tiles of the old one and at least one of the pool (GS-10).

    Blanks of the old word may take any letter (GS-13).

    Returns:
        The laying, or `not_all_letters`, `no_letter_added` or `letters_missing`.
    """
    need = Counter(word)
    old = Counter(old_tiles)
    old_blanks = old.pop(BLANK, 0)
    if old - need or len(word) < len(old_tiles):
        return "not_all_letters"
    if len(word) == len(old_tiles) and not merged:
        # Every letter comes from the old word, if its blanks take what is left.
        return "no_letter_added"
    rest = need - old
    have = Counter(pool)
    lacking = rest - Counter({k: n for k, n in have.items() if k != BLANK})
    pool_blanks = max(0, lacking.total() - old_blanks)
    if pool_blanks > have[BLANK]:
        return "letters_missing"
    from_pool = rest - lacking
    # Old blanks that nothing forces take the last letters: real tiles are written first.
    spare = old_blanks - min(old_blanks, lacking.total())
    for letter in reversed(word):
        if spare and from_pool[letter] > 0:
            from_pool[letter] -= 1
            spare -= 1
    from_pool = +from_pool
    real = old + from_pool
    used = "".join(sorted([*from_pool.elements(), *BLANK * pool_blanks]))
    return Spelled(_lay(word, real), used)
