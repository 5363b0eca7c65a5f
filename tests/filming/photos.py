"""Photographed games as films: the photographs are what rests, arms and noise lie over them.

The photographs lie beside the project (`tests/helpers/shared_data.py`); they are shown, never copied. A
film shows the longest part of a game in which nothing was taken off the board.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from kibitz.app.common.materials.named import letters_for, make_materials
from kibitz.app.face.replaying import Photographs, new_replay
from kibitz.app.reading.pictures import FileReading
from kibitz.app.tables.midway import start_for
from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.table import Square
from kibitz.models.training.drawing import scene
from tests.filming.drawing import Filmed, Picture, Scene
from tests.filming.scenarios import PLAYERS, SETTINGS, Pictured
from tests.filming.story import Laid
from tests.filming.tables import BoardTable, View
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.shared_data import SHARED

FOLDER = SHARED / "photos"
LONGEST_PX = 1200
"""A photograph's longer side in a film."""
LEAST = 5
"""A part of a game with fewer photographs is no film."""


def names() -> tuple[str, ...]:
    """The photographed games that are whole; none where the photographs are missing."""
    return tuple(sorted(p.parent.name for p in FOLDER.glob("*/game.json")))


def _labels(folder: Path, file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / file).with_suffix(".json").read_text("utf-8"))
    return found


def _part(folder: Path) -> list[str]:
    """The files of the longest part in which nothing comes off and every tile is known."""
    game = json.loads((folder / "game.json").read_text("utf-8"))
    parts: list[list[str]] = [[]]
    before: dict[Square, str] = {}
    for photo in game["photos"]:
        path = (folder / photo["file"]).with_suffix(".json")
        label = json.loads(path.read_text("utf-8")) if path.exists() else {}
        if label.get("kind") != "board" and label.get("kind") != "empty_board":
            parts.append([])
            continue
        now = _tiles(label["board"])
        if label.get("doubtful_cells") or not before.items() <= now.items():
            parts.append([])
        parts[-1].append(photo["file"])
        before = now
    return max(parts, key=len)


def _tiles(rows: list[str]) -> dict[Square, str]:
    return {
        Square(r, c): "?" if x.islower() else x
        for r, row in enumerate(rows)
        for c, x in enumerate(row)
        if x != "."
    }


@cache
def photographed(name: str) -> Pictured | None:
    """A photographed game; what is true of it is what faultless readings come to.

    Args:
        name: its folder's.

    Returns:
        None if no part of it is long enough.
    """
    folder = FOLDER / name
    files = _part(folder)
    if len(files) < LEAST:
        return None
    language = str(json.loads((folder / "game.json").read_text("utf-8"))["language"])
    game = find_game("scrabble")
    options = check_options(game.info, SETTINGS)
    materials = make_materials("none", language, options)
    opening = Opening(game, PLAYERS, options, materials, None)
    labels = [_labels(folder, file) for file in files]
    first = _tiles(labels[0]["board"])
    start = None
    if first:
        rows = [_row(first, r) for r in range(15)]
        start = start_for(opening, {"board": rows, "to_move": PLAYERS[0]})
    replay = new_replay(Photographs(), replace(opening, initial=start), [])
    ledgers, scenes = [], []
    for number, (file, label) in enumerate(zip(files, labels, strict=True)):
        tiles = _tiles(label["board"])
        rows = [_row(tiles, r) for r in range(15)]
        replay.see(FileReading(file, reading_of_rows(rows, "".join(letters_for(language)))))
        ledgers.append(replay.ledger)
        scenes.append(Scene({s: Laid(x) for s, x in tiles.items()}, photo=number))
    facts = {
        "players": PLAYERS, "settings": SETTINGS, "language": language, "lexicon": "none",
        "files": files, "photos": [{"file": file} for file in files],
    }  # fmt: skip
    return Pictured(facts, tuple(scenes), tuple(ledgers), ((),) * len(files), start)


def _row(tiles: Mapping[Square, str], r: int) -> str:
    return "".join(tiles.get(Square(r, c), ".") for c in range(15))


class FilmedPhotos(Filmed):
    """The photographs of a game before a camera.

    Args:
        seed: decides how hands look.
        name: the game's folder.
        files: its photographs.
    """

    def __init__(self, seed: int, name: str, files: tuple[str, ...]) -> None:
        folder = FOLDER / name
        self._pictures: list[Picture] = []
        self._places = []
        size: tuple[int, int] | None = None
        for file in files:
            picture = cv2.imread(str(folder / file))
            height, width = picture.shape[:2]
            scale = LONGEST_PX / max(height, width)
            size = size or (round(width * scale), round(height * scale))
            small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
            self._pictures.append(np.asarray(small, np.uint8))
            label = _labels(folder, file)
            scaled = (size[0] / label["image_size"][0], size[1] / label["image_size"][1])
            corners = np.asarray(label["corners_px"], float) * scaled
            self._places.append(geometry_from_corners(corners, 15, *size))
        assert size is not None
        px = self._places[0].square_px
        super().__init__(seed, size, px, _cabinet(seed, size))

    def plain(self, shown: Scene) -> Picture:
        """The photograph."""
        assert shown.photo is not None
        return self._pictures[shown.photo].copy()

    def square_at(self, square: Square, shown: Scene) -> tuple[float, float]:
        """Where the middle of a square is in a photograph."""
        at = self._place(shown).to_px(np.array([square.col + 0.5, square.row + 0.5]))
        return float(at[0]), float(at[1])

    def play_areas(self, shown: Scene) -> list[Picture]:
        """Where the squares are, (h, w) uint8."""
        mask = np.zeros(self.size[::-1], np.uint8)
        corners = np.round(self._place(shown).corners_px).astype(np.int32)
        return [cv2.fillConvexPoly(mask, corners, 255)]

    def _place(self, shown: Scene) -> Any:
        assert shown.photo is not None
        return self._places[shown.photo]


def _cabinet(seed: int, size: tuple[int, int]) -> scene.SpriteCabinet:
    """What tiles on a rack look like."""
    return BoardTable(View(seed, *size), 15).styles["a"]
