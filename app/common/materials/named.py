"""Loads tile sets and word lists by name or file, as the command line takes them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

from kibitz.app.common.errors import Option, UsageError
from kibitz.app.common.files import is_there, read_json, text_of, unzipped
from kibitz.app.common.limits import LIMITS
from kibitz.engine.options import lexicon_changes
from kibitz.engine.phrases import listed, phrase
from kibitz.engine.rules import Materials, Options
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.tiles.sets import TileSet, tile_set_from_json
from kibitz.engine.words.lexicon import (
    ENGLISH,
    AcceptAll,
    WordList,
    words_from_kwg,
    words_from_text,
)
from kibitz.engine.words.roots import NO_TABLE, RootTable, table_from_text
from kibitz.vision.plain_file import read_plain
from kibitz.vision.request import LATIN

DATA = Path(__file__).resolve().parents[2] / "data"
TILE_SETS = (
    *("en", "de", "fr", "ro", "pl", "fi", "es", "ca", "pt", "it", "nl", "sv", "no", "da", "is"),
    *("cs", "sk", "sl", "hr", "hu", "tr", "et", "lv", "af", "id", "ms", "ru", "uk", "bg", "el"),
    "he",
)
LISTED = "en"
"""The language that the bundled word list and the table of roots are of."""
KWG_ALPHABETS = {
    "de": "?AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ",
    "pl": "?AĄBCĆDEĘFGHIJKLŁMNŃOÓPRSŚTUWYZŹŻ",
}
"""The order of letters in word graphs of languages that have more than A to Z."""
FORM = '{"language": "xx", "blanks": 2, "tiles": {"A": {"count": 9, "value": 1}, ...}}'


@cache
def load_tile_set(tiles: str) -> TileSet:
    """Load a tile set by its name or from a tile set file.

    Raises:
        UsageError: no such set; the message lists the known ones, or says what is wrong.
    """
    path = DATA / "tiles" / f"{tiles}.json" if tiles in TILE_SETS else Path(tiles)
    if not is_there(path):
        raise UsageError(
            Option("tiles"),
            f": there is no tile set {tiles!r:.90}; known are {' '.join(TILE_SETS)}, or a file",
        )
    try:
        return tile_set_from_json(read_json(path))
    except (ValueError, OSError) as error:
        raise UsageError(
            Option("tiles"), f": {tiles} is no tile set file ({error}); expected {FORM}"
        ) from error


@cache
def letters_for(tiles: str) -> tuple[str, ...]:
    """The letters that are read in pictures with this tile set (a name or a file).

    Raises:
        UsageError: there is no such set, or none of its letters can be read.
    """
    if can_be_read(tiles):
        return load_tile_set(tiles).letters
    raise UsageError(
        Option("tiles"),
        f": none of the letters of {tiles} can be read in pictures before their look "
        f"is taught; lay the set out, take a picture of it, and call "
        f"'kibitz calibrate --teach tiles.jpg --tiles {tiles}'",
    )


def can_be_read(tiles: str) -> bool:
    """True if some of a tile set's letters are read in pictures without being taught."""
    return not set(load_tile_set(tiles).letters).isdisjoint(_read(tiles))


def _read(tiles: str) -> frozenset[str]:
    """The letters of a set that networks read without being taught."""
    from kibitz.models.session import read_facts

    usual = frozenset(read_facts("reader").labels)
    if not usual.isdisjoint(load_tile_set(tiles).letters):
        return usual
    return frozenset(read_facts("glyph").script_labels)


def letters_if_known(tiles: str) -> tuple[str, ...]:
    """Letters that may be read of a tile set; the Latin ones if none of its own can be read."""
    return letters_for(tiles) if can_be_read(tiles) else LATIN


def letters_to_teach(tiles: str) -> tuple[str, ...]:
    """The letters of a tile set that are read in pictures only once they are taught.

    Tiles that print something else than their sign in a board's text are among them.
    """
    tile_set, known = load_tile_set(tiles), _read(tiles)
    return tuple(x for x in tile_set.letters if x not in known or x in tile_set.prints)


def untaught_letters(tiles: str) -> str | None:
    """Message about letters that must be taught first; None if there are none."""
    letters = letters_to_teach(tiles)
    if not letters:
        return None
    prints = load_tile_set(tiles).prints
    return phrase(
        "Letters that are read only once their look is taught, and until then as others: "
        "{letters}.",
        letters=listed((prints.get(x, x) for x in letters), " "),
    )


