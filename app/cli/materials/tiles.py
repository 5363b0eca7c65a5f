"""`kibitz tiles`: which tile sets there are, and what can be told of each in a picture."""

from __future__ import annotations

import json

import typer

from kibitz.app.cli.options import Json
from kibitz.app.common.materials.named import TILE_SETS, letters_to_teach, load_tile_set
from kibitz.app.common.terminal import print_result


def command(*, as_json: Json = False) -> None:
    """List the tile sets, and which of their letters are read only once they are taught.

    Example: kibitz tiles
    """
    raise typer.Exit(run_tiles(as_json=as_json))


def run_tiles(*, as_json: bool) -> int:
    """Print a line for each tile set that has a name."""
    for name in TILE_SETS:
        tiles, taught = load_tile_set(name), letters_to_teach(name)
        if as_json:
            line = {
                "name": name,
                "tiles": tiles.total,
                "blanks": tiles.blanks,
                "letters": list(tiles.letters),
                "prints": dict(tiles.prints),
                "teach": list(taught),
            }
            print_result(json.dumps(line, ensure_ascii=False))
        else:
            print_result(f"{name}  {tiles.total} tiles  {_told(tiles.letters, taught)}")
    return 0


def _told(letters: tuple[str, ...], taught: tuple[str, ...]) -> str:
    if not taught:
        return "read as they are"
    if len(taught) == len(letters):
        return "read once they are taught: kibitz calibrate --teach"
    return f"read, except {' '.join(taught)}, which must be taught: kibitz calibrate --teach"
