"""Photographs of a whole game on a kitchen table, path-traced, for the bundled demonstrations.

    python -m tests.filming.photographs.game app/data/demo/scrabble/game.json

The game file names its photographs and what lies on the table in each (see
`tests.filming.story`), its look (see `looks`), and under `picture` the seed and size of
the pictures. They are written beside it; `--width 560 --out FOLDER` makes small ones for a trial.
Needs Blender as a Python package (`pip install bpy==4.5.15 scikit-image`, Python 3.11).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.games import find_info
from kibitz.engine.table import Square
from tests.filming.loose_tables import LoosePlaces, Lying
from tests.filming.photographs import prints, things
from tests.filming.photographs.hands import reach_over
from tests.filming.photographs.looks import LOOKS, Look
from tests.filming.photographs.stage import Stage, developed
from tests.filming.story import (
    BoardShot,
    CardPlace,
    Laid,
    LooseShot,
    loose_shots_of,
    shots_of,
)
from tests.filming.tables import View

Picture = NDArray[np.uint8]
Wanted = dict[object, Callable[[], bpy.types.Object]]
BOARD_HEIGHT = 0.32
JOINT = 0.07
"""So much (squares) smaller than its squares a board is that is joined to others."""
TILE_VALUES = Path(__file__).resolve().parents[3] / "app" / "data" / "tiles" / "en.json"
TABLE_PX = 2304


class PhotographedTable:
    """A table with all that stays on it through a game."""

    def __init__(self, look: Look, view: View, players: Sequence[str], samples: int) -> None:
        self.look, self.view = look, view
        self.rng = np.random.default_rng(view.seed)
        self.stage = Stage(view.width, view.height, look.aim, look.light, samples)
        self.grain = prints.wood(self.rng, 1024, 60, (236, 208, 164), (186, 142, 92), 99)
        told = json.loads(TILE_VALUES.read_text(encoding="utf-8"))["tiles"]
        self._values = {char: int(tile["value"]) for char, tile in told.items()}
        self.sets = {"a": self._tiles("a", look.tiles), "b": self._tiles("b", look.second_tiles)}
        self._table_top()
        self._things_around(players)

    def _tiles(self, name: str, look: things.TileLook) -> things.TileSet:
        faces = prints.tile_faces(look.family, self._values)
        return things.TileSet(name, look, faces, self.grain if look.wooden else None)

    def _table_top(self) -> None:
        look, px = self.look, TABLE_PX / self.look.table_squares
        if look.cloth:
            picture = prints.tablecloth(self.rng, TABLE_PX, px, *look.table)
        else:
            picture = prints.wood(self.rng, TABLE_PX, px, *look.table, look.plank)
        surface = things.printed("table", picture, 0.9 if look.cloth else 0.42, relief=0.12)
        side = look.table_squares
        top = things.slab("table", (side, side, 1.0), 0.5, 0.1)
        table = things.place("table", top, surface, surface)
        table.location, table.rotation_euler = (0, 0, -1.0), (0, 0, np.deg2rad(look.grain_deg))

    def _things_around(self, players: Sequence[str]) -> None:
        racks = things.printed("rack wood", self.grain, 0.35)
        letters = iter(("EIRTAUN", "OLSEDGA", "TIRENSA", "AEOLMIP"))
        for name, x, y, turn in self.look.props:
            if name == "mug":
                thing = things.mug((66, 96, 124), (44, 24, 12))
            elif name == "plate":
                thing = things.plate((232, 230, 224), ((-0.9, 0.4), (1.1, -0.5)), self.view.seed)
            elif name == "pencil":
                thing = things.pencil((206, 160, 40))
            elif name == "rack":
                thing = things.rack(racks, self.sets["a"], next(letters))
            elif name == "pegs":
                thing = things.peg_board(racks, self.view.seed)
            else:
                paper = prints.score_sheet(self.rng, players)
                page = things.sheet("sheet", (6.0, 8.5), 0.35, self.view.seed)
                thing = things.place("sheet", page, things.printed("paper", paper, 0.85))
            thing.location = (x, y, 0.19 if name == "pencil" else 0.0)
            thing.rotation_euler = (0, 0, np.deg2rad(turn))


class BoardScene:
    """A board, or nine joined ones, on a table; tiles and cards come and go."""

    top = BOARD_HEIGHT

    def __init__(self, table: PhotographedTable, size: int) -> None:
        self.table, self.size = table, size
        self.turn = np.deg2rad(table.look.board_turn_deg)
        self._shown: dict[object, bpy.types.Object] = {}
        self._boards()

    def _boards(self) -> None:
        look = self.table.look
        top, right, bottom, left = look.rims
        across = self.size // 15
        for k in range(across * across):
            design = look.boards[k % len(look.boards)]
            picture = prints.board(self.table.rng, design, look.rims)
            if across > 1:
                picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            face = things.printed(f"board {k}", picture, 0.38)
            edge = things.plain(f"board edge {k}", (52, 48, 46), 0.7)
            w, h = 15 + left + right, 15 + top + bottom
            gap = JOINT if across > 1 else 0.0
            mesh = things.slab(f"board {k}", (w - gap, h - gap, BOARD_HEIGHT), 0.12, 0.05)
            board = things.place(f"board {k}", mesh, face, edge)
            at = self._at(15 * (k // across) + 7, 15 * (k % across) + 7)
            shift = self.table.rng.normal(0, 0.015, 2) if across > 1 else (0, 0)
            off = ((right - left) / 2 + shift[0], (top - bottom) / 2 + shift[1])
            board.location = (*(np.array(at) + self._turned(*off)), 0)
            board.rotation_euler = (0, 0, self.turn)

    def _turned(self, x: float, y: float) -> NDArray[np.float64]:
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.array([c * x - s * y, s * x + c * y])

    def _at(self, row: float, col: float) -> tuple[float, float]:
        middle = (self.size - 1) / 2
        x, y = self._turned(col - middle, middle - row)
        return float(x), float(y)

    def _tile(self, square: Square, tile: Laid) -> bpy.types.Object:
        own = np.random.default_rng([self.table.view.seed, *square, ord(tile.char), tile.turn])
        dx, dy = own.normal(0, 0.016, 2)
        x, y = self._at(square.row + tile.nudge[1] + dy, square.col + tile.nudge[0] + dx)
        turn = 90.0 * tile.turn + own.normal(0, 1.1) + tile.nudge[2] - np.rad2deg(self.turn)
        return self.table.sets[tile.which].lay(tile.char, (x, y, BOARD_HEIGHT), turn)

    def _card(self, card: CardPlace) -> bpy.types.Object:
        first, last = card
        n = max(last.row - first.row, last.col - first.col) + 1
        down = last.row > first.row
        picture = prints.ship_card(n, (232, 226, 208), (70, 84, 100))
        mesh = things.slab("card", (n - 0.12, 0.86, 0.05), 0.08, 0.01)
        made = things.place(
            "card", mesh, things.printed("card", picture, 0.5), things.plain("card edge", (225, 220, 205), 0.7)
        )  # fmt: skip
        own = np.random.default_rng([self.table.view.seed, *first, n])
        x, y = self._at((first.row + last.row) / 2, (first.col + last.col) / 2)
        made.location = (x, y, BOARD_HEIGHT)
        made.rotation_euler = (0, 0, self.turn - (np.pi / 2 if down else 0) + own.normal(0, 0.012))
        return made

    def show(self, shot: BoardShot) -> list[bpy.types.Object]:
        """Lay and lift until the table shows this; returns what changed, lifted things hidden."""
        wanted: Wanted = {
            (square, tile): partial(self._tile, square, tile)
            for square, tile in shot.tiles.items()
        }
        wanted |= {card: partial(self._card, card) for card in shot.cards}
        return _swap(self._shown, wanted)


class LooseScene:
    """Loose tiles on a bare table."""

    top = 0.0

    def __init__(self, table: PhotographedTable) -> None:
        self.table, self.places = table, LoosePlaces(table.view)
        self._shown: dict[object, bpy.types.Object] = {}

    def _tile(self, lying: Lying) -> bpy.types.Object:
        view, px = self.table.view, self.places.px
        x, y = (lying.x - view.width / 2) / px, (view.height / 2 - lying.y) / px
        return self.table.sets["a"].lay(lying.char, (x, y, 0.0), lying.angle_deg)

    def show(self, shot: LooseShot) -> list[bpy.types.Object]:
        """The same as for a board."""
        wanted = {lying: partial(self._tile, lying) for lying in self.places.tiles(shot)}
        return _swap(self._shown, {**wanted})


def _swap(shown: dict[object, bpy.types.Object], wanted: Wanted) -> list[bpy.types.Object]:
    changed = []
    for key in [k for k in shown if k not in wanted]:
        thing = shown.pop(key)
        thing.hide_render = True
        changed.append(thing)
    for key, make in wanted.items():
        if key not in shown:
            shown[key] = make()
            changed.append(shown[key])
    return changed


def photographs_of(game: Mapping[str, Any], samples: int) -> Iterator[tuple[str, Picture]]:
    """Every photograph of a game with its file name, in order: (height, width, 3) BGR."""
    view = View(**game["picture"])
    table = PhotographedTable(LOOKS[game["look"]], view, game["players"], samples)
    surface = find_info(game["game_slug"]).surface
    shots: Iterator[Any]
    scene: BoardScene | LooseScene
    if surface.kind == "loose":
        scene, shots = LooseScene(table), loose_shots_of(game)
    else:
        scene, shots = BoardScene(table, surface.rows), shots_of(game)
    picture: Picture | None = None
    for number, (photo, shot) in enumerate(zip(game["photos"], shots, strict=True)):
        changed = scene.show(shot)
        picture = table.stage.trace() if picture is None else table.stage.retrace(picture, changed)
        seen = picture
        if shot.hand is not None:
            arm = reach_over(table.look.reach, scene.top, view.seed)
            seen = table.stage.retrace(picture, arm)
            for part in arm:
                bpy.data.objects.remove(part)
        yield photo["file"], developed(seen, 100 * view.seed + number)


def main() -> None:
    """Photograph a game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", type=Path)
    parser.add_argument(
        "--out", type=Path, help="write into this folder, not beside the game file"
    )
    parser.add_argument("--only", type=int, help="only so many photographs, for a trial")
    parser.add_argument("--width", type=int, help="smaller pictures, for a trial")
    parser.add_argument("--samples", type=int, default=7, help="paths a pixel")
    parser.add_argument("--png", action="store_true", help="without loss, for a trial")
    a = parser.parse_args()
    game: dict[str, Any] = json.loads(a.game.read_text(encoding="utf-8"))
    if a.width:
        share = a.width / game["picture"]["width"]
        game["picture"] |= {"width": a.width, "height": round(game["picture"]["height"] * share)}
    if a.only:
        game["photos"] = game["photos"][: a.only]
    folder: Path = a.out or a.game.parent
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    for name, picture in photographs_of(game, a.samples):
        path = folder / (Path(name).stem + ".png" if a.png else name)
        cv2.imwrite(
            str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, View(**game["picture"]).quality]
        )
        print(f"{path} {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
