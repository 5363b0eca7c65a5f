"""All words of a Hunspell dictionary: its stems with every affix that they take.

`spylls` reads the two files; hunspell(5) says what the flags mean. Left out is what the
dictionary only allows to be put together (compounds), as there is no end to it.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.listing import LIMITS
from kibitz.vision.plain_file import read_plain

if TYPE_CHECKING:
    from spylls.hunspell.data.aff import Aff
    from spylls.hunspell.data.dic import Dic, Word

NEEDED = "spylls"


class _Lines:
    """A file's lines that are not empty, each with its number; `spylls` reads from it.

    Args:
        path: the file.
        encoding: how it is written, until `reset_encoding` says otherwise.
    """

    def __init__(self, path: Path, encoding: str = "cp1252") -> None:
        self._data = read_plain(path, LIMITS.words_bytes)
        self._number = 0
        self.reset_encoding(encoding)

    def reset_encoding(self, encoding: str) -> None:
        """Go on from the same line in another encoding."""
        # flags may be single bytes that are no text in the encoding
        text = self._data.removeprefix(BOM_UTF8).decode(encoding, "surrogateescape")
        self._lines = text.split("\n")

    def __iter__(self) -> _Lines:
        """Itself."""
        return self

    def __next__(self) -> tuple[int, str]:
        """The next line with its number, from 1."""
        while self._number < len(self._lines):
            line = self._lines[self._number].strip()
            self._number += 1
            if line:
                return self._number, line
        raise StopIteration


@dataclass(frozen=True, slots=True)
class _Form:
    """A stem with affixes.

    Attributes:
        text: how it is spelt.
        flags: those of the affix, which may ask for a further one.
        crosses: whether an affix may stand at the other end as well.
    """

    text: str
    flags: frozenset[str]
    crosses: bool


def read_dictionary(aff: Path, dic: Path) -> tuple[Aff, Dic]:
    """The affixes and the stems of a dictionary, as `spylls` has them.

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


def words_of_dictionary(aff: Path, dic: Path) -> Iterator[str]:
    """Every word, as it is spelt; some come more than once.

    Raises:
        CommandError: `spylls` is not installed.
        UsageError: the files are no such dictionary.
    """
    rules, stems = read_dictionary(aff, dic)
    forbidden = {w.stem for w in stems.words if rules.FORBIDDENWORD in w.flags}
    for word in stems.words:
        if word.stem not in forbidden and rules.ONLYINCOMPOUND not in word.flags:
            yield from (x for x in _forms(word, rules) if x not in forbidden)


def _forms(word: Word, rules: Aff) -> Iterator[str]:
    stem = _Form(word.stem, frozenset(word.flags), crosses=True)
    if _stands_alone(stem, rules):
        yield stem.text
    for ended in _with_suffixes(stem, rules):
        if _stands_alone(ended, rules):
            yield ended.text
        if ended.crosses and rules.ONLYINCOMPOUND not in ended.flags:
            # what the stem or the suffix allows in front
            both = _Form(ended.text, stem.flags | ended.flags, crosses=True)
            whole = _with_prefixes(both, rules, beside=ended)
            yield from (x.text for x in whole if rules.ONLYINCOMPOUND not in x.flags)
    for begun in _with_prefixes(stem, rules):
        if _stands_alone(begun, rules):
            yield begun.text


def _stands_alone(form: _Form, rules: Aff) -> bool:
    wanting = {rules.NEEDAFFIX, rules.ONLYINCOMPOUND, rules.CIRCUMFIX} - {None}
    return not wanting & form.flags


def _with_suffixes(stem: _Form, rules: Aff, more: bool = True) -> Iterator[_Form]:
    """With one suffix, and with a second one where the first takes it."""
    for flag in stem.flags:
        for suffix in rules.SFX.get(flag, ()):
            if suffix.strip and not stem.text.endswith(suffix.strip):
                continue
            if not suffix.cond_regexp.search(stem.text):
                continue
            text = stem.text[: len(stem.text) - len(suffix.strip)] + suffix.add
            form = _Form(text, frozenset(suffix.flags), suffix.crossproduct)
            yield form
            if more and form.flags:
                yield from _with_suffixes(form, rules, more=False)


def _with_prefixes(stem: _Form, rules: Aff, beside: _Form | None = None) -> Iterator[_Form]:
    """With one prefix.

    Args:
        stem: what it stands before.
        rules: the dictionary's.
        beside: the suffix that is there already; only prefixes that go with one are taken, and
            halves of a circumfix only together.
    """
    circumfix = rules.CIRCUMFIX
    for flag in stem.flags:
        for prefix in rules.PFX.get(flag, ()):
            if beside is not None and not prefix.crossproduct:
                continue
            half = circumfix is not None and circumfix in prefix.flags
            if beside is not None and half != (circumfix in beside.flags):
                continue
            if not stem.text.startswith(prefix.strip) or not prefix.cond_regexp.search(stem.text):
                continue
            text = prefix.add + stem.text[len(prefix.strip) :]
            yield _Form(text, frozenset(prefix.flags), prefix.crossproduct)
