"""`kibitz.word`, `kibitz.words` and `kibitz.tile_sets`: words, word lists and tile sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz.app.common.errors import Option, UsageError
from kibitz.app.common.files import PathLike
from kibitz.app.common.materials.named import (
    TILE_SETS,
    any_word_note,
    letters_to_teach,
    load_lexicon,
    load_roots,
    load_tile_set,
)
from kibitz.app.common.materials.own_words import KeptList, check_name, keep_list, kept_lists
from kibitz.app.common.terminal import silent
from kibitz.app.words.building import (
    BuiltWords,
    installed_source,
    layable_words,
    words_of_file,
    words_of_source,
)
from kibitz.app.words.recipes import RECIPES, Recipe, recipe_named
from kibitz.engine.table import SIDE, UNKNOWN_BLANK
from kibitz.engine.tiles.sets import TileSet
from kibitz.engine.words.lexicon import AcceptAll, is_word_text
from kibitz.engine.words.lookup import WordFacts, facts_of
from kibitz.engine.words.roots import RootVerdict
from kibitz.engine.words.roots import same_root as judge_roots


def word(
    text: str,
    *,
    lexicon: str = "default",
    tiles: str = "en",
    progress: Callable[[str], None] = silent,
) -> WordFacts:
    """Look up a word: its validity, and the letters that extend it in front and behind.

    Args:
        text: the word, in any case.
        lexicon: the words that are good: `default`, `none` (any string is a word), the name of a
            kept list, or a file.
        tiles: the tile set that it is laid with: `en de fr ro pl fi` and more, or a file.
        progress: is told, in words, where any word is good and why.

    Raises:
        UsageError: it has other signs than letters, or there is no such word list or tile set.
    """
    (facts,) = look_up([text], lexicon, tiles, progress)
    return facts


def look_up(
    words: Sequence[str], lexicon: str, tiles: str, progress: Callable[[str], None] = silent
) -> tuple[WordFacts, ...]:
    """Look up several words.

    Raises:
        UsageError: as `word`.
    """
    check_letters(words, "word")
    tile_set, known = load_tile_set(tiles), load_lexicon(lexicon, tiles)
    if (note := any_word_note(lexicon, tiles, {})) is not None:
        progress(note)
    letters = [x for x in tile_set.letters if x != UNKNOWN_BLANK]
    return tuple(facts_of(text, known, tile_set, letters) for text in words)


def same_root(first: str, second: str, *, lexicon: str = "default") -> RootVerdict:
    """Judge whether two words share a root (rule GS-12), with reason and source.

    Args:
        first: a word, in any case.
        second: another.
        lexicon: the words that are good; roots are looked for among them.

    Raises:
        UsageError: one of them has other signs than letters, or there is no such word list.
    """
    check_letters((first, second), "same_root")
    (verdict,) = judge_pairs([(first, second)], lexicon)
    return verdict


def judge_pairs(pairs: Iterable[tuple[str, str]], lexicon: str) -> tuple[RootVerdict, ...]:
    """Judge of each pair of words whether they share a root.

    Raises:
        UsageError: there is no such word list.
    """
    known, table = load_lexicon(lexicon), load_roots()
    return tuple(judge_roots(a.upper(), b.upper(), known, table=table) for a, b in pairs)


def check_letters(words: Iterable[str], call: str) -> None:
    """Check that words consist of letters.

    Raises:
        UsageError: one has another sign, or none at all.
    """
    if odd := [text for text in words if not is_word_text(text)]:
        raise UsageError(f"{call}: expected letters only, got {odd[0]!r}")


@dataclass(frozen=True, slots=True)
class BuildableList:
    """A word list that can be built from a package of the operating system.

    Attributes:
        name: what it is called then.
        language: in English.
        package: what it is made from, by its name in Debian.
        installed: whether that is on this machine.
        licence: of the words.
        good_for: what it is good for, and what not.
    """

    name: str
    language: str
    package: str
    installed: bool
    licence: str
    good_for: str


@dataclass(frozen=True, slots=True)
class WordLists:
    """Word lists on this machine.

    Attributes:
        kept: the bundled one as `default`, then those that were added or built.
        to_build: those that can be made; a list stands once for each package that it can be
            made from.
    """

    kept: tuple[KeptList, ...]
    to_build: tuple[BuildableList, ...]


@dataclass(frozen=True, slots=True)
class BuiltList:
    """A word list that was built.

    Attributes:
        kept: as it is kept now.
        left_out: what was left out and why, in words; empty where nothing was.
    """

    kept: KeptList
    left_out: str


def words() -> WordLists:
    """Word lists that are kept, and those that can be built.

    Raises:
        UsageError: the bundled list cannot be read.
    """
    bundled = load_lexicon("default")
    size = 0 if isinstance(bundled, AcceptAll) else len(bundled)
    default = KeptList("default", size, "bundled, English", "SCOWL (free)")
    return WordLists(
        (default, *kept_lists()),
        tuple(
            BuildableList(
                recipe.name,
                recipe.language,
                source.package,
                bool(source.found()),
                source.licence,
                recipe.good_for,
            )
            for recipe in RECIPES
            for source in recipe.sources
        ),
    )


def add_words(file: PathLike, name: str | None = None, *, tiles: str = "en") -> KeptList:
    """Keep a word list of your own under a name, which `lexicon` accepts from then on.

    Args:
        file: words one a line, also as `.gz`, or a `.kwg`.
        name: what it is called; without it as the file.
        tiles: the alphabet of a `.kwg`.

    Raises:
        UsageError: the file is no word list, or the name is none.
        CommandError: it cannot be kept.
    """
    path = Path(file)
    called = check_name(path.name.split(".")[0] if name is None else name, Option("name"))
    if not path.is_file():
        raise UsageError(f"words add: there is no file {str(path)!r:.90}")
    known = load_lexicon(str(path.absolute()), tiles)
    assert not isinstance(known, AcceptAll)
    return keep_list(called, map(load_tile_set(tiles).word_of, known.words), path.name)


def build_words(
    name: str,
    *,
    dictionary: PathLike | None = None,
    tiles: str | None = None,
    longest: int = SIDE,
    capitals: bool = False,
    kept_as: str | None = None,
    progress: Callable[[str], None] = silent,
) -> BuiltList:
    """Build a word list from an installed package or a dictionary, and keep it.

    Args:
        name: one of `words().to_build`, or with a dictionary any name.
        dictionary: a word list, a Hunspell `.dic`, or a folder with one, instead of a package.
        tiles: the tile set that words are laid with; without it that of the list.
        longest: letters; longer words are left out.
        capitals: whether words that begin with a capital are words of the game.
        kept_as: what it is called then; without it `name`.
        progress: is told, in words, what is being read.

    Raises:
        UsageError: there is no such list, no source for it, or no word in it.
        CommandError: it cannot be kept, or a package for reading it is missing.
    """
    given = None if dictionary is None else Path(dictionary)
    kept_as = check_name(name if kept_as is None else kept_as, "words build")
    recipe = recipe_named(name)
    if recipe is None and given is None:
        known = " ".join(x.name for x in RECIPES)
        raise UsageError(
            f"words build: there is no recipe {name!r:.60}; known are {known}, or name a "
            "dictionary of your own: ",
            Option("dictionary", "--from"),
            " FILE",
        )
    if longest < 2:
        message = f" {longest}: expected words of at least 2 letters, got {longest}"
        raise UsageError(Option("longest"), message)
    set_of = tiles or (recipe.tiles if recipe else None)
    tile_set = None if set_of is None else load_tile_set(set_of)
    capitals = capitals or bool(recipe and recipe.capitals)
    if given is not None:
        progress(f"reading {given} ...")
        made = layable_words(words_of_file(given), tile_set, longest, capitals=capitals)
        source, licence = str(given.name), ""
    else:
        assert recipe is not None
        made, source, licence = _by_recipe(recipe, tile_set, longest, progress)
    if not made.words:
        raise UsageError(f"words build {name}: {source} has no word that can be laid")
    return BuiltList(keep_list(kept_as, made.words, source, licence), made.left_out())


def _by_recipe(
    recipe: Recipe, tile_set: TileSet | None, longest: int, progress: Callable[[str], None]
) -> tuple[BuiltWords, str, str]:
    source = installed_source(recipe)
    progress(f"reading {source.package} ...")
    made = layable_words(words_of_source(source), tile_set, longest, capitals=recipe.capitals)
    compounds = ", without compounds" if source.kind == "hunspell" else ""
    return made, f"Debian's {source.package}{compounds}", source.licence


@dataclass(frozen=True, slots=True)
class TileSetFacts:
    """A tile set, and which of its letters are read in pictures.

    Attributes:
        name: what `tiles` calls it.
        tiles: how many it has, blanks among them.
        blanks: how many blanks.
        letters: its letters, each as one sign.
        prints: what is printed on tiles whose sign in a board's text is another: sign to print.
        teach: the letters that are read only once their look is taught.
    """

    name: str
    tiles: int
    blanks: int
    letters: tuple[str, ...]
    prints: Mapping[str, str]
    teach: tuple[str, ...]


def tile_sets() -> tuple[TileSetFacts, ...]:
    """Tile sets that have a name."""
    return tuple(_facts_of_set(name) for name in TILE_SETS)


def _facts_of_set(name: str) -> TileSetFacts:
    tiles = load_tile_set(name)
    return TileSetFacts(
        name, tiles.total, tiles.blanks, tiles.letters, dict(tiles.prints), letters_to_teach(name)
    )
