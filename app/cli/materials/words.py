"""`kibitz words`, `word` and `tiles`: word lists, words looked up in them, and tile sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import Json, Lexicon, Tiles
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.own_words import KeptList, words_folder
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.face import materials
from kibitz.engine.table import SIDE

LongestLetters = Annotated[
    int, typer.Option("--longest", metavar="LETTERS", help="Leave longer words out.")
]
TilesOf = Annotated[
    str | None,
    typer.Option("--tiles", metavar="NAME|FILE", help="The tile set that words are laid with."),
]


command = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    help="List the word lists that are here, build some from dictionaries, add your own.\n\n"
    "Example: kibitz words list",
)


@command.command("list")
def list_words(*, as_json: Json = False) -> None:
    """Show the word lists that are here, and those that can be built.

    Example: kibitz words list
    """
    lists = materials.words()
    for known in lists.kept:
        facts = {"kept": True, **asdict(known)}
        line = f"{known.name}: {known.words} words; {_about(known.source, known.licence)}"
        print_result(json.dumps(facts, ensure_ascii=False) if as_json else line)
    for made in lists.to_build:
        facts = {"kept": False, **asdict(made)}
        how = "installed" if made.installed else "not installed"
        line = (
            f"can be built: {made.name} ({made.language}) from {made.package}, {how}; "
            f"{made.licence}; {made.good_for}"
        )
        print_result(json.dumps(facts, ensure_ascii=False) if as_json else line)


@command.command("build")
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
    longest: LongestLetters = SIDE,
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
    made = materials.build_words(
        name,
        dictionary=given,
        tiles=tiles,
        longest=longest,
        capitals=capitals,
        kept_as=kept_as,
        progress=show_progress,
    )
    _say(made.kept, made.left_out)


@command.command("add")
def add_words(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Words one a line, .gz or .kwg.")],
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
    _say(materials.add_words(file, name, tiles=tiles))


def _about(source: str, licence: str) -> str:
    return f"{source}; {licence}" if licence else source


def _say(known: KeptList, left_out: str = "") -> None:
    about = _about(known.source, known.licence)
    print_result(f"{known.name}: {known.words} words from {about}; kept in {words_folder()}")
    if left_out:
        print_result(f"left out: {left_out}")
    print_result(f"use it as: --lexicon {known.name}")


def word(
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look up.")],
    *,
    as_json: Json = False,
    lexicon: Lexicon = "default",
    tiles: Tiles = "en",
    root: Annotated[
        bool,
        typer.Option("--root", help="Words in pairs: say of each pair whether it shares a root."),
    ] = False,
) -> int:
    """Say whether words are good, and what letters they take in front and behind.

    Example: kibitz word qi cwm
    Example: kibitz word --root CHILD CHILDREN MOTH MOTHER
    """
    if root:
        return _judge_roots(words, as_json=as_json, lexicon=lexicon)
    if not words:
        raise UsageError("word: expected one or more words, as in: kibitz word quixotry za")
    found = materials.look_up(words, lexicon, tiles, show_progress)
    for facts in found:
        line = json.dumps(asdict(facts), ensure_ascii=False) if as_json else facts.sentence()
        print_result(line)
    return 0 if all(f.good for f in found) else 1


def _judge_roots(words: Sequence[str], *, as_json: bool, lexicon: str) -> int:
    """Judge for pairs of words whether they share a root (rule GS-12).

    Raises:
        UsageError: the words are not pairs, or one has other signs than letters.
    """
    if not words or len(words) % 2:
        raise UsageError(
            f"word --root: expected words in pairs, as in: kibitz word --root CORN CORNER; "
            f"got {len(words)} words"
        )
    materials.check_letters(words, "word --root")
    pairs = list(zip(words[::2], words[1::2], strict=True))
    for (old, new), said in zip(pairs, materials.judge_pairs(pairs, lexicon), strict=True):
        line = {
            "words": [old.upper(), new.upper()],
            "same_root": said.same,
            "why": said.reason,
            "source": said.source,
        }
        verdict = "share a root" if said.same else "have different roots"
        text = f"{old.upper()} and {new.upper()} {verdict}: {said.reason}."
        print_result(json.dumps(line, ensure_ascii=False) if as_json else text)
    return 0


def tiles(*, as_json: Json = False) -> None:
    """List the tile sets, and which of their letters are read only once they are taught.

    Example: kibitz tiles
    """
    for facts in materials.tile_sets():
        if as_json:
            print_result(json.dumps(asdict(facts), ensure_ascii=False))
        else:
            letters = _told(facts.letters, facts.teach)
            print_result(f"{facts.name}  {facts.tiles} tiles  {letters}")


def _told(letters: tuple[str, ...], taught: tuple[str, ...]) -> str:
    if not taught:
        return "read as they are"
    if len(taught) == len(letters):
        return "read once they are taught: kibitz calibrate --teach"
    return f"read, except {' '.join(taught)}, which must be taught: kibitz calibrate --teach"
