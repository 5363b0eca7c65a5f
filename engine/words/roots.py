"""Judges whether two words share a root (rule GS-12), and gives the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from kibitz.engine.rules import Lexicon

PLAIN = (
    "S", "ES", "ED", "ING", "INGS", "ER", "ERS", "EST", "LY", "Y", "IER", "IEST", "IES", "IED",
    "ILY", "NESS", "FUL", "LESS", "ABLE", "MENT", "MENTS", "ION", "IONS",
)  # fmt: skip
AFTER_E = ("D", "R", "RS", "ST")
"""These come off only where the rest ends in E (BAKE/BAKER, not CORNE/CORNER)."""
AFTER_LONG = ("EN", "OR", "ORS", "ISH")
"""These come off a rest of four letters or more, or where the rest has lost an E."""
AFTER_W = ("N",)
FROM_Y = frozenset(("IER", "IEST", "IES", "IED", "ILY"))
PREFIXES = ("UN", "RE", "NON", "MIS", "DIS", "PRE", "OUT", "OVER", "UNDER")
SUFFIXES = (*PLAIN, *AFTER_E, *AFTER_LONG, *AFTER_W)

SHORTEST_AFTER_SUFFIX = 3
SHORTEST_AFTER_PREFIX = 4
LONG = 4
VOWELS = frozenset("AEIOU")

VERDICTS = ("different", "same")
Rulings = Mapping[frozenset[str], bool]
"""Pairs on which people have ruled: whether they share a root."""
RootTable = Mapping[str, tuple[str, ...]]
"""For a word the words that it is made of (none: it is a root). Words that it lacks are taken
apart by their affixes."""
NO_TABLE: RootTable = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RootVerdict:
    """Verdict on a shared root, with reason and source: people, table or affixes."""

    same: bool
    reason: str
    source: Literal["ruling", "table", "affix"] = "affix"


def _without_suffix(word: str, suffix: str) -> Iterator[str]:
    """Candidate stems of a word without a suffix; they may be no words."""
    rest = word[: len(word) - len(suffix)]
    if not word.endswith(suffix) or len(rest) < SHORTEST_AFTER_SUFFIX:
        return
    if suffix in AFTER_E and not rest.endswith("E"):
        return
    if suffix in AFTER_W and not rest.endswith("W"):
        return
    if suffix in AFTER_LONG and len(rest) < LONG:
        yield rest + "E"
        return
    yield rest
    yield rest + "E"
    if len(rest) >= LONG and rest[-1] == rest[-2] and rest[-1] not in VOWELS:
        yield rest[:-1]
    if rest.endswith("I"):
        yield rest[:-1] + "Y"
    if suffix in FROM_Y:
        yield rest + "Y"


def _steps(word: str) -> Iterator[tuple[str, str]]:
    """Every shorter form of a word, with the affix that was removed."""
    for suffix in SUFFIXES:
        for rest in _without_suffix(word, suffix):
            yield rest, f"-{suffix.lower()}"
    for prefix in PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= SHORTEST_AFTER_PREFIX:
            yield word[len(prefix) :], f"{prefix.lower()}-"


def own_steps(word: str, lexicon: Lexicon) -> dict[str, str]:
    """Words that remain when one affix is removed, each with that affix."""
    out: dict[str, str] = {}
    for rest, affix in _steps(word):
        if rest in lexicon:
            out.setdefault(rest, affix)
    return out


def stems(word: str, lexicon: Lexicon, table: RootTable = NO_TABLE) -> dict[str, tuple[str, ...]]:
    """All stems reachable by removing affixes repeatedly, each with the steps to it.

    Args:
        word: in capitals; it is its own stem, whether or not it is in the lexicon.
        lexicon: every stem that affixes leave is in it.
        table: what known words are made of.
    """
    found: dict[str, tuple[str, ...]] = {word: ()}
    todo = [word]
    for at in todo:
        known = table.get(at)
        steps = own_steps(at, lexicon) if known is None else dict.fromkeys(known, "table")
        for rest, affix in steps.items():
            if rest not in found:
                found[rest] = (*found[at], affix)
                todo.append(rest)
    return found


def same_root(
    old: str,
    new: str,
    lexicon: Lexicon,
    rulings: Rulings | None = None,
    table: RootTable = NO_TABLE,
) -> RootVerdict:
    """Judge whether a word and one made from it share a root.

    Only the pair at hand is tested, not what the words were made of earlier (rule GS-14).

    Args:
        old: the word being stolen.
        new: the word made of it.
        lexicon: what counts as a word while affixes are taken off.
        rulings: pairs on which people have ruled; what they say holds.
        table: what known words are made of; affixes decide about the others.
    """
    ruled = (rulings or {}).get(frozenset((old, new)))
    if ruled is not None:
        return RootVerdict(ruled, f"ruled for {old} and {new}", "ruling")
    of_old, of_new = stems(old, lexicon, table), stems(new, lexicon, table)
    shared = min(
        set(of_old) & set(of_new),
        key=lambda w: (len(of_old[w]) + len(of_new[w]), -len(w), w),
        default=None,
    )
    if shared is None:
        source: Literal["table", "affix"] = "table" if {old, new} & set(table) else "affix"
        return RootVerdict(False, f"{old} and {new} share no stem", source)
    return RootVerdict(True, *_explain(old, new, shared, of_old[shared], of_new[shared]))


def _explain(
    old: str, new: str, shared: str, of_old: tuple[str, ...], of_new: tuple[str, ...]
) -> tuple[str, Literal["table", "affix"]]:
    """Why two words share a stem, as a sentence, and whether the table or an affix shows it."""
    source: Literal["table", "affix"] = "table" if "table" in (*of_old, *of_new) else "affix"
    ways = []
    for word, steps in ((old, of_old), (new, of_new)):
        if "table" in steps:
            ways.append(f"{word} is of the family of {shared}")
        elif steps:
            ways.append(f"{word} {' '.join(steps)}")
    if source == "table":
        return "; ".join(ways), source
    return f"{' and '.join(ways)}: {shared}" if ways else f"both are {shared}", source


def table_from_text(text: str) -> RootTable:
    """Parse a table of roots: on each line a word, then the words it is made of."""
    lines = (line.split() for line in text.splitlines())
    return MappingProxyType({word: tuple(bases) for word, *bases in (x for x in lines if x)})


def rulings_from_texts(texts: Iterable[str]) -> Rulings:
    """Parse rulings as `CORN/CORNER=different` or `QUIT/QUIET=same`; later ones hold.

    Raises:
        ValueError: a text has another form; the message shows it.
    """
    rulings = {}
    for text in texts:
        words, _, verdict = text.strip().partition("=")
        old, _, new = words.partition("/")
        if not old.isalpha() or not new.isalpha() or verdict.lower() not in VERDICTS:
            raise ValueError(
                f"expected a ruling as CORN/CORNER=different or QUIT/QUIET=same, got {text!r}"
            )
        rulings[frozenset((old.upper(), new.upper()))] = verdict.lower() == VERDICTS[True]
    return MappingProxyType(rulings)


def ruling_texts(rulings: Rulings) -> tuple[str, ...]:
    """Rulings in the form that `rulings_from_texts` parses, in alphabetical order."""
    return tuple(sorted(f"{min(p)}/{max(p)}={VERDICTS[same]}" for p, same in rulings.items()))


def with_ruling(rulings: Rulings, words: Iterable[str], *, same: bool) -> Rulings:
    """The rulings with one more; it replaces an earlier ruling on the same pair."""
    return MappingProxyType({**rulings, frozenset(w.upper() for w in words): same})
