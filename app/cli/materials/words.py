"""`kibitz words`: the word lists that are kept here, and those that can be made."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import Json
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.app.common.materials.own_words import (
    KeptList,
    check_name,
    keep_list,
    kept_lists,
    words_folder,
)
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.words.building import (
    Made,
    WordRule,
    installed_source,
    laid_words,
    words_of_file,
    words_of_source,
)
from kibitz.app.words.recipes import RECIPES, Recipe, recipe_named
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.words.lexicon import AcceptAll

USUAL = WordRule()
LongestLetters = Annotated[
    int, typer.Option("--longest", metavar="LETTERS", help="Leave longer words out.")
]
TilesOf = Annotated[
    str | None,
    typer.Option("--tiles", metavar="NAME|FILE", help="The tile set that words are laid with."),
]


def run_list(*, as_json: bool = False) -> int:
    """Show the lists that are here, and those that can be made."""
    bundled = load_lexicon("default")
    size = 0 if isinstance(bundled, AcceptAll) else len(bundled)
    default = KeptList("default", size, "bundled, English", "SCOWL (free)")
    for known in (default, *kept_lists()):
        facts = {"kept": True, **asdict(known)}
        line = f"{known.name}: {known.words} words; {_about(known.source, known.licence)}"
        print_result(json.dumps(facts, ensure_ascii=False) if as_json else line)
    for recipe in RECIPES:
        for source in recipe.sources:
            there = bool(source.found())
            facts = {
                "kept": False,
                "name": recipe.name,
                "language": recipe.language,
                "package": source.package,
                "installed": there,
                "licence": source.licence,
                "good_for": recipe.good_for,
            }
            how = "installed" if there else "not installed"
            line = (
                f"can be built: {recipe.name} ({recipe.language}) from {source.package}, {how}; "
                f"{source.licence}; {recipe.good_for}"
            )
            print_result(json.dumps(facts, ensure_ascii=False) if as_json else line)
    return 0


def _about(source: str, licence: str) -> str:
    return f"{source}; {licence}" if licence else source


def run_build(
    name: str,
    *,
    given: Path | None = None,
    tiles: str | None = None,
    longest: int = USUAL.longest,
    capitals: bool = False,
    kept_as: str | None = None,
) -> int:
    """Make a list and keep it.

    Raises:
        UsageError: no such recipe, no source for it, or no word in it.
        CommandError: it cannot be kept, or a package for reading it is missing.
    """
    kept_as = check_name(name if kept_as is None else kept_as, "words build")
    recipe = recipe_named(name)
    if recipe is None and given is None:
        known = " ".join(x.name for x in RECIPES)
        raise UsageError(
            f"words build: there is no recipe {name!r:.60}; known are {known}, or name a "
            "dictionary of your own: --from FILE"
        )
    try:
        rule = replace(USUAL, longest=longest)
    except ValueError as error:
        raise UsageError(f"--longest {longest}: {error}") from error
    set_of = tiles or (recipe.tiles if recipe else None)
    letters = None
    if set_of is not None:
        letters = [x for x in load_tile_set(set_of).letters if x != UNKNOWN_BLANK]
    capitals = capitals or bool(recipe and recipe.capitals)
    if given is not None:
        show_progress(f"reading {given} ...")
        made = laid_words(words_of_file(given), letters, rule, capitals=capitals)
        source, licence = str(given.name), ""
    else:
        assert recipe is not None
        made, source, licence = _by_recipe(recipe, letters, rule)
    if not made.words:
        raise UsageError(f"words build {name}: {source} has no word that can be laid")
    _say(keep_list(kept_as, made.words, source, licence), made)
    return 0


def _by_recipe(recipe: Recipe, letters: list[str] | None, rule: WordRule) -> tuple[Made, str, str]:
    source = installed_source(recipe)
    show_progress(f"reading {source.package} ...")
    made = laid_words(words_of_source(source), letters, rule, capitals=recipe.capitals)
    compounds = ", without compounds" if source.kind == "hunspell" else ""
    return made, f"Debian's {source.package}{compounds}", source.licence


def _say(known: KeptList, made: Made | None = None) -> None:
    about = _about(known.source, known.licence)
    print_result(f"{known.name}: {known.words} words from {about}; kept in {words_folder()}")
    if made is not None and (left := made.left_out()):
        print_result(f"left out: {left}")
    print_result(f"use it as: --lexicon {known.name}")


def run_add(file: Path, name: str | None, tiles: str = "en") -> int:
    """Keep a list of one's own by a name.

    Raises:
        UsageError: the file is no word list, or the name is none.
        CommandError: it cannot be kept.
    """
    called = check_name(file.name.split(".")[0] if name is None else name, "--name")
    if not file.is_file():
        raise UsageError(f"words add: there is no file {str(file)!r:.90}")
    words = load_lexicon(str(file.absolute()), tiles)
    assert not isinstance(words, AcceptAll)
    _say(keep_list(called, words.words, file.name))
    return 0


def _add_commands(app: typer.Typer) -> None:
    @app.command("list")
    def list_words(*, as_json: Json = False) -> None:
        """Show the word lists that are here, and those that can be built.

        Example: kibitz words list
        """
        raise typer.Exit(run_list(as_json=as_json))

    @app.command("build")
    def build_words(
        name: Annotated[str, typer.Argument(metavar="NAME", help="As 'list' shows it.")],
        *,
        given: Annotated[
            Path | None,
            typer.Option(
                "--from", metavar="FILE|DIR", help="A word list or Hunspell dictionary instead."
            ),
        ] = None,
        tiles: TilesOf = None,
        longest: LongestLetters = USUAL.longest,
        capitals: Annotated[
            bool,
            typer.Option("--capitals", help="Words that begin with a capital are no names."),
        ] = False,
        kept_as: Annotated[
            str | None, typer.Option("--name", metavar="NAME", help="What it is called then.")
        ] = None,
    ) -> None:
        """Make a word list from an installed package or a dictionary, and keep it.

        Example: kibitz words build de
        """
        raise typer.Exit(
            run_build(
                name,
                given=given,
                tiles=tiles,
                longest=longest,
                capitals=capitals,
                kept_as=kept_as,
            )
        )

    @app.command("add")
    def add_words(
        file: Annotated[
            Path, typer.Argument(metavar="FILE", help="Words one a line, .gz or .kwg.")
        ],
        *,
        name: Annotated[
            str | None, typer.Option("--name", metavar="NAME", help="What it is called then.")
        ] = None,
        tiles: Annotated[
            str,
            typer.Option("--tiles", metavar="NAME|FILE", help="The alphabet of a .kwg file."),
        ] = "en",
    ) -> None:
        """Keep a word list of your own by a name.

        Example: kibitz words add NWL2023.txt --name NWL2023
        """
        raise typer.Exit(run_add(file, name, tiles))


command = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    help="List the word lists that are here, build some from dictionaries, add your own.\n\n"
    "Example: kibitz words list",
)
_add_commands(command)