def teach_note(tiles: str) -> str | None:
    """The same message for the command line, with the command that teaches letters."""
    said = untaught_letters(tiles)
    if said is None:
        return None
    return phrase("{said} kibitz calibrate --teach learns it.", said=said)


def counts_of(tiles: str) -> Mapping[str, int]:
    """Number of tiles of each letter in one set; `?` are blanks."""
    tile_set = load_tile_set(tiles)
    return {x: tile_set.count(x) for x in (*tile_set.letters, UNKNOWN_BLANK)}


def load_lexicon(name: str, tiles: str = "en") -> WordList | AcceptAll:
    """Load a word list: `default` (bundled), `none` (any string is a word), a kept one, a file.

    A list that is kept by a name (`kibitz words`) goes before a file of that name.

    The bundled list is of English words: for a tile set of another language any string is a word.
    Files are text (one word a line, in UTF-8 or UTF-16), the same as `.gz`, or a `.kwg` word
    graph, whose alphabet follows from the tile set. Words of a text are those that the tile set
    can lay, in its tiles: CALLE is four with a Spanish set.

    Raises:
        UsageError: the file is missing or no word list; the message says why.
    """
    from kibitz.app.common.materials.own_words import kept_file

    alphabet = KWG_ALPHABETS.get(tiles, ENGLISH) if name.endswith(".kwg") else ENGLISH
    if name == "none" or (name == "default" and load_tile_set(tiles).language != LISTED):
        return AcceptAll()
    path = DATA / "words.txt.gz" if name == "default" else kept_file(name) or Path(name)
    return _word_list(path, name, alphabet, tiles)


def any_word_note(lexicon: str, tiles: str, options: Options) -> str | None:
    """Message why any word counts though nobody asked for that; None with a word list.

    Args:
        lexicon: the word list that was asked for.
        tiles: a tile set's name, or its file.
        options: the game's settings, whose own word list goes before.
    """
    if _list_named(lexicon, options) != "default" or load_tile_set(tiles).language == LISTED:
        return None
    return phrase(
        "No word list is bundled for the tile set {tiles}, only for English: any word is good. "
        "A word list of your own says which are; 'kibitz words' builds and keeps lists.",
        tiles=f"{tiles!r}",
    )


def _list_named(lexicon: str, options: Options) -> str:
    """The word list in force: the one in the settings, else the one given."""
    named = str(options.get("lexicon") or "default")
    return lexicon if named == "default" else named


def with_list_named(options: Options, lexicon: str) -> Options:
    """Settings that name the word list in force, so that records have its name."""
    return MappingProxyType({**options, "lexicon": _list_named(lexicon, options)})


@lru_cache(maxsize=LIMITS.lists)
def _word_list(path: Path, name: str, alphabet: str, tiles: str) -> WordList:
    if not is_there(path):
        from kibitz.app.common.materials.own_words import kept_names

        known = ", ".join(("default", "none", *kept_names()))
        raise UsageError(
            Option("lexicon"),
            f": there is no file {name!r:.90}; expected {known} or a file "
            "('kibitz words list' shows which lists can be built)",
        )
    try:
        data = read_plain(path, LIMITS.words_bytes)
        if path.suffix == ".kwg":
            return words_from_kwg(data, alphabet, name)
        if path.suffix == ".gz":
            data = unzipped(data, LIMITS.words_bytes)
        tile_set = load_tile_set(tiles)
        plain = tile_set.language == LISTED and not tile_set.prints
        return words_from_text(text_of(data), name, None if plain else tile_set.laid)
    except (OSError, ValueError) as error:
        raise UsageError(Option("lexicon"), f": {name} is no word list: {error}") from error


def make_materials(lexicon: str, tiles: str, options: Options) -> Materials:
    """Materials of a game; a lexicon, additions and removals in the settings go first."""
    words, tile_set = load_lexicon(_list_named(lexicon, options), tiles), load_tile_set(tiles)
    add, remove = (map(tile_set.tiles_in, changed) for changed in lexicon_changes(options))
    english = tile_set.language == LISTED
    roots = load_roots() if english and "gs.root_test" in options else NO_TABLE
    return Materials(words.with_changes(add, remove), tile_set, roots)


@cache
def load_roots() -> RootTable:
    """Load the table of English word roots, by which words are compared (rule GS-12)."""
    packed = (DATA / "roots.txt.gz").read_bytes()
    return table_from_text(gzip.decompress(packed).decode("ascii"))
