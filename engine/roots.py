"""Whether two words share a root (rule GS-12): an adviser that gives its reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.rules import Lexicon

SUFFIXES = (
    "S ES ED ING INGS ER ERS EST D R RS ST EN OR ORS ISH N LY Y IER IEST IES IED ILY NESS FUL LESS "
    "ABLE MENT MENTS ION IONS"
).split()
AFTER_E = frozenset(("D", "R", "RS", "ST"))
FROM_Y = frozenset(("IER", "IEST", "IES", "IED", "ILY"))
PREFIXES = "UN RE NON MIS DIS PRE OUT OVER UNDER".split()
SHORTEST_AFTER_SUFFIX = 3
SHORTEST_AFTER_PREFIX = 4
SHORTEST_DOUBLED = 4
VOWELS = frozenset("AEIOU")


@dataclass(frozen=True, slots=True)
class RootVerdict:
    """Whether two words share a root, and why."""

    same: bool
    reason: str


def _strip_suffix(word: str, suffix: str) -> Iterator[str]:
    """What may be left of a word without a suffix."""
    rest = word[: len(word) - len(suffix)]
    if len(rest) < SHORTEST_AFTER_SUFFIX:
        return
    if suffix in AFTER_E and not rest.endswith("E"):
        return
    if suffix == "N" and not rest.endswith("W"):
        return
    if suffix == "ISH" and len(rest) < 4:
        # Only the remainder with its E back may be that short.
        yield rest + "E"
        return
    yield rest
    yield rest + "E"
    if len(rest) >= SHORTEST_DOUBLED and rest[-1] == rest[-2] and rest[-1] not in VOWELS:
        yield rest[:-1]
    if rest.endswith("I"):
        yield rest[:-1] + "Y"
    if suffix in FROM_Y:
        yield rest + "Y"


def stems(word: str, lexicon: Lexicon) -> dict[str, str]:
    """The closure of a word under stripping affixes; each stem with how it was reached."""
    found = {word: ""}
    todo = [word]
    while todo:
        at = todo.pop()
        for suffix in SUFFIXES:
            if at.endswith(suffix) and len(at) > len(suffix):
                for rest in _strip_suffix(at, suffix):
                    if rest in lexicon and rest not in found:
                        found[rest] = f"-{suffix.lower()} comes off {at}"
                        todo.append(rest)
        for prefix in PREFIXES:
            rest = at[len(prefix) :]
            if at.startswith(prefix) and len(rest) >= SHORTEST_AFTER_PREFIX:
                if rest in lexicon and rest not in found:
                    found[rest] = f"{prefix.lower()}- comes off {at}"
                    todo.append(rest)
    return found


def same_root(
    old: str, new: str, lexicon: Lexicon, overruled: dict[frozenset[str], bool] | None = None
) -> RootVerdict:
    """Whether a word and the one made of it share a root.

    Args:
        old: the word being stolen.
        new: the word made of it.
        lexicon: what counts as a word while stripping.
        overruled: pairs on which people have ruled, which holds.
    """
    pair = frozenset((old, new))
    if overruled and pair in overruled:
        same = overruled[pair]
        return RootVerdict(same, "people ruled so")
    a, b = stems(old, lexicon), stems(new, lexicon)
    meet = sorted(set(a) & set(b), key=lambda w: (-len(w), w))
    if not meet:
        return RootVerdict(False, f"{old} and {new} have no stem in common")
    how = [x for x in (a[meet[0]], b[meet[0]]) if x]
    return RootVerdict(True, f"both come from {meet[0]}" + (f" ({'; '.join(how)})" if how else ""))
