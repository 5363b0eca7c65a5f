"""`kibitz word`: whether words are good, what letters they take, and whether they share a root."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from kibitz.app.cli.options import Json, Lexicon, Tiles
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import (
    any_word_note,
    load_lexicon,
    load_roots,
    load_tile_set,
)
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.words.lookup import facts_of
from kibitz.engine.words.roots import same_root


def command(
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look up.")],
    *,
    as_json: Json = False,
    lexicon: Lexicon = "default",
    tiles: Tiles = "en",
    root: Annotated[
        bool,
        typer.Option("--root", help="Words in pairs: say of each pair whether it shares a root."),
    ] = False,
) -> None:
    """Say whether words are good, and what letters they take in front and behind.

    Example: kibitz word qi cwm
    Example: kibitz word --root CHILD CHILDREN MOTH MOTHER
    """
    if root:
        raise typer.Exit(run_roots(words, as_json=as_json, lexicon=lexicon))
    raise typer.Exit(run_word(words, as_json=as_json, lexicon=lexicon, tiles=tiles))


def run_word(words: Sequence[str], *, as_json: bool, lexicon: str, tiles: str) -> int:
    """Look words up; 0 if all of them are good, 1 if one is not.

    Raises:
        UsageError: no word was named, or one has other signs than letters.
    """
    if not words:
        raise UsageError("word: expected one or more words, as in: kibitz word quixotry za")
    if odd := [w for w in words if not w.isalpha()]:
        raise UsageError(f"word: expected letters only, got {odd[0]!r}")
    tile_set, known = load_tile_set(tiles), load_lexicon(lexicon, tiles)
    if (note := any_word_note(lexicon, tiles, {})) is not None:
        show_progress(note)
    letters = [x for x in tile_set.letters if x != UNKNOWN_BLANK]
    found = [facts_of(w, known, tile_set, letters) for w in words]
    for facts in found:
        line = json.dumps(asdict(facts), ensure_ascii=False) if as_json else facts.sentence()
        print_result(line)
    return 0 if all(f.good for f in found) else 1


def run_roots(words: Sequence[str], *, as_json: bool, lexicon: str) -> int:
    """Tell of words in pairs whether they share a root (rule GS-12).

    Raises:
        UsageError: the words are not pairs, or one has other signs than letters.
    """
    if not words or len(words) % 2:
        raise UsageError(
            f"word --root: expected words in pairs, as in: kibitz word --root CORN CORNER; "
            f"got {len(words)} words"
        )
    if odd := [w for w in words if not w.isalpha()]:
        raise UsageError(f"word --root: expected letters only, got {odd[0]!r}")
    known, table = load_lexicon(lexicon), load_roots()
    for old, new in zip(words[::2], words[1::2], strict=True):
        said = same_root(old.upper(), new.upper(), known, table=table)
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
