"""The bundled photographed games: their true positions, and the expected story of each picture.

    python -m tests.helpers.pictured_games --rewrite

A file in `tests/pictured/` holds everything that is known of a game picture by picture. It is
written from what the pictures were drawn from, never from what was read off them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.common.materials.named import letters_for, make_materials
from kibitz.app.face.replaying import Photographs, new_replay
from kibitz.app.observers.feeds import GameReplay
from kibitz.app.observers.told import ToldAction, load_told
from kibitz.app.reading.pictures import FileReading, make_reader, read_file
from kibitz.app.reading.request import squares_of
from kibitz.engine.games import find_game, find_info
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.table import Square
from kibitz.vision.readings import LooseTile, LooseWord, PhotoReading
from kibitz.vision.request import ReadRequest
from tests.filming.loose_tables import LooseTable, Lying
from tests.filming.pictures import view_of
from tests.filming.story import BoardShot, LooseShot, loose_shots_of, shots_of
from tests.filming.tables import hidden_squares
from tests.helpers.fake_readings import reading_of_rows

WRITTEN = Path(__file__).resolve().parents[1] / "pictured"
SLUGS = tuple(sorted(p.parent.name for p in DEMOS.glob("*/game.json")))
LETTERS = letters_for("en")


def game_of(slug: str) -> dict[str, Any]:
    """The game file of a bundled game."""
    game: dict[str, Any] = json.loads((DEMOS / slug / "game.json").read_text(encoding="utf-8"))
    return game


def replay_of(slug: str) -> GameReplay:
    """A replay of a bundled game with all that was told in it."""
    game = game_of(slug)
    return replay_with(game, load_told(DEMOS / slug / game["told"]) if game.get("told") else [])


def replay_with(game: Mapping[str, Any], told: Sequence[ToldAction]) -> GameReplay:
    """A replay of a game file's game with what was told in it."""
    rules = find_game(game["game_slug"])
    options = check_options(rules.info, game.get("settings", {}))
    materials = make_materials(game["lexicon"], game["language"], options)
    players = tuple(game["players"])
    opening = Opening(rules, players, options, materials, game.get("initial"))
    return new_replay(Photographs(), opening, told)


def drawn(slug: str) -> Iterator[FileReading]:
    """Faultless readings of every picture, from what was drawn in it."""
    return readings_of(game_of(slug))


def readings_of(game: Mapping[str, Any]) -> Iterator[FileReading]:
    """Yield a faultless reading of every picture that a game file names."""
    names = [photo["file"] for photo in game["photos"]]
    slug = game["game_slug"]
    if slug == "grabscrab":
        table = LooseTable(view_of(game))
        for name, spread in zip(names, loose_shots_of(game), strict=True):
            yield FileReading(name, _loose(table, spread))
        return
    size = squares_of(find_info(slug))
    assert size != "loose"
    for name, shot in zip(names, shots_of(game), strict=True):
        yield FileReading(name, _board(shot, size))


def _board(shot: BoardShot, size: int) -> PhotoReading:
    turns = [
        [
            90 * shot.tiles[s].turn if (s := Square(r, c)) in shot.tiles else "."
            for c in range(size)
        ]
        for r in range(size)
    ]
    cards = [
        {"cells": [[r, c] for r in range(a.row, b.row + 1) for c in range(a.col, b.col + 1)]}
        for a, b in shot.cards
    ]
    hidden = [] if shot.hand is None else [list(s) for s in hidden_squares(size, shot.hand)]
    rows = shot.rows(size)
    return reading_of_rows(rows, "".join(LETTERS), rotation=turns, ships=cards, occluded=hidden)


def _loose(table: LooseTable, shot: LooseShot) -> PhotoReading:
    seen = set(table.seen(shot))
    tiles = [(_tile(lying, table.px), lying in seen) for lying in table.tiles(shot)]
    shown = [tile for tile, in_sight in tiles if in_sight]
    words = []
    first = len(tiles) - sum(len(w) for held in shot.words.values() for w in held)
    for seat, held in shot.words.items():
        for word in held:
            row = [tile for tile, in_sight in tiles[first : first + len(word)] if in_sight]
            up = [tile for tile in row if tile.face_up]
            text = "".join(tile.letter for tile in up)
            words.append(LooseWord(text, tuple(shown.index(t) for t in up), 90.0 * seat))
            first += len(word)
    return PhotoReading(table.view.width, table.view.height, (), tuple(shown), tuple(words))


def _tile(lying: Lying, size_px: float) -> LooseTile:
    labels = [*LETTERS, "?"]
    letter = "?" if lying.char in " ?" else lying.char
    values = np.full(len(labels), 0.015 / len(labels))
    values[labels.index(letter)] = 0.985
    logs = np.log(values).astype(np.float32)
    at, angle = (lying.x, lying.y), lying.angle_deg % 360
    return LooseTile(letter, letter != "?", at, angle, size_px, 0.98, logs)


def photographed(slug: str) -> Iterator[FileReading]:
    """Yield the models' reading of every picture."""
    reader, request = make_reader(), ReadRequest(squares_of(find_info(slug)), LETTERS)
    for photo in game_of(slug)["photos"]:
        yield read_file(str(DEMOS / slug / photo["file"]), reader, request)


def story_of(slug: str, readings: Iterator[FileReading]) -> str:
    """The game picture by picture, as text."""
    run = replay_of(slug)
    for reading in readings:
        run.see(reading)
    final = run.finish()["final"]
    out: list[str] = []
    for line in run.known_lines():
        out += _lines(line)
    out += ["end", *(f"  {key}: {final[key]}" for key in _END if final.get(key) is not None)]
    out += [f"  not possible: {problem}" for problem in run.problems]
    return "\n".join(out) + "\n"


_END = ("board", "board45", "scores", "ship_count", "total_words", "frank", "words", "pool")


def _lines(line: Mapping[str, Any]) -> Sequence[str]:
    play = line["play"] or {}
    out = [f"{Path(line['file']).name} {line['status']}"]
    out += [f"  {key}: {play[key]}" for key in _PLAY if play.get(key)]
    out += [f"  event: {json.dumps(event)}" for event in line["events"]]
    out += [f"  say: {text}" for text in line["say"]]
    if line["question"]:
        out.append(f"  ask: {line['question']['prompt']}")
    return out


_PLAY = ("player", "tiles", "word", "steal", "removed", "turned", "turn_score")


def main() -> None:
    """Write the stories again."""
    if "--rewrite" not in sys.argv:
        raise SystemExit(__doc__)
    WRITTEN.mkdir(exist_ok=True)
    for slug in SLUGS:
        (WRITTEN / f"{slug}.txt").write_text(story_of(slug, drawn(slug)), encoding="utf-8")


if __name__ == "__main__":
    main()
