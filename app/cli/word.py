"""`kibitz word`: whether words are good, and what letters they take in front and behind."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from kibitz.app.cli.options import Json, Lexicon, Tiles
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials import load_lexicon, load_tile_set
from kibitz.app.common.terminal import print_result
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.word_lookup import facts_of


def command(
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look up.")],
    *,
    as_json: Json = False,
    lexicon: Lexicon = "default",
    tiles: Tiles = "en",
) -> None:
    """Say whether words are good, and what letters they take in front and behind.

    Example: kibitz word qi cwm
    """
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
    letters = [x for x in tile_set.letters if x != UNKNOWN_BLANK]
    found = [facts_of(w, known, tile_set, letters) for w in words]
    for facts in found:
        line = json.dumps(asdict(facts), ensure_ascii=False) if as_json else facts.sentence()
        print_result(line)
    return 0 if all(f.good for f in found) else 1
