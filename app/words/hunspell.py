"""Lists all words of a Hunspell dictionary: its stems with every affix that they take.

`spylls` reads the two files; hunspell(5) says what the flags mean. Left out is what the
dictionary only allows to be put together (compounds), as there is no end to it.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.limits import LIMITS
from kibitz.vision.plain_file import read_plain

if TYPE_CHECKING:
    from spylls.hunspell.data.aff import Aff, Affix
    from spylls.hunspell.data.dic import Dic, Word

NEEDED = "spylls"
TRIED: Final = 50 * LIMITS.words_bytes
"""Letters of words to which affixes are tried: 35 times what the Russian dictionary takes."""


class _Lines:
    """The non-empty lines of a file with their numbers, in the form that `spylls` reads.

    Args:
        path: the file.
        encoding: how it is written, until `reset_encoding` says otherwise.
    """

    def __init__(self, path: Path, encoding: str = "cp1252") -> None:
        self._data = read_plain(path, LIMITS.words_bytes)
        self._number = 0
        self.reset_encoding(encoding)

    def reset_encoding(self, encoding: str) -> None:
        """Decode in another encoding from the current line on."""
        # flags may be single bytes that are no text in the encoding
        text = self._data.removeprefix(BOM_UTF8).decode(encoding, "surrogateescape")
        self._lines = text.split("\n")

    def __iter__(self) -> _Lines:
        """Return the iterator itself."""
        return self

    def __next__(self) -> tuple[int, str]:
        """Return the next line with its number, from 1."""
        while self._number < len(self._lines):
            line = self._lines[self._number].strip()
            self._number += 1
            if line:
                return self._number, line
        raise StopIteration


@dataclass(frozen=True, slots=True)
class _Form:
    """A stem with the affixes put to it so far.

    Attributes:
        text: how it is spelt.
        flags: those of the affix, which may ask for a further one.
        crosses: whether an affix may stand at the other end as well.
    """

    text: str
    flags: frozenset[str]
    crosses: bool


def read_dictionary(aff: Path, dic: Path) -> tuple[Aff, Dic]:
    """Parse the affixes and stems of a dictionary with `spylls`.

    Raises:
        CommandError: `spylls` is not installed.
        UsageError: the files are no such dictionary.
    """
    try:
        from spylls.hunspell.readers import read_aff, read_dic
    except ImportError as error:
        raise CommandError(
            f"{dic.name} is a Hunspell dictionary, and reading one needs the package {NEEDED}: "
            'pip install "kibitz[words]"'
        ) from error
    try:
        rules, context = read_aff(_Lines(aff))
        return rules, read_dic(_Lines(dic, context.encoding), aff=rules, context=context)
    except Exception as error:  # the reader takes the files to be sound
        raise UsageError(
            f"{dic} and {aff.name} are no Hunspell dictionary that can be read "
            f"({type(error).__name__}: {error})"
        ) from error


def words_of_dictionary(aff: Path, dic: Path, most: int = TRIED) -> Iterator[str]:
    """Yield every word as it is spelt; some come more than once.

    Args:
        aff: the affixes.
        dic: the stems.
        most: letters of all words to which an affix is tried.

    Raises:
        CommandError: `spylls` is not installed.
        UsageError: the files are no such dictionary, or there is no end to its words.
    """
    rules, stems = read_dictionary(aff, dic)
    forbidden = {w.stem for w in stems.words if rules.FORBIDDENWORD in w.flags}
    unfolding = _Unfolding(rules, f"{dic} and {aff.name}", most)
    for word in stems.words:
        if word.stem not in forbidden and rules.ONLYINCOMPOUND not in word.flags:
            yield from (x for x in unfolding.forms(word) if x not in forbidden)


@dataclass(frozen=True, slots=True)
class _Condition:
    """The condition of an affix: letters that the stem must begin or end with.

    Attributes:
        pattern: a letter, `.` or letters in brackets for each place; nothing that repeats.
        length: how many places.
    """

    pattern: re.Pattern[str]
    length: int

    def holds(self, text: str, *, at_end: bool) -> bool:
        """True if a text begins, or ends, as the condition asks."""
        at = len(text) - self.length if at_end else 0
        return at >= 0 and self.pattern.match(text, at) is not None


def _condition(text: str) -> _Condition:
    """Parse a condition as hunspell(5) has it; other signs of regular expressions are letters."""
    places = re.findall(r"\[\^?[^\]]+\]|.", text, re.DOTALL)
    return _Condition(re.compile("".join(map(_of_place, places)), re.DOTALL), len(places))


def _of_place(place: str) -> str:
    if len(place) == 1:
        return "." if place == "." else re.escape(place)
    without = place.startswith("[^")
    return f"[{'^' if without else ''}{re.escape(place[1 + without : -1])}]"


class _Unfolding:
    """Lists the forms of stems, up to the most words that a list may hold.

    Args:
        rules: the dictionary's.
        named: its files, for people.
        left: letters of words to which affixes may still be tried.
    """

    def __init__(self, rules: Aff, named: str, left: int) -> None:
        self._rules = rules
        self._named = named
        self._conditions: dict[str, _Condition] = {}
        self._left = left
        self._wanting = {rules.NEEDAFFIX, rules.ONLYINCOMPOUND, rules.CIRCUMFIX} - {None}

    def forms(self, word: Word) -> Iterator[str]:
        """Yield a stem and those of its forms that are words by themselves.

        Raises:
            UsageError: there is no end to them.
        """
        rules = self._rules
        stem = _Form(word.stem, frozenset(word.flags), crosses=True)
        if self._stands_alone(stem):
            yield stem.text
        for ended in self._with_suffixes(stem):
            if self._stands_alone(ended):
                yield ended.text
            if ended.crosses and rules.ONLYINCOMPOUND not in ended.flags:
                # what the stem or the suffix allows in front
                both = _Form(ended.text, stem.flags | ended.flags, crosses=True)
                whole = self._with_prefixes(both, beside=ended)
                yield from (x.text for x in whole if rules.ONLYINCOMPOUND not in x.flags)
        for begun in self._with_prefixes(stem):
            if self._stands_alone(begun):
                yield begun.text

    def _stands_alone(self, form: _Form) -> bool:
        return not self._wanting & form.flags

    def _takes(self, affix: Affix, text: str, *, at_end: bool) -> bool:
        """True if an affix can be put to a text."""
        self._left -= 1 + len(text)
        if self._left < 0:
            raise UsageError(
                f"{self._named} name more words than a list may have; is it a dictionary?"
            )
        fits = text.endswith if at_end else text.startswith
        if not fits(affix.strip):
            return False
        condition = self._conditions.get(affix.condition)
        if condition is None:
            condition = self._conditions[affix.condition] = _condition(affix.condition)
        return condition.holds(text, at_end=at_end)

    def _with_suffixes(self, stem: _Form, more: bool = True) -> Iterator[_Form]:
        """Yield the stem with one suffix, and with a second where the first takes it."""
        for flag in stem.flags:
            for suffix in self._rules.SFX.get(flag, ()):
                if not self._takes(suffix, stem.text, at_end=True):
                    continue
                text = stem.text[: len(stem.text) - len(suffix.strip)] + suffix.add
                form = _Form(text, frozenset(suffix.flags), suffix.crossproduct)
                yield form
                if more and form.flags:
                    yield from self._with_suffixes(form, more=False)

    def _with_prefixes(self, stem: _Form, beside: _Form | None = None) -> Iterator[_Form]:
        """Yield the stem with one prefix.

        Args:
            stem: what it stands before.
            beside: the suffix that is there already; only prefixes that go with one are taken,
                and halves of a circumfix only together.
        """
        circumfix = self._rules.CIRCUMFIX
        for flag in stem.flags:
            for prefix in self._rules.PFX.get(flag, ()):
                if beside is not None and not prefix.crossproduct:
                    continue
                half = circumfix is not None and circumfix in prefix.flags
                if beside is not None and half != (circumfix in beside.flags):
                    continue
                if not self._takes(prefix, stem.text, at_end=False):
                    continue
                text = prefix.add + stem.text[len(prefix.strip) :]
                yield _Form(text, frozenset(prefix.flags), prefix.crossproduct)
