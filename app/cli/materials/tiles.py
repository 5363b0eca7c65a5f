"""`kibitz tiles`: lists the tile sets, and which letters are read in pictures."""

from __future__ import annotations

import json
from dataclasses import asdict

from kibitz.app.cli.options import Json
from kibitz.app.common.terminal import print_result
from kibitz.app.face.materials import tile_sets


def command(*, as_json: Json = False) -> None:
    """List the tile sets, and which of their letters are read only once they are taught.

    Example: kibitz tiles
    """
    for facts in tile_sets():
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
