"""`kibitz word`: looks up words, their hooks, and whether they share a root."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from kibitz.app.cli.options import Json, Lexicon, Tiles
from kibitz.app.common.errors import UsageError
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.face.materials import check_letters, judge_pairs, look_up


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
) -> int:
    """Say whether words are good, and what letters they take in front and behind.

    Example: kibitz word qi cwm
    Example: kibitz word --root CHILD CHILDREN MOTH MOTHER
    """
    if root:
        return _judge_roots(words, as_json=as_json, lexicon=lexicon)
    if not words:
        raise UsageError("word: expected one or more words, as in: kibitz word quixotry za")
    found = look_up(words, lexicon, tiles, show_progress)
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
    check_letters(words, "word --root")
    pairs = list(zip(words[::2], words[1::2], strict=True))
    for (old, new), said in zip(pairs, judge_pairs(pairs, lexicon), strict=True):
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
