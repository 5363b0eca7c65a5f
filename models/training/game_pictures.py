"""Photographs of a whole game from a fixed camera, for the bundled demonstrations and tests.

    python -m kibitz.models.training.game_pictures app/data/demo/scrabble/game.json

The game file names its photographs and what lies on the table in each (`game_story`), and under
`picture` the seed and size of the pictures. They are written beside it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2

from kibitz.engine.games import find_info
from kibitz.models.training.game_loose import LooseTable
from kibitz.models.training.game_story import loose_shots_of, shots_of
from kibitz.models.training.game_tables import BoardTable, Picture, View


def pictures_of(game: Mapping[str, Any]) -> Iterator[tuple[str, Picture]]:
    """Every photograph of a game with its file name, in order."""
    view = view_of(game)
    names = [photo["file"] for photo in game["photos"]]
    surface = find_info(game["game_slug"]).surface
    if surface.kind == "loose":
        bare = LooseTable(view)
        for number, spread in enumerate(loose_shots_of(game)):
            yield names[number], bare.photograph(spread, number)
        return
    table = BoardTable(view, surface.rows)
    for number, shot in enumerate(shots_of(game)):
        yield names[number], table.photograph(shot, number)


def view_of(game: Mapping[str, Any]) -> View:
    """How a game's pictures are taken."""
    return View(**game["picture"])


def main() -> None:
    """Photograph a game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", type=Path)
    path: Path = parser.parse_args().game
    game: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    quality = [cv2.IMWRITE_JPEG_QUALITY, view_of(game).quality]
    for name, picture in pictures_of(game):
        cv2.imwrite(str(path.parent / name), picture, quality)
        print(path.parent / name)


if __name__ == "__main__":
    main()
