"""The tables that a server starts with, and what goes on after it was killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from kibitz.app.cli.serving.serve_tables import Files, TablePlan, open_planned, read_plans
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.reading.teaching import write_taught
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.state import table_view
from kibitz.engine.rules import Action
from kibitz.vision.request import ReadRequest
from tests.helpers.drawn_sets import DrawnSet, laid_out

ROOT = Path(__file__).resolve().parents[4]
HOST = Actor("host")
PLAY = Action("place", data={"tiles": {"H7": "A", "H8": "T"}})
TWO = """
version = 1
[[tables]]
game = "scrabble"
players = ["Ann", "Bob"]
camera = "0"
settings = { reject_invalid = false }
[[tables]]
game = "grabscrab"
lexicon = "none"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "tables.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_settings_file_names_tables_with_their_cameras(tmp_path):
    """Every table of the file comes with what it says, the rest as usual."""
    plans = read_plans(written(tmp_path, TWO))

    assert plans == (
        TablePlan("scrabble", ("Ann", "Bob"), {"reject_invalid": False}, camera="0"),
        TablePlan("grabscrab", lexicon="none"),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "[[tables]]\nplyers = []",
            "unknown key 'plyers'; known are begin, calibration, camera, cameras, delay, game",
        ),
        ("[[tables]]\nplyers = []", "did you mean 'players'?"),
        ("[[tables]]\n[[tables]]\ncamera = 0", "table 2: camera: expected a camera's number"),
        ("version = 2\n[[tables]]", "is of version 2, this Kibitz knows version 1; update Kibitz"),
        ("speed = 1\n[[tables]]", "unknown key 'speed'; known are tables, version"),
        ("version = 1", "expected at least one [[tables]], got none"),
        ("tables = [1]", "expected [[tables]], got 1"),
        ("[[tables", "is no TOML"),
    ],
)
def test_a_wrong_settings_file_is_told(tmp_path, text, says):
    """What was expected, what came, and what to do."""
    with pytest.raises(UsageError) as wrong:
        read_plans(written(tmp_path, text))

    assert says in str(wrong.value)


def test_a_settings_file_that_is_not_there(tmp_path):
    """A missing file is told by its name."""
    with pytest.raises(UsageError) as wrong:
        read_plans(tmp_path / "none.toml")

    assert f"cannot read {tmp_path / 'none.toml'}" in str(wrong.value)


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (TablePlan("chess"), "chess"),
        (TablePlan(players=("Ann",)), "players: expected 2 or 3 or 4 names, got 1"),
        (TablePlan(settings={"speed": 1}), "speed"),
        (TablePlan(tiles="xx"), "There is no tile set 'xx'"),
    ],
)
def test_a_table_that_cannot_be_is_told(tmp_path, plan, says):
    """An unknown game, a wrong number of players, an unknown setting."""
    tables = Tables(Storage(str(tmp_path)))
    with pytest.raises(UsageError) as wrong:
        open_planned(tables, plan)
    tables.close()

    assert says in str(wrong.value)


def opened(folder: Path, plan: TablePlan, *, anew: bool = False, play: bool = False):
    """Open a planned table as a server that starts would, and close it again."""
    tables = Tables(Storage(str(folder)))
    found, goes_on = open_planned(tables, plan, anew=anew)
    if play:
        found.table.act(PLAY, HOST)
    actor = tables.actor(found.table.id, found.seats["Ann"])
    seq = found.table.seq
    tables.close()
    assert actor is not None
    return found.table.id, goes_on, seq, actor[1].player


def test_an_unfinished_game_goes_on(tmp_path):
    """The same plan takes up the same game, with tokens that open it."""
    plan = TablePlan(players=("Ann", "Bob"))
    first = opened(tmp_path, plan, play=True)
    again = opened(tmp_path, plan)
    other = opened(tmp_path, TablePlan(players=("Ann", "Bob"), tiles="de"))
    anew = opened(tmp_path, plan, anew=True)

    assert (False, 1, "Ann") == first[1:]
    assert (first[0], True, 1, "Ann") == again
    assert (False, False) == (other[1], anew[1])
    assert 3 == len({first[0], other[0], anew[0]})


def test_a_new_table_has_what_is_usual_and_what_was_told(tmp_path):
    """A game kept before something became usual goes on all the same."""
    seats = ("Ann", "Bob")
    before = Tables(Storage(str(tmp_path)))
    kept = before.create(Order("scrabbleship", seats, {}, "en", "default"))
    before.close()
    tables = Tables(Storage(str(tmp_path)))
    usual, told = (
        TablePlan("scrabbleship", seats, settings)
        for settings in ({}, {"ss.challenge": "unknown_words"})
    )
    first, again = open_planned(tables, usual)
    other, _ = open_planned(tables, told)
    tables.close()

    assert (kept.table.id, True) == (first.table.id, again)
    assert "any_word" == usual.order().settings["ss.challenge"]
    assert "unknown_words" == other.table.ledger.opening.options["ss.challenge"]


