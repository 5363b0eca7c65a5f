"""Drawn pictures of a whole game from a fixed camera, in as many looks as there are seeds.

The game file names its photographs and what lies on the table in each (see `story`), and under
`picture` the seed and size of the pictures. Photographs of the same games that look real are made
by `tests.filming.photographs.game`, which takes much longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.engine.games import find_info
from tests.filming.loose_tables import LooseTable
from tests.filming.story import loose_shots_of, shots_of
from tests.filming.tables import BoardTable, Picture, View


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
