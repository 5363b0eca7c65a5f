"""One game, replayed: its result, when its photographs were taken, threads and versions."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import cv2
import pytest
from PIL import Image

from kibitz.app.archive.facts import GameFacts
from kibitz.app.archive.job import Task, one_thread, replay_game, seconds_taken, version
from tests.app.archive.archive_help import DEMO, SCORES, folder_game


def test_a_result_has_its_files_and_its_line(tmp_path: Path) -> None:
    """And the key by which the same content is known again."""
    task = Task("a", folder_game(tmp_path / "a"), "folder", GameFacts())
    first = replay_game(task)
    again = replay_game(Task("a", tmp_path / "a", "folder", GameFacts(), known=first.key))
    kept = json.loads(first.files["json"])

    assert {"json", "gcg", "html"} == set(first.files)
    assert SCORES == first.line["scores"]
    assert (True, {}, first.key) == (again.same, again.files, again.key)
    assert ["A short game", "scrabble", ["Ann", "Bob"], "en"] == [
        kept[x] for x in ("title", "game", "players", "tile_set")
    ]
    assert str(tmp_path) not in first.files["json"].decode()


def test_a_game_without_gcg_has_none(tmp_path: Path) -> None:
    """The format holds Scrabble only."""
    facts = {"game_slug": "scrabbleship", "players": ["Ann", "Bob"]}
    task = Task("a", folder_game(tmp_path / "a", facts, ("01.jpg",)), "folder", GameFacts())

    assert {"json", "html"} == set(replay_game(task).files)


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"players": ["Ann"]}, "facts_wrong"),
        ({"game_slug": "chess"}, "facts_wrong"),
        ({"tiles": "xx"}, "file_missing"),
        ({"told": [{"action": 3}]}, "facts_wrong"),
    ],
)
def test_what_is_told_wrongly_is_the_games_failure(
    tmp_path: Path, facts: dict[str, object], code: str
) -> None:
    """Not the end of the run."""
    result = replay_game(Task("a", folder_game(tmp_path / "a", facts), "folder", GameFacts()))

    assert (False, code) == (result.line["ok"], result.line["error"]["code"])


def test_a_folder_that_is_gone_is_the_games_failure(tmp_path: Path) -> None:
    """Somebody moved it while the archive was made."""
    result = replay_game(Task("a", tmp_path / "gone", "folder", GameFacts()))

    assert "not_readable" == result.line["error"]["code"]


def _taken(path: Path, **more: str) -> Path:
    exif = Image.Exif()
    exif.get_ifd(0x8769).update({int(name[1:], 16): value for name, value in more.items()})
    with Image.open(DEMO / "01.jpg") as picture:
        picture.save(path, exif=exif)
    return path


def test_when_a_photograph_was_taken(tmp_path: Path) -> None:
    """In seconds, with parts of them where the camera writes those."""
    whole = seconds_taken(_taken(tmp_path / "a.jpg", x9003="2026:05:01 20:00:00"))
    parts = seconds_taken(_taken(tmp_path / "b.jpg", x9003="2026:05:01 20:01:30", x9291="25"))

    assert whole is not None
    assert parts is not None
    assert 90.25 == parts - whole


@pytest.mark.parametrize("kind", ["none", "no time", "no picture"])
def test_a_photograph_that_does_not_tell(tmp_path: Path, kind: str) -> None:
    """Nothing is made up, and nothing goes wrong."""
    path = tmp_path / "a.jpg"
    if kind == "none":
        shutil.copy(DEMO / "01.jpg", path)
    elif kind == "no time":
        _taken(path, x9003="yesterday evening")
    else:
        path.write_bytes(b"x")

    assert None is seconds_taken(path)


def test_a_process_keeps_to_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries that would take every core are told to take one."""
    before = cv2.getNumThreads()
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    for name in names:
        monkeypatch.setenv(name, "7")
    one_thread()
    threads = cv2.getNumThreads()
    cv2.setNumThreads(before)

    assert (["1"] * 3, 1) == ([os.environ[name] for name in names], threads)


def test_the_version_names_networks_too() -> None:
    """The same everywhere where the same is installed."""
    assert 64 == len(version())
    assert version() == version()
