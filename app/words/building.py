"""Builds a word list from a dictionary: the words that can be laid with a tile set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.app.common.errors import Option, UsageError
from kibitz.app.common.files import text_of, unzipped
from kibitz.app.common.limits import LIMITS
from kibitz.app.words.hunspell import words_of_dictionary
from kibitz.app.words.recipes import ROOT, Recipe, Source
from kibitz.engine.table import SIDE
from kibitz.engine.tiles.sets import TileSet
from kibitz.engine.words.lexicon import is_word_text
from kibitz.vision.plain_file import read_plain


@dataclass(slots=True)
class BuiltWords:
    """A list that was built, with counts of the words left out, by reason."""

    words: set[str] = field(default_factory=set)
    names: int = 0
    signs: int = 0
    lengths: int = 0

    def left_out(self) -> str:
        """A sentence about the words left out; empty if there are none."""
        parts = (
            (self.names, "names and abbreviations"),
            (self.signs, "with other signs than the tiles' letters"),
            (self.lengths, "too short or too long"),
        )
        return ", ".join(f"{count} {what}" for count, what in parts if count)


def layable_words(
    given: Iterable[str], tile_set: TileSet | None, longest: int = SIDE, *, capitals: bool
) -> BuiltWords:
    """The words that can be laid with a tile set, in capitals, as people write them.

    Args:
        given: words as they are spelt.
        tile_set: what they are laid with; None takes every letter.
        longest: letters of a word; a board has so many squares a side.
        capitals: whether a word may begin with a capital; else that is a name.

    Raises:
        UsageError: there are more words than a list may have.
    """
    made, letters = BuiltWords(), 0
    for text in given:
        if (len(text) > 1 and text.isupper()) or (not capitals and text[:1].isupper()):
            made.names += 1
        elif not is_word_text(text) or (word := _laid(text, tile_set)) is None:
            made.signs += 1
        elif not 2 <= len(word) <= longest:
            made.lengths += 1
        else:
            before = len(made.words)
            made.words.add(word if tile_set is None else tile_set.word_of(word))
            letters += len(word) * (len(made.words) - before)
            if letters > LIMITS.words_bytes:
                raise UsageError(
                    f"expected a list whose words have at most {LIMITS.words_bytes} letters "
                    "together, got more; is it a dictionary?"
                )
    return made


def _laid(text: str, tile_set: TileSet | None) -> str | None:
    return text.upper() if tile_set is None else tile_set.laid(text)


def words_of_source(source: Source, root: Path = ROOT) -> Iterator[str]:
    """Yield the words of an installed package, as they are spelt."""
    for path in source.found(root):
        if source.kind == "hunspell":
            yield from words_of_dictionary(path.with_suffix(".aff"), path)
        else:
            yield from read_plain(path, LIMITS.words_bytes).decode(source.encoding).split()


def installed_source(recipe: Recipe, root: Path = ROOT) -> Source:
    """The first source of a recipe that is installed here.

    Raises:
        UsageError: none is; the message names the packages to install.
    """
    for source in recipe.sources:
        if source.found(root):
            return source
    first = recipe.sources[0]
    others = "".join(f", or {source.package}" for source in recipe.sources[1:])
    raise UsageError(
        f"words build {recipe.name}: expected {root / first.files[0]} of Debian's package "
        f"{first.package}{others}; none is installed. Install it (apt-get install "
        f"{first.package}), or name a dictionary: ",
        Option("dictionary", "--from"),
        " FILE",
    )


def words_of_file(given: Path) -> Iterator[str]:
    """Words of a user's dictionary: a list, a `.dic`, or a folder with one.

    Raises:
        UsageError: there is none, or it cannot be read.
    """
    path = given
    if given.is_dir():
        found = sorted(given.glob("*.dic"))
        if len(found) != 1:
            names = ", ".join(x.name for x in found) or "none"
            raise UsageError(
                Option("dictionary", "--from"),
                f" {given}: expected a folder with one .dic file, got {names}; name the file",
            )
        path = found[0]
    if path.suffix in (".dic", ".aff"):
        aff, dic = path.with_suffix(".aff"), path.with_suffix(".dic")
        for part in (aff, dic):
            if not part.is_file():
                raise UsageError(
                    Option("dictionary", "--from"),
                    f" {given}: a Hunspell dictionary is two files, and {part} is missing",
                )
        yield from words_of_dictionary(aff, dic)
        return
    try:
        data = read_plain(path, LIMITS.words_bytes)
        if path.suffix == ".gz":
            data = unzipped(data, LIMITS.words_bytes)
        lines = text_of(data).splitlines()
    except (OSError, ValueError) as error:
        raise UsageError(
            Option("dictionary", "--from"), f" {given}: cannot be read as a word list: {error}"
        ) from error
    yield from (
        line.split("#", 1)[0].split()[0] for line in lines if line.split("#", 1)[0].strip()
    )
