"""Small games for archives: folders, zips and films of the first bundled photographs."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import cv2

import kibitz

DEMO = kibitz.examples()["scrabble"]
PHOTOS = ("01.jpg", "02.jpg", "03.jpg")
"""An empty board, GARDEN, FRIEND."""
FACTS = {"game_slug": "scrabble", "players": ["Ann", "Bob"], "title": "A short game"}
SCORES = {"Ann": 20, "Bob": 12}


def folder_game(
    folder: Path, facts: Any = FACTS, photos: tuple[str, ...] = PHOTOS, mark: str = ""
) -> Path:
    """A game as a folder; `mark` goes into its file, so that games differ."""
    folder.mkdir(parents=True)
    for name in photos:
        shutil.copy(DEMO / name, folder / name)
    if facts is not None:
        told = {**facts, "note": mark} if mark else facts
        (folder / "game.json").write_text(json.dumps(told), encoding="utf-8")
    return folder


def zip_game(path: Path, within: str = "", facts: Any = FACTS) -> Path:
    """The same as a zip, its files below a folder within."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as packed:
        for name in PHOTOS:
            packed.write(DEMO / name, within + name)
        if facts is not None:
            packed.writestr(within + "game.json", json.dumps(facts))
    return path


def film_game(path: Path, photos: tuple[str, ...] = PHOTOS, seconds: int = 2) -> Path:
    """The same as a film in which each position rests for some seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    film = None
    for name in photos:
        picture = cv2.imread(str(DEMO / name))
        assert picture is not None
        if film is None:
            size = picture.shape[1], picture.shape[0]
            film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 4.0, size)
        for _ in range(4 * seconds):
            film.write(picture)
    assert film is not None
    film.release()
    return path


def lines_of(out: Path) -> list[dict[str, Any]]:
    """The report of an archive."""
    text = (out / "games.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def results_of(out: Path) -> dict[str, bytes]:
    """Everything that an archive holds, without how long each game took."""
    found = {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and ".kibitz" not in path.parts and path.name != "games.jsonl"
    }
    lines = [{k: v for k, v in line.items() if k != "seconds"} for line in lines_of(out)]
    return {**found, "games.jsonl": json.dumps(lines).encode()}
