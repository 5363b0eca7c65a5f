"""Sources of word lists: packages of Debian, with licence and note on what each is good for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

ROOT: Final = Path("/usr/share")
Kind = Literal["list", "hunspell"]


@dataclass(frozen=True, slots=True)
class Source:
    """An installed package that a list can be built from.

    Attributes:
        package: its name in Debian.
        files: below `/usr/share`; of a Hunspell dictionary the one with the stems.
        kind: words one a line, or stems with affixes.
        licence: of the words.
        encoding: of plain lists.
    """

    package: str
    files: tuple[str, ...]
    kind: Kind
    licence: str
    encoding: str = "utf-8"

    def found(self, root: Path = ROOT) -> tuple[Path, ...]:
        """Paths of its files on this machine; empty if one is missing."""
        paths = tuple(root / name for name in self.files)
        return paths if all(path.is_file() for path in paths) else ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A word list that can be built, and from which sources.

    Attributes:
        name: what it is called then.
        language: in English.
        tiles: the tile set whose letters it is written with; None keeps all letters.
        good_for: what it is good for, and what not.
        sources: the first that is installed is taken.
        capitals: whether words that begin with a capital are words of the game, as in German.
    """

    name: str
    language: str
    tiles: str | None
    good_for: str
    sources: tuple[Source, ...]
    capitals: bool = False


def _scowl(*sizes: int) -> tuple[str, ...]:
    kinds = ("english", "american", "british")
    return tuple(f"dict/scowl/{kind}-words.{size}" for size in sizes for kind in kinds)


def _hunspell(package: str, name: str, licence: str) -> Source:
    return Source(package, (f"hunspell/{name}.dic",), "hunspell", licence)


_FREE_THREE: Final = "GPL-2, LGPL-2.1 or MPL-1.1"

RECIPES: Final[tuple[Recipe, ...]] = (
    Recipe(
        "en-common",
        "English",
        "en",
        "learners and children: words that many people know; the bundled list has them all",
        (Source("scowl", _scowl(10, 20, 35, 40, 50), "list", "SCOWL", "latin-1"),),
    ),
    Recipe(
        "de",
        "German",
        "de",
        "games at home: inflected forms of the new spelling; some names are among them",
        (
            Source("wngerman", ("dict/ngerman",), "list", "GPL-2+"),
            _hunspell("hunspell-de-de", "de_DE", "GPL-2+"),
        ),
        capitals=True,
    ),
    Recipe(
        "fr",
        "French",
        "fr",
        "games at home: inflected forms, accents taken off as on the tiles",
        (
            _hunspell("hunspell-fr-classical", "fr", "MPL-2.0"),
            Source("wfrench", ("dict/french",), "list", "GPL-2+"),
        ),
    ),
    Recipe(
        "pl",
        "Polish",
        "pl",
        "games at home and clubs: made by players (sjp.pl), with all inflected forms",
        (
            Source(
                "wpolish",
                ("dict/polish",),
                "list",
                "GPL-2, LGPL-2.1, MPL-1.1, Apache-2.0 or CC-BY-4.0",
            ),
            _hunspell("hunspell-pl", "pl_PL", "GPL, LGPL, MPL, Apache-2.0 or CC-SA-1.0"),
        ),
    ),
    Recipe(
        "ro",
        "Romanian",
        "ro",
        "games at home: inflected forms, marks taken off as on the tiles",
        (_hunspell("hunspell-ro", "ro_RO", _FREE_THREE),),
    ),
    Recipe(
        "es",
        "Spanish",
        None,
        "games at home with a tile set file of your own",
        (_hunspell("hunspell-es", "es_ES", "GPL-3+, LGPL-3+ or MPL-1.1+"),),
    ),
    Recipe(
        "it",
        "Italian",
        None,
        "games at home with a tile set file of your own",
        (_hunspell("hunspell-it", "it_IT", "GPL-3"),),
    ),
    Recipe(
        "nl",
        "Dutch",
        None,
        "games at home with a tile set file of your own; many compounds are missing",
        (_hunspell("hunspell-nl", "nl", "BSD-2-clause or CC-BY-3.0"),),
    ),
    Recipe(
        "pt",
        "Portuguese",
        None,
        "games at home with a tile set file of your own",
        (_hunspell("hunspell-pt-pt", "pt_PT", _FREE_THREE),),
    ),
    Recipe(
        "sv",
        "Swedish",
        None,
        "games at home with a tile set file of your own; many compounds are missing",
        (_hunspell("hunspell-sv", "sv_SE", "LGPL-3"),),
    ),
)
"""Every list that can be made. Finnish has no package that lists its forms."""


def recipe_named(name: str) -> Recipe | None:
    """The recipe of a word list."""
    return next((recipe for recipe in RECIPES if recipe.name == name), None)
