"""Draws the bundled games with other boards, tiles, tables and cameras, and replays them.

    python tests/measures/other_looks.py --seeds 100-112 [GAME…]

Needs the extra `train`. Prints for every game and seed whether the replay tells the same plays and
scores as with the bundled pictures, and what differs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.face.replaying import replay
from tests.filming.pictures import pictures_of, view_of
from tests.measures.live_photos import Known, differences, known_after


def replayed(folder: Path, game: dict[str, Any]) -> Known:
    """Result of replaying the pictures in a folder."""
    return known_after(
        replay(
            [folder / photo["file"] for photo in game["photos"]],
            game["game_slug"],
            game["players"],
            settings=game.get("settings"),
            told=folder / game["told"] if game.get("told") else None,
            start=game.get("initial"),
            lexicon=game["lexicon"],
            tiles=game["language"],
        )
    )


def drawn(game: dict[str, Any], source: Path, seed: int, folder: Path) -> Path:
    """Folder of the same game, drawn with another look."""
    other = {**game, "picture": {**game["picture"], "seed": seed}}
    for name, picture in pictures_of(other):
        cv2.imwrite(
            str(folder / name), picture, [cv2.IMWRITE_JPEG_QUALITY, view_of(other).quality]
        )
    if game.get("told"):
        shutil.copy(source / game["told"], folder)
    return folder


def main() -> None:
    """Draw, replay, compare."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("games", nargs="*")
    ap.add_argument("--seeds", default="100-110", help="FIRST-END, the end not among them")
    ap.add_argument("--keep", type=Path, help="keep the pictures in this folder")
    a = ap.parse_args()
    first, end = (int(x) for x in a.seeds.split("-"))
    same = tried = 0
    for slug in a.games or sorted(p.name for p in DEMOS.iterdir() if p.is_dir()):
        source = DEMOS / slug
        game = json.loads((source / "game.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as place:
            bundled = Path(place) / "bundled"
            shutil.copytree(source, bundled)
            told = replayed(bundled, game)
            for seed in range(first, end):
                folder = (a.keep or Path(place)) / f"{slug}-{seed}"
                folder.mkdir(parents=True, exist_ok=True)
                found = replayed(drawn(game, source, seed, folder), game)
                wrong = differences(told, found, ("bundled", "drawn"))
                same, tried = same + (not wrong), tried + 1
                print(json.dumps({"game": slug, "seed": seed, "same": not wrong}), flush=True)
                print(*(f"  {line}" for line in wrong), sep="\n", end="\n" if wrong else "")
    print(f"{same} of {tried} tell what the bundled pictures tell")


if __name__ == "__main__":
    main()
