"""A filmed game becomes its plays, whatever moves beside the board."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.app.cameras.recordings import photo_readings
from kibitz.app.face.replaying import Replay, replay
from kibitz.app.reading.pictures import FileReading
from kibitz.vision.request import ReadRequest

PHOTOS = Path(__file__).resolve().parents[3] / "app" / "data" / "demo" / "scrabble"
RATE = 10


def film_of(path: Path, names: list[str], kind: str, *, somebody: bool = False) -> Path:
    """A film in which each photographed position rests for 1.5 s, and an arm brings the next.

    Args:
        path: where it is written.
        names: the photographs.
        kind: four letters that name the codec.
        somebody: whether somebody moves about in the picture's corner all the time.
    """
    stills = [cv2.imread(str(PHOTOS / name)) for name in names]
    height, width = stills[0].shape[:2]
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*kind), RATE, (width, height))
    number = 0
    for still in stills:
        for shot in range(-8, 15):
            picture = still.copy()
            if shot < 0:  # an arm from below, as wide as a few squares
                x = width // 3 + 20 * shot
                picture[height // 4 :, x : x + width // 6] = (110, 140, 200)
            if somebody:
                y = 10 + 30 * (number % 3)
                picture[y : y + 60, 5:65] = (30, 200, 240)
            out.write(picture)
            number += 1
    out.release()
    return path


def told(game: Replay) -> list[tuple[str, list[str]]]:
    """The plays that a replay tells, each with its words."""
    plays = [x for x in game.photographs if x.get("status") not in (None, "no_change")]
    return [(p["status"], [w["word"] for w in p["play"]["words"]]) for p in plays]


NAMES = ["01.jpg", "02.jpg", "03.jpg"]
PLAYED = [("play", ["GARDEN"]), ("play", ["FRIEND"])]


@pytest.mark.parametrize(("name", "kind"), [("game.mp4", "mp4v"), ("game.avi", "MJPG")])
def test_a_film_is_replayed(tmp_path: Path, name: str, kind: str) -> None:
    """Its positions at rest are read, and what is under an arm is waited for."""
    path = film_of(tmp_path / name, NAMES, kind)

    assert told(replay(path, players="Ann,Bob")) == PLAYED


def test_somebody_beside_the_board(tmp_path: Path) -> None:
    """Who never sits still in a corner of the picture holds up nothing."""
    path = film_of(tmp_path / "game.mp4", NAMES, "mp4v", somebody=True)

    assert told(replay(path, players="Ann,Bob")) == PLAYED


def test_a_film_that_breaks_off(tmp_path: Path) -> None:
    """A file that is no film is one line with its code, and the game is not complete."""
    path = tmp_path / "game.mp4"
    path.write_bytes(np.arange(256, dtype=np.uint8).tobytes())
    game = replay(path)

    assert (False, "video_not_readable") == (game.complete, game.lines[0]["error"]["code"])


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (10, []),
        (11, ["reading photograph 11 of 11"]),
        (21, ["reading photograph 11 of 21", "reading photograph 21 of 21"]),
    ],
)
def test_it_is_said_how_far_the_reading_has_come(count: int, expected: list[str]) -> None:
    """Every ten photographs; of few nothing is said."""
    said: list[str] = []

    def read(source: object, *_: object) -> FileReading:
        return FileReading(str(source), code="board_not_found")

    photos = [f"{n}.jpg" for n in range(count)]
    found = list(photo_readings(photos, None, ReadRequest("loose"), read, said.append))  # type: ignore[arg-type]

    assert (photos, expected) == ([f.file for f in found], said)
