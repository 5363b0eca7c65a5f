"""A game is opened the same way from a folder, a zip or bytes that travelled."""

from __future__ import annotations

import json
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kibitz.app.archive import content
from kibitz.app.archive.content import NoGame, ZipLimits, open_game, pack_game
from kibitz.app.archive.facts import GameFacts
from tests.app.archive.archive_help import DEMO, PHOTOS, folder_game, zip_game

USUAL = GameFacts()


def digest(place: Path | bytes, kind: Any, usual: GameFacts = USUAL) -> str:
    with open_game(place, kind, usual, None) as game:
        return game.digest("v1")


def test_one_content_has_one_digest(tmp_path: Path) -> None:
    """Folder, zip, zip with a folder in it, and what travels to a cluster are the same game."""
    folder = folder_game(tmp_path / "a")
    flat, deep = zip_game(tmp_path / "b.zip"), zip_game(tmp_path / "c.zip", "some/where/")
    sent = pack_game(folder, "folder", USUAL)

    found = {
        digest(folder, "folder"),
        digest(flat, "zip"),
        digest(deep, "zip"),
        digest(sent, "zip"),
    }

    assert 1 == len(found)


def test_a_digest_changes_with_everything_that_counts(tmp_path: Path) -> None:
    """A byte of a picture, what is told, how it is replayed, and the version."""
    folder = folder_game(tmp_path / "a", None)
    found = [digest(folder, "folder"), digest(folder, "folder", GameFacts(players=("A", "B")))]
    with open_game(folder, "folder", USUAL, None) as game:
        found.append(game.digest("v2"))
    (folder / "game.json").write_text('{"players": ["Ann", "Bob"]}')
    found.append(digest(folder, "folder"))
    with (folder / "02.jpg").open("ab") as picture:
        picture.write(b"\0")
    found.append(digest(folder, "folder"))

    assert len(found) == len(set(found))


def test_where_a_needed_file_lies_does_not_count(tmp_path: Path) -> None:
    """A tile set of the command has another path on every machine."""
    folder = folder_game(tmp_path / "a", None)
    found = set()
    for where in ("x", "y"):
        (tmp_path / where).mkdir()
        path = tmp_path / where / "tiles.json"
        path.write_text("{}")
        found.add(digest(folder, "folder", GameFacts(tiles=str(path))))

    assert 1 == len(found)


def test_pictures_come_in_natural_order_or_as_told(tmp_path: Path) -> None:
    """The list of the game's file goes before."""
    folder = folder_game(tmp_path / "a", {"photos": ["03.jpg", "01.jpg"]})
    with open_game(folder, "folder", USUAL, None) as game:
        told = [p.name for p in game.photographs]
    (folder / "game.json").unlink()
    with open_game(folder, "folder", USUAL, None) as game:
        natural = [p.name for p in game.photographs]

    assert (["03.jpg", "01.jpg"], list(PHOTOS)) == (told, natural)


def test_a_film_takes_what_lies_beside_it(tmp_path: Path) -> None:
    """`NAME.game.json` says game and players."""
    (tmp_path / "a.mp4").write_bytes(b"film")
    (tmp_path / "a.game.json").write_text('{"players": ["Ann", "Bob"]}')
    with open_game(tmp_path / "a.mp4", "film", USUAL, None) as game:
        known = game.facts.players, [p.name for p in game.photographs]
    sent = pack_game(tmp_path / "a.mp4", "film", USUAL)
    with open_game(sent, "zip", USUAL, None) as game:
        travelled = game.facts.players, [p.name for p in game.photographs]

    assert ((("Ann", "Bob"), ["a.mp4"]),) * 2 == (known, travelled)


def test_files_that_are_needed_travel_too(tmp_path: Path) -> None:
    """What people said, a tile set and a word list beside the pictures."""
    facts = {"told": "told.json", "lexicon": "words.txt"}
    folder = folder_game(tmp_path / "a", facts)
    (folder / "told.json").write_text("[]")
    (folder / "words.txt").write_text("GARDEN\n")
    with open_game(pack_game(folder, "folder", USUAL), "zip", USUAL, None) as game:
        there = {what: path.read_text() for what, path in game.files.items()}

    assert {"told": "[]", "lexicon": "GARDEN\n"} == there


def bad_zip(path: Path, kind: str) -> Path:
    """A zip that is no game, in one of several ways."""
    if kind == "text":
        path.write_text("no zip at all")
        return path
    if kind == "empty file":
        path.write_bytes(b"")
        return path
    whole = zip_game(path).read_bytes()
    if kind == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif kind == "damaged":
        half = len(whole) // 2
        path.write_bytes(whole[:half] + bytes(64) + whole[half + 64 :])
    elif kind == "no pictures":
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("notes.txt", "x")
    elif kind == "two games":
        with zipfile.ZipFile(path, "w") as packed:
            packed.write(DEMO / "01.jpg", "a/01.jpg")
            packed.write(DEMO / "01.jpg", "b/01.jpg")
    return path


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("text", "zip_damaged"),
        ("empty file", "zip_damaged"),
        ("cut", "zip_damaged"),
        ("damaged", "zip_damaged"),
        ("no pictures", "no_pictures"),
        ("two games", "several_games"),
    ],
)
def test_a_bad_zip_is_named(tmp_path: Path, kind: str, code: str) -> None:
    """What is wrong with it has a code and says what to do; nothing stays unpacked."""
    path = bad_zip(tmp_path / "bad.zip", kind)
    work = tmp_path / "work"
    work.mkdir()

    with pytest.raises(NoGame) as told, open_game(path, "zip", USUAL, work):
        pass

    assert code == told.value.code
    assert [] == list(work.iterdir())


@pytest.mark.parametrize("name", ["../../climbed.jpg", "/climbed.jpg", "a/b/climbed.jpg"])
def test_nothing_is_unpacked_outside_its_folder(tmp_path: Path, name: str) -> None:
    """Names that climb out of the zip are only names."""
    path = tmp_path / "climbs.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.write(DEMO / "01.jpg", "game/01.jpg")
        packed.writestr(zipfile.ZipInfo(name), b"x")
    work = tmp_path / "deep" / "work"
    work.mkdir(parents=True)
    with suppress(NoGame), open_game(path, "zip", USUAL, work):
        pass

    assert [] == list(tmp_path.rglob("climbed.jpg"))
    assert not Path("/climbed.jpg").exists()


@pytest.mark.parametrize("limits", [ZipLimits(most_bytes=100_000), ZipLimits(most_files=2)])
def test_a_zip_that_fills_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: ZipLimits
) -> None:
    """Too many bytes or files end the unpacking, whatever the zip says of itself."""
    monkeypatch.setattr(content, "LIMITS", limits)

    with (
        pytest.raises(NoGame) as told,
        open_game(zip_game(tmp_path / "big.zip"), "zip", USUAL, tmp_path),
    ):
        pass

    assert "too_large" == told.value.code


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ("{", "facts_wrong"),
        (json.dumps({"players": 3}), "facts_wrong"),
        (json.dumps({"told": "gone.json"}), "file_missing"),
        (json.dumps({"photos": ["04.jpg"]}), "photograph_missing"),
    ],
)
def test_a_bad_game_file_is_named(tmp_path: Path, facts: str, code: str) -> None:
    """It is the game's own failure, not the end of the run."""
    folder = folder_game(tmp_path / "a", None)
    (folder / "game.json").write_text(facts)

    with pytest.raises(NoGame) as told, open_game(folder, "folder", USUAL, None):
        pass

    assert code == told.value.code