def test_a_game_that_is_over_does_not_go_on(tmp_path):
    """After the end, the same plan begins another game."""
    plan = TablePlan(players=("Ann", "Bob"))
    tables = Tables(Storage(str(tmp_path)))
    table = open_planned(tables, plan)[0].table
    table.act(PLAY, HOST)
    table.act(Action("end_game"), HOST)
    over = table.over
    tables.close()

    assert over
    assert not opened(tmp_path, plan)[1]


class Served:
    """`kibitz serve` in a process of its own.

    Attributes:
        address: where it is.
        table: the table's name.
        token: its host's token.
        goes_on: whether it said that a game goes on.
    """

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "kibitz", "serve", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self._process.stdout is not None
        lines = []
        while not lines or not lines[-1].startswith("  camera"):
            lines.append(self._process.stdout.readline())
            assert lines[-1]
        self.address = lines[0].split()[-1]
        link = next(line for line in lines if line.startswith("  table"))
        self.table, _, self.token = link.strip().rpartition("/")[2].partition("#t=")

    def words(self) -> list[str]:
        """The words played so far."""
        request = urllib.request.Request(
            f"{self.address}api/tables/{self.table}",
            headers={"Authorization": f"Bearer {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            history = json.load(answer)["history"]
        return [w["word"] for entry in history for w in entry.get("words") or ()]

    def wait_for(self, words: list[str], seconds: float = 240.0) -> list[str]:
        """The words, as soon as they are these."""
        ends = time.monotonic() + seconds
        while (now := self.words()) != words and time.monotonic() < ends:
            time.sleep(0.3)
        return now

    def kill(self) -> None:
        """End it without a word."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.mark.slow
def test_a_game_goes_on_after_the_server_was_killed(tmp_path):
    """Photographs put into a folder become plays, also after `kill -9` in between."""
    photos = sorted((ROOT / "app" / "data" / "demo" / "scrabble").glob("*.jpg"))
    folder = tmp_path / "photos"
    folder.mkdir()
    command = ["--data", str(tmp_path / "data"), "--camera", str(folder), "--game", "scrabble"]

    first = Served(*command)
    for photo in photos[:2]:
        (folder / photo.name).write_bytes(photo.read_bytes())
    played = first.wait_for(["GARDEN"])
    first.kill()
    second = Served(*command)
    (folder / photos[2].name).write_bytes(photos[2].read_bytes())
    went_on = second.wait_for(["GARDEN", "FRIEND"])
    second.kill()

    assert ["GARDEN"] == played
    assert ["GARDEN", "FRIEND"] == went_on
    assert first.table == second.table


OWN_TILES = {"language": "xx", "blanks": 1, "tiles": {"A": {"count": 9, "value": 7}}}


def test_own_tiles_and_words_are_played_with(tmp_path):
    """A table of the settings file may have files of its own; pages know them by their names."""
    (tmp_path / "house.json").write_text(json.dumps(OWN_TILES))
    (tmp_path / "few.txt").write_text("AA\n")
    plan = TablePlan(tiles=str(tmp_path / "house.json"), lexicon=str(tmp_path / "few.txt"))
    files = Files()
    named = files.named(plan)
    tables = Tables(Storage(str(tmp_path / "data")), files.lexicons, files.tile_sets)
    found, _ = open_planned(tables, named)
    done = found.table.act(Action("place", data={"tiles": {"H7": "A", "H8": "A"}}), HOST)
    shown = table_view(found.table, HOST, None)
    tables.close()

    assert (named.tiles, named.lexicon) == ("house", "few")
    assert done.verdict.result["turn_score"] == 28
    assert (shown.tiles, shown.tile_values["A"]) == ("house", 7)


def test_an_own_file_hides_nothing_that_is_known(tmp_path):
    """A file that is called like a known set, or like another file, gets a name of its own."""
    paths = [tmp_path / "en.json", tmp_path / "a" / "x.json", tmp_path / "b" / "x.json"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(OWN_TILES))
    files = Files()
    names = [files.names("default", str(path))[1] for path in (*paths, paths[1])]

    assert names == ["en-own", "x", "x-own", "x"]


def start_file(folder: Path, **said: object) -> Path:
    """A file with a position of Scrabble, and what else it says."""
    board = ["." * 15] * 7 + ["...TRAIN......."] + ["." * 15] * 7
    path = folder / "start.json"
    path.write_text(json.dumps({"board": board, "scores": [120, 98], **said}), encoding="utf-8")
    return path


def test_a_table_begins_from_a_position(tmp_path):
    """The file says where the game stands, who plays and by which settings."""
    path = start_file(
        tmp_path, game="scrabble", players=["Ann", "Bob"], settings={"challenge": "single"}
    )
    tables = Tables(Storage(str(tmp_path / "data")))
    opened, _ = open_planned(tables, TablePlan("scrabble").beginning(path))
    state = table_view(opened.table, HOST, None)
    again, goes_on = open_planned(tables, TablePlan("scrabble").beginning(path))
    tables.close()

    assert {"Ann": 120, "Bob": 98} == state.scores
    assert "single" == state.settings["challenge"]
    assert (False, True) == (goes_on, again.table.id != opened.table.id)


def test_a_settings_file_names_a_position(tmp_path):
    """Each table of the file may begin in the middle; its game is that of the position."""
    path = start_file(tmp_path, game="scrabbleship", players=["Ann", "Bob"])
    (plan,) = read_plans(written(tmp_path, f"[[tables]]\nstart = '{path}'\n"))

    assert ("scrabbleship", ("Ann", "Bob")) == (plan.game, plan.players)


@pytest.mark.parametrize(
    ("said", "plan", "says"),
    [
        ({"game": "scrabbage"}, {}, "is a game of scrabbage, not of scrabble"),
        ({"players": ["Ann", "Bob"]}, {"players": ("Cyd", "Dee")}, "names the players Ann, Bob"),
        ({"players": "Ann"}, {}, "players: expected a list of names"),
        ({"settings": 3}, {}, "settings: expected an object"),
        ({"bord": 3}, {}, "did you mean 'board'"),
    ],
)
def test_a_position_that_does_not_fit_is_refused(tmp_path, said, plan, says):
    """The message says what was expected, before anything is opened."""
    tables = Tables(Storage(str(tmp_path / "data")))
    with pytest.raises(UsageError, match=says):
        open_planned(tables, TablePlan("scrabble", **plan).beginning(start_file(tmp_path, **said)))
    tables.close()


@pytest.mark.parametrize("text", ["no JSON", "[1]"])
def test_a_position_file_that_is_none_is_refused(tmp_path, text):
    """A file that cannot be read says so in one line."""
    path = tmp_path / "start.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=r"^start: "):
        TablePlan("scrabble").beginning(path)


def test_a_server_reads_tiles_by_a_profile(tmp_path):
    """What `kibitz calibrate --teach` kept is used by the table's camera from the first picture."""
    order, drawn = (*load_tile_set("bg").letters, "?"), DrawnSet(5)
    chars = np.full((15, 15), "", dtype="<U1")
    chars[7, 6:9] = list("ДОМ")
    lesson = drawn.photograph(laid_out(order), 1, 12.0, upright=True).picture
    taught = FrameReader().learn(lesson, ReadRequest(top="top"), order)
    profile, photos = tmp_path / "bg.json", tmp_path / "photos"
    write_taught(profile, taught, "bg")
    photos.mkdir()
    played = drawn.photograph(chars, 21, 20.0, upright=True).picture
    cv2.imwrite(str(photos / "1.jpg"), played)
    options = ["--tiles", "bg", "--profile", str(profile), "--game", "scrabble"]
    served = Served("--data", str(tmp_path / "data"), "--camera", str(photos), *options)
    words = served.wait_for(["ДОМ"])
    served.kill()

    assert ["ДОМ"] == words


@pytest.mark.parametrize(
    ("hours", "goes_on"), [(7, True), (11.9, True), (12.1, False), (23, False)]
)
def test_how_long_a_game_may_lie_until_it_is_taken_up(tmp_path, monkeypatch, hours, goes_on):
    """Twelve hours; whoever starts later begins a new one."""
    tables = Tables(Storage(str(tmp_path)))
    plan = TablePlan("scrabble", ("Ann", "Bob"))
    first = open_planned(tables, plan)[0].table
    first.act(PLAY, HOST)
    tables.close()
    now = time.time() + 3600 * hours
    monkeypatch.setattr(
        "kibitz.app.cli.serving.serve_tables.time", SimpleNamespace(time=lambda: now)
    )
    again = Tables(Storage(str(tmp_path)))
    found = open_planned(again, plan)[0].table
    again.close()

    assert goes_on == (first.id == found.id)
